/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SRS_SRS_H
#define CUZK_SRS_SRS_H

/* Groth16 parameter files in bellman's format: the verifying key, then the queries h, l, a, b_g1
 * and b_g2, each a big-endian 32-bit count and that many uncompressed points (docs/formats.md). A
 * file is mapped, never read into memory; the multiplications stream the points from it. */

#include <stdbool.h>

#include "base/atomic_file.h"
#include "base/mapped_file.h"
#include "base/executor.h"
#include "srs/vk.h"

typedef enum { SRS_H, SRS_L, SRS_A, SRS_B_G1, SRS_B_G2, SRS_SECTIONS } srs_section;

/** An open parameter file. The sources point into the mapping. */
typedef struct {
    mapped_file_t file;
    char *path;
    srs_vk_t vk;
    g1_source_t h;    /* m - 1 points: tau^i (tau^m - 1) / delta */
    g1_source_t l;    /* one an auxiliary variable */
    g1_source_t a;    /* inputs, then auxiliary variables, that have a term in A */
    g1_source_t b_g1; /* inputs, then auxiliary variables, that have a term in B */
    g2_source_t b_g2; /* the same in G2 */
} srs_t;

/** "h", "l", "a", "b_g1", "b_g2". */
const char *srs_section_name(srs_section section);

/** Maps the file and checks its layout before anything else is done with it: each count against
 *  the bytes that are there, no bytes left over, h one less than a power of two, b_g1 and b_g2
 *  equally many. The verifying key's points are checked fully (srs_vk_parse()); those of the
 *  queries are not looked at: see srs_check_points().
 *
 *  CUZK_ERR_MISSING when it can't be opened; CUZK_ERR_FORMAT names file, section and numbers.
 *  Release with srs_close(), on success only. */
cuzk_status srs_open(srs_t *srs, const char *path, cuzk_error *err);

/** The same for bytes in memory, which stay borrowed; name stands in error texts. */
cuzk_status srs_open_bytes(srs_t *srs, const uint8_t *bytes, size_t n, const char *name,
                           cuzk_error *err);
void srs_close(srs_t *srs);

/** What srs_check_points() does. */
typedef struct {
    bool subgroup; /* also that each point is in the subgroup of order r. In sections of 2^15 points
                      and more by random sums: one outside is missed with probability 2^-60 */
    /** Called now and then, on the caller's thread, with points done and in all; may be NULL. */
    void (*progress)(void *arg, uint64_t done, uint64_t total);
    void *arg;
} srs_check_t;

/** Looks at every point of every query: flags, range of the coordinates, on the curve, not the
 *  identity. CUZK_ERR_FORMAT names file, section and the lowest bad index of the first bad section.
 *  CUZK_ERR_MEMORY and CUZK_ERR_IO (no random numbers) with subgroup only: memory is 3 MiB a thread
 *  in G1, 6 in G2. */
cuzk_status srs_check_points(const srs_t *srs, const srs_check_t *how, strand_t *strand,
                             cuzk_error *err);

/** A parameter file being written: open, the key, then for each section in order its count and
 *  its points in any number of calls, then commit. Write errors surface at the commit. */
typedef struct {
    atomic_file_t file;
    uint8_t *buffer;  /* encoded points of one chunk */
    uint64_t pending; /* points of the section begun that have not come yet */
} srs_writer_t;

/** Errors as atomic_file_open() has them. */
cuzk_status srs_writer_open(srs_writer_t *w, const char *path, bool replace, cuzk_error *err);
void srs_writer_put_vk(srs_writer_t *w, const srs_vk_t *vk);
void srs_writer_begin(srs_writer_t *w, uint32_t count);
cuzk_status srs_writer_add_g1(srs_writer_t *w, const g1_affine_t *points, size_t n,
                              strand_t *strand, cuzk_error *err);
cuzk_status srs_writer_add_g2(srs_writer_t *w, const g2_affine_t *points, size_t n,
                              strand_t *strand, cuzk_error *err);

/** Puts the file in its place; the writer is cleared either way. */
cuzk_status srs_writer_commit(srs_writer_t *w, cuzk_error *err);

/** Removes what was written; for error paths. Harmless on a cleared writer. */
void srs_writer_discard(srs_writer_t *w);

#endif

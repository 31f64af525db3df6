/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SRS_SRS_H
#define CUZK_SRS_SRS_H

/* Groth16 parameter files in bellman's format: the verifying key, then the queries h, l, a, b_g1
 * and b_g2, each a big-endian 32-bit count and that many uncompressed points (docs/formats.md). The
 * key is held in memory; the queries stay in the file and are read from it piece by piece. */

#include <stdbool.h>

#include "base/atomic_file.h"
#include "base/cancel.h"
#include "base/executor.h"
#include "base/file.h"
#include "curve/points.h"
#include "srs/vk.h"

typedef enum { SRS_H, SRS_L, SRS_A, SRS_B_G1, SRS_B_G2, SRS_SECTIONS } srs_section;

/** An open parameter file. The queries borrow from it: they end with srs_close(). */
typedef struct {
    char *path;
    file_t *file; /* NULL when the bytes are in memory */
    srs_vk_t vk;
    points_t h;    /* m - 1 points: tau^i (tau^m - 1) / delta */
    points_t l;    /* one for each auxiliary variable */
    points_t a;    /* inputs, then auxiliary variables, that have a term in A */
    points_t b_g1; /* inputs, then auxiliary variables, that have a term in B */
    points_t b_g2; /* the same in G2 */
} srs_t;

/** "h", "l", "a", "b_g1", "b_g2". */
const char *srs_section_name(srs_section section);

/** Opens a regular file (file_open(): anything else is refused at once) and checks its layout: each
 *  count against the bytes that are there, no bytes left over, h one less than a power of two, b_g1
 *  and b_g2 equally many. The verifying key's points are checked fully, on the strand, which may be
 *  NULL; those of the queries are not looked at: see srs_check_points().
 *
 *  CUZK_ERR_MISSING when it can't be opened; CUZK_ERR_FORMAT names file, section and numbers;
 *  CUZK_ERR_IO when it can't be read; CUZK_ERR_MEMORY; a cancelled strand's status. Release with
 *  srs_close(), on success only. Any number of threads may read the queries; each read fails with
 *  CUZK_ERR_IO "PATH: byte N: ..." when the disk does or when the file has become shorter. */
cuzk_status srs_open(srs_t *srs, const char *path, strand_t *strand, cuzk_error *err);

/** The same for bytes in memory, which stay borrowed; name stands in error texts. */
cuzk_status srs_open_bytes(srs_t *srs, const uint8_t *bytes, size_t n, const char *name,
                           strand_t *strand, cuzk_error *err);
void srs_close(srs_t *srs);

/** Whether a .vk file is the key at the head of the open parameter file, byte for byte: keys of two
 *  setups look alike, and a proof made with one is worthless under the other. CUZK_ERR_FORMAT names
 *  both files and what differs; CUZK_ERR_MISSING and CUZK_ERR_IO as file_open() and file_read_at().
 *  CUZK_ERR_ARG when the parameters were not opened from a file. */
cuzk_status srs_match_vk(const srs_t *srs, const char *vk_path, cuzk_error *err);

/** Bytes of memory that an open file takes: its key, for the most part. */
uint64_t srs_resident_bytes(const srs_t *srs);

/** Reads the file through once, so that the system holds in its cache what it has room for. Blocks
 *  for as long as the disk takes; the calling thread holds no permit. cancel may be NULL, and is
 *  looked at every few milliseconds. Errors as a read's, CUZK_ERR_MEMORY, cancel_status()'s. */
cuzk_status srs_preload(const srs_t *srs, const cancel_t *cancel, cuzk_error *err);

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
 *  CUZK_ERR_IO as reads have it, or when there are no random numbers for subgroup; CUZK_ERR_MEMORY
 *  with subgroup only: 3 MiB for each thread in G1, 6 in G2. A cancelled strand's status. */
cuzk_status srs_check_points(const srs_t *srs, const srs_check_t *how, strand_t *strand,
                             cuzk_error *err);

/** The most bytes of memory that this takes with subgroup, on so many threads. */
uint64_t srs_check_bytes(const srs_t *srs, uint32_t n_threads);

/** A parameter file being written: open, the key, then for each section in order its count and
 *  its points in any number of calls, then commit. A write that fails, for want of space say, is
 *  told by the next call that returns a status. */
typedef struct {
    atomic_file_t file;
    uint8_t *buffer;  /* encoded points of one chunk */
    uint64_t pending; /* points of the section begun that have not come yet */
} srs_writer_t;

/** Errors as atomic_file_open() has them; CUZK_ERR_MEMORY. */
cuzk_status srs_writer_open(srs_writer_t *w, const char *path, bool replace, cuzk_error *err);
void srs_writer_put_vk(srs_writer_t *w, const srs_vk_t *vk);
void srs_writer_begin(srs_writer_t *w, uint32_t count);

/** CUZK_ERR_IO with the cause; a cancelled strand's status. The strand may be NULL. */
cuzk_status srs_writer_add_g1(srs_writer_t *w, const g1_affine_t *points, size_t n,
                              strand_t *strand, cuzk_error *err);
cuzk_status srs_writer_add_g2(srs_writer_t *w, const g2_affine_t *points, size_t n,
                              strand_t *strand, cuzk_error *err);

/** Puts the file in its place; the writer is cleared either way. */
cuzk_status srs_writer_commit(srs_writer_t *w, cuzk_error *err);

/** Removes what was written; for error paths. Harmless on a cleared writer. */
void srs_writer_discard(srs_writer_t *w);

#endif

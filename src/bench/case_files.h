/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_CASE_FILES_H
#define CUZK_BENCH_CASE_FILES_H

/* Cases: a real input with its public values, a folder each, as those of tests/golden. case.json
 * has the public values; c1.json (a PoRep) or vanilla.json (any other kind) beside it is the input.
 */

#include "codec/vanilla_list.h"
#include "cuzk/cuzk.h"

enum { CASE_NAME_BYTES = 64, CASE_MAX_SECTORS = 64, CASE_MAX_CASES = 256 };

/** A case points into itself and is not moved. */
typedef struct {
    char name[CASE_NAME_BYTES];
    char sector_size[16]; /* "2KiB" */
    uint64_t sector_bytes;
    cuzk_request request;     /* its registered proof is a number */
    cuzk_statement statement; /* what its proof states, by case.json alone */
    cuzk_sector sectors[CASE_MAX_SECTORS];
    size_t n_sectors;
    uint32_t partition_sectors; /* window: of a full partition */
    char proof_name[64];        /* of a PoRep's registered proof */
    cuzk_bytes c1;
    vanilla_list_t vanilla;
    uint8_t *input; /* the text of c1.json or vanilla.json */
} proof_case_t;

/** Borrowed text. */
typedef struct {
    const uint8_t *bytes;
    size_t length;
} case_text_t;

/** Reads a case from its two texts, of which the input's is copied; values has JSON_PADDING
 *  readable bytes after its end, the first of them zero. name is the folder's. Release with
 *  case_close(), on success only. CUZK_ERR_FORMAT, CUZK_ERR_ARG, CUZK_ERR_MEMORY. */
cuzk_status case_read(proof_case_t *c, const char *name, case_text_t values, case_text_t input,
                      cuzk_error *err);

/** The same from a folder's files. CUZK_ERR_MISSING, too. */
cuzk_status case_open(proof_case_t *c, const char *folder, cuzk_error *err);

/** Harmless on a zeroed one. */
void case_close(proof_case_t *c);

/** The partitions of a WindowPoSt that can be proved alone: by the older rules (V1) the challenges
 *  of the first one alone are those of its own. 1 for any other case. */
uint32_t case_partitions(const proof_case_t *c);

/** Leaves the sectors of one partition < case_partitions() in a WindowPoSt, whose name gets
 *  ".PARTITION" when there were more; no other case is changed. */
void case_keep_partition(proof_case_t *c, uint32_t partition);

typedef struct {
    proof_case_t *items; /* by name */
    size_t n;
} case_list_t;

/** The cases of one sector size ("2KiB") among the folders in a folder, of a WindowPoSt each of
 *  case_partitions(), as nodes ask for them; folders without case.json are no cases. Release with
 * case_list_close(), which may also follow an error. CUZK_ERR_MISSING: the folder, or there is no
 * such case in it; else as case_open(). */
cuzk_status case_list_open(case_list_t *list, const char *folder, const char *sector_size,
                           cuzk_error *err);
void case_list_close(case_list_t *list);

#endif

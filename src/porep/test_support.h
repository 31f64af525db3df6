/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POREP_TEST_SUPPORT_H
#define CUZK_POREP_TEST_SUPPORT_H

/* Cases of tests/golden, for tests. */

#include "porep/c1.h"
#include "porep/porep.h"

/** A case folder: the public values of case.json, and the bytes of c1.json. */
typedef struct {
    cuzk_porep_statement statement;
    fr_t replica_id;
    uint32_t n_partitions;
    uint32_t n_inputs; /* a partition */
    fr_t *inputs;      /* public inputs, by partition */
    uint8_t *c1;       /* c1.json with JSON_PADDING spare bytes */
    size_t c1_length;
} porep_case_t;

/** Reads tests/golden/NAME; a failure ends the test. */
void porep_case_load(porep_case_t *c, const char *name);
void porep_case_clear(porep_case_t *c);

/** Reads the proof of a case, which lies in the arena; a failure ends the test. */
void porep_case_read(porep_c1_t *c1, const char *name, arena_t *arena);

/** The decoded Phase1Out of a case, zero-terminated, with spare bytes up to `room` (at least
 *  JSON_PADDING more than it needs); release with free(). */
char *porep_case_inner(const porep_case_t *c, size_t *length, size_t spare);

#endif

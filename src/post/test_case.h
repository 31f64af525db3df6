/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POST_TEST_CASE_H
#define CUZK_POST_TEST_CASE_H

/* For tests: the PoSt cases under tests/golden, made by the reference. */

#include "codec/vanilla_list.h"
#include "post/statement.h"

enum { CASES = 5, CASE_SECTORS = 3, CASE_CHALLENGES = 66 };

typedef struct {
    const char *name;
    cuzk_post_statement statement; /* with the sectors below */
    post_config_t config;
    vanilla_list_t vanilla;

    cuzk_sector sectors[CASE_SECTORS];
    size_t n_challenges; /* of each sector */
    uint64_t challenges[CASE_SECTORS][CASE_CHALLENGES];
} test_case_t;

extern const char *const test_case_names[CASES];

/** Reads a case; fails the test when it cannot. Release with test_case_close(). */
void test_case_open(test_case_t *golden, const char *name);
void test_case_close(test_case_t *golden);

#endif

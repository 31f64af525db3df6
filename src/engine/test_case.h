/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_ENGINE_TEST_CASE_H
#define CUZK_ENGINE_TEST_CASE_H

/* Golden cases (tests/golden) as requests and statements. */

#include "codec/json.h"
#include "codec/vanilla_list.h"
#include "cuzk/cuzk.h"

enum { TEST_CASE_SECTORS = 4 };

typedef struct {
    cuzk_request request;
    cuzk_sector sectors[TEST_CASE_SECTORS]; /* of a PoSt */
    size_t n_sectors;
    vanilla_list_t vanilla;
    uint8_t *text;
    cuzk_bytes c1;
} test_case_t;

/** Reads "porep-2KiB-0", "update-2KiB", "winning-2KiB" or "window-2KiB"; a failure ends the test.
 */
void test_case_open(test_case_t *c, const char *name);
void test_case_clear(test_case_t *c);

/** What a PoSt states. */
void test_case_statement(cuzk_post_statement *statement, const test_case_t *c);

#endif

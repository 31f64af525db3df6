/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "update/test_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "synthesis/test_golden.h"
#include "update/vanilla.h"

enum { MAX_FILE_BYTES = 1 << 20 };

void update_case_read(update_proof_t *proof, const char *name, uint64_t sector_size, arena_t *arena)
{
    char path[PATH_MAX];
    fr_t inputs[1 + UPDATE_PUBLIC_INPUTS];
    vanilla_list_t list;
    uint8_t *text;
    size_t length;
    cuzk_error err;

    golden_read_inputs(inputs, 1 + UPDATE_PUBLIC_INPUTS, name, 0);
    const update_statement_t statement = {.config = update_config_by_size(sector_size),
                                          .comm_r_old = inputs[2],
                                          .comm_d_new = inputs[3],
                                          .comm_r_new = inputs[4]};
    (void)snprintf(path, sizeof path, "%s/tests/golden/%s/vanilla.json", CUZK_SOURCE_DIR, name);
    if (file_read(&text, &length, path, MAX_FILE_BYTES, &err) != CUZK_OK ||
        vanilla_list_read(&list, name, text, length, UPDATE_MAX_PARTITIONS, &err) != CUZK_OK ||
        update_vanilla_read(proof, &statement, list.items, list.n, arena, &err) != CUZK_OK)
        fail_msg("%s", err.text);
    vanilla_list_clear(&list);
    free(text);
}

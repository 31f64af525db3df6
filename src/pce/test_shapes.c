/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/mapped_file.h"
#include "pce/pce.h"
#include "porep/circuit.h"
#include "post/circuit.h"
#include "update/circuit.h"

/* Compiled circuits against the digests of the reference's constraints in tests/golden/shapes. */

enum { MAX_FILE = 1 << 22, MAX_MEMORY = 100 << 20 };

static void read_digest(uint8_t digest[SHA256_BYTES], const char *name)
{
    static const char key[] = "\"r1cs_sha256\": \"";
    char path[512];
    uint8_t *bytes;
    size_t length;
    cuzk_error err;

    (void)snprintf(path, sizeof path, "%s/tests/golden/shapes/%s.json", CUZK_SOURCE_DIR, name);
    if (read_file(&bytes, &length, path, MAX_FILE, &err) != CUZK_OK) fail_msg("%s", err.text);
    const char *at = strstr((const char *)bytes, key);
    assert_non_null(at);
    assert_true(hex_decode(digest, SHA256_BYTES, at + sizeof key - 1, 2 * SHA256_BYTES));
    free(bytes);
}

static void check(const char *name, circuit_fn circuit, const void *values)
{
    uint8_t want[SHA256_BYTES];
    uint8_t have[SHA256_BYTES];
    pce_t *pce;
    cuzk_error err;

    read_digest(want, name);
    if (pce_extract(&pce, name, circuit, values, &err) != CUZK_OK) fail_msg("%s", err.text);
    assert_true(pce_info(pce).memory_bytes < MAX_MEMORY);
    pce_digest(have, pce);
    if (memcmp(have, want, SHA256_BYTES) != 0) fail_msg("%s: other constraints", name);
    pce_free(pce);
}

static void check_porep(const char *name, uint64_t sector_size)
{
    porep_shape_t shape;
    const porep_circuit_t circuit = {.shape = &shape};

    assert_true(porep_shape_init(&shape, sector_size));
    check(name, porep_circuit, &circuit);
}

static void check_update(const char *name, uint64_t sector_size)
{
    const update_circuit_t circuit = {.config = update_config_by_size(sector_size)};

    check(name, update_circuit, &circuit);
}

static void check_post(const char *name, post_kind kind, uint64_t sector_size)
{
    const post_circuit_t circuit = post_circuit_shape(kind, sector_size);

    check(name, post_circuit, &circuit);
}

static void small_circuits_are_those_of_the_reference(void **unused)
{
    (void)unused;
    check_porep("porep-2KiB", (uint64_t)1 << 11);
    check_update("update-2KiB", (uint64_t)1 << 11);
    check_post("winning-2KiB", POST_WINNING, (uint64_t)1 << 11);
    check_post("window-2KiB", POST_WINDOW, (uint64_t)1 << 11);
}

static void large_circuits_are_those_of_the_reference(void **unused)
{
    (void)unused;
    check_porep("porep-32GiB", (uint64_t)1 << 35);
    check_porep("porep-64GiB", (uint64_t)1 << 36);
    check_update("update-32GiB", (uint64_t)1 << 35);
    check_update("update-64GiB", (uint64_t)1 << 36);
    check_post("winning-32GiB", POST_WINNING, (uint64_t)1 << 35);
    check_post("window-32GiB", POST_WINDOW, (uint64_t)1 << 35);
    check_post("window-64GiB", POST_WINDOW, (uint64_t)1 << 36);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_circuits_are_those_of_the_reference),
    };
    const struct CMUnitTest slow_tests[] = {
        cmocka_unit_test(large_circuits_are_those_of_the_reference),
    };

    if (argc > 1 && strcmp(argv[1], "slow") == 0)
        return cmocka_run_group_tests(slow_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

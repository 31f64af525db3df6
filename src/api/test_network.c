/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/file.h"
#include "cuzk/network.h"
#include "registry/public_files.h"

#define PATH CUZK_BINARY_DIR "/test-network"

enum { LONG_BYTES = (1 << 20) + 1 };

/* In place of the real table: files that a test can write. The long one is longer than a piece; it
 * and the short one have a neighbour of the same length. */
const public_circuit_t public_circuits[PUBLIC_CIRCUITS] = {
    {"porep-2k",
     {{"Qm1",
       {0x25, 0xcc, 0x59, 0x71, 0x82, 0xfb, 0x9b, 0x28, 0x40, 0xc1, 0x88, 0xae, 0x8a, 0x20, 0x07,
        0x56},
       LONG_BYTES},
      {"Qm2", {1}, 3}}},
    {"snap-8m",
     {{"Qm3", {2}, LONG_BYTES},
      {"Qm4",
       {0xba, 0x80, 0xa5, 0x3f, 0x98, 0x1c, 0x4d, 0x0d, 0x6a, 0x27, 0x97, 0xb6, 0x9f, 0x12, 0xf6,
        0xe9},
       3}}},
};

static bool matches(cuzk_public_file *file, const void *bytes, size_t n)
{
    bool is_public;
    cuzk_error err;

    *file = (cuzk_public_file){.struct_size = sizeof *file};
    assert_int_equal(file_write(PATH, bytes, n, true, &err), CUZK_OK);
    assert_int_equal(cuzk_public_file_match(PATH, &is_public, file, NULL, NULL, &err), CUZK_OK);
    return is_public;
}

static void files_are_known_by_length_and_digest(void **unused)
{
    static uint8_t bytes[LONG_BYTES + 1];
    cuzk_public_file file;

    (void)unused;
    assert_true(matches(&file, "abc", 3)); /* the digest is RFC 7693's */
    assert_string_equal(file.circuit, "snap-8m");
    assert_string_equal(file.cid, "Qm4");
    assert_string_equal(file.name + strlen(file.name) - 3, ".vk");
    assert_int_equal(file.bytes, 3);
    assert_false(matches(&file, "abd", 3));
    assert_false(matches(&file, "abcd", 4));
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i % 251);
    assert_true(matches(&file, bytes, LONG_BYTES));
    assert_string_equal(file.circuit, "porep-2k");
    assert_string_equal(file.name + strlen(file.name) - 7, ".params");
    assert_false(matches(&file, bytes, LONG_BYTES - 1));
    assert_false(matches(&file, bytes, LONG_BYTES + 1));
    bytes[LONG_BYTES - 1] ^= 1;
    assert_false(matches(&file, bytes, LONG_BYTES));
}

static void add_up(void *arg, uint64_t done, uint64_t total)
{
    uint64_t *last = arg;

    assert_true(done > *last && done <= total && total == LONG_BYTES);
    *last = done;
}

static void reading_tells_how_far_it_is(void **unused)
{
    static uint8_t bytes[LONG_BYTES];
    uint64_t last = 0;
    bool is_public;
    cuzk_error err;

    (void)unused;
    assert_int_equal(file_write(PATH, bytes, sizeof bytes, true, &err), CUZK_OK);
    assert_int_equal(cuzk_public_file_match(PATH, &is_public, NULL, add_up, &last, &err), CUZK_OK);
    assert_false(is_public);
    assert_int_equal(last, LONG_BYTES);
}

static void what_is_not_there_is_refused(void **unused)
{
    cuzk_public_file file = {.struct_size = sizeof file};
    bool is_public = true;
    cuzk_error err;

    (void)unused;
    assert_int_equal(cuzk_public_file_match(PATH ".not", &is_public, &file, NULL, NULL, &err),
                     CUZK_ERR_MISSING);
    assert_false(is_public);
    assert_int_equal(cuzk_public_file_match(CUZK_BINARY_DIR, &is_public, &file, NULL, NULL, NULL),
                     CUZK_ERR_MISSING);
    assert_int_equal(cuzk_public_file_find("porep-1k", "vk", &file, &err), CUZK_ERR_ARG);
    assert_int_equal(cuzk_public_file_find("porep-2k", ".vk", &file, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "suffix: \".vk\" is none of params, vk");
    assert_int_equal(cuzk_public_file_find("porep-2k", "params", &file, &err), CUZK_OK);
    assert_string_equal(file.cid, "Qm1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_known_by_length_and_digest),
        cmocka_unit_test(reading_tells_how_far_it_is),
        cmocka_unit_test(what_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/file.h"
#include "pce/pce.h"
#include "porep/circuit.h"
#include "post/circuit.h"
#include "synthesis/shape.h"
#include "update/circuit.h"

/* Compiled circuits against the digests of the reference's constraints in tests/golden/shapes, and
 * against what files of PCE_FILE_VERSION say of their parts. */

enum { MAX_FILE = 1 << 22, MAX_MEMORY = 100 << 20 };

static void read_digest(uint8_t digest[SHA256_BYTES], const char *name)
{
    static const char key[] = "\"r1cs_sha256\": \"";
    char path[PATH_MAX];
    uint8_t *bytes;
    size_t length;
    cuzk_error err;

    (void)snprintf(path, sizeof path, "%s/tests/golden/shapes/%s.json", CUZK_SOURCE_DIR, name);
    if (file_read(&bytes, &length, path, MAX_FILE, &err) != CUZK_OK) fail_msg("%s", err.text);
    const char *at = strstr((const char *)bytes, key);
    assert_non_null(at);
    assert_true(bytes_from_hex(digest, SHA256_BYTES, at + sizeof key - 1, 2 * SHA256_BYTES));
    free(bytes);
}

/* What of a plan does not follow from the constraints, and so not from the digest in a file. */
static void digest_parts(char hex[2 * 8 + 1], const circuit_plan_t *plan)
{
    uint8_t digest[SHA256_BYTES];
    sha256_t hash;

    sha256_init(&hash);
    for (size_t i = 0; i <= plan->n_parts; i++) {
        const circuit_position_t *at = &plan->parts[i];
        uint8_t bytes[20];

        store_le32(bytes, at->n_inputs);
        store_le32(bytes + 4, at->n_aux);
        store_le32(bytes + 8, at->n_elements);
        store_le64(bytes + 12, at->n_constraints);
        sha256_update(&hash, bytes, sizeof bytes);
    }
    sha256_final(digest, &hash);
    bytes_to_hex(hex, digest, 8);
}

static void check_parts(const char *name, const circuit_plan_t *plan)
{
    static const struct {
        const char *name, *parts;
    } known[] = {
        {"porep-2KiB", "a098f7e05a580f85"},    {"update-2KiB", "e3e2281092fea3af"},
        {"winning-2KiB", "d6dda2b4aa221440"},  {"window-2KiB", "342baeca3799f406"},
        {"porep-32GiB", "79f87092cc96239c"},   {"porep-64GiB", "7b878a18fac92e4d"},
        {"update-32GiB", "16234a9ea08a22f6"},  {"update-64GiB", "bae541c0c1514dfe"},
        {"winning-32GiB", "3fd7a5901b654cea"}, {"window-32GiB", "894da910463f860a"},
        {"window-64GiB", "468b206f4a301548"},
    };
    char hex[2 * 8 + 1];
    size_t i = 0;

    digest_parts(hex, plan);
    while (strcmp(known[i].name, name) != 0) i++;
    if (strcmp(known[i].parts, hex) != 0)
        fail_msg("%s: other parts than before (%s): raise PCE_FILE_VERSION, so that files made "
                 "before are not taken for this circuit's",
                 name, hex);
}

static void compare_words(const density_t *a, const density_t *b)
{
    assert_int_equal(a->n_words, b->n_words);
    assert_memory_equal(a->words, b->words, a->n_words * sizeof *a->words);
}

/* The plan that synthesis makes for itself. */
static void check_plan(circuit_fn circuit, const void *values, const circuit_plan_t *want)
{
    char have_parts[2 * 8 + 1], want_parts[2 * 8 + 1];
    circuit_plan_t plan;
    cuzk_error err;

    if (synthesis_plan(&plan, circuit, values, &err) != CUZK_OK) fail_msg("%s", err.text);
    assert_memory_equal(&plan.counts, &want->counts, sizeof plan.counts);
    assert_int_equal(plan.n_elements, want->n_elements);
    assert_int_equal(plan.n_parts, want->n_parts);
    digest_parts(have_parts, &plan);
    digest_parts(want_parts, want);
    assert_string_equal(have_parts, want_parts);
    compare_words(&plan.densities.a_aux, &want->densities.a_aux);
    compare_words(&plan.densities.b_input, &want->densities.b_input);
    compare_words(&plan.densities.b_aux, &want->densities.b_aux);
    circuit_plan_clear(&plan);
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
    check_parts(name, pce_plan(pce));
    check_plan(circuit, values, pce_plan(pce));
    assert_int_equal(pce_digest(have, pce, &err), CUZK_OK);
    if (memcmp(have, want, SHA256_BYTES) != 0) fail_msg("%s: other constraints", name);
    pce_free(pce);
}

static void check_porep(const char *name, uint64_t sector_size)
{
    const porep_circuit_t circuit = porep_circuit_shape(sector_size);

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

static void check_gathered(circuit_fn circuit, const void *values)
{
    circuit_plan_t plan;
    cuzk_error err;
    shape_t shape;
    pce_t *pce;

    if (pce_extract(&pce, "any", circuit, values, &err) != CUZK_OK) fail_msg("%s", err.text);
    check_plan(circuit, values, pce_plan(pce));
    pce_free(pce);
    assert_int_equal(synthesis_plan(&plan, circuit, values, &err), CUZK_OK);
    assert_int_equal(synthesis_shape(&shape, circuit, values, &(shape_options_t){0}, &err),
                     CUZK_OK);
    assert_memory_equal(&plan.counts, &shape.counts, sizeof plan.counts);
    density_trim(&shape.densities.a_aux, plan.counts.n_aux);
    density_trim(&shape.densities.b_input, plan.counts.n_inputs);
    density_trim(&shape.densities.b_aux, plan.counts.n_aux);
    compare_words(&plan.densities.a_aux, &shape.densities.a_aux);
    compare_words(&plan.densities.b_input, &shape.densities.b_input);
    compare_words(&plan.densities.b_aux, &shape.densities.b_aux);
    shape_clear(&shape);
    circuit_plan_clear(&plan);
}

static void plans_are_those_of_a_run_that_gathers(void **unused)
{
    (void)unused;
    for (unsigned lg = 11; lg <= 23; lg += 12) { /* 2 KiB, 8 MiB */
        const uint64_t sector_size = (uint64_t)1 << lg;
        const update_circuit_t update = {.config = update_config_by_size(sector_size)};
        const post_circuit_t winning = post_circuit_shape(POST_WINNING, sector_size);
        const post_circuit_t window = post_circuit_shape(POST_WINDOW, sector_size);
        const porep_circuit_t porep = porep_circuit_shape(sector_size);

        check_gathered(porep_circuit, &porep);
        check_gathered(update_circuit, &update);
        check_gathered(post_circuit, &winning);
        check_gathered(post_circuit, &window);
    }
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
        cmocka_unit_test(plans_are_those_of_a_run_that_gathers),
    };
    const struct CMUnitTest slow_tests[] = {
        cmocka_unit_test(large_circuits_are_those_of_the_reference),
    };

    if (argc > 1 && strcmp(argv[1], "slow") == 0)
        return cmocka_run_group_tests(slow_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

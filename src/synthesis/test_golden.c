/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "synthesis/test_golden.h"

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

enum { MAX_FILE_BYTES = 1 << 22 };

/* A file whose entries all have the same members; one of the entries. */
typedef struct {
    char *text;
    unsigned entry;
} golden_t;

static golden_t open_golden(const char *folder, const char *file, unsigned entry)
{
    char path[PATH_MAX];
    uint8_t *bytes;
    size_t length;
    cuzk_error err = {0};

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s/%s.json", CUZK_SOURCE_DIR, folder, file);
    if (file_read(&bytes, &length, path, MAX_FILE_BYTES, &err) != CUZK_OK) fail_msg("%s", err.text);
    return (golden_t){.text = (char *)bytes, .entry = entry};
}

/* What follows "name": in the entry. */
static const char *field(const golden_t *g, const char *name)
{
    const char *at = g->text;
    char key[64];

    (void)snprintf(key, sizeof key, "\"%s\": ", name);
    for (unsigned i = 0; i <= g->entry; i++) {
        at = strstr(at, key);
        if (at == NULL) fail_msg("no %s in entry %u", name, g->entry);
        at += strlen(key);
    }
    return at;
}

static uint64_t number(const golden_t *g, const char *name)
{
    return strtoull(field(g, name), NULL, 10);
}

/* Reads the next string, n bytes in hex, and returns what follows it. */
static const char *next_bytes(const char *at, uint8_t *bytes, size_t n)
{
    const char *hex = strchr(at, '"');

    assert_non_null(hex);
    assert_true(bytes_from_hex(bytes, n, hex + 1, 2 * n));
    return hex + 2 * n + 2;
}

static void check_number(const golden_t *g, const char *name, uint64_t have)
{
    const uint64_t want = number(g, name);

    if (have != want)
        fail_msg("%s: %llu, reference %llu", name, (unsigned long long)have,
                 (unsigned long long)want);
}

/* blocks may be NULL: the file has none. */
static void check_digest(const golden_t *g, const char *all, const char *blocks,
                         const shape_digest_t *digest)
{
    uint8_t want[SHA256_BYTES];
    const char *at = blocks == NULL ? NULL : field(g, blocks);

    for (size_t i = 0; at != NULL && i < digest->n_blocks; i++) {
        at = next_bytes(at, want, SHAPE_BLOCK_BYTES);
        if (memcmp(want, digest->blocks[i], SHAPE_BLOCK_BYTES) != 0)
            fail_msg("%s: block %zu differs", blocks, i);
    }
    (void)next_bytes(field(g, all), want, SHA256_BYTES);
    assert_memory_equal(digest->all, want, SHA256_BYTES);
}

static void check_counts(const golden_t *g, const shape_t *shape)
{
    check_number(g, "inputs", shape->counts.n_inputs);
    check_number(g, "aux", shape->counts.n_aux);
    check_number(g, "constraints", shape->counts.n_constraints);
    check_number(g, "a_aux", shape->counts.a_aux);
    check_number(g, "b_input", shape->counts.b_input);
    check_number(g, "b_aux", shape->counts.b_aux);
    check_number(g, "nonzero_a", shape->nonzero_a);
    check_number(g, "nonzero_b", shape->nonzero_b);
    check_number(g, "nonzero_c", shape->nonzero_c);
    check_number(g, "dropped_zero_coefficients", shape->zero_coefficients);
}

static void run_shape(shape_t *shape, circuit_fn circuit, const void *values, shape_level level,
                      uint32_t block)
{
    const shape_options_t options = {.level = level, .block = block};
    cuzk_error err;

    if (synthesis_shape(shape, circuit, values, &options, &err) != CUZK_OK)
        fail_msg("%s", err.text);
}

void golden_check_shape(const char *name, circuit_fn circuit, const void *values)
{
    const golden_t g = open_golden("shapes", name, 0);
    shape_t shape;

    run_shape(&shape, circuit, values, SHAPE_DIGESTS, (uint32_t)number(&g, "block"));
    check_counts(&g, &shape);
    check_digest(&g, "r1cs_sha256", "r1cs_blocks", &shape.r1cs);
    shape_clear(&shape);
    free(g.text);
}

void golden_check_witness(const char *name, unsigned partition, circuit_fn circuit,
                          const void *values)
{
    const golden_t g = open_golden(name, "witness", partition);
    const char *input = field(&g, "input_values");
    shape_t shape;

    run_shape(&shape, circuit, values, SHAPE_VALUES, (uint32_t)number(&g, "block"));
    check_counts(&g, &shape);
    check_digest(&g, "r1cs_sha256", NULL, &shape.r1cs);
    for (uint32_t i = 0; i < shape.counts.n_inputs; i++) {
        uint8_t want[FR_BYTES];
        uint8_t have[FR_BYTES];

        input = next_bytes(input, want, FR_BYTES);
        fr_to_bytes(have, &shape.inputs[i]);
        if (memcmp(have, want, FR_BYTES) != 0) fail_msg("input %u differs", i);
    }
    check_number(&g, "aux_in_0_1", shape.aux_in_0_1);
    check_digest(&g, "aux_sha256", "aux_blocks", &shape.aux);
    check_number(&g, "violated_constraints", shape.violated);
    shape_clear(&shape);
    free(g.text);
}

void golden_read_inputs(fr_t *inputs, size_t n, const char *name, unsigned partition)
{
    const golden_t g = open_golden(name, "witness", partition);
    const char *at = field(&g, "input_values");

    for (size_t i = 0; i < n; i++) {
        uint8_t bytes[FR_BYTES];

        at = next_bytes(at, bytes, FR_BYTES);
        assert_true(fr_from_bytes(&inputs[i], bytes));
    }
    free(g.text);
}

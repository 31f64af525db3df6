/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "pce/form.h"
#include "pce/test_compare.h"
#include "pce/test_seal.h"
#include "pce/test_toy.h"
#include "synthesis/shape.h"

enum { MAX_FILE = 1 << 20 };

static const toy_t small_toy = {.n_parts = 7, .one_in_b = 2, .seed = 1};

static pce_t *extract(const toy_t *toy)
{
    pce_t *pce;
    cuzk_error err;

    if (pce_extract(&pce, "toy", toy_parts, toy, &err) != CUZK_OK) fail_msg("%s", err.text);
    return pce;
}

static void bits_move_by_any_distance(void **unused)
{
    (void)unused;
    const uint64_t from[4] = {0x0123456789abcdef, 0xfedcba9876543210, 0xdeadbeefcafef00d, 0x5555};

    for (unsigned n = 0; n <= 130; n++) {
        for (unsigned shift = 0; shift < 64 * 130; shift++) {
            const unsigned from_at = shift % 64;
            const unsigned at = shift / 64;
            uint64_t to[6] = {0};

            bitmap_or(to, at, from, from_at, n);
            for (unsigned i = 0; i < 6 * 64; i++) {
                const bool inside = i >= at && i < at + n;
                const bool want = inside && bitmap_get(from, from_at + i - at);

                if (bitmap_get(to, i) != want) fail_msg("n %u, from %u, to %u", n, from_at, at);
            }
        }
    }
}

/* Every number of parts up to 12 gives stamps at lengths that are no multiples of 64, with ONE in B
 * in all, some and none of the parts. */
static void all_paths_agree_on_a_toy(void **unused)
{
    (void)unused;
    for (unsigned n = 0; n <= 12; n++) {
        for (unsigned one = 0; one < 8; one += 1 + n / 6) {
            const toy_t toy = {.n_parts = n, .one_in_b = one, .seed = n, .in_one = n == 5};
            pce_t *pce = extract(&toy);
            owned_assignment_t generic;

            compare_generic(&generic, toy_parts, &toy);
            compare_plan(&generic, toy_parts, &toy, pce_plan(pce));
            compare_paths(&generic.x, pce, toy_parts, &toy);
            owned_assignment_clear(&generic);
            pce_free(pce);
        }
    }
}

static void digests_are_those_of_the_shape(void **unused)
{
    (void)unused;
    for (unsigned n = 0; n < 10; n++) {
        const toy_t toy = {.n_parts = n, .one_in_b = n};
        pce_t *pce = extract(&toy);
        uint8_t digest[SHA256_BYTES];
        shape_t shape;

        assert_int_equal(synthesis_shape(&shape, toy_parts, &toy,
                                         &(shape_options_t){.level = SHAPE_DIGESTS},
                                         &(cuzk_error){0}),
                         CUZK_OK);
        assert_int_equal(pce_digest(digest, pce, &(cuzk_error){0}), CUZK_OK);
        assert_memory_equal(digest, shape.r1cs.all, SHA256_BYTES);
        assert_int_equal(pce_plan(pce)->counts.a_aux, shape.counts.a_aux);
        shape_clear(&shape);
        pce_free(pce);
    }
}

static void a_gadget_is_held_once(void **unused)
{
    (void)unused;
    const toy_t few = {.n_parts = 10};
    const toy_t many = {.n_parts = 10 + 85}; /* parts repeat after 85 */
    pce_t *a = extract(&few);
    pce_t *b = extract(&many);

    assert_true(pce_info(b).n_stamps > 9 * pce_info(a).n_stamps);
    const toy_t cycle = {.n_parts = 85};
    pce_t *c = extract(&cycle);
    assert_int_equal(pce_info(b).n_templates, pce_info(c).n_templates);
    pce_free(a);
    pce_free(b);
    pce_free(c);
}

static void labels_are_checked(void **unused)
{
    static const char *const bad[] = {"", "a b", "a/b", "\x01"};
    char longest[PCE_LABEL_BYTES + 1] = {0};
    pce_t *pce;
    cuzk_error err;

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(pce_extract(&pce, bad[i], toy_parts, &small_toy, &err), CUZK_ERR_ARG);
    memset(longest, 'x', PCE_LABEL_BYTES);
    assert_int_equal(pce_extract(&pce, longest, toy_parts, &small_toy, &err), CUZK_ERR_ARG);
    longest[PCE_LABEL_BYTES - 1] = 0;
    assert_int_equal(pce_extract(&pce, longest, toy_parts, &small_toy, &err), CUZK_OK);
    pce_free(pce);
}

/* A saved toy, with room behind it. */
typedef struct {
    char path[PATH_MAX];
    uint8_t *bytes;
    size_t length;
    uint8_t digest[SHA256_BYTES];
} saved_t;

static void save(saved_t *s)
{
    pce_t *pce = extract(&small_toy);
    cuzk_error err;

    (void)snprintf(s->path, sizeof s->path, "%s/test_pce.%d", CUZK_BINARY_DIR, (int)getpid());
    if (pce_save(pce, s->path, &err) != CUZK_OK) fail_msg("%s", err.text);
    assert_int_equal(file_read(&s->bytes, &s->length, s->path, MAX_FILE, &err), CUZK_OK);
    assert_int_equal(pce_digest(s->digest, pce, &(cuzk_error){0}), CUZK_OK);
    pce_free(pce);
}

static void drop(saved_t *s)
{
    (void)unlink(s->path);
    free(s->bytes);
}

static cuzk_status read_saved(const saved_t *s, size_t length, cuzk_error *err)
{
    uint8_t *copy = malloc(length + 1); /* so that a sanitizer sees reads past the end */
    pce_t *pce;

    assert_non_null(copy);
    memcpy(copy, s->bytes, length);
    const cuzk_status st = pce_read(&pce, copy, length, "test", "toy", NULL, err);
    if (st == CUZK_OK) pce_free(pce);
    free(copy);
    return st;
}

static void files_come_back(void **unused)
{
    saved_t s;
    pce_t *pce;
    owned_assignment_t generic;
    cuzk_error err;

    (void)unused;
    save(&s);
    if (pce_load(&pce, s.path, "toy", s.digest, &err) != CUZK_OK) fail_msg("%s", err.text);
    assert_int_equal(pce_validate(pce, &err), CUZK_OK);
    assert_memory_equal(pce_info(pce).digest, s.digest, SHA256_BYTES);
    compare_generic(&generic, toy_parts, &small_toy);
    compare_plan(&generic, toy_parts, &small_toy, pce_plan(pce));
    compare_paths(&generic.x, pce, toy_parts, &small_toy);
    owned_assignment_clear(&generic);
    pce_free(pce);
    assert_int_equal(pce_load(&pce, "/nonexistent/x.pce", "toy", NULL, &err), CUZK_ERR_MISSING);
    drop(&s);
}

static void other_circuits_are_refused(void **unused)
{
    saved_t s;
    pce_t *pce;
    cuzk_error err;

    (void)unused;
    save(&s);
    assert_int_equal(pce_load(&pce, s.path, "another", NULL, &err), CUZK_ERR_ARG);
    assert_null(pce);
    s.digest[31] ^= 1;
    assert_int_equal(pce_load(&pce, s.path, "toy", s.digest, &err), CUZK_ERR_ARG);
    /* constraints that are not those of the digest: a coefficient that is another */
    s.bytes[HEADER_BYTES + FR_BYTES] ^= 4;
    reseal(s.bytes, s.length);
    assert_int_equal(pce_read(&pce, s.bytes, s.length, "test", "toy", NULL, &err), CUZK_OK);
    assert_int_equal(pce_validate(pce, &err), CUZK_ERR_FORMAT);
    pce_free(pce);
    drop(&s);
}

static void damage_anywhere_is_found(void **unused)
{
    saved_t s;
    cuzk_error err;

    (void)unused;
    save(&s);
    for (size_t i = 0; i < s.length; i += i < HEADER_BYTES ? 1 : 7) {
        s.bytes[i] ^= 0x10;
        const cuzk_status st = read_saved(&s, s.length, &err);
        if (st != CUZK_ERR_FORMAT) fail_msg("byte %zu: status %d", i, (int)st);
        s.bytes[i] ^= 0x10;
    }
    for (size_t n = 0; n < s.length; n += n < HEADER_BYTES ? 13 : 101)
        assert_int_equal(read_saved(&s, n, &err), CUZK_ERR_FORMAT);
    assert_int_equal(read_saved(&s, s.length + 1, &err), CUZK_ERR_FORMAT);
    assert_int_equal(read_saved(&s, s.length, &err), CUZK_OK);
    drop(&s);
}

/* Words of the file set to extreme values, with right checksums: refused or harmless. */
static void hostile_files_do_no_harm(void **unused)
{
    static const uint32_t values[] = {0,          1,          2,          0x7fffffff,
                                      0x80000000, 0x80000001, 0xfffffff0, 0xffffffff};
    static const unsigned heads[] = {AT_VERSION,   AT_INPUTS, AT_AUX,  AT_COEFFS,
                                     AT_TEMPLATES, AT_STAMPS, AT_RUNS, AT_PARTS};
    unsigned refused = 0;
    saved_t s;
    cuzk_error err;

    (void)unused;
    save(&s);
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
            const uint32_t old = load_le32(s.bytes + heads[i]);

            if (old == values[v]) continue;
            store_le32(s.bytes + heads[i], values[v]);
            reseal(s.bytes, s.length);
            assert_int_equal(read_saved(&s, s.length, &err), CUZK_ERR_FORMAT);
            store_le32(s.bytes + heads[i], old);
        }
        for (size_t at = section_start(s.bytes, 1); at + 4 <= s.length; at += 4) {
            const uint32_t old = load_le32(s.bytes + at);

            store_le32(s.bytes + at, values[v]);
            reseal(s.bytes, s.length);
            refused += read_saved(&s, s.length, &err) != CUZK_OK;
            store_le32(s.bytes + at, old);
        }
    }
    assert_true(refused > 1000);
    reseal(s.bytes, s.length);
    assert_int_equal(read_saved(&s, s.length, &err), CUZK_OK);
    drop(&s);
}

/* The one count of a template behind which no bytes of the file stand. */
static void inputs_that_no_term_has_are_refused(void **unused)
{
    saved_t s;
    cuzk_error err;

    (void)unused;
    save(&s);
    uint8_t *head = s.bytes + section_start(s.bytes, 1);
    const uint32_t old = load_le32(head + 8);
    const uint32_t most = load_le32(head + 16);

    store_le32(head + 8, most + 1);
    store_le32(s.bytes + AT_INPUTS, load_le32(s.bytes + AT_INPUTS) + most + 1 - old);
    reseal(s.bytes, s.length);
    assert_int_equal(read_saved(&s, s.length, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, "does not fit"));
    drop(&s);
}

static void witnesses_of_others_are_refused(void **unused)
{
    const toy_t other = {.n_parts = 8, .seed = 1};
    pce_t *pce = extract(&small_toy);
    fr_t value;
    owned_assignment_t owned;
    assignment_t *x = &owned.x;
    cuzk_error err;

    (void)unused;
    compare_generic(&owned, toy_parts, &other);
    assert_int_equal(pce_evaluate(&value, &value, NULL, pce, &x->witness, NULL, &err),
                     CUZK_ERR_ARG);
    owned_assignment_clear(&owned);
    /* the right counts, a bit and an element exchanged */
    compare_generic(&owned, toy_parts, &small_toy);
    x->witness.is_bit[0] ^= 0x21;
    assert_int_equal(pce_evaluate(x->a, x->b, x->c, pce, &x->witness, NULL, &err), CUZK_ERR_ARG);
    owned_assignment_clear(&owned);
    pce_free(pce);
}

static void chunks_cover_all_parts(void **unused)
{
    pce_t *pce = extract(&small_toy);
    const circuit_plan_t *plan = pce_plan(pce);

    (void)unused;
    for (uint32_t n = 1; n < 20; n++) {
        uint32_t next = 0;

        for (uint32_t k = 0; k < n; k++) {
            uint32_t first, end;

            circuit_plan_chunk(&first, &end, plan, k, n);
            assert_int_equal(first, next);
            assert_true(end >= first);
            next = end;
        }
        assert_int_equal(next, plan->n_parts);
    }
    pce_free(pce);
}

/* Stores another number at a part's position and seals the file again. */
static void change_part(saved_t *s, uint32_t part, size_t at, uint32_t more)
{
    uint8_t *word = s->bytes + section_start(s->bytes, 4) + part * 24 + at;

    store_le32(word, load_le32(word) + more);
    reseal(s->bytes, s->length);
}

/* Parts that rise, from the circuit's beginning to its end, but not where stamps begin. */
static void parts_that_disagree_with_rows_are_refused(void **unused)
{
    const size_t fields[] = {0, 8, 12, 16}; /* constraints, inputs, aux, elements */
    saved_t s;
    cuzk_error err;

    (void)unused;
    save(&s);
    for (uint32_t part = 0; part <= small_toy.n_parts; part++) {
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            change_part(&s, part, fields[i], 1);
            assert_int_equal(read_saved(&s, s.length, &err), CUZK_ERR_FORMAT);
            change_part(&s, part, fields[i], (uint32_t)-3);
            assert_int_equal(read_saved(&s, s.length, &err), CUZK_ERR_FORMAT);
            change_part(&s, part, fields[i], 2);
        }
    }
    assert_int_equal(read_saved(&s, s.length, &err), CUZK_OK);
    drop(&s);
}

/* A gadget over x that also uses the variable before it. */
static void careless_circuit(cs_t *cs, const void *unused)
{
    const var_t hidden = cs_alloc(cs, &fr_one);
    const var_t x = cs_alloc(cs, &fr_one);
    const cs_gadget_t g = {.name = "careless", .slots = &x, .n_slots = 1};

    (void)unused;
    if (cs_gadget_begin(cs, &g)) return;
    const lc_t a = lc_from_var(&cs->arena, hidden);
    cs_enforce(cs, &a, &a, &a);
    cs_gadget_end(cs, &g);
}

static void variables_without_a_name_are_an_error(void **unused)
{
    pce_t *pce;
    cuzk_error err;

    (void)unused;
    assert_int_equal(pce_extract(&pce, "toy", careless_circuit, NULL, &err), CUZK_ERR_INTERNAL);
    assert_null(pce);
    assert_non_null(strstr(err.text, "does not name"));
}

/* Another circuit's plan, of more and of fewer parts: an error in any number of chunks. */
static void plans_of_others_are_refused(void **unused)
{
    (void)unused;
    for (unsigned n_parts = 1; n_parts < 12; n_parts++) {
        const toy_t other = {.n_parts = n_parts, .one_in_b = 2, .seed = 1};
        circuit_plan_t plan;
        synthesis_sides_t sides;
        assignment_t x;
        cuzk_error err;

        assert_int_equal(synthesis_plan(&plan, toy_parts, &other, &err), CUZK_OK);
        const size_t m = (size_t)1 << circuit_lg_domain(&plan.counts);
        assert_int_equal(synthesis_sides_alloc(&sides, m, true, &err), CUZK_OK);
        for (uint32_t n = 1; n < 9; n++) {
            const synthesis_options_t options = {.n_chunks = n};
            const cuzk_status want = n_parts == small_toy.n_parts ? CUZK_OK : CUZK_ERR_INTERNAL;

            assert_int_equal(
                synthesis_prove(&x, &sides, toy_parts, &small_toy, &plan, &options, &err), want);
            if (want == CUZK_OK) assignment_clear(&x);
        }
        synthesis_sides_free(&sides, m);
        circuit_plan_clear(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_move_by_any_distance),
        cmocka_unit_test(all_paths_agree_on_a_toy),
        cmocka_unit_test(digests_are_those_of_the_shape),
        cmocka_unit_test(a_gadget_is_held_once),
        cmocka_unit_test(labels_are_checked),
        cmocka_unit_test(files_come_back),
        cmocka_unit_test(other_circuits_are_refused),
        cmocka_unit_test(damage_anywhere_is_found),
        cmocka_unit_test(hostile_files_do_no_harm),
        cmocka_unit_test(inputs_that_no_term_has_are_refused),
        cmocka_unit_test(witnesses_of_others_are_refused),
        cmocka_unit_test(chunks_cover_all_parts),
        cmocka_unit_test(parts_that_disagree_with_rows_are_refused),
        cmocka_unit_test(variables_without_a_name_are_an_error),
        cmocka_unit_test(plans_of_others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

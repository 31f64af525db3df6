/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "post/post_input.h"
#include "post/test_case.h"
#include "synthesis/test_golden.h"

enum { MAX_INPUTS = 132 };

static cuzk_error err;

static void assert_says(const char *part)
{
    if (strstr(err.text, part) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, part);
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Opens and checks; the outcome of the first that fails. */
static cuzk_status judge(const cuzk_post_statement *request, const cuzk_bytes *items, size_t n)
{
    post_input_t post;
    cuzk_status status = post_input_open(&post, request, items, n, &err);

    if (status != CUZK_OK) return status;
    status = post_input_check(&post, NULL, &err);
    post_input_close(&post);
    return status;
}

/* ---- the reference's cases ---- */

static void check_partition(const test_case_t *golden, uint32_t partition,
                            const post_statement_t *st, uint32_t k)
{
    fr_t inputs[MAX_INPUTS], want[1 + MAX_INPUTS];
    const size_t n = post_public_input_count(st);

    assert_in_range(n, 1, MAX_INPUTS);
    post_public_inputs(inputs, st, k);
    golden_read_inputs(want, 1 + n, golden->name, partition);
    assert_memory_equal(inputs, want + 1, n * sizeof *inputs);
}

static void check_inputs(const test_case_t *golden, const post_statement_t *st)
{
    assert_int_equal(st->n_partitions, golden->config.kind == POST_WINNING ? 1 : 2);
    for (uint32_t k = 0; k < st->n_partitions; k++) check_partition(golden, k, st, k);
}

static void check_case(const test_case_t *golden, strand_t *strand)
{
    post_input_t post;

    if (post_input_open(&post, &golden->statement, golden->vanilla.items, golden->vanilla.n,
                        &err) ||
        post_input_check(&post, strand, &err))
        fail_msg("%s: %s", golden->name, err.text);
    assert_int_equal(post.statement.n_sectors, golden->statement.n_sectors);
    assert_int_equal(post.statement.per_sector, golden->n_challenges);
    for (size_t s = 0; s < golden->statement.n_sectors; s++)
        for (uint32_t i = 0; i < golden->n_challenges; i++) {
            assert_int_equal(post_stated_leaf(&post.statement, s, i), golden->challenges[s][i]);
            assert_int_equal(post.vanilla[s].challenges[i].path.index, golden->challenges[s][i]);
        }
    check_inputs(golden, &post.statement);
    post_input_close(&post);
}

static void cases_of_the_reference_are_accepted(void **unused)
{
    strand_t *strand = NULL;

    (void)unused;
    assert_int_equal(strand_open(&strand, 2, &err), CUZK_OK);
    for (size_t c = 0; c < CASES; c++) {
        static test_case_t golden;

        test_case_open(&golden, test_case_names[c]);
        check_case(&golden, c % 2 == 0 ? strand : NULL);
        test_case_close(&golden);
    }
    strand_close(strand);
}

static void a_verifier_needs_no_order(void **unused)
{
    (void)unused;
    for (size_t c = 0; c < CASES; c++) {
        static test_case_t golden;

        test_case_open(&golden, test_case_names[c]);
        for (size_t turn = 0; turn < golden.statement.n_sectors; turn++) {
            cuzk_sector sectors[CASE_SECTORS];
            cuzk_post_statement stated = golden.statement;
            post_statement_t st;

            for (size_t i = 0; i < golden.statement.n_sectors; i++)
                sectors[i] = golden.sectors[(2 * i + turn) % golden.statement.n_sectors];
            stated.sectors = sectors;
            assert_int_equal(post_statement_init(&st, &stated, &err), CUZK_OK);
            check_inputs(&golden, &st);
            post_statement_clear(&st);
        }
        test_case_close(&golden);
    }
}

/* ---- requests ---- */

static void bad_requests_are_refused(void **unused)
{
    static test_case_t winning, window;
    cuzk_post_statement r;

    (void)unused;
    test_case_open(&winning, "winning-2KiB");
    test_case_open(&window, "window-2KiB");

    r = winning.statement;
    r.registered_proof = 15;
    assert_int_equal(judge(&r, winning.vanilla.items, 1), CUZK_ERR_ARG);
    assert_string_equal(err.text, "registered_proof: 15 is not a PoSt (0..14)");
    r = winning.statement;
    memcpy(r.randomness, fr_modulus.l, 32);
    assert_int_equal(judge(&r, winning.vanilla.items, 1), CUZK_ERR_ARG);
    assert_says("randomness: 01000000fffffffffe5bfeff02a4bd53");
    assert_int_equal(judge(&winning.statement, window.vanilla.items, 0), CUZK_ERR_ARG);
    assert_string_equal(err.text, "sectors: none, expected at least 1");
    assert_int_equal(judge(&winning.statement, window.vanilla.items, 2), CUZK_ERR_ARG);
    assert_string_equal(err.text, "sectors: 2, a WinningPoSt takes 1");
    test_case_close(&winning);
    test_case_close(&window);
}

/* Prover and verifier alike, for each bit. */
static void randomness_with_top_bits_is_refused(void **unused)
{
    static const char *const names[] = {"winning-2KiB", "window-2KiB", "window-v1-2KiB"};

    (void)unused;
    for (size_t c = 0; c < 3; c++) {
        static test_case_t g;

        test_case_open(&g, names[c]);
        const uint8_t good = g.statement.randomness[31];
        for (unsigned bits = 0x40; bits <= 0xc0; bits += 0x40) {
            cuzk_post_statement r = g.statement;
            post_statement_t st;
            char said[64];

            r.randomness[31] = (uint8_t)(good | bits);
            (void)snprintf(said, sizeof said, "top bits are set (byte 31 is 0x%02x",
                           r.randomness[31]);
            assert_int_equal(judge(&r, g.vanilla.items, r.n_sectors), CUZK_ERR_ARG);
            assert_says(said);
            assert_int_equal(post_statement_init(&st, &r, &err), CUZK_ERR_ARG);
            assert_says(said);
        }
        test_case_close(&g);
    }
}

/* Before anything is allocated or read: neither the sectors nor the items are there. */
static void counts_have_their_limits(void **unused)
{
    static const struct {
        uint32_t number;
        size_t limit;
    } rows[] = {{8, (size_t)3000 * 2349}, {14, (size_t)3000 * 2300}, {7, 6000}, {10, 6000}};

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t counts[] = {rows[i].limit + 1, (size_t)1 << 60, SIZE_MAX, SIZE_MAX / 40 + 1};
        cuzk_post_statement stated = {.registered_proof = rows[i].number};
        post_config_t config;

        assert_true(post_config_by_number(&config, rows[i].number));
        assert_int_equal(post_check_sector_count(&config, rows[i].limit, &err), CUZK_OK);
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
            post_statement_t st;

            stated.n_sectors = counts[j];
            assert_int_equal(post_statement_init(&st, &stated, &err), CUZK_ERR_ARG);
            assert_says("(3000 partitions of ");
            assert_int_equal(judge(&stated, NULL, counts[j]), CUZK_ERR_ARG);
            assert_says("(3000 partitions of ");
        }
    }
}

static void numbers_say_kind_size_and_version(void **unused)
{
    post_config_t config;

    (void)unused;
    for (uint32_t i = 0; i < POST_PROOFS; i++) {
        static const unsigned lg_bytes[] = {11, 23, 29, 35, 36};

        assert_true(post_config_by_number(&config, i));
        assert_int_equal(config.kind, i < 5 ? POST_WINNING : POST_WINDOW);
        assert_int_equal(config.version, i < 10 ? POST_V1 : POST_V1_1);
        assert_true(config.sector_bytes == (uint64_t)1 << lg_bytes[i % 5]);
    }
    assert_false(post_config_by_number(&config, POST_PROOFS));
}

static void sectors_out_of_range_are_refused(void **unused)
{
    cuzk_sector sectors[3] = {{7, {1}}, {9, {1}}, {7, {2}}};
    cuzk_post_statement r = {.registered_proof = 5, .sectors = sectors, .n_sectors = 3};
    post_statement_t st;

    (void)unused;
    assert_int_equal(post_statement_init(&st, &r, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text,
                        "sectors: number 7 is given with two comm_r: "
                        "0100000000000000000000000000000000000000000000000000000000000000 and "
                        "0200000000000000000000000000000000000000000000000000000000000000");
    r.n_sectors = 2;
    assert_int_equal(post_statement_init(&st, &r, &err), CUZK_OK);
    assert_int_equal(st.n_partitions, 1);
    post_statement_clear(&st);
    memset(sectors[1].comm_r, 0xff, 32);
    assert_int_equal(post_statement_init(&st, &r, &err), CUZK_ERR_ARG);
    assert_says("sector 9: comm_r: ffff");
    memset(sectors[1].comm_r, 0, 32);
    assert_int_equal(post_statement_init(&st, &r, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "sector 9: comm_r: all 32 bytes are zero");
    memcpy(sectors[1].comm_r, fr_modulus.l, 32);
    assert_int_equal(post_statement_init(&st, &r, &err), CUZK_ERR_ARG);
    sectors[1].comm_r[0]--; /* r - 1 */
    assert_int_equal(post_statement_init(&st, &r, &err), CUZK_OK);
    post_statement_clear(&st);
}

/* A list with some sectors again has the public inputs of the set, wherever they stand. */
static void sectors_that_stand_again_count_once(void **unused)
{
    static const unsigned char lists[][7] = {"001",   "010",    "0012",  "0120",  "1102",
                                             "22210", "012012", "00000", "201101"};

    (void)unused;
    for (size_t c = 0; c < CASES; c++)
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
            static test_case_t g;
            cuzk_sector list[6], set[3];
            post_statement_t a, b;
            fr_t of_a[MAX_INPUTS], of_b[MAX_INPUTS];
            bool has[3] = {false};

            test_case_open(&g, test_case_names[c]);
            cuzk_post_statement r = g.statement, s = g.statement;
            r.sectors = list;
            s.sectors = set;
            s.n_sectors = 0;
            for (r.n_sectors = 0; lists[i][r.n_sectors] != 0; r.n_sectors++) {
                const int which = lists[i][r.n_sectors] - '0';

                list[r.n_sectors] = g.sectors[which];
                has[which] = true;
            }
            for (int k = 0; k < 3; k++)
                if (has[k]) set[s.n_sectors++] = g.sectors[k];
            if (g.config.kind == POST_WINNING) {
                assert_int_equal(post_statement_init(&a, &r, &err), CUZK_ERR_ARG);
            } else {
                assert_int_equal(post_statement_init(&a, &r, &err), CUZK_OK);
                assert_int_equal(post_statement_init(&b, &s, &err), CUZK_OK);
                assert_int_equal(a.n_sectors, s.n_sectors);
                assert_int_equal(a.n_partitions, b.n_partitions);
                for (uint32_t k = 0; k < a.n_partitions; k++) {
                    post_public_inputs(of_a, &a, k);
                    post_public_inputs(of_b, &b, k);
                    assert_memory_equal(of_a, of_b, post_public_input_count(&a) * sizeof *of_a);
                }
                post_statement_clear(&a);
                post_statement_clear(&b);
            }
            test_case_close(&g);
        }
}

/* ---- lists ---- */

static void lists_out_of_order_are_refused(void **unused)
{
    static test_case_t g;
    cuzk_bytes items[4];

    (void)unused;
    test_case_open(&g, "window-2KiB");
    memcpy(items, g.vanilla.items, 3 * sizeof *items);
    items[0] = g.vanilla.items[1];
    items[1] = g.vanilla.items[0];
    assert_int_equal(judge(&g.statement, items, 3), CUZK_ERR_FORMAT);
    assert_string_equal(err.text,
                        "vanilla proof 1: sector 100 after sector 101, numbers must rise");
    items[0] = items[1];
    assert_int_equal(judge(&g.statement, items, 3), CUZK_ERR_FORMAT);
    assert_string_equal(err.text,
                        "vanilla proof 1: sector 100 after sector 100, numbers must rise");
    test_case_close(&g);
}

static void proofs_of_another_shape_are_refused(void **unused)
{
    static test_case_t winning, window, window_8;

    (void)unused;
    test_case_open(&winning, "winning-2KiB");
    test_case_open(&window, "window-2KiB");
    test_case_open(&window_8, "window-8MiB");
    assert_int_equal(judge(&winning.statement, window.vanilla.items, 1), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "vanilla proof 0: 5680 bytes, expected 36816 for this kind and "
                                  "sector size");
    assert_int_equal(judge(&window.statement, window_8.vanilla.items, 3), CUZK_ERR_FORMAT);
    assert_int_equal(judge(&window_8.statement, window.vanilla.items, 3), CUZK_ERR_FORMAT);
    test_case_close(&winning);
    test_case_close(&window);
    test_case_close(&window_8);
}

static void another_challenge_is_refused(void **unused)
{
    static test_case_t g;
    cuzk_post_statement r;

    (void)unused;
    test_case_open(&g, "window-2KiB");
    r = g.statement;
    r.randomness[0] ^= 1;
    assert_int_equal(judge(&r, g.vanilla.items, 3), CUZK_ERR_FORMAT);
    assert_says("sector 100: challenge 0: leaf 62, the randomness asks for leaf ");
    r = g.statement;
    r.registered_proof = 5; /* the first sector's numbers are the same, the second's are not */
    assert_int_equal(judge(&r, g.vanilla.items, 1), CUZK_OK);
    assert_int_equal(judge(&r, g.vanilla.items, 3), CUZK_ERR_FORMAT);
    assert_says("sector 101: challenge 1: leaf 57, ");
    test_case_close(&g);
}

/* ---- damage ---- */

/* Reads the first bytes of a proof from memory that ends with them. */
static cuzk_status read_cut(const post_form_t *form, cuzk_bytes span, size_t n)
{
    static post_challenge_t challenges[CASE_CHALLENGES];
    static fr_t siblings[CASE_CHALLENGES * 64];
    uint8_t *copy = malloc(n + (n == 0));
    post_vanilla_t v;
    cuzk_status status;

    assert_non_null(copy);
    memcpy(copy, span.bytes, n);
    status = post_vanilla_read(&v, challenges, siblings, form, (cuzk_bytes){copy, n}, &err);
    free(copy);
    return status;
}

static void shortened_and_lengthened_proofs_are_refused(void **unused)
{
    (void)unused;
    for (size_t c = 0; c < CASES; c++) {
        static test_case_t g;
        post_form_t form;
        uint8_t longer[64 * 1024];
        const size_t step = c == 2 ? 1 : 997; /* one case at every length */

        test_case_open(&g, test_case_names[c]);
        const cuzk_bytes span = g.vanilla.items[0];
        post_form_init(&form, g.config.kind, g.config.sector_bytes);
        if (span.length < sizeof longer) {
            memcpy(longer, span.bytes, span.length);
            longer[span.length] = 0;
            assert_int_equal(read_cut(&form, (cuzk_bytes){longer, 0}, span.length + 1),
                             CUZK_ERR_FORMAT);
            assert_says("vanilla proof: 1 bytes after its end");
        }
        assert_int_equal(span.length, post_vanilla_bytes(&form));
        for (size_t n = 0; n < span.length; n += step)
            assert_int_equal(read_cut(&form, span, n), CUZK_ERR_FORMAT);
        assert_int_equal(read_cut(&form, span, span.length), CUZK_OK);
        test_case_close(&g);
    }
}

/* One bit of each byte: nothing in a proof is free to change. */
static void every_flipped_bit_is_refused(void **unused)
{
    static test_case_t g;
    static uint8_t copy[8192];
    uint64_t random = 1;

    (void)unused;
    test_case_open(&g, "window-2KiB");
    const cuzk_bytes span = g.vanilla.items[0];
    const cuzk_bytes item = {copy, span.length};
    memcpy(copy, span.bytes, span.length);
    assert_int_equal(judge(&g.statement, &item, 1), CUZK_OK);
    for (size_t i = 0; i < span.length; i++) {
        const uint8_t bit = (uint8_t)(1u << next_random(&random) % 8);

        copy[i] ^= bit;
        if (judge(&g.statement, &item, 1) == CUZK_OK) fail_msg("byte %zu, bit %02x", i, bit);
        assert_int_equal(memchr(err.text, 0, sizeof err.text) == NULL, 0);
        copy[i] ^= bit;
    }
    test_case_close(&g);
}

/* Copies, fills and overwrites ranges with bytes that mean something to the format. */
static void mutate(uint8_t *bytes, size_t n, uint64_t *random)
{
    static const uint64_t numbers[] = {0, 1, 7, 8, 10, 66, UINT32_MAX, UINT64_MAX, INT64_MAX};
    const size_t at = next_random(random) % n, from = next_random(random) % n;
    size_t length = 1 + next_random(random) % 80;

    if (length > n - at) length = n - at;
    if (length > n - from) length = n - from;
    switch (next_random(random) % 4) {
    case 0:
        memmove(bytes + at, bytes + from, length);
        break;
    case 1:
        memset(bytes + at, (int)next_random(random) & 0xff, length);
        break;
    case 2:
        if (n - at >= 8) memcpy(bytes + at, &numbers[next_random(random) % 9], 8);
        break;
    default:
        bytes[at] = (uint8_t)next_random(random);
        break;
    }
}

static void mutated_proofs_never_pass_or_crash(void **unused)
{
    enum { ROUNDS = 4000 };
    static test_case_t g;
    static uint8_t copy[8192];
    uint64_t random = 2026;

    (void)unused;
    test_case_open(&g, "window-2KiB");
    const cuzk_bytes span = g.vanilla.items[1];
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t changes = 1 + next_random(&random) % 4;
        cuzk_bytes item = {copy, span.length};

        memcpy(copy, span.bytes, span.length);
        for (uint64_t i = 0; i < changes; i++) mutate(copy, span.length, &random);
        const bool same = memcmp(copy, span.bytes, span.length) == 0;
        assert_int_equal(judge(&g.statement, &item, 1) == CUZK_OK, same);
    }
    test_case_close(&g);
}

static void faults_name_sector_and_challenge(void **unused)
{
    static test_case_t g;
    static uint8_t copy[8192];
    enum { HEAD = 56, PROOF = 556, SIBLING = 4 + 64 + 8 + 8 };

    (void)unused;
    test_case_open(&g, "window-2KiB");
    const cuzk_bytes span = g.vanilla.items[2];
    const cuzk_bytes item = {copy, span.length};

    memcpy(copy, span.bytes, span.length);
    copy[HEAD + 3 * PROOF + SIBLING] ^= 1;
    assert_int_equal(judge(&g.statement, &item, 1), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "sector 102: challenge 3: its path does not lead to comm_r_last");
    memset(copy + HEAD + 3 * PROOF + SIBLING, 0xff, 32);
    assert_int_equal(judge(&g.statement, &item, 1), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "sector 102: challenge 3: sibling at byte 1808: not below the "
                                  "field's order");
    memcpy(copy, span.bytes, span.length);
    copy[HEAD + 4 * PROOF] = 1;
    assert_int_equal(judge(&g.statement, &item, 1), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "sector 102: challenge 4: kind of Merkle proof at byte 2280: "
                                  "Sub, expected Single for this sector size");
    memcpy(copy, span.bytes, span.length);
    copy[span.length - 64] ^= 1; /* comm_c */
    assert_int_equal(judge(&g.statement, &item, 1), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "sector 102: comm_r is not the hash of comm_c and comm_r_last");
    memcpy(copy, span.bytes, span.length);
    copy[span.length - 32] ^= 1; /* comm_r_last */
    assert_int_equal(judge(&g.statement, &item, 1), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "sector 102: comm_r_last: not the root of the challenges");
    test_case_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_of_the_reference_are_accepted),
        cmocka_unit_test(a_verifier_needs_no_order),
        cmocka_unit_test(bad_requests_are_refused),
        cmocka_unit_test(randomness_with_top_bits_is_refused),
        cmocka_unit_test(counts_have_their_limits),
        cmocka_unit_test(numbers_say_kind_size_and_version),
        cmocka_unit_test(sectors_out_of_range_are_refused),
        cmocka_unit_test(sectors_that_stand_again_count_once),
        cmocka_unit_test(lists_out_of_order_are_refused),
        cmocka_unit_test(proofs_of_another_shape_are_refused),
        cmocka_unit_test(another_challenge_is_refused),
        cmocka_unit_test(shortened_and_lengthened_proofs_are_refused),
        cmocka_unit_test(every_flipped_bit_is_refused),
        cmocka_unit_test(mutated_proofs_never_pass_or_crash),
        cmocka_unit_test(faults_name_sector_and_challenge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

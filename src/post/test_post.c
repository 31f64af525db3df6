/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "post/post.h"
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
static cuzk_status judge(const post_request_t *request, const span_t *items, size_t n)
{
    post_t post;
    cuzk_status status = post_open(&post, request, items, n, &err);

    if (status != CUZK_OK) return status;
    status = post_check(&post, NULL, &err);
    post_close(&post);
    return status;
}

/* ---- the reference's cases ---- */

static void check_partition(const test_case_t *golden, uint32_t partition,
                            const post_statement_t *st, uint32_t k)
{
    fr_t inputs[MAX_INPUTS], want[1 + MAX_INPUTS];
    const size_t n = post_input_count(st);

    assert_in_range(n, 1, MAX_INPUTS);
    post_inputs(inputs, st, k);
    golden_read_inputs(want, 1 + n, golden->name, partition);
    assert_memory_equal(inputs, want + 1, n * sizeof *inputs);
}

static void check_inputs(const test_case_t *golden, const post_statement_t *st)
{
    assert_int_equal(st->n_partitions, golden->request.kind == POST_WINNING ? 1 : 2);
    for (uint32_t k = 0; k < st->n_partitions; k++) check_partition(golden, k, st, k);
}

static void check_case(const test_case_t *golden, strand_t *strand)
{
    post_t post;

    if (post_open(&post, &golden->request, golden->vanilla.items, golden->vanilla.n, &err) ||
        post_check(&post, strand, &err))
        fail_msg("%s: %s", golden->name, err.text);
    assert_int_equal(post.statement.n_sectors, golden->n_sectors);
    assert_int_equal(post.statement.per_sector, golden->n_challenges);
    for (size_t s = 0; s < golden->n_sectors; s++)
        for (uint32_t i = 0; i < golden->n_challenges; i++) {
            assert_int_equal(post_stated_leaf(&post.statement, s, i), golden->challenges[s][i]);
            assert_int_equal(post.vanilla[s].challenges[i].path.index, golden->challenges[s][i]);
        }
    check_inputs(golden, &post.statement);
    post_close(&post);
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
        for (size_t turn = 0; turn < golden.n_sectors; turn++) {
            post_replica_t replicas[CASE_SECTORS];
            post_statement_t st;

            for (size_t i = 0; i < golden.n_sectors; i++)
                replicas[i] = golden.replicas[(2 * i + turn) % golden.n_sectors];
            assert_int_equal(
                post_statement_init(&st, &golden.request, replicas, golden.n_sectors, &err),
                CUZK_OK);
            check_inputs(&golden, &st);
            post_statement_clear(&st);
        }
        test_case_close(&golden);
    }
}

/* One partition of a window by itself gives what it gives within the whole. */
static void a_partition_alone_is_the_same(void **unused)
{
    static const char *const names[] = {"window-2KiB", "window-v1-2KiB"};

    (void)unused;
    for (size_t c = 0; c < 2; c++) {
        static test_case_t golden;
        post_t post;

        test_case_open(&golden, names[c]);
        golden.request.first_partition = 1;
        golden.request.max_partitions = 1;
        assert_int_equal(post_open(&post, &golden.request, golden.vanilla.items + 2, 1, &err),
                         CUZK_OK);
        assert_int_equal(post_check(&post, NULL, &err), CUZK_OK);
        check_partition(&golden, 1, &post.statement, 0);
        post_close(&post);
        assert_int_equal(post_open(&post, &golden.request, golden.vanilla.items, 3, &err),
                         CUZK_ERR_ARG);
        assert_string_equal(err.text, "sectors: 3, limit 2 (1 partitions of 2)");
        test_case_close(&golden);
    }
}

/* ---- requests ---- */

static void bad_requests_are_refused(void **unused)
{
    static test_case_t winning, window;
    post_request_t r;

    (void)unused;
    test_case_open(&winning, "winning-2KiB");
    test_case_open(&window, "window-2KiB");

    r = winning.request;
    r.sector_bytes = 4096;
    assert_int_equal(judge(&r, winning.vanilla.items, 1), CUZK_ERR_ARG);
    assert_says("sector size: 4096 bytes, expected that of 2KiB");
    r = winning.request;
    r.version = POST_V1_1;
    assert_int_equal(judge(&r, winning.vanilla.items, 1), CUZK_ERR_ARG);
    assert_says("registered proof: ");
    r = winning.request;
    r.first_partition = 1;
    assert_int_equal(judge(&r, winning.vanilla.items, 1), CUZK_ERR_ARG);
    assert_says("first partition: 1");
    r = winning.request;
    memcpy(r.randomness, fr_modulus.l, 32);
    assert_int_equal(judge(&r, winning.vanilla.items, 1), CUZK_ERR_ARG);
    assert_says("randomness: 01000000fffffffffe5bfeff02a4bd53");
    r = winning.request;
    memset(r.prover_id, 0xff, 32);
    assert_int_equal(judge(&r, winning.vanilla.items, 1), CUZK_ERR_ARG);
    assert_says("prover id: ff");
    assert_int_equal(judge(&winning.request, window.vanilla.items, 0), CUZK_ERR_ARG);
    assert_string_equal(err.text, "sectors: none, expected at least 1");
    assert_int_equal(judge(&winning.request, window.vanilla.items, 2), CUZK_ERR_ARG);
    assert_string_equal(err.text, "sectors: 2, a WinningPoSt takes 1");
    r = window.request;
    r.first_partition = UINT32_MAX;
    assert_int_equal(judge(&r, window.vanilla.items, 3), CUZK_ERR_ARG);
    assert_says("first partition: 4294967295");
    test_case_close(&winning);
    test_case_close(&window);
}

static void production_partitions_have_their_limits(void **unused)
{
    static const struct {
        uint64_t bytes;
        size_t limit;
    } rows[] = {{(uint64_t)32 << 30, 2349}, {(uint64_t)64 << 30, 2300}, {(uint64_t)512 << 20, 2}};

    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        const post_request_t r = {
            .kind = POST_WINDOW, .sector_bytes = rows[i].bytes, .max_partitions = 1};

        assert_int_equal(post_request_check(&r, rows[i].limit, &err), CUZK_OK);
        assert_int_equal(post_request_check(&r, rows[i].limit + 1, &err), CUZK_ERR_ARG);
        assert_says("(1 partitions of ");
    }
}

static void replicas_out_of_range_are_refused(void **unused)
{
    post_request_t r = {.kind = POST_WINDOW, .sector_bytes = 2048, .max_partitions = 9};
    post_replica_t replicas[3] = {{7, {1}}, {9, {1}}, {7, {2}}};
    post_statement_t st;

    (void)unused;
    assert_int_equal(post_statement_init(&st, &r, replicas, 3, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "sectors: number 7 stands there twice");
    assert_int_equal(post_statement_init(&st, &r, replicas, 2, &err), CUZK_OK);
    assert_int_equal(st.n_partitions, 1);
    post_statement_clear(&st);
    memset(replicas[1].comm_r, 0xff, 32);
    assert_int_equal(post_statement_init(&st, &r, replicas, 2, &err), CUZK_ERR_ARG);
    assert_says("sector 9: comm_r: ffff");
    memset(replicas[1].comm_r, 0, 32);
    assert_int_equal(post_statement_init(&st, &r, replicas, 2, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "sector 9: comm_r: all 32 bytes are zero");
    memcpy(replicas[1].comm_r, fr_modulus.l, 32);
    assert_int_equal(post_statement_init(&st, &r, replicas, 2, &err), CUZK_ERR_ARG);
    replicas[1].comm_r[0]--; /* r - 1 */
    assert_int_equal(post_statement_init(&st, &r, replicas, 2, &err), CUZK_OK);
    post_statement_clear(&st);
}

/* ---- lists ---- */

static void lists_out_of_order_are_refused(void **unused)
{
    static test_case_t g;
    span_t items[4];

    (void)unused;
    test_case_open(&g, "window-2KiB");
    memcpy(items, g.vanilla.items, 3 * sizeof *items);
    items[0] = g.vanilla.items[1];
    items[1] = g.vanilla.items[0];
    assert_int_equal(judge(&g.request, items, 3), CUZK_ERR_FORMAT);
    assert_string_equal(err.text,
                        "vanilla proof 1: sector 100 after sector 101, numbers must rise");
    items[0] = items[1];
    assert_int_equal(judge(&g.request, items, 3), CUZK_ERR_FORMAT);
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
    assert_int_equal(judge(&winning.request, window.vanilla.items, 1), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "vanilla proof 0: 5680 bytes, expected 36816 for this kind and "
                                  "sector size");
    assert_int_equal(judge(&window.request, window_8.vanilla.items, 3), CUZK_ERR_FORMAT);
    assert_int_equal(judge(&window_8.request, window.vanilla.items, 3), CUZK_ERR_FORMAT);
    test_case_close(&winning);
    test_case_close(&window);
    test_case_close(&window_8);
}

static void another_challenge_is_refused(void **unused)
{
    static test_case_t g;
    post_request_t r;

    (void)unused;
    test_case_open(&g, "window-2KiB");
    r = g.request;
    r.randomness[0] ^= 1;
    assert_int_equal(judge(&r, g.vanilla.items, 3), CUZK_ERR_FORMAT);
    assert_says("sector 100, challenge 0: leaf 62, the randomness asks for leaf ");
    r = g.request;
    r.version = POST_V1; /* the first sector's numbers are the same, the second's are not */
    assert_int_equal(judge(&r, g.vanilla.items, 1), CUZK_OK);
    assert_int_equal(judge(&r, g.vanilla.items, 3), CUZK_ERR_FORMAT);
    assert_says("sector 101, challenge 1: leaf 57, ");
    test_case_close(&g);
}

/* ---- damage ---- */

/* Reads the first bytes of a proof from memory that ends with them. */
static cuzk_status read_cut(const post_form_t *form, span_t span, size_t n)
{
    static post_challenge_t challenges[CASE_CHALLENGES];
    static fr_t siblings[CASE_CHALLENGES * 64];
    uint8_t *copy = malloc(n + (n == 0));
    post_vanilla_t v;
    cuzk_status status;

    assert_non_null(copy);
    memcpy(copy, span.bytes, n);
    status = post_vanilla_read(&v, challenges, siblings, form, (span_t){copy, n}, &err);
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
        const span_t span = g.vanilla.items[0];
        post_form_init(&form, g.request.kind, g.request.sector_bytes);
        if (span.length < sizeof longer) {
            memcpy(longer, span.bytes, span.length);
            longer[span.length] = 0;
            assert_int_equal(read_cut(&form, (span_t){longer, 0}, span.length + 1),
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
    const span_t span = g.vanilla.items[0];
    const span_t item = {copy, span.length};
    memcpy(copy, span.bytes, span.length);
    assert_int_equal(judge(&g.request, &item, 1), CUZK_OK);
    for (size_t i = 0; i < span.length; i++) {
        const uint8_t bit = (uint8_t)(1u << next_random(&random) % 8);

        copy[i] ^= bit;
        if (judge(&g.request, &item, 1) == CUZK_OK) fail_msg("byte %zu, bit %02x", i, bit);
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
    const span_t span = g.vanilla.items[1];
    g.request.first_partition = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t changes = 1 + next_random(&random) % 4;
        span_t item = {copy, span.length};

        memcpy(copy, span.bytes, span.length);
        for (uint64_t i = 0; i < changes; i++) mutate(copy, span.length, &random);
        const bool same = memcmp(copy, span.bytes, span.length) == 0;
        assert_int_equal(judge(&g.request, &item, 1) == CUZK_OK, same);
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
    const span_t span = g.vanilla.items[2];
    const span_t item = {copy, span.length};
    g.request.version = POST_V1_1;

    memcpy(copy, span.bytes, span.length);
    copy[HEAD + 3 * PROOF + SIBLING] ^= 1;
    assert_int_equal(judge(&g.request, &item, 1), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "sector 102, challenge 3: its path does not lead to comm_r_last");
    memset(copy + HEAD + 3 * PROOF + SIBLING, 0xff, 32);
    assert_int_equal(judge(&g.request, &item, 1), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "sector 102: challenge 3: sibling at byte 1808: not below the "
                                  "field's order");
    memcpy(copy, span.bytes, span.length);
    copy[HEAD + 4 * PROOF] = 1;
    assert_int_equal(judge(&g.request, &item, 1), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "sector 102: challenge 4: kind of Merkle proof at byte 2280: "
                                  "Sub, expected Single for this sector size");
    memcpy(copy, span.bytes, span.length);
    copy[span.length - 64] ^= 1; /* comm_c */
    assert_int_equal(judge(&g.request, &item, 1), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "sector 102: comm_r is not the hash of comm_c and comm_r_last");
    memcpy(copy, span.bytes, span.length);
    copy[span.length - 32] ^= 1; /* comm_r_last */
    assert_int_equal(judge(&g.request, &item, 1), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "sector 102: comm_r_last: not the root of the challenges");
    test_case_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_of_the_reference_are_accepted),
        cmocka_unit_test(a_verifier_needs_no_order),
        cmocka_unit_test(a_partition_alone_is_the_same),
        cmocka_unit_test(bad_requests_are_refused),
        cmocka_unit_test(production_partitions_have_their_limits),
        cmocka_unit_test(replicas_out_of_range_are_refused),
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

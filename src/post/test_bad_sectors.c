/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "post/bad_sectors.h"
#include "post/test_case.h"

enum { MOST = 300, MAX_BYTES = 16 * 1024, HEAD = 56 };

static cuzk_error err;
static strand_t *strand;

/* A list of copies that tests may damage. */
static uint8_t bytes[MOST][MAX_BYTES];
static cuzk_bytes items[MOST];

static void copy_item(size_t to, const test_case_t *g, size_t from)
{
    const cuzk_bytes item = g->vanilla.items[from];

    assert_true(item.length <= MAX_BYTES);
    memcpy(bytes[to], item.bytes, item.length);
    items[to] = (cuzk_bytes){bytes[to], item.length};
}

static void copy_case(const test_case_t *g)
{
    for (size_t i = 0; i < g->vanilla.n; i++) copy_item(i, g, i);
}

/* ---- damages ---- */

typedef enum {
    PATH,
    COMM_C,
    COMM_R_LAST,
    ZERO_COMM_R,
    LARGE_COMM_R,
    LONGER,
    SHORTER,
    COUNT,
    DAMAGES
} damage_t;

static const char *damage(size_t i, damage_t how)
{
    uint8_t *b = bytes[i];
    const size_t n = items[i].length;

    switch (how) {
    case PATH:
        b[HEAD + 4 + 64 + 16] ^= 1; /* the first sibling */
        return "challenge 0: its path does not lead to comm_r_last";
    case COMM_C:
        b[n - 64] ^= 1;
        return "comm_r is not the hash of comm_c and comm_r_last";
    case COMM_R_LAST:
        b[n - 32] ^= 1;
        return "comm_r_last: not the root of the challenges";
    case ZERO_COMM_R:
        memset(b + 8, 0, 32);
        return "comm_r: all 32 bytes are zero";
    case LARGE_COMM_R:
        memset(b + 8, 0xff, 32);
        return "comm_r: ffffffff";
    case LONGER:
        items[i].length++;
        return "bytes, expected ";
    case SHORTER:
        items[i].length = POST_SECTOR_BYTES;
        return "40 bytes, expected ";
    case COUNT:
        b[40] = 2;
        return "sectors in the proof";
    case DAMAGES:
        break;
    }
    fail();
    return NULL;
}

static void find(cuzk_bad_sector **bad, size_t *n_bad, const cuzk_post_statement *request, size_t n,
                 bool threads)
{
    assert_int_equal(post_find_bad(bad, n_bad, request, items, n, threads ? strand : NULL, &err),
                     CUZK_OK);
}

/* ---- every set of bad ones ---- */

static void check_set(const test_case_t *g, unsigned set, unsigned first)
{
    const char *reasons[CASE_SECTORS];
    cuzk_bad_sector *bad;
    size_t n_bad, k = 0;

    copy_case(g);
    for (unsigned i = 0; i < g->vanilla.n; i++)
        if (set >> i & 1) reasons[i] = damage(i, (damage_t)((first + i) % DAMAGES));
    find(&bad, &n_bad, &g->statement, g->vanilla.n, set % 2 == 0);
    for (unsigned i = 0; i < g->vanilla.n; i++) {
        if (!(set >> i & 1)) continue;
        assert_true(k < n_bad);
        assert_int_equal(bad[k].input, i);
        assert_int_equal(bad[k].number, g->sectors[i].number);
        if (strstr(bad[k].reason, reasons[i]) == NULL)
            fail_msg("\"%s\" lacks \"%s\"", bad[k].reason, reasons[i]);
        assert_null(strstr(bad[k].reason, "sector 1")); /* the name is the caller's to say */
        k++;
    }
    assert_int_equal(n_bad, k);
    assert_int_equal(bad == NULL, k == 0);
    free(bad);
}

static void every_set_of_bad_sectors_is_found(void **unused)
{
    (void)unused;
    for (size_t c = 0; c < CASES; c++) {
        static test_case_t g;

        test_case_open(&g, test_case_names[c]);
        if (g.config.kind == POST_WINDOW)
            for (unsigned set = 0; set < 1u << g.vanilla.n; set++)
                for (unsigned first = 0; first < DAMAGES; first++) check_set(&g, set, first);
        test_case_close(&g);
    }
}

static void the_one_sector_of_a_winning_post_is_found(void **unused)
{
    static test_case_t g;
    cuzk_post_statement r;
    cuzk_bad_sector *bad;
    size_t n_bad;

    (void)unused;
    test_case_open(&g, "winning-2KiB");
    r = g.statement;
    r.randomness[0] ^= 1;
    assert_int_equal(post_find_bad(&bad, &n_bad, &r, g.vanilla.items, 1, NULL, &err), CUZK_OK);
    assert_int_equal(n_bad, 1);
    assert_non_null(strstr(bad[0].reason, "the randomness asks for leaf "));
    free(bad);
    test_case_close(&g);
}

/* By the older rules challenges depend on the position in the list. */
static void each_is_judged_at_its_position(void **unused)
{
    static test_case_t g;
    cuzk_bad_sector *bad;
    size_t n_bad;

    (void)unused;
    test_case_open(&g, "window-v1-2KiB");
    copy_item(0, &g, 0);
    copy_item(1, &g, 2);
    find(&bad, &n_bad, &g.statement, 2, true);
    assert_int_equal(n_bad, 1);
    assert_int_equal(bad[0].input, 1);
    assert_int_equal(bad[0].number, g.sectors[2].number);
    assert_non_null(strstr(bad[0].reason, "challenge 0: leaf "));
    free(bad);
    test_case_close(&g);
}

/* Every third of a long list keeps its number; the others have one that asks for other leaves. */
static void long_lists_keep_their_order(void **unused)
{
    static test_case_t g;
    cuzk_bad_sector *bad;
    size_t n_bad;

    (void)unused;
    test_case_open(&g, "window-2KiB");
    for (size_t i = 0; i < MOST; i++) {
        copy_item(i, &g, i % 3);
        store_le64(bytes[i], 1000 + i);
    }
    copy_item(0, &g, 1); /* the one good: its number is below the others' */
    find(&bad, &n_bad, &g.statement, MOST, true);
    assert_int_equal(n_bad, MOST - 1);
    for (size_t k = 0; k < n_bad; k++) {
        assert_int_equal(bad[k].input, k + 1);
        assert_int_equal(bad[k].number, 1000 + k + 1);
        assert_non_null(strstr(bad[k].reason, "the randomness asks for leaf "));
    }
    free(bad);
    test_case_close(&g);
}

/* ---- faults of the list ---- */

static void faults_of_the_list_are_no_sector_s(void **unused)
{
    static test_case_t g;
    cuzk_bad_sector *bad;
    size_t n_bad;

    (void)unused;
    test_case_open(&g, "window-2KiB");
    for (int fault = 0; fault < 6; fault++) {
        cuzk_post_statement r = g.statement;
        size_t n = 3;

        copy_case(&g);
        (void)damage(1, PATH);
        if (fault == 0) copy_item(2, &g, 0); /* not in order */
        if (fault == 1) copy_item(2, &g, 1); /* twice */
        if (fault == 2) items[0].length = POST_SECTOR_BYTES - 1;
        if (fault == 3) r.randomness[31] |= 0x80;
        if (fault == 4) r.registered_proof = 0; /* a WinningPoSt takes one */
        if (fault == 5) n = 0;
        find(&bad, &n_bad, &r, n, true);
        assert_int_equal(n_bad, 0);
        assert_null(bad);
    }
    test_case_close(&g);
}

static void a_cancelled_search_finds_nothing(void **unused)
{
    static test_case_t g;
    cuzk_bad_sector *bad;
    cancel_t cancel;
    strand_t stopped;
    size_t n_bad;

    (void)unused;
    test_case_open(&g, "window-2KiB");
    copy_case(&g);
    (void)damage(0, PATH);
    cancel_init(&cancel, UINT64_MAX);
    cancel_request(&cancel);
    strand_begin(&stopped, strand->executor, NULL, &cancel);
    assert_int_equal(post_find_bad(&bad, &n_bad, &g.statement, items, 3, &stopped, &err),
                     CUZK_CANCELLED);
    strand_end(&stopped);
    assert_null(bad);
    assert_int_equal(n_bad, 0);
    test_case_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_of_bad_sectors_is_found),
        cmocka_unit_test(the_one_sector_of_a_winning_post_is_found),
        cmocka_unit_test(each_is_judged_at_its_position),
        cmocka_unit_test(long_lists_keep_their_order),
        cmocka_unit_test(faults_of_the_list_are_no_sector_s),
        cmocka_unit_test(a_cancelled_search_finds_nothing),
    };

    if (strand_open(&strand, 2, &err) != CUZK_OK) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    strand_close(strand);
    return failed;
}

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
#include "base/clock.h"
#include "srs/batch.h"
#include "srs/srs.h"

/* A file of small multiples of the generators, in memory and on disk. */
enum { N_IC = 3, N_H = 7, N_L = 4, N_A = 5, N_B = 2, MAX_POINTS = 8 };
enum {
    VK_FIXED = 3 * 96 + 3 * 192,
    IC_AT = VK_FIXED + 4,
    H_AT = IC_AT + N_IC * 96 + 4,
    L_AT = H_AT + N_H * 96 + 4,
    A_AT = L_AT + N_L * 96 + 4,
    B1_AT = A_AT + N_A * 96 + 4,
    B2_AT = B1_AT + N_B * 96 + 4,
    FILE_BYTES = B2_AT + N_B * 192
};

static const struct {
    const char *name; /* as in error texts */
    size_t at;        /* of the first point; its count stands before */
    uint32_t n;
    size_t point_bytes;
} sections[] = {{": h", H_AT, N_H, 96},
                {": l", L_AT, N_L, 96},
                {": a", A_AT, N_A, 96},
                {": b_g1", B1_AT, N_B, 96},
                {": b_g2", B2_AT, N_B, 192}};

static g1_affine_t multiples_g1[MAX_POINTS];
static g2_affine_t multiples_g2[MAX_POINTS];
static char params_path[PATH_MAX];
static char vk_path[PATH_MAX];
static uint8_t good[FILE_BYTES];
static const char name[] = "test.params";

static void make_multiples(void)
{
    g1_jac_t p1;
    g2_jac_t p2;

    g1_from_affine(&p1, g1_generator());
    g2_from_affine(&p2, g2_generator());
    for (size_t i = 0; i < MAX_POINTS; i++) {
        g1_to_affine(&multiples_g1[i], &p1);
        g2_to_affine(&multiples_g2[i], &p2);
        g1_add_affine(&p1, &p1, g1_generator());
        g2_add_affine(&p2, &p2, g2_generator());
    }
}

static srs_vk_t make_vk(void)
{
    make_multiples();
    return (srs_vk_t){.alpha_g1 = multiples_g1[1],
                      .beta_g1 = multiples_g1[2],
                      .beta_g2 = multiples_g2[2],
                      .gamma_g2 = multiples_g2[3],
                      .delta_g1 = multiples_g1[4],
                      .delta_g2 = multiples_g2[4],
                      .ic = multiples_g1 + 5,
                      .n_ic = N_IC};
}

static int make_files(void **state)
{
    const srs_vk_t vk = make_vk();
    cuzk_error err;
    srs_writer_t w;
    size_t n;
    uint8_t *bytes;

    (void)state;
    (void)snprintf(params_path, sizeof params_path, CUZK_BINARY_DIR "/test-srs-%d.params",
                   (int)getpid());
    (void)snprintf(vk_path, sizeof vk_path, CUZK_BINARY_DIR "/test-srs-%d.vk", (int)getpid());
    if (srs_writer_open(&w, params_path, true, &err) != CUZK_OK) return -1;
    srs_writer_put_vk(&w, &vk);
    srs_writer_begin(&w, N_H);
    if (srs_writer_add_g1(&w, multiples_g1, 3, NULL, &err) != CUZK_OK) return -1;
    if (srs_writer_add_g1(&w, multiples_g1 + 3, N_H - 3, NULL, &err) != CUZK_OK) return -1;
    srs_writer_begin(&w, N_L);
    if (srs_writer_add_g1(&w, multiples_g1, N_L, NULL, &err) != CUZK_OK) return -1;
    srs_writer_begin(&w, N_A);
    if (srs_writer_add_g1(&w, multiples_g1, N_A, NULL, &err) != CUZK_OK) return -1;
    srs_writer_begin(&w, N_B);
    if (srs_writer_add_g1(&w, multiples_g1, N_B, NULL, &err) != CUZK_OK) return -1;
    srs_writer_begin(&w, N_B);
    if (srs_writer_add_g2(&w, multiples_g2, N_B, NULL, &err) != CUZK_OK) return -1;
    if (srs_writer_commit(&w, &err) != CUZK_OK) return -1;
    if (file_read(&bytes, &n, params_path, SIZE_MAX / 2, &err) != CUZK_OK) return -1;
    if (n != FILE_BYTES) return -1;
    memcpy(good, bytes, FILE_BYTES);
    free(bytes);
    return file_write(vk_path, good, H_AT - 4, true, &err) == CUZK_OK ? 0 : -1;
}

static int remove_files(void **state)
{
    (void)state;
    return unlink(params_path) == 0 && unlink(vk_path) == 0 ? 0 : -1;
}

static void read_g1(g1_affine_t *p, const points_t *points)
{
    uint8_t bytes[MAX_POINTS * G1_UNCOMPRESSED_BYTES];
    cuzk_error err;

    assert_int_equal(points_read(points, bytes, 0, points->n, &err), CUZK_OK);
    for (size_t i = 0; i < points->n; i++)
        assert_true(g1_read_uncompressed(&p[i], bytes + i * G1_UNCOMPRESSED_BYTES));
}

static void read_g2(g2_affine_t *p, const points_t *points)
{
    uint8_t bytes[MAX_POINTS * G2_UNCOMPRESSED_BYTES];
    cuzk_error err;

    assert_int_equal(points_read(points, bytes, 0, points->n, &err), CUZK_OK);
    for (size_t i = 0; i < points->n; i++)
        assert_true(g2_read_uncompressed(&p[i], bytes + i * G2_UNCOMPRESSED_BYTES));
}

static void test_good(void **state)
{
    const srs_check_t how = {.subgroup = true};
    g1_affine_t p1[MAX_POINTS];
    g2_affine_t p2[MAX_POINTS];
    cuzk_error err;
    srs_t srs;

    (void)state;
    assert_int_equal(srs_open(&srs, params_path, NULL, &err), CUZK_OK);
    assert_int_equal(srs.vk.n_ic, N_IC);
    assert_memory_equal(&srs.vk.alpha_g1, &multiples_g1[1], sizeof(g1_affine_t));
    assert_memory_equal(&srs.vk.beta_g1, &multiples_g1[2], sizeof(g1_affine_t));
    assert_memory_equal(&srs.vk.beta_g2, &multiples_g2[2], sizeof(g2_affine_t));
    assert_memory_equal(&srs.vk.gamma_g2, &multiples_g2[3], sizeof(g2_affine_t));
    assert_memory_equal(&srs.vk.delta_g1, &multiples_g1[4], sizeof(g1_affine_t));
    assert_memory_equal(&srs.vk.delta_g2, &multiples_g2[4], sizeof(g2_affine_t));
    assert_memory_equal(srs.vk.ic, multiples_g1 + 5, N_IC * sizeof(g1_affine_t));
    const points_t *const g1[] = {&srs.h, &srs.l, &srs.a, &srs.b_g1};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(g1[i]->n, sections[i].n);
        read_g1(p1, g1[i]);
        assert_memory_equal(p1, multiples_g1, g1[i]->n * sizeof *p1);
    }
    assert_int_equal(srs.b_g2.n, N_B);
    read_g2(p2, &srs.b_g2);
    assert_memory_equal(p2, multiples_g2, N_B * sizeof *p2);
    assert_int_equal(srs_check_points(&srs, &how, NULL, &err), CUZK_OK);
    srs_close(&srs);
}

/* Where a file that ends at n bytes breaks off. */
static const char *section_at(size_t n)
{
    if (n < H_AT - 4) return ": verifying key";
    for (size_t i = 1; i < sizeof sections / sizeof *sections; i++)
        if (n < sections[i].at - 4) return sections[i - 1].name;
    return ": b_g2";
}

static void expect_refused(const uint8_t *bytes, size_t n, const char *section)
{
    cuzk_error err;
    srs_t srs;

    assert_int_equal(srs_open_bytes(&srs, bytes, n, name, NULL, &err), CUZK_ERR_FORMAT);
    assert_ptr_equal(strstr(err.text, name), err.text);
    assert_non_null(strstr(err.text, section));
}

static void test_truncated(void **state)
{
    (void)state;
    for (size_t n = 0; n < FILE_BYTES; n++) {
        uint8_t *bytes = malloc(n + 1); /* of the exact size, for the sanitizer */

        memcpy(bytes, good, n);
        bytes = realloc(bytes, n == 0 ? 1 : n);
        expect_refused(bytes, n, section_at(n));
        free(bytes);
    }
}

static void test_longer(void **state)
{
    uint8_t bytes[FILE_BYTES + 1] = {0};

    (void)state;
    memcpy(bytes, good, FILE_BYTES);
    expect_refused(bytes, sizeof bytes, ": b_g2: 1 bytes after its last point");
}

static void test_lying_counts(void **state)
{
    uint8_t bytes[FILE_BYTES];
    const uint64_t before = process_peak_rss_bytes();

    (void)state;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const uint32_t lies[] = {0,       sections[i].n - 1, sections[i].n + 1,
                                 1 << 20, (uint32_t)1 << 31, UINT32_MAX};
        for (size_t j = 0; j < sizeof lies / sizeof *lies; j++) {
            memcpy(bytes, good, sizeof bytes);
            store_be32(bytes + sections[i].at - 4, lies[j]);
            /* one that still fits shows in a later section */
            expect_refused(bytes, sizeof bytes, lies[j] >= 1 << 20 ? sections[i].name : ": ");
        }
    }
    const uint32_t lies[] = {0, N_IC + 1, 1 << 24, UINT32_MAX};
    for (size_t j = 0; j < sizeof lies / sizeof *lies; j++) {
        memcpy(bytes, good, sizeof bytes);
        store_be32(bytes + IC_AT - 4, lies[j]);
        expect_refused(bytes, sizeof bytes, ": verifying key: ic");
    }
    assert_true(process_peak_rss_bytes() - before < 4 << 20);
}

/* A file of n points a section, all the generator; the caller frees it. */
static uint8_t *make_counts(size_t *length, const uint32_t n[5])
{
    uint8_t *bytes = malloc(FILE_BYTES * 4);
    size_t at = H_AT - 4;

    memcpy(bytes, good, at);
    for (size_t i = 0; i < 5; i++) {
        const size_t size = sections[i].point_bytes;

        store_be32(bytes + at, n[i]);
        at += 4;
        for (uint32_t j = 0; j < n[i]; j++, at += size)
            memcpy(bytes + at, good + sections[i].at, size);
    }
    *length = at;
    return bytes;
}

/* Counts that fit the file but no circuit. */
static void test_relations(void **state)
{
    const struct {
        uint32_t n[5];
        const char *section;
    } rows[] = {{{6, N_L, N_A, N_B, N_B}, ": h: count 6 is not"},
                {{8, N_L, N_A, N_B, N_B}, ": h: count 8 is not"},
                {{1, N_L, N_A, N_B, N_B}, ": h: count 1 is too small"},
                {{N_H, N_L, 2, N_B, N_B}, ": a: count 2"},
                {{N_H, N_L, 8, N_B, N_B}, ": a: count 8"},
                {{N_H, N_L, N_A, 8, 8}, ": b_g1: count 8"},
                {{N_H, N_L, N_A, N_B, 1}, ": b_g2: count 1, 2"},
                {{N_H, N_L, N_A, 3, 4}, ": b_g2: count 4, 3"}};
    const uint32_t least[5] = {3, 0, 3, 0, 0};
    cuzk_error err;
    uint8_t *bytes;
    size_t n;
    srs_t srs;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bytes = make_counts(&n, rows[i].n);
        expect_refused(bytes, n, rows[i].section);
        free(bytes);
    }
    bytes = make_counts(&n, least);
    assert_int_equal(srs_open_bytes(&srs, bytes, n, name, NULL, &err), CUZK_OK);
    srs_close(&srs);
    free(bytes);
}

/* What can be wrong with a point. */
typedef enum {
    COMPRESSED_FLAG,
    INFINITY_FLAG,
    SIGN_FLAG,
    IDENTITY,
    OFF_CURVE,
    TOO_LARGE,
    ZERO,
    OUTSIDE_SUBGROUP,
    FAULTS
} fault_t;

/* A point of the curve outside the subgroup, found by counting up x. */
static void put_outsider(uint8_t *point, size_t size)
{
    uint8_t bytes[G2_COMPRESSED_BYTES] = {0x80};
    g1_affine_t p1;
    g2_affine_t p2;

    if (size == G1_UNCOMPRESSED_BYTES) {
        do bytes[G1_COMPRESSED_BYTES - 1]++;
        while (blst_p1_uncompress(&p1, bytes) != BLST_SUCCESS);
        assert_false(g1_in_subgroup(&p1));
        g1_write_uncompressed(point, &p1);
        return;
    }
    do bytes[G2_COMPRESSED_BYTES - 1]++;
    while (blst_p2_uncompress(&p2, bytes) != BLST_SUCCESS);
    assert_false(g2_in_subgroup(&p2));
    g2_write_uncompressed(point, &p2);
}

static void spoil(uint8_t *point, size_t size, fault_t fault)
{
    switch (fault) {
    case COMPRESSED_FLAG:
        point[0] |= 0x80;
        break;
    case INFINITY_FLAG:
        point[0] |= 0x40;
        break;
    case SIGN_FLAG:
        point[0] |= 0x20;
        break;
    case IDENTITY:
        memset(point, 0, size);
        point[0] = 0x40;
        break;
    case OFF_CURVE:
        point[size - 1] ^= 1;
        break;
    case TOO_LARGE:
        memset(point, 0x1f, 48);
        break;
    case ZERO:
        memset(point, 0, size);
        break;
    case OUTSIDE_SUBGROUP:
    default:
        put_outsider(point, size);
        break;
    }
}

static const char *const fault_texts[FAULTS] = {
    "the compressed flag is set",
    "the point at infinity",
    "the sign flag is set",
    "the point at infinity",
    "not a point of the curve with coordinates below p",
    "not a point of the curve with coordinates below p",
    "not a point of the curve with coordinates below p",
    "not in the subgroup of order r",
};

static void expect_bad_point(size_t section, uint32_t index, fault_t fault)
{
    const srs_check_t quick = {0};
    const srs_check_t full = {.subgroup = true};
    uint8_t bytes[FILE_BYTES];
    char text[128];
    cuzk_error err;
    srs_t srs;

    memcpy(bytes, good, sizeof bytes);
    const size_t size = sections[section].point_bytes;
    spoil(bytes + sections[section].at + index * size, size, fault);
    (void)snprintf(text, sizeof text, "%s%s: point %u: %s", name, sections[section].name, index,
                   fault_texts[fault]);
    assert_int_equal(srs_open_bytes(&srs, bytes, sizeof bytes, name, NULL, &err), CUZK_OK);
    assert_int_equal(srs_check_points(&srs, &full, NULL, &err), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, text);
    assert_int_equal(srs_check_points(&srs, &quick, NULL, &err),
                     fault == OUTSIDE_SUBGROUP ? CUZK_OK : CUZK_ERR_FORMAT);
    srs_close(&srs);
}

static void test_bad_points(void **state)
{
    (void)state;
    for (size_t section = 0; section < sizeof sections / sizeof *sections; section++)
        for (uint32_t i = 0; i < sections[section].n; i++)
            for (int fault = 0; fault < FAULTS; fault++)
                expect_bad_point(section, i, (fault_t)fault);
}

static void test_bad_keys(void **state)
{
    const struct {
        const char *part;
        size_t at, size;
    } parts[] = {{"alpha_g1", 0, 96},    {"beta_g1", 96, 96},       {"beta_g2", 192, 192},
                 {"gamma_g2", 384, 192}, {"delta_g1", 576, 96},     {"delta_g2", 672, 192},
                 {"ic[0]", IC_AT, 96},   {"ic[2]", IC_AT + 192, 96}};
    uint8_t bytes[FILE_BYTES];

    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int fault = 0; fault < FAULTS; fault++) {
            memcpy(bytes, good, sizeof bytes);
            spoil(bytes + parts[i].at, parts[i].size, (fault_t)fault);
            expect_refused(bytes, sizeof bytes, parts[i].part);
        }
}

static void test_vk_file(void **state)
{
    uint8_t bytes[H_AT - 3] = {0};
    cuzk_error err;
    srs_vk_t vk;

    (void)state;
    assert_int_equal(srs_vk_read(&vk, vk_path, NULL, &err), CUZK_OK);
    assert_int_equal(vk.n_ic, N_IC);
    assert_int_equal(srs_vk_bytes(vk.n_ic), H_AT - 4);
    srs_vk_clear(&vk);

    memcpy(bytes, good, H_AT - 4);
    assert_int_equal(file_write(vk_path, bytes, H_AT - 3, true, &err), CUZK_OK);
    assert_int_equal(srs_vk_read(&vk, vk_path, NULL, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, "1 bytes after its end"));
    assert_int_equal(file_write(vk_path, bytes, H_AT - 5, true, &err), CUZK_OK);
    assert_int_equal(srs_vk_read(&vk, vk_path, NULL, &err), CUZK_ERR_FORMAT);
    assert_int_equal(file_write(vk_path, "", 0, true, &err), CUZK_OK);
    assert_int_equal(srs_vk_read(&vk, vk_path, NULL, &err), CUZK_ERR_FORMAT);
    assert_int_equal(srs_vk_read(&vk, CUZK_BINARY_DIR "/nothing-here", NULL, &err),
                     CUZK_ERR_MISSING);
    assert_int_equal(file_write(vk_path, bytes, H_AT - 4, true, &err), CUZK_OK);
}

/* Many points, several threads: the lowest bad index is told, progress ends at the total. */
typedef struct {
    uint64_t done, total;
    unsigned calls;
} progress_t;

static void note_progress(void *arg, uint64_t done, uint64_t total)
{
    progress_t *p = arg;

    assert_true(done > p->done && done <= total);
    *p = (progress_t){done, total, p->calls + 1};
}

static void test_many_points(void **state)
{
    const uint32_t n_h = (1 << 16) - 1;
    const size_t length = FILE_BYTES + (size_t)(n_h - N_H) * 96;
    uint8_t *bytes = malloc(length);
    progress_t progress = {0};
    const srs_check_t how = {.subgroup = true, .progress = note_progress, .arg = &progress};
    cuzk_error err;
    strand_t *strand;
    srs_t srs;

    (void)state;
    memcpy(bytes, good, H_AT);
    store_be32(bytes + H_AT - 4, n_h);
    for (uint32_t i = 0; i < n_h; i++) memcpy(bytes + H_AT + (size_t)i * 96, good + H_AT, 96);
    memcpy(bytes + H_AT + (size_t)n_h * 96, good + L_AT - 4, FILE_BYTES - L_AT + 4);
    assert_int_equal(strand_open(&strand, 3, &err), CUZK_OK);
    assert_int_equal(srs_open_bytes(&srs, bytes, length, name, NULL, &err), CUZK_OK);
    assert_int_equal(srs_check_points(&srs, &how, strand, &err), CUZK_OK);
    assert_int_equal(progress.total, n_h + N_L + N_A + 2 * N_B);
    assert_int_equal(progress.done, progress.total);
    assert_true(progress.calls > 5);

    put_outsider(bytes + H_AT + 300 * 96, 96);
    put_outsider(bytes + H_AT + 200 * 96, 96);
    progress = (progress_t){0};
    assert_int_equal(srs_check_points(&srs, &how, strand, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, ": h: point 200: not in the subgroup"));
    assert_int_equal(srs_check_points(&srs, &(srs_check_t){0}, strand, &err), CUZK_OK);

    for (uint32_t i = 20000; i < n_h; i += 37) bytes[H_AT + (size_t)i * 96 + 95] ^= 1;
    assert_int_equal(srs_check_points(&srs, &(srs_check_t){0}, strand, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, ": h: point 20000: "));
    strand_close(strand);
    srs_close(&srs);
    free(bytes);
}

/* Multiples of the generator, two workers; then an outsider `more` times over, at random. */
static bool batch_g1(unsigned more, bool and_negated)
{
    uint8_t bytes[96];
    g1_affine_t outsider;
    srs_batch_g1_t *batch;
    cuzk_error err;

    put_outsider(bytes, sizeof bytes);
    assert_true(g1_read_uncompressed(&outsider, bytes));
    assert_int_equal(srs_batch_g1_open(&batch, 2, &err), CUZK_OK);
    for (uint32_t i = 0; i < 50; i++)
        srs_batch_g1_add(batch, &multiples_g1[i % MAX_POINTS], i * 0x9e3779b97f4a7c15u, i % 2);
    for (uint32_t i = 0; i < more; i++)
        srs_batch_g1_add(batch, &outsider, (i + 1) * 0xbf58476d1ce4e5b9u, (i + 1) % 2);
    fp_neg(&outsider.y, &outsider.y);
    if (and_negated) srs_batch_g1_add(batch, &outsider, 0x94d049bb133111ebu, 0);
    bool verdict;

    assert_int_equal(srs_batch_g1_good(&verdict, batch, NULL, &err), CUZK_OK);
    srs_batch_g1_close(batch);
    return verdict;
}

static bool batch_g2(unsigned more, bool and_negated)
{
    uint8_t bytes[192];
    g2_affine_t outsider;
    srs_batch_g2_t *batch;
    cuzk_error err;

    put_outsider(bytes, sizeof bytes);
    assert_true(g2_read_uncompressed(&outsider, bytes));
    assert_int_equal(srs_batch_g2_open(&batch, 2, &err), CUZK_OK);
    for (uint32_t i = 0; i < 50; i++)
        srs_batch_g2_add(batch, &multiples_g2[i % MAX_POINTS], i * 0x9e3779b97f4a7c15u, i % 2);
    for (uint32_t i = 0; i < more; i++)
        srs_batch_g2_add(batch, &outsider, (i + 1) * 0xbf58476d1ce4e5b9u, (i + 1) % 2);
    fp2_neg(&outsider.y, &outsider.y);
    if (and_negated) srs_batch_g2_add(batch, &outsider, 0x94d049bb133111ebu, 0);
    bool verdict;

    assert_int_equal(srs_batch_g2_good(&verdict, batch, NULL, &err), CUZK_OK);
    srs_batch_g2_close(batch);
    return verdict;
}

static void test_batches(void **state)
{
    (void)state;
    assert_true(batch_g1(0, false));
    assert_true(batch_g2(0, false));
    for (unsigned n = 1; n < 4; n++) {
        assert_false(batch_g1(n, false));
        assert_false(batch_g2(n, false));
    }
    assert_false(batch_g1(1, true)); /* the sum of all is inside */
    assert_false(batch_g2(1, true));
}

static void test_missing(void **state)
{
    cuzk_error err;
    srs_t srs;

    (void)state;
    assert_int_equal(srs_open(&srs, CUZK_BINARY_DIR "/nothing-here", NULL, &err), CUZK_ERR_MISSING);
    assert_int_equal(srs_open(&srs, CUZK_BINARY_DIR, NULL, &err), CUZK_ERR_MISSING);
    assert_int_equal(srs_open(&srs, vk_path, NULL, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, vk_path));
}

/* A large section in G2, which needs large ones before it. */
static void test_many_points_g2(void **state)
{
    enum { N = 1 << 15 };
    const srs_check_t how = {.subgroup = true};
    const size_t b1_at = L_AT + (size_t)N * 96 + 4 + N_A * 96 + 4;
    const size_t b2_at = b1_at + (size_t)N * 96 + 4;
    const size_t length = b2_at + (size_t)N * 192;
    uint8_t *bytes = malloc(length);
    cuzk_error err;
    strand_t *strand;
    srs_t srs;

    (void)state;
    memcpy(bytes, good, L_AT);
    memcpy(bytes + b1_at - 4 - N_A * 96 - 4, good + A_AT - 4, N_A * 96 + 4);
    store_be32(bytes + L_AT - 4, N);
    store_be32(bytes + b1_at - 4, N);
    store_be32(bytes + b2_at - 4, N);
    for (size_t i = 0; i < N; i++) {
        memcpy(bytes + L_AT + i * 96, good + L_AT, 96);
        memcpy(bytes + b1_at + i * 96, good + L_AT, 96);
        memcpy(bytes + b2_at + i * 192, good + B2_AT, 192);
    }
    put_outsider(bytes + b2_at + 150 * 192, 192);
    assert_int_equal(strand_open(&strand, 2, &err), CUZK_OK);
    assert_int_equal(srs_open_bytes(&srs, bytes, length, name, NULL, &err), CUZK_OK);
    assert_int_equal(srs_check_points(&srs, &how, strand, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, ": b_g2: point 150: not in the subgroup"));
    memcpy(bytes + b2_at + 150 * 192, good + B2_AT, 192);
    assert_int_equal(srs_check_points(&srs, &how, strand, &err), CUZK_OK);
    strand_close(strand);
    srs_close(&srs);
    free(bytes);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest slow[] = {cmocka_unit_test(test_many_points_g2)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_longer),      cmocka_unit_test(test_lying_counts),
        cmocka_unit_test(test_relations),   cmocka_unit_test(test_bad_points),
        cmocka_unit_test(test_bad_keys),    cmocka_unit_test(test_vk_file),
        cmocka_unit_test(test_many_points), cmocka_unit_test(test_batches),
        cmocka_unit_test(test_missing)};

    if (argc > 1 && strcmp(argv[1], "slow") == 0)
        return cmocka_run_group_tests(slow, make_files, remove_files);
    return cmocka_run_group_tests(tests, make_files, remove_files);
}

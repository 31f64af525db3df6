/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Parameters that are read from a file while it is there, changes or should not be read at all. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "srs/srs.h"

enum { N_IC = 200, N_H = (1 << 16) - 1, N_L = 300, N_A = 400, N_B = 50 };
enum {
    IC_AT = 3 * 96 + 3 * 192 + 4,
    VK_BYTES = IC_AT + N_IC * 96,
    H_AT = VK_BYTES + 4,
    L_AT = H_AT + N_H * 96 + 4,
    A_AT = L_AT + N_L * 96 + 4,
    B1_AT = A_AT + N_A * 96 + 4,
    B2_AT = B1_AT + N_B * 96 + 4,
    FILE_BYTES = B2_AT + N_B * 192
};

static const struct {
    const char *name;
    size_t at, n, point_bytes;
} sections[SRS_SECTIONS] = {{"h", H_AT, N_H, 96},
                            {"l", L_AT, N_L, 96},
                            {"a", A_AT, N_A, 96},
                            {"b_g1", B1_AT, N_B, 96},
                            {"b_g2", B2_AT, N_B, 192}};

static char folder[64];
static char path[128];
static uint8_t *good; /* what stands at path when a test begins */

static srs_writer_t open_writer(bool replace)
{
    static g1_affine_t ic[N_IC];
    const g1_affine_t *g1 = g1_generator();
    const g2_affine_t *g2 = g2_generator();
    const srs_vk_t vk = {*g1, *g1, *g2, *g2, *g1, *g2, ic, N_IC};
    srs_writer_t w;
    cuzk_error err;

    for (size_t i = 0; i < N_IC; i++) ic[i] = *g1;
    assert_int_equal(srs_writer_open(&w, path, replace, &err), CUZK_OK);
    srs_writer_put_vk(&w, &vk);
    return w;
}

static int make_file(void **state)
{
    static g1_affine_t g1[N_H];
    static g2_affine_t g2[N_B];
    srs_writer_t w;
    cuzk_error err;
    size_t n;

    (void)state;
    (void)strcpy(folder, "/tmp/cuzk-srs-XXXXXX");
    if (mkdtemp(folder) == NULL) return -1;
    (void)snprintf(path, sizeof path, "%s/test.params", folder);
    for (size_t i = 0; i < N_H; i++) g1[i] = *g1_generator();
    for (size_t i = 0; i < N_B; i++) g2[i] = *g2_generator();
    w = open_writer(false);
    for (srs_section i = SRS_H; i < SRS_SECTIONS; i++) {
        const uint32_t count = (uint32_t)sections[i].n;

        srs_writer_begin(&w, count);
        const cuzk_status st = i == SRS_B_G2 ? srs_writer_add_g2(&w, g2, count, NULL, &err)
                                             : srs_writer_add_g1(&w, g1, count, NULL, &err);
        if (st != CUZK_OK) return -1;
    }
    if (srs_writer_commit(&w, &err) != CUZK_OK) return -1;
    if (file_read(&good, &n, path, FILE_BYTES, &err) != CUZK_OK) return -1;
    return n == FILE_BYTES ? 0 : -1;
}

static int remove_file(void **state)
{
    (void)state;
    free(good);
    return unlink(path) == 0 ? rmdir(folder) : -1;
}

static int restore_file(void **state)
{
    cuzk_error err;

    (void)state;
    return file_write(path, good, FILE_BYTES, true, &err) == CUZK_OK ? 0 : -1;
}

/* Changes one byte of the file where it is. */
static void spoil_byte(size_t at)
{
    const uint8_t byte = good[at] ^ 1;
    FILE *file = fopen(path, "r+b");

    assert_non_null(file);
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    assert_int_equal(fputc(byte, file), byte);
    assert_int_equal(fclose(file), 0);
}

static const points_t *section_of(const srs_t *srs, srs_section section)
{
    const points_t *const all[] = {&srs->h, &srs->l, &srs->a, &srs->b_g1, &srs->b_g2};

    return all[section];
}

static void ranges_are_read_from_the_file(void **state)
{
    uint8_t *got = malloc((size_t)N_H * 96);
    cuzk_error err;
    srs_t srs;

    (void)state;
    assert_int_equal(srs_open(&srs, path, NULL, &err), CUZK_OK);
    for (srs_section i = SRS_H; i < SRS_SECTIONS; i++) {
        const points_t *points = section_of(&srs, i);
        const size_t size = sections[i].point_bytes;

        assert_int_equal(points->n, sections[i].n);
        assert_int_equal(points->point_bytes, size);
        assert_int_equal(points->form, POINTS_UNCOMPRESSED);
        assert_null(points->base);
        for (size_t first = 0; first <= points->n; first += 1 + points->n / 5) {
            const size_t n = points->n - first;

            assert_int_equal(points_read(points, got, first, n, &err), CUZK_OK);
            assert_memory_equal(got, good + sections[i].at + first * size, n * size);
        }
    }
    assert_true(srs_resident_bytes(&srs) >= sizeof srs + N_IC * sizeof(g1_affine_t));
    assert_true(srs_resident_bytes(&srs) < sizeof srs + N_IC * sizeof(g1_affine_t) + 1000);
    srs_close(&srs);
    free(got);
}

static void expect_shorter(cuzk_status st, const cuzk_error *err, size_t at)
{
    char text[256];

    (void)snprintf(text, sizeof text, "%s: byte %zu: the file has become shorter: it had %d bytes",
                   path, at, (int)FILE_BYTES);
    assert_int_equal(st, CUZK_ERR_IO);
    assert_string_equal(err->text, text);
}

static void a_file_that_shrinks_is_an_error(void **state)
{
    const size_t end = A_AT + 100 * 96 + 5;
    uint8_t bytes[200 * 96];
    cuzk_error err;
    srs_t srs;

    (void)state;
    assert_int_equal(srs_open(&srs, path, NULL, &err), CUZK_OK);
    assert_int_equal(truncate(path, (off_t)end), 0);
    assert_int_equal(points_read(&srs.l, bytes, 0, 200, &err), CUZK_OK);
    assert_int_equal(points_read(&srs.a, bytes, 0, 100, &err), CUZK_OK);
    expect_shorter(points_read(&srs.a, bytes, 0, 200, &err), &err, end);
    expect_shorter(points_read(&srs.b_g2, bytes, 1, 1, &err), &err, B2_AT + 192);
    expect_shorter(srs_preload(&srs, NULL, &err), &err, end);
    assert_int_equal(srs_check_points(&srs, &(srs_check_t){0}, NULL, &err), CUZK_ERR_IO);
    assert_ptr_equal(strstr(err.text, path), err.text);
    assert_non_null(strstr(err.text, ": the file has become shorter"));
    srs_close(&srs);
}

static void a_pipe_is_refused_at_once(void **state)
{
    char pipe_path[140];
    cuzk_error err;
    srs_vk_t vk;
    srs_t srs;

    (void)state;
    (void)snprintf(pipe_path, sizeof pipe_path, "%s/pipe", folder);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    (void)alarm(10);
    assert_int_equal(srs_open(&srs, pipe_path, NULL, &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, "pipe: not a regular file"));
    assert_int_equal(srs_vk_read(&vk, pipe_path, NULL, &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, "pipe: not a regular file"));
    (void)alarm(0);
    assert_int_equal(unlink(pipe_path), 0);
    assert_int_equal(srs_open(&srs, "/dev/zero", NULL, &err), CUZK_ERR_MISSING);
}

/* In each section in turn, from the last to the first: the first bad section is told. */
static void bad_points_in_a_file_are_found(void **state)
{
    const srs_check_t quick = {0};
    const srs_check_t full = {.subgroup = true};
    char text[256];
    strand_t *strand;
    cuzk_error err;
    srs_t srs;

    (void)state;
    assert_int_equal(strand_open(&strand, 3, &err), CUZK_OK);
    assert_int_equal(srs_open(&srs, path, strand, &err), CUZK_OK);
    assert_int_equal(srs_check_points(&srs, &quick, strand, &err), CUZK_OK);
    for (srs_section i = SRS_SECTIONS; i-- > SRS_H;) {
        const size_t bad = sections[i].n - 1;

        spoil_byte(sections[i].at + (bad + 1) * sections[i].point_bytes - 1);
        (void)snprintf(text, sizeof text,
                       "%s: %s: point %zu: not a point of the curve with coordinates below p", path,
                       sections[i].name, bad);
        assert_int_equal(srs_check_points(&srs, &quick, strand, &err), CUZK_ERR_FORMAT);
        assert_string_equal(err.text, text);
    }
    assert_int_equal(srs_check_points(&srs, &full, strand, &err), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, text);
    srs_close(&srs);
    strand_close(strand);
}

/* A key with bad points is refused with the same words on any number of threads. */
static void keys_fail_alike_on_all_threads(void **state)
{
    static const struct {
        size_t bad[3];
        const char *text;
    } rows[] = {{{0, 0, 0}, ": verifying key: ic[0]: "},
                {{199, 150, 40}, ": verifying key: ic[40]: "},
                {{199, 199, 199}, ": verifying key: ic[199]: "},
                {{7, 8, 9}, ": verifying key: ic[7]: "},
                {{64, 63, 65}, ": verifying key: ic[63]: "}};
    static const uint8_t flags[] = {0x20, 0x40, 0x80};
    static const uint32_t threads[] = {0, 1, 3}; /* 0: no strand */
    uint8_t *bytes = malloc(FILE_BYTES);
    cuzk_error errs[3];
    cuzk_error err;
    srs_t srs;

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        memcpy(bytes, good, FILE_BYTES);
        for (size_t k = 0; k < 3; k++) bytes[IC_AT + rows[row].bad[k] * 96] |= flags[k];
        for (size_t k = 0; k < 3; k++) {
            strand_t *strand = NULL;

            if (threads[k] > 0) {
                assert_int_equal(strand_open(&strand, threads[k], &err), CUZK_OK);
            }
            assert_int_equal(srs_open_bytes(&srs, bytes, FILE_BYTES, "key", strand, &errs[k]),
                             CUZK_ERR_FORMAT);
            assert_non_null(strstr(errs[k].text, rows[row].text));
            assert_string_equal(errs[k].text, errs[0].text);
            strand_close(strand);
        }
    }
    free(bytes);
}

/* A strand whose job is given up at some point. */
typedef struct {
    cancel_t cancel;
    executor_t *executor;
    strand_t strand;
    unsigned calls;
} given_up_t;

static void begin(given_up_t *job)
{
    cuzk_error err;

    job->calls = 0;
    cancel_init(&job->cancel, UINT64_MAX);
    assert_int_equal(executor_open(&job->executor, 2, &err), CUZK_OK);
    strand_begin(&job->strand, job->executor, NULL, &job->cancel);
}

static void end(given_up_t *job)
{
    strand_end(&job->strand);
    executor_close(job->executor);
}

static void give_up(void *arg, uint64_t done, uint64_t total)
{
    given_up_t *job = arg;

    (void)done;
    (void)total;
    job->calls++;
    cancel_request(&job->cancel);
}

static void checks_and_openings_are_cancelled(void **state)
{
    given_up_t job;
    const srs_check_t how[] = {{.progress = give_up, .arg = &job},
                               {.progress = give_up, .arg = &job, .subgroup = true}};
    cuzk_error err;
    srs_t srs, other;

    (void)state;
    assert_int_equal(srs_open(&srs, path, NULL, &err), CUZK_OK);
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        begin(&job);
        assert_int_equal(srs_check_points(&srs, &how[i], &job.strand, &err), CUZK_CANCELLED);
        assert_int_equal(job.calls, 1);
        assert_int_equal(srs_open(&other, path, &job.strand, &err), CUZK_CANCELLED);
        assert_null(other.path);
        assert_int_equal(srs_preload(&srs, &job.cancel, &err), CUZK_CANCELLED);
        end(&job);
    }
    assert_int_equal(srs_preload(&srs, NULL, &err), CUZK_OK);
    srs_close(&srs);
}

/* A limit on the size of files stands in for a full disk: the points that no longer fit are told,
 * not the end of all the work. */
static void a_full_disk_is_told_early(void **state)
{
    static g1_affine_t points[1 << 14];
    struct rlimit before, limit;
    cuzk_error err;

    (void)state;
    (void)signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < 1 << 14; i++) points[i] = *g1_generator();
    srs_writer_t w = open_writer(true);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){.rlim_cur = 1 << 21, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    srs_writer_begin(&w, N_H);
    const cuzk_status first = srs_writer_add_g1(&w, points, 1 << 14, NULL, &err);
    const cuzk_status second = srs_writer_add_g1(&w, points, 1 << 14, NULL, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(first, CUZK_OK);
    assert_int_equal(second, CUZK_ERR_IO);
    assert_ptr_equal(strstr(err.text, path), err.text);
    assert_non_null(strstr(err.text, strerror(EFBIG)));
    srs_writer_discard(&w);
    srs_writer_discard(&w);
}

/* A .vk file of bytes, matched with the parameters at `path`. */
static cuzk_status match(const uint8_t *bytes, size_t n, cuzk_error *err)
{
    char vk_path[140];
    cuzk_status st;
    srs_t srs;

    (void)snprintf(vk_path, sizeof vk_path, "%s.vk", path);
    assert_int_equal(file_write(vk_path, bytes, n, true, err), CUZK_OK);
    assert_int_equal(srs_open(&srs, path, NULL, err), CUZK_OK);
    st = srs_match_vk(&srs, vk_path, err);
    srs_close(&srs);
    assert_int_equal(unlink(vk_path), 0);
    return st;
}

static void a_key_of_another_setup_is_told_apart(void **state)
{
    const struct {
        size_t at;
        const char *part;
    } changes[] = {{0, "alpha_g1"},
                   {191, "beta_g1"},
                   {192, "beta_g2"},
                   {575, "gamma_g2"},
                   {576, "delta_g1"},
                   {863, "delta_g2"},
                   {IC_AT - 1, "number of inputs"},
                   {IC_AT, "ic"},
                   {VK_BYTES - 1, "ic"}};
    uint8_t *bytes = malloc(VK_BYTES + 1);
    cuzk_error err;

    (void)state;
    memcpy(bytes, good, VK_BYTES + 1);
    assert_int_equal(match(bytes, VK_BYTES, &err), CUZK_OK);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        bytes[changes[i].at] ^= 4;
        assert_int_equal(match(bytes, VK_BYTES, &err), CUZK_ERR_FORMAT);
        assert_non_null(strstr(err.text, changes[i].part));
        assert_non_null(strstr(err.text, "two setups"));
        bytes[changes[i].at] ^= 4;
    }
    assert_int_equal(match(bytes, VK_BYTES - 96, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, "bytes"));
    assert_int_equal(match(bytes, VK_BYTES + 1, &err), CUZK_ERR_FORMAT);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_read_from_the_file),
        cmocka_unit_test_teardown(a_file_that_shrinks_is_an_error, restore_file),
        cmocka_unit_test(a_pipe_is_refused_at_once),
        cmocka_unit_test_teardown(bad_points_in_a_file_are_found, restore_file),
        cmocka_unit_test(keys_fail_alike_on_all_threads),
        cmocka_unit_test(checks_and_openings_are_cancelled),
        cmocka_unit_test(a_full_disk_is_told_early),
        cmocka_unit_test(a_key_of_another_setup_is_told_apart),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}

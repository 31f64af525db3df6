/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/select.h"
#include "srs/srs.h"

typedef struct {
    option_u32_t threads;
} params_options_t;

static const option_row_t rows[] = {THREADS_ROW(params_options_t, threads)};

static int run(int argc, char **argv);

const command_t command_params = {
    .name = "params",
    .summary = "check a parameter file or verifying key, every point of it",
    .arguments = "check FILE",
    .n_arguments = 2,
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes =
        "FILE ends in .params or .vk. Counts and sizes, then each point: its encoding, that it\n"
        "is on the curve and in the subgroup of order r.",
    .run = run,
};

static void report(void *arg, uint64_t done, uint64_t total)
{
    if (*(bool *)arg)
        (void)fprintf(stderr, "\r\033[Kchecked %llu of %llu points%s", (unsigned long long)done,
                      (unsigned long long)total, done == total ? "\r\033[K" : "");
}

static cuzk_status check_params(const char *path, uint32_t threads, cuzk_error *err)
{
    bool terminal = isatty(STDERR_FILENO) == 1;
    const srs_check_t how = {.subgroup = true, .progress = report, .arg = &terminal};
    pool_t *pool = NULL;
    srs_t srs;

    cuzk_status st = srs_open(&srs, path, err);
    if (st != CUZK_OK) return st;
    st = pool_open(&pool, threads, err);
    if (st == CUZK_OK) st = srs_check_points(&srs, &how, pool, err);
    if (st == CUZK_OK)
        (void)printf("%s: good: ic %u, h %zu, l %zu, a %zu, b_g1 %zu, b_g2 %zu\n", path,
                     srs.vk.n_ic, srs.h.n, srs.l.n, srs.a.n, srs.b_g1.n, srs.b_g2.n);
    pool_close(pool);
    srs_close(&srs);
    return st;
}

static cuzk_status check_vk(const char *path, cuzk_error *err)
{
    srs_vk_t vk;
    const cuzk_status st = srs_vk_read(&vk, path, err);

    if (st != CUZK_OK) return st;
    (void)printf("%s: good: ic %u\n", path, vk.n_ic);
    srs_vk_clear(&vk);
    return CUZK_OK;
}

static bool ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path);
    const size_t k = strlen(suffix);

    return n >= k && strcmp(path + n - k, suffix) == 0;
}

static cuzk_status check(const char *const words[2], const params_options_t *o, cuzk_error *err)
{
    if (strcmp(words[0], "check") != 0)
        return error_set(err, CUZK_ERR_ARG, "\"%s\": is not check (see cuzk params --help)",
                         words[0]);
    if (ends_in(words[1], ".params")) return check_params(words[1], o->threads.value, err);
    if (ends_in(words[1], ".vk")) return check_vk(words[1], err);
    return error_set(err, CUZK_ERR_ARG, "FILE: %s: ends in neither .params nor .vk", words[1]);
}

static int run(int argc, char **argv)
{
    params_options_t o = {0};
    const char *words[2];
    cuzk_error err;
    bool help;

    cuzk_status st = options_parse(&command_params, &o, words, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk", &command_params);
        return 0;
    }
    if (st == CUZK_OK) st = check(words, &o, &err);
    return finish("params", st, &err);
}

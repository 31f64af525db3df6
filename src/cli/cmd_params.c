/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/select.h"
#include "codec/json_write.h"
#include "srs/srs.h"

typedef struct {
    option_u32_t threads;
    bool json;
} params_options_t;

static const option_row_t rows[] = {
    {"--json", NULL, "print the counts as a JSON object at the end",
     offsetof(params_options_t, json), 0, 0, OPTION_FLAG},
    THREADS_ROW(params_options_t, threads),
};

static int run(int argc, char **argv);

const options_command_t command_params = {
    .name = "params",
    .summary = "check a parameter file or verifying key, every point of it",
    .arguments = "check FILE",
    .n_arguments = 2,
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes =
        "A FILE that ends in .vk is a verifying key, any other a parameter file. Checked are "
        "counts\n"
        "and sizes, then each point: its encoding, that it is on the curve and in the subgroup.",
    .run = run,
};

static void report(void *arg, uint64_t done, uint64_t total)
{
    progress_t *progress = arg;

    if (progress->terminal || done == total)
        (void)fprintf(stderr, "%schecked %llu of %llu points%s",
                      progress->terminal ? "\r\033[K" : "", (unsigned long long)done,
                      (unsigned long long)total, progress->terminal ? "" : "\n");
    progress->dirty = progress->terminal;
}

/* A file that is good; srs is NULL for a verifying key alone. */
static void print_good(const char *path, const srs_vk_t *vk, const srs_t *srs, bool json)
{
    json_writer_t w;

    if (!json) {
        (void)printf("%s: good: ic %u", path, vk->n_ic);
        if (srs != NULL)
            (void)printf(", h %zu, l %zu, a %zu, b_g1 %zu, b_g2 %zu", srs->h.n, srs->l.n, srs->a.n,
                         srs->b_g1.n, srs->b_g2.n);
        (void)putchar('\n');
        return;
    }
    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    json_write_string(&w, "file", path);
    json_write_bool(&w, "good", true);
    json_write_u64(&w, "ic", vk->n_ic);
    if (srs != NULL) {
        json_write_u64(&w, "h", srs->h.n);
        json_write_u64(&w, "l", srs->l.n);
        json_write_u64(&w, "a", srs->a.n);
        json_write_u64(&w, "b_g1", srs->b_g1.n);
        json_write_u64(&w, "b_g2", srs->b_g2.n);
    }
    json_write_end(&w);
    (void)puts(json_writer_text(&w));
    json_writer_clear(&w);
}

static cuzk_status check_params(const char *path, const params_options_t *o, cuzk_error *err)
{
    progress_t progress;
    const srs_check_t how = {.subgroup = true, .progress = report, .arg = &progress};
    strand_t *strand = NULL;
    srs_t srs;

    progress_init(&progress);
    cuzk_status st = srs_open(&srs, path, err);
    if (st != CUZK_OK) return st;
    st = strand_open(&strand, o->threads.value, err);
    if (st == CUZK_OK) st = srs_check_points(&srs, &how, strand, err);
    progress_end(&progress);
    if (st == CUZK_OK) print_good(path, &srs.vk, &srs, o->json);
    strand_close(strand);
    srs_close(&srs);
    return st;
}

static cuzk_status check_vk(const char *path, bool json, cuzk_error *err)
{
    srs_vk_t vk;
    const cuzk_status st = srs_vk_read(&vk, path, err);

    if (st != CUZK_OK) return st;
    print_good(path, &vk, NULL, json);
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
    if (ends_in(words[1], ".vk")) return check_vk(words[1], o->json, err);
    return check_params(words[1], o, err);
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

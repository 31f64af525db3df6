/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/select.h"
#include "codec/json_write.h"

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
        progress_say(progress, "checked %llu of %llu points", (unsigned long long)done,
                     (unsigned long long)total);
}

static void print_json(const char *path, const cuzk_params_info *info)
{
    json_writer_t w;

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    json_write_string(&w, "file", path);
    json_write_bool(&w, "good", true);
    json_write_u64(&w, "ic", info->n_ic);
    if (!info->is_key_alone) {
        json_write_u64(&w, "h", info->n_h);
        json_write_u64(&w, "l", info->n_l);
        json_write_u64(&w, "a", info->n_a);
        json_write_u64(&w, "b_g1", info->n_b_g1);
        json_write_u64(&w, "b_g2", info->n_b_g2);
    }
    json_write_end(&w);
    (void)puts(json_writer_text(&w));
    json_writer_clear(&w);
}

static void print_text(const char *path, const cuzk_params_info *info)
{
    (void)printf("%s: good: ic %llu", path, (unsigned long long)info->n_ic);
    if (!info->is_key_alone)
        (void)printf(", h %llu, l %llu, a %llu, b_g1 %llu, b_g2 %llu",
                     (unsigned long long)info->n_h, (unsigned long long)info->n_l,
                     (unsigned long long)info->n_a, (unsigned long long)info->n_b_g1,
                     (unsigned long long)info->n_b_g2);
    (void)putchar('\n');
}

static cuzk_status check(const char *const words[2], const params_options_t *o, cuzk_error *err)
{
    const cuzk_engine_options options = {.struct_size = sizeof options,
                                         .threads = o->threads.value};
    cuzk_params_info info = {.struct_size = sizeof info};
    cuzk_engine *engine;
    progress_t progress;

    if (strcmp(words[0], "check") != 0)
        return error_set(err, CUZK_ERR_ARG, "\"%s\": is not check (see cuzk params --help)",
                         words[0]);
    cuzk_status st = cuzk_engine_open(&engine, &options, err);
    if (st != CUZK_OK) return st;
    progress_init(&progress);
    st = cuzk_params_check(engine, words[1], &info, report, &progress, err);
    progress_end(&progress);
    cuzk_engine_close(engine);
    if (st == CUZK_OK && o->json) print_json(words[1], &info);
    if (st == CUZK_OK && !o->json) print_text(words[1], &info);
    return st;
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

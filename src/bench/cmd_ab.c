/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "bench/ab_record.h"
#include "bench/commands.h"

enum { MIN_RUNS = 3, DEFAULT_RUNS = 7, MAX_WARM_UP = 20, LINE_BYTES = 8192 };

typedef struct {
    const char *a, *b;
    const char *by;
    const char *record;
    const char *name;
    option_u32_t runs;
    option_u32_t warm_up;
    bool simulate;
    bool json;
    const char *const *command; /* behind "--" */
    int n_command;
    char line[LINE_BYTES];
} ab_options_t;

static const option_row_t rows[] = {
    {"--a", "CONFIG", "side A: KEY=VALUE,... or default", offsetof(ab_options_t, a), 0, 0,
     OPTION_TEXT},
    {"--b", "CONFIG", "side B", offsetof(ab_options_t, b), 0, 0, OPTION_TEXT},
    {"--runs", "N", "runs a side (default 7)", offsetof(ab_options_t, runs), MIN_RUNS, AB_MAX_RUNS,
     OPTION_U32},
    {"--warm-up", "N", "pairs run before and left out (default 1)", offsetof(ab_options_t, warm_up),
     0, MAX_WARM_UP, OPTION_U32},
    {"--by", "wall|cpu", "the time the verdict is by (default wall)", offsetof(ab_options_t, by), 0,
     0, OPTION_TEXT},
    {"--cachegrind", NULL, "synth-only: simulated counters of one iteration a side",
     offsetof(ab_options_t, simulate), 0, 0, OPTION_FLAG},
    {"--record", "DIR", "write NAME.md and NAME.json there", offsetof(ab_options_t, record), 0, 0,
     OPTION_TEXT},
    {"--name", "NAME", "of the record (default: made of command and sides)",
     offsetof(ab_options_t, name), 0, 0, OPTION_TEXT},
    {"--json", NULL, "print JSON, not Markdown", offsetof(ab_options_t, json), 0, 0, OPTION_FLAG},
};

static int run(int argc, char **argv);

const command_t command_ab = {
    .name = "ab",
    .summary = "measure two variants by turns: ab --a CONFIG --b CONFIG -- COMMAND ...",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes = "COMMAND is synth-only, kernels or prove with its options. How the interval and the\n"
             "verdict come about is described in docs/benchmarks.md. Keys:",
    .run = run,
};

static cuzk_status fill(ab_t *ab, const ab_options_t *o, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    *ab = (ab_t){.runs = o->runs.given ? o->runs.value : DEFAULT_RUNS,
                 .warm_up = o->warm_up.given ? o->warm_up.value : 1,
                 .simulate = o->simulate};
    if (o->a == NULL || o->b == NULL)
        return error_set(err, CUZK_ERR_ARG, "%s: is needed", o->a == NULL ? "--a" : "--b");
    if (o->by != NULL && strcmp(o->by, "wall") != 0 && strcmp(o->by, "cpu") != 0)
        return error_set(err, CUZK_ERR_ARG, "--by: \"%s\" is neither wall nor cpu", o->by);
    if (o->n_command == 0)
        return error_set(err, CUZK_ERR_ARG, "-- COMMAND ...: is needed (see ab --help)");
    st = ab_subject_parse(&ab->subject, o->command[0], err);
    if (st == CUZK_OK && o->simulate && ab->subject != AB_SYNTH)
        st = error_set(err, CUZK_ERR_ARG, "--cachegrind: is for synth-only");
    if (st == CUZK_OK) st = ab_config_parse(&ab->a.config, "--a", o->a, ab->subject, err);
    if (st == CUZK_OK) st = ab_config_parse(&ab->b.config, "--b", o->b, ab->subject, err);
    for (int i = 0; i < o->n_command && st == CUZK_OK; i++)
        st = child_add(&ab->command, o->command[i], err);
    return st;
}

/* A file's name of the command and the sides: letters and digits, the rest dashes. */
static void make_name(char *name, size_t size, const ab_t *ab)
{
    (void)snprintf(name, size, "%s-%s-%s", ab->command.args[0], ab->a.config.text,
                   ab->b.config.text);
    for (; *name != '\0'; name++)
        if (strchr("=,/. ", *name) != NULL) *name = '-';
}

static cuzk_status save(const ab_record_t *record, const ab_options_t *o, cuzk_error *err)
{
    char name[2 * AB_CONFIG_BYTES + 32];
    char path[CHILD_PATH_BYTES + 2 * AB_CONFIG_BYTES + 64];
    char *text = NULL;
    size_t length = 0;
    json_writer_t w;

    if (o->name != NULL)
        (void)snprintf(name, sizeof name, "%s", o->name);
    else
        make_name(name, sizeof name, record->ab);
    if (mkdir(o->record, 0777) != 0 && errno != EEXIST)
        return error_set(err, CUZK_ERR_ARG, "--record: %s: %s", o->record, strerror(errno));
    FILE *memory = open_memstream(&text, &length);
    if (memory == NULL) return error_set(err, CUZK_ERR_MEMORY, "record: no memory");
    ab_record_markdown(memory, record);
    (void)fclose(memory);
    (void)snprintf(path, sizeof path, "%s/%s.md", o->record, name);
    cuzk_status st = write_file(path, text, length, true, err);
    free(text);
    if (st != CUZK_OK) return st;
    ab_record_json(&w, JSON_PRETTY, record);
    (void)snprintf(path, sizeof path, "%s/%s.json", o->record, name);
    st = write_file(path, json_writer_text(&w), strlen(json_writer_text(&w)), true, err);
    json_writer_clear(&w);
    return st;
}

static void print(const ab_record_t *record, bool json)
{
    json_writer_t w;

    if (!json) {
        ab_record_markdown(stdout, record);
        return;
    }
    ab_record_json(&w, JSON_ONE_LINE, record);
    (void)puts(json_writer_text(&w));
    json_writer_clear(&w);
}

static cuzk_status measure(const void *options, cuzk_error *err)
{
    const ab_options_t *o = options;
    ab_record_t record;
    static ab_t ab;

    cuzk_status st = fill(&ab, o, err);
    if (st != CUZK_OK) return st;
    st = ab_run(&ab, err);
    if (st == CUZK_OK) {
        ab_record_init(&record, &ab, o->line, o->by != NULL && strcmp(o->by, "cpu") == 0);
        print(&record, o->json);
        if (o->record != NULL) st = save(&record, o, err);
    }
    ab_clear(&ab);
    return st;
}

/* The command line as a shell takes it; words that need it are quoted. */
static void join(char *line, size_t size, int argc, char **argv)
{
    int used = snprintf(line, size, "cuzk-bench");

    for (int i = 0; i < argc && used >= 0 && (size_t)used < size; i++) {
        const bool plain = argv[i][0] != '\0' && strpbrk(argv[i], " \t\"'$`\\*?<>|&;()") == NULL;

        used += snprintf(line + used, size - (size_t)used, plain ? " %s" : " '%s'", argv[i]);
    }
}

static int run(int argc, char **argv)
{
    static ab_options_t o;
    int n = 0;

    join(o.line, sizeof o.line, argc, argv);
    while (n < argc && strcmp(argv[n], "--") != 0) n++;
    if (n < argc) {
        o.command = (const char *const *)argv + n + 1;
        o.n_command = argc - n - 1;
    }
    const int code = command_run(&command_ab, &o, NULL, measure, n, argv);
    for (int i = 1; i < n; i++)
        if (code == 0 && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            ab_config_print_keys();
            break;
        }
    return code;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "bench/ab_record.h"
#include "bench/cachegrind.h"
#include "bench/commands.h"
#include "bench/lc_variant.h"
#include "cli/interrupt.h"

enum { MIN_RUNS = 3, DEFAULT_RUNS = 7, MAX_WARM_UP = 20, MAX_NAME_BYTES = 200 };

typedef struct {
    const char *a, *b;
    option_choice_t by;
    const char *record;
    const char *name;
    option_u32_t runs;
    option_u32_t warm_up;
    bool simulate;
    bool json;
    const char *const *command; /* behind "--" */
    int n_command;
    char *line;     /* the whole command line, owned */
    char *measured; /* that of the command, owned */
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
     0, OPTION_CHOICE},
    {"--cachegrind", NULL, "synth-only: simulated counters of one iteration a side",
     offsetof(ab_options_t, simulate), 0, 0, OPTION_FLAG},
    {"--record", "DIR", "write NAME.md and NAME.json there", offsetof(ab_options_t, record), 0, 0,
     OPTION_TEXT},
    {"--name", "NAME", "of the record (default: made of command and sides)",
     offsetof(ab_options_t, name), 0, 0, OPTION_TEXT},
    {"--json", NULL, "print JSON, not Markdown", offsetof(ab_options_t, json), 0, 0, OPTION_FLAG},
};

static int run(int argc, char **argv);

const options_command_t command_ab = {
    .name = "ab",
    .summary = "measure two variants by turns: ab --a CONFIG --b CONFIG -- COMMAND ...",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes = "How the interval and the verdict come about is described in docs/benchmarks.md.",
    .run = run,
};

static cuzk_status check_options(const ab_options_t *o, cuzk_error *err)
{
    if (o->a == NULL || o->b == NULL)
        return error_set(err, CUZK_ERR_ARG, "%s: is needed", o->a == NULL ? "--a" : "--b");
    if (o->name != NULL && o->record == NULL)
        return error_set(err, CUZK_ERR_ARG, "--name: names a record, and there is no --record");
    if (o->name != NULL && (strchr(o->name, '/') != NULL || strlen(o->name) > MAX_NAME_BYTES))
        return error_set(err, CUZK_ERR_ARG, "--name: \"%.40s\" has a / or over %d characters",
                         o->name, MAX_NAME_BYTES);
    if (o->n_command == 0)
        return error_set(err, CUZK_ERR_ARG, "-- COMMAND ...: is needed (see ab --help)");
    if (o->line == NULL || o->measured == NULL)
        return error_set(err, CUZK_ERR_MEMORY, "command line: no memory");
    return CUZK_OK;
}

/* Words with which the measured command has nothing to compare. */
static cuzk_status check_command(const ab_t *ab, cuzk_error *err)
{
    static const char *const words[] = {"--help", "-h", "--no-digests"};

    for (uint32_t i = 0; i < ab->command.n; i++)
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            if (strcmp(ab->command.args[i], words[k]) == 0)
                return error_set(err, CUZK_ERR_ARG,
                                 "COMMAND: with %s it tells no result to compare the sides by",
                                 words[k]);
    return CUZK_OK;
}

/* The programs of the sides' storages are there. */
static cuzk_status check_storage(const ab_config_t *config, cuzk_error *err)
{
    static const char option[] = "--lc-storage=";

    if (config->program != NULL) return CUZK_OK; /* it knows its own */
    for (uint32_t i = 0; i < config->n_args; i++) {
        if (strncmp(config->args[i], option, strlen(option)) != 0) continue;
        const cuzk_status st = lc_variant_check(config->args[i] + strlen(option), err);

        if (st != CUZK_OK) return st;
    }
    return CUZK_OK;
}

static cuzk_status check_simulation(const ab_t *ab, cuzk_error *err)
{
    if (!ab->simulate) return CUZK_OK;
    if (ab->subject != AB_SYNTH)
        return error_set(err, CUZK_ERR_ARG, "--cachegrind: is for synth-only");
    for (uint32_t i = 0; i < ab->command.n; i++)
        if (option_is(ab->command.args[i], "--counters"))
            return error_set(err, CUZK_ERR_ARG, "--cachegrind: COMMAND has --counters, too");
    return cachegrind_check(err);
}

static cuzk_status fill(ab_t *ab, const ab_options_t *o, cuzk_error *err)
{
    *ab = (ab_t){.runs = o->runs.given ? o->runs.value : DEFAULT_RUNS,
                 .warm_up = o->warm_up.given ? o->warm_up.value : 1,
                 .simulate = o->simulate};
    cuzk_status st = check_options(o, err);
    if (st == CUZK_OK) st = ab_subject_parse(&ab->subject, o->command[0], err);
    if (st == CUZK_OK) st = ab_config_parse(&ab->a.config, "--a", o->a, ab->subject, err);
    if (st == CUZK_OK) st = ab_config_parse(&ab->b.config, "--b", o->b, ab->subject, err);
    for (int i = 0; i < o->n_command && st == CUZK_OK; i++)
        st = child_add(&ab->command, o->command[i], err);
    if (st == CUZK_OK) st = ab_config_check(&ab->a.config, "--a", &ab->command, err);
    if (st == CUZK_OK) st = ab_config_check(&ab->b.config, "--b", &ab->command, err);
    if (st == CUZK_OK) st = check_command(ab, err);
    if (st == CUZK_OK) st = check_storage(&ab->a.config, err);
    if (st == CUZK_OK) st = check_storage(&ab->b.config, err);
    if (st == CUZK_OK) st = ab_program_open(&ab->a.program, "--a", ab->a.config.program, err);
    if (st == CUZK_OK) st = ab_program_open(&ab->b.program, "--b", ab->b.config.program, err);
    return st == CUZK_OK ? check_simulation(ab, err) : st;
}

/* A file's name of the command and the sides: letters and digits, the rest dashes. */
static void make_name(char *name, size_t size, const ab_t *ab)
{
    (void)snprintf(name, size, "%s-%s-%s", ab->command.args[0], ab->a.config.text,
                   ab->b.config.text);
    for (; *name != '\0'; name++)
        if (strchr("=,/. ", *name) != NULL) *name = '-';
}

/* The two files of a record. */
typedef struct {
    atomic_file_t markdown, json;
} record_files_t;

static cuzk_status open_file(atomic_file_t *file, const char *folder, const char *name,
                             const char *suffix, cuzk_error *err)
{
    char path[CHILD_PATH_BYTES];
    const int n = snprintf(path, sizeof path, "%s/%s.%s", folder, name, suffix);

    if (n < 0 || (size_t)n >= sizeof path)
        return error_set(err, CUZK_ERR_ARG, "the path is too long");
    return atomic_file_open(file, path, true, err);
}

static cuzk_status open_record(record_files_t *files, const ab_options_t *o, const ab_t *ab,
                               cuzk_error *err)
{
    char made[2 * AB_CONFIG_BYTES + 32];

    *files = (record_files_t){0};
    make_name(made, sizeof made, ab);
    made[MAX_NAME_BYTES] = '\0';
    const char *name = o->name != NULL ? o->name : made;
    if (mkdir(o->record, 0777) != 0 && errno != EEXIST)
        return error_set(err, CUZK_ERR_ARG, "--record: %s: %s", o->record, strerror(errno));
    cuzk_status st = open_file(&files->markdown, o->record, name, "md", err);
    if (st == CUZK_OK) st = open_file(&files->json, o->record, name, "json", err);
    return st == CUZK_OK ? st : error_within(err, "--record");
}

/* Harmless on what is committed or was never opened. */
static void discard_record(record_files_t *files)
{
    atomic_file_discard(&files->markdown);
    atomic_file_discard(&files->json);
}

/* Whether there is a place for the record, before all the runs. */
static cuzk_status probe_record(const ab_options_t *o, const ab_t *ab, cuzk_error *err)
{
    record_files_t files;

    interrupt_begin(NULL, NULL);
    const cuzk_status st = open_record(&files, o, ab, err);
    discard_record(&files);
    interrupt_end();
    return st == CUZK_OK ? cancel_status(interrupt_token(), err) : st;
}

static cuzk_status write_record(record_files_t *files, const ab_record_t *record, cuzk_error *err)
{
    json_writer_t w;

    ab_record_markdown(files->markdown.stream, record);
    ab_record_json(&w, JSON_PRETTY, record);
    (void)fputs(json_writer_text(&w), files->json.stream); /* the commit says what went wrong */
    json_writer_clear(&w);
    return atomic_file_commit_all((atomic_file_t *const[]){&files->markdown, &files->json}, 2, err);
}

static cuzk_status save(const ab_record_t *record, const ab_options_t *o, cuzk_error *err)
{
    record_files_t files;

    interrupt_begin(NULL, NULL);
    cuzk_status st = open_record(&files, o, record->ab, err);
    if (st == CUZK_OK) st = write_record(&files, record, err);
    discard_record(&files);
    interrupt_end();
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
    if (st == CUZK_OK && o->record != NULL) st = probe_record(o, &ab, err);
    if (st == CUZK_OK) st = ab_run(&ab, err);
    if (st == CUZK_OK) {
        ab_record_init(&record, &ab, o->line, o->measured, o->by.value == 1);
        print(&record, o->json);
        if (o->record != NULL) st = save(&record, o, err);
    }
    ab_clear(&ab);
    return st;
}

/* A word as a shell takes it. */
static void write_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./=,:+-";

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        (void)fputs(word, out);
        return;
    }
    (void)fputc('\'', out);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            (void)fputs("'\\''", out);
        else
            (void)fputc(*word, out);
    (void)fputc('\'', out);
}

/* The command line, with what of the environment has a say, as a new string; NULL without memory.
 */
static char *join(int argc, const char *const *argv)
{
    const char *kernels = getenv("CUZK_KERNELS");
    char *line = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&line, &length);

    if (out == NULL) return NULL;
    if (kernels != NULL && *kernels != '\0') {
        (void)fputs("CUZK_KERNELS=", out);
        write_word(out, kernels);
        (void)fputc(' ', out);
    }
    (void)fputs("cuzk-bench", out);
    for (int i = 0; i < argc; i++) {
        (void)fputc(' ', out);
        write_word(out, argv[i]);
    }
    (void)fclose(out);
    return line;
}

static int run(int argc, char **argv)
{
    ab_options_t o = {.line = join(argc, (const char *const *)argv)};
    int n = 0;

    while (n < argc && strcmp(argv[n], "--") != 0) n++;
    if (n < argc) {
        o.command = (const char *const *)argv + n + 1;
        o.n_command = argc - n - 1;
        o.measured = join(o.n_command, o.command);
    }
    const int code = command_run(&command_ab, &o, NULL, measure, n, argv);
    free(o.line);
    free(o.measured);
    for (int i = 1; i < n; i++)
        if (code == 0 && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            ab_config_print_keys();
            break;
        }
    return code;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/random.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/select.h"
#include "cli/trapdoor.h"
#include "codec/json_write.h"

#define LARGE_SECTOR_BYTES ((uint64_t)1 << 35) /* from here on --insecure is asked for */

typedef struct {
    selection_t selection;
    const char *params;
    const char *trapdoor;
    option_u32_t threads;
    bool force;
    bool insecure;
    bool json;
    bool quiet;
} setup_options_t;

static const option_row_t rows[] = {
    SELECTION_ROWS(setup_options_t, selection),
    {"--params", "DIR", "folder to write to (else $FIL_PROOFS_PARAMETER_CACHE, if it is set)",
     offsetof(setup_options_t, params), 0, 0, OPTION_TEXT},
    {"--trapdoor", "FILE", "secrets as JSON (else from the system, and wiped)",
     offsetof(setup_options_t, trapdoor), 0, 0, OPTION_TEXT},
    {"--force", NULL, "replace files that are there", offsetof(setup_options_t, force), 0, 0,
     OPTION_FLAG},
    {"--insecure", NULL, "yes, I know: wanted for 32GiB and 64GiB",
     offsetof(setup_options_t, insecure), 0, 0, OPTION_FLAG},
    {"--json", NULL, "print the files, time and peak memory as a JSON object at the end",
     offsetof(setup_options_t, json), 0, 0, OPTION_FLAG},
    QUIET_ROW(setup_options_t, quiet),
    THREADS_ROW(setup_options_t, threads),
};

static int run(int argc, char **argv);

const options_command_t command_setup = {
    .name = "setup",
    .summary = "make parameters for tests (insecure)",
    .arguments = "KIND",
    .n_arguments = 1,
    .words = KIND_WORDS,
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes =
        "KIND: porep, update, winning or window. Writes v28-ID.params and v28-ID.vk, in the\n"
        "format and under the names of the reference. Parameters of one maker are insecure:\n"
        "the public network's come from its ceremony and cannot be made with this command.\n\n"
        "Both files are whole before either stands under its name. SIGINT, SIGTERM and SIGHUP\n"
        "stop it without a trace; what a killed one has left (v28-ID....cuzk-tmp....) the next\n"
        "one of that circuit removes.",
    .run = run,
};

/* The folder to write to; never the system-wide default on its own. */
static cuzk_status choose_folder(const char **folder, const setup_options_t *o, cuzk_error *err)
{
    static const char variable[] = "FIL_PROOFS_PARAMETER_CACHE";
    const char *source = o->params != NULL ? "--params" : variable;
    struct stat info;

    *folder = o->params != NULL ? o->params : getenv(variable);
    if (*folder == NULL || **folder == '\0')
        return error_set(err, CUZK_ERR_ARG,
                         "--params: is needed (or $%s): the default folder is not written to",
                         variable);
    if (stat(*folder, &info) != 0)
        return error_set(err, CUZK_ERR_MISSING, "%s: %s: no such folder", source, *folder);
    if (!S_ISDIR(info.st_mode))
        return error_set(err, CUZK_ERR_ARG, "%s: %s: is not a folder", source, *folder);
    return CUZK_OK;
}

static cuzk_status refuse_existing(const char *path, bool force, cuzk_error *err)
{
    struct stat info;

    if (force || lstat(path, &info) != 0) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "%s: exists already; --force replaces it", path);
}

static void report(void *arg, const char *section, uint64_t done, uint64_t total)
{
    progress_count(arg, section, done, total);
}

static void print_result(const char *params, const char *vk, double seconds)
{
    json_writer_t w;

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    json_write_string(&w, "params", params);
    json_write_string(&w, "vk", vk);
    json_write_double(&w, "total_s", seconds);
    json_write_u64(&w, "peak_rss_bytes", process_peak_rss_bytes());
    json_write_end(&w);
    (void)puts(json_writer_text(&w));
    json_writer_clear(&w);
}

static void stop_engine(void *engine)
{
    cuzk_engine_stop(engine);
}

static cuzk_status run_setup(const setup_options_t *o, cuzk_setup_options *setup, cuzk_error *err)
{
    const cuzk_engine_options options = {.struct_size = sizeof options,
                                         .threads = o->threads.value};
    cuzk_engine *engine;
    progress_t progress;

    cuzk_status st = cuzk_engine_open(&engine, &options, err);
    if (st != CUZK_OK) return st;
    interrupt_begin(stop_engine, engine);
    (void)fprintf(stderr,
                  "cuzk setup: these parameters of %s are INSECURE, for tests only: whoever made "
                  "them can forge proofs\n",
                  setup->circuit);
    progress_init(&progress, !o->quiet && !o->json);
    setup->progress = report;
    setup->progress_arg = &progress;
    st = cuzk_setup(engine, setup, err);
    interrupt_end();
    progress_end(&progress);
    cuzk_engine_close(engine);
    return st;
}

static cuzk_status make(const setup_options_t *o, cuzk_setup_options *setup, cuzk_error *err)
{
    const uint64_t start = clock_monotonic_ns();
    char *params = NULL, *vk = NULL;

    cuzk_status st = cuzk_params_path(setup->folder, setup->circuit, "params", &params, err);
    if (st == CUZK_OK) st = cuzk_params_path(setup->folder, setup->circuit, "vk", &vk, err);
    if (st == CUZK_OK) st = refuse_existing(params, o->force, err);
    if (st == CUZK_OK) st = refuse_existing(vk, o->force, err);
    if (st == CUZK_OK) st = run_setup(o, setup, err);
    if (st == CUZK_OK && o->json)
        print_result(params, vk, clock_seconds_between(start, clock_monotonic_ns()));
    cuzk_bytes_free(params);
    cuzk_bytes_free(vk);
    return st;
}

static cuzk_status setup(const setup_options_t *o, const char *word, cuzk_error *err)
{
    cuzk_setup_options setup = {.struct_size = sizeof setup, .replace = o->force};
    cuzk_trapdoor trapdoor;
    cuzk_proof_info proof;
    cuzk_kind kind;

    cuzk_status st = cuzk_kind_from_text(word, "KIND", &kind, err);
    if (st == CUZK_OK) st = select_proof(&proof, &o->selection, kind, err);
    if (st == CUZK_OK && proof.sector_bytes >= LARGE_SECTOR_BYTES && !o->insecure)
        st = error_set(err, CUZK_ERR_ARG,
                       "--sector-size %s: parameters of real sectors made here could forge their "
                       "proofs; --insecure makes them all the same",
                       proof.sector_size);
    if (st != CUZK_OK) return st;
    setup.circuit = proof.circuit;
    if (o->trapdoor != NULL) {
        st = trapdoor_read(&trapdoor, o->trapdoor, err);
        setup.trapdoor = &trapdoor;
    }
    if (st == CUZK_OK) st = choose_folder(&setup.folder, o, err);
    if (st == CUZK_OK) st = make(o, &setup, err);
    mem_wipe(&trapdoor, sizeof trapdoor);
    return st;
}

static int run(int argc, char **argv)
{
    setup_options_t o = {0};
    const char *word;
    cuzk_error err;
    bool help;

    cuzk_status st = options_parse(&command_setup, &o, &word, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk", &command_setup);
        return 0;
    }
    if (st == CUZK_OK) st = setup(&o, word, &err);
    return finish("setup", st, &err);
}

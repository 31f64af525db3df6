/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "api/context.h"
#include "base/clock.h"
#include "base/random.h"
#include "cli/commands.h"
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
    THREADS_ROW(setup_options_t, threads),
};

static int run(int argc, char **argv);

const options_command_t command_setup = {
    .name = "setup",
    .summary = "make parameters for tests (insecure)",
    .arguments = "KIND",
    .n_arguments = 1,
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes = "KIND: porep, update, winning or window. Writes v28-ID.params and v28-ID.vk, in the\n"
             "format and under the names of the reference. Parameters of one maker are insecure:\n"
             "the public network's come from its ceremony and cannot be made with this command.",
    .run = run,
};

/* The folder to write to; never the system-wide default on its own. */
static cuzk_status choose_folder(const char **folder, const setup_options_t *o, cuzk_error *err)
{
    params_place_t place = {o->params, "--params"};
    struct stat info;

    if (place.folder == NULL) {
        place = params_default_place();
        if (place.source[0] == 't')
            return error_set(err, CUZK_ERR_ARG,
                             "--params: is needed (or $FIL_PROOFS_PARAMETER_CACHE): the default "
                             "folder %s is not written to",
                             place.folder);
    }
    if (stat(place.folder, &info) != 0)
        return error_set(err, CUZK_ERR_MISSING, "%s: %s: no such folder", place.source,
                         place.folder);
    if (!S_ISDIR(info.st_mode))
        return error_set(err, CUZK_ERR_ARG, "%s: %s: is not a folder", place.source, place.folder);
    *folder = place.folder;
    return CUZK_OK;
}

static cuzk_status refuse_existing(const char *path, bool force, cuzk_error *err)
{
    struct stat info;

    if (force || lstat(path, &info) != 0) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "%s: exists already; --force replaces it", path);
}

/* A line that changes on a terminal; elsewhere one for each section that is done. */
static void report(void *arg, const char *section, uint64_t done, uint64_t total)
{
    progress_t *progress = arg;

    if (progress->terminal)
        (void)fprintf(stderr, "\r\033[K%s: %llu of %llu points", section, (unsigned long long)done,
                      (unsigned long long)total);
    else if (done == total)
        (void)fprintf(stderr, "%s: %llu points\n", section, (unsigned long long)total);
    progress->dirty = progress->terminal;
}

static void print_result(const char *params, const char *vk, double seconds)
{
    json_writer_t w;

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    json_write_string(&w, "params", params);
    json_write_string(&w, "vk", vk);
    json_write_double(&w, "total_s", seconds);
    json_write_u64(&w, "peak_rss_bytes", peak_rss_bytes());
    json_write_end(&w);
    (void)puts(json_writer_text(&w));
    json_writer_clear(&w);
}

static cuzk_status make(const setup_options_t *o, const circuit_row_t *row, const char *folder,
                        const groth16_secrets_t *secrets, cuzk_error *err)
{
    char *params = params_path(folder, row, "params");
    char *vk = params_path(folder, row, "vk");
    const uint64_t start = clock_monotonic_ns();
    progress_t progress;
    void *blank = NULL;
    strand_t *strand = NULL;

    progress_init(&progress);
    cuzk_status st = refuse_existing(params, o->force, err);
    if (st == CUZK_OK) st = refuse_existing(vk, o->force, err);
    if (st == CUZK_OK) st = strand_open(&strand, o->threads.value, err);
    if (st == CUZK_OK) {
        const groth16_outputs_t outputs = {.params_path = params,
                                           .vk_path = vk,
                                           .replace = o->force,
                                           .progress = report,
                                           .progress_arg = &progress};
        const circuit_fn circuit = circuit_blank(&blank, row);

        (void)fprintf(stderr,
                      "cuzk setup: these parameters of %s are INSECURE, for tests only: whoever "
                      "made them can forge proofs\n",
                      row->label);
        st = groth16_setup(&outputs, circuit, blank, secrets, strand, err);
    }
    progress_end(&progress);
    if (st == CUZK_OK && o->json)
        print_result(params, vk, seconds_between(start, clock_monotonic_ns()));
    strand_close(strand);
    free(blank);
    free(params);
    free(vk);
    return st;
}

static cuzk_status setup(const setup_options_t *o, const char *word, cuzk_error *err)
{
    groth16_secrets_t secrets;
    registered_proof_t proof;
    const char *folder = NULL;
    circuit_kind kind;

    cuzk_status st = select_kind(&kind, "KIND", word, (1u << CIRCUIT_KINDS) - 1, err);
    if (st == CUZK_OK) st = select_proof(&proof, &o->selection, kind, err);
    if (st == CUZK_OK && proof.row->sector_bytes >= LARGE_SECTOR_BYTES && !o->insecure)
        st = error_set(err, CUZK_ERR_ARG,
                       "--sector-size %s: parameters of real sectors made here could forge their "
                       "proofs; --insecure makes them all the same",
                       proof.row->size_name);
    if (st == CUZK_OK) st = choose_folder(&folder, o, err);
    if (st != CUZK_OK) return st;
    st = o->trapdoor != NULL ? trapdoor_read(&secrets, o->trapdoor, err)
                             : groth16_random_secrets(&secrets, err);
    if (st == CUZK_OK) st = make(o, proof.row, folder, &secrets, err);
    wipe(&secrets, sizeof secrets);
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

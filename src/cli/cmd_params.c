/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/network.h"
#include "cli/progress.h"
#include "cli/select.h"
#include "cli/shown.h"
#include "codec/json_write.h"

typedef struct {
    network_choice_t choice;
    option_u32_t threads;
    bool all;
    bool json;
    bool quiet;
} params_options_t;

static const option_row_t rows[] = {
    PARAMS_ROW(params_options_t, choice.folder),
    {"--sector-size", SECTOR_SIZE_WORDS, "list, fetch-list: of these sectors alone",
     offsetof(params_options_t, choice.sector_size), 0, 0, OPTION_WORD},
    {"--kind", KIND_WORDS, "list, fetch-list: of these proofs alone",
     offsetof(params_options_t, choice.kind), 0, 0, OPTION_WORD},
    {"--all", NULL, "fetch-list: also files that are there", offsetof(params_options_t, all), 0, 0,
     OPTION_FLAG},
    {"--json", NULL, "print the findings as JSON", offsetof(params_options_t, json), 0, 0,
     OPTION_FLAG},
    QUIET_ROW(params_options_t, quiet),
    THREADS_ROW(params_options_t, threads),
};

static int run(int argc, char **argv);

const options_command_t command_params = {
    .name = "params",
    .summary = "check a parameter file, every point of it, or list the public network's",
    .arguments = "check FILE | list | fetch-list",
    .n_arguments = 1,
    .n_optional = 1,
    .words = "check|list|fetch-list",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes =
        "check: whether FILE is a verifying key or a parameter file is told by its content. "
        "Checked\n"
        "are counts and sizes, then each point: its encoding, that it is on the curve and in the\n"
        "subgroup. Then it is told whether the file is the public network's, by its digest.\n\n"
        "list: the public network's files with their lengths and published digests (the first 16\n"
        "bytes of BLAKE2b-512), and what of them is in the folder. A key that is there is\n"
        "compared by digest, parameters by their length (check looks at the rest).\n\n"
        "fetch-list: the files that are not in the folder, for a program that fetches them; a\n"
        "line each, with tabs between: name, CID, digest, length. With --json an object in the\n"
        "form of the published parameters.json.",
    .run = run,
};

/* ---- check ------------------------------------------------------------------------------------
 */

static void report_points(void *arg, uint64_t done, uint64_t total)
{
    progress_count(arg, "points", done, total);
}

static void report_digest(void *arg, uint64_t done, uint64_t total)
{
    progress_count(arg, "digest", done, total);
}

static void print_check_json(const char *path, const cuzk_params_info *info, const char *public)
{
    json_writer_t w;

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    json_write_string(&w, "file", path);
    json_write_bool(&w, "good", true);
    if (public != NULL)
        json_write_string(&w, "public", public);
    else
        json_write_null(&w, "public");
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

static void print_check(const char *path, const cuzk_params_info *info, const char *public)
{
    (void)printf("%s: good: ic %llu", shown(path), (unsigned long long)info->n_ic);
    if (!info->is_key_alone)
        (void)printf(", h %llu, l %llu, a %llu, b_g1 %llu, b_g2 %llu",
                     (unsigned long long)info->n_h, (unsigned long long)info->n_l,
                     (unsigned long long)info->n_a, (unsigned long long)info->n_b_g1,
                     (unsigned long long)info->n_b_g2);
    if (public != NULL)
        (void)printf("\nthe public network's: %s\n", public);
    else
        (void)printf("\nnot the public network's\n");
}

static cuzk_status check_file(const char *path, const params_options_t *o, cuzk_error *err)
{
    const cuzk_engine_options options = {.struct_size = sizeof options,
                                         .threads = o->threads.value};
    cuzk_params_info info = {.struct_size = sizeof info};
    cuzk_public_file file = {.struct_size = sizeof file};
    bool is_public = false;
    cuzk_engine *engine;
    progress_t progress;

    cuzk_status st = cuzk_engine_open(&engine, &options, err);
    if (st != CUZK_OK) return st;
    progress_init(&progress, !o->quiet && !o->json);
    st = cuzk_params_check(engine, path, &info, report_points, &progress, err);
    if (st == CUZK_OK)
        st = cuzk_public_file_match(path, &is_public, &file, report_digest, &progress, err);
    progress_end(&progress);
    cuzk_engine_close(engine);
    const char *public = is_public ? file.name : NULL;
    if (st == CUZK_OK && o->json) print_check_json(path, &info, public);
    if (st == CUZK_OK && !o->json) print_check(path, &info, public);
    return st;
}

/* ---- lists ------------------------------------------------------------------------------------
 */

typedef struct {
    const params_options_t *options;
    json_writer_t json;
} list_t;

static void digest_text(char text[2 * CUZK_PUBLIC_DIGEST_BYTES + 1], const cuzk_public_file *file)
{
    bytes_to_hex(text, file->blake2b, CUZK_PUBLIC_DIGEST_BYTES);
}

static void list_file(list_t *list, const network_circuit_t *circuit, const network_file_t *file)
{
    char digest[2 * CUZK_PUBLIC_DIGEST_BYTES + 1];
    json_writer_t *w = &list->json;

    digest_text(digest, &file->file);
    if (!list->options->json) {
        (void)printf("%-12s %s\n             %llu bytes, BLAKE2b %s, %s\n", circuit->proof.circuit,
                     file->file.name, (unsigned long long)file->file.bytes, digest,
                     network_state_name(file->state));
        return;
    }
    json_write_object(w, NULL);
    json_write_string(w, "circuit", circuit->proof.circuit);
    json_write_string(w, "kind", cuzk_kind_name(circuit->proof.kind));
    json_write_string(w, "sector_size", circuit->proof.sector_size);
    json_write_string(w, "name", file->file.name);
    json_write_string(w, "cid", file->file.cid);
    json_write_string(w, "blake2b", digest);
    json_write_u64(w, "bytes", file->file.bytes);
    json_write_string(w, "path", file->path);
    json_write_string(w, "state", network_state_name(file->state));
    json_write_bool(w, "there", network_is_there(file->state));
    json_write_u64(w, "found_bytes", file->found_bytes);
    json_write_end(w);
}

static cuzk_status list_circuit(void *arg, const network_circuit_t *circuit, cuzk_error *err)
{
    (void)err;
    list_file(arg, circuit, &circuit->params);
    list_file(arg, circuit, &circuit->key);
    return CUZK_OK;
}

static void fetch_file(list_t *list, const network_circuit_t *circuit, const network_file_t *file)
{
    char digest[2 * CUZK_PUBLIC_DIGEST_BYTES + 1];
    json_writer_t *w = &list->json;

    if (network_is_there(file->state) && !list->options->all) return;
    digest_text(digest, &file->file);
    if (!list->options->json) {
        (void)printf("%s\t%s\t%s\t%llu\n", file->file.name, file->file.cid, digest,
                     (unsigned long long)file->file.bytes);
        return;
    }
    json_write_object(w, file->file.name);
    json_write_string(w, "cid", file->file.cid);
    json_write_string(w, "digest", digest);
    json_write_u64(w, "sector_size", circuit->proof.sector_bytes);
    json_write_u64(w, "bytes", file->file.bytes);
    json_write_end(w);
}

static cuzk_status fetch_circuit(void *arg, const network_circuit_t *circuit, cuzk_error *err)
{
    (void)err;
    fetch_file(arg, circuit, &circuit->params);
    fetch_file(arg, circuit, &circuit->key);
    return CUZK_OK;
}

static cuzk_status print_list(const params_options_t *o, bool fetch, cuzk_error *err)
{
    list_t list = {.options = o};

    json_writer_init(&list.json, JSON_PRETTY);
    if (fetch)
        json_write_object(&list.json, NULL);
    else
        json_write_array(&list.json, NULL);
    cuzk_status st = network_each(&o->choice, fetch ? fetch_circuit : list_circuit, &list, err);
    json_write_end(&list.json);
    if (st == CUZK_OK && json_writer_failed(&list.json))
        st = error_set(err, CUZK_ERR_MEMORY, "the list: no memory");
    if (st == CUZK_OK && o->json) (void)puts(json_writer_text(&list.json));
    json_writer_clear(&list.json);
    return st;
}

/* ---- the command ------------------------------------------------------------------------------
 */

static cuzk_status refuse_others(const params_options_t *o, const char *word, cuzk_error *err)
{
    const bool is_check = strcmp(word, "check") == 0;
    const bool is_fetch = strcmp(word, "fetch-list") == 0;
    const struct {
        const char *name;
        bool refused;
    } all[] = {{"--params", is_check && o->choice.folder != NULL},
               {"--sector-size", is_check && o->choice.sector_size != NULL},
               {"--kind", is_check && o->choice.kind != NULL},
               {"--all", !is_fetch && o->all},
               {"--threads", !is_check && o->threads.given}};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].refused)
            return error_set(err, CUZK_ERR_ARG, "%s: is not for %s", all[i].name, word);
    return CUZK_OK;
}

static cuzk_status params(const char *const words[2], const params_options_t *o, cuzk_error *err)
{
    const bool is_list = strcmp(words[0], "list") == 0;
    const bool is_fetch = strcmp(words[0], "fetch-list") == 0;

    if (!is_list && !is_fetch && strcmp(words[0], "check") != 0)
        return error_set(err, CUZK_ERR_ARG,
                         "\"%s\": is none of check, list, fetch-list (see cuzk params --help)",
                         words[0]);
    const cuzk_status st = refuse_others(o, words[0], err);
    if (st != CUZK_OK) return st;
    if (is_list || is_fetch) {
        if (words[1] == NULL) return print_list(o, is_fetch, err);
        return error_set(err, CUZK_ERR_ARG, "\"%s\": one word too many (see cuzk params --help)",
                         words[1]);
    }
    if (words[1] != NULL) return check_file(words[1], o, err);
    return error_set(err, CUZK_ERR_ARG, "params check: wants FILE (see cuzk params --help)");
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
    if (st == CUZK_OK) st = params(words, &o, &err);
    return finish("params", st, &err);
}

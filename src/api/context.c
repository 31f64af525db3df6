/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/context.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

#define PARAMS_VARIABLE "FIL_PROOFS_PARAMETER_CACHE"
#define PARAMS_DEFAULT  "/var/tmp/filecoin-proof-parameters"

const char *cuzk_version(void)
{
    return CUZK_VERSION;
}

params_place_t params_default_place(void)
{
    const char *folder = getenv(PARAMS_VARIABLE);

    if (folder != NULL && *folder != '\0') return (params_place_t){folder, PARAMS_VARIABLE};
    return (params_place_t){PARAMS_DEFAULT, "the default"};
}

char *params_path(const char *folder, const circuit_row_t *row, const char *suffix)
{
    char id[PARAMETER_ID_BYTES];

    circuit_parameter_id(id, row);
    const size_t size = strlen(folder) + strlen(id) + strlen(suffix) + sizeof "/v28-.";
    char *path = small_alloc(size, 1);
    (void)snprintf(path, size, "%s/v28-%s.%s", folder, id, suffix);
    return path;
}

static cuzk_status check_compiled_folder(const char *folder, cuzk_error *err)
{
    struct stat info;

    if (folder == NULL) return CUZK_OK;
    if (stat(folder, &info) != 0)
        return error_set(err, CUZK_ERR_MISSING, "folder of compiled circuits: \"%s\": %s", folder,
                         strerror(errno));
    if (!S_ISDIR(info.st_mode))
        return error_set(err, CUZK_ERR_MISSING, "folder of compiled circuits: \"%s\": is no folder",
                         folder);
    return CUZK_OK;
}

static void report_notice(void *arg, const char *text)
{
    cuzk_context *context = arg;

    if (context->notice == NULL) return;
    (void)pthread_mutex_lock(&context->report_mutex);
    context->notice(context->notice_arg, text);
    (void)pthread_mutex_unlock(&context->report_mutex);
}

cuzk_status cuzk_open(cuzk_context **out, const cuzk_options *options, cuzk_error *error)
{
    static const cuzk_options defaults = {0};

    *out = NULL;
    if (options == NULL) options = &defaults;
    cuzk_status st = check_compiled_folder(options->compiled_folder, error);
    if (st != CUZK_OK) return st;
    cuzk_context *context = small_alloc(1, sizeof *context);
    context->params =
        (params_place_t){options->params_folder,
                         options->params_source != NULL ? options->params_source : "params_folder"};
    if (context->params.folder == NULL) context->params = params_default_place();
    context->params_folder = small_alloc(strlen(context->params.folder) + 1, 1);
    memcpy(context->params_folder, context->params.folder, strlen(context->params.folder));
    context->params.folder = context->params_folder;
    context->pces = pce_cache_new(options->compiled_folder, report_notice, context);
    context->memory_budget = options->memory_budget;
    (void)pthread_mutex_init(&context->report_mutex, NULL);
    context->progress = options->progress;
    context->progress_arg = options->progress_arg;
    context->notice = options->notice;
    context->notice_arg = options->notice_arg;
    st = strand_open(&context->strand, options->threads, error);
    if (st != CUZK_OK) {
        cuzk_close(context);
        return st;
    }
    *out = context;
    return CUZK_OK;
}

void cuzk_close(cuzk_context *context)
{
    if (context == NULL) return;
    strand_close(context->strand);
    pce_cache_free(context->pces);
    (void)pthread_mutex_destroy(&context->report_mutex);
    free(context->params_folder);
    free(context);
}

/* Adds to a missing file's message why it was looked for there. */
static cuzk_status explain_missing(const params_place_t *place, cuzk_error *err)
{
    const cuzk_error cause = *err;

    if (cause.status != CUZK_ERR_MISSING) return cause.status;
    return error_set(err, cause.status, "parameters: %s (the folder is from %s)", cause.text,
                     place->source);
}

cuzk_status params_open_srs(srs_t *srs, const params_place_t *place, const circuit_row_t *row,
                            cuzk_error *err)
{
    char *path = params_path(place->folder, row, "params");
    const cuzk_status st = srs_open(srs, path, err);

    free(path);
    return st == CUZK_OK ? st : explain_missing(place, err);
}

cuzk_status params_open_vk(srs_vk_t *vk, const params_place_t *place, const circuit_row_t *row,
                           uint32_t n_inputs, cuzk_error *err)
{
    char *path = params_path(place->folder, row, "vk");
    cuzk_status st = srs_vk_read(vk, path, err);

    if (st != CUZK_OK) {
        st = explain_missing(place, err);
    } else if (vk->n_ic != n_inputs + 1) {
        st = error_set(err, CUZK_ERR_FORMAT,
                       "%s: a key for %u inputs, but %s has %u: another circuit's file?", path,
                       vk->n_ic - 1, row->label, n_inputs);
        srs_vk_clear(vk);
    }
    free(path);
    return st;
}

void context_report(cuzk_context *context, const char *stage, size_t index, size_t count)
{
    if (context->progress == NULL) return;
    (void)pthread_mutex_lock(&context->report_mutex);
    context->progress(context->progress_arg, stage, index, count);
    (void)pthread_mutex_unlock(&context->report_mutex);
}

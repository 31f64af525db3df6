/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define PARAMS_VARIABLE "FIL_PROOFS_PARAMETER_CACHE"
#define PARAMS_DEFAULT  "/var/tmp/filecoin-proof-parameters"

const char *cuzk_version(void)
{
    return CUZK_VERSION;
}

const char *params_default_folder(const char **source)
{
    const char *folder = getenv(PARAMS_VARIABLE);

    if (folder != NULL && *folder != '\0') {
        *source = PARAMS_VARIABLE;
        return folder;
    }
    *source = "the default";
    return PARAMS_DEFAULT;
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

cuzk_status cuzk_open(cuzk_context **out, const cuzk_options *options, cuzk_error *error)
{
    static const cuzk_options defaults = {0};
    const char *folder;

    *out = NULL;
    if (options == NULL) options = &defaults;
    cuzk_context *context = small_alloc(1, sizeof *context);
    folder = options->params_folder;
    context->params_source =
        options->params_source != NULL ? options->params_source : "params_folder";
    if (folder == NULL) folder = params_default_folder(&context->params_source);
    context->params_folder = small_alloc(strlen(folder) + 1, 1);
    memcpy(context->params_folder, folder, strlen(folder));
    context->pces = pce_cache_new();
    context->memory_budget = options->memory_budget;
    (void)pthread_mutex_init(&context->progress_mutex, NULL);
    context->progress = options->progress;
    context->progress_arg = options->progress_arg;
    const cuzk_status st = pool_open(&context->pool, options->threads, error);
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
    pool_close(context->pool);
    pce_cache_free(context->pces);
    (void)pthread_mutex_destroy(&context->progress_mutex);
    free(context->params_folder);
    free(context);
}

/* Adds to a missing file's message why it was looked for there. */
static cuzk_status explain_missing(const cuzk_context *context, cuzk_error *err)
{
    const cuzk_error cause = *err;

    if (cause.status != CUZK_ERR_MISSING) return cause.status;
    return error_set(err, cause.status, "parameters: %s (the folder is from %s)", cause.text,
                     context->params_source);
}

cuzk_status context_open_srs(srs_t *srs, const cuzk_context *context, const circuit_row_t *row,
                             cuzk_error *err)
{
    char *path = params_path(context->params_folder, row, "params");
    const cuzk_status st = srs_open(srs, path, err);

    free(path);
    return st == CUZK_OK ? st : explain_missing(context, err);
}

cuzk_status context_open_vk(srs_vk_t *vk, const cuzk_context *context, const circuit_row_t *row,
                            uint32_t n_inputs, cuzk_error *err)
{
    char *path = params_path(context->params_folder, row, "vk");
    cuzk_status st = srs_vk_read(vk, path, err);

    if (st != CUZK_OK) {
        st = explain_missing(context, err);
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
    (void)pthread_mutex_lock(&context->progress_mutex);
    context->progress(context->progress_arg, stage, index, count);
    (void)pthread_mutex_unlock(&context->progress_mutex);
}

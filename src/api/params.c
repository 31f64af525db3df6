/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Parameter files: preloaded, evicted, checked, made. */

#include <stdlib.h>
#include <string.h>

#include "api/take.h"
#include "base/content.h"
#include "base/memory.h"
#include "base/random.h"
#include "cuzk/setup.h"
#include "engine/circuits.h"
#include "engine/request.h"
#include "setup/setup.h"
#include "srs/srs.h"

cuzk_status cuzk_params_preload(cuzk_engine *engine, const char *circuit, bool *already_loaded,
                                cuzk_error *error)
{
    const circuit_row_t *row;
    bool was_loaded;
    cuzk_error err;

    cuzk_status st = circuit_row_find(&row, circuit, &err);
    if (st == CUZK_OK) st = engine_preload(&was_loaded, engine, row, &err);
    if (st == CUZK_OK && already_loaded != NULL) *already_loaded = was_loaded;
    return error_give(error, st, &err);
}

cuzk_status cuzk_params_evict(cuzk_engine *engine, const char *circuit, uint64_t *freed_bytes,
                              cuzk_error *error)
{
    const circuit_row_t *row;
    uint64_t freed = 0;
    cuzk_error err;

    cuzk_status st = circuit_row_find(&row, circuit, &err);
    if (st == CUZK_OK) st = engine_evict(&freed, engine, row, &err);
    if (st == CUZK_OK && freed_bytes != NULL) *freed_bytes = freed;
    return error_give(error, st, &err);
}

cuzk_status cuzk_params_path(const char *folder, const char *circuit, const char *suffix,
                             char **path, cuzk_error *error)
{
    const circuit_row_t *row;
    cuzk_error err;

    if (folder == NULL) folder = params_default_place().folder;
    cuzk_status st = circuit_row_find(&row, circuit, &err);
    if (st == CUZK_OK) {
        *path = circuit_params_path(folder, row, suffix, &err);
        if (*path == NULL) st = err.status;
    }
    return error_give(error, st, &err);
}

/* ---- checking ---------------------------------------------------------------------------------
 */

/* srs is NULL for a verifying key alone. */
static void give_params(cuzk_params_info *info, const srs_vk_t *vk, const srs_t *srs)
{
    cuzk_params_info own = {
        .struct_size = sizeof own, .is_key_alone = srs == NULL, .n_ic = vk->n_ic};

    if (info == NULL) return;
    if (srs != NULL) {
        own.n_h = srs->h.n;
        own.n_l = srs->l.n;
        own.n_a = srs->a.n;
        own.n_b_g1 = srs->b_g1.n;
        own.n_b_g2 = srs->b_g2.n;
    }
    struct_give(info, &own, sizeof own);
}

static cuzk_status check_key(cuzk_params_info *info, const char *path, strand_t *strand,
                             cuzk_error *err)
{
    srs_vk_t vk;
    const cuzk_status st = srs_vk_read(&vk, path, strand, err);

    if (st != CUZK_OK) return st;
    give_params(info, &vk, NULL);
    srs_vk_clear(&vk);
    return CUZK_OK;
}

static cuzk_status check_params(cuzk_params_info *info, const char *path, const srs_check_t *how,
                                strand_t *strand, cuzk_error *err)
{
    srs_t srs;
    cuzk_status st = srs_open(&srs, path, strand, err);

    if (st != CUZK_OK) return st;
    st = srs_check_points(&srs, how, strand, err);
    if (st == CUZK_OK) give_params(info, &srs.vk, &srs);
    srs_close(&srs);
    return st;
}

/* Files that a download leaves in place of parameters, by their beginnings and ends. */
static cuzk_status check_content(const char *path, cuzk_error *err)
{
    enum { HEAD = 64, TAIL = 64 };
    uint8_t ends[HEAD + TAIL] = {0};
    file_t file;
    cuzk_status st = file_open(&file, path, err);

    if (st != CUZK_OK) return st;
    const size_t head = file.length < HEAD ? (size_t)file.length : HEAD;
    const size_t left = (size_t)file.length - head, tail = left < TAIL ? left : TAIL;
    st = file_read_at(&file, ends, head, 0, err);
    if (st == CUZK_OK) st = file_read_at(&file, ends + head, tail, file.length - tail, err);
    file_close(&file);
    if (st != CUZK_OK) return st;
    const content_kind kind = content_recognize(ends, head + tail);
    if (kind == CONTENT_EMPTY)
        return error_set(err, CUZK_ERR_FORMAT, "%s: is empty (0 bytes); expected parameters", path);
    if (kind == CONTENT_UNKNOWN) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT, "%s: %s; expected parameters or a verifying key", path,
                     content_text(kind));
}

cuzk_status cuzk_params_check(cuzk_engine *engine, const char *path, cuzk_params_info *info,
                              void (*progress)(void *arg, uint64_t done, uint64_t total), void *arg,
                              cuzk_error *error)
{
    const srs_check_t how = {.subgroup = true, .progress = progress, .arg = arg};
    strand_t strand;
    cuzk_error err;
    bool is_key;

    call_begin(&strand, engine);
    cuzk_status st = check_content(path, &err);
    if (st == CUZK_OK) st = srs_is_key_alone(&is_key, path, &err);
    if (st == CUZK_OK)
        st = is_key ? check_key(info, path, &strand, &err)
                    : check_params(info, path, &how, &strand, &err);
    strand_end(&strand);
    return error_give(error, st, &err);
}

/* ---- setup ------------------------------------------------------------------------------------
 */

static cuzk_status read_secrets(setup_secrets_t *secrets, const cuzk_trapdoor *t, cuzk_error *err)
{
    const struct {
        const char *name;
        const uint8_t *bytes;
        fr_t *secret;
    } all[] = {{"alpha_le", t->alpha_le, &secrets->alpha},
               {"beta_le", t->beta_le, &secrets->beta},
               {"gamma_le", t->gamma_le, &secrets->gamma},
               {"delta_le", t->delta_le, &secrets->delta},
               {"tau_le", t->tau_le, &secrets->tau}};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!fr_from_bytes(all[i].secret, all[i].bytes) || fr_is_zero(all[i].secret))
            return error_set(err, CUZK_ERR_ARG, "trapdoor: %s: is zero or not below r",
                             all[i].name);
    if (!g1_read_uncompressed(&secrets->g1, t->g1_uncompressed_be) ||
        g1_affine_is_identity(&secrets->g1) || !g1_in_subgroup(&secrets->g1))
        return error_set(err, CUZK_ERR_ARG,
                         "trapdoor: g1_uncompressed_be: is not a generator of G1");
    if (!g2_read_uncompressed(&secrets->g2, t->g2_uncompressed_be) ||
        g2_affine_is_identity(&secrets->g2) || !g2_in_subgroup(&secrets->g2))
        return error_set(err, CUZK_ERR_ARG,
                         "trapdoor: g2_uncompressed_be: is not a generator of G2");
    return CUZK_OK;
}

static cuzk_status take_secrets(setup_secrets_t *secrets, const cuzk_trapdoor *given,
                                cuzk_error *err)
{
    cuzk_trapdoor trapdoor;

    if (given == NULL) return setup_random_secrets(secrets, err);
    struct_take(&trapdoor, sizeof trapdoor, given);
    const cuzk_status st = read_secrets(secrets, &trapdoor, err);
    mem_wipe(&trapdoor, sizeof trapdoor);
    return st;
}

static cuzk_status make_files(const setup_outputs_t *outputs, const circuit_row_t *row,
                              const setup_secrets_t *secrets, cuzk_engine *engine, cuzk_error *err)
{
    circuit_fn circuit;
    strand_t strand;
    void *values;

    cuzk_status st = proof_kind_shape(&circuit, &values, row, err);
    if (st != CUZK_OK) return st;
    call_begin(&strand, engine);
    st = setup_run(outputs, circuit, values, secrets, &strand, err);
    strand_end(&strand);
    free(values);
    return st;
}

static cuzk_status run_setup(cuzk_engine *engine, const cuzk_setup_options *o,
                             const circuit_row_t *row, const setup_secrets_t *secrets,
                             cuzk_error *err)
{
    char *params = circuit_params_path(o->folder, row, "params", err);
    char *vk = params != NULL ? circuit_params_path(o->folder, row, "vk", err) : NULL;
    const setup_outputs_t outputs = {.params_path = params,
                                     .vk_path = vk,
                                     .replace = o->replace,
                                     .progress = o->progress,
                                     .progress_arg = o->progress_arg};

    const cuzk_status st =
        vk != NULL ? make_files(&outputs, row, secrets, engine, err) : err->status;
    free(params);
    free(vk);
    return st;
}

cuzk_status cuzk_setup(cuzk_engine *engine, const cuzk_setup_options *options, cuzk_error *error)
{
    setup_secrets_t secrets;
    cuzk_setup_options own;
    const circuit_row_t *row;
    cuzk_error err;

    struct_take(&own, sizeof own, options);
    cuzk_status st = CUZK_OK;
    if (own.circuit == NULL || own.folder == NULL)
        st = error_set(&err, CUZK_ERR_ARG, "%s: is not given",
                       own.circuit == NULL ? "circuit" : "folder");
    if (st == CUZK_OK) st = circuit_row_find(&row, own.circuit, &err);
    if (st == CUZK_OK) st = take_secrets(&secrets, own.trapdoor, &err);
    if (st == CUZK_OK) st = run_setup(engine, &own, row, &secrets, &err);
    mem_wipe(&secrets, sizeof secrets);
    mem_wipe_stack();
    return error_give(error, st, &err);
}

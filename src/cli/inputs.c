/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cuzk/describe.h"

cuzk_status refuse_option(bool given, const char *name, cuzk_kind kind, cuzk_error *err)
{
    if (!given) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "%s: is not for %s", name, cuzk_kind_name(kind));
}

cuzk_status parse_miner(uint64_t *miner, const char *text, cuzk_error *err)
{
    const cuzk_status st = require_option(text != NULL, "--miner-id", err);

    return st == CUZK_OK ? cuzk_miner_from_text(text, "--miner-id", miner, err) : st;
}

cuzk_status parse_randomness(uint8_t bytes[32], const option_bytes32_t *option, cuzk_error *err)
{
    memcpy(bytes, option->bytes, sizeof option->bytes);
    return cuzk_randomness_check(bytes, "--randomness", err);
}

cuzk_status parse_commitment(uint8_t bytes[CUZK_COMMITMENT_BYTES], cuzk_commitment commitment,
                             const char *text, const char *name, cuzk_error *err)
{
    const cuzk_status st = require_option(text != NULL, name, err);

    return st == CUZK_OK ? cuzk_commitment_from_text(commitment, text, name, bytes, err) : st;
}

/* Whether exactly the options of the kind are there. Who a PoRep belongs to only matters to its
 * content: the replica id stands in the file. */
static cuzk_status check_options(const input_options_t *o, cuzk_kind kind, inputs_depth depth,
                                 cuzk_error *err)
{
    const bool porep = kind == CUZK_POREP;
    const bool update = kind == CUZK_UPDATE;
    const struct {
        const char *name;
        bool given, wanted, of_whom;
    } all[] = {
        {"--c1", o->c1 != NULL, porep, false},
        {"--vanilla", o->vanilla != NULL, !porep, false},
        {"--miner-id", o->miner_id != NULL, !update, true},
        {"--sector-number", o->sector_number.given, porep, true},
        {"--randomness", o->randomness.given, !porep && !update, false},
        {"--comm-r-old", o->comm_r_old != NULL, update, false},
        {"--comm-r-new", o->comm_r_new != NULL, update, false},
        {"--comm-d-new", o->comm_d_new != NULL, update, false},
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (porep && depth == INPUTS_FORM && all[i].wanted && all[i].of_whom) continue;
        const cuzk_status st = all[i].wanted ? require_option(all[i].given, all[i].name, err)
                                             : refuse_option(all[i].given, all[i].name, kind, err);
        if (st != CUZK_OK) return st;
    }
    return CUZK_OK;
}

/* The file of an option. What it is called from here on is what the user called it. */
static cuzk_status read_file(input_request_t *in, uint8_t **text, size_t *length, const char *path,
                             const char *option, cuzk_error *err)
{
    const cuzk_kind kind = in->request.kind;
    const cuzk_status st = file_read(text, length, path, cuzk_input_max_bytes(kind), err);

    in->request.input_name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (st == CUZK_OK) return CUZK_OK;
    if (st == CUZK_ERR_FORMAT) /* too long */
        (void)error_set(err, st, "%s, the longest input for %s", err->text, cuzk_kind_name(kind));
    return error_within(err, "%s", option);
}

static cuzk_status read_porep(input_request_t *in, const input_options_t *o, cuzk_error *err)
{
    const selection_t *s = &o->selection;
    cuzk_request *r = &in->request;
    cuzk_proof_info proof;
    cuzk_status st = CUZK_OK;

    r->registered_proof = CUZK_ANY_PROOF;
    r->sector_number = o->sector_number.value;
    if (o->miner_id != NULL) st = parse_miner(&r->miner_id, o->miner_id, err);
    if (st == CUZK_OK && (s->sector_size != NULL || s->registered_proof != NULL))
        st = select_proof(&proof, s, CUZK_POREP, err);
    if (st != CUZK_OK) return st;
    if (s->registered_proof != NULL)
        r->registered_proof = proof.registered_proof;
    else
        in->sector_size = s->sector_size;
    st = read_file(in, &in->c1_text, &in->c1.length, o->c1, "--c1", err);
    if (st != CUZK_OK) return st;
    if (in->c1.length == 0)
        return error_set(err, CUZK_ERR_FORMAT, "--c1: %s: is empty; expected JSON", r->input_name);
    in->c1.bytes = in->c1_text;
    r->inputs = &in->c1;
    r->n_inputs = 1;
    return CUZK_OK;
}

static cuzk_status read_fields(cuzk_request *r, const input_options_t *o, cuzk_error *err)
{
    if (r->kind != CUZK_UPDATE) {
        const cuzk_status st = parse_randomness(r->randomness, &o->randomness, err);

        return st == CUZK_OK ? parse_miner(&r->miner_id, o->miner_id, err) : st;
    }
    cuzk_status st =
        parse_commitment(r->comm_r_old, CUZK_COMM_R, o->comm_r_old, "--comm-r-old", err);
    if (st == CUZK_OK)
        st = parse_commitment(r->comm_r_new, CUZK_COMM_R, o->comm_r_new, "--comm-r-new", err);
    if (st == CUZK_OK)
        st = parse_commitment(r->comm_d_new, CUZK_COMM_D, o->comm_d_new, "--comm-d-new", err);
    return st;
}

enum { HEAD_BYTES = 64 };

/* Whether a file is a vanilla proof and no text: its first numbers, of 8 bytes each, have zeros. */
static bool is_raw(const uint8_t *bytes, size_t length)
{
    return memchr(bytes, 0, length < HEAD_BYTES ? length : HEAD_BYTES) != NULL;
}

static cuzk_status read_vanilla(input_request_t *in, const input_options_t *o, cuzk_error *err)
{
    uint8_t *text;
    size_t length;

    cuzk_status st = read_file(in, &text, &length, o->vanilla, "--vanilla", err);
    if (st != CUZK_OK) return st;
    if (o->takes_raw && is_raw(text, length)) {
        in->c1_text = text;
        in->c1 = (cuzk_bytes){text, length};
        in->request.inputs = &in->c1;
        in->request.n_inputs = 1;
        return CUZK_OK;
    }
    st = cuzk_vanilla_from_json(text, length, in->request.input_name, &in->vanilla,
                                &in->request.n_inputs, err);
    free(text);
    in->request.inputs = in->vanilla;
    return st;
}

/* cuzk_request.release: what was read from files is read by the engine where it is, and is not
 * held any longer than that. */
static void release(void *arg)
{
    input_request_t *in = arg;

    free(in->c1_text);
    in->c1_text = NULL;
    cuzk_vanilla_free(in->vanilla);
    in->vanilla = NULL;
}

cuzk_status inputs_read(input_request_t *in, cuzk_kind kind, const input_options_t *o,
                        inputs_depth depth, cuzk_error *err)
{
    cuzk_proof_info proof;

    *in = (input_request_t){.request = {.struct_size = sizeof in->request,
                                        .kind = kind,
                                        .partition = CUZK_ALL_PARTITIONS,
                                        .release = release,
                                        .release_arg = in}};
    cuzk_status st = check_options(o, kind, depth, err);
    if (st != CUZK_OK) return st;
    if (kind == CUZK_POREP) return read_porep(in, o, err);
    st = select_proof(&proof, &o->selection, kind, err);
    if (st == CUZK_OK) st = read_fields(&in->request, o, err);
    if (st != CUZK_OK) return st;
    in->request.registered_proof = proof.registered_proof;
    return read_vanilla(in, o, err);
}

void inputs_clear(input_request_t *in)
{
    release(in);
    *in = (input_request_t){0};
}

cuzk_status inputs_check_size(const input_request_t *in, const char *found, cuzk_error *err)
{
    if (in->sector_size == NULL || strcmp(in->sector_size, found) == 0) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "--sector-size: %s, but the file's sector has %s",
                     in->sector_size, found);
}

cuzk_status inputs_check_file(const input_request_t *in, cuzk_engine *engine, cuzk_error *err)
{
    cuzk_request_info info = {.struct_size = sizeof info};

    if (in->sector_size == NULL) return CUZK_OK;
    const cuzk_status st = cuzk_describe_request(engine, &in->request, &info, err);
    return st == CUZK_OK ? inputs_check_size(in, info.sector_size, err) : st;
}

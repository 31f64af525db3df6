/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/mapped_file.h"
#include "base/memory.h"
#include "codec/commitment.h"
#include "codec/prover_id.h"
#include "codec/vanilla_list.h"

enum { VANILLA_MAX_ITEMS = 1 << 16 };

cuzk_status refuse_option(bool given, const char *name, circuit_kind kind, cuzk_error *err)
{
    if (!given) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "%s: is not for %s", name, circuit_kind_name(kind));
}

cuzk_status parse_miner(uint64_t *miner, const char *text, cuzk_error *err)
{
    const cuzk_status st = require_option(text != NULL, "--miner-id", err);

    return st == CUZK_OK ? prover_id_parse_miner(miner, text, "--miner-id", err) : st;
}

cuzk_status parse_commitment(uint8_t bytes[CUZK_COMMITMENT_BYTES], bool sealed, const char *text,
                             const char *name, cuzk_error *err)
{
    cuzk_status st = require_option(text != NULL, name, err);

    if (st == CUZK_OK)
        st = commitment_parse(bytes, sealed ? COMMITMENT_SEALED : COMMITMENT_UNSEALED, text, name,
                              err);
    return st == CUZK_OK ? commitment_check(bytes, name, err) : st;
}

cuzk_status parse_update(cuzk_update_statement *statement, uint32_t registered_proof,
                         const char *comm_r_old, const char *comm_r_new, const char *comm_d_new,
                         cuzk_error *err)
{
    *statement = (cuzk_update_statement){.registered_proof = registered_proof};
    cuzk_status st = parse_commitment(statement->comm_r_old, true, comm_r_old, "--comm-r-old", err);
    if (st == CUZK_OK)
        st = parse_commitment(statement->comm_r_new, true, comm_r_new, "--comm-r-new", err);
    if (st == CUZK_OK)
        st = parse_commitment(statement->comm_d_new, false, comm_d_new, "--comm-d-new", err);
    return st;
}

/* Whether exactly the options of the kind are there. Who a PoRep belongs to only matters to its
 * content: the replica id stands in the file. */
static cuzk_status check_options(const input_options_t *o, circuit_kind kind, job_check check,
                                 cuzk_error *err)
{
    const bool porep = kind == KIND_POREP;
    const bool update = kind == KIND_UPDATE;
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
        if (porep && check == JOB_CHECK_FORM && all[i].wanted && all[i].of_whom) continue;
        const cuzk_status st = all[i].wanted ? require_option(all[i].given, all[i].name, err)
                                             : refuse_option(all[i].given, all[i].name, kind, err);
        if (st != CUZK_OK) return st;
    }
    return CUZK_OK;
}

static cuzk_status open_porep(job_t *job, const input_options_t *o, job_check check,
                              strand_t *strand, cuzk_error *err)
{
    const selection_t *s = &o->selection;
    cuzk_porep_input input = {.sector_number = o->sector_number.value};
    registered_proof_t proof;
    uint8_t *text;

    cuzk_status st = CUZK_OK;
    if (check == JOB_CHECK_CONTENT || o->miner_id != NULL)
        st = parse_miner(&input.miner_id, o->miner_id, err);
    if (st == CUZK_OK && (s->sector_size != NULL || s->registered_proof != NULL)) {
        st = select_proof(&proof, s, KIND_POREP, err);
        if (s->registered_proof != NULL) input.registered_proof = &proof.number;
    }
    if (st != CUZK_OK) return st;
    st = read_file(&text, &input.c1.length, o->c1, INPUT_MAX_BYTES, err);
    if (st != CUZK_OK) return error_within(err, "--c1");
    input.c1.bytes = text;
    st = job_open_porep(job, &input, check, strand, err);
    free(text);
    if (st != CUZK_OK || s->sector_size == NULL || job->row == proof.row) return st;
    st = error_set(err, CUZK_ERR_ARG, "--sector-size: %s, but the file's sector has %s",
                   s->sector_size, job->row->size_name);
    job_close(job);
    return st;
}

static cuzk_status open_from_list(job_t *job, const registered_proof_t *proof,
                                  const input_options_t *o, const vanilla_list_t *list,
                                  job_check check, strand_t *strand, cuzk_error *err)
{
    cuzk_bytes *items = small_alloc(list->n, sizeof *items);
    cuzk_update_statement statement;
    cuzk_status st;

    for (size_t i = 0; i < list->n; i++)
        items[i] = (cuzk_bytes){.bytes = list->items[i].bytes, .length = list->items[i].length};
    if (proof->row->kind == KIND_UPDATE) {
        st = parse_update(&statement, proof->number, o->comm_r_old, o->comm_r_new, o->comm_d_new,
                          err);
        if (st == CUZK_OK)
            st = job_open_update(job, &statement, items, list->n, check, strand, err);
    } else {
        cuzk_post_input input = {
            .registered_proof = proof->number, .vanilla = items, .n_vanilla = list->n};

        memcpy(input.randomness, o->randomness.bytes, sizeof input.randomness);
        st = parse_miner(&input.miner_id, o->miner_id, err);
        if (st == CUZK_OK) st = job_open_post(job, &input, check, strand, err);
    }
    free(items);
    return st;
}

cuzk_status inputs_open(job_t *job, circuit_kind kind, const input_options_t *o, job_check check,
                        strand_t *strand, cuzk_error *err)
{
    registered_proof_t proof;
    vanilla_list_t list;
    uint8_t *text;
    size_t length;

    cuzk_status st = check_options(o, kind, check, err);
    if (st != CUZK_OK) return st;
    if (kind == KIND_POREP) return open_porep(job, o, check, strand, err);
    st = select_proof(&proof, &o->selection, kind, err);
    if (st != CUZK_OK) return st;
    st = read_file(&text, &length, o->vanilla, INPUT_MAX_BYTES, err);
    if (st != CUZK_OK) return error_within(err, "--vanilla");
    st = vanilla_list_read(&list, "vanilla", text, length, VANILLA_MAX_ITEMS, err);
    free(text);
    if (st == CUZK_OK) st = open_from_list(job, &proof, o, &list, check, strand, err);
    vanilla_list_clear(&list);
    return st;
}

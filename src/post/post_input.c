/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "post/post_input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "codec/commitment.h"
#include "hash/poseidon.h"

/* ---- reading ---- */

static size_t count_challenges(const post_input_t *post)
{
    return post->statement.n_sectors * post->statement.per_sector;
}

static size_t count_slots(const post_input_t *post)
{
    return (size_t)post->statement.n_partitions * post->statement.shape.n_sectors;
}

static cuzk_status allocate(post_input_t *post, cuzk_error *err)
{
    const char *what = "PoSt input";
    const size_t n = count_challenges(post);
    void *vanilla, *challenges = NULL, *siblings = NULL, *slots = NULL;
    cuzk_status status =
        big_alloc(&vanilla, post->statement.n_sectors, sizeof *post->vanilla, what, err);

    if (status == CUZK_OK) status = big_alloc(&challenges, n, sizeof *post->challenges, what, err);
    if (status == CUZK_OK)
        status = big_alloc(&siblings, n * post->form.tree.n_siblings, sizeof(fr_t), what, err);
    if (status == CUZK_OK)
        status = big_alloc(&slots, count_slots(post), sizeof *post->slots, what, err);
    post->vanilla = vanilla;
    post->challenges = challenges;
    post->siblings = siblings;
    post->slots = slots;
    return status;
}

void post_input_close(post_input_t *post)
{
    const size_t n = count_challenges(post);

    big_free(post->vanilla, post->statement.n_sectors, sizeof *post->vanilla);
    big_free(post->challenges, n, sizeof *post->challenges);
    big_free(post->siblings, n * post->form.tree.n_siblings, sizeof(fr_t));
    big_free(post->slots, count_slots(post), sizeof *post->slots);
    post_statement_clear(&post->statement);
    memset(post, 0, sizeof *post);
}

static cuzk_status check_length(const post_form_t *form, const cuzk_bytes *item, cuzk_error *err)
{
    const size_t expected = post_vanilla_bytes(form);

    if (item->length == expected) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT, "%zu bytes, expected %zu for this kind and sector size",
                     item->length, expected);
}

/* Lengths first: nothing is allocated for items that cannot be right. */
static cuzk_status check_lengths(const post_form_t *form, const cuzk_bytes *items, size_t n,
                                 cuzk_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (check_length(form, &items[i], err) != CUZK_OK)
            return error_within(err, "vanilla proof %zu", i);
    return CUZK_OK;
}

/* What each proof says about its sector, which stands at its start. */
static cuzk_status read_sectors(cuzk_sector *sectors, const cuzk_bytes *items, size_t n,
                                cuzk_error *err)
{
    for (size_t i = 0; i < n; i++) {
        post_vanilla_sector(&sectors[i], items[i].bytes);
        if (i > 0 && sectors[i].number <= sectors[i - 1].number)
            return error_set(err, CUZK_ERR_FORMAT,
                             "vanilla proof %zu: sector %" PRIu64 " after sector %" PRIu64
                             ", numbers must rise",
                             i, sectors[i].number, sectors[i - 1].number);
    }
    return CUZK_OK;
}

/* `stated` lacks the sectors. */
static cuzk_status read_statement(post_input_t *post, cuzk_post_statement *stated,
                                  const cuzk_bytes *items, size_t n, cuzk_error *err)
{
    cuzk_sector *sectors = mem_alloc(n, sizeof *sectors, "sectors of a PoSt", err);

    if (sectors == NULL) return err->status;
    stated->sectors = sectors;
    stated->n_sectors = n;
    cuzk_status status = read_sectors(sectors, items, n, err);
    if (status == CUZK_OK) status = post_statement_init(&post->statement, stated, err);
    free(sectors);
    return status;
}

static cuzk_status read_one(post_input_t *post, size_t position, cuzk_bytes item, cuzk_error *err)
{
    const size_t first = position * post->statement.per_sector;

    return post_vanilla_read(&post->vanilla[position], post->challenges + first,
                             post->siblings + first * post->form.tree.n_siblings, &post->form, item,
                             err);
}

static cuzk_status read_vanilla(post_input_t *post, const cuzk_bytes *items, cuzk_error *err)
{
    for (size_t i = 0; i < post->statement.n_sectors; i++)
        if (read_one(post, i, items[i], err) != CUZK_OK)
            return error_within(err, "sector %" PRIu64, post->statement.sectors[i].number);
    return CUZK_OK;
}

static void fill_slots(post_input_t *post)
{
    const post_statement_t *st = &post->statement;
    post_sector_t *out = post->slots;

    for (uint32_t partition = 0; partition < st->n_partitions; partition++)
        for (uint32_t slot = 0; slot < st->shape.n_sectors; slot++) {
            const post_vanilla_t *v = &post->vanilla[post_slot_sector(st, partition, slot)];

            *out++ = (post_sector_t){.comm_r = v->comm_r,
                                     .comm_c = v->comm_c,
                                     .comm_r_last = v->comm_r_last,
                                     .challenges = v->challenges + post_slot_challenge(st, slot)};
        }
}

/* All of it but the vanilla proofs, for which there is room afterwards. */
static cuzk_status prepare(post_input_t *post, const cuzk_post_statement *request,
                           const cuzk_bytes *items, size_t n, cuzk_error *err)
{
    cuzk_post_statement stated = *request;
    post_config_t config;
    cuzk_status status;

    memset(post, 0, sizeof *post);
    if (!post_config_by_number(&config, request->registered_proof))
        return post_statement_init(&post->statement, request, err); /* which says why */
    post_form_init(&post->form, config.kind, config.sector_bytes);
    status = post_check_sector_count(&config, n, err);
    if (status == CUZK_OK) status = check_lengths(&post->form, items, n, err);
    if (status == CUZK_OK) status = read_statement(post, &stated, items, n, err);
    if (status == CUZK_OK) status = allocate(post, err);
    if (status != CUZK_OK) post_input_close(post);
    return status;
}

cuzk_status post_input_open(post_input_t *post, const cuzk_post_statement *request,
                            const cuzk_bytes *items, size_t n, cuzk_error *err)
{
    cuzk_status status = prepare(post, request, items, n, err);

    if (status != CUZK_OK) return status;
    status = read_vanilla(post, items, err);
    if (status == CUZK_OK)
        fill_slots(post);
    else
        post_input_close(post);
    return status;
}

post_circuit_t post_input_circuit(const post_input_t *post, uint32_t partition)
{
    post_circuit_t circuit = post->statement.shape;

    VERIFY(partition < post->statement.n_partitions);
    circuit.sectors = post->slots + (size_t)partition * circuit.n_sectors;
    return circuit;
}

/* ---- content ---- */

/* What usually makes all leaves others than are asked for. */
static const char *leaf_causes(post_kind kind)
{
    return kind == POST_WINNING ? "made for other randomness, or with its two top bits set?"
                                : "made for other randomness, with its two top bits set, or for V1 "
                                  "against V1_1?";
}

/* comm_r and the leaves of one sector: no more than a few hashes. */
static cuzk_status check_sector(const post_input_t *post, size_t position, cuzk_error *err)
{
    const post_vanilla_t *v = &post->vanilla[position];
    const fr_t preimage[2] = {v->comm_c, v->comm_r_last};
    fr_t comm_r;

    poseidon_hash(&comm_r, POSEIDON_2, preimage);
    if (!fr_equal(&comm_r, &v->comm_r))
        return error_set(err, CUZK_ERR_FORMAT, "comm_r is not the hash of comm_c and comm_r_last");
    for (uint32_t i = 0; i < post->statement.per_sector; i++) {
        const uint64_t leaf = post_stated_leaf(&post->statement, position, i);

        if (v->challenges[i].path.index != leaf)
            return error_set(err, CUZK_ERR_FORMAT,
                             "challenge %" PRIu32 ": leaf %" PRIu64
                             ", the randomness asks for leaf %" PRIu64 " (%s)",
                             i, v->challenges[i].path.index, leaf,
                             leaf_causes(post->statement.config.kind));
    }
    return CUZK_OK;
}

static bool path_is_wrong(void *arg, size_t i)
{
    const post_input_t *post = *(const post_input_t **)arg;
    const post_challenge_t *challenge = &post->challenges[i];
    fr_t root;

    tree_root(&root, &post->form.tree, &challenge->leaf, challenge->path.index,
              challenge->path.siblings);
    return !fr_equal(&root, &post->vanilla[i / post->statement.per_sector].comm_r_last);
}

/* *wrong, when there is one: the position of the sector whose path it is. */
static cuzk_status check_paths(size_t *wrong, const post_input_t *post, strand_t *strand,
                               cuzk_error *err)
{
    const uint32_t per_sector = post->statement.per_sector;
    const size_t n = count_challenges(post);
    size_t challenge;

    *wrong = post->statement.n_sectors;
    const cuzk_status st = strand_find(&challenge, strand, n, path_is_wrong, &post, err);
    if (st != CUZK_OK || challenge == n) return st;
    *wrong = challenge / per_sector;
    return error_set(err, CUZK_ERR_FORMAT, "challenge %zu: its path does not lead to comm_r_last",
                     challenge % per_sector);
}

cuzk_status post_input_check(const post_input_t *post, strand_t *strand, cuzk_error *err)
{
    const size_t n = post->statement.n_sectors;
    cuzk_status st = CUZK_OK;
    size_t wrong;

    for (wrong = 0; wrong < n; wrong++)
        if ((st = check_sector(post, wrong, err)) != CUZK_OK) break;
    if (st == CUZK_OK) st = check_paths(&wrong, post, strand, err);
    if (st == CUZK_OK || wrong == n) return st;
    return error_within(err, "sector %" PRIu64, post->vanilla[wrong].number);
}

cuzk_status post_input_judge(const cuzk_post_statement *request, cuzk_bytes item, size_t position,
                             cuzk_error *err)
{
    post_input_t one;
    cuzk_sector sector;
    post_config_t config;
    post_form_t form;
    size_t wrong;

    VERIFY(item.length >= POST_SECTOR_BYTES);
    const bool is_post = post_config_by_number(&config, request->registered_proof);
    VERIFY(is_post);
    post_form_init(&form, config.kind, config.sector_bytes);
    post_vanilla_sector(&sector, item.bytes);
    cuzk_status st = check_length(&form, &item, err);
    if (st == CUZK_OK) st = commitment_check(sector.comm_r, "comm_r", err);
    if (st == CUZK_OK) st = prepare(&one, request, &item, 1, err);
    if (st != CUZK_OK) return st;
    one.statement.first_position = position;
    st = read_one(&one, 0, item, err);
    if (st == CUZK_OK) st = check_sector(&one, 0, err);
    if (st == CUZK_OK) st = check_paths(&wrong, &one, NULL, err);
    post_input_close(&one);
    return st;
}

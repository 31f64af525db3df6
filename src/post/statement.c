/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "post/statement.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "codec/commitment.h"

enum { SIZES = 5, WINDOW_FIRST = SIZES, WINDOW_V1_1_FIRST = 2 * SIZES };

bool post_config_by_number(post_config_t *config, uint64_t number)
{
    static const uint64_t sizes[SIZES] = {(uint64_t)2 << 10, (uint64_t)8 << 20, (uint64_t)512 << 20,
                                          (uint64_t)32 << 30, (uint64_t)64 << 30};

    if (number >= POST_PROOFS) return false;
    config->kind = number < WINDOW_FIRST ? POST_WINNING : POST_WINDOW;
    config->sector_bytes = sizes[number % SIZES];
    config->version = number < WINDOW_V1_1_FIRST ? POST_V1 : POST_V1_1;
    return true;
}

cuzk_status post_check_sector_count(const post_config_t *config, size_t n, cuzk_error *err)
{
    const size_t slots = post_circuit_shape(config->kind, config->sector_bytes).n_sectors;

    if (n == 0) return error_set(err, CUZK_ERR_ARG, "sectors: none, expected at least 1");
    if (config->kind == POST_WINNING && n != 1)
        return error_set(err, CUZK_ERR_ARG, "sectors: %zu, a WinningPoSt takes 1", n);
    if (n > slots * POST_MAX_PARTITIONS)
        return error_set(err, CUZK_ERR_ARG, "sectors: %zu, limit %zu (%d partitions of %zu)", n,
                         slots * POST_MAX_PARTITIONS, POST_MAX_PARTITIONS, slots);
    return CUZK_OK;
}

cuzk_status post_check_randomness(const uint8_t randomness[32], const char *field, cuzk_error *err)
{
    enum { TOP_BITS = 0xc0 };
    uint8_t cleared[32];
    char found[2 * sizeof cleared + 1], wanted[2 * sizeof cleared + 1];

    if ((randomness[31] & TOP_BITS) == 0) return CUZK_OK;
    memcpy(cleared, randomness, sizeof cleared);
    cleared[31] &= (uint8_t)~TOP_BITS;
    bytes_to_hex(found, randomness, sizeof cleared);
    bytes_to_hex(wanted, cleared, sizeof cleared);
    return error_set(err, CUZK_ERR_ARG,
                     "%s: %s: top bits are set (byte 31 is 0x%02x, and byte 31 & 0xc0 must be 0); "
                     "the chain clears them: %s",
                     field, found, randomness[31], wanted);
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t x = ((const post_stated_sector_t *)a)->number;
    const uint64_t y = ((const post_stated_sector_t *)b)->number;

    return (x > y) - (x < y);
}

static cuzk_status read_sector(post_stated_sector_t *sector, const cuzk_sector *stated,
                               cuzk_error *err)
{
    const cuzk_status status = commitment_check(stated->comm_r, "comm_r", err);

    if (status != CUZK_OK) return error_within(err, "sector %" PRIu64, stated->number);
    sector->number = stated->number;
    (void)fr_from_bytes(&sector->comm_r, stated->comm_r); /* its range was checked */
    return CUZK_OK;
}

static cuzk_status refuse_two(const post_stated_sector_t *a, const post_stated_sector_t *b,
                              cuzk_error *err)
{
    uint8_t bytes[2][FR_BYTES];
    char hex[2][2 * FR_BYTES + 1];

    fr_to_bytes(bytes[0], &a->comm_r);
    fr_to_bytes(bytes[1], &b->comm_r);
    for (int i = 0; i < 2; i++) bytes_to_hex(hex[i], bytes[i], FR_BYTES);
    return error_set(err, CUZK_ERR_ARG,
                     "sectors: number %" PRIu64 " is given with two comm_r: %s and %s", a->number,
                     hex[0], hex[1]);
}

/* Where the chain has a skipped sector it states a good one again: what counts is the set. */
static cuzk_status drop_repeated(post_statement_t *st, cuzk_error *err)
{
    size_t n = 1;

    for (size_t i = 1; i < st->n_sectors; i++) {
        const post_stated_sector_t *last = &st->sectors[n - 1];

        if (st->sectors[i].number != last->number)
            st->sectors[n++] = st->sectors[i];
        else if (!fr_equal(&st->sectors[i].comm_r, &last->comm_r))
            return refuse_two(last, &st->sectors[i], err);
    }
    st->n_sectors = n;
    return CUZK_OK;
}

static cuzk_status read_sectors(post_statement_t *st, const cuzk_sector *stated, cuzk_error *err)
{
    for (size_t i = 0; i < st->n_sectors; i++)
        if (read_sector(&st->sectors[i], &stated[i], err) != CUZK_OK) return err->status;
    qsort(st->sectors, st->n_sectors, sizeof *st->sectors, compare_numbers);
    return drop_repeated(st, err);
}

cuzk_status post_statement_init(post_statement_t *st, const cuzk_post_statement *stated,
                                cuzk_error *err)
{
    memset(st, 0, sizeof *st);
    if (!post_config_by_number(&st->config, stated->registered_proof))
        return error_set(err, CUZK_ERR_ARG, "registered_proof: %" PRIu32 " is not a PoSt (0..%d)",
                         stated->registered_proof, POST_PROOFS - 1);
    if (post_check_randomness(stated->randomness, "randomness", err) != CUZK_OK ||
        post_check_sector_count(&st->config, stated->n_sectors, err) != CUZK_OK)
        return err->status;
    memcpy(st->randomness, stated->randomness, sizeof st->randomness);
    st->shape = post_circuit_shape(st->config.kind, st->config.sector_bytes);
    st->n_leaves = st->shape.tree.n_leaves;
    st->per_sector = post_challenges_per_sector(&st->shape, st->config.kind);
    st->n_sectors = stated->n_sectors;
    st->sectors = mem_alloc(st->n_sectors, sizeof *st->sectors, "sectors of a PoSt", err);
    if (st->sectors == NULL) return err->status;
    const cuzk_status status = read_sectors(st, stated->sectors, err);
    if (status != CUZK_OK)
        post_statement_clear(st);
    else
        st->n_partitions =
            (uint32_t)((st->n_sectors + st->shape.n_sectors - 1) / st->shape.n_sectors);
    return status;
}

void post_statement_clear(post_statement_t *st)
{
    free(st->sectors);
    memset(st, 0, sizeof *st);
}

size_t post_slot_sector(const post_statement_t *st, uint32_t partition, uint32_t slot)
{
    const size_t position = (size_t)partition * st->shape.n_sectors + slot;

    VERIFY(partition < st->n_partitions && slot < st->shape.n_sectors);
    return position < st->n_sectors ? position : st->n_sectors - 1;
}

uint64_t post_stated_leaf(const post_statement_t *st, size_t position, uint32_t i)
{
    const uint64_t number = post_challenge_number(st->config.kind, st->config.version,
                                                  st->first_position + position, st->per_sector, i);

    VERIFY(position < st->n_sectors && i < st->per_sector);
    return post_challenged_leaf(st->randomness, st->sectors[position].number, number, st->n_leaves);
}

uint32_t post_public_input_count(const post_statement_t *st)
{
    return st->shape.n_sectors * (1 + st->shape.n_challenges);
}

void post_public_inputs(fr_t *inputs, const post_statement_t *st, uint32_t partition)
{
    for (uint32_t slot = 0; slot < st->shape.n_sectors; slot++) {
        const size_t position = post_slot_sector(st, partition, slot);
        const uint32_t first = post_slot_challenge(st, slot);

        *inputs++ = st->sectors[position].comm_r;
        for (uint32_t i = 0; i < st->shape.n_challenges; i++)
            fr_from_u64(inputs++, post_stated_leaf(st, position, first + i));
    }
}

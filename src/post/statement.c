/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "post/statement.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "codec/commitment.h"

static bool is_sector_size(uint64_t bytes)
{
    static const uint64_t sizes[] = {(uint64_t)2 << 10, (uint64_t)8 << 20, (uint64_t)512 << 20,
                                     (uint64_t)32 << 30, (uint64_t)64 << 30};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] == bytes) return true;
    return false;
}

/* Counts the sectors against the partitions that are allowed. */
static cuzk_status check_count(const post_request_t *request, size_t n, cuzk_error *err)
{
    const uint64_t slots = post_circuit_shape(request->kind, request->sector_bytes).n_sectors;
    const uint64_t limit = request->kind == POST_WINNING ? 1 : slots * request->max_partitions;

    if (n == 0) return error_set(err, CUZK_ERR_ARG, "sectors: none, expected at least 1");
    if (request->kind == POST_WINNING && n != 1)
        return error_set(err, CUZK_ERR_ARG, "sectors: %zu, a WinningPoSt takes 1", n);
    if (n > limit)
        return error_set(err, CUZK_ERR_ARG,
                         "sectors: %zu, limit %" PRIu64 " (%" PRIu32 " partitions of %" PRIu64 ")",
                         n, limit, request->max_partitions, slots);
    if (request->first_partition + (n + slots - 1) / slots > UINT32_MAX)
        return error_set(err, CUZK_ERR_ARG,
                         "first partition: %" PRIu32 ", too large for %zu sectors",
                         request->first_partition, n);
    return CUZK_OK;
}

cuzk_status post_request_check(const post_request_t *request, size_t n_sectors, cuzk_error *err)
{
    cuzk_status status;

    if (!is_sector_size(request->sector_bytes))
        return error_set(err, CUZK_ERR_ARG,
                         "sector size: %" PRIu64
                         " bytes, expected that of 2KiB, 8MiB, 512MiB, 32GiB or 64GiB",
                         request->sector_bytes);
    if (request->kind == POST_WINNING && request->version != POST_V1)
        return error_set(err, CUZK_ERR_ARG, "registered proof: WinningPoSt has version V1 only");
    if (request->kind == POST_WINNING && request->first_partition != 0)
        return error_set(err, CUZK_ERR_ARG, "first partition: %" PRIu32 ", WinningPoSt has one",
                         request->first_partition);
    status = commitment_check_range(request->prover_id, "prover id", err);
    if (status == CUZK_OK) status = commitment_check_range(request->randomness, "randomness", err);
    return status == CUZK_OK ? check_count(request, n_sectors, err) : status;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t x = ((const struct post_stated_sector *)a)->number;
    const uint64_t y = ((const struct post_stated_sector *)b)->number;

    return (x > y) - (x < y);
}

static cuzk_status take_replica(struct post_stated_sector *sector, const post_replica_t *replica,
                                cuzk_error *err)
{
    char field[64];
    cuzk_status status;

    (void)snprintf(field, sizeof field, "sector %" PRIu64 ": comm_r", replica->number);
    status = commitment_check(replica->comm_r, field, err);
    if (status != CUZK_OK) return status;
    sector->number = replica->number;
    (void)fr_from_bytes(&sector->comm_r, replica->comm_r);
    return CUZK_OK;
}

cuzk_status post_statement_init(post_statement_t *st, const post_request_t *request,
                                const post_replica_t *replicas, size_t n, cuzk_error *err)
{
    cuzk_status status;

    memset(st, 0, sizeof *st);
    status = post_request_check(request, n, err);
    if (status != CUZK_OK) return status;
    st->request = *request;
    st->shape = post_circuit_shape(request->kind, request->sector_bytes);
    st->n_leaves = st->shape.tree.n_leaves;
    st->per_sector = post_challenges_per_sector(&st->shape, request->kind);
    st->n_partitions = (uint32_t)((n + st->shape.n_sectors - 1) / st->shape.n_sectors);
    st->n_sectors = n;
    st->sectors = small_alloc(n, sizeof *st->sectors);
    for (size_t i = 0; i < n && status == CUZK_OK; i++)
        status = take_replica(&st->sectors[i], &replicas[i], err);
    qsort(st->sectors, n, sizeof *st->sectors, compare_numbers);
    for (size_t i = 1; i < n && status == CUZK_OK; i++)
        if (st->sectors[i].number == st->sectors[i - 1].number)
            status = error_set(err, CUZK_ERR_ARG, "sectors: number %" PRIu64 " stands there twice",
                               st->sectors[i].number);
    if (status != CUZK_OK) post_statement_clear(st);
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
    const uint64_t before = (uint64_t)st->request.first_partition * st->shape.n_sectors;
    const uint64_t number = post_challenge_number(st->request.kind, st->request.version,
                                                  before + position, st->per_sector, i);

    VERIFY(position < st->n_sectors && i < st->per_sector);
    return post_challenged_leaf(st->request.randomness, st->sectors[position].number, number,
                                st->n_leaves);
}

size_t post_input_count(const post_statement_t *st)
{
    return (size_t)st->shape.n_sectors * (1 + st->shape.n_challenges);
}

void post_inputs(fr_t *inputs, const post_statement_t *st, uint32_t partition)
{
    for (uint32_t slot = 0; slot < st->shape.n_sectors; slot++) {
        const size_t position = post_slot_sector(st, partition, slot);
        const uint32_t first = post_slot_challenge(st, slot);

        *inputs++ = st->sectors[position].comm_r;
        for (uint32_t i = 0; i < st->shape.n_challenges; i++)
            fr_from_u64(inputs++, post_stated_leaf(st, position, first + i));
    }
}

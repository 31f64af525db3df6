/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/table.h"

#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "msm/adder.h"

/* Scalars are below 2^255, so that digits of 256 bits need no carry out of the last. A task
 * multiplies BLOCK scalars at once. Wider windows than MAX_WINDOW would save additions, but their
 * table outgrows the caches. */
enum { SCALAR_BITS = 256, BLOCK = 256, MIN_WINDOW = 2, MAX_WINDOW = 13, MAX_WINDOWS = 128 };

static uint32_t choose_window(size_t n)
{
    uint32_t best = MIN_WINDOW;
    double least = 0;

    for (uint32_t bits = MIN_WINDOW; bits <= MAX_WINDOW; bits++) {
        const uint32_t n_windows = (SCALAR_BITS + bits - 1) / bits;
        const double additions = n_windows * ((double)n + (double)(1U << (bits - 1)));

        if (bits > MIN_WINDOW && additions >= least) continue;
        best = bits;
        least = additions;
    }
    return best;
}

static uint32_t worker_slot(const msm_table_t *table, uint32_t worker)
{
    return table->n_entries * table->n_windows + worker * (BLOCK + MSM_ADDER_BLOCK / 2);
}

static void worker_adder(const msm_table_t *table, msm_adder_t *adder, uint32_t worker)
{
    msm_adder_init(adder, table->group, table->slots, worker_slot(table, worker) + BLOCK,
                   table->memory + worker * msm_adder_bytes(table->group));
}

cuzk_status msm_table_open(msm_table_t *table, const msm_group_t *group, size_t n,
                           uint32_t n_workers, cuzk_error *err)
{
    void *slots;
    void *memory;

    *table = (msm_table_t){.group = group, .n_workers = n_workers};
    table->window_bits = choose_window(n);
    table->n_windows = (SCALAR_BITS + table->window_bits - 1) / table->window_bits;
    table->n_entries = 1U << (table->window_bits - 1);
    table->n_slots = worker_slot(table, n_workers);
    cuzk_status st = big_alloc(&slots, table->n_slots, group->slot_bytes, "fixed base: table", err);
    if (st != CUZK_OK) return st;
    table->slots = slots;
    st = big_alloc(&memory, n_workers, msm_adder_bytes(group), "fixed base: scratch", err);
    table->memory = memory;
    return st;
}

/* What follows the entries are sums under way, and the scratch tells the digits of scalars. */
static void wipe(msm_table_t *table)
{
    const size_t first = worker_slot(table, 0);
    const size_t size = table->group->slot_bytes;

    if (table->slots != NULL)
        mem_wipe(table->slots + first * size, (table->n_slots - first) * size);
    if (table->memory != NULL)
        mem_wipe(table->memory, table->n_workers * msm_adder_bytes(table->group));
}

void msm_table_close(msm_table_t *table)
{
    wipe(table);
    big_free(table->slots, table->n_slots, table->group->slot_bytes);
    big_free(table->memory, table->n_workers, msm_adder_bytes(table->group));
}

/* The entries of one window: from multiples 1 ... m of a base follow m + 1 ... 2 m, all by adding
 * multiple m. */
static void fill_window(void *arg, size_t window, uint32_t worker)
{
    const msm_table_t *table = arg;
    const uint32_t entry = (uint32_t)window * table->n_entries;
    msm_adder_t adder;

    worker_adder(table, &adder, worker);
    for (uint32_t m = 1; m < table->n_entries; m *= 2) {
        for (uint32_t i = 0; i < m; i++)
            msm_adder_pair(&adder, (entry + i) << 1, (entry + m - 1) << 1, entry + m + i);
        msm_adder_flush(&adder);
    }
}

static cuzk_status check_workers(const msm_table_t *table, const strand_t *strand, cuzk_error *err)
{
    if (strand_size(strand) <= table->n_workers) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "fixed base: a table for %u threads, %u given",
                     table->n_workers, strand_size(strand));
}

cuzk_status msm_table_fill(msm_table_t *table, const void *base, strand_t *strand, cuzk_error *err)
{
    const msm_span_t span = {base, POINTS_AFFINE};
    const cuzk_status st = check_workers(table, strand, err);

    if (st != CUZK_OK) return st;
    for (uint32_t w = 0; w < table->n_windows; w++)
        table->group->load(table->slots, w * table->n_entries, 1, &span, &w, 1);
    return strand_run(strand, table->n_windows, fill_window, table, err);
}

typedef struct {
    const msm_table_t *table;
    uint8_t *affine;
    const scalar_t *k;
    size_t n;
} multiples_t;

/* Products of BLOCK scalars. */
static void multiply_block(void *arg, size_t index, uint32_t worker)
{
    const multiples_t *m = arg;
    const msm_table_t *table = m->table;
    const size_t first = index * BLOCK;
    const size_t n = m->n - first < BLOCK ? m->n - first : BLOCK;
    const uint32_t out = worker_slot(table, worker);
    msm_adder_t adder;

    worker_adder(table, &adder, worker);
    memset(table->slots + out * table->group->slot_bytes, 0, n * table->group->slot_bytes);
    for (size_t i = 0; i < n; i++) {
        int32_t digit[MAX_WINDOWS];
        msm_ref_t refs[MAX_WINDOWS];
        uint32_t n_refs = 0;

        msm_digits(digit, table->n_windows, table->window_bits, m->k[first + i].l, 4, false);
        for (uint32_t w = 0; w < table->n_windows; w++) {
            const uint32_t magnitude = (uint32_t)(digit[w] < 0 ? -digit[w] : digit[w]);

            if (magnitude == 0) continue;
            refs[n_refs++] = (w * table->n_entries + magnitude - 1) << 1 | (digit[w] < 0);
        }
        if (n_refs > 0) msm_adder_add(&adder, out + (uint32_t)i, true, refs, n_refs);
    }
    msm_adder_finish(&adder);
    table->group->store(m->affine + first * table->group->affine_bytes, table->slots, out, n);
}

cuzk_status msm_table_mul(void *affine, msm_table_t *table, const scalar_t *k, size_t n,
                          strand_t *strand, cuzk_error *err)
{
    multiples_t multiples = {.table = table, .affine = affine, .k = k, .n = n};
    const cuzk_status st = check_workers(table, strand, err);

    if (st != CUZK_OK) return st;
    return strand_run(strand, (n + BLOCK - 1) / BLOCK, multiply_block, &multiples, err);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/table.h"

#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "msm/summer.h"

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

static uint32_t area_slot(const msm_table_t *table, uint32_t area)
{
    return table->n_entries * table->n_windows + area * (BLOCK + SUMMER_BLOCK / 2);
}

static void area_summer(const msm_table_t *table, summer_t *s, uint32_t area)
{
    summer_init(s, table->group, table->slots, area_slot(table, area) + BLOCK,
                table->memory + area * table->area_bytes);
}

cuzk_status msm_table_open(msm_table_t *table, const msm_group_t *group, size_t n, strand_t *strand,
                           cuzk_error *err)
{
    void *slots;
    void *memory;

    *table = (msm_table_t){.group = group, .n_areas = strand_size(strand)};
    table->window_bits = choose_window(n);
    table->n_windows = (SCALAR_BITS + table->window_bits - 1) / table->window_bits;
    table->n_entries = 1U << (table->window_bits - 1);
    table->n_slots = area_slot(table, table->n_areas);
    table->area_bytes = summer_bytes(group);
    if (big_alloc(&slots, table->n_slots, group->slot_bytes, "fixed base: table", err) != CUZK_OK)
        return err->status;
    if (big_alloc(&memory, table->n_areas, table->area_bytes, "fixed base: scratch", err) !=
        CUZK_OK) {
        big_free(slots, table->n_slots, group->slot_bytes);
        return err->status;
    }
    table->slots = slots;
    table->memory = memory;
    (void)pthread_mutex_init(&table->mutex, NULL);
    return CUZK_OK;
}

void msm_table_close(msm_table_t *table)
{
    (void)pthread_mutex_destroy(&table->mutex);
    big_free(table->slots, table->n_slots, table->group->slot_bytes);
    big_free(table->memory, table->n_areas, table->area_bytes);
}

/* Area `index` fills its share of the windows: from multiples 1 ... m of a base follow
 * m + 1 ... 2 m, all by adding m. */
static void fill_task(void *arg, size_t index, uint32_t worker)
{
    const msm_table_t *table = arg;
    const uint32_t first = (uint32_t)(index * table->n_windows / table->n_areas);
    const uint32_t end = (uint32_t)((index + 1) * table->n_windows / table->n_areas);
    summer_t s;

    (void)worker;
    area_summer(table, &s, (uint32_t)index);
    for (uint32_t m = 1; m < table->n_entries; m *= 2) {
        for (uint32_t w = first; w < end; w++) {
            const uint32_t entry = w * table->n_entries;

            for (uint32_t i = 0; i < m; i++)
                summer_pair(&s, (entry + i) << 1, (entry + m - 1) << 1, entry + m + i);
        }
        summer_flush(&s);
    }
}

cuzk_status msm_table_fill(msm_table_t *table, const void *base, strand_t *strand, cuzk_error *err)
{
    const msm_source_t source = {base, table->n_windows, false};

    for (uint32_t w = 0; w < table->n_windows; w++)
        table->group->load(table->slots, w * table->n_entries, 1, &source, &w, 1);
    return strand_run(strand, table->n_areas, fill_task, table, err);
}

typedef struct {
    msm_table_t *table;
    uint8_t *affine;
    const scalar_t *k;
    size_t n;
    atomic_size_t next; /* first scalar not taken */
} mul_t;

static void mul_block(const mul_t *mul, size_t first, size_t n, summer_t *s, uint32_t out)
{
    const msm_table_t *table = mul->table;
    const size_t slot_bytes = table->group->slot_bytes;

    memset(table->slots + out * slot_bytes, 0, n * slot_bytes);
    for (size_t i = 0; i < n; i++) {
        int32_t digit[MAX_WINDOWS];
        msm_ref_t refs[MAX_WINDOWS];
        uint32_t n_refs = 0;

        msm_digits(digit, 1, table->window_bits, table->n_windows, mul->k[first + i].l, 4, false);
        for (uint32_t w = 0; w < table->n_windows; w++) {
            const uint32_t magnitude = (uint32_t)(digit[w] < 0 ? -digit[w] : digit[w]);

            if (magnitude == 0) continue;
            refs[n_refs++] = (w * table->n_entries + magnitude - 1) << 1 | (digit[w] < 0);
        }
        if (n_refs > 0) summer_add(s, out + (uint32_t)i, true, refs, n_refs);
    }
    summer_finish(s);
    table->group->store(mul->affine + first * table->group->affine_bytes, table->slots, out, n);
}

static void mul_task(void *arg, size_t index, uint32_t worker)
{
    mul_t *mul = arg;
    summer_t s;

    (void)worker;
    area_summer(mul->table, &s, (uint32_t)index);
    for (;;) {
        const size_t first = atomic_fetch_add(&mul->next, BLOCK);

        if (first >= mul->n) return;
        mul_block(mul, first, mul->n - first < BLOCK ? mul->n - first : BLOCK, &s,
                  area_slot(mul->table, (uint32_t)index));
    }
}

cuzk_status msm_table_mul(void *affine, msm_table_t *table, const scalar_t *k, size_t n,
                          strand_t *strand, cuzk_error *err)
{
    mul_t mul = {.table = table, .affine = affine, .k = k, .n = n};

    (void)pthread_mutex_lock(&table->mutex);
    const cuzk_status st = strand_run(strand, table->n_areas, mul_task, &mul, err);
    (void)pthread_mutex_unlock(&table->mutex);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_TABLE_H
#define CUZK_MSM_TABLE_H

/* Tables of multiples of one point over any group (group.h), for fixed_base.h: entry m of window
 * w is (m + 1) 2^(window_bits w) times the base. */

#include "base/executor.h"
#include "msm/group.h"

typedef struct {
    const msm_group_t *group;
    uint32_t window_bits;
    uint32_t n_windows;
    uint32_t n_entries; /* of a window: 2^(window_bits - 1) */
    uint32_t n_workers;
    uint8_t *slots; /* entries, window after window, then the workers' slots */
    size_t n_slots;
    uint8_t *memory; /* batch adders of the workers */
} msm_table_t;

/** Chooses the window for n multiplications and allocates, for strands of n_workers threads at
 *  most; the entries are not there yet. Call msm_table_close() also on failure. */
cuzk_status msm_table_open(msm_table_t *table, const msm_group_t *group, size_t n,
                           uint32_t n_workers, cuzk_error *err);
void msm_table_close(msm_table_t *table);

/** Computes the entries; base holds the affine structures of 2^(window_bits w) times the base. */
cuzk_status msm_table_fill(msm_table_t *table, const void *base, strand_t *strand, cuzk_error *err);

/** affine[i] = k[i] * base, i < n. CUZK_ERR_ARG for a strand of more threads than the table has
 *  workers. Threads: one call at a time. */
cuzk_status msm_table_mul(void *affine, msm_table_t *table, const scalar_t *k, size_t n,
                          strand_t *strand, cuzk_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "synthesis/plan.h"

#include <stdlib.h>

/* Some ten milliseconds of a stamped run. */
enum { CHUNK_CONSTRAINTS = 1 << 19 };

void circuit_plan_clear(circuit_plan_t *plan)
{
    free(plan->parts);
    densities_clear(&plan->densities);
    *plan = (circuit_plan_t){0};
}

uint64_t circuit_plan_bytes(const circuit_plan_t *plan)
{
    const densities_t *d = &plan->densities;
    const uint64_t n_parts = plan->n_parts == 0 ? 0 : (uint64_t)plan->n_parts + 1;

    return n_parts * sizeof *plan->parts +
           (d->a_aux.n_words + d->b_input.n_words + d->b_aux.n_words) * sizeof(uint64_t);
}

uint32_t circuit_plan_chunks(const circuit_plan_t *plan, uint32_t n_threads)
{
    uint64_t n = plan->counts.n_constraints / CHUNK_CONSTRAINTS;

    if (n < n_threads) n = n_threads;
    return n > plan->n_parts ? plan->n_parts : (uint32_t)n;
}

/* The first part that begins at constraint `at` or behind it. */
static uint32_t part_at(const circuit_plan_t *plan, uint64_t at)
{
    uint32_t low = 0;
    uint32_t high = plan->n_parts;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (plan->parts[middle].n_constraints < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void circuit_plan_chunk(uint32_t *first, uint32_t *end, const circuit_plan_t *plan, uint32_t k,
                        uint32_t n_chunks)
{
    const uint64_t total = plan->counts.n_constraints;
    const uint64_t each = total / n_chunks;

    *first = k == 0 ? 0 : part_at(plan, k * each);
    *end = k + 1 == n_chunks ? plan->n_parts : part_at(plan, (k + 1) * each);
}

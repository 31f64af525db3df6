/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/order.h"
#include "base/verify.h"
#include "groth16/groth16.h"
#include "groth16/query.h"

/* From this number of threads on a chain's serial stretches leave enough of them idle for several
 * streams to gain; below it the memory that one stream saves is worth more. */
enum { MANY_THREADS = 8 };

/* The sizes of one sum. */
typedef struct {
    size_t n_points;
    size_t n_terms; /* at most: elements that have a point */
} sum_size_t;

static void set_sum_sizes(sum_size_t sums[GROTH16_PARTS], const groth16_size_t *size)
{
    const circuit_counts_t *c = &size->counts;
    const size_t elements = size->n_elements;
    const size_t in_h = ((size_t)1 << circuit_lg_domain(c)) - 1;
    const sum_size_t in_b = {c->b_input + c->b_aux,
                             c->b_input + smaller(size->b_elements, c->b_aux)};

    sums[GROTH16_SUM_H] = (sum_size_t){in_h, in_h};
    sums[GROTH16_SUM_L] = (sum_size_t){c->n_aux, elements};
    sums[GROTH16_SUM_A] =
        (sum_size_t){c->n_inputs + c->a_aux, c->n_inputs + smaller(size->a_elements, c->a_aux)};
    sums[GROTH16_SUM_B1] = sums[GROTH16_SUM_B2] = in_b;
}

/* The chains: a, b and c, and scratch for each stream that has one. */
static uint64_t count_h(const groth16_plan_t *plan, const device_t *device,
                        const groth16_size_t *size)
{
    const unsigned lg_m = circuit_lg_domain(&size->counts);
    const uint64_t vector = sizeof(fr_t) << lg_m;
    const uint64_t ab = size->vectors == BUFFER_FILE ? 0 : 2 * vector;
    const uint64_t scratch = device_transform_bytes(device, lg_m, size->vectors, size->n_threads);
    uint64_t n_chains = 0;
    uint32_t streams = 0; /* bitmap */

    for (unsigned i = GROTH16_CHAIN_A; i <= GROTH16_CHAIN_C; i++)
        streams |= (uint32_t)1 << plan->stream_of[i];
    n_chains = (uint64_t)__builtin_popcount(streams);
    return ab + vector + n_chains * scratch;
}

/* What the sums work in: each stream has one scratch, for its largest. */
static void count_scratch(groth16_plan_t *plan, const device_t *device, const groth16_size_t *size,
                          const sum_size_t sums[GROTH16_PARTS])
{
    for (unsigned i = 0; i < GROTH16_PARTS; i++) plan->scratch_bytes[i] = 0;
    for (unsigned i = GROTH16_SUM_H; i <= GROTH16_SUM_B2; i++) {
        const msm_size_t msm = {.n_points = sums[i].n_points,
                                .n_terms = sums[i].n_terms,
                                .has_selected = i != GROTH16_SUM_H,
                                .is_read = size->is_read,
                                .window_bits = plan->window_bits[i],
                                .threads = size->n_threads};
        uint64_t *bytes = &plan->scratch_bytes[plan->stream_of[i]];

        *bytes = larger(*bytes, device_msm_bytes(device, i == GROTH16_SUM_B2, &msm));
    }
}

/* Scalars and queries. */
static uint64_t count_witness(const groth16_plan_t *plan, const groth16_size_t *size,
                              const sum_size_t sums[GROTH16_PARTS])
{
    uint64_t largest = 0, queries = 0;

    for (unsigned i = GROTH16_SUM_L; i <= GROTH16_SUM_B1; i++) { /* B's two sums share one */
        const uint64_t query = query_bytes(sums[i].n_points, sums[i].n_terms);

        largest = larger(largest, query);
        queries += query;
    }
    const uint64_t scalars =
        ((uint64_t)size->counts.n_inputs + size->n_elements) * sizeof(scalar_t);
    return scalars + query_build_bytes(size->counts.n_aux) +
           (plan->n_streams == 1 ? largest : queries);
}

void groth16_plan_count(groth16_plan_t *plan, const device_t *device, const groth16_size_t *size)
{
    sum_size_t sums[GROTH16_PARTS] = {0};
    uint64_t scratch = 0;

    set_sum_sizes(sums, size);
    count_scratch(plan, device, size, sums);
    for (unsigned i = 0; i < plan->n_streams; i++) scratch += plan->scratch_bytes[i];
    plan->h_bytes = count_h(plan, device, size) + scratch;
    plan->sum_h_bytes = (sizeof(fr_t) << circuit_lg_domain(&size->counts)) + scratch;
    plan->witness_bytes = count_witness(plan, size, sums) + (plan->together ? 0 : scratch);
    const uint64_t first = larger(plan->h_bytes, plan->sum_h_bytes);
    plan->peak_bytes =
        plan->together ? first + plan->witness_bytes : larger(first, plan->witness_bytes);
}

static const groth16_plan_t one_stream = {.n_streams = 1};

static const groth16_plan_t many_streams = {.n_streams = 7,
                                            .stream_of = {[GROTH16_CHAIN_A] = 0,
                                                          [GROTH16_CHAIN_B] = 1,
                                                          [GROTH16_CHAIN_C] = 2,
                                                          [GROTH16_SUM_H] = 0,
                                                          [GROTH16_SUM_L] = 3,
                                                          [GROTH16_SUM_A] = 4,
                                                          [GROTH16_SUM_B1] = 5,
                                                          [GROTH16_SUM_B2] = 6},
                                            .together = true};

void groth16_plan_make(groth16_plan_t *plan, const device_t *device, const groth16_size_t *size)
{
    *plan = many_streams;
    if (size->n_threads >= MANY_THREADS) {
        for (unsigned together = 2; together-- > 0;) {
            plan->together = together == 1;
            groth16_plan_count(plan, device, size);
            if (size->memory_limit == 0 || plan->peak_bytes <= size->memory_limit) return;
        }
    }
    *plan = one_stream;
    groth16_plan_count(plan, device, size);
}

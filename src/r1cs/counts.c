/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "r1cs/counts.h"

unsigned circuit_lg_domain(const circuit_counts_t *counts)
{
    const uint64_t rows = counts->n_constraints + counts->n_inputs;
    unsigned lg = 0;

    while ((uint64_t)1 << lg < rows) lg++;
    return lg;
}

void circuit_count_densities(circuit_counts_t *counts, const densities_t *densities)
{
    counts->a_aux = density_total(&densities->a_aux);
    counts->b_input = density_total(&densities->b_input);
    counts->b_aux = density_total(&densities->b_aux);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_FIELD_FR_BATCH_OPS_H
#define CUZK_FIELD_FR_BATCH_OPS_H

/* The kernels behind field/fr_batch.h. Each works on whole groups: n is a multiple of `group`. */

#include "field/fr_batch.h"

typedef struct {
    size_t group;
    void (*add)(fr_t *r, const fr_t *a, const fr_t *b, size_t n);
    void (*sub)(fr_t *r, const fr_t *a, const fr_t *b, size_t n);
    void (*mul)(fr_t *r, const fr_t *a, const fr_t *b, size_t n);
    void (*sqr)(fr_t *r, const fr_t *a, size_t n);
    void (*scale)(fr_t *r, const fr_t *a, const fr_t *k, size_t n);
    void (*scale_powers)(fr_t *r, const fr_t *a, const fr_t *first, const fr_t *step, size_t n);
    void (*inv)(fr_t *r, const fr_t *a, size_t n);
    void (*to_scalar)(scalar_t *s, const fr_t *a, size_t n);
    void (*from_scalar)(fr_t *a, const scalar_t *s, size_t n);
} fr_batch_ops_t;

extern const fr_batch_ops_t fr_batch_portable; /* group 1 */
extern const fr_batch_ops_t fr_batch_ifma;     /* group 8, for CPU_AVX512_IFMA only */

#endif

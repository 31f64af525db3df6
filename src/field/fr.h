/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_FIELD_FR_H
#define CUZK_FIELD_FR_H

/* The scalar field of BLS12-381, r = 0x73eda753299d7d483339d80809a1d805 53bda402fffe5bfeffffffff
 * 00000001. fr_t is in Montgomery form (factor 2^256) and reduced; scalar_t is the canonical
 * integer. blst's scalar routines do the work; arrays go through field/fr_batch.h. */

#include <blst.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

/** An element in Montgomery form, 4 little-endian limbs, value < r. */
typedef blst_fr fr_t;

/** A canonical integer < r, 4 little-endian limbs; in memory the 32 bytes little-endian. */
typedef struct {
    uint64_t l[4];
} scalar_t;

enum { FR_BYTES = 32, FR_BITS = 255, FR_TWO_ADICITY = 32 };

extern const fr_t fr_zero;
extern const fr_t fr_one;
extern const fr_t fr_minus_one;
extern const fr_t fr_generator;   /* 7, of the whole multiplicative group */
extern const scalar_t fr_modulus; /* r itself */

static inline void fr_add(fr_t *r, const fr_t *a, const fr_t *b)
{
    blst_fr_add(r, a, b);
}
static inline void fr_sub(fr_t *r, const fr_t *a, const fr_t *b)
{
    blst_fr_sub(r, a, b);
}
static inline void fr_mul(fr_t *r, const fr_t *a, const fr_t *b)
{
    blst_fr_mul(r, a, b);
}
static inline void fr_sqr(fr_t *r, const fr_t *a)
{
    blst_fr_sqr(r, a);
}
static inline void fr_neg(fr_t *r, const fr_t *a)
{
    blst_fr_cneg(r, a, true);
}

/** r = 1/a; 0 for a = 0. Constant time. */
static inline void fr_inv(fr_t *r, const fr_t *a)
{
    blst_fr_eucl_inverse(r, a);
}

static inline bool fr_equal(const fr_t *a, const fr_t *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}
static inline bool fr_is_zero(const fr_t *a)
{
    return (a->l[0] | a->l[1] | a->l[2] | a->l[3]) == 0;
}
static inline bool fr_is_one(const fr_t *a)
{
    return fr_equal(a, &fr_one);
}

/** r = the small integer v. */
void fr_from_u64(fr_t *r, uint64_t v);

/** r = base^exponent. */
void fr_pow_u64(fr_t *r, const fr_t *base, uint64_t exponent);

static inline void fr_from_scalar(fr_t *r, const scalar_t *s)
{
    blst_fr_from_uint64(r, s->l);
}
static inline void fr_to_scalar(scalar_t *s, const fr_t *a)
{
    blst_uint64_from_fr(s->l, a);
}

/** True when s < r. */
bool scalar_is_canonical(const scalar_t *s);

static inline bool scalar_bit(const scalar_t *s, unsigned i)
{
    return s->l[i / 64] >> i % 64 & 1;
}

/** 32 bytes little-endian. */
static inline void fr_to_bytes(uint8_t bytes[FR_BYTES], const fr_t *a)
{
    scalar_t s;
    fr_to_scalar(&s, a);
    memcpy(bytes, s.l, FR_BYTES);
}

/** From 32 bytes little-endian; false, and *r unchanged, when the value is not below r. */
bool fr_from_bytes(fr_t *r, const uint8_t bytes[FR_BYTES]);

/** root = an element of order 2^lg_n, 7^((r-1) / 2^lg_n); lg_n <= FR_TWO_ADICITY. */
void fr_root_of_unity(fr_t *root, unsigned lg_n);

/** *a uniform in [0, r) from the operating system, by rejection; CUZK_ERR_IO when it gives none. */
cuzk_status fr_random(fr_t *a, cuzk_error *err);

#endif

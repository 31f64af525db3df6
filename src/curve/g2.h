/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CURVE_G2_H
#define CUZK_CURVE_G2_H

/* The group G2 of BLS12-381: y^2 = x^3 + 4 (u + 1), over fp2. blst does the group law
 * and the encodings; the identity is x = y = 0 in affine form and z = 0 in Jacobian form. */

#include "base/error.h"
#include "field/fp.h"
#include "field/fr.h"

typedef blst_p2_affine g2_affine_t;
typedef blst_p2 g2_jac_t;

enum { G2_UNCOMPRESSED_BYTES = 192, G2_COMPRESSED_BYTES = 96 };

/** The standard generator. */
const g2_affine_t *g2_generator(void);

/** Complete addition, doubling and identity included. */
static inline void g2_add(g2_jac_t *r, const g2_jac_t *a, const g2_jac_t *b)
{
    blst_p2_add_or_double(r, a, b);
}
static inline void g2_add_affine(g2_jac_t *r, const g2_jac_t *a, const g2_affine_t *b)
{
    blst_p2_add_or_double_affine(r, a, b);
}
static inline void g2_double(g2_jac_t *r, const g2_jac_t *a)
{
    blst_p2_double(r, a);
}
static inline void g2_neg(g2_jac_t *r)
{
    blst_p2_cneg(r, true);
}
static inline void g2_to_affine(g2_affine_t *r, const g2_jac_t *a)
{
    blst_p2_to_affine(r, a);
}
static inline void g2_from_affine(g2_jac_t *r, const g2_affine_t *a)
{
    blst_p2_from_affine(r, a);
}
static inline bool g2_affine_is_identity(const g2_affine_t *a)
{
    return fp2_is_zero(&a->x) && fp2_is_zero(&a->y);
}
static inline bool g2_is_identity(const g2_jac_t *a)
{
    return fp2_is_zero(&a->z);
}
static inline bool g2_equal(const g2_jac_t *a, const g2_jac_t *b)
{
    return blst_p2_is_equal(a, b);
}

/** r = k * a, constant time in k. */
void g2_mul(g2_jac_t *r, const g2_jac_t *a, const scalar_t *k);
void g2_mul_affine(g2_affine_t *r, const g2_affine_t *a, const scalar_t *k);

/** The identity satisfies this. */
bool g2_on_curve(const g2_affine_t *a);

/** In the subgroup of order r; a is on the curve. */
bool g2_in_subgroup(const g2_affine_t *a);

/* Encodings: big-endian, flags in the three top bits of the first byte (compressed, infinity,
 * larger y), as ZCash defined them; the coefficient of u stands before the constant one. */

void g2_write_uncompressed(uint8_t bytes[G2_UNCOMPRESSED_BYTES], const g2_affine_t *a);
void g2_write_compressed(uint8_t bytes[G2_COMPRESSED_BYTES], const g2_affine_t *a);

/** Decodes and checks the flags, the range of each coordinate, and that the point is on the curve
 *  (not the subgroup). False when one does not hold; *a is then unspecified. */
bool g2_read_uncompressed(g2_affine_t *a, const uint8_t bytes[G2_UNCOMPRESSED_BYTES]);

/** Decodes, and checks flags, range, curve and subgroup. */
bool g2_read_compressed(g2_affine_t *a, const uint8_t bytes[G2_COMPRESSED_BYTES]);

/* How an array of points lies in memory. */
typedef enum {
    G2_FORM_AFFINE,      /* g2_affine_t */
    G2_FORM_UNCOMPRESSED /* 192 bytes a point, as in parameter files; trusted: see below */
} g2_form;

/** An array of n points in one of the forms; borrowed memory, perhaps a mapped file. */
typedef struct {
    const void *base;
    size_t n;
    g2_form form;
} g2_source_t;

/** r[0 .. n-1] = points first .. first+n-1 of the source. Bytes are taken as they are: the source
 *  was checked when its file was opened, or coordinates out of range give a wrong point (and a
 *  proof that fails its own check), never undefined behaviour. */
void g2_source_read(g2_affine_t *r, const g2_source_t *source, size_t first, size_t n);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CURVE_G1_H
#define CUZK_CURVE_G1_H

/* The group G1 of BLS12-381: y^2 = x^3 + 4, over fp. blst does the group law
 * and the encodings; the identity is x = y = 0 in affine form and z = 0 in Jacobian form. */

#include "base/error.h"
#include "field/fp.h"
#include "field/fr.h"

typedef blst_p1_affine g1_affine_t;
typedef blst_p1 g1_jac_t;

enum { G1_UNCOMPRESSED_BYTES = 96, G1_COMPRESSED_BYTES = 48 };

/** The standard generator. */
const g1_affine_t *g1_generator(void);

/** Complete addition, doubling and identity included. */
static inline void g1_add(g1_jac_t *r, const g1_jac_t *a, const g1_jac_t *b)
{
    blst_p1_add_or_double(r, a, b);
}
static inline void g1_add_affine(g1_jac_t *r, const g1_jac_t *a, const g1_affine_t *b)
{
    blst_p1_add_or_double_affine(r, a, b);
}
static inline void g1_double(g1_jac_t *r, const g1_jac_t *a)
{
    blst_p1_double(r, a);
}
static inline void g1_neg(g1_jac_t *r)
{
    blst_p1_cneg(r, true);
}
static inline void g1_to_affine(g1_affine_t *r, const g1_jac_t *a)
{
    blst_p1_to_affine(r, a);
}
static inline void g1_from_affine(g1_jac_t *r, const g1_affine_t *a)
{
    blst_p1_from_affine(r, a);
}
static inline bool g1_affine_is_identity(const g1_affine_t *a)
{
    return fp_is_zero(&a->x) && fp_is_zero(&a->y);
}
static inline bool g1_is_identity(const g1_jac_t *a)
{
    return fp_is_zero(&a->z);
}
static inline bool g1_equal(const g1_jac_t *a, const g1_jac_t *b)
{
    return blst_p1_is_equal(a, b);
}

/** r = k * a, constant time in k. */
void g1_mul(g1_jac_t *r, const g1_jac_t *a, const scalar_t *k);
void g1_mul_affine(g1_affine_t *r, const g1_affine_t *a, const scalar_t *k);

/** The identity satisfies this. */
bool g1_on_curve(const g1_affine_t *a);

/** In the subgroup of order r; a is on the curve. */
bool g1_in_subgroup(const g1_affine_t *a);

/* Encodings: big-endian, flags in the three top bits of the first byte (compressed, infinity,
 * larger y), as ZCash defined them; x, then y. */

void g1_write_uncompressed(uint8_t bytes[G1_UNCOMPRESSED_BYTES], const g1_affine_t *a);
void g1_write_compressed(uint8_t bytes[G1_COMPRESSED_BYTES], const g1_affine_t *a);

/** Decodes and checks the flags, the range of each coordinate, and that the point is on the curve
 *  (not the subgroup). False when one does not hold; *a is then unspecified. */
bool g1_read_uncompressed(g1_affine_t *a, const uint8_t bytes[G1_UNCOMPRESSED_BYTES]);

/** Decodes, and checks flags, range, curve and subgroup. */
bool g1_read_compressed(g1_affine_t *a, const uint8_t bytes[G1_COMPRESSED_BYTES]);

/* How an array of points lies in memory. */
typedef enum {
    G1_FORM_AFFINE,      /* g1_affine_t */
    G1_FORM_UNCOMPRESSED /* 96 bytes a point, as in parameter files; trusted: see below */
} g1_form;

/** An array of n points in one of the forms; borrowed memory, perhaps a mapped file. */
typedef struct {
    const void *base;
    size_t n;
    g1_form form;
} g1_source_t;

/** r[0 .. n-1] = points first .. first+n-1 of the source. Bytes are taken as they are: the source
 *  was checked when its file was opened, or coordinates out of range give a wrong point (and a
 *  proof that fails its own check), never undefined behaviour. */
void g1_source_read(g1_affine_t *r, const g1_source_t *source, size_t first, size_t n);

#endif

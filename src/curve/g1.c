/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "curve/g1.h"

#include "base/verify.h"

const g1_affine_t *g1_generator(void)
{
    return blst_p1_affine_generator();
}

void g1_mul(g1_jac_t *r, const g1_jac_t *a, const scalar_t *k)
{
    blst_p1_mult(r, a, (const uint8_t *)k->l, FR_BITS);
}

void g1_mul_affine(g1_affine_t *r, const g1_affine_t *a, const scalar_t *k)
{
    g1_jac_t point;

    g1_from_affine(&point, a);
    g1_mul(&point, &point, k);
    g1_to_affine(r, &point);
}

bool g1_on_curve(const g1_affine_t *a)
{
    return g1_affine_is_identity(a) || blst_p1_affine_on_curve(a);
}

bool g1_in_subgroup(const g1_affine_t *a)
{
    return blst_p1_affine_in_g1(a);
}

void g1_write_uncompressed(uint8_t bytes[G1_UNCOMPRESSED_BYTES], const g1_affine_t *a)
{
    blst_p1_affine_serialize(bytes, a);
}

void g1_write_compressed(uint8_t bytes[G1_COMPRESSED_BYTES], const g1_affine_t *a)
{
    blst_p1_affine_compress(bytes, a);
}

bool g1_read_uncompressed(g1_affine_t *a, const uint8_t bytes[G1_UNCOMPRESSED_BYTES])
{
    /* blst takes compressed bytes here too, by their flag; we do not. */
    return (bytes[0] & 0x80) == 0 && blst_p1_deserialize(a, bytes) == BLST_SUCCESS;
}

bool g1_read_compressed(g1_affine_t *a, const uint8_t bytes[G1_COMPRESSED_BYTES])
{
    return blst_p1_uncompress(a, bytes) == BLST_SUCCESS && g1_in_subgroup(a);
}

static void read_trusted(g1_affine_t *r, const uint8_t *bytes)
{
    if (bytes[0] & 0x40) {
        *r = (g1_affine_t){0};
        return;
    }
    blst_fp_from_bendian(&r->x, bytes);
    blst_fp_from_bendian(&r->y, bytes + FP_BYTES);
}

void g1_source_read(g1_affine_t *r, const g1_source_t *source, size_t first, size_t n)
{
    VERIFY(first <= source->n && n <= source->n - first);
    if (source->form == G1_FORM_AFFINE) {
        memcpy(r, (const g1_affine_t *)source->base + first, n * sizeof *r);
        return;
    }
    const uint8_t *bytes = (const uint8_t *)source->base + first * G1_UNCOMPRESSED_BYTES;
    for (size_t i = 0; i < n; i++) read_trusted(&r[i], bytes + i * G1_UNCOMPRESSED_BYTES);
}

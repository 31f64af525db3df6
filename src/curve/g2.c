/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "curve/g2.h"

#include "base/verify.h"

const g2_affine_t *g2_generator(void)
{
    return blst_p2_affine_generator();
}

void g2_mul(g2_jac_t *r, const g2_jac_t *a, const scalar_t *k)
{
    blst_p2_mult(r, a, (const uint8_t *)k->l, FR_BITS);
}

void g2_mul_affine(g2_affine_t *r, const g2_affine_t *a, const scalar_t *k)
{
    g2_jac_t point;

    g2_from_affine(&point, a);
    g2_mul(&point, &point, k);
    g2_to_affine(r, &point);
}

bool g2_on_curve(const g2_affine_t *a)
{
    return g2_affine_is_identity(a) || blst_p2_affine_on_curve(a);
}

bool g2_in_subgroup(const g2_affine_t *a)
{
    return blst_p2_affine_in_g2(a);
}

void g2_write_uncompressed(uint8_t bytes[G2_UNCOMPRESSED_BYTES], const g2_affine_t *a)
{
    blst_p2_affine_serialize(bytes, a);
}

void g2_write_compressed(uint8_t bytes[G2_COMPRESSED_BYTES], const g2_affine_t *a)
{
    blst_p2_affine_compress(bytes, a);
}

bool g2_read_uncompressed(g2_affine_t *a, const uint8_t bytes[G2_UNCOMPRESSED_BYTES])
{
    /* blst takes compressed bytes here too, by their flag; we do not. */
    return (bytes[0] & 0x80) == 0 && blst_p2_deserialize(a, bytes) == BLST_SUCCESS;
}

bool g2_read_compressed(g2_affine_t *a, const uint8_t bytes[G2_COMPRESSED_BYTES])
{
    return blst_p2_uncompress(a, bytes) == BLST_SUCCESS && g2_in_subgroup(a);
}

static void read_trusted(g2_affine_t *r, const uint8_t *bytes)
{
    if (bytes[0] & 0x40) {
        *r = (g2_affine_t){0};
        return;
    }
    blst_fp_from_bendian(&r->x.fp[1], bytes);
    blst_fp_from_bendian(&r->x.fp[0], bytes + FP_BYTES);
    blst_fp_from_bendian(&r->y.fp[1], bytes + 2 * FP_BYTES);
    blst_fp_from_bendian(&r->y.fp[0], bytes + 3 * FP_BYTES);
}

void g2_source_read(g2_affine_t *r, const g2_source_t *source, size_t first, size_t n)
{
    VERIFY(first <= source->n && n <= source->n - first);
    if (source->form == G2_FORM_AFFINE) {
        memcpy(r, (const g2_affine_t *)source->base + first, n * sizeof *r);
        return;
    }
    const uint8_t *bytes = (const uint8_t *)source->base + first * G2_UNCOMPRESSED_BYTES;
    for (size_t i = 0; i < n; i++) read_trusted(&r[i], bytes + i * G2_UNCOMPRESSED_BYTES);
}

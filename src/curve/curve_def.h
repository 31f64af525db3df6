/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* What g1.c and g2.c define: either includes this with G, GU and BLST set as for curve_decl.h, and
 * BLST_IN_SUBGROUP to blst's test of membership. */

const G(affine_t) * G(generator)(void)
{
    return BLST(affine_generator)();
}

void G(mul)(G(jac_t) * r, const G(jac_t) * a, const scalar_t *k)
{
    BLST(mult)(r, a, (const uint8_t *)k->l, FR_BITS);
}

void G(mul_affine)(G(affine_t) * r, const G(affine_t) * a, const scalar_t *k)
{
    G(jac_t) point;

    G(from_affine)(&point, a);
    G(mul)(&point, &point, k);
    G(to_affine)(r, &point);
}

bool G(on_curve)(const G(affine_t) * a)
{
    return G(affine_is_identity)(a) || BLST(affine_on_curve)(a);
}

bool G(in_subgroup)(const G(affine_t) * a)
{
    return BLST_IN_SUBGROUP(a);
}

void G(write_uncompressed)(uint8_t bytes[GU(UNCOMPRESSED_BYTES)], const G(affine_t) * a)
{
    BLST(affine_serialize)(bytes, a);
}

void G(write_compressed)(uint8_t bytes[GU(COMPRESSED_BYTES)], const G(affine_t) * a)
{
    BLST(affine_compress)(bytes, a);
}

bool G(read_uncompressed)(G(affine_t) * a, const uint8_t bytes[GU(UNCOMPRESSED_BYTES)])
{
    /* blst takes compressed bytes here too, by their flag; we do not. */
    return (bytes[0] & 0x80) == 0 && BLST(deserialize)(a, bytes) == BLST_SUCCESS;
}

bool G(read_compressed)(G(affine_t) * a, const uint8_t bytes[GU(COMPRESSED_BYTES)])
{
    return BLST(uncompress)(a, bytes) == BLST_SUCCESS && G(in_subgroup)(a);
}

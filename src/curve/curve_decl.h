/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* What g1.h and g2.h declare: either includes this once, with
 *   G(name), GU(name)   the group's name and its constant: g1_name and G1_NAME, for one
 *   BLST(name)          blst's function for the group
 *   COORD(name)         a function of the field of the coordinates
 * set and its types and sizes declared; they are unset at the end.
 *
 * blst does the group law and the encodings. The identity is x = y = 0 in affine form and z = 0 in
 * Jacobian form. */

/** The standard generator. */
const G(affine_t) * G(generator)(void);

/** Complete addition, doubling and identity included. */
static inline void G(add)(G(jac_t) * r, const G(jac_t) * a, const G(jac_t) * b)
{
    BLST(add_or_double)(r, a, b);
}
static inline void G(add_affine)(G(jac_t) * r, const G(jac_t) * a, const G(affine_t) * b)
{
    BLST(add_or_double_affine)(r, a, b);
}
static inline void G(double)(G(jac_t) * r, const G(jac_t) * a)
{
    BLST(double)(r, a);
}
static inline void G(neg)(G(jac_t) * r)
{
    BLST(cneg)(r, true);
}
static inline void G(to_affine)(G(affine_t) * r, const G(jac_t) * a)
{
    BLST(to_affine)(r, a);
}
static inline void G(from_affine)(G(jac_t) * r, const G(affine_t) * a)
{
    BLST(from_affine)(r, a);
}
static inline bool G(affine_is_identity)(const G(affine_t) * a)
{
    return COORD(is_zero)(&a->x) && COORD(is_zero)(&a->y);
}
static inline bool G(is_identity)(const G(jac_t) * a)
{
    return COORD(is_zero)(&a->z);
}
static inline bool G(equal)(const G(jac_t) * a, const G(jac_t) * b)
{
    return BLST(is_equal)(a, b);
}

/** r = k * a, constant time in k. */
void G(mul)(G(jac_t) * r, const G(jac_t) * a, const scalar_t *k);
void G(mul_affine)(G(affine_t) * r, const G(affine_t) * a, const scalar_t *k);

/** The identity satisfies this. */
bool G(on_curve)(const G(affine_t) * a);

/** In the subgroup of order r; a is on the curve. */
bool G(in_subgroup)(const G(affine_t) * a);

/* Encodings: big-endian, flags in the three top bits of the first byte (compressed, infinity,
 * larger y), as ZCash defined them. */

void G(write_uncompressed)(uint8_t bytes[GU(UNCOMPRESSED_BYTES)], const G(affine_t) * a);
void G(write_compressed)(uint8_t bytes[GU(COMPRESSED_BYTES)], const G(affine_t) * a);

/** Decodes and checks the flags, the range of each coordinate, and that the point is on the curve
 *  (not the subgroup). False when one does not hold; *a is then unspecified. */
bool G(read_uncompressed)(G(affine_t) * a, const uint8_t bytes[GU(UNCOMPRESSED_BYTES)]);

/** Decodes, and checks flags, range, curve and subgroup. */
bool G(read_compressed)(G(affine_t) * a, const uint8_t bytes[GU(COMPRESSED_BYTES)]);

/** The n points at p, which stay the caller's. */
static inline points_t G(points)(const G(affine_t) * p, size_t n)
{
    return (points_t){.n = n, .form = POINTS_AFFINE, .point_bytes = sizeof *p, .base = p};
}

/** The n uncompressed encodings at bytes, which stay the caller's. */
static inline points_t G(points_uncompressed)(const uint8_t *bytes, size_t n)
{
    return (points_t){
        .n = n, .form = POINTS_UNCOMPRESSED, .point_bytes = GU(UNCOMPRESSED_BYTES), .base = bytes};
}

#undef G
#undef GU
#undef BLST
#undef COORD

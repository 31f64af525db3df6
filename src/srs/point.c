/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "srs/point.h"

static const char off_curve[] = "not a point of the curve with coordinates below p";
static const char outside[] = "not in the subgroup of order r";

/* The three top bits: compressed, infinity, larger y. An uncompressed point that is not the
 * identity has none. */
static const char *flag_fault(uint8_t first)
{
    if (first & 0x80) return "the compressed flag is set";
    if (first & 0x40) return "the point at infinity";
    if (first & 0x20) return "the sign flag is set";
    return NULL;
}

const char *srs_g1_fault(g1_affine_t *p, const uint8_t bytes[G1_UNCOMPRESSED_BYTES], bool subgroup)
{
    const char *fault = flag_fault(bytes[0]);

    if (fault != NULL) return fault;
    if (!g1_read_uncompressed(p, bytes)) return off_curve;
    return subgroup && !g1_in_subgroup(p) ? outside : NULL;
}

const char *srs_g2_fault(g2_affine_t *p, const uint8_t bytes[G2_UNCOMPRESSED_BYTES], bool subgroup)
{
    const char *fault = flag_fault(bytes[0]);

    if (fault != NULL) return fault;
    if (!g2_read_uncompressed(p, bytes)) return off_curve;
    return subgroup && !g2_in_subgroup(p) ? outside : NULL;
}

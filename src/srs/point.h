/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SRS_POINT_H
#define CUZK_SRS_POINT_H

/* The bytes of points in a parameter file. */

#include "srs/srs.h"

/** Where the points of a section are. */
const points_t *srs_section_points(const srs_t *srs, srs_section section);

static inline size_t srs_point_bytes(srs_section section)
{
    return section == SRS_B_G2 ? G2_UNCOMPRESSED_BYTES : G1_UNCOMPRESSED_BYTES;
}

/** *lowest = i unless it is lower already. Threads may do so at once. */
static inline void srs_keep_lowest(size_t *lowest, size_t i)
{
    size_t seen = __atomic_load_n(lowest, __ATOMIC_RELAXED);

    while (i < seen && !__atomic_compare_exchange_n(lowest, &seen, i, false, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED)) {}
}

/** Decodes a point; NULL when it is good, else what is wrong with it, for error texts (*p is then
 *  unspecified): a flag, the identity, a coordinate out of range or off the curve, and with
 *  subgroup also a point outside the subgroup of order r. */
const char *srs_g1_fault(g1_affine_t *p, const uint8_t bytes[G1_UNCOMPRESSED_BYTES], bool subgroup);
const char *srs_g2_fault(g2_affine_t *p, const uint8_t bytes[G2_UNCOMPRESSED_BYTES], bool subgroup);

#endif

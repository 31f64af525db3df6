/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CURVE_POINTS_H
#define CUZK_CURVE_POINTS_H

/* Arrays of points of either group, in memory or where they are read from piece by piece: a
 * parameter file, for one. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/verify.h"

/** How points lie in memory once they are there. */
typedef enum {
    POINTS_AFFINE,      /* g1_affine_t or g2_affine_t */
    POINTS_UNCOMPRESSED /* G1_ or G2_UNCOMPRESSED_BYTES a point, as in parameter files. Taken as
                           they are: coordinates out of range give a wrong point (and a proof that
                           fails its own check), never undefined behaviour */
} points_form;

/** n points of one group; all is borrowed. */
typedef struct points {
    size_t n;
    points_form form;
    size_t point_bytes; /* of a point in that form */
    const void *base;   /* n * point_bytes in memory, or NULL: then read() gives them */

    /** to = points first .. first+n-1. Blocks; thread-safe. CUZK_ERR_IO names the source and the
     *  place in it. */
    cuzk_status (*read)(const struct points *points, void *to, size_t first, size_t n,
                        cuzk_error *err);
    const void *source; /* for read() */
    uint64_t offset;    /* for read(): of the first point */
} points_t;

/** to = points first .. first+n-1 in their form, whether they are in memory or not. Errors as
 *  points_t's read() has them. */
static inline cuzk_status points_read(const points_t *points, void *to, size_t first, size_t n,
                                      cuzk_error *err)
{
    VERIFY(first <= points->n && n <= points->n - first);
    if (n == 0) return CUZK_OK;
    if (points->base == NULL) return points->read(points, to, first, n, err);
    memcpy(to, (const uint8_t *)points->base + first * points->point_bytes,
           n * points->point_bytes);
    return CUZK_OK;
}

#endif

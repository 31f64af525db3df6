/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_NTT_NTT_TILE_H
#define CUZK_NTT_NTT_TILE_H

/* Tiles: eight transforms of m = 2^lg_m points side by side, one in each lane, done in scratch
 * memory that fits a core's L2 cache. Everything a large transform does is done by tiles and one
 * exchange of digits; docs/algorithms/ntt.md. */

#include <stdbool.h>
#include <stddef.h>

#include "ntt/ntt.h"

/* 11: scratch of 640 KiB and a table of 256 KiB fit 2 MiB of L2; also the most levels that the
 * bounds of the IFMA kernel allow. */
enum { NTT_LANES = 8, NTT_TILE_MAX_LG = 11 };

/** One side of a tile, for steps i = 0 .. m-1. */
typedef struct {
    const uint16_t *slot; /* m; scratch slot of step i */
    const uint16_t *at;   /* m; point of step i in memory */
    const fr_t *factors;  /* m, or NULL; factors[i] is multiplied into step i, all lanes */
    const fr_t *twist;    /* [2][NTT_LANES], or NULL: first and step; lane k of step i is multiplied
                             by first[k] step[k]^i. Not together with factors. */
} ntt_side_t;

/** What to do: load all points into their slots; transform, natural to reversed order; store.
 *  Point p of lane k is a[p * point_stride + k * lane_stride]. */
typedef struct {
    fr_t *a;
    size_t point_stride,
        lane_stride;        /* in elements; columns: lane_stride 1, rows: point_stride 1 */
    unsigned lg_m;          /* 0 .. NTT_TILE_MAX_LG */
    const void *twiddles;   /* made by make_twiddles of the same kernels */
    ntt_side_t load, store; /* load.slot is i or, for rows only, i with its bits reversed */
    bool store_reversed;    /* store.slot is i with its bits reversed, else i */
} ntt_tile_t;

/** A family of kernels. Elements are reduced in memory before a transform and after its last tile;
 *  between tiles they are below 2 r. */
typedef struct {
    size_t slot_bytes;    /* of scratch a point; scratch is 64-byte aligned */
    size_t twiddle_bytes; /* of table a root */
    size_t points_a_task; /* of all lanes: what takes a few milliseconds at most */
    /** table[b] for n roots in the order of the blocks that they serve: bit-reversed. */
    void (*make_twiddles)(void *table, const fr_t *roots, size_t n);
    /** Puts n factors, or the elements of a twist, into the form that run() takes. */
    void (*prepare_factors)(fr_t *factors, size_t n);
    void (*run)(const ntt_tile_t *tile, void *scratch);
} ntt_kernels_t;

extern const ntt_kernels_t ntt_kernels_portable;
extern const ntt_kernels_t ntt_kernels_ifma; /* for CPU_AVX512_IFMA only */

#endif

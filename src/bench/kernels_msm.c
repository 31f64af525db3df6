/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/bytes.h"
#include "base/memory.h"
#include "bench/kernels.h"
#include "bench/peer_inputs.h"
#include "msm/msm.h"

/* In the clock: the multiplication alone, from affine points and canonical scalars. */
#define KERNELS_MSM(group, GROUP)                                                                  \
    static cuzk_status measure_msm_##group(measure_t *m, group##_jac_t *sum, const kernels_t *k,   \
                                           const group##_affine_t *points,                         \
                                           const scalar_t *scalars, cuzk_error *err)               \
    {                                                                                              \
        const size_t n = (size_t)1 << k->log_n;                                                    \
        const points_t source = {                                                                  \
            .n = n, .form = POINTS_AFFINE, .point_bytes = sizeof *points, .base = points};         \
        const msm_scalars_t terms = {.scalars = scalars, .n_terms = n};                            \
        const msm_options_t options = {                                                            \
            .window_bits = k->window_lg == 0 ? 0 : msm_window_##group((size_t)1 << k->window_lg)}; \
        cuzk_status st = CUZK_OK;                                                                  \
                                                                                                   \
        for (uint32_t i = 0; i < k->runs && st == CUZK_OK; i++) {                                  \
            measure_start(m);                                                                      \
            st = msm_##group(sum, &source, &terms, &options, k->strand, err);                      \
            measure_stop(m);                                                                       \
        }                                                                                          \
        return st;                                                                                 \
    }                                                                                              \
                                                                                                   \
    cuzk_status kernels_msm_##group(const kernels_t *k, cuzk_error *err)                           \
    {                                                                                              \
        const size_t n = (size_t)1 << k->log_n;                                                    \
        void *points = NULL;                                                                       \
        void *scalars = NULL;                                                                      \
        measure_t m = {0};                                                                         \
        group##_jac_t sum;                                                                         \
                                                                                                   \
        cuzk_status st = big_alloc(&points, n, sizeof(group##_affine_t), "points", err);           \
        if (st == CUZK_OK) st = big_alloc(&scalars, n, sizeof(scalar_t), "scalars", err);          \
        if (st == CUZK_OK) {                                                                       \
            peer_points_##group(points, n, k->strand);                                             \
            peer_scalars(scalars, n, k->strand);                                                   \
            measure_init(&m, true);                                                                \
            st = measure_msm_##group(&m, &sum, k, points, scalars, err);                           \
        }                                                                                          \
        if (st == CUZK_OK) {                                                                       \
            uint8_t bytes[GROUP##_COMPRESSED_BYTES];                                               \
            char hex[2 * GROUP##_COMPRESSED_BYTES + 1];                                            \
            group##_affine_t affine;                                                               \
            json_writer_t w;                                                                       \
                                                                                                   \
            group##_to_affine(&affine, &sum);                                                      \
            group##_write_compressed(bytes, &affine);                                              \
            bytes_to_hex(hex, bytes, sizeof bytes);                                                \
            kernels_write(&w, k, &m, hex);                                                         \
            measure_end(&w);                                                                       \
        }                                                                                          \
        measure_clear(&m);                                                                         \
        big_free(points, n, sizeof(group##_affine_t));                                             \
        big_free(scalars, n, sizeof(scalar_t));                                                    \
        return st;                                                                                 \
    }

KERNELS_MSM(g1, G1)
KERNELS_MSM(g2, G2)

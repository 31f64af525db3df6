/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DEVICE_DEVICE_OPS_H
#define CUZK_DEVICE_DEVICE_OPS_H

/* The table that a device fills. Each entry is the function of device.h of the same name, which has
 * compared the arguments with each other and with the buffers' sizes before. */

#include "device/device.h"

typedef struct {
    const char *name; /* "cpu" */
    cuzk_status (*buffer_alloc)(buffer_t **buffer, device_t *device, buffer_kind kind, size_t bytes,
                                const char *what, cuzk_error *err);
    cuzk_status (*buffer_adopt)(buffer_t **buffer, device_t *device, void *host, size_t bytes,
                                cuzk_error *err);
    void (*buffer_free)(buffer_t *buffer);
    cuzk_status (*buffer_read)(void *to, const buffer_t *buffer, size_t at, size_t bytes,
                               cuzk_error *err);
    cuzk_status (*buffer_write)(buffer_t *buffer, size_t at, const void *from, size_t bytes,
                                cuzk_error *err);
    uint64_t (*transform_bytes)(const device_t *device, unsigned lg_n, buffer_kind kind,
                                uint32_t n_threads);
    uint64_t (*msm_bytes)(const device_t *device, bool in_g2, const msm_size_t *size);
    device_memory_t (*memory)(device_t *device);
    void (*trim)(device_t *device);
    void (*close)(device_t *device);

    /** on_strand: stream_open_on() */
    cuzk_status (*stream_open)(stream_t **stream, device_t *device, strand_t *strand,
                               bool on_strand, cuzk_error *err);
    void (*stream_close)(stream_t *stream);
    void (*drop)(stream_t *stream);
    cuzk_status (*wait)(stream_t *stream, stream_t *other, cuzk_error *err);
    cuzk_status (*synchronise)(stream_t *stream, cuzk_error *err);
    cuzk_status (*stamp)(stream_t *stream, uint64_t *at_ns, cuzk_error *err);
    cuzk_status (*release)(stream_t *stream, buffer_t *buffer, cuzk_error *err);

    cuzk_status (*copy)(stream_t *stream, buffer_t *to, size_t to_at, const buffer_t *from,
                        size_t from_at, size_t bytes, cuzk_error *err);
    cuzk_status (*multiply)(stream_t *stream, buffer_t *r, const buffer_t *a, const buffer_t *b,
                            size_t n, cuzk_error *err);
    cuzk_status (*combine_h)(stream_t *stream, buffer_t *h, const buffer_t *c, const buffer_t *d,
                             size_t n, cuzk_error *err);
    cuzk_status (*transform)(stream_t *stream, buffer_t *a, unsigned lg_n, const ntt_kind_t *kind,
                             cuzk_error *err);
    cuzk_status (*msm_g1)(stream_t *stream, g1_jac_t *r, const points_t *points,
                          const device_terms_t *terms, uint32_t window_bits, cuzk_error *err);
    cuzk_status (*msm_g2)(stream_t *stream, g2_jac_t *r, const points_t *points,
                          const device_terms_t *terms, uint32_t window_bits, cuzk_error *err);
} device_ops_t;

/** The head of a device's own structure. */
struct device {
    const device_ops_t *ops;
};

#endif

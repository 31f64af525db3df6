/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DEVICE_CPU_DEVICE_H
#define CUZK_DEVICE_CPU_DEVICE_H

/* The parts of the CPU's device, known to its own files. */

#include <pthread.h>

#include "device/cpu.h"

typedef struct {
    device_t base;
    device_cpu_options_t options;
    pthread_mutex_t mutex; /* guards all below */
    buffer_t *idle;
    device_memory_t memory;
    ntt_domain_t *domains[NTT_MAX_LG + 1]; /* opened when they are first needed */
} cpu_device_t;

cpu_device_t *cpu_device(device_t *device);

/** The tables of a size. */
cuzk_status cpu_device_domain(const ntt_domain_t **domain, cpu_device_t *device, unsigned lg_n,
                              cuzk_error *err);

/* cpu_buffer.c; the entries of the table. */
cuzk_status cpu_buffer_alloc(buffer_t **buffer, device_t *device, buffer_kind kind, size_t bytes,
                             const char *what, cuzk_error *err);
cuzk_status cpu_buffer_adopt(buffer_t **buffer, device_t *device, void *host, size_t bytes,
                             cuzk_error *err);
void cpu_buffer_free(buffer_t *buffer);
cuzk_status cpu_buffer_read(void *to, const buffer_t *buffer, size_t at, size_t bytes,
                            cuzk_error *err);
cuzk_status cpu_buffer_write(buffer_t *buffer, size_t at, const void *from, size_t bytes,
                             cuzk_error *err);
device_memory_t cpu_memory(device_t *device);
void cpu_trim(device_t *device);

/** One operation of a stream, with its arguments; which ones it has, run() knows. */
typedef struct cpu_op {
    cuzk_status (*run)(const struct cpu_op *op, strand_t *strand, cuzk_error *err);
    struct cpu_op *next;
    bool always; /* also after a failure */
    cpu_device_t *device;
    buffer_t *to;            /* written */
    const buffer_t *from[2]; /* read */
    size_t to_at, from_at, n;
    unsigned lg_n;
    const ntt_domain_t *domain;
    ntt_kind_t kind;
    bool is_coset;
    fr_t coset;
    msm_scalars_t scalars;
    msm_options_t msm;
    const points_t *points;
    void *result;
    stream_t *other; /* that is waited for, */
    uint64_t ticket; /* until it has done so many */
} cpu_op_t;

/** Gives the stream a copy of the operation. */
cuzk_status cpu_stream_give(stream_t *stream, const cpu_op_t *op, cuzk_error *err);

/* cpu_stream.c; the entries of the table. */
cuzk_status cpu_stream_open(stream_t **stream, device_t *device, strand_t *strand, bool on_strand,
                            cuzk_error *err);
void cpu_stream_close(stream_t *stream);
void cpu_drop(stream_t *stream);
cuzk_status cpu_wait(stream_t *stream, stream_t *other, cuzk_error *err);
cuzk_status cpu_synchronise(stream_t *stream, cuzk_error *err);

/* cpu_ops.c and cpu_msm.c */
uint64_t cpu_transform_bytes(const device_t *device, unsigned lg_n, buffer_kind kind,
                             uint32_t n_threads);
uint64_t cpu_msm_bytes(const device_t *device, bool in_g2, const msm_size_t *size);
cuzk_status cpu_stamp(stream_t *stream, uint64_t *at_ns, cuzk_error *err);
cuzk_status cpu_release(stream_t *stream, buffer_t *buffer, cuzk_error *err);
cuzk_status cpu_copy(stream_t *stream, buffer_t *to, size_t to_at, const buffer_t *from,
                     size_t from_at, size_t bytes, cuzk_error *err);
cuzk_status cpu_multiply(stream_t *stream, buffer_t *r, const buffer_t *a, const buffer_t *b,
                         size_t n, cuzk_error *err);
cuzk_status cpu_combine_h(stream_t *stream, buffer_t *h, const buffer_t *c, const buffer_t *d,
                          size_t n, cuzk_error *err);
cuzk_status cpu_transform(stream_t *stream, buffer_t *a, unsigned lg_n, const ntt_kind_t *kind,
                          cuzk_error *err);
cuzk_status cpu_msm_g1(stream_t *stream, g1_jac_t *r, const points_t *points,
                       const device_terms_t *terms, uint32_t window_bits, cuzk_error *err);
cuzk_status cpu_msm_g2(stream_t *stream, g2_jac_t *r, const points_t *points,
                       const device_terms_t *terms, uint32_t window_bits, cuzk_error *err);

#endif

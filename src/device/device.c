/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Arguments are compared here, for all devices. */

#include "device/device.h"

#include "device/device_ops.h"

/* --- buffers ---------------------------------------------------------------------------------- */

cuzk_status buffer_alloc(buffer_t **buffer, device_t *device, buffer_kind kind, size_t bytes,
                         const char *what, cuzk_error *err)
{
    *buffer = NULL;
    return device->ops->buffer_alloc(buffer, device, kind, bytes, what, err);
}

cuzk_status buffer_adopt(buffer_t **buffer, device_t *device, void *host, size_t bytes,
                         cuzk_error *err)
{
    *buffer = NULL;
    return device->ops->buffer_adopt(buffer, device, host, bytes, err);
}

void buffer_free(buffer_t *buffer)
{
    if (buffer != NULL) buffer->device->ops->buffer_free(buffer);
}

/* bytes [at, at + bytes) lie in the buffer. */
static cuzk_status check_range(const buffer_t *buffer, size_t at, size_t bytes, cuzk_error *err)
{
    if (at <= buffer->bytes && bytes <= buffer->bytes - at) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "buffer: %zu bytes from %zu on, it has %zu", bytes, at,
                     buffer->bytes);
}

static cuzk_status check_elements(const buffer_t *buffer, size_t n, cuzk_error *err)
{
    if (n <= buffer->bytes / sizeof(fr_t)) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "buffer: %zu elements of %zu bytes, it has %zu bytes", n,
                     sizeof(fr_t), buffer->bytes);
}

cuzk_status buffer_read(void *to, const buffer_t *buffer, size_t at, size_t bytes, cuzk_error *err)
{
    const cuzk_status st = check_range(buffer, at, bytes, err);

    return st == CUZK_OK ? buffer->device->ops->buffer_read(to, buffer, at, bytes, err) : st;
}

cuzk_status buffer_write(buffer_t *buffer, size_t at, const void *from, size_t bytes,
                         cuzk_error *err)
{
    const cuzk_status st = check_range(buffer, at, bytes, err);

    return st == CUZK_OK ? buffer->device->ops->buffer_write(buffer, at, from, bytes, err) : st;
}

device_memory_t device_memory(device_t *device)
{
    return device->ops->memory(device);
}

uint64_t device_transform_bytes(const device_t *device, unsigned lg_n, buffer_kind kind,
                                uint32_t n_threads)
{
    return device->ops->transform_bytes(device, lg_n, kind, n_threads);
}

uint64_t device_msm_bytes(const device_t *device, bool in_g2, const msm_size_t *size)
{
    return device->ops->msm_bytes(device, in_g2, size);
}

void device_trim(device_t *device)
{
    device->ops->trim(device);
}

void device_close(device_t *device)
{
    if (device != NULL) device->ops->close(device);
}

/* --- streams ---------------------------------------------------------------------------------- */

cuzk_status stream_open(stream_t **stream, device_t *device, strand_t *strand, cuzk_error *err)
{
    *stream = NULL;
    return device->ops->stream_open(stream, device, strand, false, err);
}

cuzk_status stream_open_on(stream_t **stream, device_t *device, strand_t *strand, cuzk_error *err)
{
    *stream = NULL;
    return device->ops->stream_open(stream, device, strand, true, err);
}

void stream_close(stream_t *stream)
{
    if (stream != NULL) stream->device->ops->stream_close(stream);
}

void stream_drop(stream_t *stream)
{
    stream->device->ops->drop(stream);
}

cuzk_status stream_wait(stream_t *stream, stream_t *other, cuzk_error *err)
{
    if (stream == other) return CUZK_OK;
    if (stream->device->ops != other->device->ops)
        return error_set(err, CUZK_ERR_ARG, "stream: waits for one of another kind of device");
    return stream->device->ops->wait(stream, other, err);
}

cuzk_status stream_synchronise(stream_t *stream, cuzk_error *err)
{
    return stream->device->ops->synchronise(stream, err);
}

cuzk_status stream_stamp(stream_t *stream, uint64_t *at_ns, cuzk_error *err)
{
    return stream->device->ops->stamp(stream, at_ns, err);
}

cuzk_status stream_release(stream_t *stream, buffer_t **buffer, cuzk_error *err)
{
    if (*buffer == NULL) return CUZK_OK;
    const cuzk_status st = stream->device->ops->release(stream, *buffer, err);
    if (st == CUZK_OK) *buffer = NULL;
    return st;
}

/* --- operations ------------------------------------------------------------------------------- */

cuzk_status stream_copy(stream_t *stream, buffer_t *to, size_t to_at, const buffer_t *from,
                        size_t from_at, size_t bytes, cuzk_error *err)
{
    cuzk_status st = check_range(to, to_at, bytes, err);

    if (st == CUZK_OK) st = check_range(from, from_at, bytes, err);
    if (st == CUZK_OK && to == from) st = error_set(err, CUZK_ERR_ARG, "buffer: copied to itself");
    if (st != CUZK_OK) return st;
    return stream->device->ops->copy(stream, to, to_at, from, from_at, bytes, err);
}

cuzk_status stream_multiply(stream_t *stream, buffer_t *r, const buffer_t *a, const buffer_t *b,
                            size_t n, cuzk_error *err)
{
    cuzk_status st = check_elements(r, n, err);

    if (st == CUZK_OK) st = check_elements(a, n, err);
    if (st == CUZK_OK) st = check_elements(b, n, err);
    return st == CUZK_OK ? stream->device->ops->multiply(stream, r, a, b, n, err) : st;
}

cuzk_status stream_combine_h(stream_t *stream, buffer_t *h, const buffer_t *c, const buffer_t *d,
                             size_t n, cuzk_error *err)
{
    cuzk_status st = check_elements(h, n, err);

    if (st == CUZK_OK) st = check_elements(c, n, err);
    if (st == CUZK_OK) st = check_elements(d, n, err);
    return st == CUZK_OK ? stream->device->ops->combine_h(stream, h, c, d, n, err) : st;
}

cuzk_status stream_transform(stream_t *stream, buffer_t *a, unsigned lg_n, const ntt_kind_t *kind,
                             cuzk_error *err)
{
    if (lg_n > NTT_MAX_LG)
        return error_set(err, CUZK_ERR_ARG, "lg_n: %u is over the limit of %d", lg_n, NTT_MAX_LG);
    const cuzk_status st = check_elements(a, (size_t)1 << lg_n, err);
    return st == CUZK_OK ? stream->device->ops->transform(stream, a, lg_n, kind, err) : st;
}

/* The places of terms are the caller's promise; that there are scalars and points for those without
 * an index is seen here. */
static cuzk_status check_terms(const device_terms_t *terms, size_t n_points, cuzk_error *err)
{
    if (terms->point_index == NULL && terms->n_terms > n_points)
        return error_set(err, CUZK_ERR_ARG, "terms: %zu for %zu points", terms->n_terms, n_points);
    if (terms->n_terms == 0 || terms->scalar_index != NULL) return CUZK_OK;
    return check_elements(terms->scalars, terms->n_terms, err);
}

cuzk_status stream_msm_g1(stream_t *stream, g1_jac_t *r, const points_t *points,
                          const device_terms_t *terms, uint32_t window_bits, cuzk_error *err)
{
    const cuzk_status st = check_terms(terms, points->n, err);

    if (st != CUZK_OK) return st;
    return stream->device->ops->msm_g1(stream, r, points, terms, window_bits, err);
}

cuzk_status stream_msm_g2(stream_t *stream, g2_jac_t *r, const points_t *points,
                          const device_terms_t *terms, uint32_t window_bits, cuzk_error *err)
{
    const cuzk_status st = check_terms(terms, points->n, err);

    if (st != CUZK_OK) return st;
    return stream->device->ops->msm_g2(stream, r, points, terms, window_bits, err);
}

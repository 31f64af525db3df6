/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DEVICE_DEVICE_H
#define CUZK_DEVICE_DEVICE_H

/* What a proof is computed on: memory in buffers, and work in streams. The CPU is one device
 * (device/cpu.h); another one fills a table of the same operations (device/device_ops.h).
 *
 * An operation is put into a stream and runs after all that the stream was given before; streams
 * run beside each other unless one is told to wait. A call returns CUZK_ERR_ARG at once for
 * arguments that don't fit each other, and CUZK_ERR_MEMORY when the operation can't be queued: then
 * it has no effect. Whatever fails later comes out of stream_synchronise(), and what follows in
 * that stream, and in those that wait for it, is skipped; only releases are always done. A stream
 * works with the rank and the cancel token of the strand it was opened for. */

#include <stdatomic.h>

#include "base/executor.h"
#include "msm/msm.h"
#include "ntt/ntt.h"

typedef struct device device_t;

typedef enum {
    BUFFER_HOST,
    BUFFER_PINNED, /* of the host, and the device copies from it by itself; BUFFER_HOST for the CPU
                    */
    BUFFER_DEVICE, /* not addressable by the CPU (BUFFER_HOST for the CPU) */
    BUFFER_FILE    /* in an unlinked temporary file */
} buffer_kind;

/** Memory of a device. Read-only but for the contents. */
typedef struct buffer {
    device_t *device; /* the owner */
    buffer_kind kind;
    size_t bytes;
    void *host; /* where the CPU can address it, aligned to pages; else NULL */
    int fd;     /* BUFFER_FILE */
    /** Where nanoseconds waited for reads and writes of the file are added; the one who allocated
     *  it may set this. */
    atomic_uint_least64_t *io_ns;
    struct buffer *next_idle; /* the device's */
} buffer_t;

/** *buffer = so many bytes of any contents. `what` names it in error texts, in which the place and
 *  the number stand. Release with buffer_free() or stream_release().
 *  CUZK_ERR_MEMORY; CUZK_ERR_IO when a file finds no room; CUZK_ERR_ARG for files when the device
 *  has no folder for them. Any thread. */
cuzk_status buffer_alloc(buffer_t **buffer, device_t *device, buffer_kind kind, size_t bytes,
                         const char *what, cuzk_error *err);

/** *buffer = memory from big_alloc() (base/memory.h), which is the device's from now on. On an
 *  error it stays the caller's. */
cuzk_status buffer_adopt(buffer_t **buffer, device_t *device, void *host, size_t bytes,
                         cuzk_error *err);

/** No operation uses it any more. Large memory is kept by the device, for buffers of the same size.
 *  NULL is allowed. */
void buffer_free(buffer_t *buffer);

/** Bytes at .. at+bytes-1 of any kind of buffer, to or from the host's memory; blocks.
 *  CUZK_ERR_IO. */
cuzk_status buffer_read(void *to, const buffer_t *buffer, size_t at, size_t bytes, cuzk_error *err);
cuzk_status buffer_write(buffer_t *buffer, size_t at, const void *from, size_t bytes,
                         cuzk_error *err);

/** Bytes of a device. */
typedef struct {
    uint64_t used;  /* in buffers in memory */
    uint64_t idle;  /* kept for the next ones */
    uint64_t files; /* in buffers in files */
    uint64_t peak;  /* the most that `used` has been */
} device_memory_t;

device_memory_t device_memory(device_t *device);

/** Gives back all memory that is kept. */
void device_trim(device_t *device);

/** Bytes of memory that a transform of 2^lg_n takes beside its vector, which is in a buffer of that
 *  kind: scratch, and tables, which the device keeps. */
uint64_t device_transform_bytes(const device_t *device, unsigned lg_n, buffer_kind kind,
                                uint32_t n_threads);

/** Bytes of memory that one takes beside its points and terms. */
uint64_t device_msm_bytes(const device_t *device, bool in_g2, const msm_size_t *size);

/** There are no streams and no buffers any more. NULL is allowed. */
void device_close(device_t *device);

/* --- streams ---------------------------------------------------------------------------------- */

/** Used by one thread at a time, that of its strand. */
typedef struct stream {
    device_t *device;
} stream_t;

/** A stream that runs by itself, beside its strand, which may be NULL when the device has an
 *  executor. CUZK_ERR_MEMORY when a thread can't be started. */
cuzk_status stream_open(stream_t **stream, device_t *device, strand_t *strand, cuzk_error *err);

/** A stream whose operations may run while they are given, on the strand (NULL: serially): the
 *  cheapest when there is no other stream. */
cuzk_status stream_open_on(stream_t **stream, device_t *device, strand_t *strand, cuzk_error *err);

/** Waits for the operation that runs, drops the others as stream_drop() does. No stream waits for
 * it any more. NULL is allowed. */
void stream_close(stream_t *stream);

/** Operations that have not begun won't: the stream has failed, with CUZK_CANCELLED. */
void stream_drop(stream_t *stream);

/** What the stream is given next comes after all that `other` has been given so far. */
cuzk_status stream_wait(stream_t *stream, stream_t *other, cuzk_error *err);

/** Waits until all is done; the strand gives up its permit meanwhile. Returns the first failure of
 *  the stream, again and again. */
cuzk_status stream_synchronise(stream_t *stream, cuzk_error *err);

/** *at_ns = clock_monotonic_ns() when all before it is done. */
cuzk_status stream_stamp(stream_t *stream, uint64_t *at_ns, cuzk_error *err);

/** Frees *buffer when all before it is done, also after a failure; *buffer is NULL at once. */
cuzk_status stream_release(stream_t *stream, buffer_t **buffer, cuzk_error *err);

/* --- operations; buffers hold fr_t where nothing else is said ------------------------------------
 */

/** Bytes from_at .. from_at+bytes-1 of one buffer to another, which may not be the same. */
cuzk_status stream_copy(stream_t *stream, buffer_t *to, size_t to_at, const buffer_t *from,
                        size_t from_at, size_t bytes, cuzk_error *err);

/** r[i] = a[i] b[i] for i < n; r may be a or b. */
cuzk_status stream_multiply(stream_t *stream, buffer_t *r, const buffer_t *a, const buffer_t *b,
                            size_t n, cuzk_error *err);

/** h[i] = (c[i] - d[i]) / 2 for i < n, as a canonical scalar_t; h may be c or d. */
cuzk_status stream_combine_h(stream_t *stream, buffer_t *h, const buffer_t *c, const buffer_t *d,
                             size_t n, cuzk_error *err);

/** Transforms the first 2^lg_n elements in place. CUZK_ERR_ARG for lg_n over NTT_MAX_LG. */
cuzk_status stream_transform(stream_t *stream, buffer_t *a, unsigned lg_n, const ntt_kind_t *kind,
                             cuzk_error *err);

/** The terms of a multiplication, as msm_scalars_t has them; all is borrowed until they are done.
 */
typedef struct {
    const buffer_t *scalars; /* scalar_t, canonical; addressable by the host for the CPU */
    const uint64_t *select;
    const uint32_t *scalar_index;
    const uint32_t *point_index;
    size_t n_terms;
    msm_stats_t *stats; /* as msm_options_t has them */
    /** Memory to work in, of device_msm_bytes(); NULL or too small: the operation's own. */
    buffer_t *scratch;
} device_terms_t;

/** r = the sum, by windows of so many bits; 0: as many as suit the number of terms. */
cuzk_status stream_msm_g1(stream_t *stream, g1_jac_t *r, const points_t *points,
                          const device_terms_t *terms, uint32_t window_bits, cuzk_error *err);
cuzk_status stream_msm_g2(stream_t *stream, g2_jac_t *r, const points_t *points,
                          const device_terms_t *terms, uint32_t window_bits, cuzk_error *err);

#endif

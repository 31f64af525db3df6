/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* The operations on elements. Vectors in files are taken a piece at a time, by as many threads as
 * there are. */

#include <stdatomic.h>

#include "base/clock.h"
#include "device/cpu_device.h"
#include "field/fr_batch.h"

enum { GRAIN = 1 << 10, PIECE = 1 << 13 /* elements read or written at once: 256 KiB */ };

static const strand_cut_t element_cut = {GRAIN, 16 * GRAIN};

static cuzk_status run_stamp(const cpu_op_t *op, strand_t *strand, cuzk_error *err)
{
    (void)strand;
    (void)err;
    *(uint64_t *)op->result = clock_monotonic_ns();
    return CUZK_OK;
}

cuzk_status cpu_stamp(stream_t *stream, uint64_t *at_ns, cuzk_error *err)
{
    return cpu_stream_give(stream, &(cpu_op_t){.run = run_stamp, .result = at_ns}, err);
}

static cuzk_status run_release(const cpu_op_t *op, strand_t *strand, cuzk_error *err)
{
    (void)strand;
    (void)err;
    buffer_free(op->to);
    return CUZK_OK;
}

cuzk_status cpu_release(stream_t *stream, buffer_t *buffer, cuzk_error *err)
{
    return cpu_stream_give(stream, &(cpu_op_t){.run = run_release, .always = true, .to = buffer},
                           err);
}

static void add_io(const buffer_t *buffer, uint64_t ns)
{
    if (buffer->io_ns != NULL && ns > 0) atomic_fetch_add(buffer->io_ns, ns);
}

/* --- element by element ----------------------------------------------------------------------- */

typedef void (*element_step)(fr_t *r, const fr_t *a, const fr_t *b, size_t n);

/* r = step(a, b), all or by pieces. */
typedef struct {
    element_step step;
    const cpu_op_t *op;
    fr_t *pieces; /* of workers: three each, where a vector is in a file */
} elements_t;

static void run_range(void *arg, size_t first, size_t end, uint32_t worker)
{
    const elements_t *e = arg;
    fr_t *r = e->op->to->host;
    const fr_t *a = e->op->from[0]->host, *b = e->op->from[1]->host;

    (void)worker;
    e->step(r + first, a + first, b + first, end - first);
}

static cuzk_status read_counted(void *to, const buffer_t *buffer, size_t at, size_t n,
                                cuzk_error *err)
{
    const uint64_t start = clock_monotonic_ns();
    const cuzk_status st = cpu_buffer_read(to, buffer, at, n, err);

    add_io(buffer, clock_monotonic_ns() - start);
    return st;
}

static cuzk_status write_counted(buffer_t *buffer, size_t at, const void *from, size_t n,
                                 cuzk_error *err)
{
    const uint64_t start = clock_monotonic_ns();
    const cuzk_status st = cpu_buffer_write(buffer, at, from, n, err);

    add_io(buffer, clock_monotonic_ns() - start);
    return st;
}

/* Elements of a buffer: where they are, or read into the room given. */
static cuzk_status get_piece(const fr_t **piece, fr_t *room, const buffer_t *buffer, size_t first,
                             size_t n, cuzk_error *err)
{
    *piece = room;
    if (buffer->host == NULL)
        return read_counted(room, buffer, first * sizeof *room, n * sizeof *room, err);
    *piece = (const fr_t *)buffer->host + first;
    return CUZK_OK;
}

static cuzk_status run_piece_at(const elements_t *e, size_t first, size_t n, fr_t *room,
                                cuzk_error *err)
{
    const cpu_op_t *op = e->op;
    fr_t *r = op->to->host != NULL ? (fr_t *)op->to->host + first : room + (size_t)2 * PIECE;
    const fr_t *a, *b;
    cuzk_status st = get_piece(&a, room, op->from[0], first, n, err);

    if (st == CUZK_OK) st = get_piece(&b, room + PIECE, op->from[1], first, n, err);
    if (st != CUZK_OK) return st;
    e->step(r, a, b, n);
    if (op->to->host != NULL) return CUZK_OK;
    return write_counted(op->to, first * sizeof *r, r, n * sizeof *r, err);
}

static cuzk_status run_piece(void *arg, size_t index, uint32_t worker, cuzk_error *err)
{
    const elements_t *e = arg;
    const size_t first = index * PIECE, left = e->op->n - first;

    return run_piece_at(e, first, left < PIECE ? left : PIECE,
                        e->pieces + (size_t)worker * 3 * PIECE, err);
}

static cuzk_status run_by_pieces(elements_t *e, strand_t *strand, cuzk_error *err)
{
    const cpu_op_t *op = e->op;
    buffer_t *room;
    cuzk_status st = cpu_buffer_alloc(&room, &op->device->base, BUFFER_HOST,
                                      strand_size(strand) * sizeof(fr_t[3][PIECE]),
                                      "pieces of vectors in files", err);

    if (st != CUZK_OK) return st;
    e->pieces = room->host;
    st = strand_try(strand, (op->n + PIECE - 1) / PIECE, run_piece, e, err);
    cpu_buffer_free(room);
    return st;
}

static cuzk_status run_elements(const cpu_op_t *op, element_step step, strand_t *strand,
                                cuzk_error *err)
{
    elements_t e = {.step = step, .op = op};

    if (op->to->host != NULL && op->from[0]->host != NULL && op->from[1]->host != NULL)
        return strand_for(strand, op->n, element_cut, run_range, &e, err);
    return run_by_pieces(&e, strand, err);
}

static cuzk_status run_multiply(const cpu_op_t *op, strand_t *strand, cuzk_error *err)
{
    return run_elements(op, fr_batch_mul, strand, err);
}

/* h = (c - d) / 2, canonical */
static void halve_difference(fr_t *h, const fr_t *c, const fr_t *d, size_t n)
{
    fr_t half;

    fr_from_u64(&half, 2);
    fr_inv(&half, &half);
    fr_batch_sub(h, c, d, n);
    fr_batch_scale(h, h, &half, n);
    fr_batch_to_scalar((scalar_t *)h, h, n);
}

static cuzk_status run_combine_h(const cpu_op_t *op, strand_t *strand, cuzk_error *err)
{
    return run_elements(op, halve_difference, strand, err);
}

static cpu_op_t element_op(stream_t *stream, buffer_t *r, const buffer_t *a, const buffer_t *b,
                           size_t n)
{
    return (cpu_op_t){.device = cpu_device(stream->device), .to = r, .from = {a, b}, .n = n};
}

cuzk_status cpu_multiply(stream_t *stream, buffer_t *r, const buffer_t *a, const buffer_t *b,
                         size_t n, cuzk_error *err)
{
    cpu_op_t op = element_op(stream, r, a, b, n);

    op.run = run_multiply;
    return cpu_stream_give(stream, &op, err);
}

cuzk_status cpu_combine_h(stream_t *stream, buffer_t *h, const buffer_t *c, const buffer_t *d,
                          size_t n, cuzk_error *err)
{
    cpu_op_t op = element_op(stream, h, c, d, n);

    op.run = run_combine_h;
    return cpu_stream_give(stream, &op, err);
}

/* --- copies ----------------------------------------------------------------------------------- */

enum { COPY_BYTES = PIECE * sizeof(fr_t) };

typedef struct {
    const cpu_op_t *op;
    uint8_t *room; /* of workers: one piece each */
} copy_t;

static cuzk_status copy_bytes(const cpu_op_t *op, size_t at, size_t n, uint8_t *room,
                              cuzk_error *err)
{
    if (op->to->host != NULL)
        return cpu_buffer_read((uint8_t *)op->to->host + op->to_at + at, op->from[0],
                               op->from_at + at, n, err);
    if (op->from[0]->host != NULL)
        return cpu_buffer_write(op->to, op->to_at + at,
                                (const uint8_t *)op->from[0]->host + op->from_at + at, n, err);
    const cuzk_status st = cpu_buffer_read(room, op->from[0], op->from_at + at, n, err);
    return st == CUZK_OK ? cpu_buffer_write(op->to, op->to_at + at, room, n, err) : st;
}

static cuzk_status copy_piece(void *arg, size_t index, uint32_t worker, cuzk_error *err)
{
    const copy_t *c = arg;
    const size_t at = index * COPY_BYTES, left = c->op->n - at;

    return copy_bytes(c->op, at, left < COPY_BYTES ? left : COPY_BYTES,
                      c->room + (size_t)worker * COPY_BYTES, err);
}

static cuzk_status run_copy(const cpu_op_t *op, strand_t *strand, cuzk_error *err)
{
    const bool needs_room = op->to->host == NULL && op->from[0]->host == NULL;
    copy_t c = {.op = op};
    buffer_t *room;
    cuzk_status st = cpu_buffer_alloc(&room, &op->device->base, BUFFER_HOST,
                                      needs_room ? strand_size(strand) * (size_t)COPY_BYTES : 0,
                                      "pieces of vectors in files", err);

    if (st != CUZK_OK) return st;
    c.room = room->host;
    st = strand_try(strand, (op->n + COPY_BYTES - 1) / COPY_BYTES, copy_piece, &c, err);
    cpu_buffer_free(room);
    return st;
}

cuzk_status cpu_copy(stream_t *stream, buffer_t *to, size_t to_at, const buffer_t *from,
                     size_t from_at, size_t bytes, cuzk_error *err)
{
    const cpu_op_t op = {.run = run_copy,
                         .device = cpu_device(stream->device),
                         .to = to,
                         .to_at = to_at,
                         .from = {from},
                         .from_at = from_at,
                         .n = bytes};

    return cpu_stream_give(stream, &op, err);
}

/* --- transforms ------------------------------------------------------------------------------- */

static cuzk_status get_elements(fr_t *to, const ntt_vector_t *vector, size_t first, size_t n,
                                cuzk_error *err)
{
    return cpu_buffer_read(to, vector->store, first * sizeof *to, n * sizeof *to, err);
}

static cuzk_status put_elements(const ntt_vector_t *vector, const fr_t *from, size_t first,
                                size_t n, cuzk_error *err)
{
    return cpu_buffer_write(vector->store, first * sizeof *from, from, n * sizeof *from, err);
}

static cuzk_status run_transform(const cpu_op_t *op, strand_t *strand, cuzk_error *err)
{
    const uint32_t n_threads = strand_size(strand);
    uint64_t io_ns = 0;
    const ntt_vector_t vector = {.elements = op->to->host,
                                 .get = get_elements,
                                 .put = put_elements,
                                 .store = op->to,
                                 .io_ns = &io_ns};
    const size_t bytes = vector.elements != NULL
                             ? ntt_scratch_bytes(op->domain, n_threads)
                             : ntt_block_scratch_bytes(op->domain, &vector, n_threads);
    ntt_kind_t kind = op->kind;
    buffer_t *scratch;

    kind.coset = op->is_coset ? &op->coset : NULL;
    cuzk_status st = cpu_buffer_alloc(&scratch, &op->device->base, BUFFER_HOST, bytes,
                                      "scratch of a transform", err);
    if (st != CUZK_OK) return st;
    st = ntt_transform(op->domain, &vector, &kind, scratch->host, strand, err);
    cpu_buffer_free(scratch);
    add_io(op->to, io_ns);
    return st;
}

cuzk_status cpu_transform(stream_t *stream, buffer_t *a, unsigned lg_n, const ntt_kind_t *kind,
                          cuzk_error *err)
{
    cpu_op_t op = {.run = run_transform,
                   .device = cpu_device(stream->device),
                   .to = a,
                   .lg_n = lg_n,
                   .kind = *kind,
                   .is_coset = kind->coset != NULL};
    const cuzk_status st = cpu_device_domain(&op.domain, op.device, lg_n, err);

    if (st != CUZK_OK) return st;
    if (op.is_coset) op.coset = *kind->coset;
    return cpu_stream_give(stream, &op, err);
}

uint64_t cpu_transform_bytes(const device_t *device, unsigned lg_n, buffer_kind kind,
                             uint32_t n_threads)
{
    (void)device;
    const size_t pieces = n_threads * sizeof(fr_t[3][PIECE]);

    if (kind != BUFFER_FILE) return ntt_bytes(lg_n, n_threads);
    const size_t bytes = ntt_file_bytes(lg_n, n_threads);
    return bytes > pieces ? bytes : pieces;
}

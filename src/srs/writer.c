/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/verify.h"
#include "srs/srs.h"

enum { CHUNK_POINTS = 1 << 14, GRAIN_POINTS = 256 };

cuzk_status srs_writer_open(srs_writer_t *w, const char *path, bool replace, cuzk_error *err)
{
    *w = (srs_writer_t){0};
    const cuzk_status st = atomic_file_open(&w->file, path, replace, err);
    if (st != CUZK_OK) return st;
    w->buffer = mem_alloc(CHUNK_POINTS, G2_UNCOMPRESSED_BYTES, "writing parameters", err);
    if (w->buffer != NULL) return CUZK_OK;
    srs_writer_discard(w);
    return CUZK_ERR_MEMORY;
}

void srs_writer_put_vk(srs_writer_t *w, const srs_vk_t *vk)
{
    srs_vk_write(w->file.stream, vk);
}

void srs_writer_begin(srs_writer_t *w, uint32_t count)
{
    uint8_t bytes[4];

    VERIFY(w->pending == 0);
    store_be32(bytes, count);
    (void)fwrite(bytes, 1, sizeof bytes, w->file.stream);
    w->pending = count;
}

/* A chunk on its way into the buffer; points of one group. */
typedef struct {
    uint8_t *bytes;
    const g1_affine_t *g1;
    const g2_affine_t *g2;
} srs_encode_t;

static void encode_g1(void *arg, size_t first, size_t end, uint32_t worker)
{
    const srs_encode_t *e = arg;

    (void)worker;
    for (size_t i = first; i < end; i++)
        g1_write_uncompressed(e->bytes + i * G1_UNCOMPRESSED_BYTES, &e->g1[i]);
}

static void encode_g2(void *arg, size_t first, size_t end, uint32_t worker)
{
    const srs_encode_t *e = arg;

    (void)worker;
    for (size_t i = first; i < end; i++)
        g2_write_uncompressed(e->bytes + i * G2_UNCOMPRESSED_BYTES, &e->g2[i]);
}

/* n points at g1 or g2. */
static cuzk_status add(srs_writer_t *w, const g1_affine_t *g1, const g2_affine_t *g2, size_t n,
                       strand_t *strand, cuzk_error *err)
{
    const strand_cut_t cut = {GRAIN_POINTS, 16 * GRAIN_POINTS};
    const size_t size = g1 != NULL ? G1_UNCOMPRESSED_BYTES : G2_UNCOMPRESSED_BYTES;

    VERIFY(n <= w->pending);
    w->pending -= n;
    for (size_t at = 0; at < n; at += CHUNK_POINTS) {
        const size_t chunk = n - at < CHUNK_POINTS ? n - at : CHUNK_POINTS;
        srs_encode_t e = {.bytes = w->buffer};

        if (g1 != NULL)
            e.g1 = g1 + at;
        else
            e.g2 = g2 + at;
        cuzk_status st =
            strand_for(strand, chunk, cut, g1 != NULL ? encode_g1 : encode_g2, &e, err);
        if (st != CUZK_OK) return st;
        (void)fwrite(w->buffer, size, chunk, w->file.stream);
        st = atomic_file_status(&w->file, err);
        if (st != CUZK_OK) return st;
    }
    return CUZK_OK;
}

cuzk_status srs_writer_add_g1(srs_writer_t *w, const g1_affine_t *points, size_t n,
                              strand_t *strand, cuzk_error *err)
{
    return add(w, points, NULL, n, strand, err);
}

cuzk_status srs_writer_add_g2(srs_writer_t *w, const g2_affine_t *points, size_t n,
                              strand_t *strand, cuzk_error *err)
{
    return add(w, NULL, points, n, strand, err);
}

cuzk_status srs_writer_commit(srs_writer_t *w, cuzk_error *err)
{
    VERIFY(w->pending == 0);
    const cuzk_status st = atomic_file_commit(&w->file, err);
    srs_writer_discard(w);
    return st;
}

void srs_writer_discard(srs_writer_t *w)
{
    atomic_file_discard(&w->file);
    free(w->buffer);
    *w = (srs_writer_t){0};
}

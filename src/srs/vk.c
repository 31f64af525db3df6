/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "srs/vk.h"

#include <assert.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "srs/point.h"
#include "srs/source.h"

enum {
    FIXED_BYTES = 3 * G1_UNCOMPRESSED_BYTES + 3 * G2_UNCOMPRESSED_BYTES,
    HEAD_BYTES = FIXED_BYTES + 4, /* the count of inputs */
    IC_GRAIN = 8,
    IC_MOST = 32 /* points of ic in a task: about 2 ms */
};

size_t srs_vk_bytes(uint32_t n_ic)
{
    return HEAD_BYTES + (size_t)n_ic * G1_UNCOMPRESSED_BYTES;
}

/* Where the points are taken from, and what error texts say. */
typedef struct {
    const uint8_t *at;
    const char *name;
    cuzk_error *err;
} key_cursor_t;

static cuzk_status fail_point(const char *name, const char *part, const char *fault,
                              cuzk_error *err)
{
    return error_set(err, CUZK_ERR_FORMAT, "%s: verifying key: %s: %s", name, part, fault);
}

static cuzk_status take_g1(g1_affine_t *p, key_cursor_t *from, const char *part)
{
    const char *fault = srs_g1_fault(p, from->at, true);

    from->at += G1_UNCOMPRESSED_BYTES;
    return fault == NULL ? CUZK_OK : fail_point(from->name, part, fault, from->err);
}

static cuzk_status take_g2(g2_affine_t *p, key_cursor_t *from, const char *part)
{
    const char *fault = srs_g2_fault(p, from->at, true);

    from->at += G2_UNCOMPRESSED_BYTES;
    return fault == NULL ? CUZK_OK : fail_point(from->name, part, fault, from->err);
}

static cuzk_status take_fixed(srs_vk_t *vk, key_cursor_t *from)
{
    cuzk_status st = take_g1(&vk->alpha_g1, from, "alpha_g1");

    if (st == CUZK_OK) st = take_g1(&vk->beta_g1, from, "beta_g1");
    if (st == CUZK_OK) st = take_g2(&vk->beta_g2, from, "beta_g2");
    if (st == CUZK_OK) st = take_g2(&vk->gamma_g2, from, "gamma_g2");
    if (st == CUZK_OK) st = take_g1(&vk->delta_g1, from, "delta_g1");
    if (st == CUZK_OK) st = take_g2(&vk->delta_g2, from, "delta_g2");
    return st;
}

/* The six points and the count of inputs, which is held against the bytes that are there. */
static cuzk_status take_head(srs_vk_t *vk, const srs_source_t *source, cuzk_error *err)
{
    uint8_t head[HEAD_BYTES];
    key_cursor_t from = {.at = head, .name = source->name, .err = err};

    if (source->n < HEAD_BYTES)
        return error_set(err, CUZK_ERR_FORMAT,
                         "%s: verifying key: %llu bytes are there, at least %d needed",
                         source->name, (unsigned long long)source->n, (int)HEAD_BYTES);
    cuzk_status st = srs_source_read(source, head, sizeof head, 0, err);
    if (st == CUZK_OK) st = take_fixed(vk, &from);
    if (st != CUZK_OK) return st;

    const uint32_t n_ic = load_be32(from.at);
    if (n_ic == 0 || n_ic > SRS_MAX_INPUTS)
        return error_set(err, CUZK_ERR_FORMAT, "%s: verifying key: ic: count %u, 1 to %u allowed",
                         source->name, n_ic, SRS_MAX_INPUTS);
    if (source->n < srs_vk_bytes(n_ic))
        return error_set(err, CUZK_ERR_FORMAT,
                         "%s: verifying key: ic: count %u needs %zu bytes, %llu are left",
                         source->name, n_ic, srs_vk_bytes(n_ic) - HEAD_BYTES,
                         (unsigned long long)source->n - HEAD_BYTES);
    vk->n_ic = n_ic;
    return CUZK_OK;
}

/* The points of ic, each decoded where its bytes lie. */
typedef struct {
    g1_affine_t *ic;
    size_t lowest_bad; /* its bytes still lie there; SIZE_MAX: none; atomic */
} ic_decode_t;

static_assert(sizeof(g1_affine_t) == G1_UNCOMPRESSED_BYTES, "points are decoded in place");

static const char *ic_fault(g1_affine_t *p, const g1_affine_t *encoded)
{
    uint8_t bytes[G1_UNCOMPRESSED_BYTES];

    memcpy(bytes, encoded, sizeof bytes);
    return srs_g1_fault(p, bytes, true);
}

static void decode_ic(void *arg, size_t first, size_t end, uint32_t worker)
{
    ic_decode_t *decode = arg;
    g1_affine_t p;

    (void)worker;
    if (first > __atomic_load_n(&decode->lowest_bad, __ATOMIC_RELAXED)) return;
    for (size_t i = first; i < end; i++) {
        if (ic_fault(&p, &decode->ic[i]) != NULL) {
            srs_keep_lowest(&decode->lowest_bad, i);
            return;
        }
        decode->ic[i] = p;
    }
}

static cuzk_status take_ic(srs_vk_t *vk, const srs_source_t *source, strand_t *strand,
                           cuzk_error *err)
{
    ic_decode_t decode = {.lowest_bad = SIZE_MAX};
    char part[32];
    g1_affine_t p;

    vk->ic = mem_alloc(vk->n_ic, sizeof *vk->ic, "verifying key", err);
    if (vk->ic == NULL) return err->status;
    decode.ic = vk->ic;
    cuzk_status st = srs_source_read(source, vk->ic, vk->n_ic * sizeof *vk->ic, HEAD_BYTES, err);
    if (st == CUZK_OK)
        st = strand_for(strand, vk->n_ic, (strand_cut_t){IC_GRAIN, IC_MOST}, decode_ic, &decode,
                        err);
    if (st != CUZK_OK || decode.lowest_bad == SIZE_MAX) return st;
    (void)snprintf(part, sizeof part, "ic[%zu]", decode.lowest_bad);
    return fail_point(source->name, part, ic_fault(&p, &vk->ic[decode.lowest_bad]), err);
}

cuzk_status srs_vk_take(srs_vk_t *vk, uint64_t *used, const srs_source_t *source, strand_t *strand,
                        cuzk_error *err)
{
    *vk = (srs_vk_t){0};
    cuzk_status st = take_head(vk, source, err);
    if (st == CUZK_OK) st = take_ic(vk, source, strand, err);
    if (st == CUZK_OK)
        *used = srs_vk_bytes(vk->n_ic);
    else
        srs_vk_clear(vk);
    return st;
}

cuzk_status srs_is_key_alone(bool *is_key, const char *path, cuzk_error *err)
{
    uint8_t count[4];
    file_t file;
    cuzk_status st = file_open(&file, path, err);

    *is_key = false;
    if (st != CUZK_OK) return st;
    if (file.length >= HEAD_BYTES) {
        st = file_read_at(&file, count, sizeof count, HEAD_BYTES - sizeof count, err);
        if (st == CUZK_OK) *is_key = file.length == srs_vk_bytes(load_be32(count));
    }
    file_close(&file);
    return st;
}

cuzk_status srs_vk_read(srs_vk_t *vk, const char *path, strand_t *strand, cuzk_error *err)
{
    file_t file;
    uint64_t used;
    cuzk_status st = file_open(&file, path, err);

    if (st != CUZK_OK) return st;
    const srs_source_t source = {.name = path, .n = file.length, .file = &file};
    st = srs_vk_take(vk, &used, &source, strand, err);
    if (st == CUZK_OK && used != file.length) {
        srs_vk_clear(vk);
        st = error_set(err, CUZK_ERR_FORMAT, "%s: verifying key: %llu bytes after its end", path,
                       (unsigned long long)(file.length - used));
    }
    file_close(&file);
    return st;
}

static void put_g1(FILE *out, const g1_affine_t *p)
{
    uint8_t bytes[G1_UNCOMPRESSED_BYTES];

    g1_write_uncompressed(bytes, p);
    (void)fwrite(bytes, 1, sizeof bytes, out);
}

static void put_g2(FILE *out, const g2_affine_t *p)
{
    uint8_t bytes[G2_UNCOMPRESSED_BYTES];

    g2_write_uncompressed(bytes, p);
    (void)fwrite(bytes, 1, sizeof bytes, out);
}

void srs_vk_write(FILE *out, const srs_vk_t *vk)
{
    uint8_t count[4];

    put_g1(out, &vk->alpha_g1);
    put_g1(out, &vk->beta_g1);
    put_g2(out, &vk->beta_g2);
    put_g2(out, &vk->gamma_g2);
    put_g1(out, &vk->delta_g1);
    put_g2(out, &vk->delta_g2);
    store_be32(count, vk->n_ic);
    (void)fwrite(count, 1, sizeof count, out);
    for (uint32_t i = 0; i < vk->n_ic; i++) put_g1(out, &vk->ic[i]);
}

void srs_vk_clear(srs_vk_t *vk)
{
    free(vk->ic);
    *vk = (srs_vk_t){0};
}

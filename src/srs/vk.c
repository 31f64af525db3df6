/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "srs/vk.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mapped_file.h"
#include "base/memory.h"
#include "srs/point.h"

enum {
    FIXED_BYTES = 3 * G1_UNCOMPRESSED_BYTES + 3 * G2_UNCOMPRESSED_BYTES,
    HEAD_BYTES = FIXED_BYTES + 4 /* the count of inputs */
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
} cursor_t;

static cuzk_status take_g1(g1_affine_t *p, cursor_t *from, const char *part)
{
    const char *fault = srs_g1_fault(p, from->at, true);

    if (fault != NULL)
        return error_set(from->err, CUZK_ERR_FORMAT, "%s: verifying key: %s: %s", from->name, part,
                         fault);
    from->at += G1_UNCOMPRESSED_BYTES;
    return CUZK_OK;
}

static cuzk_status take_g2(g2_affine_t *p, cursor_t *from, const char *part)
{
    const char *fault = srs_g2_fault(p, from->at, true);

    if (fault != NULL)
        return error_set(from->err, CUZK_ERR_FORMAT, "%s: verifying key: %s: %s", from->name, part,
                         fault);
    from->at += G2_UNCOMPRESSED_BYTES;
    return CUZK_OK;
}

static cuzk_status take_fixed(srs_vk_t *vk, cursor_t *from)
{
    cuzk_status st = take_g1(&vk->alpha_g1, from, "alpha_g1");

    if (st == CUZK_OK) st = take_g1(&vk->beta_g1, from, "beta_g1");
    if (st == CUZK_OK) st = take_g2(&vk->beta_g2, from, "beta_g2");
    if (st == CUZK_OK) st = take_g2(&vk->gamma_g2, from, "gamma_g2");
    if (st == CUZK_OK) st = take_g1(&vk->delta_g1, from, "delta_g1");
    if (st == CUZK_OK) st = take_g2(&vk->delta_g2, from, "delta_g2");
    return st;
}

static cuzk_status take_ic(srs_vk_t *vk, cursor_t *from)
{
    for (uint32_t i = 0; i < vk->n_ic; i++) {
        char part[24];

        (void)snprintf(part, sizeof part, "ic[%u]", i);
        const cuzk_status st = take_g1(&vk->ic[i], from, part);
        if (st != CUZK_OK) return st;
    }
    return CUZK_OK;
}

cuzk_status srs_vk_parse(srs_vk_t *vk, size_t *used, const uint8_t *bytes, size_t n,
                         const char *name, cuzk_error *err)
{
    cursor_t from = {.at = bytes, .name = name, .err = err};

    *vk = (srs_vk_t){0};
    if (n < HEAD_BYTES)
        return error_set(err, CUZK_ERR_FORMAT,
                         "%s: verifying key: %zu bytes are there, at least %d needed", name, n,
                         (int)HEAD_BYTES);
    cuzk_status st = take_fixed(vk, &from);
    if (st != CUZK_OK) return st;

    const uint32_t n_ic = load_be32(from.at);
    from.at += 4;
    if (n_ic == 0 || n_ic > SRS_MAX_INPUTS)
        return error_set(err, CUZK_ERR_FORMAT, "%s: verifying key: ic: count %u, 1 to %u allowed",
                         name, n_ic, SRS_MAX_INPUTS);
    if (n < srs_vk_bytes(n_ic))
        return error_set(err, CUZK_ERR_FORMAT,
                         "%s: verifying key: ic: count %u needs %zu bytes, %zu are left", name,
                         n_ic, srs_vk_bytes(n_ic) - HEAD_BYTES, n - HEAD_BYTES);
    vk->n_ic = n_ic;
    vk->ic = small_alloc(n_ic, sizeof *vk->ic);
    st = take_ic(vk, &from);
    if (st != CUZK_OK) {
        srs_vk_clear(vk);
        return st;
    }
    *used = srs_vk_bytes(n_ic);
    return CUZK_OK;
}

cuzk_status srs_vk_read(srs_vk_t *vk, const char *path, cuzk_error *err)
{
    mapped_file_t file;
    size_t used;
    cuzk_status st = mapped_file_open(&file, path, err);

    if (st != CUZK_OK) return st;
    st = srs_vk_parse(vk, &used, file.bytes, file.length, path, err);
    if (st == CUZK_OK && used != file.length) {
        srs_vk_clear(vk);
        st = error_set(err, CUZK_ERR_FORMAT, "%s: verifying key: %zu bytes after its end", path,
                       file.length - used);
    }
    mapped_file_close(&file);
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

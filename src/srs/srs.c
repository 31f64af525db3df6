/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "srs/srs.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "srs/point.h"
#include "srs/source.h"

enum { PRELOAD_BYTES = 4 << 20 }; /* a few milliseconds of a disk */

const char *srs_section_name(srs_section section)
{
    static const char *const names[SRS_SECTIONS] = {"h", "l", "a", "b_g1", "b_g2"};

    return names[section];
}

const points_t *srs_section_points(const srs_t *srs, srs_section section)
{
    const points_t *const all[SRS_SECTIONS] = {&srs->h, &srs->l, &srs->a, &srs->b_g1, &srs->b_g2};

    return all[section];
}

static cuzk_status read_points(const points_t *points, void *to, size_t first, size_t n,
                               cuzk_error *err)
{
    const uint64_t offset = points->offset + (uint64_t)first * points->point_bytes;

    return file_read_at(points->source, to, n * points->point_bytes, offset, err);
}

static void set_section(srs_t *srs, srs_section section, const srs_source_t *source,
                        uint64_t offset, size_t n)
{
    points_t *const all[SRS_SECTIONS] = {&srs->h, &srs->l, &srs->a, &srs->b_g1, &srs->b_g2};
    points_t points = {.n = n,
                       .form = POINTS_UNCOMPRESSED,
                       .point_bytes = srs_point_bytes(section),
                       .offset = offset};

    if (source->bytes != NULL) {
        points.base = source->bytes + offset;
    } else {
        points.read = read_points;
        points.source = source->file;
    }
    *all[section] = points;
}

static cuzk_status find_sections(srs_t *srs, const srs_source_t *source, uint64_t at,
                                 cuzk_error *err)
{
    for (srs_section i = SRS_H; i < SRS_SECTIONS; i++) {
        uint8_t bytes[4];

        if (source->n - at < sizeof bytes)
            return error_set(err, CUZK_ERR_FORMAT, "%s: %s: the file ends before its count",
                             srs->path, srs_section_name(i));
        const cuzk_status st = srs_source_read(source, bytes, sizeof bytes, at, err);
        if (st != CUZK_OK) return st;
        const uint64_t count = load_be32(bytes);
        const uint64_t needed = count * srs_point_bytes(i);
        at += sizeof bytes;
        if (needed > source->n - at)
            return error_set(err, CUZK_ERR_FORMAT,
                             "%s: %s: count %llu needs %llu bytes, %llu are left", srs->path,
                             srs_section_name(i), (unsigned long long)count,
                             (unsigned long long)needed, (unsigned long long)(source->n - at));
        set_section(srs, i, source, at, count);
        at += needed;
    }
    if (at != source->n)
        return error_set(err, CUZK_ERR_FORMAT, "%s: b_g2: %llu bytes after its last point",
                         srs->path, (unsigned long long)(source->n - at));
    return CUZK_OK;
}

/* Relations between the counts that hold for every circuit. */
static cuzk_status check_relations(const srs_t *srs, cuzk_error *err)
{
    const size_t n_ic = srs->vk.n_ic;

    if ((srs->h.n & (srs->h.n + 1)) != 0)
        return error_set(err, CUZK_ERR_FORMAT, "%s: h: count %zu is not a power of two less one",
                         srs->path, srs->h.n);
    if (srs->h.n + 1 < n_ic)
        return error_set(err, CUZK_ERR_FORMAT, "%s: h: count %zu is too small for %zu inputs",
                         srs->path, srs->h.n, n_ic);
    if (srs->a.n < n_ic || srs->a.n > n_ic + srs->l.n)
        return error_set(err, CUZK_ERR_FORMAT,
                         "%s: a: count %zu, %zu to %zu allowed for these inputs and l", srs->path,
                         srs->a.n, n_ic, n_ic + srs->l.n);
    if (srs->b_g1.n > n_ic + srs->l.n)
        return error_set(err, CUZK_ERR_FORMAT,
                         "%s: b_g1: count %zu, at most %zu allowed for these inputs and l",
                         srs->path, srs->b_g1.n, n_ic + srs->l.n);
    if (srs->b_g1.n != srs->b_g2.n)
        return error_set(err, CUZK_ERR_FORMAT, "%s: b_g2: count %zu, %zu as in b_g1 needed",
                         srs->path, srs->b_g2.n, srs->b_g1.n);
    return CUZK_OK;
}

/* Fills an srs_t that has its file, when there is one; clears it on an error. */
static cuzk_status open_source(srs_t *srs, const srs_source_t *source, strand_t *strand,
                               cuzk_error *err)
{
    uint64_t used;

    srs->path = mem_copy_text(source->name, "a path", err);
    cuzk_status st = srs->path == NULL ? err->status : CUZK_OK;
    if (st == CUZK_OK) st = srs_vk_take(&srs->vk, &used, source, strand, err);
    if (st == CUZK_OK) st = find_sections(srs, source, used, err);
    if (st == CUZK_OK) st = check_relations(srs, err);
    if (st != CUZK_OK) srs_close(srs);
    return st;
}

cuzk_status srs_open_bytes(srs_t *srs, const uint8_t *bytes, size_t n, const char *name,
                           strand_t *strand, cuzk_error *err)
{
    static const uint8_t none[1];
    const srs_source_t source = {.name = name, .n = n, .bytes = n == 0 ? none : bytes};

    *srs = (srs_t){0};
    return open_source(srs, &source, strand, err);
}

cuzk_status srs_open(srs_t *srs, const char *path, strand_t *strand, cuzk_error *err)
{
    *srs = (srs_t){.file = mem_alloc(1, sizeof *srs->file, "a file", err)};
    if (srs->file == NULL) return err->status;
    const cuzk_status st = file_open(srs->file, path, err);
    if (st != CUZK_OK) {
        srs_close(srs);
        return st;
    }
    const srs_source_t source = {.name = path, .n = srs->file->length, .file = srs->file};
    return open_source(srs, &source, strand, err);
}

void srs_close(srs_t *srs)
{
    if (srs->file != NULL) file_close(srs->file);
    free(srs->file);
    srs_vk_clear(&srs->vk);
    free(srs->path);
    *srs = (srs_t){0};
}

uint64_t srs_resident_bytes(const srs_t *srs)
{
    const uint64_t path = strlen(srs->path) + 1;
    uint64_t bytes = sizeof *srs + path + (uint64_t)srs->vk.n_ic * sizeof *srs->vk.ic;

    if (srs->file != NULL) bytes += sizeof *srs->file + path;
    return bytes;
}

/* Asks for the piece after the one it waits for, so that the disk always has something to do. */
static cuzk_status read_through(const file_t *file, void *piece, const cancel_t *cancel,
                                cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    for (uint64_t at = 0; at < file->length && st == CUZK_OK; at += PRELOAD_BYTES) {
        const uint64_t left = file->length - at;
        const size_t n = left < PRELOAD_BYTES ? (size_t)left : PRELOAD_BYTES;

        if (left > n) file_read_ahead(file, at + n, PRELOAD_BYTES);
        st = cancel_status(cancel, err);
        if (st == CUZK_OK) st = file_read_at(file, piece, n, at, err);
    }
    return st;
}

cuzk_status srs_preload(const srs_t *srs, const cancel_t *cancel, cuzk_error *err)
{
    void *piece;

    if (srs->file == NULL) return CUZK_OK;
    cuzk_status st = big_alloc(&piece, PRELOAD_BYTES, 1, "preloading parameters", err);
    if (st != CUZK_OK) return st;
    st = read_through(srs->file, piece, cancel, err);
    big_free(piece, PRELOAD_BYTES, 1);
    return st;
}

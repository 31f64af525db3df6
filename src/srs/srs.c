/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "srs/srs.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "srs/point.h"

const char *srs_section_name(srs_section section)
{
    static const char *const names[SRS_SECTIONS] = {"h", "l", "a", "b_g1", "b_g2"};

    return names[section];
}

srs_points_t srs_section_points(const srs_t *srs, srs_section section)
{
    const g1_source_t *const g1[] = {&srs->h, &srs->l, &srs->a, &srs->b_g1};

    if (section == SRS_B_G2) return (srs_points_t){srs->b_g2.base, srs->b_g2.n};
    return (srs_points_t){g1[section]->base, g1[section]->n};
}

static void set_section(srs_t *srs, srs_section section, srs_points_t points)
{
    g1_source_t *const g1[] = {&srs->h, &srs->l, &srs->a, &srs->b_g1};

    if (section == SRS_B_G2)
        srs->b_g2 = (g2_source_t){points.bytes, points.n, G2_FORM_UNCOMPRESSED};
    else
        *g1[section] = (g1_source_t){points.bytes, points.n, G1_FORM_UNCOMPRESSED};
}

static cuzk_status find_sections(srs_t *srs, const uint8_t *bytes, size_t n, cuzk_error *err)
{
    size_t at = 0;

    for (srs_section i = SRS_H; i < SRS_SECTIONS; i++) {
        if (n - at < 4)
            return error_set(err, CUZK_ERR_FORMAT, "%s: %s: the file ends before its count",
                             srs->path, srs_section_name(i));
        const uint64_t count = load_be32(bytes + at);
        const uint64_t needed = count * srs_point_bytes(i);
        at += 4;
        if (needed > n - at)
            return error_set(err, CUZK_ERR_FORMAT,
                             "%s: %s: count %llu needs %llu bytes, %zu are left", srs->path,
                             srs_section_name(i), (unsigned long long)count,
                             (unsigned long long)needed, n - at);
        set_section(srs, i, (srs_points_t){bytes + at, count});
        at += needed;
    }
    if (at != n)
        return error_set(err, CUZK_ERR_FORMAT, "%s: b_g2: %zu bytes after its last point",
                         srs->path, n - at);
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

static cuzk_status parse(srs_t *srs, const uint8_t *bytes, size_t n, cuzk_error *err)
{
    size_t used;
    cuzk_status st = srs_vk_parse(&srs->vk, &used, bytes, n, srs->path, err);

    if (st != CUZK_OK) return st;
    st = find_sections(srs, bytes + used, n - used, err);
    if (st == CUZK_OK) st = check_relations(srs, err);
    return st;
}

static char *copy_text(const char *text)
{
    const size_t n = strlen(text) + 1;

    return memcpy(small_alloc(n, 1), text, n);
}

cuzk_status srs_open_bytes(srs_t *srs, const uint8_t *bytes, size_t n, const char *name,
                           cuzk_error *err)
{
    *srs = (srs_t){.path = copy_text(name)};
    const cuzk_status st = parse(srs, bytes, n, err);
    if (st != CUZK_OK) srs_close(srs);
    return st;
}

cuzk_status srs_open(srs_t *srs, const char *path, cuzk_error *err)
{
    mapped_file_t file;
    cuzk_status st = mapped_file_open(&file, path, err);

    if (st != CUZK_OK) return st;
    st = srs_open_bytes(srs, file.bytes, file.length, path, err);
    if (st != CUZK_OK)
        mapped_file_close(&file);
    else
        srs->file = file;
    return st;
}

void srs_close(srs_t *srs)
{
    mapped_file_close(&srs->file);
    srs_vk_clear(&srs->vk);
    free(srs->path);
    *srs = (srs_t){0};
}

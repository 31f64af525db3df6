/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Whether two files are of one setup. */

#include "srs/srs.h"

/* The part of a key in which byte `at` lies. */
static const char *key_part(uint64_t at)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } parts[] = {{"alpha_g1", G1_UNCOMPRESSED_BYTES}, {"beta_g1", G1_UNCOMPRESSED_BYTES},
                 {"beta_g2", G2_UNCOMPRESSED_BYTES},  {"gamma_g2", G2_UNCOMPRESSED_BYTES},
                 {"delta_g1", G1_UNCOMPRESSED_BYTES}, {"delta_g2", G2_UNCOMPRESSED_BYTES},
                 {"the number of inputs", 4}};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (at < parts[i].bytes) return parts[i].name;
        at -= parts[i].bytes;
    }
    return "ic";
}

/* Compares the first n bytes of two files by pieces. */
static cuzk_status match_bytes(const file_t *params, const file_t *vk, uint64_t n, cuzk_error *err)
{
    enum { PIECE = 1 << 14 };
    uint8_t pieces[2][PIECE];

    for (uint64_t at = 0; at < n; at += PIECE) {
        const size_t now = n - at < PIECE ? (size_t)(n - at) : PIECE;
        cuzk_status st = file_read_at(params, pieces[0], now, at, err);

        if (st == CUZK_OK) st = file_read_at(vk, pieces[1], now, at, err);
        if (st != CUZK_OK) return st;
        for (size_t i = 0; i < now; i++)
            if (pieces[0][i] != pieces[1][i])
                return error_set(err, CUZK_ERR_FORMAT,
                                 "%s: not the key of %s: %s differs, so they come from two setups",
                                 vk->path, params->path, key_part(at + i));
    }
    return CUZK_OK;
}

cuzk_status srs_match_vk(const srs_t *srs, const char *vk_path, cuzk_error *err)
{
    const uint64_t n = srs_vk_bytes(srs->vk.n_ic);
    file_t vk;

    if (srs->file == NULL)
        return error_set(err, CUZK_ERR_ARG, "%s: parameters in memory", srs->path);
    cuzk_status st = file_open(&vk, vk_path, err);
    if (st != CUZK_OK) return st;
    if (vk.length != n)
        st = error_set(err, CUZK_ERR_FORMAT,
                       "%s: not the key of %s: it has %llu bytes, that key %llu", vk_path,
                       srs->path, (unsigned long long)vk.length, (unsigned long long)n);
    else
        st = match_bytes(srs->file, &vk, n, err);
    file_close(&vk);
    return st;
}

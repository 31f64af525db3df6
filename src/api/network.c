/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* The public network's parameter files. */

#include "cuzk/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/take.h"
#include "base/file.h"
#include "base/memory.h"
#include "engine/request.h"
#include "hash/blake2b.h"
#include "registry/public_files.h"

enum { PIECE_BYTES = 1 << 20 };

static void give_file(cuzk_public_file *file, const circuit_row_t *row, public_part part)
{
    const public_file_t *found = public_file(row, part);
    cuzk_public_file own = {.struct_size = sizeof own, .bytes = found->bytes};
    char id[PARAMETER_ID_BYTES];

    circuit_parameter_id(id, row);
    (void)snprintf(own.name, sizeof own.name, "v28-%s.%s", id, public_part_suffix(part));
    text_give(own.circuit, sizeof own.circuit, row->label);
    text_give(own.cid, sizeof own.cid, found->cid);
    memcpy(own.blake2b, found->blake2b, sizeof own.blake2b);
    struct_give(file, &own, sizeof own);
}

cuzk_status cuzk_public_file_find(const char *circuit, const char *suffix, cuzk_public_file *file,
                                  cuzk_error *error)
{
    const circuit_row_t *row;
    int part = 0;
    cuzk_error err;

    cuzk_status st = circuit_row_find(&row, circuit, &err);
    while (part < PUBLIC_FILES && strcmp(suffix, public_part_suffix((public_part)part)) != 0)
        part++;
    if (st == CUZK_OK && part == PUBLIC_FILES)
        st = error_set(&err, CUZK_ERR_ARG, "suffix: \"%s\" is none of params, vk", suffix);
    if (st == CUZK_OK) give_file(file, row, (public_part)part);
    return error_give(error, st, &err);
}

/* ---- whether a file is one of them ------------------------------------------------------------
 */

typedef void (*bytes_progress)(void *arg, uint64_t done, uint64_t total);

static cuzk_status digest_file(uint8_t digest[BLAKE2B_MAX_BYTES], const file_t *file,
                               bytes_progress progress, void *arg, cuzk_error *err)
{
    uint8_t *piece = mem_alloc(PIECE_BYTES, 1, "a piece of the file", err);
    blake2b_t *state = piece != NULL ? blake2b_open(BLAKE2B_MAX_BYTES, err) : NULL;
    cuzk_status st = state != NULL ? CUZK_OK : err->status;

    for (uint64_t at = 0; st == CUZK_OK && at < file->length;) {
        const uint64_t left = file->length - at;
        const size_t n = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;

        file_read_ahead(file, at + n, 4 * (uint64_t)PIECE_BYTES);
        st = file_read_at(file, piece, n, at, err);
        if (st != CUZK_OK) break;
        blake2b_add(state, piece, n);
        at += n;
        if (progress != NULL) progress(arg, at, file->length);
    }
    if (state != NULL) blake2b_close(state, digest);
    free(piece);
    return st;
}

/* The published file of that length and digest; false when there is none. digest NULL: of that
 * length. */
static bool find_like(const circuit_row_t **row, public_part *part, uint64_t length,
                      const uint8_t *digest)
{
    cuzk_error err;

    for (int i = 0; i < PUBLIC_CIRCUITS; i++)
        for (int p = 0; p < PUBLIC_FILES; p++) {
            const public_file_t *file = &public_circuits[i].files[p];

            if (file->bytes != length) continue;
            if (digest != NULL && memcmp(digest, file->blake2b, PUBLIC_DIGEST_BYTES) != 0) continue;
            *part = (public_part)p;
            return circuit_row_find(row, public_circuits[i].label, &err) == CUZK_OK;
        }
    return false;
}

cuzk_status cuzk_public_file_match(const char *path, bool *is_public, cuzk_public_file *file,
                                   bytes_progress progress, void *arg, cuzk_error *error)
{
    uint8_t digest[BLAKE2B_MAX_BYTES];
    const circuit_row_t *row = NULL;
    public_part part = PUBLIC_PARAMS;
    file_t opened;
    cuzk_error err;

    *is_public = false;
    cuzk_status st = file_open(&opened, path, &err);
    if (st != CUZK_OK) return error_give(error, st, &err);
    if (find_like(&row, &part, opened.length, NULL)) {
        st = digest_file(digest, &opened, progress, arg, &err);
        *is_public = st == CUZK_OK && find_like(&row, &part, opened.length, digest);
    }
    if (*is_public && file != NULL) give_file(file, row, part);
    file_close(&opened);
    return error_give(error, st, &err);
}

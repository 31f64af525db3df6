/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_NETWORK_H
#define CUZK_NETWORK_H

/* The parameter files of the public network, which its ceremony made: what they are called, how to
 * fetch them, and whether a file is one of them. Nothing here needs an engine; all may be called by
 * several threads at once. */

#include "cuzk/cuzk.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CUZK_PUBLIC_DIGEST_BYTES = 16 };

/** One of those files. */
typedef struct cuzk_public_file {
    size_t struct_size;
    char circuit[32];                          /* "porep-32g" */
    char name[224];                            /* "v28-ID.params" or "v28-ID.vk" */
    char cid[64];                              /* what it is published under */
    uint8_t blake2b[CUZK_PUBLIC_DIGEST_BYTES]; /* the first bytes of its BLAKE2b-512 digest */
    uint64_t bytes;                            /* its length */
} cuzk_public_file;

/** The file of a circuit, suffix "params" or "vk". CUZK_ERR_ARG: no such circuit or suffix. */
CUZK_API cuzk_status cuzk_public_file_find(const char *circuit, const char *suffix,
                                           cuzk_public_file *file, cuzk_error *error);

/** Whether the file at path is one of them, whatever it is called: *is_public, and then *file. A
 *  file of another length than theirs is not read, one of theirs whole. progress may be NULL; it is
 *  called on the calling thread with bytes read and in all. CUZK_ERR_MISSING, CUZK_ERR_IO. */
CUZK_API cuzk_status cuzk_public_file_match(
    const char *path, bool *is_public, cuzk_public_file *file,
    void (*progress)(void *arg, uint64_t done, uint64_t total), void *arg, cuzk_error *error);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_CREDENTIALS_H
#define CUZK_RPC_CREDENTIALS_H

/* Certificates, keys and tokens from files. */

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/** *token = the first line of a file, from malloc(); it goes with token_free(). what names the
 *  option. A file that others than its owner can write to is refused (CUZK_ERR_ARG), and so is a
 *  line that is empty, longer than 4096 bytes, or has characters other than visible ASCII
 *  (CUZK_ERR_FORMAT). CUZK_ERR_MISSING, CUZK_ERR_IO, CUZK_ERR_MEMORY. */
cuzk_status token_read(char **token, const char *path, const char *what, cuzk_error *err);
void token_free(char *token);

/** Whether the value of an "authorization" header is "Bearer TOKEN"; takes as long for any value of
 *  that length. */
bool token_matches(const char *token, const char *value, size_t length);

/** PEM texts, zero-terminated, from malloc(); any may be NULL. */
typedef struct {
    char *certificate, *key, *authorities;
} pem_t;

/** Reads the files of certificate and key (both or neither) and authorities, which messages call
 *  authorities_name; paths may be NULL. A
 *  key file that others than its owner can write to is refused (CUZK_ERR_ARG), as is a key that is
 *  not its certificate's (CUZK_ERR_FORMAT). Release with pem_clear(). */
cuzk_status pem_read(pem_t *pem, const char *certificate, const char *key, const char *authorities,
                     const char *authorities_name, cuzk_error *err);
void pem_clear(pem_t *pem);

#endif

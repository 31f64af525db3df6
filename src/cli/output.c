/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/output.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"

enum { PROOF_MAX_BYTES = 1 << 20 }; /* far over the largest, 126 partitions of 192 bytes in hex */

cuzk_status output_check(const char *path, cuzk_error *err)
{
    const cuzk_status st = file_probe(path, true, err);

    return st == CUZK_OK ? st : error_within(err, "-o");
}

cuzk_status output_write(const char *path, bool hex, const uint8_t *bytes, size_t n,
                         cuzk_error *err)
{
    if (!hex) return file_write(path, bytes, n, true, err);
    char *text = mem_alloc(2 * n + 2, 1, "proof", err);
    if (text == NULL) return err->status;
    bytes_to_hex(text, bytes, n);
    text[2 * n] = '\n';
    const cuzk_status st = file_write(path, text, 2 * n + 1, true, err);
    free(text);
    return st;
}

void print_warning(void *arg, cuzk_log_level level, uint64_t job, const char *text)
{
    (void)arg;
    (void)job;
    if (level == CUZK_LOG_WARNING) (void)fprintf(stderr, "cuzk: warning: %s\n", text);
}

/* Removes white space; returns the length that is left. */
static size_t squeeze(char *text, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)text[i])) text[kept++] = text[i];
    return kept;
}

cuzk_status input_proof(uint8_t **bytes, size_t *n, const char *path, bool hex, cuzk_error *err)
{
    uint8_t *text;

    const cuzk_status st = file_read(&text, n, path, PROOF_MAX_BYTES, err);
    if (st != CUZK_OK) return error_within(err, "--proof");
    *bytes = text;
    if (!hex) return CUZK_OK;
    *n = squeeze((char *)text, *n);
    *bytes = mem_alloc(*n / 2 + 1, 1, "proof", err);
    if (*bytes == NULL) {
        free(text);
        return err->status;
    }
    const bool good = bytes_from_hex(*bytes, *n / 2, (const char *)text, *n);
    free(text);
    *n /= 2;
    if (good) return CUZK_OK;
    free(*bytes);
    *bytes = NULL;
    return error_set(err, CUZK_ERR_FORMAT, "--proof: not an even number of hex digits");
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/output.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"

enum { PROOF_MAX_BYTES = 1 << 20 }; /* far over the largest, 126 partitions of 192 bytes in hex */

cuzk_status output_open(output_t *output, const char *path, bool hex, cuzk_error *err)
{
    struct stat info;
    const bool special =
        strcmp(path, "-") == 0 ||
        (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));

    *output = (output_t){.path = path, .hex = hex, .to_file = !special};
    if (special) return CUZK_OK;
    const cuzk_status st = atomic_file_open(&output->file, path, true, err);
    return st == CUZK_OK ? st : error_within(err, "-o");
}

static cuzk_status write_encoded(output_t *output, const void *bytes, size_t n, cuzk_error *err)
{
    if (!output->to_file) return file_write(output->path, bytes, n, true, err);
    (void)fwrite(bytes, 1, n, output->file.stream); /* commit looks at ferror */
    return atomic_file_commit(&output->file, err);
}

cuzk_status output_write(output_t *output, const uint8_t *bytes, size_t n, cuzk_error *err)
{
    if (!output->hex) return write_encoded(output, bytes, n, err);
    char *text = mem_alloc(2 * n + 2, 1, "proof", err);
    if (text == NULL) return err->status;
    bytes_to_hex(text, bytes, n);
    text[2 * n] = '\n';
    const cuzk_status st = write_encoded(output, text, 2 * n + 1, err);
    free(text);
    return st;
}

void output_discard(output_t *output)
{
    if (output->to_file) atomic_file_discard(&output->file);
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

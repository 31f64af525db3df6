/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/output.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/content.h"
#include "base/file.h"
#include "base/memory.h"
#include "cuzk/statement.h"

/* The largest proof is that of a WindowPoSt of 3000 partitions, in hex, with a line end after each
 * pair of digits. */
enum { PROOF_MAX_BYTES = 3000 * CUZK_PROOF_BYTES * 3 };

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

/* What looks like anything but the form asked for is refused as what it is. No proof in raw bytes
 * looks like text: the first byte of its first point has its top bit set. */
static cuzk_status check_form(const uint8_t *bytes, size_t n, bool hex, cuzk_error *err)
{
    const content_kind kind = content_recognize(bytes, n);

    if (hex && kind == CONTENT_UNKNOWN && n > 0 && bytes[0] >= 0x80)
        return error_set(err, CUZK_ERR_FORMAT, "raw bytes, expected hex digits (without --hex?)");
    if (hex && (kind == CONTENT_UNKNOWN || kind == CONTENT_HEX)) return CUZK_OK;
    if (!hex && kind == CONTENT_UNKNOWN) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT, "%s; expected %s%s", content_text(kind),
                     hex ? "hex digits alone" : "the raw bytes of a proof",
                     !hex && kind == CONTENT_HEX ? " (or --hex)" : "");
}

/* *bytes = the bytes of the hex text there, in place; *n likewise. */
static cuzk_status decode(uint8_t *bytes, size_t *n, cuzk_error *err)
{
    char fault[HEX_FAULT_ROOM];

    *n = squeeze((char *)bytes, *n);
    if (*n % 2 != 0)
        return error_set(err, CUZK_ERR_FORMAT,
                         "%zu characters, expected an even number of hex digits", *n);
    if (content_recognize(bytes, *n) != CONTENT_HEX)
        return error_set(err, CUZK_ERR_FORMAT, "%s",
                         hex_fault(fault, (const char *)bytes, *n, *n / 2));
    *n /= 2;
    (void)bytes_from_hex(bytes, *n, (const char *)bytes, 2 * *n);
    return CUZK_OK;
}

cuzk_status input_proof(uint8_t **bytes, size_t *n, const char *path, bool hex, cuzk_error *err)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    cuzk_status st = file_read(bytes, n, path, PROOF_MAX_BYTES, err);

    if (st != CUZK_OK) return error_within(err, "--proof");
    st = check_form(*bytes, *n, hex, err);
    if (st == CUZK_OK && hex) st = decode(*bytes, n, err);
    if (st == CUZK_OK) return CUZK_OK;
    free(*bytes);
    *bytes = NULL;
    return error_within(err, "--proof: %s", name);
}

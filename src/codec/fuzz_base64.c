/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "base/fuzz_support.h"
#include "codec/base64.h"

/* What decodes encodes to the same text, and any bytes come back. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(base64_room(size) + (base64_room(size) == 0));
    char *text = malloc(base64_length(size) + 1);
    fuzz_verdict verdict = FUZZ_REFUSED;
    cuzk_error err;
    size_t n;

    if (bytes == NULL || text == NULL) abort();
    if (base64_read(bytes, &n, (const char *)data, size, "fuzz", &err) == CUZK_OK) {
        base64_write(text, bytes, n);
        if (strlen(text) != size || memcmp(text, data, size) != 0) abort();
        verdict = FUZZ_READ;
    }
    base64_write(text, data, size);
    free(bytes);
    bytes = malloc(base64_room(base64_length(size)) + 1);
    if (bytes == NULL) abort();
    if (size > 0 && (base64_read(bytes, &n, text, strlen(text), "fuzz", &err) != CUZK_OK ||
                     n != size || memcmp(bytes, data, n) != 0))
        abort();
    free(bytes);
    free(text);
    fuzz_judge(verdict);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "pce/pce.h"
#include "pce/test_seal.h"

/* A PCE file of any contents, with right checksums: refused, or regenerated. */

enum { MAX_ROWS = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + 1);
    pce_t *pce;
    cuzk_error err;

    if (bytes == NULL) return 0;
    if (size > 0) memcpy(bytes, data, size);
    if (size >= HEADER_BYTES) reseal(bytes, size);
    if (pce_read(&pce, bytes, size, "fuzz", "toy", NULL, &err) == CUZK_OK) {
        if (pce_plan(pce)->counts.n_constraints < MAX_ROWS) (void)pce_validate(pce, &err);
        pce_free(pce);
    }
    free(bytes);
    return 0;
}

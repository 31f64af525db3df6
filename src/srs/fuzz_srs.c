/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Any bytes as a parameter file: it is refused, or every point of it can be read and checked. */

#include <stdlib.h>

#include "srs/srs.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void read_all(const srs_t *srs)
{
    const points_t *const all[] = {&srs->h, &srs->l, &srs->a, &srs->b_g1, &srs->b_g2};
    uint8_t bytes[G2_UNCOMPRESSED_BYTES];
    cuzk_error err;

    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (size_t i = 0; i < all[k]->n; i++)
            if (points_read(all[k], bytes, i, 1, &err) != CUZK_OK) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const srs_check_t how = {0};
    cuzk_error err;
    srs_t srs;

    if (srs_open_bytes(&srs, bytes, n, "fuzz", NULL, &err) != CUZK_OK) return 0;
    read_all(&srs);
    (void)srs_check_points(&srs, &how, NULL, &err);
    srs_close(&srs);
    return 0;
}

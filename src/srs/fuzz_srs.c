/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Any bytes as a parameter file: it is refused, or every point of it can be read and checked. */

#include "srs/srs.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void read_all(const srs_t *srs)
{
    const g1_source_t *const g1[] = {&srs->h, &srs->l, &srs->a, &srs->b_g1};
    g1_affine_t p1;
    g2_affine_t p2;

    for (size_t k = 0; k < sizeof g1 / sizeof *g1; k++)
        for (size_t i = 0; i < g1[k]->n; i++) g1_source_read(&p1, g1[k], i, 1);
    for (size_t i = 0; i < srs->b_g2.n; i++) g2_source_read(&p2, &srs->b_g2, i, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const srs_check_t how = {0};
    cuzk_error err;
    srs_t srs;

    if (srs_open_bytes(&srs, bytes, n, "fuzz", &err) != CUZK_OK) return 0;
    read_all(&srs);
    (void)srs_check_points(&srs, &how, NULL, &err);
    srs_close(&srs);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Any bytes as a parameter file and as a verifying key: refused, or every point of it can be read
 * and checked, and a key is written back to the same bytes. */

#include <stdlib.h>

#include "base/fuzz_support.h"
#include "srs/point.h"
#include "srs/srs.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void read_all(const srs_t *srs)
{
    uint8_t bytes[G2_UNCOMPRESSED_BYTES];
    cuzk_error err;

    for (srs_section k = SRS_H; k < SRS_SECTIONS; k++) {
        const points_t *points = srs_section_points(srs, k);

        for (size_t i = 0; i < points->n; i++)
            if (points_read(points, bytes, i, 1, &err) != CUZK_OK) abort();
    }
}

static bool read_key(const char *path, const uint8_t *bytes, size_t n)
{
    cuzk_error err;
    srs_vk_t vk;
    char *again;
    size_t length;
    bool is_key;

    if (srs_is_key_alone(&is_key, path, &err) != CUZK_OK) abort();
    if (srs_vk_read(&vk, path, NULL, &err) != CUZK_OK) return false;
    if (!is_key) abort();
    FILE *out = open_memstream(&again, &length);
    if (out == NULL) abort();
    srs_vk_write(out, &vk);
    if (fclose(out) != 0 || length != n || memcmp(again, bytes, n) != 0) abort();
    free(again);
    srs_vk_clear(&vk);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const char *path = fuzz_file(bytes, n);
    const srs_check_t how = {0};
    fuzz_verdict verdict = FUZZ_REFUSED;
    cuzk_error err;
    srs_t srs;

    if (read_key(path, bytes, n)) verdict = FUZZ_READ;
    const cuzk_status st = srs_open(&srs, path, NULL, &err);
    if (st == CUZK_OK) {
        read_all(&srs);
        if (srs_preload(&srs, NULL, &err) != CUZK_OK) abort();
        if (srs_resident_bytes(&srs) == 0) abort();
        srs_close(&srs);
    }
    if (srs_open_bytes(&srs, bytes, n, "fuzz", NULL, &err) == CUZK_OK) {
        if (st != CUZK_OK) abort();
        read_all(&srs);
        verdict = srs_check_points(&srs, &how, NULL, &err) == CUZK_OK ? FUZZ_RIGHT : FUZZ_READ;
        srs_close(&srs);
    } else if (st == CUZK_OK) {
        abort();
    }
    fuzz_judge(verdict);
    return 0;
}

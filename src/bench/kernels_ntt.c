/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/bytes.h"
#include "base/memory.h"
#include "bench/element_digest.h"
#include "bench/kernels.h"
#include "bench/peer_inputs.h"
#include "field/fr_batch.h"
#include "ntt/ntt.h"

static void print_ntt(const kernels_t *k, const measure_t *m, const char *result)
{
    uint8_t bytes[FR_BYTES];
    json_writer_t w;
    fr_t root;

    fr_root_of_unity(&root, FR_TWO_ADICITY);
    fr_to_bytes(bytes, &root);
    kernels_write(&w, k, m, result);
    json_write_hex(&w, "root_le", bytes, sizeof bytes);
    measure_end(&w);
}

/* In the clock: one forward transform in place, natural order in and out; tables made before. */
static cuzk_status measure_ntt(measure_t *m, fr_t *a, const fr_t *input, const ntt_domain_t *domain,
                               const kernels_t *k, cuzk_error *err)
{
    for (uint32_t i = 0; i < k->runs; i++) {
        memcpy(a, input, ntt_domain_size(domain) * sizeof *a);
        measure_start(m);
        const cuzk_status st = ntt_forward(domain, a, NTT_NATURAL_TO_NATURAL, k->strand, err);
        measure_stop(m);
        if (st != CUZK_OK) return st;
    }
    return CUZK_OK;
}

cuzk_status kernels_ntt(const kernels_t *k, cuzk_error *err)
{
    const size_t n = (size_t)1 << k->log_n;
    char result[2 * SHA256_BYTES + 1];
    uint8_t digest[SHA256_BYTES];
    ntt_domain_t *domain = NULL;
    void *input = NULL;
    void *a = NULL;
    measure_t m = {0};

    cuzk_status st = big_alloc(&input, n, sizeof(fr_t), "input", err);
    if (st == CUZK_OK) st = big_alloc(&a, n, sizeof(fr_t), "elements", err);
    if (st == CUZK_OK) st = ntt_domain_open(&domain, k->log_n, err);
    if (st == CUZK_OK) {
        peer_scalars(input, n, k->strand);
        fr_batch_from_scalar(input, input, n);
        measure_init(&m, true);
        st = measure_ntt(&m, a, input, domain, k, err);
        digest_elements(digest, a, n);
        bytes_to_hex(result, digest, sizeof digest);
        if (st == CUZK_OK) print_ntt(k, &m, result);
        measure_clear(&m);
        ntt_domain_close(domain);
    }
    big_free(input, n, sizeof(fr_t));
    big_free(a, n, sizeof(fr_t));
    return st;
}

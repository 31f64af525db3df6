/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/instance.h"

#include "base/bytes.h"

cuzk_status instance_take(groth16_instance_t *instance, device_t *device, const srs_t *srs,
                          const assignment_t *x, synthesis_sides_t *sides, cuzk_error *err)
{
    const size_t bytes = ((size_t)1 << x->lg_domain) * sizeof *sides->a;

    *instance = (groth16_instance_t){.srs = srs,
                                     .counts = x->counts,
                                     .lg_domain = x->lg_domain,
                                     .witness = &x->witness,
                                     .densities = x->densities};
    cuzk_status st = buffer_adopt(&instance->a, device, sides->a, bytes, err);
    if (st != CUZK_OK) return st;
    sides->a = NULL;
    st = buffer_adopt(&instance->b, device, sides->b, bytes, err);
    if (st != CUZK_OK)
        buffer_free(instance->a);
    else
        sides->b = NULL;
    return st;
}

void instance_proof_hash(char hex[2 * SHA256_BYTES + 1], const proof_t *proof)
{
    uint8_t bytes[GROTH16_PROOF_BYTES];
    uint8_t digest[SHA256_BYTES];

    groth16_write_proof(bytes, proof);
    sha256(digest, bytes, sizeof bytes);
    bytes_to_hex(hex, digest, sizeof digest);
}

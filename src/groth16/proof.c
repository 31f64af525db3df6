/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/random.h"
#include "groth16/groth16.h"

enum { B_AT = G1_COMPRESSED_BYTES, C_AT = G1_COMPRESSED_BYTES + G2_COMPRESSED_BYTES };

_Static_assert(C_AT + G1_COMPRESSED_BYTES == GROTH16_PROOF_BYTES, "a proof is its three points");

void groth16_write_proof(uint8_t bytes[GROTH16_PROOF_BYTES], const proof_t *proof)
{
    g1_write_compressed(bytes, &proof->a);
    g2_write_compressed(bytes + B_AT, &proof->b);
    g1_write_compressed(bytes + C_AT, &proof->c);
}

static bool read_g1(g1_affine_t *p, const uint8_t bytes[G1_COMPRESSED_BYTES])
{
    return g1_read_compressed(p, bytes) && !g1_affine_is_identity(p);
}

static bool read_g2(g2_affine_t *p, const uint8_t bytes[G2_COMPRESSED_BYTES])
{
    return g2_read_compressed(p, bytes) && !g2_affine_is_identity(p);
}

cuzk_status groth16_read_proof(proof_t *proof, const uint8_t bytes[GROTH16_PROOF_BYTES],
                               cuzk_error *err)
{
    const char *bad = NULL;

    if (!read_g1(&proof->a, bytes))
        bad = "A";
    else if (!read_g2(&proof->b, bytes + B_AT))
        bad = "B";
    else if (!read_g1(&proof->c, bytes + C_AT))
        bad = "C";
    if (bad == NULL) return CUZK_OK;
    return error_set(
        err, CUZK_INVALID_PROOF,
        "proof: %s is not the encoding of a point of the group other than the identity", bad);
}

cuzk_status groth16_random_blinding(groth16_blinding_t *blinding, cuzk_error *err)
{
    cuzk_status st = fr_random(&blinding->r, err);

    if (st == CUZK_OK) st = fr_random(&blinding->s, err);
    if (st != CUZK_OK) mem_wipe(blinding, sizeof *blinding);
    mem_wipe_stack();
    return st;
}

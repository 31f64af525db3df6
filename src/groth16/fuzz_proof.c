/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Any 192 bytes as a proof: refused, or written back to the same bytes. */

#include <stdlib.h>

#include "base/fuzz_support.h"
#include "groth16/groth16.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    uint8_t again[GROTH16_PROOF_BYTES];
    cuzk_error err;
    proof_t proof;

    if (n != GROTH16_PROOF_BYTES || groth16_read_proof(&proof, bytes, &err) != CUZK_OK) {
        fuzz_judge(FUZZ_REFUSED);
        return 0;
    }
    groth16_write_proof(again, &proof);
    if (memcmp(again, bytes, sizeof again) != 0) abort();
    fuzz_judge(FUZZ_READ);
    return 0;
}

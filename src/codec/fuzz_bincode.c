/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "codec/merkle_proof.h"

/* A script and the bytes it reads: each byte of the first half is one call. The place never passes
 * the end, and counts never promise more than is there. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_proof(bincode_t *b, unsigned kind)
{
    static const uint8_t lg_arity[] = {3, 3, 3, 1};
    const merkle_levels_t levels = {lg_arity, 2, kind > 0, kind > 1};
    merkle_proof_t proof;
    cuzk_error err;

    if (merkle_proof_read(&proof, b, &levels, &err) != CUZK_OK) return;
    if (proof.index >> (6 + 3 * (kind > 0) + (kind > 1)) != 0) abort();
    for (unsigned i = 0; i < 2 + kind; i++) {
        const size_t end = (((size_t)1 << lg_arity[i]) - 1) * MERKLE_PROOF_NODE_BYTES;

        if (proof.siblings[i] < b->bytes || proof.siblings[i] + end > b->bytes + b->at) abort();
    }
}

static void run(bincode_t *b, uint8_t call)
{
    const uint8_t *bytes;
    uint64_t number;
    uint32_t variant;
    size_t n;
    cuzk_error err;

    switch (call % 7) {
    case 0:
        (void)bincode_read_u64(b, &number, call, "number", &err);
        break;
    case 1:
        (void)bincode_read_variant(b, &variant, call, "variant", &err);
        break;
    case 2:
        (void)bincode_read_bytes(b, &bytes, call, "bytes", &err);
        break;
    case 3:
        if (bincode_read_count(b, &n, 0, SIZE_MAX, 1 + call / 7u, "count", &err) == CUZK_OK &&
            n * (1 + call / 7u) > bincode_left(b))
            abort();
        break;
    default:
        read_proof(b, call % 7 - 4u);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t half = size / 2 < 64 ? size / 2 : 64;
    bincode_t b = bincode_open(data + half, size - half);

    for (size_t i = 0; i < half; i++) {
        run(&b, data[i]);
        if (b.at > b.length) abort();
    }
    return 0;
}

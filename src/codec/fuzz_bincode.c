/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "base/fuzz_support.h"
#include "codec/merkle_proof.h"

/* A script and the bytes it reads: a length, that many bytes of which each is one call, then what
 * they read. The place never passes the end, and counts never promise more than is there. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static cuzk_status read_proof(bincode_t *b, unsigned kind)
{
    static const uint8_t lg_arity[] = {3, 3, 3, 1};
    const merkle_levels_t levels = {lg_arity, 2, kind > 0, kind > 1};
    merkle_proof_t proof;
    cuzk_error err;

    if (merkle_proof_read(&proof, b, &levels, &err) != CUZK_OK) return err.status;
    if (proof.index >> (6 + 3 * (kind > 0) + (kind > 1)) != 0) abort();
    for (unsigned i = 0; i < 2 + kind; i++) {
        const size_t end = (((size_t)1 << lg_arity[i]) - 1) * MERKLE_PROOF_NODE_BYTES;

        if (proof.siblings[i] < b->bytes || proof.siblings[i] + end > b->bytes + b->at) abort();
    }
    return CUZK_OK;
}

static cuzk_status run(bincode_t *b, uint8_t call)
{
    const uint8_t *bytes;
    uint64_t number;
    uint32_t variant;
    size_t n;
    cuzk_error err;
    cuzk_status st;

    switch (call % 7) {
    case 0:
        return bincode_read_u64(b, &number, call, "number", &err);
    case 1:
        return bincode_read_variant(b, &variant, call, "variant", &err);
    case 2:
        return bincode_read_bytes(b, &bytes, call, "bytes", &err);
    case 3:
        st = bincode_read_count(b, &n, call % 2, call % 3 == 0 ? call % 2 : SIZE_MAX, 1 + call / 7u,
                                "count", &err);
        if (st == CUZK_OK && n * (1 + call / 7u) > bincode_left(b)) abort();
        return st;
    default:
        return read_proof(b, call % 7 - 4u);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const size_t n_calls = data[0] < size ? data[0] : size - 1;
    bincode_t b = bincode_open(data + 1 + n_calls, size - 1 - n_calls);
    cuzk_error err;
    bool all = true;

    for (size_t i = 0; i < n_calls; i++) {
        if (run(&b, data[1 + i]) != CUZK_OK) all = false;
        if (b.at > b.length) abort();
    }
    all = bincode_end(&b, "script", &err) == CUZK_OK && all;
    fuzz_judge(all ? FUZZ_READ : FUZZ_REFUSED);
    return 0;
}

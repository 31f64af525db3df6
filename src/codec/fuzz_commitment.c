/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "base/fuzz_support.h"
#include "codec/commitment.h"
#include "codec/prover_id.h"

/* Texts of commitments and miners. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool try_kind(const char *text, commitment_kind kind)
{
    uint8_t bytes[COMMITMENT_BYTES];
    cuzk_error err;

    if (commitment_parse(bytes, kind, text, "fuzz", &err) != CUZK_OK) return false;
    (void)commitment_check_range(bytes, "fuzz", &err);
    (void)commitment_check(bytes, "fuzz", &err);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    uint8_t id[PROVER_ID_BYTES];
    uint64_t miner;
    cuzk_error err;

    if (text == NULL) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    bool is_read = try_kind(text, COMMITMENT_SEALED);
    is_read = try_kind(text, COMMITMENT_UNSEALED) || is_read;
    if (prover_id_parse_miner(&miner, text, "fuzz", &err) == CUZK_OK) {
        prover_id_from_miner(id, miner);
        is_read = true;
    }
    free(text);
    fuzz_judge(is_read ? FUZZ_READ : FUZZ_REFUSED);
    return 0;
}

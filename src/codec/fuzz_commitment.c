/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "codec/commitment.h"
#include "codec/prover_id.h"

/* Texts of commitments and miners. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_kind(const char *text, commitment_kind kind)
{
    uint8_t bytes[COMMITMENT_BYTES];
    cuzk_error err;

    if (commitment_parse(bytes, kind, text, "fuzz", &err) != CUZK_OK) return;
    (void)commitment_check_range(bytes, "fuzz", &err);
    (void)commitment_check_nonzero(bytes, "fuzz", &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    uint64_t miner;
    cuzk_error err;

    if (text == NULL) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    try_kind(text, COMMITMENT_SEALED);
    try_kind(text, COMMITMENT_UNSEALED);
    (void)prover_id_parse_miner(&miner, text, "fuzz", &err);
    free(text);
    return 0;
}

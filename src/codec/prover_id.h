/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CODEC_PROVER_ID_H
#define CUZK_CODEC_PROVER_ID_H

/* Storage providers: their number, and the prover id that proofs bind to. */

#include <stdint.h>

#include "base/error.h"

enum { PROVER_ID_BYTES = 32 };

/** The number as unsigned LEB128, then zeros: 1000 gives e8 07 00 .. 00. */
void prover_id_from_miner(uint8_t id[PROVER_ID_BYTES], uint64_t miner);

/** The number of such an id. */
uint64_t prover_id_to_miner(const uint8_t id[PROVER_ID_BYTES]);

/** *miner from "1000", "f01000" or "t01000". CUZK_ERR_ARG, naming `field`, for other addresses
 *  (f1..., f2..., f3...: those are keys, not numbers), other text, and numbers of 2^64 or more. */
cuzk_status prover_id_parse_miner(uint64_t *miner, const char *text, const char *field,
                                  cuzk_error *err);

#endif

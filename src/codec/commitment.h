/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CODEC_COMMITMENT_H
#define CUZK_CODEC_COMMITMENT_H

/* Commitments (comm_r, comm_d) as text: hex, or the CIDs that Lotus and Curio print. */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum { COMMITMENT_BYTES = 32 };

/** Which multicodec and multihash the CID of a commitment has. */
typedef enum {
    COMMITMENT_SEALED,  /* comm_r: fil-commitment-sealed, poseidon-bls12_381-a2-fc1 */
    COMMITMENT_UNSEALED /* comm_d: fil-commitment-unsealed, sha2-256-trunc254-padded */
} commitment_kind;

/** From 64 hex digits (either case, with or without "0x") or a CIDv1 of the kind in lower-case
 *  base32 ("bagboea4b5abc..." sealed, "baga6ea4sea..." unsealed). CUZK_ERR_ARG, naming `field`,
 *  otherwise; a CID of the other kind is refused as such. The value is not looked at. */
cuzk_status commitment_parse(uint8_t bytes[COMMITMENT_BYTES], commitment_kind kind,
                             const char *text, const char *field, cuzk_error *err);

/** CUZK_ERR_ARG, naming `field`, when the 32 bytes as a little-endian integer are not below the
 *  order r of the scalar field. */
cuzk_status commitment_check_range(const uint8_t bytes[COMMITMENT_BYTES], const char *field,
                                   cuzk_error *err);

/** CUZK_ERR_ARG, naming `field`, when all bytes are zero. */
cuzk_status commitment_check_nonzero(const uint8_t bytes[COMMITMENT_BYTES], const char *field,
                                     cuzk_error *err);

/** Both: what the bytes of a commitment have to be. */
cuzk_status commitment_check(const uint8_t bytes[COMMITMENT_BYTES], const char *field,
                             cuzk_error *err);

#endif

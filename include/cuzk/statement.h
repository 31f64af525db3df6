/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STATEMENT_H
#define CUZK_STATEMENT_H

/* What proofs state, and bytes that are handed over: plain structures, one of each. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CUZK_PROOF_BYTES = 192, CUZK_COMMITMENT_BYTES = 32 };

/** Bytes of the caller's; borrowed for the call. */
typedef struct cuzk_bytes {
    const uint8_t *bytes;
    size_t length;
} cuzk_bytes;

/** A sector with its replica's commitment. */
typedef struct cuzk_sector {
    uint64_t number;
    uint8_t comm_r[CUZK_COMMITMENT_BYTES];
} cuzk_sector;

/** What a PoSt states. */
typedef struct cuzk_post_statement {
    uint32_t registered_proof;
    uint64_t miner_id;
    uint8_t randomness[32];     /* little-endian, its two top bits clear (byte 31 & 0xc0) */
    const cuzk_sector *sectors; /* in any order; one that stands there again counts once */
    size_t n_sectors;
} cuzk_post_statement;

/** What a PoRep (seal) states. */
typedef struct cuzk_porep_statement {
    uint32_t registered_proof; /* 0..19, as on chain */
    uint64_t miner_id;
    uint64_t sector_number;
    uint8_t comm_r[CUZK_COMMITMENT_BYTES];
    uint8_t comm_d[CUZK_COMMITMENT_BYTES];
    uint8_t ticket[32];
    uint8_t seed[32]; /* not used by the non-interactive kind */
} cuzk_porep_statement;

/** What a sector update states. */
typedef struct cuzk_update_statement {
    uint32_t registered_proof; /* 0..4, as on chain */
    uint8_t comm_r_old[CUZK_COMMITMENT_BYTES];
    uint8_t comm_r_new[CUZK_COMMITMENT_BYTES];
    uint8_t comm_d_new[CUZK_COMMITMENT_BYTES];
} cuzk_update_statement;

#ifdef __cplusplus
}
#endif
#endif

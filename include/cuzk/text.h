/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_TEXT_H
#define CUZK_TEXT_H

/* Values as people and other programs write them. Nothing here needs an engine; all may be called
 * by several threads at once. `field` is what an error calls the value, such as "--miner-id". What
 * is not in its form gives CUZK_ERR_ARG, unless another status is named, and leaves the output
 * undefined. */

#include "cuzk/cuzk.h"

#ifdef __cplusplus
extern "C" {
#endif

/** "porep", "update", "winning" or "window". */
CUZK_API cuzk_status cuzk_kind_from_text(const char *text, const char *field, cuzk_kind *kind,
                                         cuzk_error *error);

/** The text of a kind; "unknown kind" for any other number. */
CUZK_API const char *cuzk_kind_name(cuzk_kind kind);

/** A registered proof. */
typedef struct cuzk_proof_info {
    size_t struct_size;
    cuzk_kind kind;
    uint32_t registered_proof; /* as on chain */
    char name[64];             /* as the reference spells it, "StackedDrg32GiBV1_1" */
    char sector_size[16];      /* "32GiB" */
    uint64_t sector_bytes;
    char circuit[32];       /* its circuit, "porep-32g" */
    char parameter_id[192]; /* its files are v28-ID.params and v28-ID.vk */
    bool has_seed;          /* porep: whether its statement has a seed (all but non-interactive) */
    char chain_name[64];    /* as go-state-types spells it: "StackedDrgWindow32GiBV1_1" for the
                               reference's "StackedDrgWindow32GiBV1_2" */
    uint32_t partition_sectors; /* window: sectors of a full partition; other kinds: 0 */
} cuzk_proof_info;

/** The registered proof of a kind by number; CUZK_ERR_ARG gives the numbers there are. */
CUZK_API cuzk_status cuzk_proof_by_number(cuzk_kind kind, uint32_t registered_proof,
                                          cuzk_proof_info *info, cuzk_error *error);

/** The registered proof of a kind by number ("8") or name ("StackedDrg32GiBV1_1"), in the
 * reference's spelling or the chain's ("RegisteredSealProof_StackedDrg32GiBV1_1" is taken too).
 * CUZK_ERR_ARG gives the numbers and names there are. */
CUZK_API cuzk_status cuzk_proof_from_text(cuzk_kind kind, const char *text, const char *field,
                                          cuzk_proof_info *info, cuzk_error *error);

/** The registered proof of a kind with the newest rules for a sector size: "2KiB", "8MiB",
 * "512MiB", "32GiB" or "64GiB". */
CUZK_API cuzk_status cuzk_proof_newest(cuzk_kind kind, const char *sector_size, const char *field,
                                       cuzk_proof_info *info, cuzk_error *error);

/** The numbers of a kind's registered proofs for messages, "0..19"; "none" for any other kind. */
CUZK_API const char *cuzk_proof_range(cuzk_kind kind);

typedef enum cuzk_commitment {
    CUZK_COMM_R = 0, /* sealed: of a replica */
    CUZK_COMM_D = 1  /* unsealed: of the data */
} cuzk_commitment;

/** From 64 hex digits, "0x" allowed before them, or the CID of such a commitment; not zero, and
 *  below the order of the field. */
CUZK_API cuzk_status cuzk_commitment_from_text(cuzk_commitment commitment, const char *text,
                                               const char *field,
                                               uint8_t bytes[CUZK_COMMITMENT_BYTES],
                                               cuzk_error *error);

/** From "1000", "f01000" or "t01000". */
CUZK_API cuzk_status cuzk_miner_from_text(const char *text, const char *field, uint64_t *miner_id,
                                          cuzk_error *error);

/** Whether bytes can be the randomness of a PoSt: when one of the two top bits (byte 31 & 0xc0) is
 *  set, the text has the value with both cleared, which is the one the chain uses. Requests and
 *  statements are held to the same. */
CUZK_API cuzk_status cuzk_randomness_check(const uint8_t bytes[32], const char *field,
                                           cuzk_error *error);

/** Bytes of the longest JSON text that can hold an input of a kind, at any sector size; a longer
 * one needn't be read. 0 for any other kind. */
CUZK_API uint64_t cuzk_input_max_bytes(cuzk_kind kind);

/** The vanilla proofs of a JSON list of base64 strings, as Curio sends it, for cuzk_request.inputs:
 *  25000 at most, of no longer text than cuzk_input_max_bytes() has. They are copies with
 *  CUZK_INPUT_SPARE bytes after each; release them with cuzk_vanilla_free(). CUZK_ERR_FORMAT names
 *  the item; CUZK_ERR_MEMORY. */
CUZK_API cuzk_status cuzk_vanilla_from_json(const uint8_t *json, size_t length, const char *field,
                                            cuzk_bytes **inputs, size_t *n_inputs,
                                            cuzk_error *error);

/** NULL is allowed. */
CUZK_API void cuzk_vanilla_free(cuzk_bytes *inputs);

#ifdef __cplusplus
}
#endif
#endif

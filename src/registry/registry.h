/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_REGISTRY_REGISTRY_H
#define CUZK_REGISTRY_REGISTRY_H

/* The circuits, one row each: kind, sector size, how it is built, what its parameters are called,
 * which constraints it must have; and the registered proofs that name them. */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "hash/sha256.h"
#include "r1cs/cs.h"

typedef enum { KIND_POREP, KIND_UPDATE, KIND_WINNING, KIND_WINDOW, CIRCUIT_KINDS } circuit_kind;

enum { SECTOR_SIZES = 5, PARAMETER_ID_BYTES = 192, REGISTERED_NAME_BYTES = 64 };

typedef struct {
    circuit_kind kind;
    uint64_t sector_bytes;
    const char *size_name;   /* "32GiB" */
    const char *label;       /* "porep-32g": for logs, metrics and files */
    const char *r1cs_sha256; /* of the reference's constraints (docs/formats.md), in hex */
} circuit_row_t;

/** "porep", "update", "winning", "window". */
const char *circuit_kind_name(circuit_kind kind);

/** False when text names no kind. */
bool circuit_kind_parse(circuit_kind *kind, const char *text);

/** The row of a kind and a sector size as text ("2KiB" .. "64GiB") or in bytes; NULL when there is
 *  none. */
const circuit_row_t *circuit_row_by_name(circuit_kind kind, const char *size_name);
const circuit_row_t *circuit_row_by_bytes(circuit_kind kind, uint64_t sector_bytes);

/** The row of a kind's sector size number 0 <= i < SECTOR_SIZES, sizes rising. */
const circuit_row_t *circuit_row_by_place(circuit_kind kind, int i);

/** The row of a label; CUZK_ERR_ARG when there is none. */
cuzk_status circuit_row_find(const circuit_row_t **row, const char *label, cuzk_error *err);

/** What the reference calls the circuit's parameters, less "v28-" and the suffix: a prefix and the
 *  SHA-256 of a text with the circuit's measures. */
void circuit_parameter_id(char id[PARAMETER_ID_BYTES], const circuit_row_t *row);

/** A new string, FOLDER/v28-ID.SUFFIX, released with free(); NULL without memory. suffix is
 * "params" or "vk". */
char *circuit_params_path(const char *folder, const circuit_row_t *row, const char *suffix,
                          cuzk_error *err);

/** The row's r1cs_sha256 in bytes. */
void circuit_r1cs_digest(uint8_t digest[SHA256_BYTES], const circuit_row_t *row);

/** A proof as the chain numbers it. */
typedef struct {
    const circuit_row_t *row;
    uint32_t number;
    char name[REGISTERED_NAME_BYTES]; /* as the reference's interface spells it */
    char
        chain_name[REGISTERED_NAME_BYTES]; /* as go-state-types does, less "RegisteredPoStProof_" */
} registered_proof_t;

/** The registered proof of a kind by decimal number or by a name: the reference's, or the chain's
 *  (go-state-types), with the name of its type and "_" before it or without. Exact, case counts.
 *  False when there is none. */
bool registered_proof_parse(registered_proof_t *proof, circuit_kind kind, const char *text);

/** The registered proof of a kind by number; false when there is none. */
bool registered_proof_by_number(registered_proof_t *proof, circuit_kind kind, uint64_t number);

/** The newest rules for a circuit: V1_1 for window and porep. */
void registered_proof_newest(registered_proof_t *proof, const circuit_row_t *row);

/** What names a kind's registered proofs in messages: "0..4" and so on. */
const char *registered_proof_range(circuit_kind kind);

enum { REGISTERED_NAMES_BYTES = 1024 };

/** All names of a kind for messages: the reference's with ", " between, then the chain's others. */
void registered_proof_names(char names[REGISTERED_NAMES_BYTES], circuit_kind kind);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DESCRIBE_H
#define CUZK_DESCRIBE_H

/* Circuits, witnesses and requests looked at without proving; no parameters are needed. The calls
 * compute on the engine's threads, beside its jobs, and reserve nothing in its memory budget. */

#include "cuzk/cuzk.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CUZK_DEFAULT_BLOCK = 4096 };

/** A circuit's counts, and the digest of its constraints (docs/formats.md). */
typedef struct cuzk_circuit_info {
    size_t struct_size;
    uint64_t n_constraints;
    uint32_t lg_domain;       /* log2 of the transforms' size */
    uint32_t n_inputs, n_aux; /* variables: public inputs, ONE among them, and auxiliary ones */
    uint64_t nonzero_a, nonzero_b, nonzero_c; /* terms of the three matrices */
    uint64_t a_aux, b_input, b_aux;           /* variables that have a term in A, in B */
    uint8_t r1cs_sha256[32];
} cuzk_circuit_info;

/** Of a circuit ("porep-32g"): about a minute at 32GiB and 64GiB, half a second else. info or json
 *  may be NULL. *json is an object with the members of info and digests of each `block` constraints
 *  (0: CUZK_DEFAULT_BLOCK); release it with cuzk_bytes_free(). CUZK_ERR_ARG: no such circuit;
 *  CUZK_ERR_MEMORY. */
CUZK_API cuzk_status cuzk_describe_circuit(cuzk_engine *engine, const char *circuit, uint32_t block,
                                           cuzk_circuit_info *info, char **json, cuzk_error *error);

/** The witness of a partition, and whether it satisfies its circuit. */
typedef struct cuzk_witness_info {
    size_t struct_size;
    uint32_t partition;
    uint32_t n_inputs, n_aux;
    uint64_t aux_in_0_1; /* auxiliary values that are 0 or 1 */
    uint64_t n_constraints;
    uint64_t n_violated;     /* constraints that do not hold */
    uint64_t first_violated; /* the lowest of them, when there is one */
    uint8_t r1cs_sha256[32];
    uint8_t aux_sha256[32]; /* of the auxiliary values, 32 little-endian bytes each */
} cuzk_witness_info;

/** Called on the calling thread, partition by partition. */
typedef void (*cuzk_witness_fn)(void *arg, const cuzk_witness_info *info);

/** Makes the witnesses of a request's partitions, of all or the one it names. Only the input's form
 * is checked: what is wrong in it shows as violated constraints. each or json may be NULL. *json is
 * a list, one object a partition: counts, digests of each `block` constraints and values (0:
 *  CUZK_DEFAULT_BLOCK), and the public inputs; release it with cuzk_bytes_free(). Errors as
 *  cuzk_wait(). */
CUZK_API cuzk_status cuzk_describe_witness(cuzk_engine *engine, const cuzk_request *request,
                                           uint32_t block, cuzk_witness_fn each, void *arg,
                                           char **json, cuzk_error *error);

/** What a request is about. */
typedef struct cuzk_request_info {
    size_t struct_size;
    char circuit[32];     /* "porep-32g" */
    char sector_size[16]; /* "32GiB" */
    uint32_t n_partitions;
    uint32_t n_public_inputs;  /* of each partition, ONE not among them */
    uint32_t registered_proof; /* also where the request left it to the input */
} cuzk_request_info;

/** Reads the input's form, and nothing else. Errors as cuzk_wait(). */
CUZK_API cuzk_status cuzk_describe_request(cuzk_engine *engine, const cuzk_request *request,
                                           cuzk_request_info *info, cuzk_error *error);

#ifdef __cplusplus
}
#endif
#endif

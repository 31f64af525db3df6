/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_REGISTRY_KIND_H
#define CUZK_REGISTRY_KIND_H

/* The proof kinds, one row each: how an input is read and checked, which circuit it gives, and what
 * a verifier derives from a statement. All that differs between kinds is behind this table. */

#include "base/executor.h"
#include "cuzk/cuzk.h"
#include "post/statement.h"
#include "registry/registry.h"

/** What an input turned out to be. */
typedef struct {
    const circuit_row_t *row;
    uint32_t n_partitions;
    uint32_t n_public_inputs;  /* of each partition, ONE not among them */
    uint32_t registered_proof; /* porep: the input's; of other kinds the request alone has it */
} input_facts_t;

/** The public inputs of all partitions of a statement. */
typedef struct {
    const circuit_row_t *row;
    uint32_t n_partitions;
    uint32_t n_public_inputs;
    fr_t *inputs; /* [partition][input]; released with free() */
} stated_inputs_t;

/** Puts the name of the request's inputs, where it has one, before an error of check(), or one of
 *  open() about their bytes (CUZK_ERR_FORMAT); returns err->status. */
cuzk_status input_error(const cuzk_request *request, cuzk_error *err);

/** The longest inputs of a kind, of any registered proof. */
typedef struct {
    uint64_t bytes; /* of all of a request's inputs together */
    uint64_t text;  /* of the JSON that they come in, white space of 1 MiB included */
} input_limits_t;

/** The most inputs of a request of any kind: the sectors of a WindowPoSt. */
enum { INPUTS_MAX = POST_MAX_PROVED };

typedef struct {
    circuit_kind kind;
    cuzk_kind number;
    cuzk_priority priority; /* unless the request says another */
    circuit_fn circuit;
    size_t values_bytes; /* of the circuit's values */

    /** The limits for one sector size. */
    input_limits_t (*limits)(uint64_t sector_bytes);

    /** Whether the fields have values the kind can prove, beside its registered proof; NULL: any
     * do. CUZK_ERR_ARG. */
    cuzk_status (*check_fields)(const cuzk_request *request, cuzk_error *err);

    /** Reads the request's input: form, lengths, ranges, and that fields and input agree. *input is
     *  released with close(), on success only; it needs nothing of the request. */
    cuzk_status (*open)(void **input, const cuzk_request *request, strand_t *strand,
                        cuzk_error *err);

    /** Whether the content is right: challenges, commitments, paths. */
    cuzk_status (*check)(const void *input, const cuzk_request *request, strand_t *strand,
                         cuzk_error *err);
    void (*close)(void *input);

    /** Once open() or check() has refused the request: *bad = all its bad sectors with their
     * reasons, by position, to be released with free(); NULL and 0 when the fault is another. NULL:
     * the kind has no sectors to tell apart. CUZK_ERR_MEMORY, or why the strand's work is to stop.
     */
    cuzk_status (*find_bad)(cuzk_bad_sector **bad, size_t *n_bad, const cuzk_request *request,
                            strand_t *strand, cuzk_error *err);

    input_facts_t (*facts)(const void *input);

    /** inputs[0 .. n_public_inputs-1] of a partition, as the verifier derives them. */
    void (*public_inputs)(fr_t *inputs, const void *input, uint32_t partition);

    /** values[0 .. values_bytes-1] = what the circuit takes for a partition; points into the input.
     */
    void (*values)(void *values, const void *input, uint32_t partition);

    /** The same for runs without values (plans, digests, setup). */
    void (*shape)(void *values, uint64_t sector_bytes);

    /** The public inputs that a statement has, CUZK_ERR_ARG naming what is wrong with it. */
    cuzk_status (*state)(stated_inputs_t *stated, const cuzk_statement *statement, size_t length,
                         cuzk_error *err);
} proof_kind_t;

/** The row of a kind. */
const proof_kind_t *proof_kind(circuit_kind kind);

/** The row of a kind by the interface's number; CUZK_ERR_ARG when there is none. */
cuzk_status proof_kind_find(const proof_kind_t **kind, cuzk_kind number, cuzk_error *err);

/** The limits for all sector sizes of a kind. */
input_limits_t proof_kind_limits(const proof_kind_t *kind);

/** The circuit of a row for runs without values; *values goes to it and is released with free().
 *  CUZK_ERR_MEMORY. */
cuzk_status proof_kind_shape(circuit_fn *circuit, void **values, const circuit_row_t *row,
                             cuzk_error *err);

/** The circuit a request is about, before its input is read; NULL when only the input tells.
 *  CUZK_ERR_ARG when its registered proof is none of the kind's. */
cuzk_status proof_kind_row(const circuit_row_t **row, const proof_kind_t *kind,
                           uint32_t registered_proof, cuzk_error *err);

#endif

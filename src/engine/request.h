/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_ENGINE_REQUEST_H
#define CUZK_ENGINE_REQUEST_H

/* Requests: their fields checked, copied, and as bytes (docs/formats.md). */

#include "registry/kind.h"

/** The members that the caller's struct_size covers, the rest zeroed. to and from begin with a
 *  struct_size; to's becomes to_size. */
void struct_take(void *to, size_t to_size, const void *from);

/** Writes to *to, which has to_size by its struct_size, as much of *from as that covers. */
void struct_give(void *to, const void *from, size_t from_size);

/** A request of an engine's own. */
typedef struct {
    cuzk_request request; /* the array of its inputs lies in memory, and where it has no release()
                             they do too */
    void *memory;
    uint64_t bytes; /* of memory and inputs */
    bool is_owner;  /* of inputs that are not copied: request_clear() releases them */
} request_copy_t;

/** Checks what can be seen without reading the input: kind, registered proof, priority, numbers and
 *  lengths of inputs. CUZK_ERR_ARG. *row is NULL when only the input tells the circuit. */
cuzk_status request_check(const proof_kind_t **kind, const circuit_row_t **row,
                          const cuzk_request *request, cuzk_error *err);

/** As asked for, else the kind's usual one. */
int32_t request_priority(const cuzk_request *request, const proof_kind_t *kind);

/** Copies a request; its inputs only where it has no release(). Each input of the copy has
 *  JSON_PADDING readable bytes after it, the first zero, as codec/json.h asks for. Release with
 *  request_clear(). CUZK_ERR_MEMORY. */
cuzk_status request_copy(request_copy_t *copy, const cuzk_request *request, cuzk_error *err);
void request_clear(request_copy_t *copy);

/** Takes the inputs of the bad sectors, whose positions rise, out of a copy. */
void request_leave_out(request_copy_t *copy, const cuzk_bad_sector *bad, size_t n_bad);

/** As bytes: a head, the inputs' lengths, the inputs, and SHA-256 of all that (docs/formats.md).
 *  Released with free(). The request has been checked. */
cuzk_status request_to_bytes(uint8_t **bytes, size_t *length, const cuzk_request *request,
                             cuzk_error *err);

/** The request of such bytes; its inputs point into them, the array of them is released with
 * free(). CUZK_ERR_FORMAT, CUZK_ERR_MEMORY. */
cuzk_status request_from_bytes(cuzk_request *request, const uint8_t *bytes, size_t length,
                               cuzk_error *err);

#endif

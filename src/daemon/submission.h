/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DAEMON_SUBMISSION_H
#define CUZK_DAEMON_SUBMISSION_H

/* Messages of the gRPC service as requests of the engine, and results as messages. */

#include "cuzk/v1/proving.pb-c.h"
#include "daemon/queue.h"

/** The request of a message, whose bytes it borrows; *list, which may be NULL, is released with
 *  free() when the request is used no more. Every field is looked at that the kind uses.
 *  CUZK_ERR_ARG names the field of the message, the value and the limit; CUZK_ERR_MEMORY. */
cuzk_status submission_request(cuzk_request *request, cuzk_bytes **list,
                               const Cuzk__V1__SubmitProofRequest *message, cuzk_error *err);

/** The field that a kind's inputs come in, for errors. */
const char *submission_input_name(cuzk_kind kind);

/** Fills in a reply that borrows from the result. */
void submission_result(Cuzk__V1__AwaitProofResponse *message, const queue_result_t *result);

#endif

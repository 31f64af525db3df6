/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_REMOTE_H
#define CUZK_CLI_REMOTE_H

/* Proving by a daemon: requests as messages, calls, answers. All may be used by several threads at
 * once. */

#include "cli/remote_options.h"
#include "cuzk/cuzk.h"
#include "cuzk/v1/proving.pb-c.h"
#include "rpc/client.h"

/* ---- calls ----------------------------------------------------------------------------------- */

enum { REMOTE_ID_BYTES = 64 };

/** How long a call may take that waits for no proof. */
#define REMOTE_SHORT_MS ((uint64_t)10000)

/** Errors as rpc_client_open(), named by the option of the address. */
cuzk_status remote_open(rpc_client_t **client, const remote_options_t *options, const char *name,
                        cuzk_error *err);

/** Who is called, and what ends a call before it is done. */
typedef struct {
    rpc_client_t *client;
    uint64_t timeout_ms;    /* 0: none */
    const cancel_t *cancel; /* may be NULL */
    bool is_told;           /* each call's outcome gets a line on standard error */
    grpc_status_code code;  /* of the last call: what the daemon or the way to it said */
    double call_s;          /* and the seconds it took */
} remote_t;

/** A message that borrows from a request. */
typedef struct {
    Cuzk__V1__SubmitProofRequest message;
    ProtobufCBinaryData *list; /* owned */
} remote_message_t;

/** The message that asks for all partitions of a request, whose registered proof is a number; both
 *  texts are borrowed. Release with remote_message_clear(), which may also follow an error.
 *  CUZK_ERR_MEMORY. */
cuzk_status remote_message_init(remote_message_t *m, const cuzk_request *request,
                                const char *request_id, cuzk_error *err);
void remote_message_clear(remote_message_t *m);

/** A job's end, or where it stands. */
typedef struct {
    char job_id[REMOTE_ID_BYTES];
    Cuzk__V1__AwaitProofResponse__Status status;
    uint8_t *proof; /* released with remote_answer_clear() */
    size_t length;
    char error[CUZK_ERROR_TEXT_BYTES];
    uint64_t queue_wait_ms, srs_load_ms, synthesis_ms, proving_ms, total_ms;
} remote_answer_t;

/** Harmless on a zeroed one. */
void remote_answer_clear(remote_answer_t *answer);

/** Waits for a proof. CUZK_OK: the daemon has answered, and answer->status says what. Else as
 *  rpc_client_call(); *answer is zeroed. */
cuzk_status remote_prove(remote_answer_t *answer, remote_t *remote, const remote_message_t *m,
                         cuzk_error *err);

/** Hands a job over; job_id gets its id. */
cuzk_status remote_submit(char job_id[REMOTE_ID_BYTES], remote_t *remote, const remote_message_t *m,
                          cuzk_error *err);

/** Waits up to wait_ms (0: without limit); past that status is TIMEOUT, and the job goes on. */
cuzk_status remote_await(remote_answer_t *answer, remote_t *remote, const char *job_id,
                         uint64_t wait_ms, cuzk_error *err);

/** *was_running: it had not ended; may be NULL. */
cuzk_status remote_cancel(bool *was_running, remote_t *remote, const char *job_id, cuzk_error *err);

/** What the daemon has become of a job that ended: CUZK_OK, and answer->proof is the proof;
 *  CUZK_CANCELLED, CUZK_ERR_DEADLINE, CUZK_ERR_INTERNAL with its text. */
cuzk_status remote_outcome(const remote_answer_t *answer, cuzk_error *err);

/** For a caller of remote_prove() that was interrupted: the job is ended whatever the daemon does
 *  when its callers leave. Waits for that a short time; nothing is reported. */
void remote_abandon(rpc_client_t *client, const remote_message_t *m);

/** *response is released with protobuf_c_message_free_unpacked(). */
cuzk_status remote_status(Cuzk__V1__GetStatusResponse **response, remote_t *remote,
                          cuzk_error *err);

/** *text is released with free(). */
cuzk_status remote_metrics(char **text, remote_t *remote, cuzk_error *err);

typedef struct {
    bool already_loaded;
    uint64_t load_ms;
} remote_preload_t;

cuzk_status remote_preload(remote_preload_t *preload, remote_t *remote, const char *circuit,
                           cuzk_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_PROVE_REMOTE_H
#define CUZK_CLI_PROVE_REMOTE_H

/* What prove does with --daemon: the proof is made there, looked at here. */

#include "cli/remote_options.h"
#include "cuzk/cuzk.h"

typedef struct {
    const remote_options_t *daemon;
    const char *params; /* as --params: whose key the proof is verified by */
    const char *out;
    bool hex, json, quiet;
} prove_remote_t;

/** Asks the daemon for the proofs of all partitions, of a window by a job for each, and writes
 *  them. engine looks at the request
 *  before, and verifies the proofs after, when there is a key to do so. A signal cancels the job.
 *  Errors as rpc_client_call() and remote_outcome(); CUZK_INVALID_PROOF. */
cuzk_status prove_remote(const prove_remote_t *o, const cuzk_request *request, cuzk_engine *engine,
                         cuzk_error *err);

#endif

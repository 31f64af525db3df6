/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_TEST_SERVER_H
#define CUZK_RPC_TEST_SERVER_H

/* A server for tests, with four methods: SubmitProof answers with the request's id and the length
 * of its vanilla proof; CancelProof fails with the code that the job's id is; AwaitProof is held
 * until the test ends it; EvictSRS takes 300 ms and answers. */

#include <pthread.h>

#include "rpc/client.h"
#include "rpc/server.h"

enum { TEST_HELD = 64 };

typedef struct {
    rpc_server_t *rpc;
    char folder[32], socket[64], address[80];
    pthread_mutex_t lock;
    pthread_cond_t changed;
    rpc_call_t *held[TEST_HELD]; /* of AwaitProof, in the order they came */
    uint64_t held_ids[TEST_HELD], left_ids[TEST_HELD];
    size_t n_held, n_left, n_served;
    uint8_t *descriptor;
    size_t descriptor_length;
} test_server_t;

/** Options as a daemon would have them; the address is a Unix socket in a new folder. */
rpc_server_options_t test_server_options(test_server_t *server);

void test_server_open(test_server_t *server, const rpc_server_options_t *options);

/** Closes it, and fails when something is left in its folder. */
void test_server_close(test_server_t *server, uint64_t grace_ms);

rpc_client_t *test_client(const char *address);

/** SubmitProof with a vanilla proof of n bytes; the code of the answer, which is checked. */
grpc_status_code test_submit(rpc_client_t *client, const char *id, size_t n, cuzk_error *err);

/** Begins AwaitProof on a thread of its own; it ends with the call. */
typedef struct {
    rpc_client_t *client;
    uint64_t timeout_ms;
    const cancel_t *cancel;
    pthread_t thread;
    grpc_status_code code;
    cuzk_error err;
    char job_id[64];
} test_waiter_t;

void test_await(test_waiter_t *waiter);
grpc_status_code test_await_end(test_waiter_t *waiter);

/** Wait, 10 s at most, until so many calls are held, or so many have left. */
void test_wait_held(test_server_t *server, size_t n);
void test_wait_left(test_server_t *server, size_t n);

/** How often SubmitProof has been called, and left(). */
size_t test_served(test_server_t *server);
size_t test_left(test_server_t *server);

/** Ends the i-th held call with COMPLETED. */
void test_complete(test_server_t *server, size_t i);

void test_sleep_ms(unsigned ms);

#endif

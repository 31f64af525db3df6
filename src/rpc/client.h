/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_CLIENT_H
#define CUZK_RPC_CLIENT_H

/* A gRPC client of cuzk.v1.ProvingEngine. Several threads may call at once. */

#include <grpc/status.h>
#include <protobuf-c/protobuf-c.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"

typedef struct rpc_client rpc_client_t;

typedef struct {
    const char *address;    /* "unix:///path", "host:port", "http://host:port", with TLS
                               "https://host:port" */
    const char *token_file; /* its first line is sent as a bearer token; may be NULL */
    const char *tls_ca;     /* PEM file of those who sign servers; NULL: the system's */
    const char *tls_certificate, *tls_key; /* PEM files of the client's own, both or neither */
} rpc_client_options_t;

/** Connects when the first call is made. CUZK_ERR_ARG: the address; CUZK_ERR_MISSING,
 *  CUZK_ERR_FORMAT: a file. */
cuzk_status rpc_client_open(rpc_client_t **client, const rpc_client_options_t *options,
                            cuzk_error *err);

/** NULL is allowed. No call is under way. */
void rpc_client_close(rpc_client_t *client);

typedef struct {
    const char *method; /* "Prove" */
    const ProtobufCMessage *request;
    const ProtobufCMessageDescriptor *reply; /* the reply's type */
    uint64_t timeout_ms;                     /* 0: none; sent to the server as its deadline */
    const cancel_t *cancel;                  /* looked at every 50 ms; may be NULL */
} rpc_request_t;

/** *reply is released with protobuf_c_message_free_unpacked(). Without CUZK_OK, *code is what the
 *  server or the transport said, and the error has its text, the address and the method:
 *  CUZK_ERR_ARG for INVALID_ARGUMENT, NOT_FOUND ...; CUZK_ERR_BUSY for RESOURCE_EXHAUSTED;
 *  CUZK_ERR_MISSING for UNAVAILABLE; CUZK_ERR_DEADLINE; CUZK_CANCELLED; else CUZK_ERR_IO.
 *  CUZK_ERR_FORMAT: the reply does not decode. */
cuzk_status rpc_client_call(ProtobufCMessage **reply, grpc_status_code *code, rpc_client_t *client,
                            const rpc_request_t *request, cuzk_error *err);

#endif

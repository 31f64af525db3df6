/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_REFLECTION_H
#define CUZK_RPC_REFLECTION_H

/* Server reflection, versions v1 and v1alpha, whose messages are the same. */

#include <protobuf-c/protobuf-c.h>

#include "rpc/call.h"

typedef struct reflection reflection_t;

/** Reads a FileDescriptorSet, which is borrowed. CUZK_ERR_FORMAT: it does not decode;
 *  CUZK_ERR_MEMORY. */
cuzk_status reflection_open(reflection_t **reflection, const uint8_t *descriptor, size_t length,
                            cuzk_error *err);
void reflection_close(reflection_t *reflection);

/** *bytes = the answer to a request, both encoded, from malloc(). CUZK_ERR_FORMAT: the request does
 *  not decode; CUZK_ERR_MEMORY. */
cuzk_status reflection_answer(uint8_t **bytes, size_t *length, const reflection_t *reflection,
                              const ProtobufCMessage *request, cuzk_error *err);

/** Takes a call of the service; false: it has no such method. */
bool reflection_take(call_slot_t *slot, const char *method);

#endif

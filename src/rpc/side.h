/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_SIDE_H
#define CUZK_RPC_SIDE_H

/* What the services beside the methods, health and reflection, have in common. They are served on
 * the polling thread. */

#include <protobuf-c/protobuf-c.h>

#include "rpc/call.h"

/** *message = the message that has arrived, decoded; false when there is none or it is a bad one:
 *  the call has then been ended. */
bool side_read(ProtobufCMessage **message, rpc_call_t *call,
               const ProtobufCMessageDescriptor *type);

/** The caller has gone: ends the call. */
void side_left(rpc_call_t *call);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpc/side.h"

#include <stdlib.h>

#include <grpc/byte_buffer.h>

#include "rpc/message.h"

enum { MAX_BYTES = 64 << 10 };

bool side_read(ProtobufCMessage **message, rpc_call_t *call, const ProtobufCMessageDescriptor *type)
{
    grpc_byte_buffer *buffer = call->message;
    uint8_t *bytes;
    size_t length;
    cuzk_error err;

    call->message = NULL;
    if (buffer == NULL) {
        (void)call_end(call, NULL, GRPC_STATUS_INVALID_ARGUMENT, "the call has no message");
        return false;
    }
    if (core_take_bytes(&bytes, &length, buffer, MAX_BYTES, &err) != CUZK_OK) {
        (void)call_end(call, NULL, GRPC_STATUS_RESOURCE_EXHAUSTED, err.text);
        return false;
    }
    const cuzk_status status = message_unpack(message, type, bytes, length, &err);
    free(bytes);
    if (status != CUZK_OK) (void)call_end(call, NULL, GRPC_STATUS_INVALID_ARGUMENT, err.text);
    return status == CUZK_OK;
}

void side_left(rpc_call_t *call)
{
    (void)call_end(call, NULL, GRPC_STATUS_CANCELLED, "the caller has left");
}

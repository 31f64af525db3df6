/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_MESSAGE_H
#define CUZK_RPC_MESSAGE_H

/* Protobuf messages from outside and to it. */

#include <protobuf-c/protobuf-c.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** *message = the bytes decoded; released with protobuf_c_message_free_unpacked(message, NULL).
 *  Decoding takes at most the bytes' own length and 4 MiB, so that a message of millions of empty
 *  fields is refused and not spread over gigabytes. CUZK_ERR_FORMAT: it does not decode, takes
 * more, or has a string that is not UTF-8 (the field is named). */
cuzk_status message_unpack(ProtobufCMessage **message, const ProtobufCMessageDescriptor *type,
                           const uint8_t *bytes, size_t length, cuzk_error *err);

/** *bytes = the message encoded, from malloc(). CUZK_ERR_MEMORY. */
cuzk_status message_pack(uint8_t **bytes, size_t *length, const ProtobufCMessage *message,
                         cuzk_error *err);

#endif

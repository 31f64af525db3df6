/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include <cuzk/v1/proving.pb-c.h>
#include <grpc/health/v1/health.pb-c.h>
#include <grpc/reflection/v1/reflection.pb-c.h>

#include "base/fuzz_support.h"
#include "rpc/message.h"

/* The first byte chooses a request's type; the rest is the message, in memory of exactly its size.
 * What decodes has to be whole. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const ProtobufCMessageDescriptor *const TYPES[] = {
    &cuzk__v1__submit_proof_request__descriptor,
    &cuzk__v1__prove_request__descriptor,
    &cuzk__v1__await_proof_request__descriptor,
    &cuzk__v1__cancel_proof_request__descriptor,
    &cuzk__v1__get_status_request__descriptor,
    &cuzk__v1__get_metrics_request__descriptor,
    &cuzk__v1__preload_srs_request__descriptor,
    &cuzk__v1__evict_srs_request__descriptor,
    &grpc__health__v1__health_check_request__descriptor,
    &grpc__reflection__v1__server_reflection_request__descriptor,
    &grpc__reflection__v1__server_reflection_response__descriptor,
};

/* What a method may do with it: look at all of it, and send it on. */
static void use(const ProtobufCMessage *message)
{
    uint8_t *bytes;
    size_t length;
    cuzk_error err;

    if (!protobuf_c_message_check(message)) abort();
    if (message_pack(&bytes, &length, message, &err) != CUZK_OK) abort();
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ProtobufCMessage *message;
    cuzk_error err;

    if (size == 0) return 0;
    uint8_t *bytes = malloc(size - 1 + (size == 1));
    if (bytes == NULL) return 0;
    memcpy(bytes, data + 1, size - 1);
    const ProtobufCMessageDescriptor *type = TYPES[data[0] % (sizeof TYPES / sizeof *TYPES)];
    const cuzk_status status = message_unpack(&message, type, bytes, size - 1, &err);
    free(bytes);
    if (status == CUZK_OK) {
        use(message);
        protobuf_c_message_free_unpacked(message, NULL);
    }
    fuzz_judge(status == CUZK_OK ? FUZZ_READ : FUZZ_REFUSED);
    return 0;
}

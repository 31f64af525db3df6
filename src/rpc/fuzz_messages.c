/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include <cuzk/v1/proving.pb-c.h>
#include <grpc/health/v1/health.pb-c.h>
#include <grpc/reflection/v1/reflection.pb-c.h>

#include "base/fuzz_support.h"
#include "rpc/message.h"

/* The first byte chooses a request's type; the rest is the message, in memory of exactly its size.
 * What decodes is encoded and decoded again, and then has to be the same bytes. */
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

static void check_again(const ProtobufCMessage *message)
{
    ProtobufCMessage *again;
    uint8_t *first, *second;
    size_t n_first, n_second;
    cuzk_error err;

    if (message_pack(&first, &n_first, message, &err) != CUZK_OK) abort();
    if (message_unpack(&again, message->descriptor, first, n_first, &err) != CUZK_OK) abort();
    if (message_pack(&second, &n_second, again, &err) != CUZK_OK) abort();
    if (n_first != n_second || memcmp(first, second, n_first) != 0) abort();
    protobuf_c_message_free_unpacked(again, NULL);
    free(first);
    free(second);
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
        check_again(message);
        protobuf_c_message_free_unpacked(message, NULL);
    }
    fuzz_judge(status == CUZK_OK ? FUZZ_READ : FUZZ_REFUSED);
    return 0;
}

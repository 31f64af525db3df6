/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpc/core.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <grpc/byte_buffer_reader.h>
#include <grpc/support/log.h>

#include "base/memory.h"

static void drop_line(gpr_log_func_args *line)
{
    (void)line;
}

static void start(void)
{
    if (getenv("GRPC_VERBOSITY") == NULL) gpr_set_log_function(drop_line);
    (void)setenv("GRPC_DNS_RESOLVER", "native", 0); /* hosts as the system knows them */
    grpc_init();
}

void core_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, start);
}

grpc_arg core_arg_integer(const char *key, int value)
{
    grpc_arg arg = {.type = GRPC_ARG_INTEGER, .key = (char *)(uintptr_t)key};

    arg.value.integer = value;
    return arg;
}

grpc_arg core_arg_text(const char *key, const char *text)
{
    grpc_arg arg = {.type = GRPC_ARG_STRING, .key = (char *)(uintptr_t)key};

    arg.value.string = (char *)(uintptr_t)text; /* read alone */
    return arg;
}

cuzk_status core_take_bytes(uint8_t **bytes, size_t *length, grpc_byte_buffer *buffer, size_t max,
                            cuzk_error *err)
{
    const size_t n = grpc_byte_buffer_length(buffer);
    grpc_byte_buffer_reader reader;
    cuzk_status status = CUZK_OK;
    size_t done = 0;
    grpc_slice *slice;

    *length = n;
    *bytes = NULL;
    if (n > max || !grpc_byte_buffer_reader_init(&reader, buffer)) {
        grpc_byte_buffer_destroy(buffer);
        return error_set(err, CUZK_ERR_FORMAT, "message: %zu bytes, %zu allowed", n, max);
    }
    *bytes = malloc(n + 1);
    if (*bytes == NULL)
        status = error_set(err, CUZK_ERR_MEMORY, "message: %zu bytes: out of memory", n);
    while (status == CUZK_OK && grpc_byte_buffer_reader_peek(&reader, &slice)) {
        memcpy(*bytes + done, GRPC_SLICE_START_PTR(*slice), GRPC_SLICE_LENGTH(*slice));
        done += GRPC_SLICE_LENGTH(*slice);
    }
    if (status == CUZK_OK) (*bytes)[done] = 0;
    grpc_byte_buffer_reader_destroy(&reader);
    grpc_byte_buffer_destroy(buffer);
    return status;
}

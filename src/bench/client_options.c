/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/client_options.h"

#include <string.h>

cuzk_status client_options_open(rpc_client_t **client, const client_options_t *o, cuzk_error *err)
{
    remote_options_t remote = o->remote;

    if (remote.address == NULL) remote.address = DAEMON_DEFAULT_ADDRESS;
    return remote_open(client, &remote, "--addr", err);
}

static bool is_level(const client_options_t *o, const char *one, const char *other)
{
    return o->log_level != NULL &&
           (strcmp(o->log_level, one) == 0 || strcmp(o->log_level, other) == 0);
}

bool client_options_progress(const client_options_t *o)
{
    return !is_level(o, "error", "warn") && !client_options_calls(o);
}

bool client_options_calls(const client_options_t *o)
{
    return is_level(o, "debug", "trace");
}

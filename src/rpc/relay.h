/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_RPC_RELAY_H
#define CUZK_RPC_RELAY_H

/* Carries bytes between two connected sockets, both ways, without waiting. */

#include <stdbool.h>

#include "base/error.h"

typedef struct relay relay_t;

typedef enum {
    RELAY_WAITS, /* for one of the sockets */
    RELAY_MORE,  /* could go on at once, and lets others have their turn */
    RELAY_ENDED  /* both sides have ended, or one has failed */
} relay_state;

/** The sockets are non-blocking, borrowed, and outlive it. CUZK_ERR_MEMORY. */
cuzk_status relay_open(relay_t **relay, int a, int b, cuzk_error *err);

/** Carries what there is; called whenever a socket has become readable or writable. */
relay_state relay_run(relay_t *relay);

/** NULL is allowed. */
void relay_close(relay_t *relay);

#endif

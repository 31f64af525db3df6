/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_CANCEL_H
#define CUZK_BASE_CANCEL_H

/* A token by which a job is stopped: asked for by its owner, or by a deadline that passes. Long
 * work looks at it between chunks of a few milliseconds. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/** One a job, shared by its threads; outlives them. */
typedef struct cancel {
    atomic_bool requested;
    uint64_t deadline_ns; /* clock_monotonic_ns() at which it is set by itself; UINT64_MAX: never */
    const struct cancel *parent; /* may be NULL: one that sets this one, too; outlives it */
} cancel_t;

/** Not set, and without a parent. deadline_ns: UINT64_MAX for none. */
void cancel_init(cancel_t *cancel, uint64_t deadline_ns);

/** Sets it. From any thread, also from a signal handler; twice is harmless. */
void cancel_request(cancel_t *cancel);

/** Whether it is set. NULL never is. */
bool cancel_is_set(const cancel_t *cancel);

/** CUZK_OK, or CUZK_CANCELLED or CUZK_ERR_DEADLINE when it is set. */
cuzk_status cancel_status(const cancel_t *cancel, cuzk_error *err);

#endif

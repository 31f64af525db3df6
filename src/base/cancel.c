/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/cancel.h"

#include <stddef.h>

#include "base/clock.h"

void cancel_init(cancel_t *cancel, uint64_t deadline_ns)
{
    atomic_init(&cancel->requested, false);
    cancel->deadline_ns = deadline_ns;
    cancel->parent = NULL;
}

void cancel_request(cancel_t *cancel)
{
    atomic_store(&cancel->requested, true);
}

static bool is_requested(const cancel_t *cancel)
{
    return atomic_load_explicit(&cancel->requested, memory_order_relaxed);
}

static bool is_late(const cancel_t *cancel)
{
    return cancel->deadline_ns != UINT64_MAX && clock_monotonic_ns() >= cancel->deadline_ns;
}

bool cancel_is_set(const cancel_t *cancel)
{
    for (; cancel != NULL; cancel = cancel->parent)
        if (is_requested(cancel) || is_late(cancel)) return true;
    return false;
}

cuzk_status cancel_status(const cancel_t *cancel, cuzk_error *err)
{
    for (; cancel != NULL; cancel = cancel->parent) {
        if (is_requested(cancel)) return error_set(err, CUZK_CANCELLED, "cancelled");
        if (is_late(cancel)) return error_set(err, CUZK_ERR_DEADLINE, "deadline: it has passed");
    }
    return CUZK_OK;
}

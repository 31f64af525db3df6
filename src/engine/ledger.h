/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_ENGINE_LEDGER_H
#define CUZK_ENGINE_LEDGER_H

/* The bytes an engine may hold, and who holds them. Whoever wants memory reserves it first, from
 * exact sizes; a reservation shrinks as soon as a part of it is given back. Nothing is allocated
 * here. */

#include "base/executor.h"

typedef enum { LEDGER_JOBS, LEDGER_PARAMS, LEDGER_IDLE, LEDGER_OWNERS } ledger_owner;

typedef struct ledger ledger_t;

/** What an owner holds; zeroed, it holds nothing. */
typedef struct {
    ledger_t *ledger;
    ledger_owner owner;
    uint64_t bytes;
} reservation_t;

typedef struct {
    uint64_t budget, reserved, peak;
    uint64_t by_owner[LEDGER_OWNERS];
} ledger_totals_t;

/** Gives back memory that is idle (buffers, open parameters nobody uses), and its reservations, for
 *  work of that priority. Called by a thread that waits for memory, without the ledger's lock. */
typedef void (*ledger_evict)(void *arg, int32_t priority);

/** urgent_bytes of the budget are kept for work of priority `urgent` and above. evict may be NULL.
 */
cuzk_status ledger_open(ledger_t **ledger, uint64_t budget, uint64_t urgent_bytes, int32_t urgent,
                        cuzk_error *err);

/** NULL is allowed. Nothing is reserved any more. */
void ledger_close(ledger_t *ledger);

void ledger_set_evict(ledger_t *ledger, ledger_evict evict, void *arg);

/** CUZK_ERR_BUDGET, naming need and limit, when so many bytes can never be had at that priority.
 *  what: for whom, for the message. */
cuzk_status ledger_fits(const ledger_t *ledger, uint64_t bytes, int32_t priority, const char *what,
                        cuzk_error *err);

/** A wish for memory. */
typedef struct {
    uint64_t bytes;
    work_rank_t rank;
    const cancel_t *cancel; /* may be NULL */
    const char *what;       /* for whom, for messages */
    reservation_t *reuses;  /* idle memory that it takes over, as far as that goes; may be NULL */
} ledger_wish_t;

/** Reserves, in rank order: waits while it does not fit, or while work of a better rank waits. Idle
 *  memory is evicted first. CUZK_ERR_BUDGET as ledger_fits(); CUZK_CANCELLED, CUZK_ERR_DEADLINE.
 *  Holds nothing on errors. The calling thread holds no permit. */
cuzk_status ledger_reserve(reservation_t *r, ledger_t *ledger, const ledger_wish_t *wish,
                           cuzk_error *err);

/** Reserves at once, or not at all: false. */
bool ledger_try(reservation_t *r, ledger_t *ledger, ledger_owner owner, uint64_t bytes);

/** Sets a reservation to `bytes`, whatever the budget: for memory that is there already. */
void ledger_set(reservation_t *r, ledger_t *ledger, ledger_owner owner, uint64_t bytes);

/** Gives back all but `bytes`; no more than it has. */
void ledger_shrink(reservation_t *r, uint64_t bytes);

/** Gives back all; harmless on a zeroed reservation. */
void ledger_release(reservation_t *r);

ledger_totals_t ledger_totals(ledger_t *ledger);

#endif

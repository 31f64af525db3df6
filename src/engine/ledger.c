/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "engine/ledger.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/verify.h"
#include "engine/turn.h"

struct ledger {
    pthread_mutex_t mutex; /* guards all that changes */
    pthread_cond_t freed;
    uint64_t budget;
    uint64_t urgent_bytes;
    int32_t urgent;
    uint64_t reserved, peak;
    uint64_t by_owner[LEDGER_OWNERS];
    turn_t *waiting; /* by rank */
    ledger_evict evict;
    void *evict_arg;
};

cuzk_status ledger_open(ledger_t **out, uint64_t budget, uint64_t urgent_bytes, int32_t urgent,
                        cuzk_error *err)
{
    ledger_t *ledger = mem_alloc(1, sizeof *ledger, "ledger", err);

    *out = ledger;
    if (ledger == NULL) return err->status;
    VERIFY(urgent_bytes <= budget);
    (void)pthread_mutex_init(&ledger->mutex, NULL);
    turn_cond_init(&ledger->freed);
    ledger->budget = budget;
    ledger->urgent_bytes = urgent_bytes;
    ledger->urgent = urgent;
    return CUZK_OK;
}

void ledger_close(ledger_t *ledger)
{
    if (ledger == NULL) return;
    VERIFY(ledger->reserved == 0 && ledger->waiting == NULL);
    (void)pthread_cond_destroy(&ledger->freed);
    (void)pthread_mutex_destroy(&ledger->mutex);
    free(ledger);
}

void ledger_set_evict(ledger_t *ledger, ledger_evict evict, void *arg)
{
    ledger->evict = evict;
    ledger->evict_arg = arg;
}

static uint64_t limit_of(const ledger_t *ledger, int32_t priority)
{
    return priority >= ledger->urgent ? ledger->budget : ledger->budget - ledger->urgent_bytes;
}

cuzk_status ledger_fits(const ledger_t *ledger, uint64_t bytes, int32_t priority, const char *what,
                        cuzk_error *err)
{
    const uint64_t limit = limit_of(ledger, priority);

    if (bytes <= limit) return CUZK_OK;
    return error_set(
        err, CUZK_ERR_BUDGET,
        "memory budget: %llu bytes, of which %llu are kept for urgent proofs; %s takes "
        "%llu",
        (unsigned long long)ledger->budget, (unsigned long long)(ledger->budget - limit), what,
        (unsigned long long)bytes);
}

/* The mutex is held, as in all below. */
static void take(ledger_t *ledger, reservation_t *r, ledger_owner owner, uint64_t bytes)
{
    *r = (reservation_t){.ledger = ledger, .owner = owner, .bytes = bytes};
    ledger->reserved += bytes;
    ledger->by_owner[owner] += bytes;
    if (ledger->reserved > ledger->peak) ledger->peak = ledger->reserved;
}

static void give_back(ledger_t *ledger, reservation_t *r, uint64_t bytes)
{
    VERIFY(bytes <= r->bytes);
    r->bytes -= bytes;
    ledger->reserved -= bytes;
    ledger->by_owner[r->owner] -= bytes;
    (void)pthread_cond_broadcast(&ledger->freed);
}

static bool has_room(const ledger_t *ledger, uint64_t bytes, int32_t priority)
{
    const uint64_t limit = limit_of(ledger, priority);

    return bytes <= limit && ledger->reserved <= limit - bytes;
}

/* Unlocks meanwhile. */
static void evict_idle(ledger_t *ledger, int32_t priority)
{
    (void)pthread_mutex_unlock(&ledger->mutex);
    ledger->evict(ledger->evict_arg, priority);
    (void)pthread_mutex_lock(&ledger->mutex);
}

/* What of a wish is there already, idle. */
static uint64_t reusable(const ledger_wish_t *wish)
{
    const uint64_t idle = wish->reuses != NULL ? wish->reuses->bytes : 0;

    return idle < wish->bytes ? idle : wish->bytes;
}

static bool can_have(const ledger_t *ledger, const ledger_wish_t *wish)
{
    return has_room(ledger, wish->bytes - reusable(wish), wish->rank.priority);
}

static void grant(ledger_t *ledger, reservation_t *r, const ledger_wish_t *wish)
{
    if (reusable(wish) > 0) give_back(ledger, wish->reuses, reusable(wish));
    take(ledger, r, LEDGER_JOBS, wish->bytes);
}

cuzk_status ledger_reserve(reservation_t *r, ledger_t *ledger, const ledger_wish_t *wish,
                           cuzk_error *err)
{
    cuzk_status st = ledger_fits(ledger, wish->bytes, wish->rank.priority, wish->what, err);
    turn_t turn = {.rank = wish->rank};

    *r = (reservation_t){0};
    if (st != CUZK_OK) return st;
    (void)pthread_mutex_lock(&ledger->mutex);
    turn_link(&ledger->waiting, &turn);
    for (;;) {
        st = cancel_status(wish->cancel, err);
        if (st != CUZK_OK) break;
        if (ledger->waiting == &turn) {
            if (!can_have(ledger, wish) && ledger->evict != NULL)
                evict_idle(ledger, wish->rank.priority);
            if (ledger->waiting == &turn && can_have(ledger, wish)) break;
        }
        turn_wait(&ledger->freed, &ledger->mutex);
    }
    if (st == CUZK_OK) grant(ledger, r, wish);
    turn_unlink(&ledger->waiting, &turn);
    (void)pthread_cond_broadcast(&ledger->freed); /* the next one in line looks, too */
    (void)pthread_mutex_unlock(&ledger->mutex);
    return st;
}

bool ledger_try(reservation_t *r, ledger_t *ledger, ledger_owner owner, uint64_t bytes)
{
    uint64_t before = UINT64_MAX;

    *r = (reservation_t){0};
    (void)pthread_mutex_lock(&ledger->mutex);
    while (bytes <= ledger->budget && !has_room(ledger, bytes, ledger->urgent) &&
           ledger->evict != NULL &&
           ledger->reserved < before) { /* as long as that gives something back */
        before = ledger->reserved;
        evict_idle(ledger, ledger->urgent);
    }
    const bool fits = has_room(ledger, bytes, ledger->urgent);
    if (fits) take(ledger, r, owner, bytes);
    (void)pthread_mutex_unlock(&ledger->mutex);
    return fits;
}

void ledger_set(reservation_t *r, ledger_t *ledger, ledger_owner owner, uint64_t bytes)
{
    (void)pthread_mutex_lock(&ledger->mutex);
    if (r->ledger != NULL) give_back(ledger, r, r->bytes);
    take(ledger, r, owner, bytes);
    (void)pthread_mutex_unlock(&ledger->mutex);
}

void ledger_shrink(reservation_t *r, uint64_t bytes)
{
    ledger_t *ledger = r->ledger;

    if (ledger == NULL) return;
    (void)pthread_mutex_lock(&ledger->mutex);
    if (bytes < r->bytes) give_back(ledger, r, r->bytes - bytes);
    (void)pthread_mutex_unlock(&ledger->mutex);
}

void ledger_release(reservation_t *r)
{
    ledger_shrink(r, 0);
    *r = (reservation_t){0};
}

ledger_totals_t ledger_totals(ledger_t *ledger)
{
    (void)pthread_mutex_lock(&ledger->mutex);
    ledger_totals_t totals = {
        .budget = ledger->budget, .reserved = ledger->reserved, .peak = ledger->peak};
    for (int i = 0; i < LEDGER_OWNERS; i++) totals.by_owner[i] = ledger->by_owner[i];
    (void)pthread_mutex_unlock(&ledger->mutex);
    return totals;
}

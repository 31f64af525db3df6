/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "engine/gate.h"

#include "base/verify.h"

void gate_init(gate_t *gate, uint32_t n_seats)
{
    *gate = (gate_t){.n_seats = n_seats};
    (void)pthread_mutex_init(&gate->mutex, NULL);
    turn_cond_init(&gate->left);
}

void gate_clear(gate_t *gate)
{
    (void)pthread_cond_destroy(&gate->left);
    (void)pthread_mutex_destroy(&gate->mutex);
}

static bool has_seat(const gate_t *gate, int32_t priority)
{
    uint32_t taken = 0;

    for (int32_t p = priority; p < GATE_PRIORITIES; p++) taken += gate->taken[p];
    return taken < gate->n_seats;
}

cuzk_status gate_enter(gate_t *gate, const work_rank_t *rank, const cancel_t *cancel,
                       cuzk_error *err)
{
    turn_t turn = {.rank = *rank};
    cuzk_status st;

    VERIFY(rank->priority >= 0 && rank->priority < GATE_PRIORITIES);
    (void)pthread_mutex_lock(&gate->mutex);
    turn_link(&gate->waiting, &turn);
    for (;;) {
        st = cancel_status(cancel, err);
        if (st != CUZK_OK) break;
        if (gate->waiting == &turn && has_seat(gate, rank->priority)) break;
        turn_wait(&gate->left, &gate->mutex);
    }
    turn_unlink(&gate->waiting, &turn);
    if (st == CUZK_OK) gate->taken[rank->priority]++;
    (void)pthread_cond_broadcast(&gate->left); /* the next one in line looks, too */
    (void)pthread_mutex_unlock(&gate->mutex);
    return st;
}

void gate_leave(gate_t *gate, int32_t priority)
{
    (void)pthread_mutex_lock(&gate->mutex);
    VERIFY(gate->taken[priority] > 0);
    gate->taken[priority]--;
    (void)pthread_cond_broadcast(&gate->left);
    (void)pthread_mutex_unlock(&gate->mutex);
}

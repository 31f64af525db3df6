/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_ENGINE_GATE_H
#define CUZK_ENGINE_GATE_H

/* The entrance to a stage: a number of seats, taken in rank order. Seats of lower priorities do not
 * count for those above: urgent work never waits for a seat that bulk work has. */

#include "base/executor.h"
#include "engine/turn.h"

enum { GATE_PRIORITIES = 5 }; /* 0 .. 4, as cuzk_priority */

typedef struct {
    pthread_mutex_t mutex; /* guards all below */
    pthread_cond_t left;
    uint32_t n_seats;
    uint32_t taken[GATE_PRIORITIES];
    turn_t *waiting;
} gate_t;

void gate_init(gate_t *gate, uint32_t n_seats);
void gate_clear(gate_t *gate);

/** Waits for a seat. CUZK_CANCELLED, CUZK_ERR_DEADLINE: none was taken. The thread holds no permit.
 */
cuzk_status gate_enter(gate_t *gate, const work_rank_t *rank, const cancel_t *cancel,
                       cuzk_error *err);

/** Gives up a seat that was taken at that priority. */
void gate_leave(gate_t *gate, int32_t priority);

#endif

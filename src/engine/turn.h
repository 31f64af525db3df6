/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_ENGINE_TURN_H
#define CUZK_ENGINE_TURN_H

/* Lines of threads that wait for something in the order of their ranks. The owner of a line has a
 * mutex, which is held around all of these, and a condition. */

#include "base/executor.h"

/** A thread's place in a line; on its stack. */
typedef struct turn {
    struct turn *next;
    work_rank_t rank;
} turn_t;

/** A condition for turn_wait(). */
void turn_cond_init(pthread_cond_t *cond);

/** Behind those of a better or the same rank. */
void turn_link(turn_t **line, turn_t *turn);
void turn_unlink(turn_t **line, const turn_t *turn);

/** Waits for the condition, for a few milliseconds at most: cancel tokens are looked at between. */
void turn_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);

#endif

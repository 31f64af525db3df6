/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "engine/turn.h"

#include <time.h>

enum { LOOK_NS = 10000000, SECOND_NS = 1000000000 };

void turn_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attributes;

    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(cond, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}

void turn_link(turn_t **line, turn_t *turn)
{
    while (*line != NULL && !work_rank_before(&turn->rank, &(*line)->rank)) line = &(*line)->next;
    turn->next = *line;
    *line = turn;
}

void turn_unlink(turn_t **line, const turn_t *turn)
{
    while (*line != turn) line = &(*line)->next;
    *line = turn->next;
}

void turn_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_NS;
    if (until.tv_nsec >= SECOND_NS) {
        until.tv_nsec -= SECOND_NS;
        until.tv_sec++;
    }
    (void)pthread_cond_timedwait(cond, mutex, &until);
}

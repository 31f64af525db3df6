/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/reader.h"

#include <time.h>

#include "base/clock.h"
#include "msm/plan.h"

/* Bytes read between looks at is_stopping, and the time between looks at a cancel token. */
enum { PIECE_BYTES = 1 << 20, LOOK_NS = 5000000, STACK_BYTES = 256 << 10 };

/* Reads what was asked for, without the mutex. */
static void read_pieces(msm_reader_t *reader)
{
    const points_t *points = reader->points;
    const size_t most = PIECE_BYTES / points->point_bytes;
    uint8_t *to = reader->to;
    const size_t first = reader->first;
    const size_t total = reader->n;
    cuzk_status st = CUZK_OK;

    for (size_t i = 0; i < total && st == CUZK_OK && !reader->is_stopping; i += most) {
        const size_t n = msm_min(total - i, most);
        cuzk_error err = {0};

        (void)pthread_mutex_unlock(&reader->mutex);
        st = points->read(points, to + i * points->point_bytes, first + i, n, &err);
        (void)pthread_mutex_lock(&reader->mutex);
        if (st == CUZK_OK) reader->bytes_read += n * points->point_bytes;
        if (st == CUZK_OK) continue;
        reader->error = err;
        reader->error.status = st;
    }
}

static void *reader_main(void *arg)
{
    msm_reader_t *reader = arg;

    (void)pthread_mutex_lock(&reader->mutex);
    while (!reader->is_stopping) {
        if (!reader->is_wanted) {
            (void)pthread_cond_wait(&reader->changed, &reader->mutex);
            continue;
        }
        read_pieces(reader);
        reader->is_wanted = false;
        (void)pthread_cond_signal(&reader->changed);
    }
    (void)pthread_mutex_unlock(&reader->mutex);
    return NULL;
}

cuzk_status msm_reader_open(msm_reader_t *reader, const points_t *points, cuzk_error *err)
{
    pthread_condattr_t condition;
    pthread_attr_t attributes;

    *reader = (msm_reader_t){.points = points};
    (void)pthread_mutex_init(&reader->mutex, NULL);
    (void)pthread_condattr_init(&condition);
    (void)pthread_condattr_setclock(&condition, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&reader->changed, &condition);
    (void)pthread_condattr_destroy(&condition);
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    const int rc = pthread_create(&reader->thread, &attributes, reader_main, reader);
    (void)pthread_attr_destroy(&attributes);
    if (rc == 0) return CUZK_OK;
    (void)pthread_cond_destroy(&reader->changed);
    (void)pthread_mutex_destroy(&reader->mutex);
    reader->points = NULL;
    return error_set(err, CUZK_ERR_MEMORY, "msm: the thread that reads points can't be started");
}

void msm_reader_close(msm_reader_t *reader)
{
    if (reader->points == NULL) return;
    (void)pthread_mutex_lock(&reader->mutex);
    reader->is_stopping = true;
    (void)pthread_cond_signal(&reader->changed);
    (void)pthread_mutex_unlock(&reader->mutex);
    (void)pthread_join(reader->thread, NULL);
    (void)pthread_cond_destroy(&reader->changed);
    (void)pthread_mutex_destroy(&reader->mutex);
    reader->points = NULL;
}

void msm_reader_ask(msm_reader_t *reader, void *to, size_t first, size_t n)
{
    (void)pthread_mutex_lock(&reader->mutex);
    reader->to = to;
    reader->first = first;
    reader->n = n;
    reader->is_wanted = true;
    (void)pthread_cond_signal(&reader->changed);
    (void)pthread_mutex_unlock(&reader->mutex);
}

/* The mutex is held; it returns now and then, so that the caller can look at its token. */
static void wait_a_while(msm_reader_t *reader)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    (void)pthread_cond_timedwait(&reader->changed, &reader->mutex, &until);
}

/* The mutex is held. */
static cuzk_status wait_for_points(msm_reader_t *reader, strand_t *strand, cuzk_error *err)
{
    const uint64_t since = clock_monotonic_ns();
    cuzk_status st = CUZK_OK;

    while (reader->is_wanted && st == CUZK_OK) {
        wait_a_while(reader);
        st = strand_status(strand, err);
    }
    reader->wait_ns += clock_monotonic_ns() - since;
    return st;
}

cuzk_status msm_reader_wait(msm_reader_t *reader, strand_t *strand, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    (void)pthread_mutex_lock(&reader->mutex);
    if (reader->is_wanted) {
        (void)pthread_mutex_unlock(&reader->mutex);
        if (strand != NULL) strand_leave(strand);
        (void)pthread_mutex_lock(&reader->mutex);
        st = wait_for_points(reader, strand, err);
        (void)pthread_mutex_unlock(&reader->mutex);
        if (strand != NULL) strand_enter(strand);
        (void)pthread_mutex_lock(&reader->mutex);
    }
    if (st == CUZK_OK && reader->error.status != CUZK_OK) {
        *err = reader->error;
        st = err->status;
    }
    (void)pthread_mutex_unlock(&reader->mutex);
    return st;
}

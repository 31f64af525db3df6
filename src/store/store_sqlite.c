/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* A store on the disk. A request is written before its row and removed after it: a file without a
 * row is one of a call that did not come to its end, and the next store_sqlite_open() removes it.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "store/store_database.h"

/* A request that is being written, outside the lock. */
typedef struct adding {
    const char *id;
    struct adding *next;
} adding_t;

typedef struct {
    store_t head;
    store_folder_t folder;
    uint64_t limit;
    pthread_mutex_t lock; /* of what follows */
    store_database_t database;
    adding_t *adding;
    uint64_t held; /* bytes of requests */
} sqlite_store_t;

static sqlite_store_t *lock(store_t *store)
{
    sqlite_store_t *s = (sqlite_store_t *)store;

    (void)pthread_mutex_lock(&s->lock);
    return s;
}

static cuzk_status unlock(sqlite_store_t *s, cuzk_status status)
{
    (void)pthread_mutex_unlock(&s->lock);
    return status;
}

/* ---- adding -----------------------------------------------------------------------------------
 */

/* Room for a request, and its id for us alone. */
static cuzk_status begin_adding(sqlite_store_t *s, adding_t *mine, size_t length, cuzk_error *err)
{
    store_row_t row;
    bool is_there;

    for (const adding_t *a = s->adding; a != NULL; a = a->next)
        if (strcmp(a->id, mine->id) == 0) return store_fail_present(mine->id, err);
    cuzk_status st = store_database_find(&row, &is_there, &s->database, mine->id, err);
    if (st != CUZK_OK) return st;
    if (is_there && row.state == STORE_ACCEPTED) return store_fail_present(mine->id, err);
    st = store_check_room(s->limit, s->held, length, err);
    if (st != CUZK_OK) return st;
    s->held += length;
    mine->next = s->adding;
    s->adding = mine;
    return CUZK_OK;
}

static void end_adding(sqlite_store_t *s, const adding_t *mine)
{
    adding_t **at = &s->adding;

    while (*at != mine) at = &(*at)->next;
    *at = mine->next;
}

static cuzk_status sqlite_add(store_t *store, const store_job_t *job, const uint8_t *request,
                              size_t length, cuzk_error *err)
{
    const bool has_file = length > STORE_IN_ROW_MAX_BYTES;
    adding_t mine = {.id = job->id};

    if (store_check_new(job, length, err) != CUZK_OK) return err->status;
    sqlite_store_t *s = lock(store);
    cuzk_status st = begin_adding(s, &mine, length, err);
    if (st != CUZK_OK) return unlock(s, st);
    if (has_file) {
        (void)unlock(s, st);
        st = store_folder_write(&s->folder, job->id, request, length, err);
        (void)lock(store);
    }
    if (st == CUZK_OK) {
        st = store_database_insert(&s->database, job, request, length, err);
        if (st != CUZK_OK && has_file) store_folder_remove(&s->folder, job->id);
    }
    if (st != CUZK_OK) s->held -= length;
    end_adding(s, &mine);
    return unlock(s, st);
}

/* ---- the other operations ---------------------------------------------------------------------
 */

/* Under the lock, as the following. */
static cuzk_status find_waiting(store_row_t *row, sqlite_store_t *s, const char *id,
                                cuzk_error *err)
{
    bool is_there;

    const cuzk_status st = store_database_find(row, &is_there, &s->database, id, err);
    if (st != CUZK_OK) return st;
    return is_there && row->state == STORE_ACCEPTED ? CUZK_OK : store_fail_missing(id, err);
}

static void forget_request(sqlite_store_t *s, const store_row_t *row)
{
    if (!row->is_in_row) store_folder_remove(&s->folder, row->id);
    s->held -= row->request_bytes;
}

static cuzk_status sqlite_request(uint8_t **bytes, size_t *length, store_t *store, const char *id,
                                  cuzk_error *err)
{
    cuzk_error ended;
    store_row_t row;

    *bytes = NULL;
    *length = 0;
    sqlite_store_t *s = lock(store);
    cuzk_status st = find_waiting(&row, s, id, err);
    if (st == CUZK_OK && row.is_in_row) st = store_database_request(bytes, &s->database, &row, err);
    (void)unlock(s, st);
    if (st == CUZK_OK) *length = row.request_bytes;
    if (st != CUZK_OK || row.is_in_row) return st;
    st = store_folder_read(bytes, &s->folder, id, row.request_bytes, row.seal, err);
    if (st == CUZK_OK) return CUZK_OK;
    *length = 0;
    (void)lock(store); /* it is no fault of the file when the job has ended meanwhile */
    if (find_waiting(&row, s, id, &ended) == CUZK_ERR_MISSING) st = store_fail_missing(id, err);
    return unlock(s, st);
}

static cuzk_status sqlite_start(store_t *store, const char *id, cuzk_error *err)
{
    sqlite_store_t *s = lock(store);
    store_row_t row;

    cuzk_status st = find_waiting(&row, s, id, err);
    if (st == CUZK_OK) st = store_database_start(&s->database, id, err);
    return unlock(s, st);
}

static cuzk_status sqlite_end(store_t *store, const store_job_t *job, cuzk_error *err)
{
    store_row_t row;

    if (store_check_end(job, err) != CUZK_OK) return err->status;
    sqlite_store_t *s = lock(store);
    cuzk_status st = find_waiting(&row, s, job->id, err);
    if (st == CUZK_OK) st = store_database_end(&s->database, job, err);
    if (st == CUZK_OK) forget_request(s, &row);
    return unlock(s, st);
}

static cuzk_status sqlite_drop(store_t *store, const char *id, cuzk_error *err)
{
    sqlite_store_t *s = lock(store);
    store_row_t row;
    bool is_there;

    cuzk_status st = store_database_find(&row, &is_there, &s->database, id, err);
    if (st != CUZK_OK || !is_there) return unlock(s, st);
    st = store_database_remove(&s->database, id, err);
    if (st == CUZK_OK && row.state == STORE_ACCEPTED) forget_request(s, &row);
    return unlock(s, st);
}

static cuzk_status sqlite_list(store_t *store, void (*visit)(void *arg, const store_job_t *job),
                               void *arg, cuzk_error *err)
{
    sqlite_store_t *s = lock(store);

    return unlock(s, store_database_list(&s->database, visit, arg, err));
}

static cuzk_status sqlite_expire(store_t *store, int64_t ended_before_ms, cuzk_error *err)
{
    sqlite_store_t *s = lock(store);

    return unlock(s, store_database_expire(&s->database, ended_before_ms, err));
}

static uint64_t sqlite_bytes(store_t *store)
{
    sqlite_store_t *s = lock(store);
    const uint64_t held = s->held;

    (void)unlock(s, CUZK_OK);
    return held;
}

static void sqlite_close(store_t *store)
{
    sqlite_store_t *s = (sqlite_store_t *)store;

    store_database_close(&s->database);
    store_folder_close(&s->folder); /* with the lock */
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static int64_t now_ms(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static cuzk_status fail_job(sqlite_store_t *s, const store_row_t *row, const char *why,
                            cuzk_error *err)
{
    store_job_t job = {.state = STORE_FAILED, .ended_ms = now_ms()};
    char text[STORE_ERROR_BYTES + 64];

    (void)snprintf(text, sizeof text, "its request was lost while it waited: %s", why);
    (void)strcpy(job.id, row->id);
    job.error = text;
    return store_database_end(&s->database, &job, err);
}

/* Looks for the request of each job that has not ended. */
static cuzk_status check_requests(sqlite_store_t *s, cuzk_error *err)
{
    store_row_t row = {.row = INT64_MIN};
    cuzk_error why;
    bool is_there;

    for (;;) {
        cuzk_status st = store_database_next_waiting(&row, &is_there, &s->database, row.row, err);
        if (st != CUZK_OK || !is_there) return st;
        if (row.is_in_row ||
            store_folder_look(&s->folder, row.id, row.request_bytes, &why) == CUZK_OK)
            s->held += row.request_bytes;
        else
            st = fail_job(s, &row, why.text, err);
        if (st != CUZK_OK) return st;
    }
}

static cuzk_status has_file(void *arg, const char *id, bool *is_kept, cuzk_error *err)
{
    sqlite_store_t *s = arg;
    store_row_t row;
    bool is_there;

    const cuzk_status st = store_database_find(&row, &is_there, &s->database, id, err);
    if (st == CUZK_OK) *is_kept = is_there && row.state == STORE_ACCEPTED && !row.is_in_row;
    return st;
}

static cuzk_status open_store(sqlite_store_t *s, const char *folder, cuzk_error *err)
{
    cuzk_status st = store_folder_open(&s->folder, folder, err);

    if (st == CUZK_OK) st = store_database_open(&s->database, &s->folder, err);
    if (st == CUZK_OK) st = check_requests(s, err);
    return st == CUZK_OK ? store_folder_sweep(&s->folder, has_file, s, err) : st;
}

cuzk_status store_sqlite_open(store_t **store, const char *folder, uint64_t limit_bytes,
                              cuzk_error *err)
{
    static const store_ops_t ops = {
        .add = sqlite_add,
        .request = sqlite_request,
        .start = sqlite_start,
        .end = sqlite_end,
        .drop = sqlite_drop,
        .list = sqlite_list,
        .expire = sqlite_expire,
        .bytes = sqlite_bytes,
        .close = sqlite_close,
    };
    sqlite_store_t *s = mem_alloc(1, sizeof *s, "a store", err);

    *store = NULL;
    if (s == NULL) return err->status;
    s->head.ops = &ops;
    s->limit = limit_bytes;
    if (pthread_mutex_init(&s->lock, NULL) != 0) {
        free(s);
        return error_set(err, CUZK_ERR_MEMORY, "store: no memory for a lock");
    }
    const cuzk_status st = open_store(s, folder, err);
    if (st == CUZK_OK)
        *store = &s->head;
    else
        sqlite_close(&s->head);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* A store that ends with its process: a list, by the time of acceptance. */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/store_rules.h"

typedef struct entry {
    store_job_t job;
    uint8_t *request; /* owned; NULL when the job has ended */
    size_t length;
    uint8_t *proof; /* owned */
    char *error;    /* owned */
    struct entry *next;
} entry_t;

typedef struct {
    store_t head;
    pthread_mutex_t lock;
    entry_t *first;
    uint64_t held, limit; /* bytes of requests */
} memory_store_t;

static memory_store_t *lock(store_t *store)
{
    memory_store_t *s = (memory_store_t *)store;

    (void)pthread_mutex_lock(&s->lock);
    return s;
}

static cuzk_status unlock(memory_store_t *s, cuzk_status status)
{
    (void)pthread_mutex_unlock(&s->lock);
    return status;
}

/* ---- the list; under the lock ------------------------------------------------------------------
 */

static entry_t **find(memory_store_t *s, const char *id)
{
    entry_t **at = &s->first;

    while (*at != NULL && strcmp((*at)->job.id, id) != 0) at = &(*at)->next;
    return at;
}

static entry_t *find_waiting(memory_store_t *s, const char *id)
{
    entry_t *entry = *find(s, id);

    return entry != NULL && entry->job.state == STORE_ACCEPTED ? entry : NULL;
}

static void entry_free(entry_t *entry)
{
    if (entry == NULL) return;
    free(entry->request);
    free(entry->proof);
    free(entry->error);
    free(entry);
}

static void forget_request(memory_store_t *s, entry_t *entry)
{
    if (entry->request == NULL) return;
    s->held -= entry->length;
    free(entry->request);
    entry->request = NULL;
}

static void remove_at(memory_store_t *s, entry_t **at)
{
    entry_t *entry = *at;

    *at = entry->next;
    forget_request(s, entry);
    entry_free(entry);
}

static void insert(memory_store_t *s, entry_t *entry)
{
    entry_t **at = find(s, entry->job.id);

    if (*at != NULL) remove_at(s, at);
    at = &s->first;
    while (*at != NULL && (*at)->job.accepted_ms <= entry->job.accepted_ms) at = &(*at)->next;
    entry->next = *at;
    *at = entry;
    s->held += entry->length;
}

/* ---- the operations ---------------------------------------------------------------------------
 */

static entry_t *entry_new(const store_job_t *job, const uint8_t *request, size_t length,
                          cuzk_error *err)
{
    entry_t *entry = mem_alloc(1, sizeof *entry, "a job of the store", err);

    if (entry == NULL) return NULL;
    entry->request = malloc(length); /* not mem_alloc(): zeroing a long one takes its time */
    if (entry->request == NULL) {
        (void)error_set(err, CUZK_ERR_MEMORY, "store: job %s: no memory for %zu bytes", job->id,
                        length);
        free(entry);
        return NULL;
    }
    memcpy(entry->request, request, length);
    entry->length = length;
    entry->job = *job;
    entry->job.proof = NULL;
    entry->job.proof_length = 0;
    entry->job.error = NULL;
    return entry;
}

static cuzk_status memory_add(store_t *store, const store_job_t *job, const uint8_t *request,
                              size_t length, cuzk_error *err)
{
    if (store_check_new(job, length, err) != CUZK_OK) return err->status;
    memory_store_t *s = lock(store);
    cuzk_status st = store_check_room(s->limit, s->held, length, err);
    (void)unlock(s, st);
    if (st != CUZK_OK) return st; /* before a copy is made */
    entry_t *entry = entry_new(job, request, length, err);
    if (entry == NULL) return err->status;

    (void)lock(store);
    st = find_waiting(s, job->id) != NULL ? store_fail_present(job->id, err)
                                          : store_check_room(s->limit, s->held, length, err);
    if (st == CUZK_OK)
        insert(s, entry);
    else
        entry_free(entry);
    return unlock(s, st);
}

static cuzk_status memory_request(uint8_t **bytes, size_t *length, store_t *store, const char *id,
                                  cuzk_error *err)
{
    memory_store_t *s = lock(store);
    const entry_t *entry = find_waiting(s, id);

    *bytes = NULL;
    *length = 0;
    if (entry == NULL) return unlock(s, store_fail_missing(id, err));
    *bytes = malloc(entry->length);
    if (*bytes == NULL)
        return unlock(s, error_set(err, CUZK_ERR_MEMORY, "store: job %s: no memory for %zu bytes",
                                   id, entry->length));
    memcpy(*bytes, entry->request, entry->length);
    *length = entry->length;
    return unlock(s, CUZK_OK);
}

static cuzk_status memory_start(store_t *store, const char *id, cuzk_error *err)
{
    memory_store_t *s = lock(store);
    entry_t *entry = find_waiting(s, id);

    if (entry == NULL) return unlock(s, store_fail_missing(id, err));
    if (entry->job.n_starts < UINT32_MAX) entry->job.n_starts++;
    return unlock(s, CUZK_OK);
}

/* Copies of what an ended job points to, into *entry. */
static cuzk_status copy_outcome(entry_t *entry, const store_job_t *job, cuzk_error *err)
{
    char text[STORE_ERROR_BYTES];

    if (job->state == STORE_COMPLETED) {
        entry->proof = mem_alloc(job->proof_length, 1, "a proof", err);
        if (entry->proof == NULL) return err->status;
        memcpy(entry->proof, job->proof, job->proof_length);
        entry->job.proof_length = job->proof_length;
    } else if (job->error != NULL) {
        store_cut_error(text, job->error);
        entry->error = mem_copy_text(text, "an error's text", err);
        if (entry->error == NULL) return err->status;
    }
    entry->job.proof = entry->proof;
    entry->job.error = entry->error;
    return CUZK_OK;
}

static cuzk_status memory_end(store_t *store, const store_job_t *job, cuzk_error *err)
{
    if (store_check_end(job, err) != CUZK_OK) return err->status;
    memory_store_t *s = lock(store);
    entry_t *entry = find_waiting(s, job->id);

    if (entry == NULL) return unlock(s, store_fail_missing(job->id, err));
    if (copy_outcome(entry, job, err) != CUZK_OK) return unlock(s, err->status);
    entry->job.state = job->state;
    entry->job.ended_ms = job->ended_ms;
    entry->job.times_ms = job->times_ms;
    forget_request(s, entry);
    return unlock(s, CUZK_OK);
}

static cuzk_status memory_drop(store_t *store, const char *id, cuzk_error *err)
{
    memory_store_t *s = lock(store);
    entry_t **at = find(s, id);

    (void)err;
    if (*at != NULL) remove_at(s, at);
    return unlock(s, CUZK_OK);
}

static cuzk_status memory_list(store_t *store, void (*visit)(void *arg, const store_job_t *job),
                               void *arg, cuzk_error *err)
{
    memory_store_t *s = lock(store);

    (void)err;
    for (const entry_t *entry = s->first; entry != NULL; entry = entry->next)
        visit(arg, &entry->job);
    return unlock(s, CUZK_OK);
}

static cuzk_status memory_expire(store_t *store, int64_t ended_before_ms, cuzk_error *err)
{
    memory_store_t *s = lock(store);
    entry_t **at = &s->first;

    (void)err;
    while (*at != NULL) {
        const store_job_t *job = &(*at)->job;

        if (job->state != STORE_ACCEPTED && job->ended_ms < ended_before_ms)
            remove_at(s, at);
        else
            at = &(*at)->next;
    }
    return unlock(s, CUZK_OK);
}

static uint64_t memory_bytes(store_t *store)
{
    memory_store_t *s = lock(store);
    const uint64_t held = s->held;

    (void)unlock(s, CUZK_OK);
    return held;
}

static void memory_close(store_t *store)
{
    memory_store_t *s = (memory_store_t *)store;

    while (s->first != NULL) remove_at(s, &s->first);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
}

cuzk_status store_memory_open(store_t **store, uint64_t limit_bytes, cuzk_error *err)
{
    static const store_ops_t ops = {
        .add = memory_add,
        .request = memory_request,
        .start = memory_start,
        .end = memory_end,
        .drop = memory_drop,
        .list = memory_list,
        .expire = memory_expire,
        .bytes = memory_bytes,
        .close = memory_close,
    };
    memory_store_t *s = mem_alloc(1, sizeof *s, "a store", err);

    *store = NULL;
    if (s == NULL) return err->status;
    s->head.ops = &ops;
    s->limit = limit_bytes;
    if (pthread_mutex_init(&s->lock, NULL) != 0) {
        free(s);
        return error_set(err, CUZK_ERR_MEMORY, "store: no memory for a lock");
    }
    *store = &s->head;
    return CUZK_OK;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Any bytes as the database of a store, beside requests that its jobs may have: refused with a
 * reason, or a store that does all it has to do, and is taken again. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fuzz_support.h"
#include "hash/sha256.h"
#include "store/store_rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_JOBS = 64, REQUEST_BYTES = 100 };

static char folder[64];

typedef struct {
    char ids[MAX_JOBS][STORE_ID_BYTES];
    store_state states[MAX_JOBS];
    size_t n;
} jobs_t;

static void must(bool is_so)
{
    if (!is_so) abort();
}

static const char *path_of(const char *name)
{
    static char path[128];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const uint8_t *bytes, size_t n)
{
    FILE *file = fopen(path_of(name), "wbe");

    must(file != NULL && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

static void make_folder(void)
{
    (void)snprintf(folder, sizeof folder, "%s/cuzk-fuzz-store-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    must(mkdtemp(folder) != NULL);
    must(mkdir(path_of("requests"), 0700) == 0);
}

static void remove_folder(void)
{
    (void)unlink(path_of("jobs.db"));
    (void)unlink(path_of("jobs.db-wal"));
    (void)unlink(path_of("lock"));
    (void)rmdir(path_of("requests"));
    must(rmdir(folder) == 0);
}

static void keep(void *arg, const store_job_t *job)
{
    jobs_t *jobs = arg;

    must(store_is_id(job->id) && job->kind >= CUZK_POREP && job->kind <= CUZK_WINNING_POST);
    must((job->state == STORE_COMPLETED) <= (job->proof_length > 0));
    must(job->error == NULL || strlen(job->error) < STORE_ERROR_BYTES);
    if (jobs->n == MAX_JOBS) return;
    (void)strcpy(jobs->ids[jobs->n], job->id);
    jobs->states[jobs->n++] = job->state;
}

/* What a job of any state lets be done with it. */
static void use(store_t *store, const jobs_t *jobs, size_t i)
{
    store_job_t job = {.state = STORE_FAILED, .ended_ms = 5, .error = "fuzzed"};
    const bool is_waiting = jobs->states[i] == STORE_ACCEPTED;
    const char *id = jobs->ids[i];
    cuzk_error err;
    uint8_t *bytes;
    size_t n;

    (void)strcpy(job.id, id);
    const cuzk_status st = store->ops->request(&bytes, &n, store, id, &err);
    must(is_waiting ? st == CUZK_OK || st == CUZK_ERR_FORMAT : st == CUZK_ERR_MISSING);
    must(st != CUZK_OK || n >= STORE_SEAL_BYTES);
    free(bytes);
    must(store->ops->start(store, id, &err) == (is_waiting ? CUZK_OK : CUZK_ERR_MISSING));
    if (i % 2 == 0)
        must(store->ops->end(store, &job, &err) == (is_waiting ? CUZK_OK : CUZK_ERR_MISSING));
    else
        must(store->ops->drop(store, id, &err) == CUZK_OK);
}

/* What is left by expire(INT64_MAX). */
static void is_last(void *arg, const store_job_t *job)
{
    must(*(size_t *)arg == MAX_JOBS || job->ended_ms == INT64_MAX);
}

static void add_one(store_t *store)
{
    store_job_t job = {.id = "ffffffffffffffffffffffffffffffff", .kind = CUZK_UPDATE};
    uint8_t request[SHA256_BYTES], *bytes;
    cuzk_error err;
    size_t n;

    sha256(request, request, 0);
    const cuzk_status st = store->ops->add(store, &job, request, sizeof request, &err);
    if (st == CUZK_ERR_ARG) return; /* it is there */
    must(st == CUZK_OK);
    must(store->ops->request(&bytes, &n, store, job.id, &err) == CUZK_OK);
    must(n == sizeof request && memcmp(bytes, request, n) == 0);
    free(bytes);
    must(store->ops->drop(store, job.id, &err) == CUZK_OK);
}

static fuzz_verdict use_all(store_t *store)
{
    jobs_t jobs = {.n = 0};
    cuzk_error err;

    must(store->ops->list(store, keep, &jobs, &err) == CUZK_OK);
    for (size_t i = 0; i < jobs.n; i++) use(store, &jobs, i);
    must(store->ops->expire(store, INT64_MAX, &err) == CUZK_OK);
    must(store->ops->list(store, is_last, &jobs.n, &err) == CUZK_OK);
    must(jobs.n == MAX_JOBS || store->ops->bytes(store) == 0);
    add_one(store);
    store->ops->close(store);
    must(store_sqlite_open(&store, folder, 0, &err) == CUZK_OK);
    store->ops->close(store);
    return jobs.n > 0 ? FUZZ_RIGHT : FUZZ_READ;
}

/* The first byte says how many requests there are, of the ids 0, 1, ... */
static void write_requests(unsigned n)
{
    uint8_t bytes[REQUEST_BYTES] = {0};
    char name[64];

    for (unsigned i = 0; i < n; i++) {
        (void)snprintf(name, sizeof name, "requests/%032x", i);
        write_file(name, bytes, sizeof bytes);
    }
}

static void remove_requests(unsigned n)
{
    char name[64];

    for (unsigned i = 0; i < n; i++) {
        (void)snprintf(name, sizeof name, "requests/%032x", i);
        (void)unlink(path_of(name));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const unsigned n_requests = size == 0 ? 0 : data[0] % 4;
    fuzz_verdict verdict = FUZZ_REFUSED;
    store_t *store;
    cuzk_error err;

    make_folder();
    write_requests(n_requests);
    write_file("jobs.db", data + (size > 0), size - (size > 0));
    const cuzk_status st = store_sqlite_open(&store, folder, 0, &err);
    if (st == CUZK_OK)
        verdict = use_all(store);
    else
        must(store == NULL && strstr(err.text, folder) != NULL);
    remove_requests(n_requests);
    remove_folder();
    fuzz_judge(verdict);
    return 0;
}

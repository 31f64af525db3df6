/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STORE_TEST_STORE_CASES_H
#define CUZK_STORE_TEST_STORE_CASES_H

/* Jobs, requests and folders for the tests of stores. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/temporary.h"
#include "hash/sha256.h"
#include "store/store_database.h"

/** What list() gave. */
typedef struct {
    store_job_t jobs[256]; /* proof and error point to what follows */
    uint8_t proofs[256][256];
    char errors[256][STORE_ERROR_BYTES];
    size_t n;
} test_list_t;

/** The n-th job: it waits, and no two fields have the same value. */
static inline store_job_t test_job(unsigned n)
{
    store_job_t job = {.kind = (cuzk_kind)(CUZK_POREP + n % 4),
                       .priority = (cuzk_priority)(CUZK_PRIORITY_LOW + n % 4),
                       .registered_proof = 5 + n,
                       .miner_id = 1000 + n,
                       .sector_number = 100000 + n,
                       .accepted_ms = 1700000000000 + n};

    (void)snprintf(job.id, sizeof job.id, "%032x", 0xabc0000 + n);
    (void)snprintf(job.request_id, sizeof job.request_id, "porep-1000-%u", n);
    return job;
}

/** The request of the n-th job; released with free(). */
static inline uint8_t *test_request(unsigned n, size_t length)
{
    uint8_t *bytes = malloc(length);

    assert_non_null(bytes);
    for (size_t i = 0; i < length - STORE_SEAL_BYTES; i++)
        bytes[i] = (uint8_t)((i + n) * 2654435761U >> 24);
    sha256(bytes + length - STORE_SEAL_BYTES, bytes, length - STORE_SEAL_BYTES);
    return bytes;
}

static inline cuzk_status test_add_job(store_t *store, const store_job_t *job, unsigned n,
                                       size_t length, cuzk_error *err)
{
    uint8_t *request = test_request(n, length);
    const cuzk_status st = store->ops->add(store, job, request, length, err);

    free(request);
    return st;
}

static inline cuzk_status test_add(store_t *store, unsigned n, size_t length, cuzk_error *err)
{
    const store_job_t job = test_job(n);

    return test_add_job(store, &job, n, length, err);
}

/** Ends the n-th job with a proof of 192 bytes, or with its error. */
static inline cuzk_status test_end(store_t *store, unsigned n, store_state state, const char *error,
                                   cuzk_error *err)
{
    uint8_t proof[192];
    store_job_t job = test_job(n);

    memset(proof, (int)(n & 0xff), sizeof proof);
    job.state = state;
    job.ended_ms = job.accepted_ms + 1000;
    if (state == STORE_COMPLETED) job.proof = proof;
    if (state == STORE_COMPLETED) job.proof_length = sizeof proof;
    job.error = error;
    job.times_ms = (store_times_t){n + 1, n + 2, n + 3, n + 4, n + 5};
    return store->ops->end(store, &job, err);
}

static inline void test_keep(void *arg, const store_job_t *job)
{
    test_list_t *list = arg;
    store_job_t *to = &list->jobs[list->n];

    assert_true(list->n < sizeof list->jobs / sizeof *list->jobs);
    *to = *job;
    if (job->proof != NULL) {
        assert_in_range(job->proof_length, 1, sizeof *list->proofs);
        to->proof = memcpy(list->proofs[list->n], job->proof, job->proof_length);
    }
    if (job->error != NULL) to->error = strcpy(list->errors[list->n], job->error);
    list->n++;
}

/** All jobs of a store; released with free(). */
static inline test_list_t *test_list(store_t *store)
{
    test_list_t *list = calloc(1, sizeof *list);
    cuzk_error err;

    assert_non_null(list);
    assert_int_equal(store->ops->list(store, test_keep, list, &err), CUZK_OK);
    return list;
}

/** The n-th job in a list, or NULL. */
static inline const store_job_t *test_find(const test_list_t *list, unsigned n)
{
    const store_job_t job = test_job(n);

    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->jobs[i].id, job.id) == 0) return &list->jobs[i];
    return NULL;
}

/** The request of the n-th job is held whole. */
static inline void test_expect_request(store_t *store, unsigned n, size_t length)
{
    uint8_t *wanted = test_request(n, length), *bytes;
    const store_job_t job = test_job(n);
    cuzk_error err;
    size_t got;

    assert_int_equal(store->ops->request(&bytes, &got, store, job.id, &err), CUZK_OK);
    assert_int_equal(got, length);
    assert_memory_equal(bytes, wanted, length);
    free(bytes);
    free(wanted);
}

static inline void test_expect_no_request(store_t *store, unsigned n)
{
    const store_job_t job = test_job(n);
    cuzk_error err;
    uint8_t *bytes;
    size_t got;

    assert_int_equal(store->ops->request(&bytes, &got, store, job.id, &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, job.id));
    assert_null(bytes);
}

/** A folder for stores, in memory where there is one: for what does not depend on the disk, which
 *  others may keep busy. Not 0 when there is none. */
static inline int test_make_folder(temporary_t *folder)
{
    const bool has_memory = access("/dev/shm", W_OK) == 0;

    return temporary_make(folder, has_memory ? "/dev/shm/cuzk-store." : "/tmp/cuzk-store.", true);
}

/** FOLDER/NAME; one at a time. */
static inline const char *test_path(const char *folder, const char *name)
{
    static char path[512];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/** FOLDER/requests/ID of the n-th job; one at a time. */
static inline const char *test_request_path(const char *folder, unsigned n)
{
    const store_job_t job = test_job(n);
    char name[64];

    (void)snprintf(name, sizeof name, "requests/%s", job.id);
    return test_path(folder, name);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "daemon/test_bench.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/temporary.h"
#include "daemon/log.h"

enum { SKIPPED = 77, PATIENCE_S = 120 };

const char *no_params, *post_params;
test_requests_t requests;

/* Waits for news; what doesn't come in two minutes doesn't come. */
static void wait_for_news(pthread_cond_t *changed, pthread_mutex_t *mutex, const char *what)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S;
    if (pthread_cond_timedwait(changed, mutex, &until) != 0) {
        (void)pthread_mutex_unlock(mutex);
        fail_msg("%s: did not come", what);
    }
}

void bench_pause_ms(unsigned ms)
{
    (void)nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

/* ---- the store ---------------------------------------------------------------------------------
 */

/* Counts a call and holds it up; fails it where that is wanted. */
static cuzk_status enter(test_store_t *s, test_op op, cuzk_error *err)
{
    (void)pthread_mutex_lock(&s->mutex);
    const unsigned number = ++s->counts[op];
    s->waiting[op]++;
    (void)pthread_cond_broadcast(&s->changed);
    while (s->is_held[op]) (void)pthread_cond_wait(&s->changed, &s->mutex);
    s->waiting[op]--;
    bool fails = s->one_in[op] != 0 && number % s->one_in[op] == 0;
    if (s->failures[op] > 0) {
        s->failures[op]--;
        fails = true;
    }
    (void)pthread_mutex_unlock(&s->mutex);
    return fails ? error_set(err, CUZK_ERR_IO, "the test's store fails") : CUZK_OK;
}

static cuzk_status test_add(store_t *store, const store_job_t *job, const uint8_t *request,
                            size_t length, cuzk_error *err)
{
    test_store_t *s = (test_store_t *)store;

    if (enter(s, OP_ADD, err) != CUZK_OK) return err->status;
    return s->real->ops->add(s->real, job, request, length, err);
}

static cuzk_status test_request(uint8_t **bytes, size_t *length, store_t *store, const char *id,
                                cuzk_error *err)
{
    test_store_t *s = (test_store_t *)store;

    *bytes = NULL;
    *length = 0;
    if (enter(s, OP_REQUEST, err) != CUZK_OK) return err->status;
    const cuzk_status st = s->real->ops->request(bytes, length, s->real, id, err);
    if (st == CUZK_OK && s->damages) (*bytes)[*length / 2] ^= 1;
    return st;
}

static cuzk_status test_start(store_t *store, const char *id, cuzk_error *err)
{
    test_store_t *s = (test_store_t *)store;

    if (enter(s, OP_START, err) != CUZK_OK) return err->status;
    (void)pthread_mutex_lock(&s->mutex);
    if (s->n_starts < TEST_STARTS)
        (void)snprintf(s->starts[s->n_starts++], sizeof s->starts[0], "%s", id);
    (void)pthread_mutex_unlock(&s->mutex);
    return s->real->ops->start(s->real, id, err);
}

static cuzk_status test_end(store_t *store, const store_job_t *job, cuzk_error *err)
{
    test_store_t *s = (test_store_t *)store;

    if (enter(s, OP_END, err) != CUZK_OK) return err->status;
    return s->real->ops->end(s->real, job, err);
}

static cuzk_status test_drop(store_t *store, const char *id, cuzk_error *err)
{
    test_store_t *s = (test_store_t *)store;

    if (enter(s, OP_DROP, err) != CUZK_OK) return err->status;
    return s->real->ops->drop(s->real, id, err);
}

static cuzk_status test_list(store_t *store, void (*visit)(void *arg, const store_job_t *job),
                             void *arg, cuzk_error *err)
{
    test_store_t *s = (test_store_t *)store;

    return s->real->ops->list(s->real, visit, arg, err);
}

static cuzk_status test_expire(store_t *store, int64_t before_ms, cuzk_error *err)
{
    test_store_t *s = (test_store_t *)store;

    if (enter(s, OP_EXPIRE, err) != CUZK_OK) return err->status;
    return s->real->ops->expire(s->real, before_ms, err);
}

static uint64_t test_bytes(store_t *store)
{
    test_store_t *s = (test_store_t *)store;

    return s->real->ops->bytes(s->real);
}

static void test_close(store_t *store)
{
    test_store_close((test_store_t *)store);
}

void test_store_open(test_store_t *s)
{
    static const store_ops_t ops = {.add = test_add,
                                    .request = test_request,
                                    .start = test_start,
                                    .end = test_end,
                                    .drop = test_drop,
                                    .list = test_list,
                                    .expire = test_expire,
                                    .bytes = test_bytes,
                                    .close = test_close};
    cuzk_error err;

    *s = (test_store_t){.head = {.ops = &ops}};
    (void)pthread_mutex_init(&s->mutex, NULL);
    (void)pthread_cond_init(&s->changed, NULL);
    assert_int_equal(store_memory_open(&s->real, 0, &err), CUZK_OK);
}

void test_store_close(test_store_t *s)
{
    s->real->ops->close(s->real);
    (void)pthread_cond_destroy(&s->changed);
    (void)pthread_mutex_destroy(&s->mutex);
}

unsigned test_store_count(test_store_t *s, test_op op)
{
    (void)pthread_mutex_lock(&s->mutex);
    const unsigned n = s->counts[op];
    (void)pthread_mutex_unlock(&s->mutex);
    return n;
}

void test_store_fail(test_store_t *s, test_op op, unsigned n)
{
    (void)pthread_mutex_lock(&s->mutex);
    s->failures[op] = n;
    (void)pthread_mutex_unlock(&s->mutex);
}

static void set_held(test_store_t *s, test_op op, bool is_held)
{
    (void)pthread_mutex_lock(&s->mutex);
    s->is_held[op] = is_held;
    (void)pthread_cond_broadcast(&s->changed);
    (void)pthread_mutex_unlock(&s->mutex);
}

void test_store_hold(test_store_t *s, test_op op)
{
    set_held(s, op, true);
}

void test_store_let_go(test_store_t *s, test_op op)
{
    set_held(s, op, false);
}

void test_store_await_held(test_store_t *s, test_op op, unsigned n)
{
    (void)pthread_mutex_lock(&s->mutex);
    while (s->waiting[op] < n) wait_for_news(&s->changed, &s->mutex, "a call of the store");
    (void)pthread_mutex_unlock(&s->mutex);
}

void test_store_await(test_store_t *s, test_op op, unsigned n)
{
    (void)pthread_mutex_lock(&s->mutex);
    while (s->counts[op] < n) wait_for_news(&s->changed, &s->mutex, "a call of the store");
    (void)pthread_mutex_unlock(&s->mutex);
}

typedef struct {
    const char *id;
    store_job_t *job;
    bool is_there;
} job_search_t;

static void visit(void *arg, const store_job_t *job)
{
    job_search_t *search = arg;

    if (strcmp(job->id, search->id) != 0) return;
    *search->job = *job;
    search->job->proof = NULL;
    search->job->error = NULL;
    search->is_there = true;
}

bool test_store_find(store_job_t *job, test_store_t *s, const char *id)
{
    job_search_t search = {.id = id, .job = job};
    cuzk_error err;

    assert_int_equal(s->real->ops->list(s->real, visit, &search, &err), CUZK_OK);
    return search.is_there;
}

/* ---- callers -----------------------------------------------------------------------------------
 */

void caller_init(caller_t *c)
{
    static atomic_uint_fast64_t last_call;

    *c = (caller_t){.call = atomic_fetch_add(&last_call, 1) + 1};
    (void)pthread_mutex_init(&c->mutex, NULL);
    (void)pthread_cond_init(&c->changed, NULL);
}

static void told(void *arg, const queue_result_t *result)
{
    caller_t *c = arg;

    (void)pthread_mutex_lock(&c->mutex);
    c->n++;
    (void)snprintf(c->id, sizeof c->id, "%s", result->id);
    (void)snprintf(c->error, sizeof c->error, "%s", result->error);
    c->outcome = result->outcome;
    c->proof_length = result->proof_length;
    if (result->proof_length == sizeof c->proof) memcpy(c->proof, result->proof, sizeof c->proof);
    c->times_ms = result->times_ms;
    (void)pthread_cond_broadcast(&c->changed);
    (void)pthread_mutex_unlock(&c->mutex);
}

bool caller_is_told(caller_t *c)
{
    (void)pthread_mutex_lock(&c->mutex);
    const bool is_told = c->n > 0;
    (void)pthread_mutex_unlock(&c->mutex);
    return is_told;
}

void caller_expect(caller_t *c, queue_outcome outcome)
{
    (void)pthread_mutex_lock(&c->mutex);
    while (c->n == 0) wait_for_news(&c->changed, &c->mutex, "an answer");
    (void)pthread_mutex_unlock(&c->mutex);
    if (c->outcome != outcome)
        fail_msg("outcome %d (%s), expected %d", (int)c->outcome, c->error, (int)outcome);
    assert_int_equal(c->n, 1);
    assert_int_equal(c->proof_length, outcome == OUTCOME_COMPLETED ? CUZK_PROOF_BYTES : 0);
    assert_int_equal(*c->error == '\0', outcome == OUTCOME_COMPLETED);
}

queue_waiter_t caller_waiter(caller_t *c, bool owns, uint64_t timeout_ms)
{
    return (queue_waiter_t){
        .call = c->call, .done = told, .arg = c, .timeout_ms = timeout_ms, .owns = owns};
}

/* ---- the queue with all it stands on -----------------------------------------------------------
 */

static void hear(void *arg, cuzk_log_level level, uint64_t job, const char *text)
{
    bench_t *b = arg;

    (void)level;
    (void)job;
    (void)text;
    (void)pthread_mutex_lock(&b->mutex);
    while (b->is_frozen) (void)pthread_cond_wait(&b->changed, &b->mutex);
    (void)pthread_mutex_unlock(&b->mutex);
}

static void finished(void *arg, cuzk_job job)
{
    bench_t *b = arg;

    atomic_fetch_add(&b->n_finished, 1);
    queue_engine_finished(&b->link, job);
}

static void open_engine(bench_t *b, const bench_options_t *o)
{
    const cuzk_engine_options options = {.struct_size = sizeof options,
                                         .params_folder =
                                             o->params != NULL ? o->params : post_params,
                                         .threads = 2,
                                         .max_jobs = 1000,
                                         .memory_budget = o->budget,
                                         .log = hear,
                                         .log_arg = b,
                                         .finished = finished,
                                         .finished_arg = b};
    cuzk_error err;

    if (cuzk_engine_open(&b->engine, &options, &err) != CUZK_OK) fail_msg("%s", err.text);
}

void bench_open(bench_t *b, test_store_t *store, const bench_options_t *o)
{
    cuzk_error err;

    *b = (bench_t){.store = store};
    (void)pthread_mutex_init(&b->mutex, NULL);
    (void)pthread_cond_init(&b->changed, NULL);
    open_engine(b, o);
    const queue_options_t options = {
        .engine = b->engine,
        .store = &store->head,
        .is_durable = o->is_durable,
        .max_jobs = o->max_jobs != 0 ? o->max_jobs : 100,
        .lookahead = BENCH_SLOTS - 2,
        .max_batch_size = o->max_batch_size != 0 ? o->max_batch_size : 1,
        .max_batch_wait_ms = o->max_batch_wait_ms,
        .sort_by_type = o->sort_by_type,
        .job_timeout_ms = o->job_timeout_ms,
        .keep_ms = o->keep_ms != 0 ? o->keep_ms : 3600000,
        .cancels_posts = o->cancels_posts,
        .cancels_begun = o->cancels_begun,
        .drops_waiting = o->drops_waiting,
    };
    if (queue_open(&b->queue, &options, &b->link, &err) != CUZK_OK) fail_msg("%s", err.text);
}

void bench_close(bench_t *b)
{
    cuzk_stats stats = {.struct_size = sizeof stats};

    queue_stop(b->queue);
    bench_thaw(b);
    cuzk_engine_stop(b->engine);
    do {
        bench_pause_ms(1);
        (void)cuzk_engine_stats(b->engine, &stats, NULL);
    } while (stats.jobs_queued + stats.jobs_running > 0);
    assert_int_equal(stats.job_bytes, 0);
    cuzk_engine_close(b->engine);
    queue_free(b->queue);
    assert_null(b->link.queue);
    (void)pthread_cond_destroy(&b->changed);
    (void)pthread_mutex_destroy(&b->mutex);
}

static void set_frozen(bench_t *b, bool is_frozen)
{
    (void)pthread_mutex_lock(&b->mutex);
    b->is_frozen = is_frozen;
    (void)pthread_cond_broadcast(&b->changed);
    (void)pthread_mutex_unlock(&b->mutex);
}

void bench_freeze(bench_t *b)
{
    set_frozen(b, true);
}

void bench_thaw(bench_t *b)
{
    set_frozen(b, false);
}

static cuzk_status ask(queue_ticket_t *ticket, bench_t *b, caller_t *c, const char *request_id,
                       const cuzk_request *request, cuzk_error *err)
{
    const queue_submission_t submission = {.request_id = request_id, .request = *request};

    if (c == NULL) return queue_submit(ticket, b->queue, &submission, NULL, err);
    caller_init(c);
    const queue_waiter_t waiter = caller_waiter(c, true, 0);
    return queue_submit(ticket, b->queue, &submission, &waiter, err);
}

cuzk_status bench_try(bench_t *b, caller_t *c, const char *request_id, const cuzk_request *request,
                      cuzk_error *err)
{
    queue_ticket_t ticket;

    return ask(&ticket, b, c, request_id, request, err);
}

queue_ticket_t bench_prove(bench_t *b, caller_t *c, const char *request_id,
                           const cuzk_request *request)
{
    queue_ticket_t ticket;
    cuzk_error err;

    if (ask(&ticket, b, c, request_id, request, &err) != CUZK_OK) fail_msg("%s", err.text);
    return ticket;
}

queue_ticket_t bench_submit(bench_t *b, const char *request_id, const cuzk_request *request)
{
    return bench_prove(b, NULL, request_id, request);
}

void bench_fill(bench_t *b, unsigned n, const cuzk_request *request)
{
    char id[16];

    for (unsigned i = 0; i < n; i++) {
        (void)snprintf(id, sizeof id, "fill-%u", i);
        (void)bench_submit(b, id, request);
    }
}

uint32_t bench_pending(bench_t *b)
{
    const queue_counts_t counts = queue_counts(b->queue);

    return counts.pending[0] + counts.pending[1] + counts.pending[2] + counts.pending[3];
}

uint32_t bench_in_progress(bench_t *b)
{
    const queue_counts_t counts = queue_counts(b->queue);

    return counts.in_progress[0] + counts.in_progress[1] + counts.in_progress[2] +
           counts.in_progress[3];
}

void bench_await_counts(bench_t *b, uint32_t pending, uint32_t in_progress)
{
    const uint64_t start_ns = clock_monotonic_ns();

    while (bench_pending(b) != pending || bench_in_progress(b) != in_progress) {
        if (clock_seconds_between(start_ns, clock_monotonic_ns()) > PATIENCE_S)
            fail_msg("%u wait and %u have begun, expected %u and %u", bench_pending(b),
                     bench_in_progress(b), pending, in_progress);
        bench_pause_ms(1);
    }
}

void bench_await_running(bench_t *b, uint32_t n)
{
    const uint64_t start_ns = clock_monotonic_ns();
    cuzk_stats stats = {.struct_size = sizeof stats};

    while (cuzk_engine_stats(b->engine, &stats, NULL) == CUZK_OK && stats.jobs_running != n) {
        if (clock_seconds_between(start_ns, clock_monotonic_ns()) > PATIENCE_S)
            fail_msg("the engine works on %u jobs, expected %u", stats.jobs_running, n);
        bench_pause_ms(1);
    }
}

snapshot_kind_t bench_kinds(bench_t *b)
{
    snapshot_kind_t sum = {0};
    snapshot_t snapshot;
    cuzk_error err;

    assert_int_equal(queue_snapshot(&snapshot, b->queue, &err), CUZK_OK);
    for (int i = 0; i < SNAPSHOT_KINDS; i++) {
        const snapshot_kind_t *kind = &snapshot.kinds[i];

        sum.pending += kind->pending;
        sum.in_progress += kind->in_progress;
        sum.completed += kind->completed;
        sum.failed += kind->failed;
        sum.refused += kind->refused;
        sum.cancelled += kind->cancelled;
        sum.timed_out += kind->timed_out;
    }
    snapshot_clear(&snapshot);
    return sum;
}

/* ---- cases -------------------------------------------------------------------------------------
 */

cuzk_request at_priority(const cuzk_request *request, cuzk_priority priority)
{
    cuzk_request other = *request;

    other.priority = priority;
    return other;
}

/* Points to the parameters of PoSts, whatever else there is. */
static bool link_params(const char *folder, const char *params)
{
    char from[PATH_MAX], to[PATH_MAX];
    unsigned n = 0;
    DIR *files = opendir(params);

    if (files == NULL) return false;
    for (const struct dirent *file; (file = readdir(files)) != NULL;) {
        if (strstr(file->d_name, "proof-of-spacetime") == NULL) continue;
        (void)snprintf(from, sizeof from, "%s/%s", params, file->d_name);
        (void)snprintf(to, sizeof to, "%s/%s", folder, file->d_name);
        n += symlink(from, to) == 0;
    }
    (void)closedir(files);
    return n > 0;
}

int test_main(const char *name, const struct CMUnitTest *tests, size_t n)
{
    static const char *const names[] = {"winning-2KiB", "window-2KiB", "update-2KiB",
                                        "porep-2KiB-0"};
    const char *params = getenv("CUZK_TEST_PARAMS");
    test_case_t cases[4];
    temporary_t empty, posts;

    if (params == NULL || access(params, R_OK) != 0) return SKIPPED;
    if (temporary_make(&empty, "/tmp/cuzk-queue.", true) != 0) return 1;
    if (temporary_make(&posts, "/tmp/cuzk-queue.", true) != 0) return 1;
    if (!link_params(posts.path, params)) return 1;
    no_params = empty.path;
    post_params = posts.path;
    log_set(CUZK_LOG_ERROR, LOG_TEXT);
    for (int i = 0; i < 4; i++) test_case_open(&cases[i], names[i]);
    requests = (test_requests_t){.winning = cases[0].request,
                                 .window = cases[1].request,
                                 .other_window = cases[1].request,
                                 .update = cases[2].request,
                                 .porep = cases[3].request};
    requests.window.n_inputs = 2;
    requests.other_window.inputs += 2;
    requests.other_window.n_inputs = 1;
    const int failed = _cmocka_run_group_tests(name, tests, n, NULL, NULL);
    for (int i = 0; i < 4; i++) test_case_clear(&cases[i]);
    temporary_remove(&posts);
    temporary_remove(&empty);
    return failed;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Faults injected into whole proofs: for every n the n-th allocation, mapping or thread of a proof
 * of each kind is refused. The job then ends with a status (or without, where what was refused can
 * be done without), nothing is left behind, and the engine goes on working.
 *
 * The linker sends calls of the allocator and of pthread_create here (--wrap), and the kernels of
 * points and transforms are replaced by ones that compute nothing, so that a proof takes
 * milliseconds: what comes out of them does not matter here, what they are given does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/memory.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "engine/engine.h"
#include "engine/test_case.h"
#include "msm/group.h"
#include "ntt/ntt_tile.h"
#include "srs/srs.h"

enum { SKIPPED = 77 };

/* ---- kernels that compute nothing --------------------------------------------------------------
 */

const msm_group_t *__real_msm_group_g1(void);
const msm_group_t *__real_msm_group_g2(void);
const msm_group_t *__wrap_msm_group_g1(void);
const msm_group_t *__wrap_msm_group_g2(void);

static void no_add(uint8_t *slots, const msm_pair_t *pairs, size_t n, void *scratch)
{
    (void)slots;
    (void)pairs;
    (void)n;
    (void)scratch;
}

static void no_copy(uint8_t *slots, uint32_t slot, msm_ref_t ref)
{
    (void)slots;
    (void)slot;
    (void)ref;
}

static void no_load(uint8_t *slots, size_t first, unsigned n_endo, const msm_span_t *span,
                    const uint32_t *index, size_t n)
{
    (void)slots;
    (void)first;
    (void)n_endo;
    (void)span;
    (void)index;
    (void)n;
}

static void store_generators_g1(void *affine, const uint8_t *slots, size_t first, size_t n)
{
    (void)slots;
    (void)first;
    for (size_t i = 0; i < n; i++) ((g1_affine_t *)affine)[i] = *g1_generator();
}

static void store_generators_g2(void *affine, const uint8_t *slots, size_t first, size_t n)
{
    (void)slots;
    (void)first;
    for (size_t i = 0; i < n; i++) ((g2_affine_t *)affine)[i] = *g2_generator();
}

static msm_group_t group_g1, group_g2;

const msm_group_t *__wrap_msm_group_g1(void)
{
    return &group_g1;
}

const msm_group_t *__wrap_msm_group_g2(void)
{
    return &group_g2;
}

static void make_groups(void)
{
    group_g1 = *__real_msm_group_g1();
    group_g1.store = store_generators_g1;
    group_g2 = *__real_msm_group_g2();
    group_g2.store = store_generators_g2;
    group_g1.add = group_g2.add = no_add;
    group_g1.copy = group_g2.copy = no_copy;
    group_g1.load = group_g2.load = no_load;
}

static void no_twiddles(void *table, const fr_t *roots, size_t n)
{
    (void)table;
    (void)roots;
    (void)n;
}

static void no_factors(fr_t *factors, size_t n)
{
    (void)factors;
    (void)n;
}

static void no_tile(const ntt_tile_t *tile, void *scratch)
{
    (void)tile;
    (void)scratch;
}

extern const ntt_kernels_t __wrap_ntt_kernels_portable;

const ntt_kernels_t __wrap_ntt_kernels_portable = {.slot_bytes = NTT_LANES * sizeof(fr_t),
                                                   .twiddle_bytes = sizeof(fr_t),
                                                   .make_twiddles = no_twiddles,
                                                   .prepare_factors = no_factors,
                                                   .run = no_tile};

/* The points of the parameters are good, and to look at each of them would take seconds. */
cuzk_status __wrap_srs_check_points(const srs_t *srs, const srs_check_t *how, strand_t *strand,
                                    cuzk_error *err);

cuzk_status __wrap_srs_check_points(const srs_t *srs, const srs_check_t *how, strand_t *strand,
                                    cuzk_error *err)
{
    const size_t n = srs_check_bytes(srs, strand_size(strand));
    void *memory;

    (void)how;
    const cuzk_status st = big_alloc(&memory, n, 1, "sums of points", err);
    if (st != CUZK_OK) return st;
    big_free(memory, n, 1);
    return CUZK_OK;
}

/* ---- faults -------------------------------------------------------------------------------------
 */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void __real_free(void *p);
void *__real_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);
int __real_munmap(void *p, size_t length);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void __wrap_free(void *p);
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);
int __wrap_munmap(void *p, size_t length);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg);

typedef enum { FAULT_MEMORY, FAULT_THREAD, FAULTS } fault_kind;

static atomic_long left[FAULTS]; /* calls until one is refused; below 0: none is */
static atomic_llong held;        /* blocks and mappings */

static bool is_refused(fault_kind kind)
{
    return atomic_load(&left[kind]) >= 0 && atomic_fetch_sub(&left[kind], 1) == 0;
}

static void *held_block(void *p)
{
    if (p != NULL) atomic_fetch_add(&held, 1);
    return p;
}

void *__wrap_malloc(size_t size)
{
    return is_refused(FAULT_MEMORY) ? NULL : held_block(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
    return is_refused(FAULT_MEMORY) ? NULL : held_block(__real_calloc(n, size));
}

void *__wrap_realloc(void *p, size_t size)
{
    if (is_refused(FAULT_MEMORY)) return NULL;
    void *moved = __real_realloc(p, size);
    if (p == NULL) (void)held_block(moved);
    return moved;
}

void __wrap_free(void *p)
{
    if (p != NULL) atomic_fetch_sub(&held, 1);
    __real_free(p);
}

void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    if (is_refused(FAULT_MEMORY)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    void *p = __real_mmap(at, length, protection, flags, fd, offset);
    if (p != MAP_FAILED) (void)held_block(p);
    return p;
}

int __wrap_munmap(void *p, size_t length)
{
    atomic_fetch_sub(&held, 1);
    return __real_munmap(p, length);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg)
{
    return is_refused(FAULT_THREAD) ? EAGAIN
                                    : __real_pthread_create(thread, attributes, start, arg);
}

/* ---- the tests ----------------------------------------------------------------------------------
 */

static const char *params;
static const char *case_name;

/* A whole life of an engine with one job; how it ended. */
static cuzk_status live_once(const test_case_t *c)
{
    const cuzk_engine_options o = {.struct_size = sizeof o, .params_folder = params, .threads = 2};
    cuzk_result result = {.struct_size = sizeof result};
    cuzk_engine *engine;
    cuzk_error err;
    cuzk_job job;

    cuzk_status st = engine_open(&engine, &o, &err);
    if (st != CUZK_OK) return st;
    st = engine_submit(&job, engine, &c->request, &err);
    if (st == CUZK_OK) st = engine_wait(&result, engine, job, CUZK_NO_TIMEOUT, &err);
    free(result.proofs);
    engine_close(engine);
    return st;
}

/* Of a proof from these kernels the self-check says that it is wrong; a refusal is one of memory.
 */
static void check_status(cuzk_status st, bool was_refused)
{
    if (st == CUZK_ERR_INTERNAL) return;
    assert_true(was_refused);
    assert_int_equal(st, CUZK_ERR_MEMORY);
}

static long refuse_each(fault_kind kind, const test_case_t *c)
{
    for (long n = 0;; n++) {
        const long long before = atomic_load(&held);

        atomic_store(&left[kind], n);
        const cuzk_status st = live_once(c);
        const bool was_refused = atomic_load(&left[kind]) < 0;
        atomic_store(&left[kind], -1);
        check_status(st, was_refused);
        if (atomic_load(&held) != before)
            fail_msg("%s: refusal %ld leaves %lld blocks", c->request.n_inputs > 0 ? case_name : "",
                     n, atomic_load(&held) - before);
        if (!was_refused) return n;
    }
}

static void every_refusal_is_an_error_and_leaves_nothing(void **unused)
{
    test_case_t c;

    (void)unused;
    test_case_open(&c, case_name);
    (void)live_once(&c); /* what libraries allocate once is there */
    const long n_memory = refuse_each(FAULT_MEMORY, &c);
    const long n_threads = refuse_each(FAULT_THREAD, &c);
    print_message("%s: %ld allocations, %ld threads\n", case_name, n_memory, n_threads);
    assert_true(n_memory > 50 && n_threads >= 3);
    test_case_clear(&c);
}

/* What an engine says of a job that has ended and is still to be waited for. */
static void watch_end(cuzk_progress *progress, cuzk_engine *engine, cuzk_job job)
{
    cuzk_error err;

    do {
        (void)usleep(1000);
        assert_int_equal(engine_poll(progress, engine, job, &err), CUZK_OK);
    } while (progress->stage != CUZK_STAGE_DONE);
}

/* Proofs from these kernels fail their check each time. */
static void a_partition_is_tried_again_so_often(void **unused)
{
    test_case_t c;

    (void)unused;
    test_case_open(&c, case_name);
    c.request.partition = 0;
    for (uint32_t retries = 0; retries <= 3; retries++) {
        const cuzk_engine_options o = {
            .struct_size = sizeof o, .params_folder = params, .threads = 2, .retries = retries};
        cuzk_result result = {.struct_size = sizeof result};
        cuzk_progress progress;
        cuzk_engine *engine;
        cuzk_error err;
        cuzk_job job;

        assert_int_equal(engine_open(&engine, &o, &err), CUZK_OK);
        assert_int_equal(engine_submit(&job, engine, &c.request, &err), CUZK_OK);
        watch_end(&progress, engine, job);
        assert_int_equal(progress.n_retries, retries);
        assert_int_equal(strncmp(progress.retry_reason, "partition 0: ", 13) == 0, retries > 0);
        assert_int_equal(*progress.retry_reason == '\0', retries == 0);
        assert_int_equal(progress.partitions_done, 0);
        assert_int_equal(engine_wait(&result, engine, job, 0, &err), CUZK_ERR_INTERNAL);
        engine_close(engine);
    }
    test_case_clear(&c);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_partition_is_tried_again_so_often),
        cmocka_unit_test(every_refusal_is_an_error_and_leaves_nothing),
    };

    for (int kind = 0; kind < FAULTS; kind++) atomic_store(&left[kind], -1);
    params = getenv("CUZK_TEST_PARAMS");
    if (params == NULL || access(params, R_OK) != 0 || argc != 2) return SKIPPED;
    case_name = argv[1];
    (void)setenv("CUZK_KERNELS", "portable", 1);
    make_groups();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

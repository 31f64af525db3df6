/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "engine/gate.h"
#include "engine/ledger.h"

enum { URGENT = 3, BUDGET = 1000, KEPT = 100 };

static work_rank_t rank_of(int32_t priority, uint64_t age)
{
    return (work_rank_t){.priority = priority, .deadline_ns = UINT64_MAX, .age = age};
}

static void pause_ms(long ms)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

static ledger_t *open_ledger(void)
{
    ledger_t *ledger;
    cuzk_error err;

    assert_int_equal(ledger_open(&ledger, BUDGET, KEPT, URGENT, &err), CUZK_OK);
    return ledger;
}

static cuzk_status reserve(reservation_t *r, ledger_t *ledger, uint64_t bytes,
                           const work_rank_t *rank, const char *what, cuzk_error *err)
{
    return ledger_reserve(r, ledger, &(ledger_wish_t){.bytes = bytes, .rank = *rank, .what = what},
                          err);
}

static void what_never_fits_is_refused_with_need_and_limit(void **unused)
{
    const work_rank_t bulk = rank_of(2, 1), urgent = rank_of(4, 2);
    ledger_t *ledger = open_ledger();
    reservation_t r;
    cuzk_error err;

    (void)unused;
    assert_int_equal(reserve(&r, ledger, BUDGET, &bulk, "porep-2k", &err), CUZK_ERR_BUDGET);
    assert_string_equal(err.text, "memory budget: 1000 bytes, of which 100 are kept for urgent "
                                  "proofs; porep-2k takes 1000");
    assert_int_equal(reserve(&r, ledger, BUDGET, &urgent, "w", &err), CUZK_OK);
    assert_int_equal(ledger_totals(ledger).reserved, BUDGET);
    ledger_release(&r);
    ledger_release(&r);
    assert_int_equal(ledger_totals(ledger).reserved, 0);
    assert_int_equal(ledger_totals(ledger).peak, BUDGET);
    ledger_close(ledger);
}

static void reservations_shrink_and_have_owners(void **unused)
{
    ledger_t *ledger = open_ledger();
    reservation_t a, b = {0};

    (void)unused;
    assert_true(ledger_try(&a, ledger, LEDGER_PARAMS, 600));
    assert_false(ledger_try(&b, ledger, LEDGER_JOBS, 401));
    ledger_shrink(&a, 500);
    ledger_shrink(&a, 550); /* never grows */
    ledger_set(&b, ledger, LEDGER_IDLE, 700);
    const ledger_totals_t totals = ledger_totals(ledger);
    assert_int_equal(totals.by_owner[LEDGER_PARAMS], 500);
    assert_int_equal(totals.by_owner[LEDGER_IDLE], 700);
    assert_int_equal(totals.reserved, 1200); /* idle memory is there already */
    ledger_set(&b, ledger, LEDGER_IDLE, 0);
    ledger_release(&a);
    ledger_release(&b);
    assert_int_equal(ledger_totals(ledger).reserved, 0);
    ledger_close(ledger);
}

/* A thread that waits for memory. */
typedef struct {
    ledger_t *ledger;
    work_rank_t rank;
    cancel_t cancel;
    uint64_t bytes;
    reservation_t held;
    atomic_uint *order;
    unsigned place; /* in which it got its bytes */
    cuzk_status status;
} waiter_t;

static void *wait_for_bytes(void *arg)
{
    waiter_t *w = arg;
    cuzk_error err;

    const ledger_wish_t wish = {
        .bytes = w->bytes, .rank = w->rank, .cancel = &w->cancel, .what = "test"};
    w->status = ledger_reserve(&w->held, w->ledger, &wish, &err);
    w->place = atomic_fetch_add(w->order, 1);
    return NULL;
}

static void start_waiter(pthread_t *thread, waiter_t *w, ledger_t *ledger, work_rank_t rank,
                         uint64_t bytes, atomic_uint *order)
{
    *w = (waiter_t){.ledger = ledger, .rank = rank, .bytes = bytes, .order = order};
    cancel_init(&w->cancel, UINT64_MAX);
    assert_int_equal(pthread_create(thread, NULL, wait_for_bytes, w), 0);
    pause_ms(30);
}

static void memory_goes_by_rank(void **unused)
{
    ledger_t *ledger = open_ledger();
    atomic_uint order = 0;
    reservation_t first;
    waiter_t w[3];
    pthread_t threads[3];

    (void)unused;
    assert_true(ledger_try(&first, ledger, LEDGER_JOBS, 900));
    start_waiter(&threads[0], &w[0], ledger, rank_of(2, 5), 800, &order);
    start_waiter(&threads[1], &w[1], ledger, rank_of(2, 4), 850, &order); /* older */
    start_waiter(&threads[2], &w[2], ledger, rank_of(4, 6), 100, &order); /* fits at once */
    (void)pthread_join(threads[2], NULL);
    assert_int_equal(w[2].place, 0);
    ledger_release(&w[2].held);
    ledger_release(&first);
    (void)pthread_join(threads[1], NULL);
    assert_int_equal(w[1].place, 1);
    pause_ms(30);
    assert_int_equal(order, 2); /* the younger one still waits */
    ledger_release(&w[1].held);
    (void)pthread_join(threads[0], NULL);
    for (int i = 0; i < 3; i++) assert_int_equal(w[i].status, CUZK_OK);
    ledger_release(&w[0].held);
    ledger_close(ledger);
}

static void waiting_can_be_cancelled(void **unused)
{
    ledger_t *ledger = open_ledger();
    atomic_uint order = 0;
    reservation_t first;
    waiter_t w;
    pthread_t thread;

    (void)unused;
    assert_true(ledger_try(&first, ledger, LEDGER_JOBS, 900));
    start_waiter(&thread, &w, ledger, rank_of(2, 5), 800, &order);
    cancel_request(&w.cancel);
    (void)pthread_join(thread, NULL);
    assert_int_equal(w.status, CUZK_CANCELLED);
    assert_int_equal(ledger_totals(ledger).reserved, 900);
    ledger_release(&first);
    ledger_close(ledger);
}

static void release_idle(void *arg, int32_t priority)
{
    (void)priority;
    ledger_release(arg);
}

static void idle_memory_gives_way(void **unused)
{
    const work_rank_t rank = rank_of(2, 1);
    ledger_t *ledger = open_ledger();
    reservation_t idle = {0}, r;
    cuzk_error err;

    (void)unused;
    ledger_set_evict(ledger, release_idle, &idle);
    ledger_set(&idle, ledger, LEDGER_IDLE, 500);
    assert_int_equal(reserve(&r, ledger, 300, &rank, "test", &err), CUZK_OK);
    assert_int_equal(idle.bytes, 500); /* there was room beside it */
    ledger_release(&r);
    assert_int_equal(reserve(&r, ledger, 800, &rank, "test", &err), CUZK_OK);
    assert_int_equal(idle.bytes, 0);
    ledger_release(&r);
    ledger_close(ledger);
}

static void release_a_part(void *arg, int32_t priority)
{
    reservation_t *idle = arg;

    (void)priority;
    ledger_shrink(idle, idle->bytes > 400 ? 400 : 0);
}

static void all_idle_memory_gives_way_at_once(void **unused)
{
    ledger_t *ledger = open_ledger();
    reservation_t idle = {0}, r;

    (void)unused;
    ledger_set_evict(ledger, release_a_part, &idle);
    ledger_set(&idle, ledger, LEDGER_IDLE, 800);
    assert_false(ledger_try(&r, ledger, LEDGER_JOBS, BUDGET + 1));
    assert_int_equal(idle.bytes, 800); /* it would be of no use */
    assert_true(ledger_try(&r, ledger, LEDGER_JOBS, 500));
    assert_int_equal(idle.bytes, 400); /* no more than is needed */
    ledger_release(&r);
    ledger_set(&idle, ledger, LEDGER_IDLE, 800);
    assert_true(ledger_try(&r, ledger, LEDGER_JOBS, BUDGET));
    assert_int_equal(idle.bytes, 0);
    ledger_release(&r);
    ledger_close(ledger);
}

static void idle_memory_is_taken_over(void **unused)
{
    ledger_t *ledger = open_ledger();
    reservation_t idle = {0}, r;
    cuzk_error err;

    (void)unused;
    ledger_set(&idle, ledger, LEDGER_IDLE, 500);
    const ledger_wish_t wish = {
        .bytes = 800, .rank = rank_of(2, 1), .what = "test", .reuses = &idle};
    assert_int_equal(ledger_reserve(&r, ledger, &wish, &err), CUZK_OK);
    assert_int_equal(idle.bytes, 0);
    assert_int_equal(ledger_totals(ledger).reserved, 800);
    assert_int_equal(ledger_totals(ledger).peak, 800);
    ledger_release(&r);
    ledger_close(ledger);
}

/* ---- gates -------------------------------------------------------------------------------------
 */

static void a_gate_has_so_many_seats(void **unused)
{
    const work_rank_t bulk = rank_of(2, 1), low = rank_of(1, 2), urgent = rank_of(4, 3);
    cancel_t late;
    cuzk_error err;
    gate_t gate;

    (void)unused;
    cancel_init(&late, 1); /* passed long ago: whoever would have to wait is told so */
    gate_init(&gate, 2);
    assert_int_equal(gate_enter(&gate, &bulk, NULL, &err), CUZK_OK);
    assert_int_equal(gate_enter(&gate, &bulk, NULL, &err), CUZK_OK);
    assert_int_equal(gate_enter(&gate, &bulk, &late, &err), CUZK_ERR_DEADLINE);
    assert_int_equal(gate_enter(&gate, &low, &late, &err), CUZK_ERR_DEADLINE);
    assert_int_equal(gate_enter(&gate, &urgent, NULL, &err), CUZK_OK); /* bulk does not count */
    gate_leave(&gate, 2);
    gate_leave(&gate, 4);
    assert_int_equal(gate_enter(&gate, &low, NULL, &err), CUZK_OK);
    gate_leave(&gate, 1);
    gate_leave(&gate, 2);
    gate_clear(&gate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_never_fits_is_refused_with_need_and_limit),
        cmocka_unit_test(reservations_shrink_and_have_owners),
        cmocka_unit_test(memory_goes_by_rank),
        cmocka_unit_test(waiting_can_be_cancelled),
        cmocka_unit_test(idle_memory_gives_way),
        cmocka_unit_test(all_idle_memory_gives_way_at_once),
        cmocka_unit_test(idle_memory_is_taken_over),
        cmocka_unit_test(a_gate_has_so_many_seats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

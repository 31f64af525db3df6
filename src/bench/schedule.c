/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/schedule.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

enum { NO_STRAND = UINT32_MAX };

typedef struct {
    uint64_t key;
    uint32_t strand;
} heap_item_t;

/* A binary heap, the lowest key first. */
typedef struct {
    heap_item_t *items;
    size_t n;
} heap_t;

/* Where a strand stands within an event. */
typedef enum {
    CHAIN_BEFORE_SERIAL,
    CHAIN_BEFORE_ACTION, /* its serial stretch is done, or is the unit to claim */
    CHAIN_BEHIND_ACTION  /* its loop or join is done, or has begun */
} chain_step;

/* A strand as a chain of units of work: stretches and tasks. */
typedef struct {
    size_t next, end; /* the events not done: simulation_t.order[next .. end-1] */
    size_t next_task; /* of the loop that has begun */
    size_t n_running; /* units on cores */
    chain_step step;
    uint32_t first_waiter; /* the chains that wait for this one's end, linked by next_waiter */
    uint32_t next_waiter;
    bool is_forked; /* begins at a fork */
    bool is_ready;  /* has a unit to claim */
    bool has_ended;
} chain_t;

typedef struct {
    const trace_event_t *events;
    size_t *order;   /* of the events by strand */
    chain_t *chains; /* by strand */
    uint32_t n_chains;
    heap_t ready;    /* chains that are; the key is the strand */
    heap_t running;  /* a unit for each busy core; the key is when it ends */
    uint32_t *woken; /* chains that wait no longer, each once */
    uint32_t n_woken;
    uint64_t now_ns;
} simulation_t;

static void heap_push(heap_t *heap, uint64_t key, uint32_t strand)
{
    size_t at = heap->n++;

    for (; at > 0 && heap->items[(at - 1) / 2].key > key; at = (at - 1) / 2)
        heap->items[at] = heap->items[(at - 1) / 2];
    heap->items[at] = (heap_item_t){key, strand};
}

static uint32_t heap_pop(heap_t *heap)
{
    const uint32_t strand = heap->items[0].strand;
    const heap_item_t last = heap->items[--heap->n];
    size_t at = 0;

    for (size_t child; (child = 2 * at + 1) < heap->n; at = child) {
        if (child + 1 < heap->n && heap->items[child + 1].key < heap->items[child].key) child++;
        if (heap->items[child].key >= last.key) break;
        heap->items[at] = heap->items[child];
    }
    heap->items[at] = last;
    return strand;
}

static void make_ready(simulation_t *sim, uint32_t strand)
{
    sim->chains[strand].is_ready = true;
    heap_push(&sim->ready, strand, strand);
}

/* What comes after an event's stretch; false when the chain has to wait for it. */
static bool take_event(simulation_t *sim, uint32_t strand, const trace_event_t *event)
{
    chain_t *chain = &sim->chains[strand];

    if (event->kind == TRACE_LOOP && event->n_tasks > 0) {
        chain->next_task = 0;
        make_ready(sim, strand);
        return false;
    }
    if (event->kind == TRACE_FORK) sim->woken[sim->n_woken++] = event->other;
    if (event->kind == TRACE_JOIN && !sim->chains[event->other].has_ended) {
        chain->next_waiter = sim->chains[event->other].first_waiter;
        sim->chains[event->other].first_waiter = strand;
        return false;
    }
    return true;
}

/* Takes a chain to its next unit, to where it waits, or to its end. */
static void move_on(simulation_t *sim, uint32_t strand)
{
    chain_t *chain = &sim->chains[strand];

    for (; chain->next < chain->end; chain->next++) {
        const trace_event_t *event = &sim->events[sim->order[chain->next]];

        if (chain->step == CHAIN_BEFORE_SERIAL) {
            chain->step = CHAIN_BEFORE_ACTION;
            if (event->serial_ns > 0) {
                make_ready(sim, strand);
                return;
            }
        }
        if (chain->step == CHAIN_BEFORE_ACTION) {
            chain->step = CHAIN_BEHIND_ACTION;
            if (!take_event(sim, strand, event)) return;
        }
        chain->step = CHAIN_BEFORE_SERIAL;
    }
    chain->has_ended = true;
    for (uint32_t s = chain->first_waiter; s != NO_STRAND; s = sim->chains[s].next_waiter)
        sim->woken[sim->n_woken++] = s;
}

static void move_woken(simulation_t *sim)
{
    while (sim->n_woken > 0) move_on(sim, sim->woken[--sim->n_woken]);
}

/* Puts the next unit of the first ready chain on a core. */
static void claim(simulation_t *sim)
{
    const uint32_t strand = sim->ready.items[0].strand;
    chain_t *chain = &sim->chains[strand];
    const trace_event_t *event = &sim->events[sim->order[chain->next]];
    const bool is_serial = chain->step == CHAIN_BEFORE_ACTION;
    const uint64_t ns = is_serial ? event->serial_ns : event->task_ns[chain->next_task++];

    if (is_serial || chain->next_task == event->n_tasks) {
        (void)heap_pop(&sim->ready);
        chain->is_ready = false;
    }
    chain->n_running++;
    heap_push(&sim->running, sim->now_ns + ns, strand);
}

/* Ends all units that end next. */
static void pass_time(simulation_t *sim)
{
    sim->now_ns = sim->running.items[0].key;
    while (sim->running.n > 0 && sim->running.items[0].key == sim->now_ns) {
        const uint32_t strand = heap_pop(&sim->running);
        chain_t *chain = &sim->chains[strand];

        if (--chain->n_running == 0 && !chain->is_ready) move_on(sim, strand);
    }
    move_woken(sim);
}

static cuzk_status run(simulation_t *sim, uint32_t cores, cuzk_error *err)
{
    for (uint32_t s = 0; s < sim->n_chains; s++)
        if (!sim->chains[s].is_forked) sim->woken[sim->n_woken++] = s;
    move_woken(sim);
    for (;;) {
        while (sim->running.n < cores && sim->ready.n > 0) claim(sim);
        if (sim->running.n == 0) break;
        pass_time(sim);
    }
    for (uint32_t s = 0; s < sim->n_chains; s++)
        if (!sim->chains[s].has_ended)
            return error_set(err, CUZK_ERR_ARG, "trace: strand %u never ends", s);
    return CUZK_OK;
}

/* Adds the times of an event. */
static cuzk_status add_work(uint64_t *work_ns, const trace_event_t *event, cuzk_error *err)
{
    bool overflows = __builtin_add_overflow(*work_ns, event->serial_ns, work_ns);

    if (event->kind == TRACE_LOOP)
        for (size_t i = 0; i < event->n_tasks; i++)
            overflows |= __builtin_add_overflow(*work_ns, event->task_ns[i], work_ns);
    return overflows ? error_set(err, CUZK_ERR_ARG, "trace: its times add up to over 2^64 ns")
                     : CUZK_OK;
}

static bool names_other(const trace_event_t *event)
{
    return event->kind == TRACE_FORK || event->kind == TRACE_JOIN;
}

static cuzk_status look_through(schedule_t *out, uint32_t *n_chains, const trace_event_t *events,
                                size_t n, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;
    uint32_t last = 0;

    *out = (schedule_t){0};
    for (size_t i = 0; i < n && st == CUZK_OK; i++) {
        if (events[i].strand > last) last = events[i].strand;
        if (names_other(&events[i]) && events[i].other > last) last = events[i].other;
        st = add_work(&out->work_ns, &events[i], err);
    }
    *n_chains = last + 1;
    if (st == CUZK_OK && last >= SCHEDULE_MAX_STRANDS)
        st = error_set(err, CUZK_ERR_ARG, "trace: strand %u, at most %d are expected", last,
                       SCHEDULE_MAX_STRANDS);
    return st;
}

/* Sorts the events by strand, each strand's as they stand. */
static cuzk_status sort_events(simulation_t *sim, size_t n, cuzk_error *err)
{
    size_t at = 0;

    for (size_t i = 0; i < n; i++) sim->chains[sim->events[i].strand].end++;
    for (uint32_t s = 0; s < sim->n_chains; s++) {
        chain_t *chain = &sim->chains[s];
        const size_t length = chain->end;

        chain->next = chain->end = at;
        chain->first_waiter = NO_STRAND;
        at += length;
    }
    for (size_t i = 0; i < n; i++) {
        const trace_event_t *event = &sim->events[i];

        sim->order[sim->chains[event->strand].end++] = i;
        if (event->kind != TRACE_FORK) continue;
        if (sim->chains[event->other].is_forked)
            return error_set(err, CUZK_ERR_ARG, "trace: strand %u is forked twice", event->other);
        sim->chains[event->other].is_forked = true;
    }
    return CUZK_OK;
}

static void simulation_clear(simulation_t *sim)
{
    free(sim->order);
    free(sim->chains);
    free(sim->ready.items);
    free(sim->running.items);
    free(sim->woken);
}

static cuzk_status simulation_open(simulation_t *sim, const trace_event_t *events, size_t n,
                                   uint32_t cores, cuzk_error *err)
{
    static const char what[] = "schedule of a trace";

    sim->events = events;
    sim->order = mem_alloc(n, sizeof *sim->order, what, err);
    sim->chains = mem_alloc(sim->n_chains, sizeof *sim->chains, what, err);
    sim->ready.items = mem_alloc(sim->n_chains, sizeof *sim->ready.items, what, err);
    sim->running.items = mem_alloc(cores, sizeof *sim->running.items, what, err);
    sim->woken = mem_alloc(sim->n_chains, sizeof *sim->woken, what, err);
    if (sim->order == NULL || sim->chains == NULL || sim->ready.items == NULL ||
        sim->running.items == NULL || sim->woken == NULL)
        return CUZK_ERR_MEMORY;
    return sort_events(sim, n, err);
}

cuzk_status schedule_simulate(schedule_t *out, const trace_event_t *events, size_t n,
                              uint32_t cores, cuzk_error *err)
{
    simulation_t sim = {0};

    if (cores == 0 || cores > SCHEDULE_MAX_CORES)
        return error_set(err, CUZK_ERR_ARG, "cores: %u is not from 1 to %d", cores,
                         SCHEDULE_MAX_CORES);
    cuzk_status st = look_through(out, &sim.n_chains, events, n, err);
    if (st != CUZK_OK) return st;
    st = simulation_open(&sim, events, n, cores, err);
    if (st == CUZK_OK) st = run(&sim, cores, err);
    out->makespan_ns = sim.now_ns;
    if (out->makespan_ns > 0)
        out->busy = (double)out->work_ns / ((double)cores * (double)out->makespan_ns);
    simulation_clear(&sim);
    return st;
}

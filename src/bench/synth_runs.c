/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/synth_runs.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "bench/cachegrind.h"
#include "bench/process_usage.h"

/* One run with what it allocates counted, which takes time of its own. */
static cuzk_status run_counted(alloc_count_t *allocated, const synth_t *synth, synth_work work,
                               cuzk_error *err)
{
    const alloc_count_t before = alloc_count_now();
    synth_made_t made;

    alloc_count_switch(true);
    const cuzk_status st = synth_run(&made, synth, work, err);
    alloc_count_switch(false);
    const alloc_count_t after = alloc_count_now();
    if (st != CUZK_OK) return st;
    *allocated = (alloc_count_t){after.calls - before.calls, after.bytes - before.bytes};
    synth_made_clear(&made);
    return CUZK_OK;
}

static void look_at(synth_result_t *r, const synth_made_t *made, bool digests)
{
    if (made->work == WORK_PARSE) return;
    r->counts = made->x.counts;
    r->has_bits = made->work != WORK_DENSITIES;
    r->bits = made->x.witness.n_aux - made->x.witness.n_elements;
    if (digests) synth_digest(&r->digests, &made->x, made->work);
}

static cuzk_status iterate(synth_result_t *r, const synth_t *synth, const synth_plan_t *plan,
                           cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    for (uint32_t i = 0; i < plan->warm_up && st == CUZK_OK; i++)
        st = run_counted(&r->allocated, synth, plan->work, err);
    for (uint32_t i = 0; i < plan->iterations && st == CUZK_OK; i++) {
        synth_made_t made;

        measure_start(&r->m);
        st = synth_run(&made, synth, plan->work, err);
        if (st != CUZK_OK) return st;
        measure_stop(&r->m);
        look_at(r, &made, plan->digests && i + 1 == plan->iterations);
        synth_made_clear(&made);
    }
    r->peak_rss = process_peak_rss_bytes();
    return st;
}

/* One run of one kind of work; m is empty. */
static cuzk_status run_work(phase_usage_t *usage, measure_t *m, const synth_t *synth,
                            synth_work work, cuzk_error *err)
{
    synth_made_t made;

    const bool has_peak = peak_memory_restart();
    const uint64_t faults = process_usage_now().page_faults;
    measure_start(m);
    const cuzk_status st = synth_run(&made, synth, work, err);
    if (st != CUZK_OK) return st;
    measure_stop(m);
    *usage = (phase_usage_t){.metrics = {[METRIC_WALL_S] = m->wall[0], [METRIC_CPU_S] = m->cpu[0]}};
    usage->metrics[METRIC_PAGE_FAULTS] = (double)(process_usage_now().page_faults - faults);
    usage->metrics[METRIC_PEAK_RSS_BYTES] =
        has_peak ? (double)process_peak_rss_bytes() : (double)NAN;
    if (m->counters != NULL) counters_read(&usage->counters, m->counters, 1);
    synth_made_clear(&made);
    return CUZK_OK;
}

/* Works there are on this path. */
static uint32_t count_works(const synth_t *synth)
{
    return synth_has_densities_alone(synth) ? WORKS : WORK_DENSITIES;
}

/* One round of all works; counted: what they allocate, else all the rest. */
static cuzk_status run_round(work_runs_t *runs, alloc_count_t *allocated, bool counted,
                             measure_t *m, const synth_t *synth, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    for (uint32_t w = 0; w < count_works(synth) && st == CUZK_OK; w++) {
        phase_usage_t usage;

        if (counted) {
            st = run_counted(&allocated[w], synth, (synth_work)w, err);
            continue;
        }
        measure_restart(m);
        st = run_work(&usage, m, synth, (synth_work)w, err);
        if (st == CUZK_OK) work_runs_add(&runs[w], &usage);
    }
    return st;
}

static void set_phases(phases_t *phases, const work_runs_t *runs, const alloc_count_t *allocated,
                       const synth_t *synth)
{
    phase_usage_t usage[WORKS];

    for (uint32_t w = 0; w < count_works(synth); w++) {
        work_runs_median(&usage[w], &runs[w]);
        usage[w].metrics[METRIC_BYTES_ALLOCATED] = (double)allocated[w].bytes;
        usage[w].metrics[METRIC_ALLOCATIONS] = (double)allocated[w].calls;
    }
    phases_set_usage(phases, usage, synth_has_densities_alone(synth));
}

/* All works by turns, so that what disturbs the machine disturbs them alike. */
static cuzk_status run_works(phases_t *phases, const synth_t *synth, const synth_plan_t *plan,
                             cuzk_error *err)
{
    work_runs_t *runs = mem_alloc(WORKS, sizeof *runs, "runs", err);
    alloc_count_t allocated[WORKS];
    measure_t m;

    if (runs == NULL) return CUZK_ERR_MEMORY;
    measure_init(&m, plan->count != COUNT_NONE);
    cuzk_status st = run_round(runs, allocated, true, &m, synth, err);
    for (uint32_t i = 0; i < plan->iterations && st == CUZK_OK; i++)
        st = run_round(runs, allocated, false, &m, synth, err);
    measure_clear(&m);
    if (st == CUZK_OK) set_phases(phases, runs, allocated, synth);
    free(runs);
    return st;
}

static cuzk_status simulate(synth_result_t *r, const synth_t *synth, const synth_plan_t *plan,
                            cuzk_error *err)
{
    static const char *const words[WORKS] = {"--work=parse", "--work=witness", "--work=abc",
                                             "--work=all", "--work=densities"};
    counters_t works[WORKS];

    if (!plan->phases)
        return cachegrind_measure(&r->simulated, &plan->child, &words[plan->work], 1, err);
    const cuzk_status st = cachegrind_measure(works, &plan->child, words, count_works(synth), err);
    if (st != CUZK_OK) return st;
    r->simulated = works[WORK_ALL];
    phases_set_simulations(&r->phases, works, synth_has_densities_alone(synth));
    return CUZK_OK;
}

cuzk_status synth_measure(synth_result_t *r, const synth_t *synth, const synth_plan_t *plan,
                          cuzk_error *err)
{
    r->counts = synth_counts(synth);
    measure_init(&r->m, plan->count != COUNT_NONE);
    cuzk_status st = iterate(r, synth, plan, err);
    if (st == CUZK_OK && r->m.counters != NULL && r->m.n > 0)
        counters_read(&r->counters, r->m.counters, r->m.n);
    measure_clear(&r->m);
    if (st != CUZK_OK || plan->iterations == 0) return st;
    if (plan->phases) st = run_works(&r->phases, synth, plan, err);
    if (st == CUZK_OK && plan->count == COUNT_CACHEGRIND) st = simulate(r, synth, plan, err);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <math.h>
#include <stdio.h>

#include "base/bytes.h"
#include "base/cpu.h"
#include "bench/cachegrind.h"
#include "bench/synth_runs.h"

const char *const synth_path_names[3] = {"generic", "stamped", "pce"};

static double rate(uint64_t n_constraints, const double *seconds, uint32_t n)
{
    return n_constraints > 0 && n > 0 ? (double)n_constraints / median(seconds, n) : (double)NAN;
}

static void write_phases(json_writer_t *w, const synth_result_t *r, const synth_t *synth)
{
    json_write_object(w, "phases");
    json_write_object(w, "shape");
    json_write_double(w, "wall_s", synth->shape_s);
    json_write_end(w);
    phases_write(w, &r->phases, r->counts.n_constraints);
    json_write_end(w);
}

static void write_result(json_writer_t *w, const synth_result_t *r, const synth_plan_t *plan)
{
    char hex[2 * SHA256_BYTES + 1] = "";
    uint8_t all[SHA256_BYTES];

    const bool digests = plan->digests && r->m.n > 0;

    if (digests && plan->work != WORK_PARSE) {
        sha256(all, &r->digests, sizeof r->digests);
        bytes_to_hex(hex, all, sizeof all);
    }
    measure_times(w, &r->m, hex, r->counts.n_constraints);
    if (digests) synth_write_digests(w, &r->digests, plan->work);
}

void synth_report_json(const synth_result_t *r, const synth_t *synth, const synth_plan_t *plan)
{
    const uint64_t n = r->counts.n_constraints;
    json_writer_t w;

    measure_begin(&w, "synth-only", strand_size(synth->subject->strand));
    subject_write(&w, synth->subject);
    json_write_string(&w, "path", synth_path_names[plan->variant.path]);
    json_write_string(&w, "work", work_names[plan->work]);
    json_write_u64(&w, "iterations", r->m.n);
    json_write_u64(&w, "constraints", n);
    json_write_u64(&w, "aux", r->counts.n_aux);
    if (r->has_bits)
        json_write_u64(&w, "aux_bits", r->bits);
    else
        json_write_null(&w, "aux_bits");
    json_write_double(&w, "constraints_per_s", rate(n, r->m.wall, r->m.n));
    json_write_double(&w, "constraints_per_cpu_s", rate(n, r->m.cpu, r->m.n));
    write_phases(&w, r, synth);
    if (plan->warm_up > 0) {
        json_write_u64(&w, "bytes_allocated", r->allocated.bytes);
        json_write_u64(&w, "allocations", r->allocated.calls);
    }
    json_write_u64(&w, "peak_rss_bytes", r->peak_rss);
    write_result(&w, r, plan);
    if (plan->count != COUNT_NONE && r->m.n > 0) counters_write(&w, "counters", &r->counters, n);
    if (plan->count == COUNT_CACHEGRIND && r->m.n > 0) {
        json_write_string(&w, "simulated_caches", CACHEGRIND_CACHES);
        counters_write(&w, "simulated", &r->simulated, n);
    }
    measure_end(&w);
}

static const char *const work_texts[WORKS] = {
    "reading and checking the input", "the witness alone", "witness and a, b, c",
    "witness, a, b, c and densities", "the densities alone"};

static void print_head(const synth_t *synth, const synth_plan_t *plan)
{
    const subject_t *s = synth->subject;

    (void)printf("%s, partition %u, path %s, threads: %u, %s kernels\n", s->input.facts.row->label,
                 s->partition, synth_path_names[plan->variant.path], strand_size(s->strand),
                 cpu_level_name(cpu_level_used()));
    (void)printf("before the clock: parse %.3f s, shape %.3f s\n", s->parse_s, synth->shape_s);
    (void)printf("in the clock: %s\n", work_texts[plan->work]);
}

void synth_report_text(const synth_result_t *r, const synth_t *synth, const synth_plan_t *plan)
{
    const uint64_t n = r->counts.n_constraints;

    print_head(synth, plan);
    (void)printf("iterations: %u", r->m.n);
    if (r->m.n > 0)
        (void)printf(", median %.4f s, CPU %.4f s", median(r->m.wall, r->m.n),
                     median(r->m.cpu, r->m.n));
    (void)printf("\n");
    if (n > 0 && r->m.n > 0)
        (void)printf("%llu constraints: %.2f M/s, %.2f M a CPU second\n", (unsigned long long)n,
                     rate(n, r->m.wall, r->m.n) * 1e-6, rate(n, r->m.cpu, r->m.n) * 1e-6);
    if (plan->warm_up > 0)
        (void)printf("an iteration allocates %llu bytes in %llu calls\n",
                     (unsigned long long)r->allocated.bytes,
                     (unsigned long long)r->allocated.calls);
    (void)printf("peak memory: %llu bytes\n", (unsigned long long)r->peak_rss);
    if (plan->count != COUNT_NONE && r->m.n > 0) counters_print(&r->counters, n);
    if (plan->count == COUNT_CACHEGRIND && r->m.n > 0) {
        (void)printf("simulated by cachegrind (" CACHEGRIND_CACHES "), portable kernels:\n");
        counters_print(&r->simulated, n);
    }
    phases_print(&r->phases, n);
}

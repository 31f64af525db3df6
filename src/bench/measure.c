/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "bench/build_info.h"

void measure_init(measure_t *m, bool with_counters)
{
    m->n = 0;
    m->counters = with_counters ? counters_open() : NULL;
}

void measure_clear(measure_t *m)
{
    counters_close(m->counters);
    m->counters = NULL;
}

void measure_restart(measure_t *m)
{
    m->n = 0;
    if (m->counters != NULL) counters_restart(m->counters);
}

void measure_start(measure_t *m)
{
    if (m->counters != NULL) counters_start(m->counters);
    m->cpu_start = clock_process_cpu_ns();
    m->wall_start = clock_monotonic_ns();
}

void measure_stop(measure_t *m)
{
    m->wall[m->n] = clock_seconds_between(m->wall_start, clock_monotonic_ns());
    m->cpu[m->n] = clock_seconds_between(m->cpu_start, clock_process_cpu_ns());
    if (m->counters != NULL) counters_stop(m->counters);
    m->n++;
}

void measure_begin(json_writer_t *w, const char *bench, uint32_t threads)
{
    char version[64];

    (void)snprintf(version, sizeof version, "cuzk %s (%s)", CUZK_VERSION,
                   cpu_level_name(cpu_level_used()));
    json_writer_init(w, JSON_ONE_LINE);
    json_write_object(w, NULL);
    json_write_string(w, "bench", bench);
    json_write_string(w, "lib", "cuzk");
    json_write_string(w, "version", version);
    json_write_string(w, "commit", build_commit());
    json_write_u64(w, "threads", threads);
}

static void write_sorted(json_writer_t *w, const measure_t *m)
{
    double sorted[STATS_MAX_RUNS];

    memcpy(sorted, m->wall, m->n * sizeof *sorted);
    sort_values(sorted, m->n);
    json_write_array(w, "times_s");
    for (uint32_t i = 0; i < m->n; i++) json_write_double(w, NULL, sorted[i]);
    json_write_end(w);
}

void measure_times(json_writer_t *w, const measure_t *m, const char *result, uint64_t n_constraints)
{
    counters_t counters;

    json_write_u64(w, "runs", m->n);
    write_sorted(w, m);
    json_write_double(w, "median_s", m->n > 0 ? median(m->wall, m->n) : (double)NAN);
    json_write_double(w, "min_s", m->n > 0 ? minimum(m->wall, m->n) : (double)NAN);
    json_write_double(w, "cpu_s", m->n > 0 ? median(m->cpu, m->n) : (double)NAN);
    json_write_string(w, "result", result);
    if (m->counters == NULL) return;
    counters_read(&counters, m->counters, m->n);
    counters_write(w, "counters", &counters, n_constraints);
}

void measure_end(json_writer_t *w)
{
    json_write_end(w);
    (void)puts(json_writer_text(w));
    json_writer_clear(w);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu.h"

void measure_start(measure_t *m)
{
    m->cpu_start = clock_process_cpu_ns();
    m->wall_start = clock_monotonic_ns();
}

void measure_stop(measure_t *m)
{
    m->wall[m->n] = seconds_between(m->wall_start, clock_monotonic_ns());
    m->cpu[m->n] = seconds_between(m->cpu_start, clock_process_cpu_ns());
    m->n++;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

double median(double *values, uint32_t n)
{
    qsort(values, n, sizeof *values, compare);
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

void measure_write(json_writer_t *w, const kernels_t *k, measure_t *m, const char *result)
{
    char version[64];

    (void)snprintf(version, sizeof version, "cuzk %s (%s)", CUZK_VERSION,
                   cpu_level_name(cpu_level_used()));
    json_writer_init(w, JSON_ONE_LINE);
    json_write_object(w, NULL);
    json_write_string(w, "bench", k->bench);
    json_write_string(w, "lib", "cuzk");
    json_write_string(w, "version", version);
    json_write_u64(w, "log_n", k->log_n);
    json_write_u64(w, "threads", k->threads);
    json_write_u64(w, "runs", k->runs);
    json_write_array(w, "times_s");
    for (uint32_t i = 0; i < m->n; i++) json_write_double(w, NULL, m->wall[i]);
    json_write_end(w);
    json_write_double(w, "median_s", median(m->wall, m->n));
    json_write_double(w, "min_s", m->wall[0]); /* sorted by median() */
    json_write_double(w, "cpu_s", median(m->cpu, m->n));
    json_write_string(w, "result", result);
}

void measure_print(json_writer_t *w)
{
    json_write_end(w);
    (void)puts(json_writer_text(w));
    json_writer_clear(w);
}

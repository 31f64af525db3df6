/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/ab_record.h"

#include <math.h>
#include <string.h>

#include "bench/build_info.h"
#include "bench/cachegrind.h"

enum { SEED = 20240229 };

static void take_times(double *wall, double *cpu, const ab_side_t *side, uint32_t runs)
{
    for (uint32_t i = 0; i < runs; i++) {
        wall[i] = side->samples[i].wall_s;
        cpu[i] = side->samples[i].cpu_s;
    }
}

void ab_record_init(ab_record_t *record, const ab_t *ab, const char *command_line,
                    const char *measured, bool by_cpu)
{
    double wall_a[AB_MAX_RUNS], wall_b[AB_MAX_RUNS], cpu_a[AB_MAX_RUNS], cpu_b[AB_MAX_RUNS];

    take_times(wall_a, cpu_a, &ab->a, ab->runs);
    take_times(wall_b, cpu_b, &ab->b, ab->runs);
    *record = (ab_record_t){.ab = ab,
                            .command_line = command_line,
                            .measured = measured,
                            .by_cpu = by_cpu,
                            .wall = bootstrap_ratio(wall_a, wall_b, ab->runs, SEED),
                            .cpu = bootstrap_ratio(cpu_a, cpu_b, ab->runs, SEED)};
}

verdict ab_record_verdict(const ab_record_t *record)
{
    return verdict_of(record->by_cpu ? &record->cpu : &record->wall);
}

static double median_time(const ab_side_t *side, uint32_t runs, bool cpu)
{
    double wall_s[AB_MAX_RUNS], cpu_s[AB_MAX_RUNS];

    take_times(wall_s, cpu_s, side, runs);
    return median(cpu ? cpu_s : wall_s, runs);
}

static double least_cpu_time(const ab_side_t *side, uint32_t runs)
{
    double wall_s[AB_MAX_RUNS], cpu_s[AB_MAX_RUNS];

    take_times(wall_s, cpu_s, side, runs);
    return minimum(cpu_s, runs);
}

static void print_time_row(FILE *out, const ab_record_t *r, bool cpu)
{
    const ratio_t *ratio = cpu ? &r->cpu : &r->wall;

    (void)fprintf(out, "| %s time, s | %.4g | %.4g | %.4f | %.4f to %.4f |\n", cpu ? "CPU" : "wall",
                  median_time(&r->ab->a, r->ab->runs, cpu),
                  median_time(&r->ab->b, r->ab->runs, cpu), ratio->ratio, ratio->low, ratio->high);
}

/* What disturbs a run only adds to it, so the least is the least disturbed. */
static void print_least_row(FILE *out, const ab_t *ab)
{
    const double a = least_cpu_time(&ab->a, ab->runs);
    const double b = least_cpu_time(&ab->b, ab->runs);

    (void)fprintf(out, "| least CPU time, s | %.4g | %.4g | %.4f | |\n", a, b, b / a);
}

static void print_counter_row(FILE *out, const char *name, const char *kind, double a, double b)
{
    const double sides[2] = {a, b};

    (void)fprintf(out, "| %s%s | ", name, kind);
    for (int i = 0; i < 2; i++) {
        const bool whole = sides[i] >= 100 || sides[i] == floor(sides[i]);

        if (isnan(sides[i]))
            (void)fprintf(out, "none | ");
        else
            (void)fprintf(out, "%.*f | ", whole ? 0 : 1, sides[i]);
    }
    if (isnan(a) || isnan(b) || a == 0)
        (void)fprintf(out, "| |\n");
    else
        (void)fprintf(out, "%.4f | |\n", b / a);
}

static void print_counters(FILE *out, const ab_t *ab)
{
    const ab_counters_t *rows = &ab->a.samples[0].counters;

    for (uint32_t i = 0; i < rows->n; i++)
        print_counter_row(out, rows->rows[i].name, "",
                          ab_counter_median(&ab->a, ab->runs, rows->rows[i].name),
                          ab_counter_median(&ab->b, ab->runs, rows->rows[i].name));
    for (uint32_t i = 0; i < ab->a.simulated.n; i++) {
        const ab_counter_t *row = &ab->a.simulated.rows[i];

        print_counter_row(out, row->name, ", simulated", row->value,
                          ab_counters_value(&ab->b.simulated, row->name));
    }
}

/* Reasons, each once, with the events they are for. */
static void print_missing(FILE *out, const char *where, const ab_missing_t *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        bool told = false;

        for (uint32_t k = 0; k < i && !told; k++) told = strcmp(m->whys[i], m->whys[k]) == 0;
        if (told) continue;
        (void)fprintf(out, "- not counted%s: %s", where, m->names[i]);
        for (uint32_t k = i + 1; k < m->n; k++)
            if (strcmp(m->whys[i], m->whys[k]) == 0) (void)fprintf(out, ", %s", m->names[k]);
        (void)fprintf(out, " (%s)\n", m->whys[i]);
    }
}

/* With which kernels, where the side's lines tell; else what its program says. */
static const char *version_of(const ab_side_t *side)
{
    const char *told = side->samples[0].version;

    return told[0] != '\0' ? told : side->program.version;
}

/* What the sides computed, the same for both when both tell. */
static const char *result_of(const ab_t *ab)
{
    const char *a = ab->a.samples[0].result;

    return a[0] != '\0' ? a : ab->b.samples[0].result;
}

static void print_side(FILE *out, const ab_side_t *side)
{
    (void)fprintf(out, "- %s: %s", side->letter, version_of(side));
    if (side->program.commit[0] != '\0') (void)fprintf(out, ", commit %s", side->program.commit);
    if (side->program.is_other) (void)fprintf(out, ", program `%s`", side->program.path);
    if (side->samples[0].threads > 0)
        (void)fprintf(out, ", threads: %llu", (unsigned long long)side->samples[0].threads);
    (void)fputc('\n', out);
}

void ab_record_markdown(FILE *out, const ab_record_t *r)
{
    const ab_t *ab = r->ab;
    const char *input = ab->a.samples[0].input_sha256;
    machine_t machine;

    machine_read(&machine);
    (void)fprintf(out, "# %s: A `%s`, B `%s`\n\n", ab->command.args[0], ab->a.config.text,
                  ab->b.config.text);
    (void)fprintf(out, "B against A: **%s** (by %s time, %u runs a side).\n\n",
                  verdict_name(ab_record_verdict(r)), r->by_cpu ? "CPU" : "wall", ab->runs);
    (void)fprintf(out, "| median of runs | A | B | B / A | 95%% interval |\n"
                       "|---|---|---|---|---|\n");
    print_time_row(out, r, false);
    print_time_row(out, r, true);
    print_least_row(out, ab);
    print_counters(out, ab);
    (void)fprintf(out,
                  "\n- measured: `%s`, both sides by turns; pairs run before and left out: %u\n",
                  r->measured, ab->warm_up);
    print_side(out, &ab->a);
    print_side(out, &ab->b);
    print_missing(out, "", &ab->a.samples[0].missing);
    if (memcmp(&ab->a.samples[0].missing, &ab->b.samples[0].missing, sizeof(ab_missing_t)) != 0)
        print_missing(out, " in B", &ab->b.samples[0].missing);
    if (ab->simulate)
        (void)fprintf(out, "- simulated: one iteration under cachegrind, portable kernels, "
                           "" CACHEGRIND_CACHES "\n");
    if (ab_results_compared(ab))
        (void)fprintf(out, "- both sides computed the same: `%.32s...`\n", result_of(ab));
    else
        (void)fprintf(out, "- **not compared:** one side tells no result, the other `%.32s...`\n",
                      result_of(ab));
    if (input[0] != '\0') (void)fprintf(out, "- input: SHA-256 `%s`\n", input);
    (void)fprintf(out, "- machine: %s%s, %u CPUs, %.0f GiB, %s\n", machine.processor,
                  machine.is_virtual ? " (virtual machine)" : "", machine.cpus,
                  (double)machine.memory_bytes / (1u << 30), machine.kernel);
    if (ab->subject == AB_PROVE)
        (void)fprintf(out, "- parameters: of --params, else of $FIL_PROOFS_PARAMETER_CACHE\n");
    (void)fprintf(out, "- commit %s, %s\n\nRepeat: `%s`\n", build_commit(), build_compiler(),
                  r->command_line);
}

static void write_ratio(json_writer_t *w, const char *name, const ratio_t *ratio)
{
    json_write_object(w, name);
    json_write_double(w, "ratio", ratio->ratio);
    json_write_double(w, "low", ratio->low);
    json_write_double(w, "high", ratio->high);
    json_write_end(w);
}

static void write_simulated(json_writer_t *w, const ab_counters_t *counters)
{
    json_write_object(w, "simulated");
    for (uint32_t i = 0; i < counters->n; i++)
        json_write_double(w, counters->rows[i].name, counters->rows[i].value);
    json_write_end(w);
}

static void write_missing(json_writer_t *w, const ab_missing_t *missing)
{
    json_write_object(w, "not_counted");
    for (uint32_t i = 0; i < missing->n; i++)
        json_write_string(w, missing->names[i], missing->whys[i]);
    json_write_end(w);
}

static void write_side(json_writer_t *w, const char *name, const ab_side_t *side, const ab_t *ab)
{
    const ab_counters_t *rows = &side->samples[0].counters;

    json_write_object(w, name);
    json_write_string(w, "config", side->config.text);
    json_write_string(w, "program", side->program.is_other ? side->program.path : "cuzk-bench");
    json_write_string(w, "version", version_of(side));
    json_write_string(w, "commit", side->program.commit);
    json_write_u64(w, "threads", side->samples[0].threads);
    json_write_double(w, "median_s", median_time(side, ab->runs, false));
    json_write_double(w, "cpu_s", median_time(side, ab->runs, true));
    json_write_array(w, "wall_s_runs");
    for (uint32_t i = 0; i < ab->runs; i++) json_write_double(w, NULL, side->samples[i].wall_s);
    json_write_end(w);
    json_write_array(w, "cpu_s_runs");
    for (uint32_t i = 0; i < ab->runs; i++) json_write_double(w, NULL, side->samples[i].cpu_s);
    json_write_end(w);
    json_write_object(w, "counters");
    for (uint32_t i = 0; i < rows->n; i++)
        json_write_double(w, rows->rows[i].name,
                          ab_counter_median(side, ab->runs, rows->rows[i].name));
    json_write_end(w);
    write_missing(w, &side->samples[0].missing);
    if (ab->simulate) write_simulated(w, &side->simulated);
    json_write_end(w);
}

void ab_record_json(json_writer_t *w, json_style style, const ab_record_t *r)
{
    const ab_t *ab = r->ab;
    machine_t machine;

    machine_read(&machine);
    json_writer_init(w, style);
    json_write_object(w, NULL);
    json_write_string(w, "verdict", verdict_name(ab_record_verdict(r)));
    json_write_string(w, "verdict_by", r->by_cpu ? "cpu" : "wall");
    json_write_u64(w, "runs", ab->runs);
    json_write_u64(w, "warm_up", ab->warm_up);
    write_ratio(w, "wall", &r->wall);
    write_ratio(w, "cpu", &r->cpu);
    write_side(w, "a", &ab->a, ab);
    write_side(w, "b", &ab->b, ab);
    json_write_array(w, "command");
    for (uint32_t i = 0; i < ab->command.n; i++) json_write_string(w, NULL, ab->command.args[i]);
    json_write_end(w);
    json_write_string(w, "repeat", r->command_line);
    json_write_string(w, "result", result_of(ab));
    json_write_bool(w, "results_compared", ab_results_compared(ab));
    json_write_string(w, "input_sha256", ab->a.samples[0].input_sha256);
    json_write_string(w, "commit", build_commit());
    json_write_string(w, "compiler", build_compiler());
    machine_write(w, &machine);
    json_write_end(w);
}

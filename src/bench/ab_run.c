/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/ab_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "codec/json.h"

static cuzk_status read_name(json_t *j, void *row, cuzk_error *err)
{
    return json_copy_string(j, ((ab_counter_t *)row)->name, AB_NAME_BYTES, err);
}

static cuzk_status read_value(json_t *j, void *row, cuzk_error *err)
{
    return json_read_double(j, &((ab_counter_t *)row)->value, err);
}

static cuzk_status read_row(json_t *j, size_t index, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"name", read_name, JSON_REQUIRED},
                                          {"value", read_value, JSON_REQUIRED}};
    ab_counters_t *counters = out;

    counters->n = (uint32_t)index + 1;
    return json_read_object(j, fields, 2, &counters->rows[index], err);
}

static cuzk_status read_rows(json_t *j, void *out, cuzk_error *err)
{
    return json_read_array(j, read_row, out, 0, COUNTERS_MAX, NULL, err);
}

static cuzk_status read_counters(json_t *j, ab_counters_t *counters, cuzk_error *err)
{
    static const json_field_t fields[] = {{"values", read_rows, JSON_REQUIRED}};

    return json_read_object(j, fields, 1, counters, err);
}

static cuzk_status read_missing_name(json_t *j, void *out, cuzk_error *err)
{
    ab_missing_t *missing = out;

    return json_copy_string(j, missing->names[missing->n - 1], AB_NAME_BYTES, err);
}

static cuzk_status read_missing_why(json_t *j, void *out, cuzk_error *err)
{
    ab_missing_t *missing = out;

    return json_copy_string(j, missing->whys[missing->n - 1], COUNTERS_WHY_BYTES, err);
}

static cuzk_status read_missing_row(json_t *j, size_t index, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"name", read_missing_name, JSON_REQUIRED},
                                          {"why", read_missing_why, JSON_REQUIRED}};

    ((ab_missing_t *)out)->n = (uint32_t)index + 1;
    return json_read_object(j, fields, 2, out, err);
}

/* A line while it is read: allocations stand beside the counters, in any order. */
typedef struct {
    ab_sample_t *sample;
    ab_counters_t allocated;
    bool is_other;
} line_t;

static ab_sample_t *sample_of(void *line)
{
    return ((line_t *)line)->sample;
}

static cuzk_status read_values(json_t *j, void *line, cuzk_error *err)
{
    return read_rows(j, &sample_of(line)->counters, err);
}

static cuzk_status read_missing(json_t *j, void *line, cuzk_error *err)
{
    return json_read_array(j, read_missing_row, &sample_of(line)->missing, 0, COUNTERS_MAX, NULL,
                           err);
}

static cuzk_status read_real(json_t *j, void *line, cuzk_error *err)
{
    static const json_field_t fields[] = {{"values", read_values, JSON_REQUIRED},
                                          {"missing", read_missing, JSON_OPTIONAL}};

    return json_read_object(j, fields, 2, line, err);
}

static cuzk_status read_simulated(json_t *j, void *line, cuzk_error *err)
{
    return read_counters(j, &sample_of(line)->simulated, err);
}

static cuzk_status read_wall(json_t *j, void *line, cuzk_error *err)
{
    return json_read_double(j, &sample_of(line)->wall_s, err);
}

static cuzk_status read_cpu(json_t *j, void *line, cuzk_error *err)
{
    return json_read_double(j, &sample_of(line)->cpu_s, err);
}

static cuzk_status read_threads(json_t *j, void *line, cuzk_error *err)
{
    return json_read_u64(j, &sample_of(line)->threads, UINT32_MAX, err);
}

static cuzk_status read_version(json_t *j, void *line, cuzk_error *err)
{
    return json_copy_string(j, sample_of(line)->version, AB_VERSION_BYTES, err);
}

static cuzk_status read_commit(json_t *j, void *line, cuzk_error *err)
{
    return json_copy_string(j, sample_of(line)->commit, AB_COMMIT_BYTES, err);
}

static cuzk_status read_result(json_t *j, void *line, cuzk_error *err)
{
    return json_copy_string(j, sample_of(line)->result, AB_RESULT_BYTES, err);
}

static cuzk_status read_input(json_t *j, void *line, cuzk_error *err)
{
    return json_copy_string(j, sample_of(line)->input_sha256, AB_DIGEST_BYTES, err);
}

static cuzk_status read_allocated(json_t *j, line_t *line, const char *name, cuzk_error *err)
{
    ab_counter_t *row = &line->allocated.rows[line->allocated.n++];

    (void)snprintf(row->name, sizeof row->name, "%s", name);
    return json_read_double(j, &row->value, err);
}

static cuzk_status read_allocations(json_t *j, void *line, cuzk_error *err)
{
    return read_allocated(j, line, "allocations", err);
}

static cuzk_status read_bytes_allocated(json_t *j, void *line, cuzk_error *err)
{
    return read_allocated(j, line, "bytes-allocated", err);
}

static cuzk_status read_line(json_t *j, void *line, cuzk_error *err)
{
    const json_need own = ((line_t *)line)->is_other ? JSON_OPTIONAL : JSON_REQUIRED;
    const json_field_t fields[] = {{"median_s", read_wall, JSON_REQUIRED},
                                   {"cpu_s", read_cpu, JSON_REQUIRED},
                                   {"threads", read_threads, own},
                                   {"version", read_version, own},
                                   {"result", read_result, own},
                                   {"commit", read_commit, JSON_OPTIONAL},
                                   {"input_sha256", read_input, JSON_OPTIONAL},
                                   {"counters", read_real, JSON_OPTIONAL},
                                   {"simulated", read_simulated, JSON_OPTIONAL},
                                   {"allocations", read_allocations, JSON_OPTIONAL},
                                   {"bytes_allocated", read_bytes_allocated, JSON_OPTIONAL}};

    return json_read_object(j, fields, sizeof fields / sizeof fields[0], line, err);
}

cuzk_status ab_sample_read(ab_sample_t *sample, uint8_t *text, size_t length, bool is_other,
                           cuzk_error *err)
{
    line_t line = {.sample = sample, .is_other = is_other};

    *sample = (ab_sample_t){0};
    while (length > 0 && text[length - 1] == '\n') text[--length] = '\0';
    size_t begin = length;
    while (begin > 0 && text[begin - 1] != '\n') begin--;
    cuzk_status st =
        json_read("the last line", text + begin, length - begin, read_line, &line, err);
    if (st == CUZK_OK && !(sample->wall_s > 0 && sample->cpu_s > 0))
        st = error_set(err, CUZK_ERR_FORMAT, "the last line: times that are not above 0");
    for (uint32_t i = 0; i < line.allocated.n && sample->counters.n < COUNTERS_MAX; i++)
        sample->counters.rows[sample->counters.n++] = line.allocated.rows[i];
    return st;
}

static cuzk_status check_commit(const ab_sample_t *sample, const ab_program_t *program,
                                cuzk_error *err)
{
    if (sample->commit[0] == '\0' || program->commit[0] == '\0' ||
        strcmp(sample->commit, program->commit) == 0)
        return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "%.200s: was of commit %s, and is now of %s", program->path,
                     program->commit, sample->commit);
}

/* The command with a side's options, and more words at its end. */
static cuzk_status run_side(ab_sample_t *sample, const ab_t *ab, const ab_side_t *side,
                            const char *const *more, cuzk_error *err)
{
    child_args_t args = {0};
    uint8_t *text;
    size_t length;

    cuzk_status st = child_add(&args, side->program.path, err);
    for (uint32_t i = 0; i < ab->command.n && st == CUZK_OK; i++)
        st = child_add(&args, ab->command.args[i], err);
    for (uint32_t i = 0; i < side->config.n_args && st == CUZK_OK; i++)
        st = child_add(&args, side->config.args[i], err);
    for (; *more != NULL && st == CUZK_OK; more++) st = child_add(&args, *more, err);
    if (st == CUZK_OK && ab->subject != AB_KERNELS) st = child_add(&args, "--json", err);
    if (st == CUZK_OK && ab->subject == AB_SYNTH) st = child_add(&args, "--no-phases", err);
    if (st == CUZK_OK) st = child_run(&text, &length, &args, side->config.environment, err);
    if (st == CUZK_OK) {
        st = ab_sample_read(sample, text, length, side->program.is_other, err);
        free(text);
    }
    if (st == CUZK_OK) st = check_commit(sample, &side->program, err);
    return st == CUZK_OK ? st
                         : error_within(err, "side %s (%.120s)", side->letter, side->config.text);
}

/* Another build need not tell a result, but one side has to. */
static cuzk_status check_same(const ab_sample_t *a, const ab_sample_t *b, const ab_t *ab,
                              cuzk_error *err)
{
    const bool a_lacks = a->result[0] == '\0', b_lacks = b->result[0] == '\0';

    if ((a_lacks && b_lacks) || (a_lacks && !ab->a.program.is_other) ||
        (b_lacks && !ab->b.program.is_other))
        return error_set(err, CUZK_ERR_ARG, "COMMAND tells no result to compare the sides by");
    if (a_lacks || b_lacks || strcmp(a->result, b->result) == 0) return CUZK_OK;
    return error_set(err, CUZK_ERR_INTERNAL, "the sides computed different results: %.80s, %.80s",
                     a->result, b->result);
}

static cuzk_status run_pair(ab_sample_t *a, ab_sample_t *b, const ab_t *ab, bool b_first,
                            cuzk_error *err)
{
    static const char *const nothing[] = {NULL};
    cuzk_status st = run_side(b_first ? b : a, ab, b_first ? &ab->b : &ab->a, nothing, err);

    if (st == CUZK_OK) st = run_side(b_first ? a : b, ab, b_first ? &ab->a : &ab->b, nothing, err);
    return st == CUZK_OK ? check_same(a, b, ab, err) : st;
}

static cuzk_status simulate_side(ab_side_t *side, const ab_t *ab, cuzk_error *err)
{
    static const char *const more[] = {"--counters=cachegrind", NULL};
    ab_sample_t sample;

    const cuzk_status st = run_side(&sample, ab, side, more, err);
    if (st == CUZK_OK) side->simulated = sample.simulated;
    return st;
}

cuzk_status ab_run(ab_t *ab, cuzk_error *err)
{
    ab_sample_t warm_a, warm_b;
    cuzk_status st = CUZK_OK;

    ab->a.letter = "A";
    ab->b.letter = "B";
    ab->a.samples = mem_alloc(ab->runs, sizeof *ab->a.samples, "samples of A", err);
    ab->b.samples = mem_alloc(ab->runs, sizeof *ab->b.samples, "samples of B", err);
    if (ab->a.samples == NULL || ab->b.samples == NULL) return CUZK_ERR_MEMORY;
    for (uint32_t i = 0; i < ab->warm_up && st == CUZK_OK; i++)
        st = run_pair(&warm_a, &warm_b, ab, false, err);
    for (uint32_t i = 0; i < ab->runs && st == CUZK_OK; i++) {
        st = run_pair(&ab->a.samples[i], &ab->b.samples[i], ab, i % 2 == 1, err);
        if (st == CUZK_OK)
            (void)fprintf(stderr, "run %u of %u: A %.4g s, B %.4g s\n", i + 1, ab->runs,
                          ab->a.samples[i].wall_s, ab->b.samples[i].wall_s);
    }
    if (st == CUZK_OK && ab->simulate) st = simulate_side(&ab->a, ab, err);
    if (st == CUZK_OK && ab->simulate) st = simulate_side(&ab->b, ab, err);
    return st;
}

void ab_clear(ab_t *ab)
{
    free(ab->a.samples);
    free(ab->b.samples);
    ab->a.samples = ab->b.samples = NULL;
}

bool ab_results_compared(const ab_t *ab)
{
    return ab->a.samples[0].result[0] != '\0' && ab->b.samples[0].result[0] != '\0';
}

double ab_counters_value(const ab_counters_t *counters, const char *name)
{
    for (uint32_t i = 0; i < counters->n; i++)
        if (strcmp(counters->rows[i].name, name) == 0) return counters->rows[i].value;
    return (double)NAN;
}

double ab_counter_median(const ab_side_t *side, uint32_t runs, const char *name)
{
    double values[AB_MAX_RUNS];

    for (uint32_t i = 0; i < runs; i++) {
        values[i] = ab_counters_value(&side->samples[i].counters, name);
        if (isnan(values[i])) return (double)NAN;
    }
    return median(values, runs);
}

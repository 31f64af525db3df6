/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "status/http.h"

/* Prometheus' text format, version 0.0.4: of each family the lines HELP and TYPE, then its samples.
 * A failed write shows at the end, by ferror(). */

typedef struct {
    const char *name, *type, *help;
} family_t;

static void put_family(FILE *out, const family_t *family)
{
    (void)fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", family->name, family->help, family->name,
                  family->type);
}

static void put_count(FILE *out, const char *name, const char *help, uint64_t value)
{
    put_family(out, &(family_t){name, "gauge", help});
    (void)fprintf(out, "%s %" PRIu64 "\n", name, value);
}

/* A label's value: backslash, quote and line feed are escaped, what is not UTF-8 is replaced. */
static void put_label(FILE *out, const char *name, const char *value)
{
    const unsigned char *s = (const unsigned char *)value;
    size_t left = strlen(value);

    (void)fprintf(out, "%s=\"", name);
    while (left > 0) {
        size_t n = text_utf8_length(s, left);

        if (n == 0) {
            (void)fputs("\xef\xbf\xbd", out);
            n = 1;
        } else if (*s == '\n') {
            (void)fputs("\\n", out);
        } else {
            if (*s == '"' || *s == '\\') (void)fputc('\\', out);
            (void)fwrite(s, 1, n, out);
        }
        s += n;
        left -= n;
    }
    (void)fputc('"', out);
}

static void put_totals(FILE *out, const snapshot_t *s)
{
    static const family_t completed = {"cuzk_proofs_completed_total", "counter",
                                       "Jobs that ended with their proofs."};
    static const family_t failed = {"cuzk_proofs_failed_total", "counter",
                                    "Jobs that failed, cancelled and late ones not included."};
    static const family_t uptime = {"cuzk_uptime_seconds", "gauge", "Age of the daemon."};
    static const family_t build = {"cuzk_build_info", "gauge", "Always 1; the version is a label."};
    const snapshot_totals_t totals = snapshot_totals(s);

    put_family(out, &completed);
    (void)fprintf(out, "%s %" PRIu64 "\n", completed.name, totals.completed);
    put_family(out, &failed);
    (void)fprintf(out, "%s %" PRIu64 "\n", failed.name, totals.failed);
    put_family(out, &uptime);
    (void)fprintf(out, "%s %.3f\n", uptime.name, s->uptime_s);
    put_count(out, "cuzk_queue_depth", "Jobs of which no partition has begun.", totals.pending);
    put_count(out, "cuzk_running_jobs", "Jobs of which a partition has begun.", totals.in_progress);
    put_count(out, "cuzk_gpu_workers", "Seats for proving, of all devices.", s->n_workers);
    put_family(out, &build);
    (void)fputs("cuzk_build_info{", out);
    put_label(out, "version", s->version != NULL ? s->version : "");
    (void)fputs("} 1\n", out);
}

/* Numbers of each kind. */
static void put_kinds(FILE *out, const snapshot_t *s)
{
    static const struct {
        family_t family;
        size_t offset;
    } counters[] = {
        {{"cuzk_proofs_completed", "counter", "Jobs that ended with their proofs, by kind."},
         offsetof(snapshot_kind_t, completed)},
        {{"cuzk_proofs_failed", "counter", "Jobs that failed, by kind."},
         offsetof(snapshot_kind_t, failed)},
        {{"cuzk_proofs_cancelled_total", "counter", "Jobs that were cancelled, by kind."},
         offsetof(snapshot_kind_t, cancelled)},
        {{"cuzk_proofs_timed_out_total", "counter", "Jobs that were not done in time, by kind."},
         offsetof(snapshot_kind_t, timed_out)},
        {{"cuzk_proofs_refused_total", "counter", "Requests that were not accepted, by kind."},
         offsetof(snapshot_kind_t, refused)},
        {{"cuzk_partition_retries_total", "counter",
          "Partitions that were proved again after a failure or a failed check, by kind."},
         offsetof(snapshot_kind_t, retried)},
    };

    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        put_family(out, &counters[i].family);
        for (int k = 0; k < SNAPSHOT_KINDS; k++) {
            uint64_t value;

            memcpy(&value, (const char *)&s->kinds[k] + counters[i].offset, sizeof value);
            (void)fprintf(out, "%s{proof_kind=\"%s\"} %" PRIu64 "\n", counters[i].family.name,
                          snapshot_kind_label((cuzk_kind)(k + 1)), value);
        }
    }
}

static void put_queues(FILE *out, const snapshot_t *s)
{
    static const family_t jobs = {"cuzk_jobs", "gauge", "Jobs that have not ended, by kind."};
    static const family_t oldest = {"cuzk_oldest_waiting_seconds", "gauge",
                                    "Age of the oldest job of which no partition has begun, by "
                                    "kind; 0 when none waits."};

    put_family(out, &jobs);
    for (int k = 0; k < SNAPSHOT_KINDS; k++) {
        const char *label = snapshot_kind_label((cuzk_kind)(k + 1));

        (void)fprintf(out, "cuzk_jobs{proof_kind=\"%s\",state=\"pending\"} %" PRIu32 "\n", label,
                      s->kinds[k].pending);
        (void)fprintf(out, "cuzk_jobs{proof_kind=\"%s\",state=\"running\"} %" PRIu32 "\n", label,
                      s->kinds[k].in_progress);
    }
    put_family(out, &oldest);
    for (int k = 0; k < SNAPSHOT_KINDS; k++) {
        const double wait = snapshot_oldest_wait_s(s, (cuzk_kind)(k + 1));

        (void)fprintf(out, "%s{proof_kind=\"%s\"} %.3f\n", oldest.name,
                      snapshot_kind_label((cuzk_kind)(k + 1)), wait > 0 ? wait : 0.0);
    }
}

static void put_histogram(FILE *out, const char *name, const char *label,
                          const snapshot_histogram_t *histogram)
{
    uint64_t so_far = 0;

    for (int i = 0; i < SNAPSHOT_BUCKETS; i++) {
        so_far += histogram->counts[i];
        (void)fprintf(out, "%s_bucket{proof_kind=\"%s\",le=\"", name, label);
        if (i < SNAPSHOT_BUCKETS - 1)
            (void)fprintf(out, "%g", snapshot_bounds_s[i]);
        else
            (void)fputs("+Inf", out);
        (void)fprintf(out, "\"} %" PRIu64 "\n", so_far);
    }
    (void)fprintf(out, "%s_sum{proof_kind=\"%s\"} %.15g\n", name, label, histogram->sum);
    (void)fprintf(out, "%s_count{proof_kind=\"%s\"} %" PRIu64 "\n", name, label, so_far);
}

static void put_durations(FILE *out, const snapshot_t *s)
{
    static const family_t summary = {"cuzk_proof_duration_seconds", "summary",
                                     "From a job's acceptance to its proof, by kind."};
    static const family_t duration = {"cuzk_proof_duration_histogram_seconds", "histogram",
                                      "From a job's acceptance to its proof, by kind."};
    static const family_t wait = {"cuzk_queue_wait_seconds", "histogram",
                                  "From a job's acceptance to its first partition, by kind."};

    put_family(out, &summary);
    for (int k = 0; k < SNAPSHOT_KINDS; k++) {
        const char *label = snapshot_kind_label((cuzk_kind)(k + 1));
        const snapshot_histogram_t *h = &s->kinds[k].duration_s;

        (void)fprintf(out, "%s_count{proof_kind=\"%s\"} %" PRIu64 "\n", summary.name, label,
                      h->count);
        (void)fprintf(out, "%s_sum{proof_kind=\"%s\"} %.15g\n", summary.name, label, h->sum);
    }
    put_family(out, &duration);
    for (int k = 0; k < SNAPSHOT_KINDS; k++)
        put_histogram(out, duration.name, snapshot_kind_label((cuzk_kind)(k + 1)),
                      &s->kinds[k].duration_s);
    put_family(out, &wait);
    for (int k = 0; k < SNAPSHOT_KINDS; k++)
        put_histogram(out, wait.name, snapshot_kind_label((cuzk_kind)(k + 1)), &s->kinds[k].wait_s);
}

static void put_memory(FILE *out, const snapshot_t *s)
{
    static const family_t reserved = {"cuzk_memory_reserved_bytes", "gauge",
                                      "Memory reserved within the budget, by owner."};
    const struct {
        const char *owner;
        uint64_t bytes;
    } owners[] = {{"jobs", s->job_bytes}, {"parameters", s->params_bytes}, {"idle", s->idle_bytes}};

    put_count(out, "cuzk_memory_budget_bytes", "What may be reserved.", s->budget_bytes);
    put_family(out, &reserved);
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        (void)fprintf(out, "%s{owner=\"%s\"} %" PRIu64 "\n", reserved.name, owners[i].owner,
                      owners[i].bytes);
    put_count(out, "cuzk_memory_used_bytes", "Memory reserved by all owners.", s->reserved_bytes);
    put_count(out, "cuzk_memory_peak_bytes", "The most that was reserved at once.", s->peak_bytes);
    put_count(out, "cuzk_memory_resident_bytes", "Memory of the process, as the kernel counts it.",
              s->resident_bytes);
    put_count(out, "cuzk_memory_system_available_bytes",
              "Memory that the system could give without swapping.", s->system_available_bytes);
}

static void put_of_circuit(FILE *out, const char *name, const char *circuit, uint64_t value)
{
    (void)fprintf(out, "%s{", name);
    put_label(out, "circuit_id", circuit);
    (void)fprintf(out, "} %" PRIu64 "\n", value);
}

static void put_params(FILE *out, const snapshot_t *s)
{
    static const family_t srs = {"cuzk_srs_bytes", "gauge", "Open parameters, by circuit."};
    static const family_t plan = {"cuzk_plan_bytes", "gauge", "Recorded circuits, by circuit."};
    static const family_t users = {"cuzk_srs_users", "gauge",
                                   "Jobs that use open parameters, by circuit."};

    put_family(out, &srs);
    for (size_t i = 0; i < s->n_params; i++)
        put_of_circuit(out, srs.name, s->params[i].circuit, s->params[i].srs_bytes);
    put_family(out, &plan);
    for (size_t i = 0; i < s->n_params; i++)
        put_of_circuit(out, plan.name, s->params[i].circuit, s->params[i].plan_bytes);
    put_family(out, &users);
    for (size_t i = 0; i < s->n_params; i++)
        put_of_circuit(out, users.name, s->params[i].circuit, s->params[i].users);
}

static void put_process(FILE *out, const snapshot_t *s)
{
    uint64_t busy = 0;

    for (size_t i = 0; i < s->n_workers; i++) busy += s->workers[i].is_busy;
    put_count(out, "cuzk_gpu_workers_busy", "Seats for proving that are taken.", busy);
    put_count(out, "cuzk_synthesis_active", "Partitions in synthesis.", s->synthesis_active);
    put_count(out, "cuzk_synthesis_max", "Partitions that may be in synthesis at once.",
              s->synthesis_max);
    put_count(out, "cuzk_threads", "Threads that compute.", s->threads);
    put_count(out, "cuzk_connections", "Open gRPC connections.", s->connections);
    put_count(out, "cuzk_calls", "gRPC calls under way.", s->calls);
    put_count(out, "cuzk_store_bytes", "Size of the store of jobs and proofs.", s->store_bytes);
    put_count(out, "cuzk_draining", "1 when no new jobs are accepted, else 0.", s->is_draining);
}

char *http_metrics_text(const snapshot_t *snapshot)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool has_failed;

    if (out == NULL) return NULL;
    put_totals(out, snapshot);
    put_kinds(out, snapshot);
    put_durations(out, snapshot);
    put_queues(out, snapshot);
    put_memory(out, snapshot);
    put_params(out, snapshot);
    put_process(out, snapshot);
    has_failed = ferror(out) != 0;
    if (fclose(out) != 0) has_failed = true;
    if (!has_failed) return text;
    free(text);
    return NULL;
}

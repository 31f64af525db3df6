/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/json.h"
#include "status/http.h"
#include "status/test_prometheus.h"
#include "status/test_snapshots.h"

/* ---- histograms ------------------------------------------------------------------------------ */

static void values_fall_into_the_first_bucket_that_holds_them(void **unused)
{
    snapshot_histogram_t histogram = {0};

    (void)unused;
    for (int i = 0; i < SNAPSHOT_BUCKETS - 1; i++) {
        assert_true(i == 0 || snapshot_bounds_s[i] > snapshot_bounds_s[i - 1]);
        snapshot_histogram_add(&histogram, snapshot_bounds_s[i]);
        assert_int_equal(histogram.counts[i], i == 0 ? 1 : 2);
        snapshot_histogram_add(&histogram, nextafter(snapshot_bounds_s[i], INFINITY));
        assert_int_equal(histogram.counts[i + 1], 1);
    }
    assert_int_equal(histogram.count, 2 * (SNAPSHOT_BUCKETS - 1));
    memset(&histogram, 0, sizeof histogram);
    snapshot_histogram_add(&histogram, 0);
    snapshot_histogram_add(&histogram, 1e9);
    assert_int_equal(histogram.counts[0], 1);
    assert_int_equal(histogram.counts[SNAPSHOT_BUCKETS - 1], 1);
    assert_true(histogram.sum == 1e9);
}

static void numbers_that_are_no_kind_have_a_name_too(void **unused)
{
    (void)unused;
    assert_string_equal(snapshot_kind_label((cuzk_kind)0), "unknown");
    assert_string_equal(snapshot_kind_name((cuzk_kind)5), "unknown");
    assert_string_equal(snapshot_kind_label(CUZK_WINNING_POST), "winning_post");
    assert_string_equal(snapshot_kind_name(CUZK_POREP), "porep-c2");
    assert_string_equal(snapshot_priority_name(CUZK_PRIORITY_DEFAULT), "default");
    assert_string_equal(snapshot_priority_name((cuzk_priority)9), "default");
    assert_string_equal(snapshot_job_state_name((job_state)77), "unknown");
    assert_string_equal(snapshot_partition_state_name((partition_state)77), "unknown");
}

/* ---- metrics --------------------------------------------------------------------------------- */

static prometheus_t metrics;

static void read_metrics(const char *name)
{
    snapshot_t snapshot;
    char *text;

    assert_true(test_snapshot_make(&snapshot, name));
    text = http_metrics_text(&snapshot);
    assert_non_null(text);
    if (!prometheus_read(&metrics, text)) fail_msg("%s: %s", name, metrics.why);
    free(text);
    snapshot_clear(&snapshot);
}

static void metrics_are_well_formed(void **unused)
{
    const char *name;

    (void)unused;
    for (size_t i = 0; (name = test_snapshot_name(i)) != NULL; i++) read_metrics(name);
}

static void public_metrics_have_their_names_types_and_labels(void **unused)
{
    static const struct {
        const char *name, *type, *key;
    } rows[] = {
        {"cuzk_proofs_completed_total", "counter", "cuzk_proofs_completed_total"},
        {"cuzk_proofs_failed_total", "counter", "cuzk_proofs_failed_total"},
        {"cuzk_uptime_seconds", "gauge", "cuzk_uptime_seconds"},
        {"cuzk_queue_depth", "gauge", "cuzk_queue_depth"},
        {"cuzk_proofs_completed", "counter", "cuzk_proofs_completed{proof_kind=\"%s\"}"},
        {"cuzk_proofs_failed", "counter", "cuzk_proofs_failed{proof_kind=\"%s\"}"},
        {"cuzk_proof_duration_seconds", "summary",
         "cuzk_proof_duration_seconds_count{proof_kind=\"%s\"}"},
        {"cuzk_proof_duration_seconds", "summary",
         "cuzk_proof_duration_seconds_sum{proof_kind=\"%s\"}"},
        {"cuzk_running_jobs", "gauge", "cuzk_running_jobs"},
        {"cuzk_gpu_workers", "gauge", "cuzk_gpu_workers"},
    };
    static const char *const kinds[] = {"porep_c2", "snap_update", "window_post", "winning_post"};

    (void)unused;
    read_metrics("idle");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *mark = strstr(rows[i].key, "%s");

        assert_string_equal(prometheus_type(&metrics, rows[i].name), rows[i].type);
        for (size_t k = 0; k < (mark != NULL ? 4 : 1); k++) {
            char key[128];

            (void)snprintf(key, sizeof key, "%.*s%s%s",
                           (int)(mark != NULL ? mark - rows[i].key : 127), rows[i].key,
                           mark != NULL ? kinds[k] : "", mark != NULL ? mark + 2 : "");
            if (isnan(prometheus_value(&metrics, key))) fail_msg("no %s", key);
        }
    }
}

static void expect_sample(const char *key, double value)
{
    const double found = prometheus_value(&metrics, key);

    if (!(fabs(found - value) <= 1e-9 * fabs(value)))
        fail_msg("%s is %.17g, expected %.17g", key, found, value);
}

static void metrics_say_what_the_snapshot_says(void **unused)
{
    (void)unused;
    read_metrics("busy");
    expect_sample("cuzk_proofs_completed_total", 3);
    expect_sample("cuzk_queue_depth", 4);
    expect_sample("cuzk_running_jobs", 2);
    expect_sample("cuzk_gpu_workers", 2);
    expect_sample("cuzk_gpu_workers_busy", 2);
    expect_sample("cuzk_uptime_seconds", 93784.5);
    expect_sample("cuzk_proofs_completed{proof_kind=\"porep_c2\"}", 1);
    expect_sample("cuzk_proof_duration_seconds_sum{proof_kind=\"winning_post\"}", 1.31);
    expect_sample(
        "cuzk_proof_duration_histogram_seconds_bucket{proof_kind=\"winning_post\",le=\"1\"}", 0);
    expect_sample(
        "cuzk_proof_duration_histogram_seconds_bucket{proof_kind=\"winning_post\",le=\"2.5\"}", 1);
    expect_sample("cuzk_proof_duration_histogram_seconds_count{proof_kind=\"winning_post\"}", 1);
    expect_sample("cuzk_queue_wait_seconds_sum{proof_kind=\"winning_post\"}", 0.02);
    expect_sample("cuzk_jobs{proof_kind=\"porep_c2\",state=\"pending\"}", 3);
    expect_sample("cuzk_jobs{proof_kind=\"window_post\",state=\"running\"}", 1);
    expect_sample("cuzk_oldest_waiting_seconds{proof_kind=\"porep_c2\"}", 50);
    expect_sample("cuzk_oldest_waiting_seconds{proof_kind=\"window_post\"}", 0);
    expect_sample("cuzk_partition_retries_total{proof_kind=\"porep_c2\"}", 1);
    expect_sample("cuzk_proofs_refused_total{proof_kind=\"porep_c2\"}", 2);
    expect_sample("cuzk_memory_budget_bytes", 257698037760);
    expect_sample("cuzk_memory_reserved_bytes{owner=\"idle\"}", 9663676416);
    expect_sample(
        "cuzk_memory_used_bytes",
        prometheus_value(&metrics, "cuzk_memory_reserved_bytes{owner=\"jobs\"}") +
            prometheus_value(&metrics, "cuzk_memory_reserved_bytes{owner=\"parameters\"}") +
            9663676416);
    expect_sample("cuzk_srs_bytes{circuit_id=\"porep-32g\"}", 51539607552);
    expect_sample("cuzk_plan_bytes{circuit_id=\"porep-32g\"}", 26843545600);
    expect_sample("cuzk_srs_users{circuit_id=\"porep-32g\"}", 4);
    expect_sample("cuzk_build_info{version=\"0.2.0\"}", 1);
    expect_sample("cuzk_draining", 0);
    read_metrics("draining");
    expect_sample("cuzk_draining", 1);
    read_metrics("errors");
    expect_sample("cuzk_proofs_failed_total", 4);
    expect_sample("cuzk_proofs_failed{proof_kind=\"porep_c2\"}", 2);
    expect_sample("cuzk_proofs_cancelled_total{proof_kind=\"porep_c2\"}", 1);
    expect_sample("cuzk_proofs_timed_out_total{proof_kind=\"winning_post\"}", 1);
}

static void labels_are_escaped(void **unused)
{
    (void)unused;
    read_metrics("long");
    expect_sample("cuzk_build_info{version=\"0.2.0-\\\"quoted\\\"\\\\\\n\"}", 1);
    expect_sample("cuzk_srs_users{circuit_id=\"a\\\"b\\\\c\\n\xef\xbf\xbd\"}", 1);
}

static void the_reader_of_metrics_is_strict(void **unused)
{
    static const char *const bad[] = {
        "# HELP a A.\n# TYPE a gauge\na 1",                           /* no newline */
        "# HELP a A.\na 1\n",                                         /* no type */
        "# TYPE a gauge\na 1\n",                                      /* no help */
        "# HELP a A.\n# TYPE a gauge\nb 1\n",                         /* of another family */
        "# HELP a A.\n# TYPE a gauge\na 1\na 2\n",                    /* twice */
        "# HELP a A.\n# TYPE a gauge\na{b=\"\\x\"} 1\n",              /* escape */
        "# HELP a A.\n# TYPE a gauge\na{b=\"c\"d} 1\n",               /* quote */
        "# HELP a A.\n# TYPE a gauge\na{} 1\n",                       /* no label */
        "# HELP a A.\n# TYPE a gauge\na NaN\n",                       /* value */
        "# HELP a A.\n# TYPE a gauge\na 1 \n",                        /* after it */
        "# HELP a A.\n# TYPE a gauges\na 1\n",                        /* type */
        "# HELP a A.\n# TYPE a gauge\n\na 1\n",                       /* empty line */
        "# HELP a A.\n# TYPE a gauge\n# HELP a A.\n# TYPE a gauge\n", /* a family twice */
        ("# HELP a A.\n# TYPE a histogram\na_bucket{b=\"c\",le=\"1\"} 2\n"
         "a_bucket{b=\"c\",le=\"+Inf\"} 1\na_count{b=\"c\"} 1\n"),         /* falls */
        "# HELP a A.\n# TYPE a histogram\na_bucket{b=\"c\",le=\"1\"} 2\n", /* no +Inf */
        "# HELP a A.\n# TYPE a histogram\na_bucket{b=\"c\",le=\"+Inf\"} 1\na_count{b=\"c\"} 2\n",
    };

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (prometheus_read(&metrics, bad[i])) fail_msg("taken: %s", bad[i]);
    assert_true(prometheus_read(&metrics, "# HELP a A.\n# TYPE a gauge\na{b=\"c\"} 1\n"));
    expect_sample("a{b=\"c\"}", 1);
}

/* ---- /status --------------------------------------------------------------------------------- */

/* A document as the paths of its leaves and their values: strings in quotes, numbers as text. */
typedef struct {
    char path[160], value[300];
} leaf_t;

typedef struct {
    leaf_t leaves[9000];
    size_t n;
    char path[160];
} leaves_t;

static leaves_t document;

static cuzk_status read_any(json_t *j, void *out, cuzk_error *err);

static cuzk_status read_under(json_t *j, leaves_t *all, const char *step, cuzk_error *err)
{
    const size_t length = strlen(all->path);
    cuzk_status status;

    (void)snprintf(all->path + length, sizeof all->path - length, "%s", step);
    status = read_any(j, all, err);
    all->path[length] = '\0';
    return status;
}

static cuzk_status read_member(json_t *j, const char *name, size_t length, void *out,
                               cuzk_error *err)
{
    leaves_t *all = out;
    char step[64];

    (void)snprintf(step, sizeof step, "%s%.*s", *all->path != '\0' ? "." : "", (int)length, name);
    return read_under(j, all, step, err);
}

static cuzk_status read_item(json_t *j, size_t index, void *out, cuzk_error *err)
{
    char step[32];

    (void)snprintf(step, sizeof step, "[%zu]", index);
    return read_under(j, out, step, err);
}

static cuzk_status read_leaf(json_t *j, leaf_t *leaf, cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    double number;

    switch (json_peek(j)) {
    case JSON_STRING:
        return json_copy_string(j, leaf->value, sizeof leaf->value, err);
    case JSON_NUMBER:
        status = json_read_double(j, &number, err);
        (void)snprintf(leaf->value, sizeof leaf->value, "%.17g", number);
        return status;
    case JSON_BOOL:
        (void)strcpy(leaf->value, "a bool");
        return CUZK_OK;
    case JSON_NULL:
        (void)strcpy(leaf->value, "null");
        return CUZK_OK;
    default:
        return json_error(j, err, "no value");
    }
}

static cuzk_status read_any(json_t *j, void *out, cuzk_error *err)
{
    leaves_t *all = out;
    leaf_t *leaf = &all->leaves[all->n];

    if (json_peek(j) == JSON_OBJECT) return json_read_members(j, read_member, all, err);
    if (json_peek(j) == JSON_ARRAY)
        return json_read_array(j, read_item, all, 0, SIZE_MAX, NULL, err);
    assert_true(all->n < sizeof all->leaves / sizeof *all->leaves);
    all->n++;
    (void)snprintf(leaf->path, sizeof leaf->path, "%s", all->path);
    return read_leaf(j, leaf, err);
}

static void read_status(const char *name)
{
    snapshot_t snapshot;
    char *text, *padded;
    cuzk_error err;

    assert_true(test_snapshot_make(&snapshot, name));
    text = http_status_json(&snapshot);
    assert_non_null(text);
    padded = calloc(strlen(text) + JSON_PADDING, 1);
    assert_non_null(padded);
    memcpy(padded, text, strlen(text));
    document.n = 0;
    *document.path = '\0';
    if (json_read(name, (const uint8_t *)padded, strlen(text), read_any, &document, &err) !=
        CUZK_OK)
        fail_msg("%s", err.text);
    free(padded);
    free(text);
    snapshot_clear(&snapshot);
}

static const char *leaf_at(const char *path)
{
    for (size_t i = 0; i < document.n; i++)
        if (strcmp(document.leaves[i].path, path) == 0) return document.leaves[i].value;
    return "missing";
}

static void expect_leaf(const char *path, const char *value)
{
    if (strcmp(leaf_at(path), value) != 0)
        fail_msg("%s is \"%s\", expected \"%s\"", path, leaf_at(path), value);
}

static void status_is_well_formed(void **unused)
{
    const char *name;

    (void)unused;
    for (size_t i = 0; (name = test_snapshot_name(i)) != NULL; i++) read_status(name);
}

static void status_has_every_public_member(void **unused)
{
    static const char *const leaves[] = {
        "uptime_secs",
        "memory.total_bytes",
        "memory.used_bytes",
        "memory.available_bytes",
        "synthesis.max_concurrent",
        "synthesis.active",
        "pipelines[0].job_id",
        "pipelines[0].proof_kind",
        "pipelines[0].started_secs_ago",
        "pipelines[0].total_partitions",
        "pipelines[0].partitions_done",
        "pipelines[0].partitions[0].index",
        "pipelines[0].partitions[0].state",
        "pipelines[0].partitions[0].synth_ms",
        "pipelines[0].partitions[0].gpu_ms",
        "gpu_workers[0].worker_id",
        "gpu_workers[0].gpu_ordinal",
        "gpu_workers[0].state",
        "gpu_workers[0].current_job",
        "gpu_workers[0].current_partition",
        "gpu_workers[0].busy_secs",
        "allocations.srs[0].circuit_id",
        "allocations.srs[0].bytes",
        "allocations.srs[0].last_used_secs_ago",
        "allocations.srs[0].evictable",
        "allocations.pce[0].circuit_id",
        "allocations.pce[0].bytes",
        "allocations.pce[0].last_used_secs_ago",
        "allocations.pce[0].evictable",
        "counters.total_completed",
        "counters.total_failed",
        "counters.completed_by_kind.porep-c2",
        "counters.failed_by_kind.winning-post",
        "counters.queue_depth",
        "buffers.synth_in_flight",
        "buffers.provers_in_flight",
        "buffers.aux_in_flight",
        "buffers.shells_in_flight",
        "buffers.pending_handles",
    };

    (void)unused;
    read_status("busy");
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++)
        if (strcmp(leaf_at(leaves[i]), "missing") == 0) fail_msg("no %s", leaves[i]);
}

static void status_says_what_the_snapshot_says(void **unused)
{
    (void)unused;
    read_status("busy");
    expect_leaf("uptime_secs", "93784.5");
    expect_leaf("server.state", "serving");
    expect_leaf("memory.total_bytes", "257698037760");
    expect_leaf("synthesis.max_concurrent", "18");
    expect_leaf("pipelines[0].job_id", "000000000000000000000000c0ffee00");
    expect_leaf("pipelines[0].proof_kind", "porep-c2");
    expect_leaf("pipelines[0].started_secs_ago", "59.799999999999997"); /* 61.2 - 1.4 */
    expect_leaf("pipelines[0].total_partitions", "10");
    expect_leaf("pipelines[0].partitions[0].synth_ms", "14500");
    expect_leaf("pipelines[0].partitions[0].gpu_ms", "5200");
    expect_leaf("pipelines[0].partitions[9].synth_ms", "1400"); /* since 59.8, until now */
    expect_leaf("pipelines[0].partitions[9].gpu_ms", "null");
    expect_leaf("pipelines[0].partitions[0].state", "done");
    expect_leaf("pipelines[1].proof_kind", "window-post");
    expect_leaf("pipelines[2].proof_kind", "winning-post"); /* ended 7.5 s ago */
    expect_leaf("pipelines[3].proof_kind", "porep-c2");     /* 25 s */
    expect_leaf("pipelines[4].proof_kind", "missing");      /* 340 s */
    expect_leaf("recent[2].proof_kind", "snap-update");
    expect_leaf("recent[2].total_secs", "88.200000000000003");
    expect_leaf("waiting[0].request_id", "porep-1000-4712");
    expect_leaf("waiting[3].proof_kind", "snap-update");
    expect_leaf("waiting[4].proof_kind", "missing");
    expect_leaf("gpu_workers[1].current_job", "000000000000000000000000c0ffee01");
    expect_leaf("gpu_workers[1].state", "proving");
    expect_leaf("allocations.srs[2].users", "0");
    expect_leaf("counters.queue_depth", "4");
    expect_leaf("counters.completed_by_kind.snap-update", "1");
    expect_leaf("queues[0].oldest_waiting_secs", "50");
    expect_leaf("queues[2].oldest_waiting_secs", "null");
    read_status("idle");
    expect_leaf("pipelines[0].job_id", "missing");
    expect_leaf("gpu_workers[0].state", "idle");
    expect_leaf("gpu_workers[0].current_job", "null");
    expect_leaf("buffers.synth_in_flight", "0");
    expect_leaf("buffers.provers_in_flight", "0");
    read_status("draining");
    expect_leaf("server.state", "draining");
}

static void used_memory_is_never_more_than_all(void **unused)
{
    snapshot_t snapshot = {.budget_bytes = 10, .reserved_bytes = 11};
    char *text = http_status_json(&snapshot);

    (void)unused;
    assert_non_null(text);
    assert_non_null(strstr(text, "\"available_bytes\":0,"));
    free(text);
}

static void status_keeps_every_digit_and_byte(void **unused)
{
    (void)unused;
    read_status("long");
    expect_leaf("pipelines[0].miner_id", "18446744073709551615");
    expect_leaf("pipelines[0].sector_number", "18446744073709551615");
    expect_leaf("pipelines[0].request_id", "<script>document.title='broken'</script><b>\"&amp;'\\");
    assert_int_equal(strlen(leaf_at("pipelines[1].request_id")), 256);
    assert_int_equal(strlen(leaf_at("server.address")), 255);
    assert_memory_equal(leaf_at("recent[0].error"), "bad byte \xef\xbf\xbd, quote \" and\nline ",
                        31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_fall_into_the_first_bucket_that_holds_them),
        cmocka_unit_test(numbers_that_are_no_kind_have_a_name_too),
        cmocka_unit_test(metrics_are_well_formed),
        cmocka_unit_test(public_metrics_have_their_names_types_and_labels),
        cmocka_unit_test(metrics_say_what_the_snapshot_says),
        cmocka_unit_test(labels_are_escaped),
        cmocka_unit_test(the_reader_of_metrics_is_strict),
        cmocka_unit_test(status_is_well_formed),
        cmocka_unit_test(status_has_every_public_member),
        cmocka_unit_test(status_says_what_the_snapshot_says),
        cmocka_unit_test(used_memory_is_never_more_than_all),
        cmocka_unit_test(status_keeps_every_digit_and_byte),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* status, metrics and preload: what a daemon says of itself, and its parameters. */

#include <stdio.h>
#include <stdlib.h>

#include "bench/commands.h"
#include "bench/client_options.h"
#include "cli/select.h"
#include "codec/json_write.h"

/* Opening parameters of 32 GiB takes a while on a slow disk. */
#define PRELOAD_MS ((uint64_t)3600 * 1000)

typedef struct {
    client_options_t daemon;
    const char *circuit;
    bool json;
} watch_options_t;

#define JSON_ROW                                                                                   \
    {                                                                                              \
        "--json", NULL, "one line of JSON", offsetof(watch_options_t, json), 0, 0, OPTION_FLAG     \
    }

static const option_row_t status_rows[] = {DAEMON_ROWS(watch_options_t, daemon), JSON_ROW};
static const option_row_t metrics_rows[] = {DAEMON_ROWS(watch_options_t, daemon)};
static const option_row_t preload_rows[] = {
    DAEMON_ROWS(watch_options_t, daemon),
    JSON_ROW,
    {"--circuit-id", "CIRCUIT", "such as porep-32g", offsetof(watch_options_t, circuit), 0, 0,
     OPTION_TEXT},
    {"-c", "CIRCUIT", "likewise", offsetof(watch_options_t, circuit), 0, 0, OPTION_TEXT}};

static int run_status(int argc, char **argv);
static int run_metrics(int argc, char **argv);
static int run_preload(int argc, char **argv);

const options_command_t command_status = {
    .name = "status",
    .summary = "print a daemon's queues, open parameters and counts",
    .rows = status_rows,
    .n_rows = sizeof status_rows / sizeof *status_rows,
    .run = run_status,
};

const options_command_t command_metrics = {
    .name = "metrics",
    .summary = "print a daemon's metrics, as Prometheus reads them",
    .rows = metrics_rows,
    .n_rows = sizeof metrics_rows / sizeof *metrics_rows,
    .run = run_metrics,
};

const options_command_t command_preload = {
    .name = "preload",
    .summary = "have a daemon open a circuit's parameters ahead of a proof",
    .rows = preload_rows,
    .n_rows = sizeof preload_rows / sizeof *preload_rows,
    .run = run_preload,
};

/* ---- status ------------------------------------------------------------------------------------
 */

static const char *tier_name(Cuzk__V1__SRSStatus__Tier tier)
{
    static const char *const names[] = {"hot", "warm", "cold"};

    return (unsigned)tier < 3 ? names[tier] : "unknown";
}

static void print_status(const Cuzk__V1__GetStatusResponse *s)
{
    (void)printf(
        "up %llu s, %llu proofs done, %llu failed\n", (unsigned long long)s->uptime_seconds,
        (unsigned long long)s->total_proofs_completed, (unsigned long long)s->total_proofs_failed);
    for (size_t i = 0; i < s->n_queues; i++)
        (void)printf("  %-14s %u waiting, %u in work\n", s->queues[i]->proof_kind,
                     s->queues[i]->pending, s->queues[i]->in_progress);
    for (size_t i = 0; i < s->n_gpus; i++)
        (void)printf("  device %u %s: %s %s\n", s->gpus[i]->ordinal, s->gpus[i]->name,
                     s->gpus[i]->current_proof_kind, s->gpus[i]->current_job_id);
    for (size_t i = 0; i < s->n_loaded_srs; i++)
        (void)printf("  parameters %s: %s, %llu bytes, %u users\n", s->loaded_srs[i]->circuit_id,
                     tier_name(s->loaded_srs[i]->tier),
                     (unsigned long long)s->loaded_srs[i]->size_bytes, s->loaded_srs[i]->ref_count);
}

static void write_srs(json_writer_t *w, const Cuzk__V1__GetStatusResponse *s)
{
    json_write_array(w, "loaded_srs");
    for (size_t i = 0; i < s->n_loaded_srs; i++) {
        json_write_object(w, NULL);
        json_write_string(w, "circuit_id", s->loaded_srs[i]->circuit_id);
        json_write_string(w, "tier", tier_name(s->loaded_srs[i]->tier));
        json_write_u64(w, "size_bytes", s->loaded_srs[i]->size_bytes);
        json_write_u64(w, "ref_count", s->loaded_srs[i]->ref_count);
        json_write_end(w);
    }
    json_write_end(w);
}

static void write_devices(json_writer_t *w, const Cuzk__V1__GetStatusResponse *s)
{
    json_write_array(w, "gpus");
    for (size_t i = 0; i < s->n_gpus; i++) {
        json_write_object(w, NULL);
        json_write_u64(w, "ordinal", s->gpus[i]->ordinal);
        json_write_string(w, "name", s->gpus[i]->name);
        json_write_u64(w, "vram_total_bytes", s->gpus[i]->vram_total_bytes);
        json_write_u64(w, "vram_free_bytes", s->gpus[i]->vram_free_bytes);
        json_write_string(w, "current_job_id", s->gpus[i]->current_job_id);
        json_write_string(w, "current_proof_kind", s->gpus[i]->current_proof_kind);
        json_write_end(w);
    }
    json_write_end(w);
}

/* With the names of the message. */
static void print_status_json(const Cuzk__V1__GetStatusResponse *s)
{
    json_writer_t w;

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    write_devices(&w, s);
    write_srs(&w, s);
    json_write_array(&w, "queues");
    for (size_t i = 0; i < s->n_queues; i++) {
        json_write_object(&w, NULL);
        json_write_string(&w, "proof_kind", s->queues[i]->proof_kind);
        json_write_u64(&w, "pending", s->queues[i]->pending);
        json_write_u64(&w, "in_progress", s->queues[i]->in_progress);
        json_write_end(&w);
    }
    json_write_end(&w);
    json_write_u64(&w, "total_proofs_completed", s->total_proofs_completed);
    json_write_u64(&w, "total_proofs_failed", s->total_proofs_failed);
    json_write_u64(&w, "uptime_seconds", s->uptime_seconds);
    json_write_u64(&w, "pinned_memory_bytes", s->pinned_memory_bytes);
    json_write_u64(&w, "pinned_memory_limit_bytes", s->pinned_memory_limit_bytes);
    json_write_end(&w);
    (void)puts(json_writer_text(&w));
    json_writer_clear(&w);
}

static cuzk_status show_status(remote_t *remote, const watch_options_t *o, cuzk_error *err)
{
    Cuzk__V1__GetStatusResponse *status;
    const cuzk_status st = remote_status(&status, remote, err);

    if (st != CUZK_OK) return st;
    if (o->json)
        print_status_json(status);
    else
        print_status(status);
    protobuf_c_message_free_unpacked(&status->base, NULL);
    return CUZK_OK;
}

/* ---- metrics, preload --------------------------------------------------------------------------
 */

static cuzk_status show_metrics(remote_t *remote, const watch_options_t *o, cuzk_error *err)
{
    char *text;
    const cuzk_status st = remote_metrics(&text, remote, err);

    (void)o;
    if (st != CUZK_OK) return st;
    (void)fputs(text, stdout);
    free(text);
    return CUZK_OK;
}

static void print_preload(const remote_preload_t *preload, const watch_options_t *o)
{
    json_writer_t w;

    if (!o->json) {
        (void)printf("%s: %s, %.3f s\n", o->circuit,
                     preload->already_loaded ? "was open already" : "opened",
                     (double)preload->load_ms * 1e-3);
        return;
    }
    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    json_write_bool(&w, "already_loaded", preload->already_loaded);
    json_write_u64(&w, "load_time_ms", preload->load_ms);
    json_write_end(&w);
    (void)puts(json_writer_text(&w));
    json_writer_clear(&w);
}

static cuzk_status do_preload(remote_t *remote, const watch_options_t *o, cuzk_error *err)
{
    remote_preload_t preload;

    remote->timeout_ms = PRELOAD_MS;
    const cuzk_status st = remote_preload(&preload, remote, o->circuit, err);
    if (st == CUZK_OK) print_preload(&preload, o);
    return st;
}

/* ---- the commands ------------------------------------------------------------------------------
 */

/* Opens a client, hands it on, and closes it. */
static cuzk_status with_client(const watch_options_t *o,
                               cuzk_status (*use)(remote_t *remote, const watch_options_t *o,
                                                  cuzk_error *err),
                               cuzk_error *err)
{
    remote_t remote = {.timeout_ms = REMOTE_SHORT_MS, .is_told = client_options_calls(&o->daemon)};

    cuzk_status st = client_options_open(&remote.client, &o->daemon, err);
    if (st != CUZK_OK) return st;
    st = use(&remote, o, err);
    rpc_client_close(remote.client);
    return st;
}

static cuzk_status body_status(const void *options, cuzk_error *err)
{
    return with_client(options, show_status, err);
}

static cuzk_status body_metrics(const void *options, cuzk_error *err)
{
    return with_client(options, show_metrics, err);
}

static cuzk_status body_preload(const void *options, cuzk_error *err)
{
    const watch_options_t *o = options;
    const cuzk_status st = require_option(o->circuit != NULL, "--circuit-id", err);

    return st == CUZK_OK ? with_client(o, do_preload, err) : st;
}

static int run_status(int argc, char **argv)
{
    watch_options_t o = {0};

    return command_run(&command_status, &o, NULL, body_status, argc, argv);
}

static int run_metrics(int argc, char **argv)
{
    watch_options_t o = {0};

    return command_run(&command_metrics, &o, NULL, body_metrics, argc, argv);
}

static int run_preload(int argc, char **argv)
{
    watch_options_t o = {0};

    return command_run(&command_preload, &o, NULL, body_preload, argc, argv);
}

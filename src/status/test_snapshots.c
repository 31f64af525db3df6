/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "status/test_snapshots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIB ((uint64_t)1 << 30)

enum { MAX_JOBS = 160, MAX_PARTITIONS = 640, MAX_PARAMS = 4, MAX_WORKERS = 4 };

static bool make_empty(snapshot_t *s)
{
    s->jobs = calloc(MAX_JOBS, sizeof *s->jobs);
    s->partitions = calloc(MAX_PARTITIONS, sizeof *s->partitions);
    s->params = calloc(MAX_PARAMS, sizeof *s->params);
    s->workers = calloc(MAX_WORKERS, sizeof *s->workers);
    s->uptime_s = 93784.5;
    s->version = "0.2.0";
    (void)strcpy(s->address, "unix:///run/curio/cuzk.sock");
    s->budget_bytes = 240 * GIB;
    s->peak_bytes = 212 * GIB;
    s->resident_bytes = 3 * GIB;
    s->system_available_bytes = 250 * GIB;
    s->threads = 32;
    s->synthesis_max = 18;
    s->connections = 1;
    s->store_bytes = 24 << 20;
    s->n_workers = 2;
    if (s->workers != NULL) s->workers[1].id = 1;
    return s->jobs != NULL && s->partitions != NULL && s->params != NULL && s->workers != NULL;
}

/* Partitions that have not been given to a job. */
static snapshot_partition_t *free_partitions(const snapshot_t *s)
{
    snapshot_partition_t *next = s->partitions;

    for (size_t i = 0; i < s->n_jobs; i++) next += s->jobs[i].n_partitions;
    return next;
}

static snapshot_job_t *add_job(snapshot_t *s, cuzk_kind kind, job_state state,
                               const char *request_id, uint32_t n_partitions)
{
    snapshot_partition_t *partitions = free_partitions(s);
    snapshot_job_t *job = &s->jobs[s->n_jobs];

    (void)snprintf(job->id, sizeof job->id, "%032zx", 0xc0ffee00 + s->n_jobs);
    (void)snprintf(job->request_id, sizeof job->request_id, "%s", request_id);
    job->kind = kind;
    job->priority = kind == CUZK_WINNING_POST  ? CUZK_PRIORITY_CRITICAL
                    : kind == CUZK_WINDOW_POST ? CUZK_PRIORITY_HIGH
                                               : CUZK_PRIORITY_NORMAL;
    job->state = state;
    job->miner_id = 1000;
    job->begin_s = -1;
    job->partitions = partitions;
    job->n_partitions = n_partitions;
    for (uint32_t i = 0; i < n_partitions; i++)
        partitions[i] = (snapshot_partition_t){i, PARTITION_PENDING, -1, -1, -1, -1};
    s->n_jobs++;
    if (state == JOB_PENDING) s->kinds[kind - 1].pending++;
    if (state == JOB_RUNNING) s->kinds[kind - 1].in_progress++;
    return job;
}

/* Runs a job's partitions as a pipeline does: synthesis_s and gpu_s each, two syntheses at once and
 * one partition on the device, until now_s. */
static void run(snapshot_job_t *job, double begin_s, double synthesis_s, double gpu_s, double now_s)
{
    double device_free_s = 0;

    job->begin_s = begin_s;
    for (uint32_t i = 0; i < job->n_partitions; i++) {
        snapshot_partition_t *p = &job->partitions[i];
        const double synth_s = begin_s + (double)(i / 2) * synthesis_s + (i % 2 ? 0.4 : 0);
        const double done_s = synth_s + synthesis_s;
        const double gpu_begin_s = done_s > device_free_s ? done_s : device_free_s;

        device_free_s = gpu_begin_s + gpu_s;
        if (synth_s > now_s) continue;
        p->synth_begin_s = synth_s;
        p->state = PARTITION_SYNTHESIZING;
        if (done_s > now_s) continue;
        p->synth_end_s = done_s;
        p->state = PARTITION_SYNTH_DONE;
        if (gpu_begin_s > now_s) continue;
        p->gpu_begin_s = gpu_begin_s;
        p->state = PARTITION_GPU;
        if (device_free_s > now_s) continue;
        p->gpu_end_s = device_free_s;
        p->state = PARTITION_DONE;
        job->partitions_done++;
    }
}

static void add_ended(snapshot_t *s, cuzk_kind kind, job_state state, const char *request_id,
                      double ended_ago_s, double total_s)
{
    snapshot_job_t *job = add_job(s, kind, state, request_id, kind == CUZK_POREP ? 10 : 1);
    snapshot_kind_t *sums = &s->kinds[kind - 1];

    job->ended_ago_s = ended_ago_s;
    job->accepted_ago_s = ended_ago_s + total_s;
    run(job, 0.02, total_s / (job->n_partitions + 1), total_s / (job->n_partitions + 2), total_s);
    if (state == JOB_COMPLETED) {
        sums->completed++;
        snapshot_histogram_add(&sums->duration_s, total_s);
    }
    sums->failed += state == JOB_FAILED;
    sums->cancelled += state == JOB_CANCELLED;
    sums->timed_out += state == JOB_TIMED_OUT;
    snapshot_histogram_add(&sums->wait_s, job->begin_s);
}

static void add_params(snapshot_t *s, const char *circuit, uint64_t srs_bytes, uint64_t plan_bytes,
                       uint32_t users)
{
    snapshot_params_t *params = &s->params[s->n_params++];

    (void)snprintf(params->circuit, sizeof params->circuit, "%s", circuit);
    params->srs_bytes = srs_bytes;
    params->plan_bytes = plan_bytes;
    params->users = users;
    params->last_used_ago_s = users > 0 ? 0 : 754;
    s->params_bytes += srs_bytes + plan_bytes;
}

static void work(snapshot_t *s, size_t seat, const snapshot_job_t *job, uint32_t partition)
{
    snapshot_worker_t *worker = &s->workers[seat];

    worker->is_busy = true;
    (void)strcpy(worker->job, job->id);
    worker->kind = job->kind;
    worker->partition = partition;
    worker->busy_s = 2.31;
}

static void make_busy(snapshot_t *s)
{
    snapshot_job_t *porep = add_job(s, CUZK_POREP, JOB_RUNNING, "porep-1000-4711", 10);
    snapshot_job_t *window =
        add_job(s, CUZK_WINDOW_POST, JOB_RUNNING, "wdpost-1000-0-[12 7 255 0 3 9 81 40]", 2);

    porep->sector_number = 4711;
    porep->accepted_ago_s = 61.2;
    porep->bytes = 96 * GIB;
    porep->n_retries = 1;
    (void)strcpy(porep->retry_reason, "partition 2: the proof failed its own check");
    run(porep, 1.4, 14.5, 5.2, porep->accepted_ago_s);
    window->accepted_ago_s = 24.8;
    window->bytes = 31 * GIB;
    run(window, 0.3, 9.7, 6.1, window->accepted_ago_s);
    for (int i = 0; i < 3; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "porep-1000-%d", 4712 + i);
        snapshot_job_t *job = add_job(s, CUZK_POREP, JOB_PENDING, id, 10);
        job->sector_number = 4712 + (uint64_t)i;
        job->accepted_ago_s = 50 - 14.0 * i;
        job->bytes = 51 << 20;
    }
    add_job(s, CUZK_UPDATE, JOB_PENDING, "snap-1000-208", 16)->accepted_ago_s = 12;
    add_ended(s, CUZK_WINNING_POST, JOB_COMPLETED, "winpost-1000-9f3c11aa", 7.5, 1.31);
    add_ended(s, CUZK_POREP, JOB_COMPLETED, "porep-1000-4710", 25, 121);
    add_ended(s, CUZK_UPDATE, JOB_COMPLETED, "snap-1000-207", 340, 88.2);
    add_params(s, "porep-32g", 48 * GIB, 25 * GIB, 4);
    add_params(s, "wpost-32g", 3 * GIB / 2, GIB, 1);
    add_params(s, "winning-32g", 11 << 20, 4 << 20, 0);
    work(s, 0, porep, 6);
    work(s, 1, window, 1);
    s->job_bytes = 127 * GIB + (153 << 20);
    s->idle_bytes = 9 * GIB;
    s->resident_bytes = 206 * GIB;
    s->system_available_bytes = 41 * GIB;
    s->synthesis_active = 2;
    s->calls = 6;
    s->connections = 3;
    s->kinds[CUZK_POREP - 1].retried = 1;
    s->kinds[CUZK_POREP - 1].refused = 2;
}

static void make_many(snapshot_t *s)
{
    make_busy(s);
    for (int i = 0; i < 8; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "ps-porep-1000-%d-99", 9000 + i);
        snapshot_job_t *job = add_job(s, CUZK_POREP, JOB_RUNNING, id, i == 0 ? 126 : 10);
        job->accepted_ago_s = 190.0 - 20 * i;
        job->bytes = 20 * GIB;
        run(job, 20.0 - 2 * i, 11 + i, 1.3 + i, job->accepted_ago_s);
    }
    for (int i = 0; i < 120; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "porep-1000-%d", 5000 + i);
        add_job(s, CUZK_POREP, JOB_PENDING, id, 1)->accepted_ago_s = 300.0 - 2 * i;
    }
}

static void make_long(snapshot_t *s)
{
    static const char hostile[] = "<script>document.title='broken'</script><b>\"&amp;'\\";
    snapshot_job_t *job = add_job(s, CUZK_POREP, JOB_RUNNING, hostile, 10);

    (void)memset(s->address, 'a', sizeof s->address - 1);
    (void)memcpy(s->address, "dns:///", 7);
    job->accepted_ago_s = 44;
    job->miner_id = UINT64_MAX;
    job->sector_number = UINT64_MAX;
    job->n_retries = 3;
    (void)snprintf(job->retry_reason, sizeof job->retry_reason, "%s %0200d", hostile, 7);
    run(job, 0.5, 9, 4, 44);
    job = add_job(s, CUZK_WINDOW_POST, JOB_RUNNING, "", 1);
    (void)memset(job->request_id, 'x', sizeof job->request_id - 1);
    job->accepted_ago_s = 30;
    run(job, 0.5, 40, 4, 30);
    add_ended(s, CUZK_POREP, JOB_FAILED, hostile, 12, 64);
    job = &s->jobs[s->n_jobs - 1];
    (void)memset(job->error, 'e', sizeof job->error - 1);
    (void)memcpy(job->error, "bad byte \xff, quote \" and\nline ", 29);
    add_params(s, "a\"b\\c\n\xff", 5 * GIB, 0, 1);
    s->version = "0.2.0-\"quoted\"\\\n";
    s->job_bytes = 30 * GIB;
}

static void make_errors(snapshot_t *s)
{
    static const struct {
        cuzk_kind kind;
        job_state state;
        const char *id, *error;
    } rows[] = {
        {CUZK_POREP, JOB_FAILED, "porep-1000-77",
         "partition 3 of 10: the proof failed its own check twice; the parameters porep-32g are "
         "whole: the machine computes wrongly (memory, overclocking?)"},
        {CUZK_WINDOW_POST, JOB_FAILED, "wdpost-1000-0-[1 2 3 4 5 6 7 8]",
         "sector 12: challenge 3: the path does not lead to comm_r_last"},
        {CUZK_UPDATE, JOB_FAILED, "snap-1000-5",
         "/params/v28-empty-sector-update-merkletree-poseidon_hasher-8-8-0.params: no such file"},
        {CUZK_WINNING_POST, JOB_TIMED_OUT, "winpost-1000-aa00", "not done within 30000 ms"},
        {CUZK_POREP, JOB_CANCELLED, "porep-1000-78", "cancelled by its caller"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        add_ended(s, rows[i].kind, rows[i].state, rows[i].id, 40 + 700.0 * (double)i, 42.5);
        (void)strcpy(s->jobs[s->n_jobs - 1].error, rows[i].error);
    }
    add_ended(s, CUZK_POREP, JOB_FAILED, "porep-1000-79", 3, 30);
    s->jobs[s->n_jobs - 1].partitions[4].state = PARTITION_FAILED;
    s->jobs[s->n_jobs - 1].partitions_done--;
    (void)strcpy(s->jobs[s->n_jobs - 1].error, "partition 4: the system refused 12 GiB of memory");
}

static const struct {
    const char *name;
    void (*make)(snapshot_t *s); /* NULL: nothing to be done */
} names[] = {
    {"idle", NULL},      {"busy", make_busy},     {"many", make_many},
    {"long", make_long}, {"errors", make_errors}, {"draining", make_busy},
};

const char *test_snapshot_name(size_t index)
{
    return index < sizeof names / sizeof *names ? names[index].name : NULL;
}

bool test_snapshot_make(snapshot_t *s, const char *name)
{
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i].name, name) != 0) continue;
        if (!make_empty(s)) break;
        if (names[i].make != NULL) names[i].make(s);
        s->is_draining = strcmp(name, "draining") == 0;
        s->reserved_bytes = s->job_bytes + s->params_bytes + s->idle_bytes;
        return true;
    }
    snapshot_clear(s);
    return false;
}

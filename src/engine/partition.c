/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/random.h"
#include "base/strand_trace.h"
#include "engine/job.h"
#include "groth16/groth16.h"
#include "synthesis/prove.h"

/* ---- bytes --------------------------------------------------------------------------------------
 */

static groth16_size_t size_of(const circuit_plan_t *plan, const cuzk_engine *engine)
{
    return (groth16_size_t){.counts = plan->counts,
                            .n_elements = plan->n_elements,
                            .a_elements = plan->a_elements,
                            .b_elements = plan->b_elements,
                            .vectors = BUFFER_HOST,
                            .is_read = true, /* points come from the parameter file */
                            .n_threads = executor_size(engine->executor)};
}

partition_bytes_t engine_partition_bytes(const cuzk_engine *engine, const circuit_plan_t *plan)
{
    const groth16_size_t size = size_of(plan, engine);
    const uint64_t witness = synthesis_bytes(plan);
    const uint64_t vector = sizeof(fr_t) << circuit_lg_domain(&plan->counts);
    groth16_plan_t proof;

    groth16_plan_make(&proof, engine->device, &size);
    uint64_t room = 3 * vector;
    for (unsigned i = 0; i < GROTH16_PARTS; i++) room += proof.scratch_bytes[i];
    /* all of that stays with the device when it has been used: a stage is what it takes besides */
    const uint64_t held = witness + room;
    const uint64_t h = proof.h_bytes - room;
    const uint64_t sums = proof.witness_bytes - (proof.together ? 0 : room - 3 * vector);
    const partition_bytes_t bytes = {.synthesis = held,
                                     .h = held + h,
                                     .msm = held + sums,
                                     .peak = held + (proof.together ? h + sums : larger(h, sums))};
    return bytes;
}

/* ---- a partition under way ----------------------------------------------------------------------
 */

typedef struct {
    engine_job_t *job;
    uint32_t index;  /* from the job's first partition on */
    uint32_t number; /* of the partition */
    strand_t strand;
    reservation_t held;
    void *values; /* of the circuit */
    fr_t *inputs; /* as the verifier derives them, ONE not among them */
    buffer_t *a, *b;
    groth16_plan_t plan;
    groth16_room_t room;
    assignment_t x;
} partition_run_t;

/* Room for the partition's values and its proof, where it can from what the device has kept. */
static cuzk_status make_room(partition_run_t *run, cuzk_error *err)
{
    const engine_job_t *job = run->job;
    device_t *device = job->engine->device;
    const size_t bytes = sizeof(fr_t) << circuit_lg_domain(&job->plan->counts);

    run->inputs = mem_alloc(job->facts.n_public_inputs, sizeof *run->inputs, "public inputs", err);
    if (run->inputs == NULL) return err->status;
    run->values = mem_alloc(1, job->kind->values_bytes, "circuit", err);
    if (run->values == NULL) return err->status;
    cuzk_status st = buffer_alloc(&run->a, device, BUFFER_HOST, bytes, "a", err);
    if (st == CUZK_OK) st = buffer_alloc(&run->b, device, BUFFER_HOST, bytes, "b", err);
    if (st == CUZK_OK)
        st = groth16_room_open(&run->room, &run->plan, device,
                               circuit_lg_domain(&job->plan->counts), err);
    engine_settle_idle(job->engine);
    return st;
}

static void count_admitted(partition_run_t *run, int change)
{
    cuzk_engine *engine = run->job->engine;

    if (run->held.ledger == NULL) return; /* it holds nothing */
    (void)pthread_mutex_lock(&engine->mutex);
    engine->n_admitted += (uint32_t)change;
    (void)pthread_mutex_unlock(&engine->mutex);
}

static void release(partition_run_t *run)
{
    assignment_clear(&run->x);
    buffer_free(run->a);
    buffer_free(run->b);
    groth16_room_close(&run->room);
    free(run->values);
    free(run->inputs);
    count_admitted(run, -1);
    ledger_release(&run->held);
    engine_settle_idle(run->job->engine);
}

/* ---- stages; each begins and ends without a permit ----------------------------------------------
 */

static cuzk_status check_inputs(const partition_run_t *run, cuzk_error *err)
{
    const witness_t *w = &run->x.witness;
    const uint32_t n = run->job->facts.n_public_inputs;

    if (w->n_inputs == n + 1 && memcmp(w->inputs + 1, run->inputs, n * sizeof *w->inputs) == 0)
        return CUZK_OK;
    return error_set(err, CUZK_ERR_INTERNAL,
                     "partition %u: the circuit's inputs are not the verifier's", run->number);
}

static cuzk_status synthesise(partition_run_t *run, cuzk_error *err)
{
    const engine_job_t *job = run->job;
    const synthesis_options_t options = {.strand = &run->strand};

    cuzk_status st = make_room(run, err);
    if (st != CUZK_OK) return st;
    const synthesis_sides_t sides = {.a = run->a->host, .b = run->b->host};
    job->kind->public_inputs(run->inputs, job->input, run->number);
    job->kind->values(run->values, job->input, run->number);
    st =
        synthesis_prove(&run->x, &sides, job->kind->circuit, run->values, job->plan, &options, err);
    return st == CUZK_OK ? check_inputs(run, err) : st;
}

static cuzk_status stage_synthesis(partition_run_t *run, cuzk_timings *timings, cuzk_error *err)
{
    uint64_t since = clock_monotonic_ns();

    engine_job_stage(run->job, run->index, CUZK_STAGE_SYNTHESIS);
    strand_enter(&run->strand);
    const cuzk_status st = synthesise(run, err);
    strand_leave(&run->strand);
    timings->synthesis_s = clock_lap_s(&since);
    return st;
}

static void report_msm(void *arg)
{
    partition_run_t *run = arg;

    engine_job_stage(run->job, run->index, CUZK_STAGE_MSM);
}

static cuzk_status prove(uint8_t bytes[CUZK_PROOF_BYTES], groth16_timings_t *timings,
                         partition_run_t *run, cuzk_error *err)
{
    const engine_job_t *job = run->job;
    groth16_instance_t instance = {.srs = job->srs,
                                   .counts = job->plan->counts,
                                   .lg_domain = run->x.lg_domain,
                                   .a = run->a,
                                   .b = run->b,
                                   .room = run->room,
                                   .witness = &run->x.witness,
                                   .densities = run->x.densities,
                                   .at_sums = report_msm,
                                   .at_sums_arg = run};
    groth16_blinding_t blinding;
    proof_t proof;

    cuzk_status st = groth16_random_blinding(&blinding, err);
    if (st != CUZK_OK) return st;
    run->a = run->b = NULL; /* taken */
    run->room = (groth16_room_t){0};
    st = groth16_prove(&proof, timings, &instance, &run->plan, &blinding, &run->strand, err);
    mem_wipe(&blinding, sizeof blinding);
    mem_wipe_stack();
    if (st == CUZK_OK) groth16_write_proof(bytes, &proof);
    return st;
}

static cuzk_status stage_proving(uint8_t bytes[CUZK_PROOF_BYTES], partition_run_t *run,
                                 cuzk_timings *timings, cuzk_error *err)
{
    groth16_timings_t parts = {0};

    engine_job_stage(run->job, run->index, CUZK_STAGE_H);
    strand_enter(&run->strand);
    const cuzk_status st = prove(bytes, &parts, run, err);
    strand_leave(&run->strand);
    timings->h_s = parts.h_s;
    timings->msm_s = parts.msm_s;
    timings->io_wait_s = parts.io_wait_s;
    return st;
}

/* The check that no proof leaves without: the bytes, as a verifier reads them. */
static cuzk_status check_proof(const uint8_t bytes[CUZK_PROOF_BYTES], const partition_run_t *run,
                               cuzk_error *err)
{
    proof_t proof;
    const cuzk_status st = groth16_read_proof(&proof, bytes, err);

    if (st != CUZK_OK) return st;
    return groth16_verify(&run->job->srs->vk, run->inputs, run->job->facts.n_public_inputs, &proof,
                          err);
}

static cuzk_status stage_verify(const uint8_t bytes[CUZK_PROOF_BYTES], partition_run_t *run,
                                cuzk_timings *timings, cuzk_error *err)
{
    uint64_t since = clock_monotonic_ns();

    engine_job_stage(run->job, run->index, CUZK_STAGE_VERIFY);
    strand_enter(&run->strand);
    const cuzk_status st = check_proof(bytes, run, err);
    strand_leave(&run->strand);
    timings->verify_s = clock_lap_s(&since);
    return st;
}

/* ---- through the stages -------------------------------------------------------------------------
 */

/* A seat, then memory: those who hold memory are few, and all of them work. */
static cuzk_status admit(partition_run_t *run, cuzk_timings *timings, cuzk_error *err)
{
    engine_job_t *job = run->job;
    cuzk_engine *engine = job->engine;
    const ledger_wish_t wish = {.bytes = engine_partition_bytes(engine, job->plan).peak,
                                .rank = job->rank,
                                .cancel = &job->cancel,
                                .what = job->facts.row->label,
                                .reuses = &engine->idle_held};
    uint64_t since = clock_monotonic_ns();

    cuzk_status st = gate_enter(&engine->gates.synthesis, &job->rank, &job->cancel, err);
    if (st != CUZK_OK) return st;
    st = ledger_reserve(&run->held, engine->ledger, &wish, err);
    count_admitted(run, 1);
    if (st != CUZK_OK) gate_leave(&engine->gates.synthesis, job->rank.priority);
    timings->queue_s = clock_lap_s(&since);
    return st;
}

static cuzk_status run_stages(uint8_t proof[CUZK_PROOF_BYTES], cuzk_timings *timings,
                              partition_run_t *run, cuzk_error *err)
{
    const engine_job_t *job = run->job;
    stage_gates_t *gates = &job->engine->gates;

    cuzk_status st = admit(run, timings, err);
    if (st != CUZK_OK) return st;
    st = stage_synthesis(run, timings, err);
    gate_leave(&gates->synthesis, job->rank.priority);
    if (st == CUZK_OK) engine_job_synthesized(run->job, run->index);
    if (st == CUZK_OK) st = gate_enter(&gates->proving, &job->rank, &job->cancel, err);
    if (st != CUZK_OK) return st;
    st = stage_proving(proof, run, timings, err);
    gate_leave(&gates->proving, job->rank.priority);
    if (st == CUZK_OK) ledger_shrink(&run->held, synthesis_bytes(job->plan));
    return st == CUZK_OK ? stage_verify(proof, run, timings, err) : st;
}

cuzk_status engine_prove_partition(uint8_t proof[CUZK_PROOF_BYTES], cuzk_timings *timings,
                                   engine_job_t *job, uint32_t partition, cuzk_error *err)
{
    partition_run_t run = {
        .job = job, .index = partition, .number = job->first_partition + partition};

    const groth16_size_t size = size_of(job->plan, job->engine);

    groth16_plan_make(&run.plan, job->engine->device, &size);
    strand_begin(&run.strand, job->engine->executor, &job->rank, &job->cancel);
    strand_trace_join(&run.strand, job->prepared, executor_trace(job->engine->executor));
    strand_leave(&run.strand);
    const cuzk_status st = run_stages(proof, timings, &run, err);
    release(&run);
    strand_end(&run.strand);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "bench/commands.h"
#include "bench/measure.h"
#include "bench/stress.h"
#include "cli/select.h"

/* As long as a node waits for a proof. */
#define USUAL_TIMEOUT_S   1800u
#define USUAL_RECONNECT_S 60u

enum { USUAL_JOBS = 100, USUAL_CLIENTS = 8, PROOF_MAX_PARTITIONS = 126 };

typedef struct {
    client_options_t daemon;
    const char *cases;
    const char *sector_size;
    const char *params;
    const char *mix;
    option_u32_t jobs, clients, cancels, disconnects, bad;
    option_u32_t duration_s, reconnect_s, timeout_s;
    option_u64_t seed;
    bool no_recheck;
    bool json;
} stress_command_t;

#define FIELD(name) offsetof(stress_command_t, name)

static const option_row_t rows[] = {
    DAEMON_ROWS(stress_command_t, daemon),
    {"--cases", "DIR", "folders with case.json beside c1.json or vanilla.json", FIELD(cases), 0, 0,
     OPTION_TEXT},
    {"--sector-size", SECTOR_SIZE_WORDS, "of the cases that are taken (default 2KiB)",
     FIELD(sector_size), 0, 0, OPTION_WORD},
    PARAMS_ROW(stress_command_t, params),
    {"--jobs", "N", "in all (default 100)", FIELD(jobs), 1, STRESS_MAX_JOBS, OPTION_U32},
    {"--clients", "N", "at once (default 8)", FIELD(clients), 1, STRESS_MAX_CLIENTS, OPTION_U32},
    {"--mix", "KIND=WEIGHT,...", "winning, window, update, porep (default: each case but porep)",
     FIELD(mix), 0, 0, OPTION_TEXT},
    {"--cancels", "PERCENT", "jobs that are cancelled at some moment (default 0)", FIELD(cancels),
     0, 100, OPTION_U32},
    {"--disconnects", "PERCENT", "jobs whose caller leaves and asks again (default 0)",
     FIELD(disconnects), 0, 100, OPTION_U32},
    {"--bad", "PERCENT", "requests that have to be refused (default 0)", FIELD(bad), 0, 100,
     OPTION_U32},
    {"--duration", "SECONDS", "no more jobs after it (default: until all are done)",
     FIELD(duration_s), 1, 1 << 20, OPTION_U32},
    {"--reconnect", "SECONDS", "call a daemon that went away again, so long (default 60)",
     FIELD(reconnect_s), 0, 1 << 20, OPTION_U32},
    {"--timeout", "SECONDS", "of a call that waits for a proof (default 1800)", FIELD(timeout_s), 1,
     1 << 20, OPTION_U32},
    {"--seed", "N", "of what is left to chance (default: a new one, which is told)", FIELD(seed), 0,
     UINT64_MAX, OPTION_U64},
    {"--no-recheck", NULL, "don't ask for each proof again at the end", FIELD(no_recheck), 0, 0,
     OPTION_FLAG},
    {"--json", NULL, "nothing but one line of JSON", FIELD(json), 0, 0, OPTION_FLAG},
};

static int run(int argc, char **argv);

const options_command_t command_stress = {
    .name = "stress",
    .summary = "put a daemon under many clients of all kinds, and check what becomes of every job",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes =
        "Half of the jobs are one call of Prove, half SubmitProof and AwaitProof. Of those to be\n"
        "cancelled half are handed over and cancelled, half a call that is dropped and cancelled\n"
        "then. Each proof is verified by the key in the folder of parameters, and asked for again\n"
        "at the end. Every job that was accepted is in one of completed, failed, cancelled, lost\n"
        "(its end can't be learned) and wrong (its answer is not right).\n\n"
        "winning_wait_p99_ms: of all WinningPoSts that were proved, queue_wait_ms less the time "
        "in\n"
        "which an earlier one was at work; winning_queue_wait_p99_ms: the whole of it.\n"
        "peak_bytes is the largest of the daemon's metric, asked for twice a second.\n\n"
        "Exit codes: 0 all is well; 1 something was wrong; 3 something was lost or failed.",
    .run = run,
};

/* Every case's key has to be there, or nothing could be verified. */
static cuzk_status check_keys(cuzk_engine *engine, const stress_plan_t *plan, cuzk_error *err)
{
    const case_list_t *cases = plan->cases;
    static const uint8_t none[PROOF_MAX_PARTITIONS * CUZK_PROOF_BYTES];

    for (size_t i = 0; i < cases->n; i++) {
        const proof_case_t *c = &cases->items[i];
        cuzk_status st = CUZK_ERR_ARG;

        if (!stress_plan_has(plan, c->statement.kind)) continue;
        for (size_t n = 1; st == CUZK_ERR_ARG && n <= PROOF_MAX_PARTITIONS; n++)
            st = cuzk_verify(engine, &c->statement, none, n * CUZK_PROOF_BYTES, err);
        if (st != CUZK_INVALID_PROOF) return error_within(err, "%s", c->name);
    }
    return CUZK_OK;
}

static void print_line(const stress_options_t *of, const stress_tally_t *tally, double wall_s)
{
    json_writer_t w;

    measure_begin(&w, "stress", 0);
    json_write_u64(&w, "seed", of->plan.seed);
    json_write_u64(&w, "clients", of->n_clients);
    json_write_bool(&w, "verified", of->engine != NULL);
    json_write_double(&w, "wall_s", wall_s);
    stress_tally_write(&w, tally);
    json_write_end(&w);
    (void)puts(json_writer_text(&w));
    json_writer_clear(&w);
}

static void print_words(const stress_options_t *of, const stress_tally_t *tally, double wall_s)
{
    const uint64_t *n = tally->ends;

    (void)printf("seed %" PRIu64 ", %.1f s, %" PRIu64 " jobs by %u clients, %.1f proofs/min\n",
                 of->plan.seed, wall_s, tally->begun, of->n_clients,
                 60.0 * (double)n[END_COMPLETED] / wall_s);
    (void)printf("completed %" PRIu64 ", cancelled %" PRIu64 ", refused %" PRIu64
                 "; failed %" PRIu64 ", lost %" PRIu64 ", wrong %" PRIu64 "\n",
                 n[END_COMPLETED], n[END_CANCELLED], n[END_REFUSED], n[END_FAILED], n[END_LOST],
                 n[END_WRONG]);
    (void)printf("a WinningPoSt waits %.0f ms for other kinds (99th percentile), %.0f ms in all\n",
                 1e3 * stress_tally_wait_p99_s(tally, true),
                 1e3 * stress_tally_wait_p99_s(tally, false));
    (void)printf("memory: %" PRIu64 " of %" PRIu64 " bytes\n", tally->peak_bytes,
                 tally->budget_bytes);
    for (uint32_t i = 0; i < tally->n_texts; i++) (void)printf("  %s\n", tally->texts[i]);
}

static cuzk_status run_and_report(const stress_options_t *of, bool json, cuzk_error *err)
{
    uint64_t since = clock_monotonic_ns();
    stress_tally_t tally;

    stress_tally_init(&tally);
    cuzk_status st = stress_run(&tally, of, err);
    const double wall_s = clock_lap_s(&since);
    if (st == CUZK_OK || st == CUZK_CANCELLED) {
        if (!json) print_words(of, &tally, wall_s);
        print_line(of, &tally, wall_s);
    }
    if (st == CUZK_OK) st = stress_tally_verdict(&tally, err);
    stress_tally_clear(&tally);
    return st;
}

static cuzk_status plan(stress_plan_t *plan, const stress_command_t *o, const case_list_t *cases,
                        cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    *plan = (stress_plan_t){.seed = o->seed.value,
                            .cancels = o->cancels.value,
                            .disconnects = o->disconnects.value,
                            .bad = o->bad.value,
                            .cases = cases};
    if (!o->seed.given) st = random_bytes(&plan->seed, sizeof plan->seed, err);
    if (st == CUZK_OK && o->mix != NULL) st = stress_mix_parse(&plan->mix, o->mix, err);
    return st == CUZK_OK ? stress_plan_check(plan, err) : st;
}

/* Where no folder was named and there are no keys in the usual one, it goes on without, and says
 * so.
 */
static cuzk_status open_keys(cuzk_engine **engine, const stress_command_t *o,
                             const stress_plan_t *plan, cuzk_error *err)
{
    const cuzk_engine_options options = {.struct_size = sizeof options,
                                         .params_folder = o->params,
                                         .params_source = "--params",
                                         .threads = 1};

    cuzk_status st = cuzk_engine_open(engine, &options, err);
    if (st == CUZK_OK) st = check_keys(*engine, plan, err);
    if (st != CUZK_ERR_MISSING || o->params != NULL) return st;
    (void)fprintf(stderr,
                  "cuzk-bench stress: warning: %s: proofs are not verified, only compared with "
                  "those that are asked for again; name the keys' folder by --params\n",
                  err->text);
    cuzk_engine_close(*engine);
    *engine = NULL;
    return CUZK_OK;
}

static cuzk_status with_cases(const stress_command_t *o, const case_list_t *cases, cuzk_error *err)
{
    stress_options_t of = {
        .n_jobs = o->jobs.given ? o->jobs.value : USUAL_JOBS,
        .n_clients = o->clients.given ? o->clients.value : USUAL_CLIENTS,
        .duration_ms = (uint64_t)o->duration_s.value * 1000,
        .reconnect_ms =
            (uint64_t)(o->reconnect_s.given ? o->reconnect_s.value : USUAL_RECONNECT_S) * 1000,
        .timeout_ms = (uint64_t)(o->timeout_s.given ? o->timeout_s.value : USUAL_TIMEOUT_S) * 1000,
        .asks_again = !o->no_recheck,
        .daemon = &o->daemon};

    cuzk_status st = plan(&of.plan, o, cases, err);
    if (st == CUZK_OK) st = open_keys(&of.engine, o, &of.plan, err);
    if (st == CUZK_OK) st = run_and_report(&of, o->json, err);
    cuzk_engine_close(of.engine);
    return st;
}

static cuzk_status stress(const void *options, cuzk_error *err)
{
    const stress_command_t *o = options;
    case_list_t cases = {0};

    cuzk_status st = require_option(o->cases != NULL, "--cases", err);
    if (st == CUZK_OK)
        st =
            case_list_open(&cases, o->cases, o->sector_size != NULL ? o->sector_size : "2KiB", err);
    if (st == CUZK_OK) st = with_cases(o, &cases, err);
    case_list_close(&cases);
    return st;
}

static int run(int argc, char **argv)
{
    stress_command_t o = {0};

    return command_run(&command_stress, &o, NULL, stress, argc, argv);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/stress_plan.h"

#include <stdio.h>
#include <string.h>

#include "cuzk/text.h"
#include "options/options.h"

/* ---- chance ------------------------------------------------------------------------------------
 */

/* splitmix64: every state gives a number that looks unlike its neighbours'. */
static uint64_t next_number(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint64_t stress_random(uint64_t *state, uint64_t limit)
{
    return limit == 0 ? 0 : next_number(state) % limit;
}

/* ---- the mix -----------------------------------------------------------------------------------
 */

static cuzk_status parse_share(stress_mix_t *mix, const char *share, cuzk_error *err)
{
    const char *equals = strchr(share, '=');
    char name[16] = "";
    cuzk_kind kind;
    uint64_t weight;

    if (equals == NULL || (size_t)(equals - share) >= sizeof name)
        return error_set(err, CUZK_ERR_ARG, "--mix: \"%s\" is not KIND=WEIGHT", share);
    memcpy(name, share, (size_t)(equals - share));
    const cuzk_status st = cuzk_kind_from_text(name, "--mix", &kind, err);
    if (st != CUZK_OK) return st;
    if (!option_parse_u64(&weight, equals + 1, STRESS_MAX_WEIGHT))
        return error_set(err, CUZK_ERR_ARG, "--mix: \"%s\": the weight is not 0 to %d", share,
                         STRESS_MAX_WEIGHT);
    if (mix->weights[kind - 1] != 0)
        return error_set(err, CUZK_ERR_ARG, "--mix: %s is there twice", name);
    mix->weights[kind - 1] = (uint32_t)weight;
    return CUZK_OK;
}

cuzk_status stress_mix_parse(stress_mix_t *mix, const char *text, cuzk_error *err)
{
    *mix = (stress_mix_t){{0}};
    while (*text != '\0') {
        const size_t length = strcspn(text, ",");
        char share[32];

        (void)snprintf(share, sizeof share, "%.*s", (int)(length < 31 ? length : 31), text);
        const cuzk_status st = parse_share(mix, share, err);
        if (st != CUZK_OK) return st;
        text += length + (text[length] == ',');
    }
    for (int i = 0; i < STRESS_KINDS; i++)
        if (mix->weights[i] != 0) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "--mix: no kind has a weight");
}

static size_t count_of(const case_list_t *cases, cuzk_kind kind)
{
    size_t n = 0;

    for (size_t i = 0; i < cases->n; i++) n += cases->items[i].request.kind == kind;
    return n;
}

static bool has_mix(const stress_mix_t *mix)
{
    for (int i = 0; i < STRESS_KINDS; i++)
        if (mix->weights[i] != 0) return true;
    return false;
}

/* How often a kind is taken, against the others. */
static uint64_t weight_of(const stress_plan_t *plan, cuzk_kind kind)
{
    const size_t n = count_of(plan->cases, kind);

    if (has_mix(&plan->mix)) return n > 0 ? plan->mix.weights[kind - 1] : 0;
    return kind == CUZK_POREP ? 0 : n;
}

bool stress_plan_has(const stress_plan_t *plan, cuzk_kind kind)
{
    return weight_of(plan, kind) > 0;
}

static uint64_t all_weights(const stress_plan_t *plan)
{
    uint64_t sum = 0;

    for (int k = 1; k <= STRESS_KINDS; k++) sum += weight_of(plan, (cuzk_kind)k);
    return sum;
}

static const proof_case_t *pick_case(const stress_plan_t *plan, uint64_t *state)
{
    uint64_t at = stress_random(state, all_weights(plan));
    int kind = 1;

    for (; at >= weight_of(plan, (cuzk_kind)kind); kind++) at -= weight_of(plan, (cuzk_kind)kind);
    uint64_t nth = stress_random(state, count_of(plan->cases, (cuzk_kind)kind));
    const proof_case_t *c = plan->cases->items;
    for (; c->request.kind != (cuzk_kind)kind || nth > 0; c++)
        nth -= c->request.kind == (cuzk_kind)kind;
    return c;
}

/* ---- jobs --------------------------------------------------------------------------------------
 */

cuzk_status stress_plan_check(const stress_plan_t *plan, cuzk_error *err)
{
    const uint64_t percent = (uint64_t)plan->cancels + plan->disconnects + plan->bad;

    if (percent > 100)
        return error_set(err, CUZK_ERR_ARG,
                         "--cancels, --disconnects, --bad: %llu percent together, at most 100",
                         (unsigned long long)percent);
    for (int k = 1; k <= STRESS_KINDS; k++)
        if (plan->mix.weights[k - 1] != 0 && count_of(plan->cases, (cuzk_kind)k) == 0)
            return error_set(err, CUZK_ERR_ARG, "--mix: %s, but --cases has no case of it",
                             cuzk_kind_name((cuzk_kind)k));
    if (all_weights(plan) == 0)
        return error_set(err, CUZK_ERR_ARG, "--cases: only PoReps, which --mix has to name");
    return CUZK_OK;
}

stress_job_t stress_plan_job(const stress_plan_t *plan, uint64_t number)
{
    /* 37 has no factor in common with 100: each place comes once in 100 jobs, well spread */
    const uint32_t place = (uint32_t)((number % 100 * 37 + plan->seed % 100) % 100);
    const uint32_t after_cancels = plan->cancels + plan->disconnects;
    uint64_t state = plan->seed ^ (number + 1) * 0xd1342543de82ef95u;
    stress_job_t job = {.of = pick_case(plan, &state)};

    if (place < plan->cancels)
        job.act = place % 2 == 0 ? ACT_CANCEL : ACT_DROP;
    else if (place < after_cancels)
        job.act = ACT_DISCONNECT;
    else if (place < after_cancels + plan->bad)
        job.act = ACT_BAD;
    else
        job.act = stress_random(&state, 2) == 0 ? ACT_PROVE : ACT_SUBMIT;
    job.random = state;
    return job;
}

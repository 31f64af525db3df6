/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_STRESS_PLAN_H
#define CUZK_BENCH_STRESS_PLAN_H

/* What each job of a stress run is: which case, and what its caller does. It follows from the seed
 * and the job's number alone. */

#include "bench/case_files.h"

typedef enum {
    ACT_PROVE,      /* one call that waits */
    ACT_SUBMIT,     /* handed over, then waited for in several calls */
    ACT_CANCEL,     /* handed over, then cancelled at some moment */
    ACT_DROP,       /* a waiting call that is dropped; then cancelled */
    ACT_DISCONNECT, /* a waiting call that is left, once or more, and made again */
    ACT_BAD         /* something that has to be refused */
} stress_act;

enum { STRESS_KINDS = 4, STRESS_MAX_WEIGHT = 1000 };

/** Shares of the kinds, at kind - 1; all zero: every case that is no PoRep is as frequent. */
typedef struct {
    uint32_t weights[STRESS_KINDS];
} stress_mix_t;

typedef struct {
    uint64_t seed;
    uint32_t cancels, disconnects, bad; /* percent, 100 in all at most */
    stress_mix_t mix;
    const case_list_t *cases;
} stress_plan_t;

typedef struct {
    stress_act act;
    const proof_case_t *of;
    uint64_t random; /* for whatever is left to chance in it: stress_random() */
} stress_job_t;

/** "winning=2,window=1,update=1,porep=1"; kinds that are not named have none. CUZK_ERR_ARG. */
cuzk_status stress_mix_parse(stress_mix_t *mix, const char *text, cuzk_error *err);

/** CUZK_ERR_ARG: no case has a kind of the mix, or the percentages are more than 100. */
cuzk_status stress_plan_check(const stress_plan_t *plan, cuzk_error *err);

/** Whether there are jobs of a kind. */
bool stress_plan_has(const stress_plan_t *plan, cuzk_kind kind);

/** Of each 100 jobs in a row exactly the percentages are cancelled and so on, half of the cancelled
 *  ones by a dropped call. */
stress_job_t stress_plan_job(const stress_plan_t *plan, uint64_t number);

/** The next number, below limit, of a job's own. */
uint64_t stress_random(uint64_t *state, uint64_t limit);

#endif

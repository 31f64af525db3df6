/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* A PCE file of any contents, with right checksums: refused, or regenerated, written back to the
 * same bytes, evaluated, and its plan used for a run of the circuit that it says it is of. */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/fuzz_support.h"
#include "pce/form.h"
#include "pce/test_seal.h"
#include "pce/test_toy.h"
#include "synthesis/owned.h"

/* MAX_WORK: as pce_work(); what is larger is not run. SEED_PARTS: of fuzz_pce_seeds.c. */
enum { MAX_WORK = 1 << 20, MAX_FILE = 1 << 24, SEED_PARTS = 7 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A witness with the circuit's counts and bits, and the same value everywhere. */
static cuzk_status make_witness(witness_t *w, const pce_t *pce, uint64_t value, cuzk_error *err)
{
    cuzk_status st = witness_open(w, pce->plan.counts.n_inputs, pce->plan.counts.n_aux,
                                  pce->plan.n_elements, err);
    fr_t element;
    bool added = true;

    if (st != CUZK_OK) return st;
    fr_from_u64(&element, value);
    while (w->n_inputs < pce->plan.counts.n_inputs && added) added = witness_add_input(w, &element);
    for (uint32_t i = 0; i < pce->n_stamps && added; i++) {
        const template_t *t = &pce->templates[pce->stamps[i].template];

        for (uint32_t k = 0; k < t->n_aux && added; k++)
            added = bitmap_get(t->is_bit, (uint64_t)1 + t->n_slots + k)
                        ? witness_add_bit(w, value & 1)
                        : witness_add_element(w, &element);
    }
    if (!added) abort();
    return CUZK_OK;
}

/* Evaluates a loaded PCE; a witness whose bits are others' is refused. */
static void evaluate(const pce_t *pce, uint64_t value)
{
    const size_t n = pce->plan.counts.n_constraints;
    fr_t *sides = calloc(3 * n + 1, sizeof *sides);
    witness_t w;
    cuzk_error err;

    if (sides == NULL || make_witness(&w, pce, value, &err) != CUZK_OK) abort();
    if (pce_evaluate(sides, sides + n, sides + 2 * n, pce, &w, NULL, &err) != CUZK_OK) abort();
    if (w.n_aux > 0) {
        w.is_bit[0] ^= 1;
        if (pce_evaluate(sides, sides + n, NULL, pce, &w, NULL, &err) != CUZK_ERR_ARG) abort();
        w.is_bit[0] ^= 1;
    }
    w.n_aux++;
    if (pce_evaluate(sides, sides + n, NULL, pce, &w, NULL, &err) != CUZK_ERR_ARG) abort();
    witness_clear(&w);
    free(sides);
}

/* Runs the seeds' circuit by the loaded plan, which need not be its own. */
static fuzz_verdict run_plan(const circuit_plan_t *plan, bool in_one)
{
    const toy_t toy = {.n_parts = SEED_PARTS, .one_in_b = 2, .seed = 1, .in_one = in_one};
    const size_t m = (size_t)1 << circuit_lg_domain(&plan->counts);
    fuzz_verdict verdict = FUZZ_READ;
    synthesis_sides_t sides;
    assignment_t x;
    cuzk_error err;

    if (synthesis_sides_alloc(&sides, m, true, &err) != CUZK_OK) abort();
    for (uint32_t n = 1; n < 4; n++) {
        const synthesis_options_t options = {.n_chunks = n};

        if (synthesis_prove(&x, &sides, toy_parts, &toy, plan, &options, &err) != CUZK_OK) continue;
        assignment_clear(&x);
        verdict = FUZZ_RIGHT;
    }
    synthesis_sides_free(&sides, m);
    return verdict;
}

/* Saved again, it is the same file, and loads as one. */
static void save(pce_t *pce, const uint8_t *bytes, size_t length)
{
    char path[64];
    uint8_t *again;
    size_t n;
    pce_t *loaded;
    cuzk_error err;

    (void)snprintf(path, sizeof path, "/dev/shm/fuzz_pce.%ld", (long)getpid());
    if (pce_save(pce, path, &err) != CUZK_OK) abort();
    if (file_read(&again, &n, path, MAX_FILE, &err) != CUZK_OK) abort();
    if (n != length || memcmp(again, bytes, n) != 0) abort();
    free(again);
    if (pce_load(&loaded, path, "toy", NULL, &err) != CUZK_OK) abort();
    pce_free(loaded);
    (void)unlink(path);
}

static fuzz_verdict use(pce_t *pce, const uint8_t *bytes, size_t length)
{
    cuzk_error err;

    if (pce_info(pce).memory_bytes == 0) abort();
    if (pce_work(pce) > MAX_WORK) return FUZZ_READ;
    const bool is_valid = pce_validate(pce, &err) == CUZK_OK;
    save(pce, bytes, length);
    evaluate(pce, 0);
    evaluate(pce, UINT64_MAX);
    fuzz_verdict verdict = run_plan(pce_plan(pce), false);
    if (run_plan(pce_plan(pce), true) == FUZZ_RIGHT) verdict = FUZZ_RIGHT;
    return is_valid ? verdict : FUZZ_READ;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + 1);
    fuzz_verdict verdict = FUZZ_REFUSED;
    pce_t *pce;
    cuzk_error err;

    if (bytes == NULL) return 0;
    if (size > 0) memcpy(bytes, data, size);
    if (size >= HEADER_BYTES) reseal(bytes, size);
    if (pce_read(&pce, bytes, size, "fuzz", "toy", NULL, &err) == CUZK_OK) {
        verdict = use(pce, bytes, size);
        pce_free(pce);
    }
    if (pce_load(&pce, fuzz_file(data, size), "toy", NULL, &err) == CUZK_OK) pce_free(pce);
    free(bytes);
    fuzz_judge(verdict);
    return 0;
}

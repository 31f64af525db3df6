/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "pce/form.h"

#include <stdlib.h>

#include "base/memory.h"

void *grow_array(void *p, size_t *capacity, size_t n, size_t size)
{
    size_t wanted = *capacity == 0 ? 64 : *capacity;

    if (n <= *capacity) return p;
    while (wanted < n) wanted *= 2;
    void *q = realloc(p, wanted * size);
    if (q != NULL) *capacity = wanted;
    return q;
}

/* Three times what the largest circuit has: an evaluation takes some seconds of a processor's time.
 */
#define MAX_WORK ((uint64_t)1 << 32)

void template_clear(template_t *t)
{
    free(t->is_bit);
    free(t->ends);
    free(t->terms);
    free(t->kinds);
    free(t->density_a);
    free(t->density_b);
    *t = (template_t){0};
}

void pce_free(pce_t *pce)
{
    if (pce == NULL) return;
    for (uint32_t i = 0; i < pce->n_templates; i++) template_clear(&pce->templates[i]);
    free(pce->templates);
    free(pce->coeffs);
    free(pce->facts);
    free(pce->stamps);
    free(pce->runs);
    free(pce->positions);
    circuit_plan_clear(&pce->plan);
    free(pce);
}

/* The facts of +-2^k and of small integers; others have none. */
static coeff_facts_t facts_of(const fr_t *coeff)
{
    coeff_facts_t facts = {.small = NOT_SMALL};

    for (int sign = 1; sign >= -1; sign -= 2) {
        fr_t value = *coeff;
        scalar_t s;

        if (sign < 0) fr_neg(&value, coeff);
        fr_to_scalar(&s, &value);
        int bits = 0;
        int top = 0;
        for (int i = 0; i < 4; i++) {
            bits += __builtin_popcountll(s.l[i]);
            if (s.l[i] != 0) top = 64 * i + 63 - __builtin_clzll(s.l[i]);
        }
        if (bits == 1 && top < POWERS) facts.power = (int16_t)(sign * (top + 1));
        if (top < 4 && s.l[0] <= SMALL_MAX) facts.small = (int8_t)(sign * (int)s.l[0]);
    }
    return facts;
}

static side_kind kind_of(const pce_t *pce, const template_t *t, const pce_term_t *terms, uint32_t n)
{
    const uint32_t n_known = 1 + t->n_slots + t->n_aux;
    bool small = true;
    bool powers = true;
    int sum = 0;

    if (n == 1 && pce->facts[terms[0].coeff].small == 1 &&
        (terms[0].ref >= n_known || !bitmap_get(t->is_bit, terms[0].ref)))
        return SIDE_COPY;
    for (uint32_t i = 0; i < n; i++) {
        const coeff_facts_t facts = pce->facts[terms[i].coeff];

        if (terms[i].ref >= n_known || !bitmap_get(t->is_bit, terms[i].ref)) return SIDE_ANY;
        if (facts.small == NOT_SMALL || sum > SMALL_MAX) {
            small = false;
        } else {
            sum += abs(facts.small);
        }
        if (facts.power == 0 && terms[i].ref != 0) powers = false;
    }
    if (small && sum <= SMALL_MAX) return SIDE_SMALL;
    return powers ? SIDE_POWERS : SIDE_ANY;
}

static cuzk_status alloc_derived(template_t *t, cuzk_error *err)
{
    static const char what[] = "template of a compiled circuit";
    const size_t words = bitmap_words(template_refs(t));

    t->kinds = mem_alloc((size_t)3 * t->n_rows, sizeof *t->kinds, what, err);
    if (t->kinds == NULL) return CUZK_ERR_MEMORY;
    t->density_a = mem_alloc(words, sizeof *t->density_a, what, err);
    if (t->density_a == NULL) return CUZK_ERR_MEMORY;
    t->density_b = mem_alloc(words, sizeof *t->density_b, what, err);
    return t->density_b != NULL ? CUZK_OK : CUZK_ERR_MEMORY;
}

/* Kinds, densities and the count of elements. */
static bool compile(const pce_t *pce, template_t *t)
{
    const uint32_t n_refs = template_refs(t);
    uint32_t first = 0;

    if (!bitmap_get(t->is_bit, 0)) return false;
    t->n_elements = 0;
    for (uint32_t i = 0; i < t->n_aux; i++)
        t->n_elements += !bitmap_get(t->is_bit, (uint64_t)1 + t->n_slots + i);
    for (uint32_t side = 0; side < 3 * t->n_rows; side++) {
        const uint32_t end = t->ends[side];
        uint64_t *density = side % 3 == 0 ? t->density_a : t->density_b;

        if (end < first || end > t->n_terms) return false;
        for (uint32_t i = first; i < end; i++) {
            if (t->terms[i].ref >= n_refs || t->terms[i].coeff >= pce->n_coeffs) return false;
            if (side % 3 != 2) bitmap_set(density, t->terms[i].ref);
        }
        t->kinds[side] = (uint8_t)kind_of(pce, t, t->terms + first, end - first);
        first = end;
    }
    return first == t->n_terms;
}

/* Whether the variables of a run may stand in the slots from `slot` on: they were made before, and
 * are bits where the template says so. is_bit: of the auxiliary variables so far. */
static bool check_run(const template_t *t, uint32_t slot, slot_run_t run, const uint64_t *is_bit,
                      circuit_position_t at)
{
    const bool is_aux = (run.first & VAR_AUX) != 0;
    const uint64_t first = run.first & ~VAR_AUX;

    if (run.count == 0 || (!is_aux && first == VAR_ONE)) return false;
    if (first + run.count > (is_aux ? at.n_aux : at.n_inputs)) return false;
    for (uint32_t k = 0; k < run.count; k += 64) {
        const unsigned n = run.count - k < 64 ? run.count - k : 64;
        const uint64_t bits = is_aux ? bitmap_read(is_bit, first + k, n) : 0;

        if (bitmap_read(t->is_bit, (uint64_t)1 + slot + k, n) != bits) return false;
    }
    return true;
}

/* Checks a stamp's slots, and adds its own variables to is_bit. */
static bool check_stamp(uint64_t *is_bit, const pce_t *pce, uint32_t i)
{
    const stamp_t *stamp = &pce->stamps[i];
    const template_t *t = &pce->templates[stamp->template];
    const circuit_position_t at = pce->positions[i];
    uint32_t slot = 0;

    for (uint32_t run = stamp->first_run; run < stamp[1].first_run; run++) {
        const slot_run_t r = pce->runs[run];

        if (r.count > t->n_slots - slot || !check_run(t, slot, r, is_bit, at)) return false;
        slot += r.count;
    }
    if (slot != t->n_slots) return false;
    bitmap_or(is_bit, at.n_aux, t->is_bit, (uint64_t)1 + t->n_slots, t->n_aux);
    return true;
}

/* Marks the variables of a checked stamp. A run is of one kind of variable throughout. */
static void mark_stamp(densities_t *d, const pce_t *pce, uint32_t i)
{
    const stamp_t *stamp = &pce->stamps[i];
    const template_t *t = &pce->templates[stamp->template];
    const circuit_position_t at = pce->positions[i];
    uint64_t ref = 1;

    if (bitmap_get(t->density_b, 0)) bitmap_set(d->b_input.words, 0);
    for (uint32_t run = stamp->first_run; run < stamp[1].first_run; run++) {
        const slot_run_t r = pce->runs[run];
        const uint32_t first = r.first & ~VAR_AUX;

        if (r.first & VAR_AUX) {
            bitmap_or(d->a_aux.words, first, t->density_a, ref, r.count);
            bitmap_or(d->b_aux.words, first, t->density_b, ref, r.count);
        } else {
            bitmap_or(d->b_input.words, first, t->density_b, ref, r.count);
        }
        ref += r.count;
    }
    bitmap_or(d->a_aux.words, at.n_aux, t->density_a, ref, t->n_aux);
    bitmap_or(d->b_aux.words, at.n_aux, t->density_b, ref, t->n_aux);
    bitmap_or(d->b_input.words, at.n_inputs, t->density_b, ref + t->n_aux, t->n_inputs);
}

static cuzk_status open_density(density_t *d, uint64_t n, cuzk_error *err)
{
    *d = (density_t){.n_words = bitmap_words(n)};
    d->words = mem_alloc(d->n_words, sizeof *d->words, "densities", err);
    return d->words != NULL ? CUZK_OK : CUZK_ERR_MEMORY;
}

cuzk_status pce_densities(densities_t *densities, const pce_t *pce, cuzk_error *err)
{
    const circuit_counts_t *counts = &pce->plan.counts;

    *densities = (densities_t){0};
    cuzk_status st = open_density(&densities->a_aux, counts->n_aux, err);
    if (st == CUZK_OK) st = open_density(&densities->b_input, counts->n_inputs, err);
    if (st == CUZK_OK) st = open_density(&densities->b_aux, counts->n_aux, err);
    if (st != CUZK_OK) {
        densities_clear(densities);
        return st;
    }
    for (uint32_t i = 0; i < pce->n_stamps; i++) mark_stamp(densities, pce, i);
    return CUZK_OK;
}

/* Where each stamp begins; the totals must be those of the plan. */
static bool place_stamps(pce_t *pce)
{
    const circuit_counts_t *counts = &pce->plan.counts;
    circuit_position_t at = {.n_inputs = 1};

    for (uint32_t i = 0; i < pce->n_stamps; i++) {
        if (pce->stamps[i].template >= pce->n_templates) return false;
        const template_t *t = &pce->templates[pce->stamps[i].template];

        pce->positions[i] = at;
        if (t->n_aux > counts->n_aux - at.n_aux || t->n_inputs > counts->n_inputs - at.n_inputs ||
            t->n_rows > counts->n_constraints - at.n_constraints)
            return false;
        at.n_aux += t->n_aux;
        at.n_inputs += t->n_inputs;
        at.n_elements += t->n_elements;
        at.n_constraints += t->n_rows;
    }
    pce->positions[pce->n_stamps] = at;
    return at.n_aux == counts->n_aux && at.n_inputs == counts->n_inputs &&
           at.n_elements == pce->plan.n_elements && at.n_constraints == counts->n_constraints;
}

static bool same_position(circuit_position_t a, circuit_position_t b)
{
    return a.n_inputs == b.n_inputs && a.n_aux == b.n_aux && a.n_elements == b.n_elements &&
           a.n_constraints == b.n_constraints;
}

/* Parts begin where stamps begin, in order, the first and the last at the ends of the circuit. */
static bool parts_agree(const pce_t *pce)
{
    const circuit_plan_t *plan = &pce->plan;
    uint32_t stamp = 0;

    if (plan->n_parts == 0) return true;
    for (uint32_t i = 0; i <= plan->n_parts; i++) {
        while (stamp < pce->n_stamps && !same_position(pce->positions[stamp], plan->parts[i]))
            stamp++;
        if (!same_position(pce->positions[stamp], plan->parts[i])) return false;
    }
    return same_position(plan->parts[0], pce->positions[0]) &&
           same_position(plan->parts[plan->n_parts], pce->positions[pce->n_stamps]);
}

uint64_t pce_work(const pce_t *pce)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < pce->n_stamps; i++) {
        const template_t *t = &pce->templates[pce->stamps[i].template];

        total += template_refs(t) + (uint64_t)3 * t->n_rows + t->n_terms;
    }
    return total;
}

static cuzk_status derive_coeffs(pce_t *pce, cuzk_error *err)
{
    pce->facts = mem_alloc(pce->n_coeffs, sizeof *pce->facts, "compiled circuit", err);
    if (pce->facts == NULL) return CUZK_ERR_MEMORY;
    for (uint32_t i = 0; i < pce->n_coeffs; i++) pce->facts[i] = facts_of(&pce->coeffs[i]);
    return CUZK_OK;
}

static cuzk_status derive_templates(pce_t *pce, const char *name, cuzk_error *err)
{
    for (uint32_t i = 0; i < pce->n_templates; i++) {
        const cuzk_status st = alloc_derived(&pce->templates[i], err);

        if (st != CUZK_OK) return st;
        if (!compile(pce, &pce->templates[i]))
            return error_set(err, CUZK_ERR_FORMAT, "%s: template %u: a term is out of range", name,
                             i);
    }
    return CUZK_OK;
}

static cuzk_status check_stamps(const pce_t *pce, const char *name, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    const uint64_t work = pce_work(pce);
    if (work > MAX_WORK)
        return error_set(err, CUZK_ERR_FORMAT,
                         "%s: stamps have %llu variables, sides and terms, limit %llu", name,
                         (unsigned long long)work, (unsigned long long)MAX_WORK);
    uint64_t *is_bit = mem_alloc(bitmap_words(pce->plan.counts.n_aux), sizeof *is_bit,
                                 "compiled circuit's bits", err);
    if (is_bit == NULL) return CUZK_ERR_MEMORY;
    for (uint32_t i = 0; i < pce->n_stamps && st == CUZK_OK; i++) {
        if (!check_stamp(is_bit, pce, i))
            st = error_set(err, CUZK_ERR_FORMAT, "%s: stamp %u: a slot is out of range", name, i);
    }
    free(is_bit);
    return st;
}

cuzk_status pce_finish(pce_t *pce, const char *name, cuzk_error *err)
{
    circuit_plan_t *plan = &pce->plan;

    cuzk_status st = derive_coeffs(pce, err);
    if (st == CUZK_OK) st = derive_templates(pce, name, err);
    if (st != CUZK_OK) return st;
    pce->positions = mem_alloc((size_t)pce->n_stamps + 1, sizeof *pce->positions,
                               "stamps of a compiled circuit", err);
    if (pce->positions == NULL) return CUZK_ERR_MEMORY;
    if (!place_stamps(pce) || !parts_agree(pce))
        return error_set(err, CUZK_ERR_FORMAT, "%s: stamps or parts do not add up to the counts",
                         name);
    st = check_stamps(pce, name, err);
    if (st == CUZK_OK) st = pce_densities(&plan->densities, pce, err);
    if (st == CUZK_OK) circuit_count_densities(&plan->counts, &plan->densities);
    return st;
}

void stamp_variables(var_t *vars, const pce_t *pce, uint32_t i)
{
    const stamp_t *stamp = &pce->stamps[i];
    const template_t *t = &pce->templates[stamp->template];
    const circuit_position_t at = pce->positions[i];

    *vars++ = VAR_ONE;
    for (uint32_t run = stamp->first_run; run < stamp[1].first_run; run++)
        for (uint32_t k = 0; k < pce->runs[run].count; k++) *vars++ = pce->runs[run].first + k;
    for (uint32_t k = 0; k < t->n_aux; k++) *vars++ = VAR_AUX | (at.n_aux + k);
    for (uint32_t k = 0; k < t->n_inputs; k++) *vars++ = at.n_inputs + k;
}

uint32_t pce_max_refs(const pce_t *pce)
{
    uint32_t max = 1;

    for (uint32_t i = 0; i < pce->n_templates; i++) {
        const uint32_t n = template_refs(&pce->templates[i]);

        if (n > max) max = n;
    }
    return max;
}

/* Memory in the form's arrays, and in its densities. */
static uint64_t count_memory(const pce_t *pce)
{
    const circuit_plan_t *plan = &pce->plan;
    uint64_t bytes = sizeof *pce + pce->n_coeffs * (sizeof(fr_t) + sizeof(coeff_facts_t)) +
                     pce->n_templates * sizeof(template_t) +
                     ((uint64_t)pce->n_stamps + 1) * (sizeof(stamp_t) + sizeof *pce->positions) +
                     pce->n_runs * sizeof(slot_run_t) +
                     ((uint64_t)plan->n_parts + 1) * sizeof *plan->parts;

    for (uint32_t i = 0; i < pce->n_templates; i++) {
        const template_t *t = &pce->templates[i];

        bytes += 3 * bitmap_words(template_refs(t)) * sizeof(uint64_t) +
                 (uint64_t)3 * t->n_rows * (sizeof *t->ends + 1) + t->n_terms * sizeof *t->terms;
    }
    return bytes + (plan->densities.a_aux.n_words + plan->densities.b_aux.n_words +
                    plan->densities.b_input.n_words) *
                       sizeof(uint64_t);
}

const circuit_plan_t *pce_plan(const pce_t *pce)
{
    return &pce->plan;
}

pce_info_t pce_info(const pce_t *pce)
{
    pce_info_t info = {.n_templates = pce->n_templates,
                       .n_stamps = pce->n_stamps,
                       .memory_bytes = count_memory(pce),
                       .has_digest = pce->has_digest};

    memcpy(info.label, pce->label, sizeof info.label);
    memcpy(info.digest, pce->digest, sizeof info.digest);
    for (uint32_t i = 0; i < pce->n_templates; i++) {
        info.template_rows += pce->templates[i].n_rows;
        info.template_terms += pce->templates[i].n_terms;
    }
    return info;
}

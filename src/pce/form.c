/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "pce/form.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

void *grow_array(void *p, size_t *capacity, size_t n, size_t size)
{
    size_t wanted = *capacity == 0 ? 64 : *capacity;

    if (n <= *capacity) return p;
    while (wanted < n) wanted *= 2;
    void *q = realloc(p, wanted * size);
    if (q == NULL) {
        (void)fprintf(stderr, "cuzk: out of memory for a PCE (%zu x %zu bytes)\n", wanted, size);
        abort();
    }
    *capacity = wanted;
    return q;
}

uint64_t bitmap_read(const uint64_t *words, uint64_t at, unsigned n)
{
    const unsigned low = at % 64;
    uint64_t r;

    if (n == 0) return 0;
    r = words[at / 64] >> low;
    if (low + n > 64) r |= words[at / 64 + 1] << (64 - low);
    return n == 64 ? r : r & (((uint64_t)1 << n) - 1);
}

void bitmap_or(uint64_t *to, uint64_t at, const uint64_t *from, uint64_t from_at, uint64_t n)
{
    while (n > 0) {
        const unsigned room = 64 - (unsigned)(at % 64);
        const unsigned count = n < room ? (unsigned)n : room;

        to[at / 64] |= bitmap_read(from, from_at, count) << at % 64;
        at += count;
        from_at += count;
        n -= count;
    }
}

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

/* Kinds, densities and the count of elements. */
static bool compile(const pce_t *pce, template_t *t)
{
    const uint32_t n_refs = template_refs(t);
    uint32_t first = 0;

    t->kinds = small_alloc((size_t)3 * t->n_rows, sizeof *t->kinds);
    t->density_a = small_alloc(bitmap_words(n_refs), sizeof *t->density_a);
    t->density_b = small_alloc(bitmap_words(n_refs), sizeof *t->density_b);
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

/* Whether a variable may stand in a slot: it was made before, and is a bit where the template says
 * so. is_bit: of the auxiliary variables so far. */
static bool check_slot(const template_t *t, uint32_t slot, var_t var, const uint64_t *is_bit,
                       circuit_position_t at)
{
    const uint32_t i = var & ~VAR_AUX;
    const bool bit = bitmap_get(t->is_bit, (uint64_t)1 + slot);

    if (!(var & VAR_AUX)) return var != VAR_ONE && i < at.n_inputs && !bit;
    return i < at.n_aux && bit == bitmap_get(is_bit, i);
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

        if (r.count > t->n_slots - slot || r.count > CS_MAX_VARIABLES) return false;
        for (uint32_t k = 0; k < r.count; k++, slot++) {
            if (k > 0 && ((r.first + k) & ~VAR_AUX) == 0) return false;
            if (!check_slot(t, slot, r.first + k, is_bit, at)) return false;
        }
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

static density_t new_density(uint64_t n)
{
    density_t d = {.n_words = bitmap_words(n)};

    d.words = small_alloc(d.n_words, sizeof *d.words);
    return d;
}

void pce_densities(densities_t *densities, const pce_t *pce)
{
    const circuit_counts_t *counts = &pce->plan.counts;

    *densities = (densities_t){.a_aux = new_density(counts->n_aux),
                               .b_input = new_density(counts->n_inputs),
                               .b_aux = new_density(counts->n_aux)};
    for (uint32_t i = 0; i < pce->n_stamps; i++) mark_stamp(densities, pce, i);
}

/* Where each stamp begins; the totals must be those of the plan. */
static bool place_stamps(pce_t *pce)
{
    const circuit_counts_t *counts = &pce->plan.counts;
    circuit_position_t at = {.n_inputs = 1};

    pce->positions = small_alloc((size_t)pce->n_stamps + 1, sizeof *pce->positions);
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

static bool parts_rise(const circuit_plan_t *plan)
{
    for (uint32_t i = 0; i + 1 <= plan->n_parts; i++) {
        const circuit_position_t a = plan->parts[i];
        const circuit_position_t b = plan->parts[i + 1];

        if (a.n_inputs > b.n_inputs || a.n_aux > b.n_aux || a.n_elements > b.n_elements ||
            a.n_constraints > b.n_constraints)
            return false;
    }
    if (plan->n_parts == 0) return true;
    const circuit_position_t first = plan->parts[0];
    const circuit_position_t end = plan->parts[plan->n_parts];
    return first.n_inputs == 1 && first.n_aux == 0 && first.n_elements == 0 &&
           first.n_constraints == 0 && end.n_inputs == plan->counts.n_inputs &&
           end.n_aux == plan->counts.n_aux && end.n_elements == plan->n_elements &&
           end.n_constraints == plan->counts.n_constraints;
}

cuzk_status pce_finish(pce_t *pce, const char *name, cuzk_error *err)
{
    circuit_plan_t *plan = &pce->plan;

    pce->facts = small_alloc(pce->n_coeffs, sizeof *pce->facts);
    for (uint32_t i = 0; i < pce->n_coeffs; i++) pce->facts[i] = facts_of(&pce->coeffs[i]);
    for (uint32_t i = 0; i < pce->n_templates; i++) {
        if (!compile(pce, &pce->templates[i]))
            return error_set(err, CUZK_ERR_FORMAT, "%s: template %u: a term is out of range", name,
                             i);
    }
    if (!place_stamps(pce) || !parts_rise(plan))
        return error_set(err, CUZK_ERR_FORMAT, "%s: stamps or parts do not add up to the counts",
                         name);
    uint64_t *is_bit = small_alloc(bitmap_words(plan->counts.n_aux), sizeof *is_bit);
    cuzk_status st = CUZK_OK;
    for (uint32_t i = 0; i < pce->n_stamps && st == CUZK_OK; i++) {
        if (!check_stamp(is_bit, pce, i))
            st = error_set(err, CUZK_ERR_FORMAT, "%s: stamp %u: a slot is out of range", name, i);
    }
    free(is_bit);
    if (st != CUZK_OK) return st;
    pce_densities(&plan->densities, pce);
    circuit_count_densities(&plan->counts, &plan->densities);
    return CUZK_OK;
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

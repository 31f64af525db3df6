/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "r1cs/lc.h"

#include "base/verify.h"

static lc_storage storage = LC_ARENA;

void lc_set_storage(lc_storage wanted)
{
    storage = wanted;
}

/* Terms that there is room for at first, and of them those that lie in the arena. */
static const struct {
    uint32_t first, in_arena;
} rooms[] = {[LC_ARENA] = {4, UINT32_MAX},
             [LC_VECTOR] = {4, 0},
             [LC_INLINE1] = {1, 1},
             [LC_INLINE2] = {2, 2},
             [LC_INLINE4] = {4, 4}};

static void reserve(arena_t *arena, lc_t *r, uint32_t n)
{
    uint32_t capacity = r->capacity == 0 ? rooms[storage].first : r->capacity;

    if (n <= r->capacity) return;
    while (capacity < n) capacity *= 2;
    if (capacity <= rooms[storage].in_arena)
        r->terms = arena_grow(arena, r->terms, r->capacity, capacity, sizeof *r->terms);
    else
        r->terms =
            arena_attach(arena, r->terms, r->n * sizeof *r->terms, capacity * sizeof *r->terms);
    r->capacity = capacity;
}

/* The first position whose variable is not below var. */
static uint32_t lower_bound(const lc_t *r, var_t var)
{
    uint32_t low = 0;
    uint32_t high = r->n;

    if (high > 0 && r->terms[high - 1].var < var) return high; /* mostly they come rising */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (r->terms[middle].var < var)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void lc_add_term(arena_t *arena, lc_t *r, var_t var, const fr_t *coeff)
{
    const uint32_t at = lower_bound(r, var);

    if (at < r->n && r->terms[at].var == var) {
        fr_add(&r->terms[at].coeff, &r->terms[at].coeff, coeff);
        return;
    }
    reserve(arena, r, r->n + 1);
    memmove(&r->terms[at + 1], &r->terms[at], (r->n - at) * sizeof *r->terms);
    r->terms[at].coeff = *coeff;
    r->terms[at].var = var;
    r->n++;
}

void lc_add_var(arena_t *arena, lc_t *r, var_t var)
{
    lc_add_term(arena, r, var, &fr_one);
}

void lc_sub_var(arena_t *arena, lc_t *r, var_t var)
{
    lc_add_term(arena, r, var, &fr_minus_one);
}

/* What to do with a's coefficients on their way into r. */
typedef enum { KEEP, NEGATE, SCALE } change_t;

static void changed(fr_t *r, const fr_t *coeff, change_t change, const fr_t *k)
{
    if (change == KEEP)
        *r = *coeff;
    else if (change == NEGATE)
        fr_neg(r, coeff);
    else
        fr_mul(r, coeff, k);
}

/* Variables of a that r does not have. */
static uint32_t count_new(const lc_t *r, const lc_t *a)
{
    uint32_t i = 0;
    uint32_t n = 0;

    for (uint32_t j = 0; j < a->n; j++) {
        while (i < r->n && r->terms[i].var < a->terms[j].var) i++;
        if (i == r->n) return n + (a->n - j);
        if (r->terms[i].var != a->terms[j].var) n++;
    }
    return n;
}

/* Merges from the back into the room made at r's end. */
static void merge(arena_t *arena, lc_t *r, const lc_t *a, change_t change, const fr_t *k)
{
    const uint32_t n = r->n + count_new(r, a);
    uint32_t i = r->n;
    uint32_t j = a->n;
    uint32_t out = n;

    VERIFY(r != a);
    reserve(arena, r, n);
    while (j > 0) {
        lc_term_t *to = &r->terms[out - 1];
        const lc_term_t *from = &a->terms[j - 1];

        if (i > 0 && r->terms[i - 1].var > from->var) {
            *to = r->terms[--i];
        } else if (i > 0 && r->terms[i - 1].var == from->var) {
            fr_t coeff;

            changed(&coeff, &from->coeff, change, k);
            i--;
            fr_add(&to->coeff, &r->terms[i].coeff, &coeff);
            to->var = from->var;
            j--;
        } else {
            changed(&to->coeff, &from->coeff, change, k);
            to->var = from->var;
            j--;
        }
        out--;
    }
    VERIFY(out == i);
    r->n = n;
}

void lc_add(arena_t *arena, lc_t *r, const lc_t *a)
{
    merge(arena, r, a, KEEP, NULL);
}

void lc_sub(arena_t *arena, lc_t *r, const lc_t *a)
{
    merge(arena, r, a, NEGATE, NULL);
}

void lc_add_scaled(arena_t *arena, lc_t *r, const fr_t *k, const lc_t *a)
{
    merge(arena, r, a, SCALE, k);
}

void lc_scale(lc_t *r, const fr_t *k)
{
    for (uint32_t i = 0; i < r->n; i++) fr_mul(&r->terms[i].coeff, &r->terms[i].coeff, k);
}

lc_t lc_copy(arena_t *arena, const lc_t *a)
{
    lc_t r = {0};

    reserve(arena, &r, a->n);
    if (a->n > 0) memcpy(r.terms, a->terms, a->n * sizeof *a->terms);
    r.n = a->n;
    return r;
}

lc_t lc_from_var(arena_t *arena, var_t var)
{
    lc_t r = {0};

    lc_add_var(arena, &r, var);
    return r;
}

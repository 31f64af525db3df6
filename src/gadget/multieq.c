/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gadget/multieq.h"

#include "gadget/terms.h"

void multieq_init(multieq_t *m, cs_t *cs)
{
    m->cs = cs;
    m->bits_used = 0;
    m->shift = 0;
    m->n_left = 0;
    m->n_right = 0;
    m->left_constant = fr_zero;
    m->powers[0] = fr_one;
    for (unsigned i = 1; i < MULTIEQ_CAPACITY; i++)
        fr_add(&m->powers[i], &m->powers[i - 1], &m->powers[i - 1]);
}

/* Merges the rising runs from[0 .. middle-1] and from[middle .. end-1] into to. */
static void merge_runs(multieq_term_t *to, const multieq_term_t *from, unsigned middle,
                       unsigned end)
{
    unsigned i = 0;
    unsigned j = middle;

    for (unsigned out = 0; out < end; out++) {
        if (i < middle && (j == end || from[i].var <= from[j].var))
            to[out] = from[i++];
        else
            to[out] = from[j++];
    }
}

/* The end of the rising run that begins at first. */
static unsigned run_end(const multieq_term_t *terms, unsigned first, unsigned n)
{
    unsigned end = first + 1;

    while (end < n && terms[end - 1].var <= terms[end].var) end++;
    return end;
}

/* Sorts by var and returns where the result is, terms or scratch. The terms come as runs that
 * rise, a run a word, so this merges neighbouring runs until one is left. */
static const multieq_term_t *sort_terms(multieq_term_t *terms, multieq_term_t *scratch, unsigned n)
{
    while (n > 0 && run_end(terms, 0, n) < n) {
        multieq_term_t *const from = terms;

        for (unsigned first = 0; first < n;) {
            const unsigned middle = run_end(from, first, n);
            const unsigned end = middle < n ? run_end(from, middle, n) : n;

            merge_runs(scratch + first, from + first, middle - first, end - first);
            first = end;
        }
        terms = scratch;
        scratch = from;
    }
    return terms;
}

static void term_coeff(fr_t *r, const multieq_t *m, const multieq_term_t *term)
{
    *r = m->powers[term->shift];
    if (term->negative) fr_neg(r, r);
}

/* The combination constant * ONE + terms; terms rise by var and may repeat one. */
static lc_t make_lc(const multieq_t *m, const fr_t *constant, const multieq_term_t *terms,
                    unsigned n)
{
    arena_t *arena = &m->cs->arena;
    lc_t lc = lc_empty();

    lc_reserve(arena, &lc, n + 1);
    if (!fr_is_zero(constant)) lc_add_term(arena, &lc, VAR_ONE, constant);
    for (unsigned i = 0; i < n; i++) {
        fr_t coeff;

        term_coeff(&coeff, m, &terms[i]);
        lc_add_term(arena, &lc, terms[i].var, &coeff);
    }
    return lc;
}

/* left * 1 = right */
static void enforce(multieq_t *m)
{
    arena_t *arena = &m->cs->arena;
    const arena_mark_t mark = arena_mark(arena);
    multieq_term_t *scratch = arena_alloc(arena, m->n_left, sizeof *scratch);
    lc_term_t one = {.coeff = fr_one, .var = VAR_ONE};
    const lc_t b = terms_of(&one, 1);
    const lc_t a =
        make_lc(m, &m->left_constant, sort_terms(m->left, scratch, m->n_left), m->n_left);
    const lc_t c = make_lc(m, &fr_zero, m->right, m->n_right);

    cs_enforce(m->cs, &a, &b, &c);
    arena_rewind(arena, mark);
    m->bits_used = 0;
    m->n_left = 0;
    m->n_right = 0;
    m->left_constant = fr_zero;
}

void multieq_open(multieq_t *m, unsigned n_bits)
{
    VERIFY(n_bits >= MULTIEQ_MIN_BITS && n_bits < MULTIEQ_CAPACITY);
    if (m->bits_used + n_bits >= MULTIEQ_CAPACITY) enforce(m);
    m->shift = m->bits_used;
    m->bits_used += n_bits;
}

void multieq_add_left(multieq_t *m, var_t var, unsigned k, bool negated)
{
    const unsigned shift = m->shift + k;

    VERIFY(var != VAR_ONE && shift < m->bits_used && m->n_left < sizeof m->left / sizeof *m->left);
    m->left[m->n_left++] =
        (multieq_term_t){.var = var, .shift = (uint16_t)shift, .negative = negated};
    if (negated) fr_add(&m->left_constant, &m->left_constant, &m->powers[shift]);
}

void multieq_add_left_constant(multieq_t *m, uint64_t value)
{
    fr_t scaled;

    if (value == 0) return;
    fr_from_u64(&scaled, value);
    fr_mul(&scaled, &scaled, &m->powers[m->shift]);
    fr_add(&m->left_constant, &m->left_constant, &scaled);
}

void multieq_add_right(multieq_t *m, var_t var, unsigned k)
{
    VERIFY(m->n_right < MULTIEQ_CAPACITY && m->shift + k < m->bits_used);
    VERIFY(m->n_right == 0 || m->right[m->n_right - 1].var < var);
    m->right[m->n_right++] =
        (multieq_term_t){.var = var, .shift = (uint16_t)(m->shift + k), .negative = false};
}

void multieq_close(multieq_t *m)
{
    if (m->bits_used > 0) enforce(m);
}

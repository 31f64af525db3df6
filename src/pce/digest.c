/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "pce/form.h"

enum { TERM_BYTES = 4 + FR_BYTES, BUFFER_BYTES = 1 << 16, FEW_TERMS = 64 };

/* Constraints on their way into the digest. */
typedef struct {
    sha256_t hash;
    uint8_t *buffer; /* BUFFER_BYTES */
    size_t used;
    uint8_t (*coeffs)[FR_BYTES]; /* the table, little-endian */
    var_t *vars;                 /* of the stamp under way */
    pce_term_t *terms;           /* of a side: ref is the variable */
} pce_stream_t;

static void put(pce_stream_t *s, const void *bytes, size_t n)
{
    if (n > BUFFER_BYTES - s->used) {
        sha256_update(&s->hash, s->buffer, s->used);
        s->used = 0;
    }
    memcpy(s->buffer + s->used, bytes, n);
    s->used += n;
}

static int by_variable(const void *a, const void *b)
{
    const pce_term_t *x = a;
    const pce_term_t *y = b;

    return (x->ref > y->ref) - (x->ref < y->ref);
}

/* Terms rise by variable in the digest; in a template they rise as where it was recorded, which is
 * the same order nearly always. */
static void sort_terms(pce_term_t *terms, uint32_t n)
{
    uint32_t i = 1;

    while (i < n && terms[i - 1].ref < terms[i].ref) i++;
    if (i >= n) return;
    if (n > FEW_TERMS) {
        qsort(terms, n, sizeof *terms, by_variable);
        return;
    }
    for (; i < n; i++) {
        const pce_term_t term = terms[i];
        uint32_t to = i;

        for (; to > 0 && terms[to - 1].ref > term.ref; to--) terms[to] = terms[to - 1];
        terms[to] = term;
    }
}

static void put_side(pce_stream_t *s, const pce_term_t *terms, uint32_t n)
{
    uint8_t count[4];

    for (uint32_t i = 0; i < n; i++)
        s->terms[i] = (pce_term_t){.ref = s->vars[terms[i].ref], .coeff = terms[i].coeff};
    sort_terms(s->terms, n);
    store_le32(count, n);
    put(s, count, sizeof count);
    for (uint32_t i = 0; i < n; i++) {
        uint8_t bytes[TERM_BYTES];

        store_le32(bytes, s->terms[i].ref);
        memcpy(bytes + 4, s->coeffs[s->terms[i].coeff], FR_BYTES);
        put(s, bytes, sizeof bytes);
    }
}

static uint32_t max_terms(const pce_t *pce)
{
    uint32_t max = 0;

    for (uint32_t i = 0; i < pce->n_templates; i++) {
        const template_t *t = &pce->templates[i];

        for (uint32_t side = 0; side < 3 * t->n_rows; side++) {
            const uint32_t n = t->ends[side] - (side == 0 ? 0 : t->ends[side - 1]);

            if (n > max) max = n;
        }
    }
    return max;
}

static void put_stamps(pce_stream_t *s, const pce_t *pce)
{
    for (uint32_t i = 0; i < pce->n_coeffs; i++) fr_to_bytes(s->coeffs[i], &pce->coeffs[i]);
    for (uint32_t i = 0; i < pce->n_stamps; i++) {
        const template_t *t = &pce->templates[pce->stamps[i].template];
        uint32_t first = 0;

        stamp_variables(s->vars, pce, i);
        for (uint32_t side = 0; side < 3 * t->n_rows; side++) {
            put_side(s, t->terms + first, t->ends[side] - first);
            first = t->ends[side];
        }
    }
}

static cuzk_status regenerate(uint8_t digest[SHA256_BYTES], const pce_t *pce, cuzk_error *err)
{
    static const char what[] = "digest of a compiled circuit";
    cuzk_status st = CUZK_ERR_MEMORY;
    pce_stream_t s = {0};

    sha256_init(&s.hash);
    s.buffer = mem_alloc(BUFFER_BYTES, 1, what, err);
    if (s.buffer == NULL) goto out;
    s.coeffs = mem_alloc(pce->n_coeffs, sizeof *s.coeffs, what, err);
    if (s.coeffs == NULL) goto out;
    s.vars = mem_alloc(pce_max_refs(pce), sizeof *s.vars, what, err);
    if (s.vars == NULL) goto out;
    s.terms = mem_alloc(max_terms(pce), sizeof *s.terms, what, err);
    if (s.terms == NULL) goto out;
    put_stamps(&s, pce);
    sha256_update(&s.hash, s.buffer, s.used);
    st = CUZK_OK;
out:
    sha256_final(digest, &s.hash);
    free(s.buffer);
    free(s.coeffs);
    free(s.vars);
    free(s.terms);
    return st;
}

cuzk_status pce_digest(uint8_t digest[SHA256_BYTES], pce_t *pce, cuzk_error *err)
{
    const cuzk_status st = regenerate(digest, pce, err);

    if (st != CUZK_OK) return st;
    memcpy(pce->digest, digest, SHA256_BYTES);
    pce->has_digest = true;
    return CUZK_OK;
}

cuzk_status pce_validate(const pce_t *pce, cuzk_error *err)
{
    uint8_t digest[SHA256_BYTES];

    const cuzk_status st = regenerate(digest, pce, err);
    if (st != CUZK_OK) return st;
    if (pce->has_digest && memcmp(digest, pce->digest, sizeof digest) == 0) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT, "%s: constraints are not those of the digest",
                     pce->label);
}

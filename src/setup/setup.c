/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "setup/setup.h"

#include "base/memory.h"
#include "base/random.h"
#include "field/fr_batch.h"
#include "msm/fixed_base.h"
#include "ntt/ntt.h"
#include "srs/srs.h"
#include "synthesis/qap.h"
#include "synthesis/plan.h"

enum {
    CHUNK = 1 << 16, /* points made and written at a time */
    GRAIN = 1 << 10
};

cuzk_status setup_random_secrets(setup_secrets_t *secrets, cuzk_error *err)
{
    fr_t *const all[] = {&secrets->alpha, &secrets->beta, &secrets->gamma, &secrets->delta,
                         &secrets->tau};

    secrets->g1 = *g1_generator();
    secrets->g2 = *g2_generator();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const cuzk_status st = fr_random(all[i], err);

        if (st == CUZK_OK) continue;
        mem_wipe(secrets, sizeof *secrets);
        return st;
    }
    return CUZK_OK;
}

static const strand_cut_t cut = {GRAIN, 16 * GRAIN};

/* Everything of one setup; what could tell a secret is wiped before it is released: the Lagrange
 * values, the sums of the variables, chunks of scalars, scratch of the transform. */

typedef struct {
    const setup_secrets_t *secrets;
    const setup_outputs_t *outputs;
    circuit_counts_t counts;
    unsigned lg_m;
    fr_t tau_m_less_1; /* tau^m - 1 */
    fr_t inv_gamma, inv_delta;
    qap_t qap;
    fixed_base_g1_t *g1;
    fixed_base_g2_t *g2;
    fr_t *values;      /* a chunk: CHUNK of each */
    scalar_t *scalars; /* the same, canonical */
    g1_affine_t *points1;
    g2_affine_t *points2;
    srs_vk_t vk;
    srs_writer_t params_file;
    atomic_file_t vk_file; /* cleared when none is wanted */
    strand_t *strand;
} setup_job_t;

static cuzk_status check_secrets(const setup_secrets_t *secrets, cuzk_error *err)
{
    const struct {
        const char *name;
        const fr_t *value;
    } rows[] = {{"alpha", &secrets->alpha},
                {"beta", &secrets->beta},
                {"gamma", &secrets->gamma},
                {"delta", &secrets->delta},
                {"tau", &secrets->tau}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (fr_is_zero(rows[i].value))
            return error_set(err, CUZK_ERR_ARG, "secrets: %s: is zero", rows[i].name);
    if (g1_affine_is_identity(&secrets->g1) || !g1_on_curve(&secrets->g1) ||
        !g1_in_subgroup(&secrets->g1))
        return error_set(err, CUZK_ERR_ARG, "secrets: g1: not a generator of the group");
    if (g2_affine_is_identity(&secrets->g2) || !g2_on_curve(&secrets->g2) ||
        !g2_in_subgroup(&secrets->g2))
        return error_set(err, CUZK_ERR_ARG, "secrets: g2: not a generator of the group");
    return CUZK_OK;
}

/* Counts, and the numbers that follow from the secrets and the size. */
static cuzk_status prepare(setup_job_t *s, circuit_fn circuit, const void *values, cuzk_error *err)
{
    circuit_plan_t plan;

    const cuzk_status st = synthesis_plan(&plan, circuit, values, err);
    if (st != CUZK_OK) return st;
    s->counts = plan.counts;
    circuit_plan_clear(&plan);
    s->lg_m = circuit_lg_domain(&s->counts);
    if (s->lg_m >= NTT_MAX_LG)
        return error_set(err, CUZK_ERR_ARG, "circuit: domain of 2^%u, at most 2^%d", s->lg_m,
                         NTT_MAX_LG - 1);
    fr_pow_u64(&s->tau_m_less_1, &s->secrets->tau, (uint64_t)1 << s->lg_m);
    fr_sub(&s->tau_m_less_1, &s->tau_m_less_1, &fr_one);
    if (fr_is_zero(&s->tau_m_less_1))
        return error_set(err, CUZK_ERR_ARG, "secrets: tau: is in the circuit's domain");
    fr_inv(&s->inv_gamma, &s->secrets->gamma);
    fr_inv(&s->inv_delta, &s->secrets->delta);
    return CUZK_OK;
}

/* r[i] = first * tau^i */
typedef struct {
    fr_t *r;
    const fr_t *first, *tau;
} powers_t;

static void fill_powers(void *arg, size_t first, size_t end, uint32_t worker)
{
    const powers_t *p = arg;
    fr_t power;

    (void)worker;
    fr_pow_u64(&power, p->tau, first);
    fr_mul(&power, &power, p->first);
    for (size_t i = first; i < end; i++) p->r[i] = fr_one;
    fr_batch_scale_powers(p->r + first, p->r + first, &power, p->tau, end - first);
    mem_wipe(&power, sizeof power);
}

/* The Lagrange polynomials of the domain at tau are the inverse transform of tau's powers, in
 * place: L_i(tau) = 1/m sum(tau^j w^(-ij)). */
static cuzk_status transform_powers(fr_t *powers, const ntt_domain_t *domain, strand_t *strand,
                                    cuzk_error *err)
{
    const size_t bytes = ntt_scratch_bytes(domain, strand_size(strand));
    void *scratch;
    cuzk_status st = big_alloc(&scratch, bytes, 1, "scratch of a transform", err);

    if (st != CUZK_OK) return st;
    st = ntt_transform(domain, &(ntt_vector_t){.elements = powers}, &(ntt_kind_t){.inverse = true},
                       scratch, strand, err);
    mem_wipe(scratch, bytes);
    big_free(scratch, bytes, 1);
    return st;
}

static cuzk_status lagrange_at_tau(fr_t *lagrange, const setup_job_t *s, cuzk_error *err)
{
    ntt_domain_t *domain;
    cuzk_status st = ntt_domain_open(&domain, s->lg_m, err);

    if (st != CUZK_OK) return st;
    st = strand_for(s->strand, ntt_domain_size(domain), cut, fill_powers,
                    &(powers_t){lagrange, &fr_one, &s->secrets->tau}, err);
    if (st == CUZK_OK) st = transform_powers(lagrange, domain, s->strand, err);
    ntt_domain_close(domain);
    return st;
}

static cuzk_status make_qap(setup_job_t *s, circuit_fn circuit, const void *values, cuzk_error *err)
{
    const size_t m = (size_t)1 << s->lg_m;
    void *lagrange;
    cuzk_status st = big_alloc(&lagrange, m, sizeof(fr_t), "Lagrange values", err);

    if (st != CUZK_OK) return st;
    st = lagrange_at_tau(lagrange, s, err);
    if (st == CUZK_OK) st = synthesis_qap(&s->qap, &s->counts, lagrange, circuit, values, err);
    mem_wipe(lagrange, m * sizeof(fr_t));
    big_free(lagrange, m, sizeof(fr_t));
    return st;
}

static cuzk_status alloc_chunk(setup_job_t *s, cuzk_error *err)
{
    void *p[4] = {0};
    const size_t sizes[4] = {sizeof *s->values, sizeof *s->scalars, sizeof *s->points1,
                             sizeof *s->points2};
    cuzk_status st = CUZK_OK;

    for (size_t i = 0; i < 4 && st == CUZK_OK; i++)
        st = big_alloc(&p[i], CHUNK, sizes[i], "chunk", err);
    s->values = p[0];
    s->scalars = p[1];
    s->points1 = p[2];
    s->points2 = p[3];
    return st;
}

static size_t count_nonzero(const fr_t *values, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++) count += !fr_is_zero(&values[i]);
    return count;
}

static cuzk_status open_tables(setup_job_t *s, size_t n_a, size_t n_b, cuzk_error *err)
{
    const size_t n_g1 = ((size_t)1 << s->lg_m) + s->qap.n_variables + n_a + n_b;
    const cuzk_status st = fixed_base_g1_open(&s->g1, &s->secrets->g1, n_g1, s->strand, err);

    if (st != CUZK_OK) return st;
    return fixed_base_g2_open(&s->g2, &s->secrets->g2, n_b, s->strand, err);
}

static void convert_range(void *arg, size_t first, size_t end, uint32_t worker)
{
    const setup_job_t *s = arg;

    (void)worker;
    fr_batch_to_scalar(s->scalars + first, s->values + first, end - first);
}

/* points1[0 .. n-1] = the first n values of the chunk times g1. */
static cuzk_status multiply_g1(setup_job_t *s, size_t n, cuzk_error *err)
{
    const cuzk_status st = strand_for(s->strand, n, cut, convert_range, s, err);

    if (st != CUZK_OK) return st;
    return fixed_base_g1_mul(s->points1, s->g1, s->scalars, n, s->strand, err);
}

static cuzk_status multiply_g2(setup_job_t *s, size_t n, cuzk_error *err)
{
    const cuzk_status st = strand_for(s->strand, n, cut, convert_range, s, err);

    if (st != CUZK_OK) return st;
    return fixed_base_g2_mul(s->points2, s->g2, s->scalars, n, s->strand, err);
}

/* values[i] = inverse (beta a + alpha b + c) of variable first + i. */
typedef struct {
    const setup_job_t *s;
    const fr_t *inverse;
    size_t first;
} combine_t;

static void combine_range(void *arg, size_t first, size_t end, uint32_t worker)
{
    const combine_t *t = arg;
    const setup_job_t *s = t->s;
    fr_t sum, product;

    (void)worker;
    for (size_t i = first; i < end; i++) {
        fr_mul(&sum, &s->qap.a[t->first + i], &s->secrets->beta);
        fr_mul(&product, &s->qap.b[t->first + i], &s->secrets->alpha);
        fr_add(&sum, &sum, &product);
        fr_add(&sum, &sum, &s->qap.c[t->first + i]);
        fr_mul(&s->values[i], &sum, t->inverse);
    }
    mem_wipe(&sum, sizeof sum);
    mem_wipe(&product, sizeof product);
}

/* The points of l or ic for variables first .. first+n-1, at most a chunk, in points1. */
static cuzk_status make_combined(setup_job_t *s, const fr_t *inverse, size_t first, size_t n,
                                 cuzk_error *err)
{
    const cuzk_status st =
        strand_for(s->strand, n, cut, combine_range, &(combine_t){s, inverse, first}, err);

    if (st != CUZK_OK) return st;
    for (size_t i = 0; i < n; i++)
        if (fr_is_zero(&s->values[i]))
            return error_set(err, CUZK_ERR_ARG,
                             "circuit: variable %zu (inputs first) has no constraint", first + i);
    return multiply_g1(s, n, err);
}

/* The points of the key that are one secret each. */
static void make_key_points(srs_vk_t *vk, const setup_secrets_t *secrets)
{
    scalar_t alpha, beta, gamma, delta;

    fr_to_scalar(&alpha, &secrets->alpha);
    fr_to_scalar(&beta, &secrets->beta);
    fr_to_scalar(&gamma, &secrets->gamma);
    fr_to_scalar(&delta, &secrets->delta);
    g1_mul_affine(&vk->alpha_g1, &secrets->g1, &alpha);
    g1_mul_affine(&vk->beta_g1, &secrets->g1, &beta);
    g2_mul_affine(&vk->beta_g2, &secrets->g2, &beta);
    g2_mul_affine(&vk->gamma_g2, &secrets->g2, &gamma);
    g1_mul_affine(&vk->delta_g1, &secrets->g1, &delta);
    g2_mul_affine(&vk->delta_g2, &secrets->g2, &delta);
    mem_wipe(&alpha, sizeof alpha);
    mem_wipe(&beta, sizeof beta);
    mem_wipe(&gamma, sizeof gamma);
    mem_wipe(&delta, sizeof delta);
}

static size_t chunk_of(size_t left)
{
    return left < CHUNK ? left : CHUNK;
}

static cuzk_status make_vk(setup_job_t *s, cuzk_error *err)
{
    srs_vk_t *vk = &s->vk;
    const size_t n_ic = s->counts.n_inputs;

    make_key_points(vk, s->secrets);
    vk->ic = mem_alloc(n_ic, sizeof *vk->ic, "points of the inputs", err);
    if (vk->ic == NULL) return err->status;
    vk->n_ic = s->counts.n_inputs;
    for (size_t first = 0; first < n_ic; first += CHUNK) {
        const size_t n = chunk_of(n_ic - first);
        const cuzk_status st = make_combined(s, &s->inv_gamma, first, n, err);

        if (st != CUZK_OK) return st;
        memcpy(vk->ic + first, s->points1, n * sizeof *vk->ic);
    }
    return CUZK_OK;
}

static void report(const setup_job_t *s, srs_section section, size_t done, size_t total)
{
    if (s->outputs->progress != NULL)
        s->outputs->progress(s->outputs->progress_arg, srs_section_name(section), done, total);
}

/* The points tau^i first for i < n, of section h. */
static cuzk_status write_powers(setup_job_t *s, const fr_t *first, size_t n, cuzk_error *err)
{
    cuzk_status st = strand_for(s->strand, n, cut, fill_powers,
                                &(powers_t){s->values, first, &s->secrets->tau}, err);

    if (st == CUZK_OK) st = multiply_g1(s, n, err);
    if (st == CUZK_OK) st = srs_writer_add_g1(&s->params_file, s->points1, n, s->strand, err);
    return st;
}

/* tau^i (tau^m - 1) / delta for i < m - 1. */
static cuzk_status write_h(setup_job_t *s, cuzk_error *err)
{
    const size_t count = ((size_t)1 << s->lg_m) - 1;
    cuzk_status st = CUZK_OK;
    fr_t next, step;

    fr_mul(&next, &s->tau_m_less_1, &s->inv_delta);
    fr_pow_u64(&step, &s->secrets->tau, CHUNK);
    srs_writer_begin(&s->params_file, (uint32_t)count);
    for (size_t first = 0; first < count && st == CUZK_OK; first += CHUNK) {
        const size_t n = chunk_of(count - first);

        st = write_powers(s, &next, n, err);
        fr_mul(&next, &next, &step);
        if (st == CUZK_OK) report(s, SRS_H, first + n, count);
    }
    mem_wipe(&next, sizeof next);
    mem_wipe(&step, sizeof step);
    return st;
}

static cuzk_status write_l(setup_job_t *s, cuzk_error *err)
{
    const size_t count = s->counts.n_aux;

    srs_writer_begin(&s->params_file, s->counts.n_aux);
    for (size_t first = 0; first < count; first += CHUNK) {
        const size_t n = chunk_of(count - first);
        cuzk_status st = make_combined(s, &s->inv_delta, s->counts.n_inputs + first, n, err);

        if (st == CUZK_OK) st = srs_writer_add_g1(&s->params_file, s->points1, n, s->strand, err);
        if (st != CUZK_OK) return st;
        report(s, SRS_L, first + n, count);
    }
    return CUZK_OK;
}

/* Writes count points: the sums that are not zero, times the generator of the section's group. */
static cuzk_status write_nonzero(setup_job_t *s, const fr_t *sums, size_t count,
                                 srs_section section, cuzk_error *err)
{
    size_t variable = 0;

    srs_writer_begin(&s->params_file, (uint32_t)count);
    for (size_t first = 0; first < count; first += CHUNK) {
        const size_t n = chunk_of(count - first);

        for (size_t i = 0; i < n; variable++)
            if (!fr_is_zero(&sums[variable])) s->values[i++] = sums[variable];
        cuzk_status st = section != SRS_B_G2 ? multiply_g1(s, n, err) : multiply_g2(s, n, err);
        if (st == CUZK_OK && section != SRS_B_G2)
            st = srs_writer_add_g1(&s->params_file, s->points1, n, s->strand, err);
        else if (st == CUZK_OK)
            st = srs_writer_add_g2(&s->params_file, s->points2, n, s->strand, err);
        if (st != CUZK_OK) return st;
        report(s, section, first + n, count);
    }
    return CUZK_OK;
}

static cuzk_status write_params(setup_job_t *s, cuzk_error *err)
{
    const size_t n_a = count_nonzero(s->qap.a, s->qap.n_variables);
    const size_t n_b = count_nonzero(s->qap.b, s->qap.n_variables);
    cuzk_status st = open_tables(s, n_a, n_b, err);

    if (st == CUZK_OK) st = make_vk(s, err);
    if (st != CUZK_OK) return st;
    srs_writer_put_vk(&s->params_file, &s->vk);
    st = write_h(s, err);
    if (st == CUZK_OK) st = write_l(s, err);
    if (st == CUZK_OK) st = write_nonzero(s, s->qap.a, n_a, SRS_A, err);
    if (st == CUZK_OK) st = write_nonzero(s, s->qap.b, n_b, SRS_B_G1, err);
    if (st == CUZK_OK) st = write_nonzero(s, s->qap.b, n_b, SRS_B_G2, err);
    return st;
}

/* Before the work: a place that cannot be written is known at once. */
static cuzk_status open_files(setup_job_t *s, const setup_outputs_t *outputs, cuzk_error *err)
{
    const cuzk_status st =
        srs_writer_open(&s->params_file, outputs->params_path, outputs->replace, err);

    if (st != CUZK_OK || outputs->vk_path == NULL) return st;
    return atomic_file_open(&s->vk_file, outputs->vk_path, outputs->replace, err);
}

/* The key goes into both files. */
static uint64_t count_bytes(const setup_job_t *s)
{
    const circuit_counts_t *c = &s->counts;
    const uint64_t g1 =
        ((uint64_t)1 << s->lg_m) - 1 + c->n_aux + c->n_inputs + c->a_aux + c->b_input + c->b_aux;
    const uint64_t g2 = (uint64_t)c->b_input + c->b_aux;
    const uint64_t n_keys = s->vk_file.stream != NULL ? 2 : 1;

    return n_keys * srs_vk_bytes(c->n_inputs) + SRS_SECTIONS * sizeof(uint32_t) +
           g1 * G1_UNCOMPRESSED_BYTES + g2 * G2_UNCOMPRESSED_BYTES;
}

static cuzk_status put_in_place(setup_job_t *s, cuzk_error *err)
{
    atomic_file_t *const files[] = {&s->params_file.file, &s->vk_file};

    if (s->vk_file.stream != NULL) srs_vk_write(s->vk_file.stream, &s->vk);
    return atomic_file_commit_all(files, s->vk_file.stream != NULL ? 2 : 1, err);
}

static void wipe_array(void *array, size_t n, size_t size)
{
    if (array != NULL) mem_wipe(array, n * size);
}

static void clear(setup_job_t *s)
{
    srs_writer_discard(&s->params_file);
    atomic_file_discard(&s->vk_file);
    srs_vk_clear(&s->vk);
    qap_clear(&s->qap); /* wipes them */
    fixed_base_g1_close(s->g1);
    fixed_base_g2_close(s->g2);
    wipe_array(s->values, CHUNK, sizeof *s->values);
    wipe_array(s->scalars, CHUNK, sizeof *s->scalars);
    big_free(s->values, CHUNK, sizeof *s->values);
    big_free(s->scalars, CHUNK, sizeof *s->scalars);
    big_free(s->points1, CHUNK, sizeof *s->points1);
    big_free(s->points2, CHUNK, sizeof *s->points2);
    mem_wipe(s, sizeof *s);
}

static cuzk_status run(setup_job_t *s, circuit_fn circuit, const void *values, cuzk_error *err)
{
    cuzk_status st = check_secrets(s->secrets, err);

    if (st == CUZK_OK) st = open_files(s, s->outputs, err);
    if (st == CUZK_OK) st = prepare(s, circuit, values, err);
    if (st == CUZK_OK) st = atomic_file_check_room(&s->params_file.file, count_bytes(s), err);
    if (st == CUZK_OK) st = make_qap(s, circuit, values, err);
    if (st == CUZK_OK) st = alloc_chunk(s, err);
    if (st == CUZK_OK) st = write_params(s, err);
    if (st == CUZK_OK) st = strand_status(s->strand, err);
    return st == CUZK_OK ? put_in_place(s, err) : st;
}

cuzk_status setup_run(const setup_outputs_t *outputs, circuit_fn circuit, const void *values,
                      const setup_secrets_t *secrets, strand_t *strand, cuzk_error *err)
{
    setup_job_t s = {.secrets = secrets, .outputs = outputs, .strand = strand};

    if (strand != NULL) strand->is_secret = true;
    const cuzk_status st = run(&s, circuit, values, err);
    clear(&s);
    if (strand != NULL) strand->is_secret = false;
    mem_wipe_stack();
    return st;
}

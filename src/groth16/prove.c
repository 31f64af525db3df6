/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "groth16/groth16.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/verify.h"
#include "groth16/query.h"
#include "groth16/quotient.h"

static cuzk_status expect(const srs_t *srs, const char *section, uint64_t there, uint64_t needed,
                          cuzk_error *err)
{
    if (there == needed) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG,
                     "%s: not the parameters of this circuit: %s: count %llu, %llu needed",
                     srs->path, section, (unsigned long long)there, (unsigned long long)needed);
}

cuzk_status groth16_match(const srs_t *srs, const circuit_counts_t *counts, cuzk_error *err)
{
    const uint64_t domain = (uint64_t)1 << circuit_lg_domain(counts);
    const struct {
        const char *section;
        uint64_t there, needed;
    } rows[] = {{"ic", srs->vk.n_ic, counts->n_inputs},
                {"h", srs->h.n, domain - 1},
                {"l", srs->l.n, counts->n_aux},
                {"a", srs->a.n, counts->n_inputs + counts->a_aux},
                {"b_g1", srs->b_g1.n, counts->b_input + counts->b_aux},
                {"b_g2", srs->b_g2.n, counts->b_input + counts->b_aux}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cuzk_status st = expect(srs, rows[i].section, rows[i].there, rows[i].needed, err);

        if (st != CUZK_OK) return st;
    }
    return CUZK_OK;
}

cuzk_status groth16_room_open(groth16_room_t *room, const groth16_plan_t *plan, device_t *device,
                              unsigned lg_domain, cuzk_error *err)
{
    *room = (groth16_room_t){0};
    cuzk_status st =
        buffer_alloc(&room->c, device, BUFFER_HOST, sizeof(fr_t) << lg_domain, "h", err);
    for (unsigned i = 0; i < GROTH16_PARTS && st == CUZK_OK; i++)
        if (plan->scratch_bytes[i] > 0)
            st = buffer_alloc(&room->scratch[i], device, BUFFER_DEVICE, plan->scratch_bytes[i],
                              "msm", err);
    if (st != CUZK_OK) groth16_room_close(room);
    return st;
}

void groth16_room_close(groth16_room_t *room)
{
    for (unsigned i = 0; i < GROTH16_PARTS; i++) buffer_free(room->scratch[i]);
    buffer_free(room->c);
    *room = (groth16_room_t){0};
}

/* The sums of a proof. */
typedef struct {
    g1_jac_t h, l, a, b1;
    g2_jac_t b2;
} proof_sums_t;

/* The queries of the witness; both sums over B take the same. */
enum { QUERY_L, QUERY_A, QUERY_B, QUERIES };

/* One proof on its way. */
typedef struct {
    groth16_instance_t *x;
    const groth16_plan_t *plan;
    device_t *device;
    strand_t *strand;
    stream_t *streams[GROTH16_PARTS]; /* plan->n_streams */
    buffer_t *scalars;                /* of the witness */
    query_t queries[QUERIES];
    proof_sums_t sums;
    uint64_t begun_ns, h_ns;
    uint64_t sum_ns[GROTH16_PARTS][2]; /* when each sum began and ended */
    msm_stats_t reads[GROTH16_PARTS];  /* of the sums' points */
    atomic_uint_least64_t io_ns;
} prove_run_t;

static stream_t *stream_of(const prove_run_t *run, groth16_part part)
{
    return run->streams[run->plan->stream_of[part]];
}

/* --- streams ---------------------------------------------------------------------------------- */

static cuzk_status open_streams(prove_run_t *run, cuzk_error *err)
{
    const uint32_t n = run->plan->n_streams;
    cuzk_status st = CUZK_OK;

    if (n == 1) return stream_open_on(&run->streams[0], run->device, run->strand, err);
    for (uint32_t i = 0; i < n && st == CUZK_OK; i++)
        st = stream_open(&run->streams[i], run->device, run->strand, err);
    return st;
}

/* Waits for all streams; the first failure by their order. */
static cuzk_status synchronise(prove_run_t *run, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    for (uint32_t i = 0; i < run->plan->n_streams; i++) {
        cuzk_error other;

        if (run->streams[i] == NULL) continue;
        const cuzk_status one = stream_synchronise(run->streams[i], st == CUZK_OK ? err : &other);
        if (st == CUZK_OK) st = one;
    }
    return st;
}

/* Nothing of the proof goes on after this, and nothing of it is held. */
static void clear(prove_run_t *run)
{
    cuzk_error ignored;

    for (uint32_t i = 0; i < run->plan->n_streams; i++)
        if (run->streams[i] != NULL) stream_drop(run->streams[i]);
    (void)synchronise(run, &ignored);
    for (uint32_t i = 0; i < run->plan->n_streams; i++) stream_close(run->streams[i]);
    for (unsigned i = 0; i < QUERIES; i++) query_clear(&run->queries[i]);
    buffer_free(run->scalars);
}

/* --- sums ---------------------------------------------------------------------------------------
 */

/* Gives a sum in G1, or for sum NULL b2, and its times to its stream. */
static cuzk_status give_sum(prove_run_t *run, groth16_part part, device_terms_t terms,
                            const points_t *points, g1_jac_t *sum, cuzk_error *err)
{
    const uint32_t bits = run->plan->window_bits[part];
    stream_t *stream = stream_of(run, part);
    cuzk_status st = stream_stamp(stream, &run->sum_ns[part][0], err);

    terms.stats = &run->reads[part];
    terms.scratch = run->x->room.scratch[run->plan->stream_of[part]];
    if (st == CUZK_OK && sum != NULL)
        st = stream_msm_g1(stream, sum, points, &terms, bits, err);
    else if (st == CUZK_OK)
        st = stream_msm_g2(stream, &run->sums.b2, points, &terms, bits, err);
    return st == CUZK_OK ? stream_stamp(stream, &run->sum_ns[part][1], err) : st;
}

/* --- h and its sum ---------------------------------------------------------------------------- */

/* Gives the sum over h and its release to its stream. */
static cuzk_status give_sum_h(prove_run_t *run, cuzk_error *err)
{
    stream_t *stream = stream_of(run, GROTH16_SUM_H);
    const device_terms_t terms = {.scalars = run->x->room.c,
                                  .n_terms = ((size_t)1 << run->x->lg_domain) - 1};
    cuzk_status st = stream_wait(stream, stream_of(run, GROTH16_CHAIN_A), err);

    if (run->x->at_sums != NULL) run->x->at_sums(run->x->at_sums_arg);
    if (st == CUZK_OK) st = give_sum(run, GROTH16_SUM_H, terms, &run->x->srs->h, &run->sums.h, err);
    return st == CUZK_OK ? stream_release(stream, &run->x->room.c, err) : st;
}

static cuzk_status give_h(prove_run_t *run, cuzk_error *err)
{
    const quotient_streams_t streams = {.a = stream_of(run, GROTH16_CHAIN_A),
                                        .b = stream_of(run, GROTH16_CHAIN_B),
                                        .c = stream_of(run, GROTH16_CHAIN_C)};
    groth16_instance_t *x = run->x;
    cuzk_status st = quotient_give(&streams, x->room.c, &x->a, &x->b, x->lg_domain, err);

    if (st == CUZK_OK) st = stream_stamp(streams.a, &run->h_ns, err);
    return st == CUZK_OK ? give_sum_h(run, err) : st;
}

/* --- the sums over the witness ---------------------------------------------------------------- */

static cuzk_status build(prove_run_t *run, unsigned which, cuzk_error *err)
{
    const densities_t *d = run->x->densities;
    const query_members_t members[QUERIES] = {
        [QUERY_L] = {.has_inputs = false},
        [QUERY_A] = {.has_inputs = true, .aux_dense = &d->a_aux},
        [QUERY_B] = {.has_inputs = true, .input_dense = &d->b_input, .aux_dense = &d->b_aux}};

    return query_build(&run->queries[which], run->x->witness, &members[which], run->strand, err);
}

static cuzk_status give_sum_of(prove_run_t *run, groth16_part part, unsigned which,
                               const points_t *points, g1_jac_t *sum, cuzk_error *err)
{
    return give_sum(run, part, query_terms(&run->queries[which], run->scalars), points, sum, err);
}

/* A query is needed no more when its sums are done: at once where there is one stream. */
static void drop_query(prove_run_t *run, unsigned which)
{
    if (run->plan->n_streams == 1) query_clear(&run->queries[which]);
}

static cuzk_status give_witness(prove_run_t *run, cuzk_error *err)
{
    const srs_t *srs = run->x->srs;
    proof_sums_t *sums = &run->sums;
    cuzk_status st = query_convert(&run->scalars, run->device, run->x->witness, run->strand, err);

    if (st == CUZK_OK) st = build(run, QUERY_L, err);
    if (st == CUZK_OK) st = give_sum_of(run, GROTH16_SUM_L, QUERY_L, &srs->l, &sums->l, err);
    drop_query(run, QUERY_L);
    if (st == CUZK_OK) st = build(run, QUERY_A, err);
    if (st == CUZK_OK) st = give_sum_of(run, GROTH16_SUM_A, QUERY_A, &srs->a, &sums->a, err);
    drop_query(run, QUERY_A);
    if (st == CUZK_OK) st = build(run, QUERY_B, err);
    if (st == CUZK_OK) st = give_sum_of(run, GROTH16_SUM_B1, QUERY_B, &srs->b_g1, &sums->b1, err);
    if (st == CUZK_OK) st = give_sum_of(run, GROTH16_SUM_B2, QUERY_B, &srs->b_g2, NULL, err);
    drop_query(run, QUERY_B);
    return st;
}

/* --- the whole -------------------------------------------------------------------------------- */

static cuzk_status make_sums(prove_run_t *run, cuzk_error *err)
{
    cuzk_status st = open_streams(run, err);

    if (st == CUZK_OK) st = give_h(run, err);
    if (st == CUZK_OK && !run->plan->together)
        st = stream_synchronise(stream_of(run, GROTH16_SUM_H), err);
    if (st == CUZK_OK) st = give_witness(run, err);
    return st == CUZK_OK ? synchronise(run, err) : st;
}

/* A = alpha + sum_a + r delta, B1 = beta + sum_b (in G1, without s delta),
 * C = sum_l + sum_h + s A + r B1. */
static void assemble_g1(proof_t *proof, const proof_sums_t *sums, const srs_vk_t *vk,
                        const scalar_t *r, const scalar_t *s)
{
    g1_jac_t a, c, term;

    g1_from_affine(&term, &vk->delta_g1);
    g1_mul(&a, &term, r);
    g1_add_affine(&a, &a, &vk->alpha_g1);
    g1_add(&a, &a, &sums->a);
    g1_to_affine(&proof->a, &a);

    g1_mul(&c, &a, s);
    g1_add_affine(&term, &sums->b1, &vk->beta_g1);
    g1_mul(&term, &term, r);
    g1_add(&c, &c, &term);
    g1_add(&c, &c, &sums->h);
    g1_add(&c, &c, &sums->l);
    g1_to_affine(&proof->c, &c);
}

/* B = beta + sum_b + s delta in G2. */
static void assemble_g2(proof_t *proof, const proof_sums_t *sums, const srs_vk_t *vk,
                        const scalar_t *s)
{
    g2_jac_t b, term;

    g2_from_affine(&term, &vk->delta_g2);
    g2_mul(&b, &term, s);
    g2_add_affine(&b, &b, &vk->beta_g2);
    g2_add(&b, &b, &sums->b2);
    g2_to_affine(&proof->b, &b);
}

static cuzk_status assemble(proof_t *proof, const proof_sums_t *sums, const srs_vk_t *vk,
                            const groth16_blinding_t *blinding, cuzk_error *err)
{
    scalar_t r, s;

    fr_to_scalar(&r, &blinding->r);
    fr_to_scalar(&s, &blinding->s);
    assemble_g1(proof, sums, vk, &r, &s);
    assemble_g2(proof, sums, vk, &s);
    mem_wipe(&r, sizeof r);
    mem_wipe(&s, sizeof s);
    mem_wipe_stack(); /* multiples by them */
    if (g1_affine_is_identity(&proof->a) || g2_affine_is_identity(&proof->b) ||
        g1_affine_is_identity(&proof->c))
        return error_set(err, CUZK_ERR_INTERNAL, "proof: a part is the identity");
    return CUZK_OK;
}

static double part_seconds(const prove_run_t *run, groth16_part part)
{
    return clock_seconds_between(run->sum_ns[part][0], run->sum_ns[part][1]);
}

static void set_timings(groth16_timings_t *t, prove_run_t *run)
{
    *t = (groth16_timings_t){.h_s = clock_seconds_between(run->begun_ns, run->h_ns),
                             .msm_s = clock_seconds_between(run->h_ns, clock_monotonic_ns()),
                             .msm_h_s = part_seconds(run, GROTH16_SUM_H),
                             .msm_l_s = part_seconds(run, GROTH16_SUM_L),
                             .msm_a_s = part_seconds(run, GROTH16_SUM_A),
                             .msm_b1_s = part_seconds(run, GROTH16_SUM_B1),
                             .msm_b2_s = part_seconds(run, GROTH16_SUM_B2),
                             .io_wait_s = (double)atomic_load(&run->io_ns) * 1e-9};
    for (unsigned i = 0; i < GROTH16_PARTS; i++) t->io_wait_s += run->reads[i].io_wait_s;
}

static cuzk_status check_vectors(const groth16_instance_t *x, cuzk_error *err)
{
    const unsigned lg_m = circuit_lg_domain(&x->counts);
    const size_t bytes = sizeof(fr_t) << lg_m;

    if (x->lg_domain != lg_m)
        return error_set(err, CUZK_ERR_ARG, "circuit: domain of 2^%u, 2^%u needed", x->lg_domain,
                         lg_m);
    if (x->a->device == x->b->device && x->a->bytes >= bytes && x->b->bytes >= bytes)
        return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG,
                     "circuit: vectors of %zu and %zu bytes on one device, %zu needed", x->a->bytes,
                     x->b->bytes, bytes);
}

static void make_plan(groth16_plan_t *plan, const groth16_instance_t *x, const strand_t *strand)
{
    const groth16_size_t size = {.counts = x->counts,
                                 .n_elements = x->witness->n_elements,
                                 .a_elements = x->witness->n_elements,
                                 .b_elements = x->witness->n_elements,
                                 .vectors = x->a->kind,
                                 .is_read = x->srs->h.base == NULL,
                                 .n_threads = strand_size(strand)};

    groth16_plan_make(plan, x->a->device, &size);
}

static cuzk_status prove(proof_t *proof, prove_run_t *run, const groth16_blinding_t *blinding,
                         cuzk_error *err)
{
    groth16_instance_t *x = run->x;

    run->begun_ns = clock_monotonic_ns();
    x->a->io_ns = x->b->io_ns = &run->io_ns;
    cuzk_status st = x->room.c != NULL
                         ? CUZK_OK
                         : groth16_room_open(&x->room, run->plan, run->device, x->lg_domain, err);
    if (st == CUZK_OK) st = make_sums(run, err);
    if (st == CUZK_OK) st = assemble(proof, &run->sums, &x->srs->vk, blinding, err);
    clear(run);
    return st;
}

cuzk_status groth16_prove(proof_t *proof, groth16_timings_t *timings, groth16_instance_t *x,
                          const groth16_plan_t *plan, const groth16_blinding_t *blinding,
                          strand_t *strand, cuzk_error *err)
{
    prove_run_t run = {.x = x, .plan = plan, .device = x->a->device, .strand = strand};
    groth16_plan_t own_plan;
    cuzk_status st = groth16_match(x->srs, &x->counts, err);

    if (st == CUZK_OK) st = check_vectors(x, err);
    if (st == CUZK_OK) {
        if (plan == NULL) {
            make_plan(&own_plan, x, strand);
            run.plan = &own_plan;
        }
        VERIFY(run.plan->n_streams <= GROTH16_PARTS);
        st = prove(proof, &run, blinding, err);
    }
    if (st == CUZK_OK && timings != NULL) set_timings(timings, &run);
    groth16_room_close(&x->room);
    buffer_free(x->a);
    buffer_free(x->b);
    x->a = x->b = NULL;
    return st;
}

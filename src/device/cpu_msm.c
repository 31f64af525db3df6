/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "device/cpu_device.h"

/* The scalars are taken where they lie. */
static cuzk_status host_terms(msm_scalars_t *scalars, const device_terms_t *terms, cuzk_error *err)
{
    *scalars = (msm_scalars_t){.select = terms->select,
                               .scalar_index = terms->scalar_index,
                               .point_index = terms->point_index,
                               .n_terms = terms->n_terms};
    if (terms->scalars == NULL) return CUZK_OK;
    scalars->scalars = terms->scalars->host;
    if (scalars->scalars == NULL && terms->n_terms > 0)
        return error_set(err, CUZK_ERR_ARG, "terms: scalars are not in the host's memory");
    return CUZK_OK;
}

static cuzk_status run_msm_g1(const cpu_op_t *op, strand_t *strand, cuzk_error *err)
{
    return msm_g1(op->result, op->points, &op->scalars, &op->msm, strand, err);
}

static cuzk_status run_msm_g2(const cpu_op_t *op, strand_t *strand, cuzk_error *err)
{
    return msm_g2(op->result, op->points, &op->scalars, &op->msm, strand, err);
}

/* op: what runs, and its result. */
static cuzk_status give_msm(stream_t *stream, cpu_op_t op, const points_t *points,
                            const device_terms_t *terms, uint32_t window_bits, cuzk_error *err)
{
    const cuzk_status st = host_terms(&op.scalars, terms, err);

    op.points = points;
    op.msm = (msm_options_t){.window_bits = window_bits, .stats = terms->stats};
    if (terms->scratch != NULL) {
        op.msm.memory = terms->scratch->host;
        op.msm.memory_bytes = terms->scratch->bytes;
    }
    return st == CUZK_OK ? cpu_stream_give(stream, &op, err) : st;
}

cuzk_status cpu_msm_g1(stream_t *stream, g1_jac_t *r, const points_t *points,
                       const device_terms_t *terms, uint32_t window_bits, cuzk_error *err)
{
    return give_msm(stream, (cpu_op_t){.run = run_msm_g1, .result = r}, points, terms, window_bits,
                    err);
}

cuzk_status cpu_msm_g2(stream_t *stream, g2_jac_t *r, const points_t *points,
                       const device_terms_t *terms, uint32_t window_bits, cuzk_error *err)
{
    return give_msm(stream, (cpu_op_t){.run = run_msm_g2, .result = r}, points, terms, window_bits,
                    err);
}

uint64_t cpu_msm_bytes(const device_t *device, bool in_g2, const msm_size_t *size)
{
    (void)device;
    return in_g2 ? msm_bytes_g2(size) : msm_bytes_g1(size);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/group.h"

static const msm_group_t *const g1_tables[] = {
    [CPU_PORTABLE] = &msm_group_g1_portable,
#if defined(__x86_64__)
    [CPU_AVX512_IFMA] = &msm_group_g1_ifma,
#endif
};

static const msm_group_t *const g2_tables[] = {
    [CPU_PORTABLE] = &msm_group_g2_portable,
#if defined(__x86_64__)
    [CPU_AVX512_IFMA] = &msm_group_g2_ifma,
#endif
};

const msm_group_t *msm_group_g1(void)
{
    return g1_tables[cpu_level_used()];
}

const msm_group_t *msm_group_g2(void)
{
    return g2_tables[cpu_level_used()];
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "update/update_config.h"

/* clang-format off */
static const update_config_t configs[UPDATE_PROOFS] = {
    {0, "StackedDrg2KiBV1", (uint64_t)1 << 11, 6, 0, 10, 3, {1, 1, 1, 1, 1, 1}},
    {1, "StackedDrg8MiBV1", (uint64_t)1 << 23, 18, 2, 10, 7, {7, 8, 9, 10, 11, 12}},
    {2, "StackedDrg512MiBV1", (uint64_t)1 << 29, 24, 4, 86, 7, {7, 8, 9, 10, 11, 12}},
    {3, "StackedDrg32GiBV1", (uint64_t)1 << 35, 30, 4, 86, 7, {7, 8, 9, 10, 11, 12}},
    {4, "StackedDrg64GiBV1", (uint64_t)1 << 36, 31, 4, 86, 7, {7, 8, 9, 10, 11, 12}},
};
/* clang-format on */

const update_config_t *update_config_by_number(uint64_t number)
{
    return number < UPDATE_PROOFS ? &configs[number] : NULL;
}

const update_config_t *update_config_by_size(uint64_t sector_size)
{
    for (size_t i = 0; i < UPDATE_PROOFS; i++) {
        if (configs[i].sector_size == sector_size) return &configs[i];
    }
    return NULL;
}

uint32_t update_h_select(const update_config_t *config)
{
    uint32_t i = 0;

    while (config->h[i] != update_h(config)) i++;
    return (uint32_t)1 << i;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/porep_config.h"

#include "base/bytes.h"

#define KIB_2   ((uint64_t)1 << 11)
#define MIB_8   ((uint64_t)1 << 23)
#define MIB_512 ((uint64_t)1 << 29)
#define GIB_32  ((uint64_t)1 << 35)
#define GIB_64  ((uint64_t)1 << 36)

/* The five sizes of a kind, by rising number from `first`; n_test and n_real are the partitions of
 * the test sizes and of 32 and 64 GiB. */
/* clang-format off */
#define KIND(first, suffix, chain_suffix, version, feature, n_test, n_real)                      \
    {first + 0, "StackedDrg2KiB" suffix, "StackedDrg2KiB" chain_suffix,                           \
     "StackedDrg2KiBV1", KIB_2, version, feature, n_test, 2, 2},                                  \
    {first + 1, "StackedDrg8MiB" suffix, "StackedDrg8MiB" chain_suffix,                           \
     "StackedDrg8MiBV1", MIB_8, version, feature, n_test, 2, 2},                                  \
    {first + 2, "StackedDrg512MiB" suffix, "StackedDrg512MiB" chain_suffix,                       \
     "StackedDrg512MiBV1", MIB_512, version, feature, n_test, 2, 2},                              \
    {first + 3, "StackedDrg32GiB" suffix, "StackedDrg32GiB" chain_suffix,                         \
     "StackedDrg32GiBV1", GIB_32, version, feature, n_real, 11, 18},                              \
    {first + 4, "StackedDrg64GiB" suffix, "StackedDrg64GiB" chain_suffix,                         \
     "StackedDrg64GiBV1", GIB_64, version, feature, n_real, 11, 18}

static const porep_config_t configs[POREP_PROOFS] = {
    KIND(0, "V1", "V1", POREP_V1, POREP_INTERACTIVE, 1, 10),
    KIND(5, "V1_1", "V1_1", POREP_V1_1, POREP_INTERACTIVE, 1, 10),
    /* published as V1_1, though the feature came with version 1.2 */
    KIND(10, "V1_1_Feat_SyntheticPoRep", "V1_1_Feat_SyntheticPoRep", POREP_V1_2, POREP_SYNTHETIC,
         1, 10),
    KIND(15, "V1_2_Feat_NonInteractivePoRep", "V1_2_Feat_NiPoRep", POREP_V1_2,
         POREP_NON_INTERACTIVE, 13, 126),
};
/* clang-format on */

const porep_config_t *porep_config_by_number(uint64_t number)
{
    return number < POREP_PROOFS ? &configs[number] : NULL;
}

cuzk_status porep_config_find(const porep_config_t **config, uint64_t number, cuzk_error *err)
{
    *config = porep_config_by_number(number);
    if (*config != NULL) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "registered_proof: %llu is not a PoRep (0..%d)",
                     (unsigned long long)number, POREP_PROOFS - 1);
}

static bool is_name(const char *name, const char *text, size_t n)
{
    return strlen(name) == n && memcmp(name, text, n) == 0;
}

const porep_config_t *porep_config_by_name(const char *name, size_t n)
{
    for (size_t i = 0; i < POREP_PROOFS; i++)
        if (is_name(configs[i].name, name, n) || is_name(configs[i].chain_name, name, n))
            return &configs[i];
    return NULL;
}

void porep_config_names(char names[POREP_NAMES_BYTES])
{
    names[0] = '\0';
    for (size_t i = 0; i < POREP_PROOFS; i++) text_list(names, POREP_NAMES_BYTES, configs[i].name);
    for (size_t i = 0; i < POREP_PROOFS; i++)
        if (strcmp(configs[i].name, configs[i].chain_name) != 0)
            text_list(names, POREP_NAMES_BYTES, configs[i].chain_name);
}

bool porep_shape_init(porep_shape_t *shape, uint64_t sector_size)
{
    for (size_t i = 0; i < POREP_PROOFS; i++) {
        if (configs[i].sector_size != sector_size) continue;
        const uint32_t lg_nodes = (uint32_t)__builtin_ctzll(sector_size / FR_BYTES);

        *shape = (porep_shape_t){.lg_nodes = lg_nodes,
                                 .n_layers = configs[i].n_layers,
                                 .n_challenges = configs[i].n_challenges};
        tree_shape_binary(&shape->tree_d, lg_nodes);
        tree_shape_sector(&shape->tree_r, lg_nodes);
        return true;
    }
    return false;
}

void porep_id(uint8_t id[32], const porep_config_t *config)
{
    memset(id, 0, 32);
    store_le64(id, config->number);
}

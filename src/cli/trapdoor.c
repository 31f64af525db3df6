/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/trapdoor.h"

#include <stdlib.h>

#include "base/mapped_file.h"
#include "base/random.h"
#include "codec/json.h"

enum { TRAPDOOR_MAX_BYTES = 1 << 16 };

static cuzk_status read_secret(json_t *j, fr_t *secret, cuzk_error *err)
{
    uint8_t bytes[FR_BYTES];
    cuzk_status st = json_read_hex(j, bytes, sizeof bytes, err);

    if (st == CUZK_OK && (!fr_from_bytes(secret, bytes) || fr_is_zero(secret)))
        st = json_error(j, err, "is zero or not below r");
    wipe(bytes, sizeof bytes);
    return st;
}

#define SECRET_READER(field)                                                                       \
    static cuzk_status read_##field(json_t *j, void *secrets, cuzk_error *err)                     \
    {                                                                                              \
        return read_secret(j, &((groth16_secrets_t *)secrets)->field, err);                        \
    }
SECRET_READER(alpha)
SECRET_READER(beta)
SECRET_READER(gamma)
SECRET_READER(delta)
SECRET_READER(tau)

static cuzk_status read_g1(json_t *j, void *secrets, cuzk_error *err)
{
    g1_affine_t *g1 = &((groth16_secrets_t *)secrets)->g1;
    uint8_t bytes[G1_UNCOMPRESSED_BYTES];
    const cuzk_status st = json_read_hex(j, bytes, sizeof bytes, err);

    if (st != CUZK_OK) return st;
    if (!g1_read_uncompressed(g1, bytes) || g1_affine_is_identity(g1) || !g1_in_subgroup(g1))
        return json_error(j, err, "is no generator of G1");
    return CUZK_OK;
}

static cuzk_status read_g2(json_t *j, void *secrets, cuzk_error *err)
{
    g2_affine_t *g2 = &((groth16_secrets_t *)secrets)->g2;
    uint8_t bytes[G2_UNCOMPRESSED_BYTES];
    const cuzk_status st = json_read_hex(j, bytes, sizeof bytes, err);

    if (st != CUZK_OK) return st;
    if (!g2_read_uncompressed(g2, bytes) || g2_affine_is_identity(g2) || !g2_in_subgroup(g2))
        return json_error(j, err, "is no generator of G2");
    return CUZK_OK;
}

static cuzk_status read_trapdoor(json_t *j, void *secrets, cuzk_error *err)
{
    static const json_field_t fields[] = {
        {"alpha_le", read_alpha, JSON_REQUIRED},
        {"beta_le", read_beta, JSON_REQUIRED},
        {"gamma_le", read_gamma, JSON_REQUIRED},
        {"delta_le", read_delta, JSON_REQUIRED},
        {"tau_le", read_tau, JSON_REQUIRED},
        {"g1_uncompressed_be", read_g1, JSON_REQUIRED},
        {"g2_uncompressed_be", read_g2, JSON_REQUIRED},
    };

    return json_read_object(j, fields, sizeof fields / sizeof fields[0], secrets, err);
}

cuzk_status trapdoor_read(groth16_secrets_t *secrets, const char *path, cuzk_error *err)
{
    uint8_t *text;
    size_t length;
    cuzk_status st = read_file(&text, &length, path, TRAPDOOR_MAX_BYTES, err);

    if (st != CUZK_OK) return error_within(err, "--trapdoor");
    st = json_read(path, text, length, read_trapdoor, secrets, err);
    wipe(text, length);
    free(text);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/trapdoor.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/random.h"
#include "codec/json.h"

enum { TRAPDOOR_MAX_BYTES = 1 << 15 }; /* the first buffer of a stream has room: no copies */

#define MEMBER_READER(name)                                                                        \
    static cuzk_status read_##name(json_t *j, void *trapdoor, cuzk_error *err)                     \
    {                                                                                              \
        cuzk_trapdoor *t = trapdoor;                                                               \
                                                                                                   \
        return json_read_hex(j, t->name, sizeof t->name, err);                                     \
    }
MEMBER_READER(alpha_le)
MEMBER_READER(beta_le)
MEMBER_READER(gamma_le)
MEMBER_READER(delta_le)
MEMBER_READER(tau_le)
MEMBER_READER(g1_uncompressed_be)
MEMBER_READER(g2_uncompressed_be)

static cuzk_status read_trapdoor(json_t *j, void *trapdoor, cuzk_error *err)
{
    static const json_field_t fields[] = {
        {"alpha_le", read_alpha_le, JSON_REQUIRED},
        {"beta_le", read_beta_le, JSON_REQUIRED},
        {"gamma_le", read_gamma_le, JSON_REQUIRED},
        {"delta_le", read_delta_le, JSON_REQUIRED},
        {"tau_le", read_tau_le, JSON_REQUIRED},
        {"g1_uncompressed_be", read_g1_uncompressed_be, JSON_REQUIRED},
        {"g2_uncompressed_be", read_g2_uncompressed_be, JSON_REQUIRED},
    };

    return json_read_object(j, fields, sizeof fields / sizeof fields[0], trapdoor, err);
}

cuzk_status trapdoor_read(cuzk_trapdoor *trapdoor, const char *path, cuzk_error *err)
{
    uint8_t *text;
    size_t length;
    cuzk_status st = file_read(&text, &length, path, TRAPDOOR_MAX_BYTES, err);

    *trapdoor = (cuzk_trapdoor){.struct_size = sizeof *trapdoor};
    if (st != CUZK_OK) return error_within(err, "--trapdoor");
    st = json_read(path, text, length, read_trapdoor, trapdoor, err);
    mem_wipe(text, length);
    free(text);
    mem_wipe_stack();
    return st;
}

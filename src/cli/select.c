/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/select.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

cuzk_status select_proof(cuzk_proof_info *proof, const selection_t *selection, cuzk_kind kind,
                         cuzk_error *err)
{
    const char *const size = selection->sector_size;
    const char *const name = selection->registered_proof;
    cuzk_status st = CUZK_OK;

    *proof = (cuzk_proof_info){.struct_size = sizeof *proof};
    if (size == NULL && name == NULL)
        return error_set(err, CUZK_ERR_ARG, "--sector-size or --registered-proof is needed");
    if (size != NULL) st = cuzk_proof_newest(kind, size, "--sector-size", proof, err);
    if (st != CUZK_OK || name == NULL) return st;
    st = cuzk_proof_from_text(kind, name, "--registered-proof", proof, err);
    if (st != CUZK_OK || size == NULL || strcmp(proof->sector_size, size) == 0) return st;
    return error_set(err, CUZK_ERR_ARG,
                     "--registered-proof %s (%s) is for %s sectors, not the %s of --sector-size",
                     name, proof->name, proof->sector_size, size);
}

cuzk_status require_option(bool given, const char *name, cuzk_error *err)
{
    return given ? CUZK_OK : error_set(err, CUZK_ERR_ARG, "%s: is needed", name);
}

int finish(const char *command, cuzk_status st, const cuzk_error *err)
{
    if (st != CUZK_OK) (void)fprintf(stderr, "cuzk %s: %s\n", command, err->text);
    return status_exit_code(st);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/select.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

cuzk_status select_kind(circuit_kind *kind, const char *what, const char *word, unsigned mask,
                        cuzk_error *err)
{
    char names[64] = "";

    if (circuit_kind_parse(kind, word) && (mask >> *kind & 1)) return CUZK_OK;
    for (int k = 0; k < CIRCUIT_KINDS; k++) {
        if (!(mask >> k & 1)) continue;
        if (names[0] != '\0') (void)strncat(names, ", ", sizeof names - strlen(names) - 1);
        (void)strncat(names, circuit_kind_name((circuit_kind)k), sizeof names - strlen(names) - 1);
    }
    return error_set(err, CUZK_ERR_ARG, "%s: \"%s\" is none of %s", what, word, names);
}

cuzk_status select_proof(registered_proof_t *proof, const selection_t *selection, circuit_kind kind,
                         cuzk_error *err)
{
    const circuit_row_t *row = NULL;

    if (selection->sector_size != NULL) {
        row = circuit_row_by_name(kind, selection->sector_size);
        if (row == NULL)
            return error_set(err, CUZK_ERR_ARG,
                             "--sector-size: \"%s\" is none of 2KiB, 8MiB, 512MiB, 32GiB, 64GiB",
                             selection->sector_size);
        registered_proof_newest(proof, row);
    }
    if (selection->registered_proof == NULL) {
        if (row != NULL) return CUZK_OK;
        return error_set(err, CUZK_ERR_ARG, "--sector-size or --registered-proof is needed");
    }
    if (!registered_proof_parse(proof, kind, selection->registered_proof))
        return error_set(err, CUZK_ERR_ARG,
                         "--registered-proof: \"%s\" is no %s proof (numbers %s, or their names)",
                         selection->registered_proof, circuit_kind_name(kind),
                         registered_proof_range(kind));
    if (row != NULL && row != proof->row)
        return error_set(
            err, CUZK_ERR_ARG,
            "--registered-proof %s (%s) is for %s sectors, not the %s of --sector-size",
            selection->registered_proof, proof->name, proof->row->size_name, row->size_name);
    return CUZK_OK;
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

void progress_init(progress_t *progress)
{
    *progress = (progress_t){.terminal = isatty(STDERR_FILENO) == 1};
}

void progress_report(void *arg, const char *stage, size_t index, size_t count)
{
    progress_t *progress = arg;

    (void)fprintf(stderr, progress->terminal ? "\r\033[K%s %zu of %zu" : "%s %zu of %zu\n", stage,
                  index + 1, count);
    progress->dirty = progress->terminal;
}

void progress_end(progress_t *progress)
{
    if (progress->dirty) (void)fputs("\r\033[K", stderr);
    progress->dirty = false;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Commit-phase-1 output, bare or wrapped; what reads well is checked, which must not fault
 * whatever the values are. */
#include <stdlib.h>
#include <string.h>

#include "base/fuzz_support.h"
#include "codec/json.h"
#include "porep/c1.h"
#include "porep/porep.h"

enum { BARE_SECTOR = 100 }; /* of seeds without a wrapper */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t prover_id[32] = {0xe8, 0x07};
    uint8_t *text = calloc(size + JSON_PADDING, 1);
    porep_c1_t c1;
    arena_t arena;
    fuzz_verdict verdict = FUZZ_REFUSED;
    cuzk_error err;

    if (text == NULL) return 0;
    if (size > 0) memcpy(text, data, size);
    (void)arena_open(&arena, (size_t)1 << 30, "test", &(cuzk_error){0});
    if (porep_c1_read(&c1, "fuzz", (cuzk_bytes){text, size}, NULL, &arena, &err) == CUZK_OK) {
        verdict = FUZZ_READ;
        const uint64_t number = c1.is_wrapped ? c1.sector_number : BARE_SECTOR;
        if (porep_check(&c1.proof, prover_id, number, NULL, &err) == CUZK_OK) verdict = FUZZ_RIGHT;
        /* past the first two checks, which a change to anything fails */
        porep_statement_t statement;
        fr_t inputs[3 + POREP_MAX_CHALLENGES * (4 + POREP_DEGREE)];
        porep_statement_of(&statement, &c1.proof);
        porep_public_inputs(inputs, &statement, 0);
    }
    arena_close(&arena);
    free(text);
    fuzz_judge(verdict);
    return 0;
}

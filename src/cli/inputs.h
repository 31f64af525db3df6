/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_INPUTS_H
#define CUZK_CLI_INPUTS_H

/* What prove and witness are given, of all proof kinds; each kind wants its own and refuses the
 * others'. */

#include "api/job.h"
#include "cli/select.h"

/** The largest input file: 2349 sectors of 32 GiB are 75 MiB of base64 a partition. */
#define INPUT_MAX_BYTES ((size_t)2 << 30)

typedef struct {
    selection_t selection;
    const char *c1;
    const char *vanilla;
    const char *miner_id;
    option_u64_t sector_number;
    option_bytes32_t randomness;
    const char *comm_r_old;
    const char *comm_r_new;
    const char *comm_d_new;
} input_options_t;

#define COMMITMENT_ROW(name, help, type, field)                                                    \
    {                                                                                              \
        name, "C", help ", hex or CID", offsetof(type, field), 0, 0, OPTION_TEXT                   \
    }
#define MINER_ROW(type, field)                                                                     \
    {                                                                                              \
        "--miner-id", "N", "the provider's number (f0N is taken too)", offsetof(type, field), 0,   \
            0, OPTION_TEXT                                                                         \
    }
#define SECTOR_NUMBER_ROW(type, field)                                                             \
    {                                                                                              \
        "--sector-number", "N", "porep: the sector's number", offsetof(type, field), 0,            \
            UINT64_MAX, OPTION_U64                                                                 \
    }
#define RANDOMNESS_ROW(type, field)                                                                \
    {                                                                                              \
        "--randomness", "HEX", "PoSt: 32 bytes", offsetof(type, field), 0, 0, OPTION_BYTES32       \
    }

#define INPUT_ROWS(type, field)                                                                    \
    SELECTION_ROWS(type, field.selection), {"--c1",                                                \
                                            "FILE",                                                \
                                            "porep: commit-phase-1 output (JSON), - for stdin",    \
                                            offsetof(type, field.c1),                              \
                                            0,                                                     \
                                            0,                                                     \
                                            OPTION_TEXT},                                          \
        {"--vanilla",                                                                              \
         "FILE",                                                                                   \
         "the others: JSON list of base64 vanilla proofs, - for stdin",                            \
         offsetof(type, field.vanilla),                                                            \
         0,                                                                                        \
         0,                                                                                        \
         OPTION_TEXT},                                                                             \
        MINER_ROW(type, field.miner_id), SECTOR_NUMBER_ROW(type, field.sector_number),             \
        RANDOMNESS_ROW(type, field.randomness),                                                    \
        COMMITMENT_ROW("--comm-r-old", "update: of the sector before", type, field.comm_r_old),    \
        COMMITMENT_ROW("--comm-r-new", "update: of the sector after", type, field.comm_r_new),     \
        COMMITMENT_ROW("--comm-d-new", "update: of the new data", type, field.comm_d_new)

/** Reads the files and opens the job (api/job.h). CUZK_ERR_ARG names an option that is missing,
 *  not for this kind, or bad. */
cuzk_status inputs_open(job_t *job, circuit_kind kind, const input_options_t *o, job_check check,
                        strand_t *strand, cuzk_error *err);

/** A commitment option that has to be there. */
cuzk_status parse_commitment(uint8_t bytes[CUZK_COMMITMENT_BYTES], bool sealed, const char *text,
                             const char *name, cuzk_error *err);

/** The three commitments of an update. */
cuzk_status parse_update(cuzk_update_statement *statement, uint32_t registered_proof,
                         const char *comm_r_old, const char *comm_r_new, const char *comm_d_new,
                         cuzk_error *err);

/** The option --miner-id, which has to be there. */
cuzk_status parse_miner(uint64_t *miner, const char *text, cuzk_error *err);

/** CUZK_ERR_ARG when an option that a kind has no use for was given. */
cuzk_status refuse_option(bool given, const char *name, circuit_kind kind, cuzk_error *err);

#endif

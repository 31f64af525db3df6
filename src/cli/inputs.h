/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_INPUTS_H
#define CUZK_CLI_INPUTS_H

/* What prove and witness are given, of all proof kinds; each kind wants its own and refuses the
 * others'. */

#include "cli/select.h"

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
    bool takes_raw; /* --vanilla may be one vanilla proof itself, and no list */
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
        "--randomness", "HEX", "PoSt: 32 bytes, two top bits clear", offsetof(type, field), 0, 0,  \
            OPTION_BYTES32                                                                         \
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

/** How much has to be known: whose a PoRep is matters to its content alone. */
typedef enum { INPUTS_FORM, INPUTS_CONTENT } inputs_depth;

/** A request made from the options; it points into itself and is not moved. A job that takes it
 *  takes its inputs: it can be submitted once. */
typedef struct {
    cuzk_request request;
    const char *sector_size; /* that the input must have, where only it can tell; or NULL */
    uint8_t *c1_text;
    cuzk_bytes c1;
    cuzk_bytes *vanilla;
} input_request_t;

/** Reads the files. Release with inputs_clear(), which may also follow an error. CUZK_ERR_ARG
 *  names an option that is missing, not for this kind, or bad. */
cuzk_status inputs_read(input_request_t *in, cuzk_kind kind, const input_options_t *o,
                        inputs_depth depth, cuzk_error *err);
void inputs_clear(input_request_t *in);

/** CUZK_ERR_ARG when the input's sectors have another size than --sector-size says. */
cuzk_status inputs_check_size(const input_request_t *in, const char *found, cuzk_error *err);

/** The same, with the input's form read for it; nothing to do where no option says a size. */
cuzk_status inputs_check_file(const input_request_t *in, cuzk_engine *engine, cuzk_error *err);

/** A commitment option that has to be there. */
cuzk_status parse_commitment(uint8_t bytes[CUZK_COMMITMENT_BYTES], cuzk_commitment commitment,
                             const char *text, const char *name, cuzk_error *err);

/** The option --miner-id, which has to be there. */
cuzk_status parse_miner(uint64_t *miner, const char *text, cuzk_error *err);

/** The option --randomness, which is there. */
cuzk_status parse_randomness(uint8_t bytes[32], const option_bytes32_t *option, cuzk_error *err);

/** CUZK_ERR_ARG when an option that a kind has no use for was given. */
cuzk_status refuse_option(bool given, const char *name, cuzk_kind kind, cuzk_error *err);

#endif

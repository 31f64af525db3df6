/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_REMOTE_SUBJECT_H
#define CUZK_BENCH_REMOTE_SUBJECT_H

/* What single and batch ask a daemon to prove: files and options, or a case's folder. */

#include "bench/case_files.h"
#include "cli/inputs.h"

typedef struct {
    const char *type;
    const char *folder;
    input_options_t input;
    option_u32_t partition;
} remote_subject_options_t;

#define REMOTE_SUBJECT_ROWS(type_, field)                                                          \
    {"--type",                                                                                     \
     "TYPE",                                                                                       \
     "porep, snap, window-post or winning-post (see below)",                                       \
     offsetof(type_, field.type),                                                                  \
     0,                                                                                            \
     0,                                                                                            \
     OPTION_TEXT},                                                                                 \
        {"-t", "TYPE", "likewise", offsetof(type_, field.type), 0, 0, OPTION_TEXT},                \
        {"--case",                                                                                 \
         "DIR",                                                                                    \
         "case.json beside c1.json or vanilla.json, in place of files and fields",                 \
         offsetof(type_, field.folder),                                                            \
         0,                                                                                        \
         0,                                                                                        \
         OPTION_TEXT},                                                                             \
        {"--c1",                                                                                   \
         "FILE",                                                                                   \
         "porep: commit-phase-1 output (JSON)",                                                    \
         offsetof(type_, field.input.c1),                                                          \
         0,                                                                                        \
         0,                                                                                        \
         OPTION_TEXT},                                                                             \
        {"--vanilla",                                                                              \
         "FILE",                                                                                   \
         "the others: JSON list of base64 vanilla proofs, or one as raw bytes",                    \
         offsetof(type_, field.input.vanilla),                                                     \
         0,                                                                                        \
         0,                                                                                        \
         OPTION_TEXT},                                                                             \
        SELECTION_ROWS(type_, field.input.selection),                                              \
        {"--sector-num",                                                                           \
         "N",                                                                                      \
         "porep: the sector's number (default 1)",                                                 \
         offsetof(type_, field.input.sector_number),                                               \
         0,                                                                                        \
         UINT64_MAX,                                                                               \
         OPTION_U64},                                                                              \
        {"--miner-id",                                                                             \
         "N",                                                                                      \
         "the provider's number (default 1000)",                                                   \
         offsetof(type_, field.input.miner_id),                                                    \
         0,                                                                                        \
         0,                                                                                        \
         OPTION_TEXT},                                                                             \
        {"--partition",                                                                            \
         "N",                                                                                      \
         "window-post: which partition it is, and of a case the one taken (default 0)",            \
         offsetof(type_, field.partition),                                                         \
         0,                                                                                        \
         UINT32_MAX,                                                                               \
         OPTION_U32},                                                                              \
        RANDOMNESS_ROW(type_, field.input.randomness),                                             \
        COMMITMENT_ROW("--comm-r-old", "snap: of the sector before", type_,                        \
                       field.input.comm_r_old),                                                    \
        COMMITMENT_ROW("--comm-r-new", "snap: of the sector after", type_,                         \
                       field.input.comm_r_new),                                                    \
        COMMITMENT_ROW("--comm-d-new", "snap: of the new data", type_, field.input.comm_d_new)

#define REMOTE_SUBJECT_NOTES                                                                       \
    "TYPE is porep (porep-c2, seal-commit), snap (snap-deals, update), window-post (wpost,\n"      \
    "windowpost, window) or winning-post (winningpost, winning). Needs --registered-proof or\n"    \
    "--sector-size, but for porep, whose input tells."

/** A request, and what it is called. Not moved. */
typedef struct {
    const cuzk_request *request; /* its registered proof is a number */
    uint32_t partition;
    char circuit[32]; /* "porep-32g" */
    cuzk_request own;
    proof_case_t of_case;
    input_request_t of_files;
} remote_subject_t;

/** The kind of a type, in any of its spellings. CUZK_ERR_ARG lists them. */
cuzk_status remote_type_from_text(cuzk_kind *kind, const char *text, cuzk_error *err);

/** Reads the input, and sees that it has its form. Release with remote_subject_close(), on success
 *  only. CUZK_ERR_ARG names the option; errors as inputs_read() and case_open(). */
cuzk_status remote_subject_open(remote_subject_t *subject, const remote_subject_options_t *o,
                                cuzk_error *err);
void remote_subject_close(remote_subject_t *subject);

#endif

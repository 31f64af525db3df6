/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_SUBJECT_H
#define CUZK_BENCH_SUBJECT_H

/* A partition of a real input: what synth-only, pce and prove measure. */

#include "bench/measure.h"
#include "cli/inputs.h"
#include "hash/sha256.h"
#include "registry/kind.h"

typedef struct {
    input_options_t input;
    const char *kind;
    option_u32_t partition;
    option_u32_t threads;
} subject_options_t;

#define SUBJECT_ROWS(type, field)                                                                  \
    INPUT_ROWS(type, field.input),                                                                 \
        {"--kind",                                                                                 \
         "KIND",                                                                                   \
         "porep, update, winning or window; needed with --vanilla",                                \
         offsetof(type, field.kind),                                                               \
         0,                                                                                        \
         0,                                                                                        \
         OPTION_TEXT},                                                                             \
        {"--partition",                                                                            \
         "N",                                                                                      \
         "which partition (default 0)",                                                            \
         offsetof(type, field.partition),                                                          \
         0,                                                                                        \
         UINT32_MAX,                                                                               \
         OPTION_U32},                                                                              \
        THREADS_ROW(type, field.threads)

/** A parsed input, and one partition's values for its circuit. */
typedef struct {
    const proof_kind_t *kind;
    void *data; /* the kind's own */
    input_facts_t facts;
    void *values; /* point into data */
} subject_input_t;

typedef struct {
    const subject_options_t *options; /* borrowed */
    cuzk_kind kind;
    inputs_depth depth;
    subject_input_t input;
    uint32_t partition;
    strand_t *strand;
    double parse_s; /* subject_parse(), the first time */
    uint8_t input_sha256[SHA256_BYTES];
} subject_t;

/** depth: how deep the input is looked into; its content alone tells whose a PoRep has to be. *o
 *  must stay. Release with subject_close(), on success only. CUZK_ERR_ARG as inputs_read(), and for
 *  a partition that the input has not, and for input from standard input. */
cuzk_status subject_open(subject_t *subject, const subject_options_t *o, inputs_depth depth,
                         cuzk_error *err);
void subject_close(subject_t *subject);

/** Reads and checks the input, and makes the partition's values for the circuit. Release with
 *  subject_input_clear(), on success only. */
cuzk_status subject_parse(subject_input_t *input, const subject_t *subject, cuzk_error *err);
void subject_input_clear(subject_input_t *input);

/** Members that say what was measured. */
void subject_write(json_writer_t *w, const subject_t *subject);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_SUBJECT_H
#define CUZK_BENCH_SUBJECT_H

/* A partition of a real input, its form checked as `cuzk witness` does it: what synth-only and
 * prove measure. A PoRep needs no word of whose it is. */

#include "bench/measure.h"
#include "cli/inputs.h"
#include "hash/sha256.h"

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

typedef struct {
    job_t job;
    uint32_t partition;
    void *values; /* for the circuit */
    pool_t *pool;
    double parse_s; /* reading and checking the input */
    uint8_t input_sha256[SHA256_BYTES];
} subject_t;

/** Release with subject_close(), on success only. CUZK_ERR_ARG as inputs_open(), and for a
 *  partition that the input has not, and for input from standard input. */
cuzk_status subject_open(subject_t *subject, const subject_options_t *o, cuzk_error *err);
void subject_close(subject_t *subject);

/** Members that say what was measured. */
void subject_write(json_writer_t *w, const subject_t *subject);

#endif

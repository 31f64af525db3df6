/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_AB_RECORD_H
#define CUZK_BENCH_AB_RECORD_H

/* What an A/B measurement found, as Markdown for people and as JSON for programs. */

#include <stdio.h>

#include "bench/ab_run.h"
#include "codec/json_write.h"

typedef struct {
    const ab_t *ab;
    const char *command_line; /* that repeats it */
    const char *measured;     /* the measured command */
    bool by_cpu;              /* the verdict is by CPU time, else by wall time */
    ratio_t wall, cpu;        /* B / A */
} ab_record_t;

/** The ratios of a finished measurement. */
void ab_record_init(ab_record_t *record, const ab_t *ab, const char *command_line,
                    const char *measured, bool by_cpu);

/** What B is against A. */
verdict ab_record_verdict(const ab_record_t *record);

void ab_record_markdown(FILE *out, const ab_record_t *record);

/** Begins w. */
void ab_record_json(json_writer_t *w, json_style style, const ab_record_t *record);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_SYNTH_H
#define CUZK_BENCH_SYNTH_H

/* Synthesis of one partition, again and again: from the parsed proof to the witness, densities and
 * a, b, c in memory. What depends on the shape alone is made once, before. */

#include "bench/subject.h"
#include "pce/pce.h"
#include "synthesis/prove.h"

typedef enum { SYNTH_GENERIC, SYNTH_STAMPED, SYNTH_PCE } synth_path;

typedef struct {
    synth_path path;
    bool presize; /* generic: arrays are made at their size at once; else they grow by doubling */
} synth_variant_t;

/** What a run began from. */
typedef struct {
    const subject_t *subject;
    synth_variant_t variant;
    pce_t *own_pce;          /* stamped and pce */
    const pce_t *pce;        /* that, or a borrowed one */
    circuit_counts_t counts; /* generic, presized */
    double shape_s;          /* making that */
} synth_t;

/** Seconds of one iteration's parts; NaN where the path does not tell them apart. */
typedef struct {
    double witness_s; /* pce: the witness, by a stamped run that makes no a, b, c */
    double abc_s;     /* pce: a, b, c from the witness */
} synth_phases_t;

/** SHA-256 over elements as 32 little-endian bytes each. */
typedef struct {
    uint8_t aux[SHA256_BYTES], a[SHA256_BYTES], b[SHA256_BYTES], c[SHA256_BYTES];
} synth_digests_t;

/** Release with synth_close(), on success only. */
cuzk_status synth_open(synth_t *synth, const subject_t *subject, const synth_variant_t *variant,
                       cuzk_error *err);
void synth_close(synth_t *synth);

/** One iteration; release *x with assignment_clear(), on success only. */
cuzk_status synth_run(assignment_t *x, synth_phases_t *phases, const synth_t *synth,
                      cuzk_error *err);

/** The parts of an iteration: what the path makes at once (pce: the witness alone; else all, c when
 *  it is wanted), and with pce a, b, c from the witness. When the second fails, *x is still to be
 *  cleared. */
cuzk_status synth_values(assignment_t *x, const synth_t *synth, bool want_c, cuzk_error *err);
cuzk_status synth_evaluate(assignment_t *x, const synth_t *synth, cuzk_error *err);

void synth_digest(synth_digests_t *digests, const assignment_t *x);

/** Members aux_sha256, a_sha256, b_sha256, c_sha256. */
void synth_write_digests(json_writer_t *w, const synth_digests_t *digests);

#endif

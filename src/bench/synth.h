/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_SYNTH_H
#define CUZK_BENCH_SYNTH_H

/* Synthesis of one partition, again and again: from the parsed proof to the witness, densities and
 * a, b, c in memory, or a part of that. What depends on the shape alone is made once, before; the
 * densities do too, and are made again all the same. */

#include "bench/phases.h"
#include "bench/subject.h"
#include "pce/pce.h"
#include "synthesis/owned.h"

typedef enum { SYNTH_GENERIC, SYNTH_STAMPED, SYNTH_PCE } synth_path;

typedef struct {
    synth_path path;
    bool presize; /* generic: arrays are made at their size at once; else they grow by doubling */
    bool reuse;   /* not generic: all runs write to the same a, b and c */
} synth_variant_t;

/** What a run began from. */
typedef struct {
    const subject_t *subject;
    synth_variant_t variant;
    pce_t *own_pce;          /* stamped and pce */
    const pce_t *pce;        /* that, or a borrowed one */
    circuit_counts_t counts; /* generic, presized */
    synthesis_sides_t kept;  /* with reuse */
    size_t kept_m;           /* their elements */
    double shape_s;          /* making plan or counts */
} synth_t;

/** What a run made. */
typedef struct {
    synth_work work;
    subject_input_t input; /* WORK_PARSE */
    assignment_t x; /* the other works; of WORK_ALL and WORK_DENSITIES, `densities` are its own */
    densities_t densities;
    synthesis_sides_t sides; /* to release; m elements each */
    size_t m;
} synth_made_t;

/** SHA-256 over elements as 32 little-endian bytes each; of the densities over the bits of A's
 *  auxiliary variables, B's inputs and B's auxiliary variables, each as 8-byte little-endian words
 *  to the last variable. What the work does not make stays zero. */
typedef struct {
    uint8_t aux[SHA256_BYTES], a[SHA256_BYTES], b[SHA256_BYTES], c[SHA256_BYTES];
    uint8_t densities[SHA256_BYTES];
} synth_digests_t;

/** Release with synth_close(), on success only. */
cuzk_status synth_open(synth_t *synth, const subject_t *subject, const synth_variant_t *variant,
                       cuzk_error *err);
void synth_close(synth_t *synth);

/** Whether the path has WORK_DENSITIES. */
bool synth_has_densities_alone(const synth_t *synth);

/** The circuit's counts; all 0 before the first run of a generic path that is not presized. */
circuit_counts_t synth_counts(const synth_t *synth);

/** One run; release with synth_made_clear(), on success only. */
cuzk_status synth_run(synth_made_t *made, const synth_t *synth, synth_work work, cuzk_error *err);
void synth_made_clear(synth_made_t *made);

/** The parts of a run of stamped or pce, with the densities that are held: what the path makes at
 *  once (pce: the witness alone; else a and b too, c when it is wanted), and with pce a, b, c from
 *  the witness. strand: the calling thread's. When the second fails, *made is still to be cleared.
 */
cuzk_status synth_values(synth_made_t *made, const synth_t *synth, strand_t *strand, bool want_c,
                         cuzk_error *err);
cuzk_status synth_evaluate(synth_made_t *made, const synth_t *synth, strand_t *strand,
                           cuzk_error *err);

/** Of what a work made; WORK_PARSE: of nothing. */
void synth_digest(synth_digests_t *digests, const assignment_t *x, synth_work work);

/** Members aux_sha256, a_sha256, b_sha256, c_sha256, densities_sha256, as far as work makes them.
 */
void synth_write_digests(json_writer_t *w, const synth_digests_t *digests, synth_work work);

#endif

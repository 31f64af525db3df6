/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SETUP_SETUP_H
#define CUZK_SETUP_SETUP_H

/* The setup: parameters of a circuit from secrets. Whoever knows the secrets can prove anything
 * under them, so parameters made here are for tests and private networks; the public network's come
 * from its ceremony. */

#include "base/executor.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "r1cs/cs.h"

/** The secrets, and the generators everything is a multiple of. */
typedef struct {
    fr_t alpha, beta, gamma, delta, tau; /* none zero; tau not in the circuit's domain */
    g1_affine_t g1;                      /* in the subgroup, not the identity */
    g2_affine_t g2;
} setup_secrets_t;

/** Uniform from the operating system, with the standard generators. Wipe it after use. */
cuzk_status setup_random_secrets(setup_secrets_t *secrets, cuzk_error *err);

/** Where the files go. Each is written beside its place and renamed when both are
 *  whole. */
typedef struct {
    const char *params_path; /* the parameter file */
    const char *vk_path;     /* the verifying key alone; NULL: not written */
    bool replace;            /* may existing files be replaced? */
    /** Called after each chunk of points, from the calling thread, with the section's name, points
     *  done and in all; may be NULL. */
    void (*progress)(void *arg, const char *section, uint64_t done, uint64_t total);
    void *progress_arg;
} setup_outputs_t;

/** Runs the circuit (twice, without values) and writes its parameters: for the same secrets the
 *  same bytes as bellperson's generator.
 *
 *  Errors: CUZK_ERR_ARG for a zero secret, a tau in the domain, a variable without a constraint,
 *  a circuit past the transform's size, a file that is there already; CUZK_ERR_MEMORY; CUZK_ERR_IO
 *  and CUZK_ERR_MISSING where a file cannot be written; a cancelled strand's status. Both places,
 *  and the room on the disk of params_path, are looked at before the work. Both files are whole and
 *  synced before the first is renamed, and none is left behind on an error (with replace, the new
 *  params_path stays when the rename of vk_path alone failed).
 *  Memory: 96 bytes a variable, 32 bytes a constraint of the domain, and a chunk of points. */
cuzk_status setup_run(const setup_outputs_t *outputs, circuit_fn circuit, const void *values,
                      const setup_secrets_t *secrets, strand_t *strand, cuzk_error *err);

#endif

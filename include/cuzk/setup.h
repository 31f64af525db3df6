/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SETUP_H
#define CUZK_SETUP_H

/* Parameters from secrets of one's own, for tests and private networks: whoever knows the secrets
 * can forge proofs under them. The public network's parameters come from its ceremony. */

#include "cuzk/cuzk.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The secrets. Elements are little-endian, not zero and below the order of the field. */
typedef struct cuzk_trapdoor {
    size_t struct_size;
    uint8_t alpha_le[32], beta_le[32], gamma_le[32], delta_le[32];
    uint8_t tau_le[32];             /* not in the circuit's domain */
    uint8_t g1_uncompressed_be[96]; /* generators everything is a multiple of */
    uint8_t g2_uncompressed_be[192];
} cuzk_trapdoor;

typedef struct cuzk_setup_options {
    size_t struct_size;
    const char *circuit;           /* "winning-2k" */
    const char *folder;            /* where the files go */
    const cuzk_trapdoor *trapdoor; /* NULL: from the operating system, and wiped */
    bool replace;                  /* may files that are there be replaced? */
    /** Called on the calling thread after each chunk of points, with the section's name, points
     * done and in all; may be NULL. */
    void (*progress)(void *arg, const char *section, uint64_t done, uint64_t total);
    void *progress_arg;
} cuzk_setup_options;

/** Makes FOLDER/v28-ID.params and FOLDER/v28-ID.vk: for the same secrets the same bytes as the
 *  reference's. Takes 96 bytes a variable and 32 a constraint of memory beside the engine's budget.
 *
 *  CUZK_ERR_ARG: no such circuit, a bad secret, a file that is there already; CUZK_ERR_MISSING,
 *  CUZK_ERR_IO: a file can't be written, or the disk has no room for both (known before the work);
 *  CUZK_ERR_MEMORY; CUZK_CANCELLED by cuzk_engine_stop(). Both files are whole and synced before
 *  either stands under its name; nothing is left otherwise. */
CUZK_API cuzk_status cuzk_setup(cuzk_engine *engine, const cuzk_setup_options *options,
                                cuzk_error *error);

/** *path = FOLDER/v28-ID.SUFFIX of a circuit, suffix "params" or "vk"; release it with
 *  cuzk_bytes_free(). folder NULL: $FIL_PROOFS_PARAMETER_CACHE, else the system's default.
 *  CUZK_ERR_ARG: no such circuit; CUZK_ERR_MEMORY. */
CUZK_API cuzk_status cuzk_params_path(const char *folder, const char *circuit, const char *suffix,
                                      char **path, cuzk_error *error);

#ifdef __cplusplus
}
#endif
#endif

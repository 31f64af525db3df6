/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SRS_VK_H
#define CUZK_SRS_VK_H

/* Verifying keys: the .vk file, which is also the head of a parameter file. */

#include <stdbool.h>
#include <stdio.h>

#include "base/executor.h"
#include "curve/g1.h"
#include "curve/g2.h"

/** A key whose points are all on the curve, in the subgroup and not the identity. */
typedef struct {
    g1_affine_t alpha_g1, beta_g1;
    g2_affine_t beta_g2, gamma_g2;
    g1_affine_t delta_g1;
    g2_affine_t delta_g2;
    g1_affine_t *ic; /* n_ic points, one for each input, ONE first; owned */
    uint32_t n_ic;   /* at least 1, at most SRS_MAX_INPUTS */
} srs_vk_t;

/** Largest number of inputs accepted in a key from outside; the circuits here have up to 25,840
 *  (WindowPoSt of 32 GiB). It bounds the work on a hostile file. */
#define SRS_MAX_INPUTS ((uint32_t)1 << 24)

/** Bytes of a key of n_ic inputs. */
size_t srs_vk_bytes(uint32_t n_ic);

/** Whether a file is a key and no more, by its length and the count of inputs in it: parameters go
 *  on behind the key. A file too short to tell is none. CUZK_ERR_MISSING, CUZK_ERR_IO. */
cuzk_status srs_is_key_alone(bool *is_key, const char *path, cuzk_error *err);

/** Reads a .vk file and checks every point; bytes after the key are an error. The strand may be
 *  NULL. CUZK_ERR_MISSING and CUZK_ERR_IO as file_open() and file_read_at(); CUZK_ERR_FORMAT names
 *  the part and the lowest bad index. Release with srs_vk_clear(), on success only. */
cuzk_status srs_vk_read(srs_vk_t *vk, const char *path, strand_t *strand, cuzk_error *err);

/** Writes the key to a stream; the caller looks at ferror(). */
void srs_vk_write(FILE *out, const srs_vk_t *vk);

void srs_vk_clear(srs_vk_t *vk);

#endif

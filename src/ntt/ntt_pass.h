/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_NTT_NTT_PASS_H
#define CUZK_NTT_NTT_PASS_H

/* What a transform is made of, shared by the ways over memory (ntt.c) and over blocks
 * (ntt_blocks.c): an index of lg_n bits is cut into digits, the highest first, and a pass
 * transforms one digit by tiles. */

#include "ntt/ntt.h"
#include "ntt/ntt_tile.h"

enum { NTT_MAX_DIGITS = 3, NTT_SWAP_BLOCK = 8 /* elements on a side: 4 KiB in both blocks */ };

typedef struct {
    unsigned lg_m;
    unsigned lg_below; /* of the digits after it: the distance of its points */
    unsigned lg_above; /* of the digits before it: its weight in the other order */
    /* m entries each: */
    uint16_t *natural;  /* i */
    uint16_t *reversed; /* i with its bits reversed */
    uint16_t *rotated;  /* where the frequency i goes so that swapping the first and the last digit
                           gives the natural order; the identity but for the first of two */
} ntt_digit_t;

struct ntt_domain {
    unsigned lg_n;
    unsigned n_digits; /* 0 when n is too small for tiles */
    ntt_digit_t digits[NTT_MAX_DIGITS];
    const ntt_kernels_t *kernels;
    size_t n_twiddles;
    void *twiddles[2]; /* forward, inverse */
};

/** ntt_domain_open with the index cut as told, for tests and measurements: 2 or 3 digits of 3 to
 *  NTT_TILE_MAX_LG bits, the highest first. NTT_NATURAL_TO_NATURAL needs the first of two to be no
 *  shorter than the last, the first and the last of three to be equal. */
cuzk_status ntt_domain_open_digits(ntt_domain_t **domain, const unsigned lgs[], unsigned n_digits,
                                   cuzk_error *err);

/** The root of unity of that order, or its inverse. */
void ntt_root(fr_t *root, unsigned lg_order, bool inverse);

/** Scratch of a transform: bytes for each worker, and factors (ntt_call_t). */
size_t ntt_worker_bytes(const ntt_domain_t *domain);
size_t ntt_factors(const ntt_domain_t *domain);

/** One call: the transform with a[j] *= base^j before (forward) or a[j] *= constant base^j after
 *  (inverse), where j is the natural index. */
typedef struct {
    const ntt_domain_t *domain;
    ntt_order order;
    bool inverse;
    bool is_coset; /* base is not 1 */
    fr_t base;
    fr_t constant;
    fr_t *factors;    /* scratch: as many as the largest digit has points */
    uint8_t *workers; /* scratch: worker_bytes for each */
    size_t worker_bytes;
} ntt_call_t;

/** The part of the vector that is in memory: all, whole blocks of the digits after the first, or
 *  whole columns of the first digit. */
typedef struct {
    fr_t *elements;
    size_t first;    /* index of the first element */
    size_t n_points; /* elements, all digits taken together */
    size_t row;      /* columns: elements between the points of the first digit */
} ntt_part_t;

/** Transforms digit i of what is in memory. */
cuzk_status ntt_pass(const ntt_call_t *call, unsigned i, const ntt_part_t *part, strand_t *strand,
                     cuzk_error *err);

/** Swaps the first and the last digit of the indices of what is in memory: rows of whole runs of
 * the last digit. */
cuzk_status ntt_swap_digits(const ntt_call_t *call, const ntt_part_t *part, strand_t *strand,
                            cuzk_error *err);

/** The whole transform with its elements in memory. */
cuzk_status ntt_in_memory(const ntt_call_t *call, fr_t *a, strand_t *strand, cuzk_error *err);

/** The whole transform by blocks; panel: scratch for as many elements as ntt_panel() says. */
cuzk_status ntt_by_blocks(const ntt_call_t *call, const ntt_vector_t *vector, fr_t *panel,
                          strand_t *strand, cuzk_error *err);

/** Elements in memory at once. */
size_t ntt_panel(const ntt_domain_t *domain, const ntt_vector_t *vector);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_NTT_NTT_H
#define CUZK_NTT_NTT_H

/* Number-theoretic transforms over fr: evaluation of a polynomial of n = 2^lg_n coefficients at
 * the powers of w = fr_root_of_unity(lg_n), and back. docs/algorithms/ntt.md.
 *
 * Elements are reduced before and after. Leaving out a reversal saves about a tenth. Concurrent
 * transforms may share a domain. */

#include <stdbool.h>

#include "base/executor.h"
#include "field/fr.h"

enum { NTT_MAX_LG = FR_TWO_ADICITY };

/** In which order elements stand: natural, or with the bits of the index reversed. */
typedef enum { NTT_NATURAL_TO_NATURAL, NTT_NATURAL_TO_REVERSED, NTT_REVERSED_TO_NATURAL } ntt_order;

/** The tables for one size; immutable after opening, shared by threads. */
typedef struct ntt_domain ntt_domain_t;

/** Makes tables for 2^lg_n, lg_n <= NTT_MAX_LG (else CUZK_ERR_ARG, naming the limit).
 *  CUZK_ERR_MEMORY. */
cuzk_status ntt_domain_open(ntt_domain_t **domain, unsigned lg_n, cuzk_error *err);

/** NULL is allowed. */
void ntt_domain_close(ntt_domain_t *domain);

/** 2^lg_n */
size_t ntt_domain_size(const ntt_domain_t *domain);

/** Which transform. */
typedef struct {
    bool inverse; /* 1/n included */
    ntt_order order;
    const fr_t *coset; /* g, not zero: at g w^i in place of w^i; NULL: g = 1 */
} ntt_kind_t;

/** Where the n elements of a transform lie: in memory, or where blocks are read from and written
 *  to, as in a file. */
typedef struct ntt_vector {
    fr_t *elements; /* all n; or NULL, and then: */
    /** To or from memory: elements first .. first+n-1. Block; called from several threads. */
    cuzk_status (*get)(fr_t *to, const struct ntt_vector *vector, size_t first, size_t n,
                       cuzk_error *err);
    cuzk_status (*put)(const struct ntt_vector *vector, const fr_t *from, size_t first, size_t n,
                       cuzk_error *err);
    void *store;     /* for get() and put() */
    size_t panel;    /* elements to hold in memory at once; raised to what is needed, lowered to n;
                        0: NTT_PANEL */
    uint64_t *io_ns; /* the time the transform waited for blocks is added; may be NULL */
} ntt_vector_t;

/** Elements of a vector by blocks that are in memory at once: 64 MiB. */
enum { NTT_PANEL = 1 << 21 };

/** Bytes of scratch that a transform on so many threads takes: of a vector in memory, and by
 *  blocks. */
size_t ntt_scratch_bytes(const ntt_domain_t *domain, uint32_t n_threads);
size_t ntt_block_scratch_bytes(const ntt_domain_t *domain, const ntt_vector_t *vector,
                               uint32_t n_threads);

/** Bytes of the tables of 2^lg_n; those with the scratch of one transform, of a vector in memory
 * and by blocks with the default panel. For the kernels in use now. */
size_t ntt_table_bytes(unsigned lg_n);
size_t ntt_bytes(unsigned lg_n, uint32_t n_threads);
size_t ntt_file_bytes(unsigned lg_n, uint32_t n_threads);

/** Transforms the vector in place.
 *
 *  scratch  as many bytes as the functions above say for the strand's threads, of any contents and
 *           aligned to 64 bytes; NULL: allocated for the call
 *  Errors   CUZK_ERR_MEMORY; CUZK_CANCELLED and CUZK_ERR_DEADLINE by the strand's token; those of
 *           get() and put(). The elements are spoilt then.
 *  By blocks, the vector is read and written twice, three times from natural to natural order. */
cuzk_status ntt_transform(const ntt_domain_t *domain, const ntt_vector_t *vector,
                          const ntt_kind_t *kind, void *scratch, strand_t *strand, cuzk_error *err);

/** a[i] = sum(a[j] w^(ij)), in memory and in place. */
cuzk_status ntt_forward(const ntt_domain_t *domain, fr_t *a, ntt_order order, strand_t *strand,
                        cuzk_error *err);

/** The inverse of ntt_forward, 1/n included. */
cuzk_status ntt_inverse(const ntt_domain_t *domain, fr_t *a, ntt_order order, strand_t *strand,
                        cuzk_error *err);

#endif

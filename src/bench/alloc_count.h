/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_ALLOC_COUNT_H
#define CUZK_BENCH_ALLOC_COUNT_H

/* What our code takes from malloc and its relatives and from anonymous mappings. The program that
 * counts is one of cuzk_bench_program() (src/bench/CMakeLists.txt); shared libraries' own
 * allocations are not seen. */

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t calls; /* of malloc, calloc, realloc, aligned_alloc, posix_memalign */
    uint64_t bytes; /* asked of those, anonymous mappings and mremap's growth included; what a
                       realloc already had counts again */
} alloc_count_t;

/** Counting, or not: it begins switched off, since it takes time of its own. */
void alloc_count_switch(bool on);

/** What was counted since the program began. */
alloc_count_t alloc_count_now(void);

/** Bytes held now: blocks by their usable size, anonymous mappings but for those of address space
 *  alone (MAP_NORESERVE). The peak counts from here on. */
uint64_t alloc_live_restart(void);

/** The most that was held since. */
uint64_t alloc_live_peak(void);

#endif

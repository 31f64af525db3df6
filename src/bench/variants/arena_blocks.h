/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_VARIANTS_ARENA_BLOCKS_H
#define CUZK_BENCH_VARIANTS_ARENA_BLOCKS_H

/* Blocks from malloc that are freed when an arena is rewound or closed. */

#include "base/arena.h"

/** p NULL: a new block of `bytes`; else p, a block from here, made that large, perhaps moved, with
 *  its first old_bytes. NULL when there is no memory. */
void *arena_block(arena_t *arena, void *p, size_t old_bytes, size_t bytes);

#endif

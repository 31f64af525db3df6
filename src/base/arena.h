/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_ARENA_H
#define CUZK_BASE_ARENA_H

/* Stack-like memory for small objects with one lifetime: linear combinations of a gadget, a
 * parsed proof. Mark, allocate, rewind; destroying it is the whole clean-up. Aborts the process
 * when the system has no memory (sizes are small by design: large arrays use base/memory.h).
 * One thread at a time. */

#include <stddef.h>

typedef struct arena_block arena_block_t;
typedef struct arena_attached arena_attached_t;

typedef struct {
    arena_block_t *block; /* current block, linked to those before it; NULL when nothing is held */
    arena_block_t *spare; /* one block kept for reuse, so that rewinding does not thrash */
    size_t used;          /* bytes taken from the current block */
    arena_attached_t *attached; /* the last of arena_attach() */
} arena_t;

typedef struct {
    arena_block_t *block;
    size_t used;
    arena_attached_t *attached;
} arena_mark_t;

void arena_init(arena_t *arena);
void arena_clear(arena_t *arena);

/** n * size bytes, 16-byte aligned, not zeroed. */
void *arena_alloc(arena_t *arena, size_t n, size_t size);

/** Grows the array that was allocated last in place where it fits, else moves it; the old
 *  contents (old_n elements) are kept. p may be NULL with old_n 0. */
void *arena_grow(arena_t *arena, void *p, size_t old_n, size_t new_n, size_t size);

/** Memory of its own from malloc, released as if it were the arena's; 16-byte aligned. p NULL: new;
 *  else memory from here, perhaps moved, with its first old_bytes. For comparing the two. */
void *arena_attach(arena_t *arena, void *p, size_t old_bytes, size_t bytes);

arena_mark_t arena_mark(const arena_t *arena);
void arena_rewind(arena_t *arena, arena_mark_t mark);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_ARENA_H
#define CUZK_BASE_ARENA_H

/* Stack-like memory for small objects with one lifetime: the linear combinations of a gadget, a
 * parsed proof. Mark, allocate, rewind; closing it is the whole clean-up. Its capacity is address
 * space, reserved once; pages are the system's until they are used. One thread at a time. */

#include <stddef.h>

#include "base/error.h"

typedef struct {
    unsigned char *base; /* NULL when closed */
    size_t capacity;     /* bytes */
    size_t used;
} arena_t;

typedef struct {
    size_t used;
} arena_mark_t;

/** Reserves room for `capacity` bytes, rounded up to whole pages; what names the arena in the error
 *  text. CUZK_ERR_MEMORY when the system refuses: then *arena is closed. */
cuzk_status arena_open(arena_t *arena, size_t capacity, const char *what, cuzk_error *err);

/** A closed arena (zeroed) is allowed. */
void arena_close(arena_t *arena);

/** n * size bytes, 16-byte aligned, not zeroed; NULL when they are past the capacity. */
void *arena_alloc(arena_t *arena, size_t n, size_t size);

/** Grows the array that was allocated last in place, else moves it; the old contents (old_n
 *  elements) are kept. p may be NULL with old_n 0. NULL when there is no room: p is as it was. */
void *arena_grow(arena_t *arena, void *p, size_t old_n, size_t new_n, size_t size);

arena_mark_t arena_mark(const arena_t *arena);
void arena_rewind(arena_t *arena, arena_mark_t mark);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/verify.h"

enum { ALIGN = 16, BLOCK_BYTES = 1 << 18 };

struct arena_block {
    arena_block_t *previous;
    size_t capacity; /* bytes in data */
    _Alignas(ALIGN) unsigned char data[];
};

struct arena_attached {
    arena_attached_t *previous;
    _Alignas(ALIGN) unsigned char data[];
};

void arena_init(arena_t *arena)
{
    *arena = (arena_t){0};
}

void arena_clear(arena_t *arena)
{
    arena_rewind(arena, (arena_mark_t){0});
    free(arena->spare);
    arena_init(arena);
}

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

static void add_block(arena_t *arena, size_t bytes)
{
    const size_t capacity = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    arena_block_t *block = arena->spare;

    if (block != NULL && block->capacity >= capacity) {
        arena->spare = NULL;
    } else {
        block = small_alloc(1, sizeof *block + capacity);
        block->capacity = capacity;
    }
    block->previous = arena->block;
    arena->block = block;
    arena->used = 0;
}

void *arena_alloc(arena_t *arena, size_t n, size_t size)
{
    const size_t bytes = aligned(n * size);

    VERIFY(size == 0 || n <= SIZE_MAX / 2 / size);
    if (arena->block == NULL || arena->block->capacity - arena->used < bytes)
        add_block(arena, bytes);
    void *p = arena->block->data + arena->used;
    arena->used += bytes;
    return p;
}

void *arena_grow(arena_t *arena, void *p, size_t old_n, size_t new_n, size_t size)
{
    const size_t old_bytes = aligned(old_n * size);
    const size_t more = aligned(new_n * size) - old_bytes;

    if (p != NULL && arena->block != NULL &&
        (unsigned char *)p + old_bytes == arena->block->data + arena->used &&
        arena->block->capacity - arena->used >= more) {
        arena->used += more;
        return p;
    }
    void *moved = arena_alloc(arena, new_n, size);
    if (old_n > 0) memcpy(moved, p, old_n * size);
    return moved;
}

arena_mark_t arena_mark(const arena_t *arena)
{
    return (arena_mark_t){.block = arena->block, .used = arena->used, .attached = arena->attached};
}

void *arena_attach(arena_t *arena, void *p, size_t old_bytes, size_t bytes)
{
    arena_attached_t *last = arena->attached;
    const bool grows = p != NULL && last != NULL && p == last->data;
    arena_attached_t *block = realloc(grows ? last : NULL, sizeof *block + bytes);

    if (block == NULL) {
        (void)fprintf(stderr, "cuzk: out of memory (%zu bytes)\n", bytes);
        abort();
    }
    if (!grows) {
        block->previous = last;
        if (old_bytes > 0) memcpy(block->data, p, old_bytes);
    }
    arena->attached = block;
    return block->data;
}

void arena_rewind(arena_t *arena, arena_mark_t mark)
{
    while (arena->attached != mark.attached) {
        arena_attached_t *attached = arena->attached;

        VERIFY(attached != NULL);
        arena->attached = attached->previous;
        free(attached);
    }
    while (arena->block != mark.block) {
        arena_block_t *block = arena->block;

        VERIFY(block != NULL);
        arena->block = block->previous;
        free(arena->spare);
        arena->spare = block;
    }
    arena->used = mark.used;
}

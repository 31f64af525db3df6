/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Around base/arena.c, by the linker's --wrap. The last block's node is the first thing in the
 * arena's memory; nodes lie in the arena, so that those past a mark are the blocks to free. */

#include "bench/variants/arena_blocks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct block_node {
    struct block_node *previous;
    void *block;
} block_node_t;

cuzk_status __real_arena_open(arena_t *arena, size_t capacity, const char *what, cuzk_error *err);
void __real_arena_close(arena_t *arena);
void __real_arena_rewind(arena_t *arena, arena_mark_t mark);
cuzk_status __wrap_arena_open(arena_t *arena, size_t capacity, const char *what, cuzk_error *err);
void __wrap_arena_close(arena_t *arena);
void __wrap_arena_rewind(arena_t *arena, arena_mark_t mark);

static block_node_t **last_node(const arena_t *arena)
{
    return (block_node_t **)(void *)arena->base;
}

static void free_blocks(const arena_t *arena, size_t used)
{
    block_node_t **last = last_node(arena);

    while (*last != NULL && (unsigned char *)*last >= arena->base + used) {
        free((*last)->block);
        *last = (*last)->previous;
    }
}

cuzk_status __wrap_arena_open(arena_t *arena, size_t capacity, const char *what, cuzk_error *err)
{
    const cuzk_status st = __real_arena_open(arena, capacity, what, err);

    if (st == CUZK_OK) (void)arena_alloc(arena, 1, sizeof(block_node_t *)); /* zeroed, as all is */
    return st;
}

void __wrap_arena_close(arena_t *arena)
{
    if (arena->base != NULL) free_blocks(arena, 0);
    __real_arena_close(arena);
}

void __wrap_arena_rewind(arena_t *arena, arena_mark_t mark)
{
    free_blocks(arena, mark.used);
    __real_arena_rewind(arena, mark);
}

void *arena_block(arena_t *arena, void *p, size_t old_bytes, size_t bytes)
{
    block_node_t **last = last_node(arena);
    const bool grows = p != NULL && *last != NULL && p == (*last)->block;
    block_node_t *node = grows ? *last : arena_alloc(arena, 1, sizeof *node);
    void *block = node == NULL ? NULL : realloc(grows ? p : NULL, bytes);

    if (block == NULL) return NULL;
    if (!grows) {
        node->previous = *last;
        *last = node;
        if (old_bytes > 0) memcpy(block, p, old_bytes);
    }
    node->block = block;
    return block;
}

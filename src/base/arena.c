/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/verify.h"

enum { ALIGN = 16 };

cuzk_status arena_open(arena_t *arena, size_t capacity, const char *what, cuzk_error *err)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *base = MAP_FAILED;

    *arena = (arena_t){0};
    if (capacity == 0) capacity = 1;
    if (capacity <= SIZE_MAX - page) {
        capacity = (capacity + page - 1) / page * page;
        base = mmap(NULL, capacity, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    if (base == MAP_FAILED)
        return error_set(err, CUZK_ERR_MEMORY, "%s: no address space for %zu bytes", what,
                         capacity);
    *arena = (arena_t){.base = base, .capacity = capacity};
    return CUZK_OK;
}

void arena_close(arena_t *arena)
{
    if (arena->base != NULL) (void)munmap(arena->base, arena->capacity);
    *arena = (arena_t){0};
}

/* n * size rounded up; false when that is more than `most`. */
static bool count_bytes(size_t *bytes, size_t n, size_t size, size_t most)
{
    size_t exact;

    if (__builtin_mul_overflow(n, size, &exact) || exact > most) return false;
    *bytes = (exact + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    return *bytes <= most;
}

void *arena_alloc(arena_t *arena, size_t n, size_t size)
{
    size_t bytes;

    if (!count_bytes(&bytes, n, size, arena->capacity - arena->used)) return NULL;
    void *p = arena->base + arena->used;
    arena->used += bytes;
    return p;
}

void *arena_grow(arena_t *arena, void *p, size_t old_n, size_t new_n, size_t size)
{
    size_t old_bytes;

    VERIFY(new_n >= old_n);
    if (p != NULL && count_bytes(&old_bytes, old_n, size, arena->used) &&
        (unsigned char *)p + old_bytes == arena->base + arena->used) {
        arena->used -= old_bytes;
        if (arena_alloc(arena, new_n, size) != NULL) return p;
        arena->used += old_bytes;
        return NULL;
    }
    void *moved = arena_alloc(arena, new_n, size);
    if (moved != NULL && old_n > 0) memcpy(moved, p, old_n * size);
    return moved;
}

arena_mark_t arena_mark(const arena_t *arena)
{
    return (arena_mark_t){.used = arena->used};
}

void arena_rewind(arena_t *arena, arena_mark_t mark)
{
    VERIFY(mark.used <= arena->used);
    arena->used = mark.used;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/alloc_count.h"

#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

/* The linker's --wrap=NAME sends calls of NAME to __wrap_NAME and of __real_NAME to the library. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **p, size_t alignment, size_t size);
void *__real_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);
void *__real_mremap(void *old, size_t old_size, size_t new_size, int flags, ...);
void __real_free(void *p);
int __real_munmap(void *p, size_t length);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **p, size_t alignment, size_t size);
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);
void *__wrap_mremap(void *old, size_t old_size, size_t new_size, int flags, ...);
void __wrap_free(void *p);
int __wrap_munmap(void *p, size_t length);

static _Atomic uint64_t calls, bytes;
static _Atomic bool counting;

/* ---- what is held now --------------------------------------------------------------------------
 */

/* Mappings of address space alone, whose pages come as they are used, are not counted: they are
 * kept here by their address, so that their end is not counted either. */
enum { MAX_SPACES = 1 << 12 };

static _Atomic uint64_t live, live_peak;
static pthread_mutex_t spaces_mutex = PTHREAD_MUTEX_INITIALIZER;
static void *spaces[MAX_SPACES];

static void live_add(size_t size)
{
    const uint64_t now = atomic_fetch_add(&live, size) + size;
    uint64_t peak = atomic_load(&live_peak);

    while (now > peak && !atomic_compare_exchange_weak(&live_peak, &peak, now)) continue;
}

static void *live_block(void *p)
{
    if (p != NULL) live_add(malloc_usable_size(p));
    return p;
}

static void keep_space(void *p)
{
    (void)pthread_mutex_lock(&spaces_mutex);
    for (int i = 0; i < MAX_SPACES; i++) {
        if (spaces[i] != NULL) continue;
        spaces[i] = p;
        break;
    }
    (void)pthread_mutex_unlock(&spaces_mutex);
}

static bool forget_space(const void *p)
{
    bool found = false;

    (void)pthread_mutex_lock(&spaces_mutex);
    for (int i = 0; i < MAX_SPACES && !found; i++) {
        found = spaces[i] == p;
        if (found) spaces[i] = NULL;
    }
    (void)pthread_mutex_unlock(&spaces_mutex);
    return found;
}

uint64_t alloc_live_restart(void)
{
    const uint64_t now = atomic_load(&live);

    atomic_store(&live_peak, now);
    return now;
}

uint64_t alloc_live_peak(void)
{
    return atomic_load(&live_peak);
}

void __wrap_free(void *p)
{
    if (p != NULL) atomic_fetch_sub(&live, malloc_usable_size(p));
    __real_free(p);
}

int __wrap_munmap(void *p, size_t length)
{
    if (!forget_space(p)) atomic_fetch_sub(&live, length);
    return __real_munmap(p, length);
}

/* ---- what is asked for -------------------------------------------------------------------------
 */

static void add_bytes(size_t size)
{
    if (atomic_load_explicit(&counting, memory_order_relaxed))
        atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

static void count(size_t size)
{
    if (!atomic_load_explicit(&counting, memory_order_relaxed)) return;
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    add_bytes(size);
}

void alloc_count_switch(bool on)
{
    atomic_store(&counting, on);
}

alloc_count_t alloc_count_now(void)
{
    return (alloc_count_t){atomic_load(&calls), atomic_load(&bytes)};
}

void *__wrap_malloc(size_t size)
{
    count(size);
    return live_block(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
    count(n * size);
    return live_block(__real_calloc(n, size));
}

void *__wrap_realloc(void *p, size_t size)
{
    const size_t old = p != NULL ? malloc_usable_size(p) : 0;
    void *moved = __real_realloc(p, size);

    count(size);
    if (moved != NULL) atomic_fetch_sub(&live, old);
    return live_block(moved);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    count(size);
    return live_block(__real_aligned_alloc(alignment, size));
}

int __wrap_posix_memalign(void **p, size_t alignment, size_t size)
{
    const int rc = __real_posix_memalign(p, alignment, size);

    count(size);
    if (rc == 0) (void)live_block(*p);
    return rc;
}

void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    void *p = __real_mmap(at, length, protection, flags, fd, offset);

    if ((flags & MAP_ANONYMOUS) && !(flags & MAP_NORESERVE)) add_bytes(length);
    if (p == MAP_FAILED) return p;
    if ((flags & MAP_ANONYMOUS) && !(flags & MAP_NORESERVE))
        live_add(length);
    else
        keep_space(p);
    return p;
}

void *__wrap_mremap(void *old, size_t old_size, size_t new_size, int flags, ...)
{
    void *at = NULL;
    va_list rest;

    va_start(rest, flags);
    if (flags & MREMAP_FIXED) at = va_arg(rest, void *);
    va_end(rest);
    if (new_size > old_size) add_bytes(new_size - old_size);
    return flags & MREMAP_FIXED ? __real_mremap(old, old_size, new_size, flags, at)
                                : __real_mremap(old, old_size, new_size, flags);
}

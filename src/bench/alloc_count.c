/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/alloc_count.h"

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

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **p, size_t alignment, size_t size);
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);
void *__wrap_mremap(void *old, size_t old_size, size_t new_size, int flags, ...);

static _Atomic uint64_t calls, bytes;
static _Atomic bool counting;

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
    return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    count(n * size);
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    count(size);
    return __real_realloc(p, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    count(size);
    return __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **p, size_t alignment, size_t size)
{
    count(size);
    return __real_posix_memalign(p, alignment, size);
}

void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    if (flags & MAP_ANONYMOUS) add_bytes(length);
    return __real_mmap(at, length, protection, flags, fd, offset);
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

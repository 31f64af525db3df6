/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cgroup.h"

enum { HUGE_PAGE_BYTES = 1 << 21 };

static size_t mapping_bytes(size_t n, size_t size)
{
    const size_t bytes = n * size;

    return bytes == 0 ? 1 : bytes;
}

cuzk_status big_alloc(void **out, size_t n, size_t size, const char *what, cuzk_error *err)
{
    size_t bytes;

    *out = NULL;
    if (__builtin_mul_overflow(n, size, &bytes))
        return error_set(err, CUZK_ERR_MEMORY, "%s: %zu elements of %zu bytes overflow", what, n,
                         size);
    bytes = mapping_bytes(n, size);
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return error_set(err, CUZK_ERR_MEMORY, "%s: no memory for %zu bytes", what, bytes);
    if (bytes >= HUGE_PAGE_BYTES) (void)madvise(p, bytes, MADV_HUGEPAGE);
    *out = p;
    return CUZK_OK;
}

void big_free(void *p, size_t n, size_t size)
{
    if (p != NULL) (void)munmap(p, mapping_bytes(n, size));
}

static cgroup_memory_t group(void)
{
    return cgroup_memory("/proc/self/cgroup", "/sys/fs/cgroup");
}

/* A line of /proc/meminfo in bytes; UINT64_MAX when it is not there. */
static uint64_t meminfo_bytes(const char *key)
{
    const uint64_t kib = cgroup_read_number("/proc/meminfo", key);

    return kib == UINT64_MAX ? kib : kib * 1024;
}

uint64_t memory_limit_bytes(void)
{
    return group().limit;
}

uint64_t memory_available_bytes(void)
{
    const uint64_t available = meminfo_bytes("MemAvailable:");
    const uint64_t left = group().left;

    return left < available ? left : available;
}

uint64_t memory_total_bytes(void)
{
    uint64_t total = meminfo_bytes("MemTotal:");
    const uint64_t huge = meminfo_bytes("Hugetlb:");
    const uint64_t limit = memory_limit_bytes();

    if (total != UINT64_MAX && huge != UINT64_MAX) total -= huge < total ? huge : total;
    return limit < total ? limit : total;
}

void *mem_alloc(size_t n, size_t size, const char *what, cuzk_error *err)
{
    void *p = calloc(n == 0 ? 1 : n, size == 0 ? 1 : size);

    if (p == NULL)
        (void)error_set(err, CUZK_ERR_MEMORY, "%s: no memory for %zu elements of %zu bytes", what,
                        n, size);
    return p;
}

char *mem_copy_text(const char *text, const char *what, cuzk_error *err)
{
    const size_t size = strlen(text) + 1;
    char *copy = mem_alloc(size, 1, what, err);

    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

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

/* The number that follows key at the start of a line of a file; UINT64_MAX without one. */
static uint64_t read_number(const char *path, const char *key)
{
    char line[256];
    uint64_t value = UINT64_MAX;
    FILE *file = fopen(path, "re");

    if (file == NULL) return value;
    while (fgets(line, sizeof line, file) != NULL) {
        char *end;

        if (strncmp(line, key, strlen(key)) != 0) continue;
        const unsigned long long v = strtoull(line + strlen(key), &end, 10);
        if (end != line + strlen(key)) value = v; /* "max" is no number: no limit */
        break;
    }
    (void)fclose(file);
    return value;
}

uint64_t memory_limit_bytes(void)
{
    return read_number("/sys/fs/cgroup/memory.max", "");
}

uint64_t memory_available_bytes(void)
{
    uint64_t available = read_number("/proc/meminfo", "MemAvailable:");
    const uint64_t limit = memory_limit_bytes();
    const uint64_t used = read_number("/sys/fs/cgroup/memory.current", "");
    const uint64_t cache = read_number("/sys/fs/cgroup/memory.stat", "file ");

    if (available != UINT64_MAX) available *= 1024;
    if (limit == UINT64_MAX || used == UINT64_MAX) return available;
    const uint64_t held = cache < used ? used - cache : 0; /* the cache gives way */
    const uint64_t left = limit > held ? limit - held : 0;
    return left < available ? left : available;
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

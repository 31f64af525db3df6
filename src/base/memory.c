/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

void *small_alloc(size_t n, size_t size)
{
    void *p = calloc(n == 0 ? 1 : n, size);

    if (p == NULL) {
        (void)fprintf(stderr, "cuzk: out of memory (%zu x %zu bytes)\n", n, size);
        abort();
    }
    return p;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_TEST_TRACES_H
#define CUZK_BASE_TEST_TRACES_H

/* Whether a secret is anywhere in the memory of this process: stacks of all threads, the heap, what
 * was given back to it, mappings. Not for builds with sanitizers, which keep copies of their own.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TRACE_WORDS = 4, TRACES_MAX = 64 };

/* What is looked for, as complements: the list itself is no trace. */
typedef struct {
    uint64_t inverted[TRACES_MAX][TRACE_WORDS];
    size_t n;
} test_traces_t;

/* 32 bytes to look for. */
static inline void test_traces_add(test_traces_t *traces, const void *bytes)
{
    for (size_t i = 0; i < TRACE_WORDS; i++) {
        uint64_t word;

        memcpy(&word, (const uint8_t *)bytes + i * sizeof word, sizeof word);
        traces->inverted[traces->n][i] = ~word;
    }
    traces->n++;
}

static inline size_t test_traces_in(const test_traces_t *traces, const uint64_t *from,
                                    const uint64_t *end)
{
    size_t found = 0;

    for (const uint64_t *at = from; at + TRACE_WORDS <= end; at++)
        for (size_t k = 0; k < traces->n; k++) {
            size_t i = 0;

            while (i < TRACE_WORDS && at[i] == ~traces->inverted[k][i]) i++;
            found += i == TRACE_WORDS;
        }
    return found;
}

/* How often any of them is found, at multiples of 8 bytes. */
static inline size_t test_traces_count(const test_traces_t *traces)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    unsigned long long from, end;
    size_t found = 0;
    char line[512], rights[8];

    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%llx-%llx %7s", &from, &end, rights) == 3 &&
            strncmp(rights, "rw", 2) == 0)
            found += test_traces_in(traces, (const uint64_t *)(uintptr_t)from,
                                    (const uint64_t *)(uintptr_t)end);
    if (maps != NULL) (void)fclose(maps);
    return found;
}

#endif

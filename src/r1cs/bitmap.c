/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "r1cs/bitmap.h"

uint64_t bitmap_read(const uint64_t *words, uint64_t at, unsigned n)
{
    const unsigned low = at % 64;
    uint64_t r;

    if (n == 0) return 0;
    r = words[at / 64] >> low;
    if (low + n > 64) r |= words[at / 64 + 1] << (64 - low);
    return n == 64 ? r : r & (((uint64_t)1 << n) - 1);
}

void bitmap_or(uint64_t *to, uint64_t at, const uint64_t *from, uint64_t from_at, uint64_t n)
{
    while (n > 0) {
        const unsigned room = 64 - (unsigned)(at % 64);
        const unsigned count = n < room ? (unsigned)n : room;

        to[at / 64] |= bitmap_read(from, from_at, count) << at % 64;
        at += count;
        from_at += count;
        n -= count;
    }
}

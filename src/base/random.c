/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/random.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

cuzk_status random_bytes(void *bytes, size_t n, cuzk_error *err)
{
    unsigned char *p = bytes;

    while (n > 0) {
        const ssize_t got = getrandom(p, n, 0);

        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return error_set(err, CUZK_ERR_IO, "getrandom: %s", strerror(errno));
        p += got;
        n -= (size_t)got;
    }
    return CUZK_OK;
}

void mem_wipe(void *bytes, size_t n)
{
    explicit_bzero(bytes, n);
}

enum { STACK_BYTES = 1 << 16 }; /* more than what computes takes below its callers */

__attribute__((noinline)) void mem_wipe_stack(void)
{
    uint8_t frames[STACK_BYTES];

    mem_wipe(frames, sizeof frames);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/fuzz_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_judge(fuzz_verdict verdict)
{
    static const char *const names[] = {"refused", "read", "right"};
    const char *expected = getenv("CUZK_FUZZ_EXPECT");

    if (expected == NULL || *expected == '\0' || strcmp(expected, names[verdict]) == 0) return;
    (void)fprintf(stderr, "this input is %s, expected %s\n", names[verdict], expected);
    abort();
}

const char *fuzz_file(const uint8_t *bytes, size_t n)
{
    static int fd = -1;
    static char path[64];
    size_t done = 0;

    if (fd < 0) fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, 0) != 0) abort();
    while (done < n) {
        const ssize_t put = pwrite(fd, bytes + done, n - done, (off_t)done);

        if (put <= 0) abort();
        done += (size_t)put;
    }
    if (lseek(fd, 0, SEEK_SET) != 0) abort(); /* an open stream is read on from where it stands */
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static uint64_t read_clock(clockid_t id)
{
    struct timespec t;

    (void)clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t clock_monotonic_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_process_cpu_ns(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t clock_thread_cpu_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* Not getrusage()'s, which remembers the program that started this one, too. */
/* A line of /proc/self/status, "VmHWM: %llu kB", in bytes. */
static uint64_t process_status_bytes(const char *name)
{
    FILE *status = fopen("/proc/self/status", "re");
    const size_t n = strlen(name);
    unsigned long long kib = 0;
    char line[256];

    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, name, n) == 0 && sscanf(line + n, ": %llu kB", &kib) == 1) break;
    if (status != NULL) (void)fclose(status);
    return kib * 1024;
}

uint64_t process_peak_rss_bytes(void)
{
    return process_status_bytes("VmHWM");
}

uint64_t process_rss_bytes(void)
{
    return process_status_bytes("VmRSS");
}

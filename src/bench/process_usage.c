/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/process_usage.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

uint64_t page_faults_now(void)
{
    struct rusage u;

    (void)getrusage(RUSAGE_SELF, &u);
    return (uint64_t)(u.ru_minflt + u.ru_majflt);
}

/* proc_pid_clear_refs(5): 5 is the mark alone. */
bool peak_memory_restart(void)
{
    const int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

    if (fd < 0) return false;
    const bool done = write(fd, "5", 1) == 1;
    (void)close(fd);
    return done;
}

/* Not ru_maxrss: that one remembers the program that started this one, too. */
double peak_memory_bytes(void)
{
    FILE *status = fopen("/proc/self/status", "re");
    double bytes = (double)NAN;
    unsigned long long kib;
    char line[256];

    if (status == NULL) return bytes;
    while (isnan(bytes) && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmHWM: %llu kB", &kib) == 1) bytes = (double)kib * 1024;
    (void)fclose(status);
    return bytes;
}

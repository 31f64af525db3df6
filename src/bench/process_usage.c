/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/process_usage.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

process_usage_t process_usage_now(void)
{
    struct rusage u;

    (void)getrusage(RUSAGE_SELF, &u);
    return (process_usage_t){
        .page_faults = (uint64_t)(u.ru_minflt + u.ru_majflt),
        .context_switches = (uint64_t)(u.ru_nvcsw + u.ru_nivcsw),
        .cpu_ns = (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000u +
                  (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000u,
    };
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

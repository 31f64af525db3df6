/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/process_usage.h"

#include <fcntl.h>
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

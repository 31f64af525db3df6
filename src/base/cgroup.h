/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_CGROUP_H
#define CUZK_BASE_CGROUP_H

/* What control groups (version 2 or 1) allow this process of memory. */

#include <stdint.h>

typedef struct {
    uint64_t limit; /* bytes: the lowest of the process's group and those around it */
    uint64_t left;  /* what can still be had below each limit; file cache gives way */
} cgroup_memory_t;

/** membership is /proc/self/cgroup, mount /sys/fs/cgroup. UINT64_MAX where there is no limit or
 *  nothing says. A group whose folder is not seen, as in a container, counts as the mount's. */
cgroup_memory_t cgroup_memory(const char *membership, const char *mount);

/** The number that follows key at the start of a line of a file; UINT64_MAX without one. */
uint64_t cgroup_read_number(const char *path, const char *key);

#endif

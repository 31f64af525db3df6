/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_BUILD_INFO_H
#define CUZK_BENCH_BUILD_INFO_H

/* What this program was built from and with, and the machine it runs on. */

#include <stdbool.h>
#include <stdint.h>

#include "codec/json_write.h"

/** The commit, "-dirty" after it when files differed; "unknown" outside a checkout. */
const char *build_commit(void);

/** "GCC 12.2.0, Release" and so on. */
const char *build_compiler(void);

/** Prints what the build has and lacks, a line each. */
void build_print_parts(void);

typedef struct {
    char processor[96];
    char kernel[96];
    uint32_t cpus; /* this process may use */
    uint64_t memory_bytes;
    bool is_virtual; /* a hypervisor is below */
} machine_t;

void machine_read(machine_t *machine);

/** Member "machine". */
void machine_write(json_writer_t *w, const machine_t *machine);

#endif

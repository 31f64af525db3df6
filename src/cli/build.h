/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_BUILD_H
#define CUZK_CLI_BUILD_H

/* What a program was built from and with, and the machine it runs on. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/json_write.h"

/** The commit, "-dirty" after it when files differed; "unknown" outside a checkout. */
const char *build_commit(void);

/** "GCC 12.2.0, Release" and so on. */
const char *build_compiler(void);

/** "Release" and so on, and the compiler's flags that are set by it or by the builder. */
const char *build_type(void);
const char *build_flags(void);

typedef struct {
    const char *name;
    const char *version; /* built with; of libc: in use */
} build_library_t;

/** The libraries below, *n of them. */
const build_library_t *build_libraries(size_t *n);

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

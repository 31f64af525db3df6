/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_CPU_H
#define CUZK_BASE_CPU_H

/* What the processor can do, decided once a process. */

#include <stdbool.h>
#include <stdint.h>

/** Kernel families, slowest first; a machine that has one has all before it. */
typedef enum {
    CPU_PORTABLE,   /* C and blst's scalar routines */
    CPU_AVX512_IFMA /* AVX-512 F, DQ, BW, VL and IFMA, with the system's support */
} cpu_level;

/** The level kernels use: what the machine has, lowered by CUZK_KERNELS=portable|ifma in the
 *  environment (read once, at the first call). A value that names an unknown or unsupported
 *  level is reported by cpu_level_check(); here it counts as unset. Thread-safe. */
cpu_level cpu_level_used(void);

/** False when CUZK_KERNELS is set to something that cannot be honoured; *text then says why. Called
 *  once, by a program as it begins. */
bool cpu_level_check(const char **text);

/** "portable" or "ifma"; "ifma (emulated)" in a build with CUZK_EMULATE_IFMA. */
const char *cpu_level_name(cpu_level level);

/** Sets the level for tests of the twins; the machine must have it. Not while kernels run. */
void cpu_level_force(cpu_level level);

/** The level the machine has, or a build with CUZK_EMULATE_IFMA emulates. */
cpu_level cpu_level_available(void);

/** Whether the processor itself has what CPU_AVX512_IFMA stands for. */
bool cpu_has_avx512_ifma(void);

/** CPUs this process may run on (its affinity mask), at least 1. */
uint32_t cpu_count_allowed(void);

#endif

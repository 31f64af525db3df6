/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/cpu.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#ifdef CUZK_EMULATE_IFMA
enum { IFMA_IS_EMULATED = 1 }; /* tests/emulated/immintrin.h */
#else
enum { IFMA_IS_EMULATED = 0 };
#endif

static const char *const names[] = {[CPU_PORTABLE] = "portable", [CPU_AVX512_IFMA] = "ifma"};

static _Atomic int chosen = -1;

bool cpu_has_avx512_ifma(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512ifma");
#else
    return false;
#endif
}

cpu_level cpu_level_available(void)
{
    return IFMA_IS_EMULATED || cpu_has_avx512_ifma() ? CPU_AVX512_IFMA : CPU_PORTABLE;
}

const char *cpu_level_name(cpu_level level)
{
    return IFMA_IS_EMULATED && level == CPU_AVX512_IFMA ? "ifma (emulated)" : names[level];
}

/* The level CUZK_KERNELS asks for, or -1 when it is unset, empty or unknown. */
static int level_wanted(const char *value)
{
    for (int level = CPU_PORTABLE; level <= CPU_AVX512_IFMA; level++)
        if (value != NULL && strcmp(value, names[level]) == 0) return level;
    return -1;
}

bool cpu_level_check(const char **text)
{
    const char *value = getenv("CUZK_KERNELS");
    const int wanted = level_wanted(value);

    if (value == NULL || *value == '\0') return true;
    if (wanted < 0) {
        static char refusal[320];
        char shown[256];

        (void)text_escape(shown, sizeof shown, value, strnlen(value, 40));
        (void)snprintf(refusal, sizeof refusal, "CUZK_KERNELS: \"%s\" is none of portable, ifma",
                       shown);
        *text = refusal;
        return false;
    }
    if (wanted > (int)cpu_level_available()) {
        *text = "CUZK_KERNELS: ifma is asked for, but this processor has no AVX-512 IFMA";
        return false;
    }
    return true;
}

cpu_level cpu_level_used(void)
{
    int level = atomic_load_explicit(&chosen, memory_order_relaxed);

    if (level < 0) {
        const int available = (int)cpu_level_available();
        const int wanted = level_wanted(getenv("CUZK_KERNELS"));

        level = wanted >= 0 && wanted <= available ? wanted : available;
        atomic_store_explicit(&chosen, level, memory_order_relaxed);
    }
    return (cpu_level)level;
}

void cpu_level_force(cpu_level level)
{
    atomic_store_explicit(&chosen, (int)level, memory_order_relaxed);
}

uint32_t cpu_count_allowed(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    const int n = CPU_COUNT(&set);
    return n > 0 ? (uint32_t)n : 1;
}

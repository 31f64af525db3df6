/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_EMULATED_IMMINTRIN_H
#define CUZK_EMULATED_IMMINTRIN_H

/* Stands in for the compiler's <immintrin.h> in builds with CUZK_EMULATE_IFMA: the AVX-512
 * intrinsics that our kernels use, in plain C, so that these kernels can be tested on processors
 * without AVX-512. Names, arguments and results are those of Intel's intrinsics guide. What the
 * guide leaves undefined comes out as a pattern that no test would take for a right result, and an
 * address that an instruction would refuse ends the program. Tested by test_immintrin.c. */

#include "arithmetic.h"
#include "lanes.h"
#include "vectors.h"

#endif

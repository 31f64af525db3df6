/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_R1CS_LC_STORAGE_H
#define CUZK_R1CS_LC_STORAGE_H

/* Combinations with room for 1 term. */

#define LC_ROOM 1

#include "bench/variants/lc_inline.h"

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_R1CS_LC_STORAGE_H
#define CUZK_R1CS_LC_STORAGE_H

/* Combinations with room for 4 terms. */

#define LC_ROOM 4

#include "bench/variants/lc_inline.h"

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_ASSUMPTIONS_H
#define CUZK_BASE_ASSUMPTIONS_H

/* What the code takes for granted of the platform; a port begins here. */

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(CHAR_BIT == 8, "bytes have eight bits");
_Static_assert(sizeof(size_t) == 8, "sizes of circuits and parameter files need 64 bits");
_Static_assert(sizeof(unsigned long long) == 8, "64-bit formats print with ll");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "limb arrays are read as little-endian bytes");

#endif

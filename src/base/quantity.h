/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_QUANTITY_H
#define CUZK_BASE_QUANTITY_H

/* Sizes and times as people write them: a number in digits, with at most six more behind a point
 * where a unit follows, and the unit, which spaces may precede. What is not whole is rounded down.
 * All return false for anything else, and for 2^64 or more; *value is then unspecified. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes: "1024", "0.5GiB", "20 GB". Units KiB, MiB, GiB, TiB, and KB, MB, GB, TB of thousands. */
bool quantity_bytes(uint64_t *value, const char *text, size_t length);

/** Milliseconds: "500ms", "30s", "5m", "1.5h", "7d"; without a unit, seconds. */
bool quantity_milliseconds(uint64_t *value, const char *text, size_t length);

#endif

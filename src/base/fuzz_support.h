/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_FUZZ_SUPPORT_H
#define CUZK_BASE_FUZZ_SUPPORT_H

/* For fuzz targets: what became of an input, so that seeds can be held to what they are for, and
 * inputs as files. One thread. */

#include <stddef.h>
#include <stdint.h>

/** FUZZ_READ: taken whole, as far as its form goes; FUZZ_RIGHT: its content passed the checks, too.
 */
typedef enum { FUZZ_REFUSED, FUZZ_READ, FUZZ_RIGHT } fuzz_verdict;

/** Every target calls it once for each input. With CUZK_FUZZ_EXPECT=refused|read|right in the
 *  environment, another verdict than that one is printed and ends the program: so tools/fuzz.sh
 *  holds each seed to the folder in which it lies. */
void fuzz_judge(fuzz_verdict verdict);

/** The path of a regular file that holds the bytes, until the next call. */
const char *fuzz_file(const uint8_t *bytes, size_t n);

#endif

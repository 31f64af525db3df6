/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_PCE_TEST_SEAL_H
#define CUZK_PCE_TEST_SEAL_H

/* For tests: where things are in a file (docs/algorithms/synthesis.md), and right checksums for
 * wrong contents. */

#include <stddef.h>
#include <stdint.h>

enum {
    AT_VERSION = 8,
    AT_INPUTS = 120,
    AT_AUX = 124,
    AT_COEFFS = 132,
    AT_TEMPLATES = 136,
    AT_STAMPS = 140,
    AT_RUNS = 144,
    AT_PARTS = 148,
    AT_SECTIONS = 152,
    SECTION_BYTES = 40,
    SECTIONS = 5,
    AT_CHECKSUM = AT_SECTIONS + SECTIONS * SECTION_BYTES,
    HEADER_BYTES = AT_CHECKSUM + 32
};

/** Where a section begins, by the lengths in the header of HEADER_BYTES. */
size_t section_start(const uint8_t *bytes, unsigned section);

/** Makes all checksums right, as far as sections lie within the length, at least HEADER_BYTES. */
void reseal(uint8_t *bytes, size_t length);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "pce/test_seal.h"

#include "base/bytes.h"
#include "hash/sha256.h"

static uint64_t section_length(const uint8_t *bytes, unsigned i)
{
    return load_le64(bytes + AT_SECTIONS + (size_t)i * SECTION_BYTES);
}

size_t section_start(const uint8_t *bytes, unsigned section)
{
    size_t at = HEADER_BYTES;

    for (unsigned i = 0; i < section; i++) at += section_length(bytes, i);
    return at;
}

void reseal(uint8_t *bytes, size_t length)
{
    for (unsigned i = 0; i < SECTIONS; i++) {
        const size_t at = section_start(bytes, i);

        if (at < HEADER_BYTES || at > length || section_length(bytes, i) > length - at) break;
        sha256(bytes + AT_SECTIONS + (size_t)i * SECTION_BYTES + 8, bytes + at,
               section_length(bytes, i));
    }
    sha256(bytes + AT_CHECKSUM, bytes, AT_CHECKSUM);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SRS_SOURCE_H
#define CUZK_SRS_SOURCE_H

/* Where the bytes of a parameter file or a key come from while it is opened. */

#include <string.h>

#include "base/executor.h"
#include "base/file.h"
#include "srs/vk.h"

/** All is borrowed. */
typedef struct {
    const char *name;     /* in error texts */
    uint64_t n;           /* bytes in all */
    const uint8_t *bytes; /* n bytes in memory, or NULL: then they are in file */
    const file_t *file;
} srs_source_t;

/** to = the n bytes at offset, which are there. Errors as file_read_at(). */
static inline cuzk_status srs_source_read(const srs_source_t *source, void *to, size_t n,
                                          uint64_t offset, cuzk_error *err)
{
    if (source->bytes == NULL) return file_read_at(source->file, to, n, offset, err);
    memcpy(to, source->bytes + offset, n);
    return CUZK_OK;
}

/** Decodes the key at the start of the source and checks every point (flags, range, curve,
 *  subgroup, not the identity) in the order in which they stand; *used = the bytes it takes. The
 *  count of inputs is held against the source's length before memory is taken for it.
 *  CUZK_ERR_FORMAT names the part and index. Release with srs_vk_clear(), on success only. */
cuzk_status srs_vk_take(srs_vk_t *vk, uint64_t *used, const srs_source_t *source, strand_t *strand,
                        cuzk_error *err);

#endif

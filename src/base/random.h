/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_RANDOM_H
#define CUZK_BASE_RANDOM_H

/* Secrets: where they come from and how they go. */

#include <stddef.h>

#include "base/error.h"

/** Fills bytes[0 .. n-1] from the operating system; CUZK_ERR_IO when it gives none. */
cuzk_status random_bytes(void *bytes, size_t n, cuzk_error *err);

/** Zeroes memory in a way the compiler does not remove. */
void mem_wipe(void *bytes, size_t n);

/** Zeroes what the calls a function has made left on this thread's stack: copies in temporaries and
 *  saved registers, ours and those of libraries. For its last line after work on secrets; its own
 *  variables it wipes itself. Takes some microseconds. */
void mem_wipe_stack(void);

#endif

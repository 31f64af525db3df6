/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_MEMORY_H
#define CUZK_BASE_MEMORY_H

/* Memory that can be refused. Large arrays are page-aligned, zeroed, backed by huge pages where the
 * system gives them. */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** *out = n zeroed elements of `size` bytes, aligned to 64 bytes at least; what names the array
 *  in the error text. n * size may be 0. Release with big_free(). CUZK_ERR_MEMORY on refusal or
 *  overflow. */
cuzk_status big_alloc(void **out, size_t n, size_t size, const char *what, cuzk_error *err);

/** Releases what big_alloc gave for the same n and size; p may be NULL. */
void big_free(void *p, size_t n, size_t size);

/** Bytes that can still be had without swapping: what the system calls available, within the
 *  limits of the control group; UINT64_MAX when nothing says. */
uint64_t memory_available_bytes(void);

/** The lowest limit of the control groups; UINT64_MAX when they have none or nothing says. */
uint64_t memory_limit_bytes(void);

/** The machine's memory but for what is set aside as huge pages, within the limits of the control
 *  groups; UINT64_MAX when nothing says. */
uint64_t memory_total_bytes(void);

/** n zeroed elements of `size` bytes from malloc, for all that is not large; released with free().
 *  NULL, and *err set to CUZK_ERR_MEMORY, when the system has none or n * size overflows. n * size
 *  may be 0: then it is not NULL either. what names them in the error text. */
void *mem_alloc(size_t n, size_t size, const char *what, cuzk_error *err);

/** A copy of a string; as mem_alloc(). */
char *mem_copy_text(const char *text, const char *what, cuzk_error *err);

#endif

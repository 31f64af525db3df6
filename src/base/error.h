/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_ERROR_H
#define CUZK_BASE_ERROR_H

/* Error text. A function that can fail takes `cuzk_error *err` last, never NULL inside the
 * library, and ends in `return error_set(err, CUZK_ERR_..., "field: value, limit")`. */

#include "cuzk/status.h"

/** Fills *err and returns status. The text is cut to its size, and what a terminal would obey is
 *  spelled out (text_escape()): whatever it was made from, an error's text can be printed. */
cuzk_status error_set(cuzk_error *err, cuzk_status status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/** Puts "PREFIX: " before the text that is there; returns err->status. */
cuzk_status error_within(cuzk_error *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/** What a call of the public interface ends with: *to = *err when the caller gave one and it
 * failed; returns status. */
cuzk_status error_give(cuzk_error *to, cuzk_status status, const cuzk_error *err);

/** The exit code of a program that ends with this status: 0, 1, 2 or 3. */
int status_exit_code(cuzk_status status);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* What error_within() puts in front: room for what is looked at, as long as a path may be, and for
 * what is shown. */
enum { PREFIX_BYTES = 4200, PREFIX_SHOWN = 304 };

cuzk_status error_set(cuzk_error *err, cuzk_status status, const char *fmt, ...)
{
    char text[2 * sizeof err->text]; /* apart: the arguments may lie in *err */
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    (void)text_escape(err->text, sizeof err->text, text, strlen(text));
    err->status = status;
    return status;
}

cuzk_status error_within(cuzk_error *err, const char *fmt, ...)
{
    char prefix[PREFIX_BYTES], shown[PREFIX_SHOWN];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(prefix, sizeof prefix, fmt, args);
    va_end(args);
    return error_set(err, err->status, "%s: %s", text_shorten(shown, sizeof shown, prefix),
                     err->text);
}

cuzk_status error_give(cuzk_error *to, cuzk_status status, const cuzk_error *err)
{
    if (to != NULL && status != CUZK_OK) *to = *err;
    return status;
}

int status_exit_code(cuzk_status status)
{
    switch (status) {
    case CUZK_OK:
        return 0;
    case CUZK_INVALID_PROOF:
        return 1;
    case CUZK_ERR_ARG:
    case CUZK_ERR_FORMAT:
    case CUZK_ERR_MISSING:
    case CUZK_ERR_BUDGET:
        return 2;
    case CUZK_CANCELLED:
    case CUZK_ERR_BUSY:
    case CUZK_ERR_DEADLINE:
    case CUZK_ERR_MEMORY:
    case CUZK_ERR_IO:
    case CUZK_ERR_INTERNAL:
        break;
    }
    return 3;
}

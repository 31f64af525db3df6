/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_BAD_SECTORS_H
#define CUZK_CLI_BAD_SECTORS_H

/* What prove says of a window's bad sectors. */

#include <stdio.h>

#include "codec/json_write.h"
#include "cuzk/request.h"

/** "bad_sectors": a list of {"sector", "reason"}, a member of the object that is open. */
void bad_sectors_write(json_writer_t *w, const cuzk_result *result);

/** The same as an object of its own, on a line. */
void bad_sectors_print(FILE *out, const cuzk_result *result);

/** "cuzk prove: ..." on stderr, all on one line: that they, of the request's inputs, were left
 * out of the proof, or that they are why there is none. */
void bad_sectors_tell(const cuzk_result *result, const cuzk_request *request, bool left_out);

#endif

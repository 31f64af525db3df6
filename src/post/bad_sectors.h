/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POST_BAD_SECTORS_H
#define CUZK_POST_BAD_SECTORS_H

/* Which sectors of a PoSt are at fault, when its input has been refused. */

#include "cuzk/request.h"
#include "post/post_input.h"

/** *bad = the sectors whose vanilla proof is wrong in form or content, in the order of the list,
 *  each judged at its own position; released with free(). NULL and 0 when the fault is not in
 * single sectors: another field of the request, their number, an item too short to name its sector,
 * or numbers that don't rise. Costs as much as post_input_open() and post_input_check(), and twice
 *  that for bad ones. CUZK_ERR_MEMORY, or why the strand's work is to stop. */
cuzk_status post_find_bad(cuzk_bad_sector **bad, size_t *n_bad, const cuzk_post_statement *request,
                          const cuzk_bytes *items, size_t n, strand_t *strand, cuzk_error *err);

#endif

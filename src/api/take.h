/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_API_TAKE_H
#define CUZK_API_TAKE_H

/* What the parts of the public interface share. */

#include "engine/engine.h"

/** Makes the calling thread a strand of the engine, for a call that is not a job. End it with
 *  strand_end(). */
void call_begin(strand_t *strand, cuzk_engine *engine);

/** Copies text to a member of a public structure, cut to its size. */
void text_give(char *to, size_t size, const char *text);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CODEC_VANILLA_LIST_H
#define CUZK_CODEC_VANILLA_LIST_H

/* Vanilla proofs of PoSt and update as they are sent about: a JSON list of base64 strings. */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cuzk/statement.h"

/** The decoded items; they point into `bytes`. */
typedef struct {
    cuzk_bytes *items;
    size_t n;
    uint8_t *bytes;
    size_t room;
} vanilla_list_t;

/** Refuses a text that can't be such a list, by the kind of its content and its number of marks
 *  (json_marks.h), before anything is taken for it; nothing has to follow the text.
 *  CUZK_ERR_FORMAT. */
cuzk_status vanilla_list_check(const char *what, const uint8_t *text, size_t length, size_t max,
                               cuzk_error *err);

/** Reads 1 .. max items, none of them empty, from a JSON text (padded as json_read() wants it);
 *  `what` names it in errors. CUZK_ERR_FORMAT, CUZK_ERR_MEMORY. Release with vanilla_list_clear(),
 * which may also follow an error. */
cuzk_status vanilla_list_read(vanilla_list_t *list, const char *what, const uint8_t *text,
                              size_t length, size_t max, cuzk_error *err);

void vanilla_list_clear(vanilla_list_t *list);

#endif

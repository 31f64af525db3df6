/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CODEC_JSON_SHIM_H
#define CUZK_CODEC_JSON_SHIM_H

/* simdjson's on-demand parser as C functions; of use to json.c only. Those that can fail return
 * simdjson's text of what is wrong, NULL when nothing is. No exception is thrown or let through. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/json.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A value of the document; lives until the call that handed it out returns. */
typedef struct json_value json_value_t;

/** Each of these gets a value and goes on when it returns true. */
typedef bool (*json_shim_root_fn)(json_value_t *value, void *arg);
typedef bool (*json_shim_member_fn)(json_value_t *value, const char *name, size_t length,
                                    void *arg);
typedef bool (*json_shim_item_fn)(json_value_t *value, size_t index, void *arg);

/** Hands out the root, then checks that the document ends with it. *no_memory tells whether that
 *  was what failed. A visitor that returned false gives NULL. */
const char *json_shim_document(const uint8_t *text, size_t length, json_shim_root_fn visit,
                               void *arg, bool *no_memory);

/** Walks an object or an array to its end, or to the first visitor that returns false (NULL). */
const char *json_shim_members(json_value_t *value, json_shim_member_fn visit, void *arg);
const char *json_shim_items(json_value_t *value, json_shim_item_fn visit, void *arg);

json_type json_shim_type(json_value_t *value);

/** The text of a scalar, its quotes included and white space cut off; does not read it. */
const char *json_shim_token(json_value_t *value, size_t *length);

const char *json_shim_u64(json_value_t *value, uint64_t *number);
const char *json_shim_double(json_value_t *value, double *number);
const char *json_shim_string(json_value_t *value, const char **string, size_t *length);

/** Reads an array of integers 0 .. 255: *n is their count, or the place of the one at fault. Those
 *  past `room` are counted, not stored. */
const char *json_shim_bytes(json_value_t *value, uint8_t *bytes, size_t room, size_t *n);

#ifdef __cplusplus
}
#endif
#endif

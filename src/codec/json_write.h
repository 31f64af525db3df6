/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CODEC_JSON_WRITE_H
#define CUZK_CODEC_JSON_WRITE_H

/* Writing JSON. One value is written, mostly an object:
 *
 *     json_writer_t w;
 *     json_writer_init(&w, JSON_PRETTY);
 *     json_write_object(&w, NULL);
 *     json_write_u64(&w, "constraints", n);
 *     json_write_array(&w, "inputs");
 *     json_write_hex(&w, NULL, bytes, 32);
 *     json_write_end(&w);
 *     json_write_end(&w);
 *     puts(json_writer_text(&w));
 *     json_writer_clear(&w);
 *
 * `name` is the member's name within an object, NULL at the root and within an array. Names are
 * the program's own; strings may be any bytes: those that are not UTF-8 become U+FFFD. Memory is
 * of the order of the text. When it is refused the writer ignores all further calls, its text is
 * empty, and json_writer_failed() is true. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    JSON_ONE_LINE, /* no white space at all */
    JSON_PRETTY    /* two spaces a level, as serde_json's to_string_pretty */
} json_style;

enum { JSON_WRITE_MAX_DEPTH = 32 };

typedef struct {
    char *text; /* zero-terminated; NULL: memory was refused */
    size_t length, capacity;
    json_style style;
    unsigned depth;
    struct {
        char close; /* ']' or '}' */
        bool has_items;
    } open[JSON_WRITE_MAX_DEPTH];
} json_writer_t;

void json_writer_init(json_writer_t *w, json_style style);
void json_writer_clear(json_writer_t *w);

/** Whether memory was refused. */
bool json_writer_failed(const json_writer_t *w);

/** The text so far; complete when every object and array was ended. Valid until the next call. */
const char *json_writer_text(const json_writer_t *w);

/** Begin an object or array; json_write_end() ends the one begun last. */
void json_write_object(json_writer_t *w, const char *name);
void json_write_array(json_writer_t *w, const char *name);
void json_write_end(json_writer_t *w);

void json_write_string(json_writer_t *w, const char *name, const char *string);
void json_write_hex(json_writer_t *w, const char *name, const uint8_t *bytes, size_t n);
void json_write_u64(json_writer_t *w, const char *name, uint64_t value);

/** The fewest digits that read back as the same double; null for infinities and not-a-number. */
void json_write_double(json_writer_t *w, const char *name, double value);

void json_write_bool(json_writer_t *w, const char *name, bool value);
void json_write_null(json_writer_t *w, const char *name);

#endif

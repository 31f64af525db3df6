/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CODEC_JSON_H
#define CUZK_CODEC_JSON_H

/* Reading JSON from outside, in one walk over the text and straight into the caller's structures:
 * no tree is built. simdjson's on-demand parser does the work.
 *
 * A reader function reads one value by one call of a json_read_... function below, which for an
 * object or an array calls further reader functions in the order of the text. A value that is not
 * read is skipped. Example:
 *
 *     static cuzk_status read_comm_r(json_t *j, void *seal, cuzk_error *err)
 *     {
 *         return json_read_bytes(j, ((seal_t *)seal)->comm_r, 32, err);
 *     }
 *     static const json_field_t seal_fields[] = {{"comm_r", read_comm_r, JSON_REQUIRED}, ...};
 *     static cuzk_status read_seal(json_t *j, void *seal, cuzk_error *err)
 *     {
 *         return json_read_object(j, seal_fields, n_fields, seal, err);
 *     }
 *     status = json_read("c1.json", text, length, read_seal, &seal, err);
 *
 * All errors are CUZK_ERR_FORMAT and begin with the document's name and the path of the value:
 * "c1.json: vanilla_proofs[3][0].comm_d: 31 numbers, expected 32". Errors of the reader functions
 * themselves should go through json_error(), so that they do too.
 *
 * Strictness: UTF-8, string escapes and number forms as RFC 8259 has them; a key of a table given
 * twice is refused, and so are a zero byte in a name and anything after the document. Members that
 * no table names are ignored: of those only the balance of brackets and the form of strings is
 * checked. A text that is something else (empty, gzip, HTML, with a byte order mark) is named. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "codec/json_marks.h"

enum {
    JSON_PADDING = 64,   /* readable bytes the text needs after its end, the first of them zero */
    JSON_MAX_DEPTH = 32, /* objects and arrays within each other that are read */
    JSON_MAX_FIELDS = 64 /* members a table can name */
};

/** The place of one value in a document. */
typedef struct json json_t;

/** Reads the value at j into *out, which is whatever the caller handed on. */
typedef cuzk_status (*json_reader)(json_t *j, void *out, cuzk_error *err);

typedef enum {
    JSON_REQUIRED,
    JSON_OPTIONAL /* may be missing; its reader is then not called */
} json_need;

/** A member of an object. */
typedef struct {
    const char *name;
    json_reader read; /* gets the object's `out` */
    json_need need;
} json_field_t;

typedef enum {
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_STRING,
    JSON_NUMBER,
    JSON_BOOL,
    JSON_NULL,
    JSON_NOTHING /* not the start of any value: reading it gives an error */
} json_type;

/** Refuses a text that can't be a document, by its ends or by more marks than the limit; `what` is
 *  its name, and nothing has to follow it. CUZK_ERR_FORMAT. */
cuzk_status json_check_text(const char *what, const uint8_t *text, size_t length,
                            const json_marks_limit_t *limit, cuzk_error *err);

/** Reads a whole document, whose root must be an object or an array.
 *
 *  In: what    the document's name for error texts
 *      text    length bytes and JSON_PADDING more that are readable, the first of those zero (as
 *              file_read() gives); unchanged, and must outlive the strings taken from it
 *  Memory: 4 bytes a mark (json_marks.h) while it runs, and strings with escapes. A text of more
 *  marks than json_usual_marks() is refused. CUZK_ERR_MEMORY. */
cuzk_status json_read(const char *what, const uint8_t *text, size_t length, json_reader read,
                      void *out, cuzk_error *err);

/** What kind of value stands at j; does not read it. */
json_type json_peek(const json_t *j);

/** Reads an object: calls the reader of each member in fields[0 .. n-1], n <= JSON_MAX_FIELDS, in
 *  the order of the text. Refuses a missing required member and one that is given twice. */
cuzk_status json_read_object(json_t *j, const json_field_t *fields, size_t n, void *out,
                             cuzk_error *err);

/** Gets each member of an object in the order of the text; name[0 .. length-1] is unescaped and
 *  valid during the call. */
typedef cuzk_status (*json_member_reader)(json_t *j, const char *name, size_t length, void *out,
                                          cuzk_error *err);

/** Reads an object whose names are data, such as {"VariantName": {...}}. Repeated names are the
 *  reader's to refuse. */
cuzk_status json_read_members(json_t *j, json_member_reader read, void *out, cuzk_error *err);

/** Gets each item of an array in order. */
typedef cuzk_status (*json_item_reader)(json_t *j, size_t index, void *out, cuzk_error *err);

/** Reads an array of min to max items. The item readers see at most max of them. *n, where n is
 *  not NULL, is their count. */
cuzk_status json_read_array(json_t *j, json_item_reader read, void *out, size_t min, size_t max,
                            size_t *n, cuzk_error *err);

/** An integer 0 .. max in plain digits: no sign, point, exponent or quotes. */
cuzk_status json_read_u64(json_t *j, uint64_t *value, uint64_t max, cuzk_error *err);

/** Any number, as the nearest double. */
cuzk_status json_read_double(json_t *j, double *value, cuzk_error *err);

/** A string: (*string)[0 .. *length-1], not zero-terminated, with its escapes undone. It is a part
 *  of the text, or where there are escapes of the reader's memory: valid until json_read()
 *  returns. */
cuzk_status json_read_string(json_t *j, const char **string, size_t *length, cuzk_error *err);

/** A string of at most size - 1 bytes, copied and zero-terminated; a zero byte within is refused.
 */
cuzk_status json_copy_string(json_t *j, char *string, size_t size, cuzk_error *err);

/** A string of exactly 2n hex digits. */
cuzk_status json_read_hex(json_t *j, uint8_t *bytes, size_t n, cuzk_error *err);

/** An array of exactly n integers 0 .. 255: how serde writes byte arrays. */
cuzk_status json_read_bytes(json_t *j, uint8_t *bytes, size_t n, cuzk_error *err);

/** Fills *err with "document: path of j: TEXT", CUZK_ERR_FORMAT, and returns that. */
cuzk_status json_error(const json_t *j, cuzk_error *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif

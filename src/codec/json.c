/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/content.h"
#include "base/text.h"
#include "base/verify.h"
#include "codec/json_shim.h"

enum {
    NAME_SHOWN = 64,  /* bytes of a member's name that error texts show */
    FILE_SHOWN = 200, /* of a document's name */
    TOKEN_SHOWN = 24,
    PATH_BYTES = 400
};

/* One level of the walk; the levels above it lie on the stack of the callers. */
struct json {
    json_value_t *value;
    const json_t *parent; /* NULL at the root */
    const char *name;     /* of the document at the root, of the member in an object, else NULL */
    size_t name_length;
    size_t index; /* in an array */
    unsigned depth;
};

/* What a visitor of the shim carries: the level it walks and where its outcome goes. */
typedef struct {
    json_t *j;
    void *out;
    cuzk_error *err;
    cuzk_status status;
    union {
        json_reader root;
        json_member_reader member;
        json_item_reader item;
    } read;
    size_t max, n;
} json_walk_t;

/* ---- errors ---- */

/* Names are data, and may have zero bytes in them. */
static void append(char *path, size_t *used, const char *text, size_t n)
{
    *used += text_escape(path + *used, PATH_BYTES - *used, text, n);
}

static void append_step(char *path, size_t *used, const json_t *step)
{
    char index[32], document[FILE_SHOWN];

    if (step->parent == NULL) {
        (void)text_shorten(document, sizeof document, step->name);
        append(path, used, document, strlen(document));
        return;
    }
    if (step->name == NULL) {
        append(path, used, index, (size_t)snprintf(index, sizeof index, "[%zu]", step->index));
        return;
    }
    if (step->depth == 1)
        append(path, used, ": ", 2);
    else
        append(path, used, ".", 1);
    append(path, used, step->name, step->name_length < NAME_SHOWN ? step->name_length : NAME_SHOWN);
}

/* "c1.json: vanilla_proofs[3].comm_d" */
static void write_path(char path[PATH_BYTES], const json_t *j)
{
    const json_t *steps[JSON_MAX_DEPTH + 2];
    size_t n = 0, used = 0;

    for (; j != NULL; j = j->parent) steps[n++] = j;
    while (n-- > 0) append_step(path, &used, steps[n]);
    path[used] = '\0';
}

cuzk_status json_error(const json_t *j, cuzk_error *err, const char *fmt, ...)
{
    char path[PATH_BYTES];
    char text[sizeof err->text];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    write_path(path, j);
    return error_set(err, CUZK_ERR_FORMAT, "%s: %s", path, text);
}

static const char *type_name(json_type type)
{
    switch (type) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_NUMBER:
        return "a number";
    case JSON_BOOL:
        return "true or false";
    case JSON_NULL:
        return "null";
    case JSON_NOTHING:
        break;
    }
    return "no value";
}

json_type json_peek(const json_t *j)
{
    return json_shim_type(j->value);
}

static cuzk_status expect_type(const json_t *j, json_type want, cuzk_error *err)
{
    const json_type type = json_peek(j);

    if (type == want) return CUZK_OK;
    return json_error(j, err, "found %s, expected %s", type_name(type), type_name(want));
}

/* The scalar at fault, as it stands in the text. */
static cuzk_status refuse_token(const json_t *j, const char *expected, cuzk_error *err)
{
    size_t n;
    const char *token = json_shim_token(j->value, &n);

    return json_error(j, err, "%.*s%s is not %s", (int)(n < TOKEN_SHOWN ? n : TOKEN_SHOWN), token,
                      n < TOKEN_SHOWN ? "" : "...", expected);
}

/* ---- documents, objects and arrays ---- */

static bool visit_root(json_value_t *value, void *arg)
{
    json_walk_t *w = arg;

    w->j->value = value;
    w->status = w->read.root(w->j, w->out, w->err);
    return w->status == CUZK_OK;
}

/* Begins with a brace or bracket and ends with its partner: a text that was cut, or is something
 * else, is reported as such before its values look wrong. */
static cuzk_status check_ends(const uint8_t *text, size_t length, cuzk_error *err)
{
    const content_kind kind = content_recognize(text, length);
    size_t first = 0;

    if (kind != CONTENT_JSON && kind != CONTENT_UNKNOWN)
        return error_set(err, CUZK_ERR_FORMAT, "%s; expected JSON", content_text(kind));
    while (content_is_space(text[first])) first++; /* what is white space alone has its own name */
    if (text[first] != '{' && text[first] != '[')
        return error_set(err, CUZK_ERR_FORMAT,
                         "not valid JSON: it does not begin as an object or array does");
    if (kind == CONTENT_JSON) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT,
                     "not valid JSON: it begins with %c and does not end with its partner (the "
                     "file was cut?)",
                     text[first]);
}

cuzk_status json_check_text(const char *what, const uint8_t *text, size_t length,
                            const json_marks_limit_t *limit, cuzk_error *err)
{
    if (check_ends(text, length, err) == CUZK_OK &&
        json_check_marks(text, length, limit, err) == CUZK_OK)
        return CUZK_OK;
    return error_within(err, "%s", what);
}

/* The place of what is at fault is worth a second look at the text. */
static cuzk_status not_json(const json_t *root, const uint8_t *text, size_t length,
                            const char *fault, cuzk_error *err)
{
    for (size_t i = 0, n; i < length; i += n) {
        n = text_utf8_length(text + i, length - i);
        if (n == 0)
            return json_error(root, err, "not valid JSON: byte %zu is not of UTF-8 text", i);
    }
    return json_error(root, err, "not valid JSON: %s", fault);
}

cuzk_status json_read(const char *what, const uint8_t *text, size_t length, json_reader read,
                      void *out, cuzk_error *err)
{
    json_t root = {.name = what, .name_length = strlen(what)};
    json_walk_t w = {.j = &root, .out = out, .err = err, .read.root = read};
    bool no_memory;
    const char *fault;
    const json_marks_limit_t limit = {json_usual_marks(length),
                                      "5 in 8 bytes; real inputs have 4.5"};

    VERIFY(text[length] == 0);
    if (json_check_text(what, text, length, &limit, err) != CUZK_OK) return err->status;
    fault = json_shim_document(text, length, visit_root, &w, &no_memory);
    if (no_memory)
        return error_set(err, CUZK_ERR_MEMORY, "%s: no memory to read %zu bytes", what, length);
    return fault != NULL ? not_json(&root, text, length, fault, err) : w.status;
}

static json_t level_below(const json_t *parent, json_value_t *value)
{
    return (json_t){.value = value, .parent = parent, .depth = parent->depth + 1};
}

static bool visit_member(json_value_t *value, const char *name, size_t length, void *arg)
{
    json_walk_t *w = arg;
    json_t j = level_below(w->j, value);

    j.name = name;
    j.name_length = length;
    if (memchr(name, 0, length) != NULL) {
        w->status = json_error(&j, w->err, "a zero byte in a name");
        return false;
    }
    w->status = w->read.member(&j, name, length, w->out, w->err);
    return w->status == CUZK_OK;
}

static bool visit_item(json_value_t *value, size_t index, void *arg)
{
    json_walk_t *w = arg;
    json_t j = level_below(w->j, value);

    j.index = index;
    w->n = index + 1;
    if (index >= w->max) {
        w->status = json_error(w->j, w->err, "more than %zu items", w->max);
        return false;
    }
    w->status = w->read.item(&j, index, w->out, w->err);
    return w->status == CUZK_OK;
}

static cuzk_status enter(const json_t *j, json_type type, cuzk_error *err)
{
    if (j->depth >= JSON_MAX_DEPTH)
        return json_error(j, err, "more than %d levels of nesting", JSON_MAX_DEPTH);
    return expect_type(j, type, err);
}

cuzk_status json_read_members(json_t *j, json_member_reader read, void *out, cuzk_error *err)
{
    json_walk_t w = {.j = j, .out = out, .err = err, .read.member = read};
    const char *fault;

    if (enter(j, JSON_OBJECT, err) != CUZK_OK) return err->status;
    fault = json_shim_members(j->value, visit_member, &w);
    if (fault != NULL) return json_error(j, err, "not valid JSON: %s", fault);
    return w.status;
}

cuzk_status json_read_array(json_t *j, json_item_reader read, void *out, size_t min, size_t max,
                            size_t *n, cuzk_error *err)
{
    json_walk_t w = {.j = j, .out = out, .err = err, .read.item = read, .max = max};
    const char *fault;

    if (enter(j, JSON_ARRAY, err) != CUZK_OK) return err->status;
    fault = json_shim_items(j->value, visit_item, &w);
    if (fault != NULL) return json_error(j, err, "not valid JSON: %s", fault);
    if (w.status != CUZK_OK) return w.status;
    if (w.n < min) return json_error(j, err, "%zu items, expected at least %zu", w.n, min);
    if (n != NULL) *n = w.n;
    return CUZK_OK;
}

typedef struct {
    const json_field_t *fields;
    size_t n;
    void *out;
    bool seen[JSON_MAX_FIELDS];
} json_table_t;

static cuzk_status read_field(json_t *j, const char *name, size_t length, void *out,
                              cuzk_error *err)
{
    json_table_t *table = out;

    for (size_t i = 0; i < table->n; i++) {
        const json_field_t *field = &table->fields[i];

        if (strlen(field->name) != length || memcmp(field->name, name, length) != 0) continue;
        if (table->seen[i]) return json_error(j, err, "given twice");
        table->seen[i] = true;
        return field->read(j, table->out, err);
    }
    return CUZK_OK;
}

cuzk_status json_read_object(json_t *j, const json_field_t *fields, size_t n, void *out,
                             cuzk_error *err)
{
    json_table_t table = {.fields = fields, .n = n, .out = out};

    VERIFY(n <= JSON_MAX_FIELDS);
    if (json_read_members(j, read_field, &table, err) != CUZK_OK) return err->status;
    for (size_t i = 0; i < n; i++)
        if (!table.seen[i] && fields[i].need == JSON_REQUIRED)
            return json_error(j, err, "%s is missing", fields[i].name);
    return CUZK_OK;
}

/* ---- scalars ---- */

cuzk_status json_read_u64(json_t *j, uint64_t *value, uint64_t max, cuzk_error *err)
{
    char expected[64];
    uint64_t number = 0;

    if (expect_type(j, JSON_NUMBER, err) != CUZK_OK) return err->status;
    (void)snprintf(expected, sizeof expected, "an integer 0 .. %llu", (unsigned long long)max);
    if (json_shim_u64(j->value, &number) != NULL) return refuse_token(j, expected, err);
    if (number > max)
        return json_error(j, err, "%llu is not %s", (unsigned long long)number, expected);
    *value = number;
    return CUZK_OK;
}

cuzk_status json_read_double(json_t *j, double *value, cuzk_error *err)
{
    if (expect_type(j, JSON_NUMBER, err) != CUZK_OK) return err->status;
    if (json_shim_double(j->value, value) != NULL) return refuse_token(j, "a number", err);
    return CUZK_OK;
}

cuzk_status json_read_string(json_t *j, const char **string, size_t *length, cuzk_error *err)
{
    const char *fault;

    if (expect_type(j, JSON_STRING, err) != CUZK_OK) return err->status;
    fault = json_shim_string(j->value, string, length);
    if (fault != NULL) return json_error(j, err, "not a valid string: %s", fault);
    return CUZK_OK;
}

cuzk_status json_copy_string(json_t *j, char *string, size_t size, cuzk_error *err)
{
    const char *text;
    size_t n;

    if (json_read_string(j, &text, &n, err) != CUZK_OK) return err->status;
    if (n >= size) return json_error(j, err, "%zu bytes, limit %zu", n, size - 1);
    if (memchr(text, 0, n) != NULL) return json_error(j, err, "a zero byte in a string");
    memcpy(string, text, n);
    string[n] = '\0';
    return CUZK_OK;
}

cuzk_status json_read_hex(json_t *j, uint8_t *bytes, size_t n, cuzk_error *err)
{
    char fault[HEX_FAULT_ROOM];
    const char *text;
    size_t length;

    if (json_read_string(j, &text, &length, err) != CUZK_OK) return err->status;
    if (bytes_from_hex(bytes, n, text, length)) return CUZK_OK;
    return json_error(j, err, "%s", hex_fault(fault, text, length, n));
}

/* A list of numbers is expected where something else stands. */
static cuzk_status refuse_bytes(json_t *j, size_t n, cuzk_error *err)
{
    const json_type type = json_peek(j);
    const char *what = type_name(type), *text = "";
    size_t length = 0;

    if (type == JSON_STRING && json_read_string(j, &text, &length, err) != CUZK_OK)
        return err->status;
    const content_kind kind = content_recognize((const uint8_t *)text, length);
    if (kind == CONTENT_HEX || kind == CONTENT_HEX_0X || kind == CONTENT_BASE64)
        what = content_text(kind) + strlen("is ");
    return json_error(j, err, "found %s, expected an array of %zu numbers 0 .. 255", what, n);
}

cuzk_status json_read_bytes(json_t *j, uint8_t *bytes, size_t n, cuzk_error *err)
{
    const char *fault;
    size_t found;

    if (json_peek(j) != JSON_ARRAY) return refuse_bytes(j, n, err);
    fault = json_shim_bytes(j->value, bytes, n, &found);
    if (fault != NULL) return json_error(j, err, "[%zu]: %s", found, fault);
    if (found != n) return json_error(j, err, "%zu numbers, expected %zu", found, n);
    return CUZK_OK;
}

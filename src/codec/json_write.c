/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/json_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/text.h"
#include "base/verify.h"

enum { FIRST_CAPACITY = 1024 };

/* Room for n more characters and the zero byte; NULL when memory is refused. */
static char *reserve(json_writer_t *w, size_t n)
{
    if (w->text == NULL) return NULL;
    if (w->capacity - w->length <= n) {
        const size_t capacity = 2 * w->capacity + n + 1;
        char *text = realloc(w->text, capacity);

        if (text == NULL) {
            free(w->text);
            w->text = NULL;
            return NULL;
        }
        w->text = text;
        w->capacity = capacity;
    }
    return w->text + w->length;
}

static void put(json_writer_t *w, const char *text, size_t n)
{
    char *end = reserve(w, n);

    if (end == NULL) return;
    memcpy(end, text, n);
    w->length += n;
    w->text[w->length] = '\0';
}

void json_writer_init(json_writer_t *w, json_style style)
{
    memset(w, 0, sizeof *w);
    w->style = style;
    w->capacity = FIRST_CAPACITY;
    w->text = calloc(w->capacity, 1);
}

void json_writer_clear(json_writer_t *w)
{
    free(w->text);
    memset(w, 0, sizeof *w);
}

const char *json_writer_text(const json_writer_t *w)
{
    return w->text != NULL ? w->text : "";
}

bool json_writer_failed(const json_writer_t *w)
{
    return w->text == NULL;
}

static void put_new_line(json_writer_t *w)
{
    if (w->style == JSON_ONE_LINE) return;
    put(w, "\n", 1);
    for (unsigned i = 0; i < w->depth; i++) put(w, "  ", 2);
}

/* A character that readers or terminals obey in place of showing it. */
static void put_escaped(json_writer_t *w, uint32_t c)
{
    static const char named[] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
    char escape[16];

    if (c < sizeof named && named[c] != 0)
        put(w, (const char[]){'\\', named[c]}, 2);
    else if (c <= 0xffff)
        put(w, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", c));
    else
        put(w, escape,
            (size_t)snprintf(escape, sizeof escape, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10),
                             0xdc00 + (c & 0x3ff)));
}

static void put_quoted(json_writer_t *w, const char *string)
{
    const unsigned char *s = (const unsigned char *)string;
    size_t left = strlen(string);

    put(w, "\"", 1);
    while (left > 0) {
        size_t n = text_utf8_length(s, left);

        if (n == 0) {
            put(w, "\xef\xbf\xbd", 3);
            n = 1;
        } else if (text_is_obeyed(text_utf8_decode(s, n))) {
            put_escaped(w, text_utf8_decode(s, n));
        } else {
            if (*s == '"' || *s == '\\') put(w, "\\", 1);
            put(w, (const char *)s, n);
        }
        s += n;
        left -= n;
    }
    put(w, "\"", 1);
}

/* What stands before a value: a comma, the line's indent, the member's name. */
static void begin_value(json_writer_t *w, const char *name)
{
    if (w->depth == 0) {
        VERIFY(name == NULL && w->length == 0);
        return;
    }
    VERIFY((name != NULL) == (w->open[w->depth - 1].close == '}'));
    if (w->open[w->depth - 1].has_items) put(w, ",", 1);
    w->open[w->depth - 1].has_items = true;
    put_new_line(w);
    if (name == NULL) return;
    put_quoted(w, name);
    put(w, ": ", w->style == JSON_PRETTY ? 2 : 1);
}

static void begin_container(json_writer_t *w, const char *name, const char *open, char close)
{
    VERIFY(w->depth < JSON_WRITE_MAX_DEPTH);
    begin_value(w, name);
    put(w, open, 1);
    w->open[w->depth].close = close;
    w->open[w->depth].has_items = false;
    w->depth++;
}

void json_write_object(json_writer_t *w, const char *name)
{
    begin_container(w, name, "{", '}');
}

void json_write_array(json_writer_t *w, const char *name)
{
    begin_container(w, name, "[", ']');
}

void json_write_end(json_writer_t *w)
{
    VERIFY(w->depth > 0);
    w->depth--;
    if (w->open[w->depth].has_items) put_new_line(w);
    put(w, &w->open[w->depth].close, 1);
}

void json_write_string(json_writer_t *w, const char *name, const char *string)
{
    begin_value(w, name);
    put_quoted(w, string);
}

void json_write_hex(json_writer_t *w, const char *name, const uint8_t *bytes, size_t n)
{
    begin_value(w, name);
    put(w, "\"", 1);
    char *digits = reserve(w, 2 * n);
    if (digits == NULL) return;
    bytes_to_hex(digits, bytes, n);
    w->length += 2 * n;
    put(w, "\"", 1);
}

void json_write_u64(json_writer_t *w, const char *name, uint64_t value)
{
    char digits[24];

    begin_value(w, name);
    put(w, digits, (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)value));
}

void json_write_double(json_writer_t *w, const char *name, double value)
{
    char digits[40];
    int n = 0;

    if (!isfinite(value)) {
        json_write_null(w, name);
        return;
    }
    begin_value(w, name);
    for (int precision = 1; precision <= 17; precision++) {
        n = snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    put(w, digits, (size_t)n);
    if (strpbrk(digits, ".e") == NULL) put(w, ".0", 2);
}

void json_write_bool(json_writer_t *w, const char *name, bool value)
{
    begin_value(w, name);
    put(w, value ? "true" : "false", value ? 4 : 5);
}

void json_write_null(json_writer_t *w, const char *name)
{
    begin_value(w, name);
    put(w, "null", 4);
}

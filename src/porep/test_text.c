/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/test_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/base64.h"
#include "codec/json.h"

static void *take(size_t n)
{
    void *p = calloc(1, n);

    if (p == NULL) abort();
    return p;
}

char *text_copy(const char *text, size_t n)
{
    char *copy = take(n + JSON_PADDING);

    memcpy(copy, text, n);
    return copy;
}

char *text_replace(const char *text, const char *from, size_t n, const char *to)
{
    const char *at = strstr(text, from);
    char *out;

    while (at != NULL && n-- > 0) at = strstr(at + 1, from);
    if (at == NULL) abort();
    out = take(strlen(text) + strlen(to) + JSON_PADDING);
    memcpy(out, text, (size_t)(at - text));
    strcat(strcat(out, to), at + strlen(from));
    return out;
}

char *text_wrap(const char *inner, const char *number, const char *size)
{
    const size_t n = base64_length(strlen(inner));
    char *out = take(n + 256 + JSON_PADDING);
    size_t used = (size_t)sprintf(out, "{");

    if (number != NULL) used += (size_t)sprintf(out + used, "\"SectorNum\":%s,", number);
    used += (size_t)sprintf(out + used, "\"Phase1Out\":\"");
    base64_write(out + used, (const uint8_t *)inner, strlen(inner));
    used += n;
    used += (size_t)sprintf(out + used, "\"");
    if (size != NULL) used += (size_t)sprintf(out + used, ",\"SectorSize\":%s", size);
    (void)sprintf(out + used, "}");
    return out;
}

/* ---- disguises ---- */

typedef struct {
    const char *in;
    char *out;
} disguise_t;

static void put(disguise_t *d, const char *string)
{
    d->out = stpcpy(d->out, string);
}

/* Where the value at `in` ends. */
static const char *skip_value(const char *in)
{
    int depth = 0;

    do {
        if (*in == '"') {
            in = strchr(in + 1, '"');
        } else if (*in == '{' || *in == '[') {
            depth++;
        } else if (*in == '}' || *in == ']') {
            depth--;
        }
        in++;
    } while (depth > 0 || (*in != ',' && *in != '}' && *in != ']' && *in != ':' && *in != '\0'));
    return in;
}

static void disguise_value(disguise_t *d);

static void disguise_string(disguise_t *d)
{
    put(d, "\"");
    for (d->in++; *d->in != '"'; d->in++) {
        d->out += sprintf(d->out, "\\u%04x", (unsigned)(unsigned char)*d->in);
    }
    d->in++;
    put(d, "\"");
}

/* The members of the object at d->in, last one first. */
static void disguise_object(disguise_t *d)
{
    enum { MAX_MEMBERS = 16 };
    const char *members[MAX_MEMBERS];
    const char *at = d->in + 1;
    size_t n = 0;

    put(d, " {\n");
    while (*at != '}') {
        members[n++] = at;
        at = skip_value(skip_value(at) + 1); /* name, colon, value */
        if (*at == ',') at++;
    }
    while (n-- > 0) {
        d->in = members[n];
        disguise_string(d);
        put(d, " :\t");
        d->in++;
        disguise_value(d);
        put(d, n > 0 ? " ,\r\n" : "\n");
    }
    d->in = at + 1;
    put(d, " } ");
}

static void disguise_array(disguise_t *d)
{
    put(d, "[ ");
    for (d->in++; *d->in != ']';) {
        disguise_value(d);
        if (*d->in == ',') {
            d->in++;
            put(d, " , ");
        }
    }
    d->in++;
    put(d, " ]");
}

static void disguise_value(disguise_t *d)
{
    if (*d->in == '{') {
        disguise_object(d);
    } else if (*d->in == '[') {
        disguise_array(d);
    } else if (*d->in == '"') {
        disguise_string(d);
    } else {
        const char *end = skip_value(d->in);

        memcpy(d->out, d->in, (size_t)(end - d->in));
        d->out += end - d->in;
        d->in = end;
    }
}

char *text_disguise(const char *text)
{
    char *out = take(8 * strlen(text) + JSON_PADDING);
    disguise_t d = {text, out};

    disguise_value(&d);
    return out;
}

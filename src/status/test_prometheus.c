/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "status/test_prometheus.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool refuse(prometheus_t *p, const char *what, const char *line)
{
    (void)snprintf(p->why, sizeof p->why, "%s: %.300s", what, line);
    return false;
}

/* Characters of a name at s; with_colon: of a metric's, not of a label's. */
static size_t name_length(const char *s, bool with_colon)
{
    size_t n = 0;

    while (isalpha((unsigned char)s[n]) || s[n] == '_' || (with_colon && s[n] == ':') ||
           (n > 0 && isdigit((unsigned char)s[n])))
        n++;
    return n;
}

/* Bytes of a quoted value at s; 0: it is not well-formed. */
static size_t value_length(const char *s)
{
    size_t n = 1;

    if (*s != '"') return 0;
    while (s[n] != '"') {
        const size_t room = strlen(s + n);
        const size_t step = room == 0 ? 0 : text_utf8_length((const unsigned char *)s + n, room);

        if (step == 0 || s[n] == '\n') return 0;
        if (s[n] == '\\') {
            if (strchr("\\\"n", s[n + 1]) == NULL || s[n + 1] == '\0') return 0;
            n++;
        }
        n += step;
    }
    return n + 1;
}

/* Bytes of {name="value",...} at s; 0: not well-formed. */
static size_t labels_length(const char *s)
{
    size_t n = 1;

    for (;;) {
        const size_t name = name_length(s + n, false);
        size_t value;

        if (name == 0 || s[n + name] != '=') return 0;
        n += name + 1;
        value = value_length(s + n);
        if (value == 0) return 0;
        n += value;
        if (s[n] == '}') return n + 1;
        if (s[n] != ',') return 0;
        n++;
    }
}

/* Whether a sample of that name belongs to the family. */
static bool belongs(const prometheus_family_t *family, const char *name, size_t length)
{
    static const char *const suffixes[] = {"_sum", "_count", "_bucket"};
    const size_t stem = strlen(family->name);
    const bool is_histogram = strcmp(family->type, "histogram") == 0;

    if (length < stem || strncmp(name, family->name, stem) != 0) return false;
    if (!is_histogram && strcmp(family->type, "summary") != 0) return length == stem;
    for (size_t i = 0; i < (is_histogram ? 3 : 2); i++)
        if (length == stem + strlen(suffixes[i]) &&
            strncmp(name + stem, suffixes[i], length - stem) == 0)
            return true;
    return false;
}

static bool read_sample(prometheus_t *p, const char *line)
{
    const size_t name = name_length(line, true);
    const size_t labels = line[name] == '{' ? labels_length(line + name) : 0;
    const char *value = line + name + labels;
    prometheus_sample_t *sample = &p->samples[p->n_samples];
    char *end;

    if (name == 0 || (line[name] == '{' && labels == 0)) return refuse(p, "not a sample", line);
    if (p->n_families == 0 || !belongs(&p->families[p->n_families - 1], line, name))
        return refuse(p, "not of the family before it", line);
    if (name + labels >= sizeof sample->key || p->n_samples == PROMETHEUS_SAMPLES)
        return refuse(p, "too much", line);
    (void)snprintf(sample->key, sizeof sample->key, "%.*s", (int)(name + labels), line);
    if (isfinite(prometheus_value(p, sample->key))) return refuse(p, "twice", line);
    if (*value != ' ' || value[1] == ' ') return refuse(p, "one space stands before a value", line);
    sample->value = strtod(value + 1, &end);
    if (end == value + 1 || *end != '\0' || !isfinite(sample->value) || sample->value < 0)
        return refuse(p, "value", line);
    sample->name_length = name;
    p->n_samples++;
    return true;
}

static bool read_type(prometheus_t *p, const char *line)
{
    prometheus_family_t *family = &p->families[p->n_families - 1];
    const size_t name = strlen(family->name);

    if (strncmp(line, "# TYPE ", 7) != 0 || strncmp(line + 7, family->name, name) != 0 ||
        line[7 + name] != ' ')
        return refuse(p, "TYPE of the family is missing", line);
    (void)snprintf(family->type, sizeof family->type, "%s", line + 8 + name);
    for (size_t i = 0; i < 4; i++)
        if (strcmp(family->type,
                   ((const char *const[]){"counter", "gauge", "histogram", "summary"})[i]) == 0)
            return true;
    return refuse(p, "type", line);
}

static bool read_help(prometheus_t *p, const char *line)
{
    const size_t name = strncmp(line, "# HELP ", 7) == 0 ? name_length(line + 7, true) : 0;
    prometheus_family_t *family = &p->families[p->n_families];

    if (name == 0 || line[7 + name] != ' ' || line[8 + name] == '\0' ||
        strchr(line, '\\') != NULL || name >= sizeof family->name)
        return refuse(p, "neither HELP nor a sample", line);
    if (p->n_families == PROMETHEUS_FAMILIES) return refuse(p, "too many families", line);
    (void)snprintf(family->name, sizeof family->name, "%.*s", (int)name, line + 7);
    if (*prometheus_type(p, family->name) != '\0') return refuse(p, "a family twice", line);
    p->n_families++;
    return true;
}

/* The buckets of each histogram, which follow one another, rise to +Inf, the last one's value being
 * that of the count. */
static bool check_buckets(prometheus_t *p)
{
    double last_bound = -1, last_value = 0;

    for (size_t i = 0; i < p->n_samples; i++) {
        const prometheus_sample_t *sample = &p->samples[i];
        const char *bound = strstr(sample->key, ",le=\"");
        char name[400];

        if (bound == NULL) continue;
        if (strtod(bound + 5, NULL) <= last_bound || sample->value < last_value)
            return refuse(p, "bucket out of order", sample->key);
        last_bound = strtod(bound + 5, NULL);
        last_value = sample->value;
        if (!isinf(last_bound)) continue;
        (void)snprintf(name, sizeof name, "%.*s_count%.*s}",
                       (int)(sample->name_length - strlen("_bucket")), sample->key,
                       (int)(bound - sample->key - (ptrdiff_t)sample->name_length),
                       sample->key + sample->name_length);
        if (prometheus_value(p, name) != last_value)
            return refuse(p, "not the last bucket's value", name);
        last_bound = -1;
        last_value = 0;
    }
    return last_bound < 0 || refuse(p, "no bucket +Inf", "at the end");
}

bool prometheus_read(prometheus_t *p, const char *text)
{
    bool wants_type = false;

    p->n_samples = p->n_families = 0;
    *p->why = '\0';
    while (*text != '\0') {
        const char *end = strchr(text, '\n');
        char line[1024];

        if (end == NULL) return refuse(p, "no newline at its end", text);
        if ((size_t)(end - text) >= sizeof line) return refuse(p, "too long", text);
        (void)snprintf(line, sizeof line, "%.*s", (int)(end - text), text);
        text = end + 1;
        if (wants_type     ? !read_type(p, line)
            : *line == '#' ? !read_help(p, line)
                           : !read_sample(p, line))
            return false;
        wants_type = !wants_type && *line == '#';
    }
    if (wants_type) return refuse(p, "TYPE is missing", "at the end");
    return check_buckets(p);
}

double prometheus_value(const prometheus_t *p, const char *key)
{
    for (size_t i = 0; i < p->n_samples; i++)
        if (strcmp(p->samples[i].key, key) == 0) return p->samples[i].value;
    return NAN;
}

const char *prometheus_type(const prometheus_t *p, const char *name)
{
    for (size_t i = 0; i < p->n_families; i++)
        if (strcmp(p->families[i].name, name) == 0) return p->families[i].type;
    return "";
}

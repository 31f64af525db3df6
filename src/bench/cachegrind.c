/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/cachegrind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { MAX_EVENTS = 32, NAME_BYTES = 16, MAX_TEXT_BYTES = 1 << 30 };

typedef struct {
    char names[MAX_EVENTS][NAME_BYTES];
    uint64_t values[MAX_EVENTS];
    uint32_t n_names, n_values;
} summary_t;

static const struct {
    const char *name;
    const char *sum[3]; /* cachegrind's events that make it */
} rows[] = {
    {"instructions", {"Ir"}},          {"branches", {"Bc", "Bi"}},
    {"branch-misses", {"Bcm", "Bim"}}, {"data-references", {"Dr", "Dw"}},
    {"D1-misses", {"D1mr", "D1mw"}},   {"LL-misses", {"ILmr", "DLmr", "DLmw"}},
};

/* The rest of the line that begins with word, or NULL. */
static const char *find_line(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (; text != NULL; text = strchr(text, '\n')) {
        if (*text == '\n') text++;
        if (strncmp(text, word, length) == 0) return text + length;
    }
    return NULL;
}

static bool at_end(const char *at)
{
    return *at == '\n' || *at == '\0';
}

static bool read_names(summary_t *s, const char *at)
{
    for (;;) {
        at += strspn(at, " ");
        if (at_end(at)) return true;
        const size_t length = strcspn(at, " \n");
        if (s->n_names == MAX_EVENTS || length >= NAME_BYTES) return false;
        memcpy(s->names[s->n_names++], at, length);
        at += length;
    }
}

static bool read_values(summary_t *s, const char *at)
{
    for (;;) {
        char *end;

        at += strspn(at, " ");
        if (at_end(at)) return true;
        if (s->n_values == MAX_EVENTS || *at < '0' || *at > '9') return false;
        s->values[s->n_values++] = strtoull(at, &end, 10);
        at = end;
    }
}

/* -1: the simulation has no such event. */
static double value_of(const summary_t *s, const char *name)
{
    for (uint32_t i = 0; i < s->n_names; i++)
        if (strcmp(s->names[i], name) == 0) return (double)s->values[i];
    return -1;
}

cuzk_status cachegrind_parse(counters_t *counters, const char *text, cuzk_error *err)
{
    const char *names = find_line(text, "events:");
    const char *values = find_line(text, "summary:");
    summary_t s = {0};

    *counters = (counters_t){0};
    if (names == NULL || values == NULL || !read_names(&s, names) || !read_values(&s, values) ||
        s.n_names != s.n_values)
        return error_set(err, CUZK_ERR_FORMAT, "cachegrind: its file has not the known form");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        counter_value_t *v = &counters->values[counters->n_values++];

        *v = (counter_value_t){.name = rows[r].name, .share = 1};
        for (int i = 0; i < 3 && rows[r].sum[i] != NULL; i++) {
            const double part = value_of(&s, rows[r].sum[i]);

            if (part < 0)
                return error_set(err, CUZK_ERR_FORMAT, "cachegrind: no event %s in its file",
                                 rows[r].sum[i]);
            v->value += part;
        }
    }
    return CUZK_OK;
}

static cuzk_status simulate(counters_t *counters, const child_args_t *command, const char *variant,
                            const char *iterations, const char *folder, cuzk_error *err)
{
    char path[CHILD_PATH_BYTES + 16];
    char option[CHILD_PATH_BYTES + 64];
    char log[CHILD_PATH_BYTES + 64];
    uint8_t *text;
    size_t length;

    (void)snprintf(path, sizeof path, "%s/counts", folder);
    (void)snprintf(option, sizeof option, "--cachegrind-out-file=%s", path);
    (void)snprintf(log, sizeof log, "--log-file=%s/log", folder);
    const char *const before[] = {"valgrind",
                                  "--quiet",
                                  "--tool=cachegrind",
                                  "--cache-sim=yes",
                                  "--branch-sim=yes",
                                  "--I1=32768,8,64",
                                  "--D1=32768,8,64",
                                  "--LL=1048576,8,64",
                                  option,
                                  log};
    child_args_t args = {0};
    cuzk_status st = CUZK_OK;

    for (size_t i = 0; i < sizeof before / sizeof before[0] && st == CUZK_OK; i++)
        st = child_add(&args, before[i], err);
    for (uint32_t i = 0; i < command->n && st == CUZK_OK; i++)
        st = child_add(&args, command->args[i], err);
    if (st == CUZK_OK) st = child_add(&args, variant, err);
    if (st == CUZK_OK) st = child_add(&args, "--iterations", err);
    if (st == CUZK_OK) st = child_add(&args, iterations, err);
    if (st == CUZK_OK) st = child_run(&text, &length, &args, NULL, err);
    if (st != CUZK_OK) return st;
    free(text);
    st = file_read(&text, &length, path, MAX_TEXT_BYTES, err);
    if (st != CUZK_OK) return st;
    st = cachegrind_parse(counters, (const char *)text, err);
    free(text);
    return st;
}

cuzk_status cachegrind_measure(counters_t *counters, const child_args_t *command,
                               const char *const *variants, uint32_t n, cuzk_error *err)
{
    temporary_t folder;
    counters_t before;

    cuzk_status st = scratch_make(&folder, err);
    if (st == CUZK_OK) st = simulate(&before, command, variants[0], "0", folder.path, err);
    for (uint32_t i = 0; i < n && st == CUZK_OK; i++) {
        st = simulate(&counters[i], command, variants[i], "1", folder.path, err);
        if (st == CUZK_OK) counters_subtract(&counters[i], &before);
    }
    scratch_remove(&folder);
    return st;
}

cuzk_status cachegrind_check(cuzk_error *err)
{
    child_args_t args = {0};
    uint8_t *text;
    size_t length;

    cuzk_status st = child_add(&args, "valgrind", err);
    if (st == CUZK_OK) st = child_add(&args, "--version", err);
    if (st == CUZK_OK) st = child_run(&text, &length, &args, NULL, err);
    if (st == CUZK_OK) free(text);
    return st;
}

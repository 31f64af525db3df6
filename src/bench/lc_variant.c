/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/lc_variant.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/child.h"

/* What this program is built with. */
#ifndef CUZK_LC_STORAGE
#define CUZK_LC_STORAGE "arena"
#endif

static const struct {
    const char *name, *program;
} rows[] = {{"arena", "cuzk-bench"},
            {"vec", "cuzk-bench-vec"},
            {"inline1", "cuzk-bench-inline1"},
            {"inline2", "cuzk-bench-inline2"},
            {"inline4", "cuzk-bench-inline4"}};

enum { ROWS = sizeof rows / sizeof rows[0] };

/* Set for a program that was handed over to, which must not do so again. */
#define MARK "CUZK_BENCH_HANDED_OVER"

static bool has_it(int row)
{
    return strcmp(rows[row].name, CUZK_LC_STORAGE) == 0;
}

static cuzk_status find_row(int *row, const char *name, cuzk_error *err)
{
    for (*row = 0; *row < ROWS; (*row)++)
        if (name != NULL ? strcmp(name, rows[*row].name) == 0 : has_it(*row)) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG,
                     "--lc-storage: \"%s\" is none of arena, vec, inline1, inline2, inline4", name);
}

/* Where a row's program is: beside this one. */
static cuzk_status find_program(char path[CHILD_PATH_BYTES], int row, cuzk_error *err)
{
    const char *program = rows[row].program;

    const cuzk_status st = child_self(path, err);
    if (st != CUZK_OK) return st;
    char *name = strrchr(path, '/') + 1;
    if ((size_t)(path + CHILD_PATH_BYTES - name) <= strlen(program))
        return error_set(err, CUZK_ERR_ARG, "%s: the path of its folder is too long", program);
    memcpy(name, program, strlen(program) + 1);
    if (access(path, X_OK) == 0) return CUZK_OK;
    return error_set(err, CUZK_ERR_MISSING, "--lc-storage: its program %s: %s", path,
                     strerror(errno));
}

/* Returns on an error only. */
static cuzk_status become(int row, char **argv, cuzk_error *err)
{
    char path[CHILD_PATH_BYTES];
    char *words[CHILD_MAX_ARGS] = {path};

    const cuzk_status st = find_program(path, row, err);
    if (st != CUZK_OK) return st;
    if (getenv(MARK) != NULL)
        return error_set(err, CUZK_ERR_MISSING, "--lc-storage: %s was not built for it", path);
    for (int i = 0; argv[i] != NULL; i++) {
        if (i + 2 >= CHILD_MAX_ARGS)
            return error_set(err, CUZK_ERR_ARG, "command line: more than %d words", i);
        words[i + 1] = argv[i];
    }
    if (setenv(MARK, "1", 1) == 0) (void)execv(path, words);
    return error_set(err, CUZK_ERR_MISSING, "--lc-storage: its program %s: %s", path,
                     strerror(errno));
}

cuzk_status lc_variant_choose(const char *name, char **argv, cuzk_error *err)
{
    int row;

    const cuzk_status st = find_row(&row, name, err);
    if (st != CUZK_OK) return st;
    if (!has_it(row)) return become(row, argv, err);
    (void)unsetenv(MARK); /* for children of ours */
    return CUZK_OK;
}

cuzk_status lc_variant_check(const char *name, cuzk_error *err)
{
    char path[CHILD_PATH_BYTES];
    int row;

    const cuzk_status st = find_row(&row, name, err);
    if (st != CUZK_OK || has_it(row)) return st;
    return find_program(path, row, err);
}

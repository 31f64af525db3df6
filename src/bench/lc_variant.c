/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/lc_variant.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bench/child.h"
#include "r1cs/lc.h"

/* A program's own storage is the first that it has. */
static const struct {
    const char *name;
    unsigned inline_terms;
    lc_storage storage; /* of the other terms */
    const char *program;
} rows[] = {{"arena", 0, LC_ARENA, "cuzk-bench"},
            {"vec", 0, LC_VECTOR, "cuzk-bench"},
            {"inline1", 1, LC_VECTOR, "cuzk-bench-inline1"},
            {"inline2", 2, LC_VECTOR, "cuzk-bench-inline2"},
            {"inline4", 4, LC_VECTOR, "cuzk-bench-inline4"}};

enum { ROWS = sizeof rows / sizeof rows[0] };

/* Returns on an error only. */
static cuzk_status become(const char *program, char **argv, cuzk_error *err)
{
    char path[CHILD_PATH_BYTES];
    char *words[CHILD_MAX_ARGS] = {path};

    const cuzk_status st = child_self(path, err);
    if (st != CUZK_OK) return st;
    char *name = strrchr(path, '/') + 1;
    if ((size_t)(path + sizeof path - name) <= strlen(program))
        return error_set(err, CUZK_ERR_ARG, "%s: the path of its folder is too long", program);
    memcpy(name, program, strlen(program) + 1);
    for (int i = 0; argv[i] != NULL; i++) {
        if (i + 2 >= CHILD_MAX_ARGS)
            return error_set(err, CUZK_ERR_ARG, "command line: more than %d words", i);
        words[i + 1] = argv[i];
    }
    (void)execv(path, words);
    return error_set(err, CUZK_ERR_MISSING, "--lc-storage: its program %s: %s", path,
                     strerror(errno));
}

cuzk_status lc_variant_choose(const char *name, char **argv, cuzk_error *err)
{
    for (int i = 0; i < ROWS; i++) {
        const bool has_it = rows[i].inline_terms == LC_INLINE_TERMS;

        if (name != NULL ? strcmp(name, rows[i].name) != 0 : !has_it) continue;
        if (!has_it) return become(rows[i].program, argv, err);
        lc_set_storage(rows[i].storage);
        return CUZK_OK;
    }
    return error_set(err, CUZK_ERR_ARG,
                     "--lc-storage: \"%s\" is none of arena, vec, inline1, inline2, inline4", name);
}

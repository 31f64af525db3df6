/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/ab_program.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cpu.h"
#include "bench/build_info.h"

_Static_assert(CHILD_PATH_BYTES >= PATH_MAX, "realpath() writes up to PATH_MAX bytes");

/* What of a line comes after its first word or words; false when it begins otherwise. */
static bool take_line(char *out, size_t size, const char *line, const char *first)
{
    if (strncmp(line, first, strlen(first)) != 0) return false;
    line += strlen(first);
    (void)snprintf(out, size, "%.*s", (int)strcspn(line, "\n"), line);
    return out[0] != '\0';
}

bool ab_program_read_version(ab_program_t *program, const char *text)
{
    program->commit[0] = '\0';
    if (!take_line(program->version, sizeof program->version, text, "cuzk-bench ")) return false;
    for (const char *line = strchr(text, '\n'); line != NULL; line = strchr(line, '\n'))
        (void)take_line(program->commit, sizeof program->commit, ++line, "commit: ");
    return true;
}

static cuzk_status open_this(ab_program_t *program, cuzk_error *err)
{
    (void)snprintf(program->version, sizeof program->version, "%s (kernels: %s)", CUZK_VERSION,
                   cpu_level_name(cpu_level_used()));
    (void)snprintf(program->commit, sizeof program->commit, "%s", build_commit());
    return child_self(program->path, err);
}

static cuzk_status find_file(ab_program_t *program, const char *option, const char *path,
                             cuzk_error *err)
{
    struct stat status;

    if (realpath(path, program->path) == NULL || stat(program->path, &status) != 0)
        return error_set(err, CUZK_ERR_MISSING, "%s: program: %.300s: %s", option, path,
                         strerror(errno));
    if (!S_ISREG(status.st_mode))
        return error_set(err, CUZK_ERR_ARG, "%s: program: %.300s: is not a regular file", option,
                         path);
    if (access(program->path, X_OK) != 0)
        return error_set(err, CUZK_ERR_ARG, "%s: program: %.300s: is not executable", option, path);
    return CUZK_OK;
}

static cuzk_status ask_version(ab_program_t *program, const char *option, const char *path,
                               cuzk_error *err)
{
    child_args_t args = {.args = {program->path, "--version"}, .n = 2};
    cuzk_error reason;
    size_t length;
    uint8_t *text;

    if (child_run(&text, &length, &args, NULL, &reason) != CUZK_OK)
        return error_set(err, CUZK_ERR_ARG,
                         "%s: program: %.200s: does not tell its --version: %.200s", option, path,
                         reason.text);
    const bool is_one = ab_program_read_version(program, (const char *)text);
    free(text);
    if (is_one) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG,
                     "%s: program: %.300s: is not a cuzk-bench, by its --version", option, path);
}

cuzk_status ab_program_open(ab_program_t *program, const char *option, const char *path,
                            cuzk_error *err)
{
    *program = (ab_program_t){.is_other = path != NULL};
    if (path == NULL) return open_this(program, err);
    const cuzk_status st = find_file(program, option, path, err);
    return st == CUZK_OK ? ask_version(program, option, path, err) : st;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/child.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/interrupt.h"

enum {
    SPARE_BYTES = 64,
    FIRST_CAPACITY = 1 << 16,
    MAX_OUTPUT_BYTES = 1 << 28,
    EXIT_REFUSED = 2,
    EXIT_NO_PROGRAM = 127
};

cuzk_status child_add(child_args_t *args, const char *text, cuzk_error *err)
{
    if (args->n + 1 >= CHILD_MAX_ARGS)
        return error_set(err, CUZK_ERR_ARG, "command line: more than %d words", CHILD_MAX_ARGS - 1);
    args->args[args->n++] = text;
    args->args[args->n] = NULL;
    return CUZK_OK;
}

cuzk_status child_self(char path[CHILD_PATH_BYTES], cuzk_error *err)
{
    const ssize_t n = readlink("/proc/self/exe", path, CHILD_PATH_BYTES - 1);

    if (n < 0) return error_set(err, CUZK_ERR_IO, "/proc/self/exe: %s", strerror(errno));
    path[n] = '\0';
    return CUZK_OK;
}

static void become(const child_args_t *args, const char *set, int out)
{
    char *words[CHILD_MAX_ARGS] = {NULL};
    bool refused = false;

    (void)prctl(PR_SET_PDEATHSIG, SIGTERM); /* it does not outlive us, and cleans up */
    for (uint32_t i = 0; i < args->n; i++) {
        words[i] = strdup(args->args[i]);
        refused |= words[i] == NULL;
    }
    char *variable = set != NULL ? strdup(set) : NULL;
    refused |= set != NULL && (variable == NULL || putenv(variable) != 0);
    if (refused || dup2(out, STDOUT_FILENO) < 0) _exit(EXIT_NO_PROGRAM);
    (void)execvp(words[0], words);
    _exit(EXIT_NO_PROGRAM);
}

/* Up to MAX_OUTPUT_BYTES, or until a signal; *out is NULL after an error. */
static cuzk_status read_all(uint8_t **out, size_t *length, int fd, const char *program,
                            cuzk_error *err)
{
    size_t capacity = 0;
    size_t n = 0;

    *out = NULL;
    for (;;) {
        if (n == capacity) {
            capacity = capacity == 0 ? FIRST_CAPACITY : 2 * capacity;
            uint8_t *larger =
                capacity > MAX_OUTPUT_BYTES ? NULL : realloc(*out, capacity + SPARE_BYTES);

            if (larger == NULL) break;
            *out = larger;
        }
        const ssize_t got = read(fd, *out + n, capacity - n);
        if (got < 0 && errno == EINTR) {
            if (!cancel_is_set(interrupt_token())) continue;
            free(*out);
            *out = NULL;
            return cancel_status(interrupt_token(), err);
        }
        if (got <= 0) {
            memset(*out + n, 0, SPARE_BYTES);
            *length = n;
            return CUZK_OK;
        }
        n += (size_t)got;
    }
    free(*out);
    *out = NULL;
    return error_set(err, CUZK_ERR_MEMORY, "%s: no memory for its output, or that is over %d MiB",
                     program, MAX_OUTPUT_BYTES >> 20);
}

static cuzk_status judge(int end, const char *program, cuzk_error *err)
{
    const int code = WIFEXITED(end) ? WEXITSTATUS(end) : -1;

    if (code == 0) return CUZK_OK;
    if (code == EXIT_NO_PROGRAM)
        return error_set(err, CUZK_ERR_MISSING, "%s: cannot be run (is it installed?)", program);
    if (code < 0)
        return error_set(err, CUZK_ERR_INTERNAL, "%s: ended by signal %d", program,
                         WIFSIGNALED(end) ? WTERMSIG(end) : 0);
    return error_set(err, code == EXIT_REFUSED ? CUZK_ERR_ARG : CUZK_ERR_INTERNAL,
                     "%s: ended with exit code %d", program, code);
}

cuzk_status child_run(uint8_t **out, size_t *length, const child_args_t *args, const char *set,
                      cuzk_error *err)
{
    int ends[2];
    int end = 0;

    if (pipe(ends) != 0) return error_set(err, CUZK_ERR_IO, "pipe: %s", strerror(errno));
    (void)fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        (void)close(ends[0]);
        become(args, set, ends[1]);
    }
    (void)close(ends[1]);
    if (pid < 0) {
        (void)close(ends[0]);
        return error_set(err, CUZK_ERR_IO, "fork: %s", strerror(errno));
    }
    cuzk_status st = read_all(out, length, ends[0], args->args[0], err);
    (void)close(ends[0]); /* ends a program that has more to say */
    if (st == CUZK_CANCELLED) (void)kill(pid, SIGTERM);
    while (waitpid(pid, &end, 0) < 0 && errno == EINTR) continue;
    if (st == CUZK_OK) st = judge(end, args->args[0], err);
    if (st != CUZK_OK) {
        free(*out);
        *out = NULL;
    }
    return st;
}

cuzk_status scratch_make(temporary_t *folder, cuzk_error *err)
{
    const char *given = getenv("TMPDIR");
    const char *tmp = given != NULL && *given != '\0' ? given : "/tmp";
    char prefix[CHILD_PATH_BYTES - TEMPORARY_RANDOM];
    const int n = snprintf(prefix, sizeof prefix, "%s/cuzk-bench-", tmp);

    *folder = (temporary_t){.fd = -1};
    interrupt_begin(NULL, NULL);
    const int error =
        n < 0 || (size_t)n >= sizeof prefix ? ENAMETOOLONG : temporary_make(folder, prefix, true);
    if (error == 0) return CUZK_OK;
    interrupt_end();
    return error_set(err, CUZK_ERR_ARG, "TMPDIR: no folder can be made in %.400s: %s", tmp,
                     strerror(error));
}

void scratch_remove(temporary_t *folder)
{
    if (folder->path == NULL) return;
    temporary_remove(folder);
    interrupt_end();
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

void streams_begin(void)
{
    (void)signal(SIGPIPE, SIG_DFL); /* whoever stops reading ends us without a word */
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of the write */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
        (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* the lowest free: fd */
    }
}

int streams_end(const char *program, int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && ferror(stdout) == 0) return code;
    if (code != 0) return code;
    (void)fprintf(stderr, "%s: standard output: not all could be written%s%s\n", program,
                  errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
    return status_exit_code(CUZK_ERR_IO);
}

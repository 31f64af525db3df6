/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_STREAMS_H
#define CUZK_CLI_STREAMS_H

/* The standard streams of a program, and the signals that come of writing. */

/** To be called first: where standard input, output or error is closed, its number is taken, so
 * that no file that is opened later gets what is meant for the stream; using the stream still
 * fails. A reader of standard output that goes away ends the program quietly (SIGPIPE), whatever
 * the signal did in the parent; a limit on file sizes makes writes fail (SIGXFSZ is ignored). */
void streams_begin(void);

/** To be called last: the exit code, or 3 with a message when not all of standard output could be
 *  written and code is 0. */
int streams_end(const char *program, int code);

#endif

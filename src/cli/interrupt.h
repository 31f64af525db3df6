/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_INTERRUPT_H
#define CUZK_CLI_INTERRUPT_H

/* The signals that ask a program to end, for the time in which it has something to clean up.
 * Elsewhere they do what they always do. For the one thread that runs the program. */

#include "base/cancel.h"

/** From now on SIGINT, SIGTERM and SIGHUP (unless it is ignored, as by nohup) set the token and
 *  call notify (may be NULL; from a signal handler, so it does no more than such a one may); and
 *  SIGPIPE is ignored, so that progress nobody reads does not end the work. Within another pair of
 *  these two it changes nothing. */
void interrupt_begin(void (*notify)(void *arg), void *arg);

/** The signals have their former effect again. Harmless when interrupt_begin() was not called. */
void interrupt_end(void);

/** Set once a signal has come. */
const cancel_t *interrupt_token(void);

#endif

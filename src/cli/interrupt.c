/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

static struct sigaction before[NUMBERS];
static int depth;
static void (*volatile on_signal)(void *arg);
static void *volatile on_signal_arg;
static cancel_t token = {.deadline_ns = UINT64_MAX};

static void note_signal(int unused)
{
    (void)unused;
    cancel_request(&token);
    if (on_signal != NULL) on_signal(on_signal_arg);
}

void interrupt_begin(void (*notify)(void *arg), void *arg)
{
    struct sigaction action;

    if (depth++ > 0) return;
    on_signal_arg = arg;
    on_signal = notify;
    for (int i = 0; i < NUMBERS; i++) {
        memset(&action, 0, sizeof action);
        action.sa_handler = numbers[i] == SIGPIPE ? SIG_IGN : note_signal;
        (void)sigaction(numbers[i], NULL, &before[i]);
        if (numbers[i] == SIGHUP && before[i].sa_handler == SIG_IGN) continue;
        (void)sigaction(numbers[i], &action, NULL);
    }
}

void interrupt_end(void)
{
    if (depth == 0 || --depth > 0) return;
    for (int i = 0; i < NUMBERS; i++) (void)sigaction(numbers[i], &before[i], NULL);
    on_signal = NULL;
}

const cancel_t *interrupt_token(void)
{
    return &token;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_AB_CONFIG_H
#define CUZK_BENCH_AB_CONFIG_H

/* The sides of an A/B measurement: KEY=VALUE,..., each key a variant that one of the measured
 * commands can switch. */

#include "bench/child.h"

typedef enum { AB_SYNTH = 1, AB_KERNELS = 2, AB_PROVE = 4 } ab_subject;

enum { AB_MAX_KEYS = 16, AB_CONFIG_BYTES = 4096 + 256 };

typedef struct {
    char text[AB_CONFIG_BYTES];      /* as given */
    char words[2 * AB_CONFIG_BYTES]; /* what args and environment point into */
    const char *args[AB_MAX_KEYS];   /* "--threads=2" */
    uint32_t n_args;
    const char *environment; /* "CUZK_KERNELS=portable", or NULL */
    const char *program;     /* the path of another cuzk-bench, or NULL: this one */
} ab_config_t;

enum { AB_MIN_THREADS = 1, AB_MAX_THREADS = 1024 };

/** The command a word names, or CUZK_ERR_ARG with those there are. */
cuzk_status ab_subject_parse(ab_subject *subject, const char *word, cuzk_error *err);

/** Reads a side; "default" is the side that changes nothing. The value of program, a path, goes on
 *  to the end of the text, commas and all, so that key is the last one. option is what the text was
 * given with ("--a"). CUZK_ERR_ARG names the key or value and what there is in its place. *config
 * must stay where it is. */
cuzk_status ab_config_parse(ab_config_t *config, const char *option, const char *text,
                            ab_subject subject, cuzk_error *err);

/** CUZK_ERR_ARG when the measured command's words have one of a side's options, too. */
cuzk_status ab_config_check(const ab_config_t *config, const char *option,
                            const child_args_t *command, cuzk_error *err);

/** Prints the commands, and the keys with their values and commands, a line each. */
void ab_config_print_keys(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_OPTIONS_OPTIONS_H
#define CUZK_OPTIONS_OPTIONS_H

/* Command lines from tables: one row gives an option its parsing, its bounds and its line of
 * --help. Shared by cuzk and cuzk-bench. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef enum {
    OPTION_FLAG,   /* bool: no argument */
    OPTION_TEXT,   /* const char * */
    OPTION_TEXTS,  /* option_texts_t: may be given more than once */
    OPTION_U32,    /* option_u32_t */
    OPTION_U64,    /* option_u64_t */
    OPTION_CHOICE, /* option_choice_t: a word of the row's argument, which is "one|another|..." */
    OPTION_WORD,   /* const char *: likewise a word of the argument */
    OPTION_SIZE,   /* option_u64_t: bytes, as quantity_bytes() takes them */
    OPTION_BYTES32 /* option_bytes32_t: 64 hex digits, 0x allowed before them */
} option_type;

typedef struct {
    uint64_t value;
    bool given;
} option_u64_t;

typedef struct {
    uint32_t value;
    bool given;
} option_u32_t;

typedef struct {
    uint32_t value; /* which word, from 0 on; 0 when not given: the first is the default */
    bool given;
} option_choice_t;

typedef struct {
    uint8_t bytes[32];
    bool given;
} option_bytes32_t;

enum { OPTIONS_MAX_TEXTS = 1 << 16 };

/** Arguments of a repeated option, in order; the array is released with options_clear(). */
typedef struct {
    const char **items;
    uint32_t n;
} option_texts_t;

/** One option. offset is that of its field, of the type's kind, in the command's structure. */
typedef struct {
    const char *name;     /* "--threads", or "-o" */
    const char *argument; /* "N", NULL for a flag; the words of a choice */
    const char *help;     /* one line */
    size_t offset;
    uint64_t min, max; /* bounds of the integer types */
    option_type type;
} option_row_t;

/** A command: its name, what it does, and its options. */
typedef struct {
    const char *name;
    const char *summary;   /* one line */
    const char *arguments; /* what stands before the options, such as "KIND" */
    uint32_t n_arguments;  /* how many words that is */
    uint32_t n_optional;   /* how many more there may be */
    const char *words;     /* what the first may be, "one|another|..."; NULL: anything */
    const option_row_t *rows;
    size_t n_rows;
    const char *notes;                 /* further help, or NULL */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit code */
} options_command_t;

/** Fills the structure at `options` from argv[1 ..]; words that are not options go to words[],
 *  command->n_arguments of them and up to n_optional more (NULL where there are fewer). An option
 * may be written --name=value. Given twice, an option that is not repeatable is refused. Text
 * points into argv. CUZK_ERR_ARG names the option, the value and the limit; CUZK_ERR_MEMORY. *help
 * is set, and nothing else looked at, when --help is among them. options_clear() releases what
 * there is, also after an error. */
cuzk_status options_parse(const options_command_t *command, void *options, const char **words,
                          bool *help, int argc, char **argv, cuzk_error *err);

/** Whether a word of a command line is the option of that name, alone or as NAME=VALUE. */
bool option_is(const char *word, const char *name);

/** Releases lists. */
void options_clear(const options_command_t *command, void *options);

/** The length of the first word of "one|another|..."; *list moves on to the next word, or becomes
 *  NULL after the last. */
size_t option_next_word(const char **list);

/** Whether the row's argument is a list of words. */
bool option_has_words(const option_row_t *row);

/** Prints the command's --help to standard output. A program without commands has one of its own
 *  name. */
void options_print_help(const char *program, const options_command_t *command);

/** Unsigned decimal text of at most max; false for anything else. */
bool option_parse_u64(uint64_t *value, const char *text, uint64_t max);

#endif

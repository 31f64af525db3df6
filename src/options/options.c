/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "options/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/content.h"
#include "base/memory.h"
#include "base/quantity.h"

enum { HELP_COLUMN = 28 };

bool option_parse_u64(uint64_t *value, const char *text, uint64_t max)
{
    uint64_t v = 0;

    if (*text == '\0') return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') return false;
        if (__builtin_mul_overflow(v, 10u, &v)) return false;
        if (__builtin_add_overflow(v, (uint64_t)(*text - '0'), &v)) return false;
    }
    *value = v;
    return v <= max;
}

bool option_is(const char *word, const char *name)
{
    const size_t length = strlen(name);

    return strncmp(word, name, length) == 0 && (word[length] == '\0' || word[length] == '=');
}

static const option_row_t *find_row(const options_command_t *command, const char *name,
                                    size_t length)
{
    for (size_t i = 0; i < command->n_rows; i++) {
        const option_row_t *row = &command->rows[i];

        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0) return row;
    }
    return NULL;
}

static cuzk_status given_twice(const option_row_t *row, cuzk_error *err)
{
    return error_set(err, CUZK_ERR_ARG, "%s: given twice", row->name);
}

static cuzk_status set_number(const option_row_t *row, void *field, const char *text,
                              cuzk_error *err)
{
    uint64_t v;

    if (!option_parse_u64(&v, text, row->max) || v < row->min)
        return error_set(err, CUZK_ERR_ARG, "%s: \"%s\" is not a whole number from %llu to %llu",
                         row->name, text, (unsigned long long)row->min,
                         (unsigned long long)row->max);
    if (row->type == OPTION_U64) {
        option_u64_t *number = field;

        if (number->given) return given_twice(row, err);
        *number = (option_u64_t){.value = v, .given = true};
    } else {
        option_u32_t *number = field;

        if (number->given) return given_twice(row, err);
        *number = (option_u32_t){.value = (uint32_t)v, .given = true};
    }
    return CUZK_OK;
}

static cuzk_status set_size(const option_row_t *row, option_u64_t *field, const char *text,
                            cuzk_error *err)
{
    if (field->given) return given_twice(row, err);
    if (!quantity_bytes(&field->value, text, strlen(text)) || field->value == 0)
        return error_set(err, CUZK_ERR_ARG,
                         "%s: \"%s\" is not a size: a number of bytes, KiB, MiB, GiB or TiB",
                         row->name, text);
    field->given = true;
    return CUZK_OK;
}

size_t option_next_word(const char **list)
{
    const size_t length = strcspn(*list, "|");

    *list = (*list)[length] == '\0' ? NULL : *list + length + 1;
    return length;
}

bool option_has_words(const option_row_t *row)
{
    return row->type == OPTION_CHOICE || row->type == OPTION_WORD;
}

/* *index = which word of the row's argument the text is. */
static cuzk_status find_word(uint32_t *index, const option_row_t *row, const char *text,
                             cuzk_error *err)
{
    char all[256];
    size_t used = 0;
    const char *rest = row->argument;

    for (*index = 0; rest != NULL; ++*index) {
        const char *word = rest;
        const size_t length = option_next_word(&rest);

        if (strlen(text) == length && memcmp(text, word, length) == 0) return CUZK_OK;
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%.*s", *index > 0 ? ", " : "",
                                 (int)length, word);
        if (used >= sizeof all) used = sizeof all - 1;
    }
    return error_set(err, CUZK_ERR_ARG, "%s: \"%s\" is none of %s", row->name, text, all);
}

static cuzk_status set_choice(const option_row_t *row, option_choice_t *field, const char *text,
                              cuzk_error *err)
{
    if (field->given) return given_twice(row, err);
    field->given = true;
    return find_word(&field->value, row, text, err);
}

static cuzk_status set_text(const option_row_t *row, const char **field, const char *text,
                            cuzk_error *err)
{
    uint32_t unused;

    if (*field != NULL) return given_twice(row, err);
    if (*text == '\0') return error_set(err, CUZK_ERR_ARG, "%s: is empty", row->name);
    *field = text;
    return row->type == OPTION_WORD ? find_word(&unused, row, text, err) : CUZK_OK;
}

static cuzk_status set_bytes32(const option_row_t *row, option_bytes32_t *field, const char *text,
                               cuzk_error *err)
{
    const char *digits = strncmp(text, "0x", 2) == 0 ? text + 2 : text;

    if (field->given) return given_twice(row, err);
    if (!bytes_from_hex(field->bytes, sizeof field->bytes, digits, strlen(digits))) {
        char fault[HEX_FAULT_ROOM];

        return error_set(err, CUZK_ERR_ARG, "%s: %s", row->name,
                         hex_fault(fault, digits, strlen(digits), sizeof field->bytes));
    }
    field->given = true;
    return CUZK_OK;
}

static cuzk_status add_text(const option_row_t *row, option_texts_t *list, const char *text,
                            cuzk_error *err)
{
    if (list->n == OPTIONS_MAX_TEXTS)
        return error_set(err, CUZK_ERR_ARG, "%s: given more than %d times", row->name,
                         OPTIONS_MAX_TEXTS);
    if ((list->n & (list->n - 1)) == 0) { /* full at every power of two */
        const char **items =
            mem_alloc(list->n == 0 ? 1 : (size_t)2 * list->n, sizeof *items, row->name, err);

        if (items == NULL) return CUZK_ERR_MEMORY;
        if (list->n > 0) memcpy(items, list->items, list->n * sizeof *items);
        free(list->items);
        list->items = items;
    }
    list->items[list->n++] = text;
    return CUZK_OK;
}

static cuzk_status set_option(const option_row_t *row, void *options, const char *text,
                              cuzk_error *err)
{
    void *field = (char *)options + row->offset;

    switch (row->type) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return CUZK_OK;
    case OPTION_TEXTS:
        return add_text(row, field, text, err);
    case OPTION_U32:
    case OPTION_U64:
        return set_number(row, field, text, err);
    case OPTION_CHOICE:
        return set_choice(row, field, text, err);
    case OPTION_SIZE:
        return set_size(row, field, text, err);
    case OPTION_BYTES32:
        return set_bytes32(row, field, text, err);
    case OPTION_TEXT:
    case OPTION_WORD:
        break;
    }
    return set_text(row, field, text, err);
}

/* Takes the option at argv[*i], and its argument from there or the next word. */
static cuzk_status take_option(const options_command_t *command, void *options, int *i, int argc,
                               char **argv, cuzk_error *err)
{
    const char *word = argv[*i];
    const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const option_row_t *row = find_row(command, word, length);
    const char *text = NULL;

    if (row == NULL)
        return error_set(err, CUZK_ERR_ARG, "%.*s: unknown option (see %s --help)", (int)length,
                         word, command->name);
    if (row->type == OPTION_FLAG) {
        if (equals != NULL) return error_set(err, CUZK_ERR_ARG, "%s: takes no argument", row->name);
    } else if (equals != NULL) {
        text = equals + 1;
    } else if (*i + 1 < argc) {
        text = argv[++*i];
    } else {
        return error_set(err, CUZK_ERR_ARG, "%s: wants an argument, %s", row->name, row->argument);
    }
    return set_option(row, options, text, err);
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    return false;
}

cuzk_status options_parse(const options_command_t *command, void *options, const char **words,
                          bool *help, int argc, char **argv, cuzk_error *err)
{
    const uint32_t most = command->n_arguments + command->n_optional;
    uint32_t n_words = 0;

    for (uint32_t i = 0; i < most; i++) words[i] = NULL;
    *help = asks_for_help(argc, argv);
    if (*help) return CUZK_OK;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1] != '\0') {
            const cuzk_status st = take_option(command, options, &i, argc, argv, err);

            if (st != CUZK_OK) return st;
        } else if (n_words == most) {
            return error_set(err, CUZK_ERR_ARG, "\"%s\": one word too many (see %s --help)",
                             argv[i], command->name);
        } else {
            words[n_words++] = argv[i];
        }
    }
    if (n_words < command->n_arguments)
        return error_set(err, CUZK_ERR_ARG, "%s: wants %s (see %s --help)", command->name,
                         command->arguments, command->name);
    return CUZK_OK;
}

void options_clear(const options_command_t *command, void *options)
{
    for (size_t i = 0; i < command->n_rows; i++) {
        if (command->rows[i].type != OPTION_TEXTS) continue;
        option_texts_t *list = (option_texts_t *)((char *)options + command->rows[i].offset);
        free(list->items);
        *list = (option_texts_t){0};
    }
}

void options_print_help(const char *program, const options_command_t *command)
{
    if (strcmp(program, command->name) != 0) (void)printf("%s ", program);
    (void)printf("%s%s%s%s\n%s\n", command->name, command->arguments != NULL ? " " : "",
                 command->arguments != NULL ? command->arguments : "",
                 command->n_rows > 0 ? " [options]" : "", command->summary);
    if (command->n_rows > 0) (void)putchar('\n');
    for (size_t i = 0; i < command->n_rows; i++) {
        const option_row_t *row = &command->rows[i];
        const int width =
            (int)strlen(row->name) + (row->argument != NULL ? (int)strlen(row->argument) + 1 : 0);

        (void)printf("  %s%s%s", row->name, row->argument != NULL ? " " : "",
                     row->argument != NULL ? row->argument : "");
        if (width < HELP_COLUMN)
            (void)printf("%*s%s\n", HELP_COLUMN - width, "", row->help);
        else
            (void)printf("\n  %*s%s\n", HELP_COLUMN, "", row->help);
    }
    if (command->notes != NULL) (void)printf("\n%s\n", command->notes);
}

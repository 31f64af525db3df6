/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "options/options.h"

typedef struct {
    bool flag;
    const char *text;
    option_texts_t texts;
    option_u32_t u32;
    option_u64_t u64;
    option_choice_t choice;
    option_u64_t size;
    option_bytes32_t bytes;
    const char *word;
} all_options_t;

static const option_row_t rows[] = {
    {"--flag", NULL, "a flag", offsetof(all_options_t, flag), 0, 0, OPTION_FLAG},
    {"-o", "FILE", "a text", offsetof(all_options_t, text), 0, 0, OPTION_TEXT},
    {"--texts", "WORD", "some texts", offsetof(all_options_t, texts), 0, 0, OPTION_TEXTS},
    {"--u32", "N", "a number", offsetof(all_options_t, u32), 2, 40, OPTION_U32},
    {"--u64", "N", "a number", offsetof(all_options_t, u64), 0, UINT64_MAX, OPTION_U64},
    {"--choice", "red|green|blue", "a choice", offsetof(all_options_t, choice), 0, 0,
     OPTION_CHOICE},
    {"--size", "SIZE", "a size", offsetof(all_options_t, size), 0, 0, OPTION_SIZE},
    {"--bytes", "HEX", "32 bytes", offsetof(all_options_t, bytes), 0, 0, OPTION_BYTES32},
    {"--word", "one|two|twelve", "a word", offsetof(all_options_t, word), 0, 0, OPTION_WORD},
};

enum { ROWS = sizeof rows / sizeof rows[0], MAX_WORDS = 30 };

static const options_command_t command = {.name = "paint",
                                          .summary = "paints",
                                          .arguments = "WHAT",
                                          .n_arguments = 1,
                                          .rows = rows,
                                          .n_rows = ROWS};

/* Parses "paint" and the words of a line. */
static cuzk_status parse(all_options_t *o, const char **what, const char *line, cuzk_error *err)
{
    static char copy[512];
    char *argv[MAX_WORDS + 2] = {copy};
    int argc = 0;
    bool help;

    *o = (all_options_t){0};
    assert_true(strlen(line) + sizeof "paint " <= sizeof copy);
    (void)strcpy(copy, "paint ");
    (void)strcat(copy, line);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        assert_true(argc < MAX_WORDS);
        argv[argc++] = word;
    }
    const cuzk_status st = options_parse(&command, o, what, &help, argc, argv, err);
    assert_false(help);
    return st;
}

static void every_type_is_read(void **state)
{
    const char *what;
    all_options_t o;
    cuzk_error err;

    (void)state;
    assert_int_equal(parse(&o, &what,
                           "--flag -o=x --texts a --texts=b wall --u32 40 --u64 "
                           "18446744073709551615 --choice=blue --size 3KiB --texts - --bytes "
                           "0x00ff000000000000000000000000000000000000000000000000000000000001",
                           &err),
                     CUZK_ERR_ARG); /* -o takes no = */
    options_clear(&command, &o);
    assert_int_equal(parse(&o, &what,
                           "--flag -o x --texts a --texts=b wall --u32 40 --u64 "
                           "18446744073709551615 --choice=blue --size 3KiB --texts - --bytes "
                           "0x00ff000000000000000000000000000000000000000000000000000000000001",
                           &err),
                     CUZK_OK);
    assert_true(o.flag);
    assert_string_equal(o.text, "x");
    assert_string_equal(what, "wall");
    assert_int_equal(o.texts.n, 3);
    assert_string_equal(o.texts.items[0], "a");
    assert_string_equal(o.texts.items[1], "b");
    assert_string_equal(o.texts.items[2], "-");
    assert_true(o.u32.given && o.u32.value == 40);
    assert_true(o.u64.given && o.u64.value == UINT64_MAX);
    assert_true(o.choice.given && o.choice.value == 2);
    assert_true(o.size.given && o.size.value == 3072);
    assert_true(o.bytes.given && o.bytes.bytes[1] == 0xff && o.bytes.bytes[31] == 1);
    options_clear(&command, &o);
    assert_true(o.texts.items == NULL && o.texts.n == 0);
}

static void what_is_not_given_stays(void **state)
{
    const char *what;
    all_options_t o;
    cuzk_error err;

    (void)state;
    assert_int_equal(parse(&o, &what, "wall", &err), CUZK_OK);
    assert_false(o.flag || o.u32.given || o.u64.given || o.choice.given || o.size.given ||
                 o.bytes.given);
    assert_true(o.text == NULL && o.texts.n == 0 && o.choice.value == 0);
}

static void check_refused(const char *line, const char *words)
{
    const char *what;
    all_options_t o;
    cuzk_error err;

    assert_int_equal(parse(&o, &what, line, &err), CUZK_ERR_ARG);
    if (strstr(err.text, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, words);
    options_clear(&command, &o);
}

static void other_lines_are_refused(void **state)
{
    (void)state;
    check_refused("", "wants WHAT");
    check_refused("wall door", "one word too many");
    check_refused("wall --colour red", "--colour: unknown");
    check_refused("wall --fla", "--fla: unknown");
    check_refused("wall --flag=1", "takes no argument");
    check_refused("wall -o", "wants an argument, FILE");
    check_refused("wall -o x -o y", "given twice");
    check_refused("wall --u32 1", "from 2 to 40");
    check_refused("wall --u32 41", "from 2 to 40");
    check_refused("wall --u32 -3", "not a whole number");
    check_refused("wall --u32 3 --u32 3", "given twice");
    check_refused("wall --u64 18446744073709551616", "not a whole number");
    check_refused("wall --u64 0x1", "not a whole number");
    check_refused("wall --u64 1 --u64 1", "given twice");
    check_refused("wall --choice purple", "none of red, green, blue");
    check_refused("wall --choice re", "none of red");
    check_refused("wall --choice red --choice red", "given twice");
    check_refused("wall --size 0", "is not a size");
    check_refused("wall --size 1XB", "is not a size");
    check_refused("wall --size 16777216TiB", "is not a size");
    check_refused("wall --size 1 --size 1", "given twice");
    check_refused("wall --bytes 00", "expected 64");
    check_refused("wall --bytes 000000000000000000000000000000000000000000000000000000000000000g",
                  "not a hex digit");
}

static void an_empty_text_is_refused(void **state)
{
    char paint[] = "paint", option[] = "-o", nothing[] = "";
    char *argv[] = {paint, option, nothing, NULL};
    all_options_t o = {0};
    const char *what;
    cuzk_error err;
    bool help;

    (void)state;
    assert_int_equal(options_parse(&command, &o, &what, &help, 3, argv, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "-o: is empty"));
}

static void help_comes_before_all_else(void **state)
{
    char paint[] = "paint", wrong[] = "--wrong", help_word[] = "-h";
    char *argv[] = {paint, wrong, help_word, NULL};
    all_options_t o = {0};
    const char *what;
    cuzk_error err;
    bool help;

    (void)state;
    assert_int_equal(options_parse(&command, &o, &what, &help, 3, argv, &err), CUZK_OK);
    assert_true(help);
}

static void repeated_texts_have_a_limit(void **state)
{
    static char *argv[OPTIONS_MAX_TEXTS + 3];
    static char paint[] = "paint", text[] = "--texts=x";
    all_options_t o = {0};
    const char *what;
    cuzk_error err;
    bool help;

    (void)state;
    argv[0] = paint;
    for (int i = 1; i < OPTIONS_MAX_TEXTS + 2; i++) argv[i] = text;
    assert_int_equal(options_parse(&command, &o, &what, &help, OPTIONS_MAX_TEXTS + 2, argv, &err),
                     CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "more than 65536 times"));
    assert_int_equal(o.texts.n, OPTIONS_MAX_TEXTS);
    options_clear(&command, &o);
}

static void numbers_and_names(void **state)
{
    uint64_t v;

    (void)state;
    assert_true(option_parse_u64(&v, "007", 7) && v == 7);
    assert_false(option_parse_u64(&v, "8", 7));
    assert_false(option_parse_u64(&v, "", 7));
    assert_false(option_parse_u64(&v, "+1", 7));
    assert_false(option_parse_u64(&v, "99999999999999999999999", UINT64_MAX));
    assert_true(option_is("--u32", "--u32") && option_is("--u32=", "--u32"));
    assert_false(option_is("--u321", "--u32") || option_is("--u3", "--u32"));
}

static void words_are_those_of_the_row(void **state)
{
    const char *list = rows[ROWS - 1].argument;
    const char *what;
    all_options_t o;
    cuzk_error err;

    (void)state;
    assert_int_equal(parse(&o, &what, "x --word twelve", &err), CUZK_OK);
    assert_string_equal(o.word, "twelve");
    assert_int_equal(parse(&o, &what, "x --word=one", &err), CUZK_OK);
    assert_string_equal(o.word, "one");
    check_refused("x --word three", "\"three\" is none of one, two, twelve");
    check_refused("x --word tw", "is none of one");
    check_refused("x --word one|two", "is none of one");
    check_refused("x --word one --word one", "twice");
    assert_int_equal(option_next_word(&list), 3);
    assert_string_equal(list, "two|twelve");
    assert_int_equal(option_next_word(&list), 3);
    assert_int_equal(option_next_word(&list), 6);
    assert_null(list);
}

static void optional_words_may_be_left_out(void **state)
{
    const options_command_t walk = {
        .name = "walk", .arguments = "FROM [TO]", .n_arguments = 1, .n_optional = 1};
    char name[] = "walk", here[] = "here", there[] = "there", *argv[] = {name, here, there, there};
    const char *words[2];
    cuzk_error err;
    bool help;

    (void)state;
    assert_int_equal(options_parse(&walk, NULL, words, &help, 3, argv, &err), CUZK_OK);
    assert_string_equal(words[1], "there");
    assert_int_equal(options_parse(&walk, NULL, words, &help, 2, argv, &err), CUZK_OK);
    assert_string_equal(words[0], "here");
    assert_null(words[1]);
    assert_int_equal(options_parse(&walk, NULL, words, &help, 1, argv, &err), CUZK_ERR_ARG);
    assert_int_equal(options_parse(&walk, NULL, words, &help, 4, argv, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "one word too many"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_read),
        cmocka_unit_test(what_is_not_given_stays),
        cmocka_unit_test(other_lines_are_refused),
        cmocka_unit_test(an_empty_text_is_refused),
        cmocka_unit_test(help_comes_before_all_else),
        cmocka_unit_test(repeated_texts_have_a_limit),
        cmocka_unit_test(numbers_and_names),
        cmocka_unit_test(words_are_those_of_the_row),
        cmocka_unit_test(optional_words_may_be_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

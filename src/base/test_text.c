/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/text.h"

typedef struct {
    const char *text;
    size_t length;
    const char *shown;
} escaped_t;

#define TEXT(literal) literal, sizeof(literal) - 1

static const escaped_t escapes[] = {
    {TEXT("plain, caf\xc3\xa9, \xe6\x96\x87, \xf0\x9f\x98\x80"),
     "plain, caf\xc3\xa9, \xe6\x96\x87, \xf0\x9f\x98\x80"},
    {TEXT("a\0b"), "a\\u0000b"},
    {TEXT("\x1b[31m\r\n\t\x7f"), "\\u001b[31m\\u000d\\u000a\\u0009\\u007f"},
    {TEXT("\xc2\x9b"
          "2J\xc2\x85"),
     "\\u009b2J\\u0085"},
    {TEXT("\x9b"
          "2J\xff\xc2"),
     "\\x9b2J\\xff\\xc2"},
    {TEXT("\xe2\x80\xae"
          "cod\xe2\x80\xac"),
     "\\u202ecod\\u202c"},
    {TEXT("\xe2\x81\xa6\xe2\x81\xa9\xe2\x80\x8f\xd8\x9c"), "\\u2066\\u2069\\u200f\\u061c"},
    {TEXT("\xe2\x80\x8b\xef\xbb\xbf\xe2\x80\xa8\xc2\xad"), "\\u200b\\ufeff\\u2028\\u00ad"},
    {TEXT("\xf3\xa0\x80\x81"), "\\U000e0001"},
    {TEXT("\xed\xa0\x80\xc0\x80"), "\\xed\\xa0\\x80\\xc0\\x80"}, /* surrogate, overlong */
    {TEXT("C:\\u202e"), "C:\\u202e"},
};

static void what_a_terminal_obeys_is_spelled_out(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++) {
        char out[256], again[256];
        const size_t n = text_escape(out, sizeof out, escapes[i].text, escapes[i].length);

        assert_string_equal(out, escapes[i].shown);
        assert_int_equal(n, strlen(out));
        (void)text_escape(again, sizeof again, out, n);
        assert_string_equal(again, out);
    }
}

static void no_character_is_cut(void **unused)
{
    const char *text = "ab\xe2\x80\xae\xf0\x9f\x98\x80z";
    const char *whole = "ab\\u202e\xf0\x9f\x98\x80z";
    char out[32];

    (void)unused;
    for (size_t room = 1; room <= strlen(whole) + 1; room++) {
        const size_t n = text_escape(out, room, text, strlen(text));

        assert_true(n < room && strncmp(out, whole, n) == 0);
        assert_true(n <= 2 || n == 8 || n == 12 || n == 13);
    }
    assert_string_equal(out, whole);
}

static void errors_can_be_printed_whatever_they_quote(void **unused)
{
    char path[600];
    cuzk_error err;

    (void)unused;
    assert_int_equal(error_set(&err, CUZK_ERR_FORMAT, "%s: bad", "a\x1b]0;x\a\xe2\x80\xae"),
                     CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "a\\u001b]0;x\\u0007\\u202e: bad");
    assert_int_equal(error_within(&err, "f\ng"), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "f\\u000ag: a\\u001b]0;x\\u0007\\u202e: bad");
    /* full to the last byte of escapes */
    memset(path, '\a', sizeof path - 1);
    (void)error_set(&err, CUZK_ERR_ARG, "%s", path);
    assert_true(strlen(err.text) < sizeof err.text && strlen(err.text) % 6 == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_terminal_obeys_is_spelled_out),
        cmocka_unit_test(no_character_is_cut),
        cmocka_unit_test(errors_can_be_printed_whatever_they_quote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/content.h"
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
    /* the end of a long name is kept, and what follows it */
    memset(path, 'd', sizeof path);
    (void)strcpy(path + sizeof path - 9, "/c1.json");
    (void)error_set(&err, CUZK_ERR_FORMAT, "SectorNum: found a string");
    (void)error_within(&err, "%s", path);
    assert_non_null(strstr(err.text, "dd/c1.json: SectorNum: found a string"));
    assert_int_equal(strncmp(err.text, "...d", 4), 0);
    /* full to the last byte of escapes */
    memset(path, '\a', sizeof path - 1);
    (void)error_set(&err, CUZK_ERR_ARG, "%s", path);
    assert_true(strlen(err.text) < sizeof err.text && strlen(err.text) % 6 == 0);
}

static void long_texts_keep_their_end(void **unused)
{
    char out[12];

    (void)unused;
    assert_string_equal(text_shorten(out, sizeof out, ""), "");
    assert_string_equal(text_shorten(out, sizeof out, "01234567890"), "01234567890");
    assert_string_equal(text_shorten(out, sizeof out, "folder/c1.json"), ".../c1.json");
    assert_string_equal(text_shorten(out, sizeof out, "folder/c01.json"), "...c01.json");
    assert_string_equal(text_shorten(out, sizeof out,
                                     "folder/\xc3\xa9"
                                     "12.json"),
                        "...12.json");
}

static void sizes_have_the_names_people_use(void **unused)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } sizes[] = {{0, "0 bytes"},
                 {1023, "1023 bytes"},
                 {2048, "2KiB (2048 bytes)"},
                 {(uint64_t)8 << 20, "8MiB (8388608 bytes)"},
                 {(uint64_t)64 << 30, "64GiB (68719476736 bytes)"},
                 {(uint64_t)3 << 40, "3TiB (3298534883328 bytes)"},
                 {(uint64_t)1 << 60, "1048576TiB (1152921504606846976 bytes)"},
                 {1572865, "1.5MiB (1572865 bytes)"},
                 {4097, "4.0KiB (4097 bytes)"}};
    char out[TEXT_SIZE_ROOM];

    (void)unused;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_string_equal(text_size(out, sizes[i].bytes), sizes[i].text);
}

static void what_bytes_look_like(void **unused)
{
    static const struct {
        const char *bytes;
        size_t n;
        content_kind kind;
    } cases[] = {
        {TEXT(""), CONTENT_EMPTY},
        {TEXT(" \r\n\t"), CONTENT_BLANK},
        {TEXT("\xef\xbb\xbf{\"a\":1}"), CONTENT_BOM},
        {TEXT("\xef\xbb\xbf"), CONTENT_BOM},
        {TEXT("\xef\xbb\xbf\x80\x91\x02"), CONTENT_UNKNOWN},
        {TEXT("\xff\xfe{\0}\0"), CONTENT_UTF16},
        {TEXT("\xfe\xff\0{\0}"), CONTENT_UTF16},
        {TEXT("\x1f\x8b\x08\0\0\0"), CONTENT_GZIP},
        {TEXT("\x28\xb5\x2f\xfd\x04"), CONTENT_GZIP},
        {TEXT("\xfd"
              "7zXZ\0"),
         CONTENT_GZIP},
        {TEXT("BZh91AY"), CONTENT_GZIP},
        {TEXT("PK\x03\x04xx"), CONTENT_GZIP},
        {TEXT("<!DOCTYPE html><html>"), CONTENT_HTML},
        {TEXT("\n <html><body>504"), CONTENT_HTML},
        {TEXT("<?xml version='1.0'?><Error>"), CONTENT_HTML},
        {TEXT("{\"a\":1}\n"), CONTENT_JSON},
        {TEXT(" [] "), CONTENT_JSON},
        {TEXT("\"x\""), CONTENT_JSON},
        {TEXT("{\"a\":1"), CONTENT_UNKNOWN},
        {TEXT("deadBEEF\n"), CONTENT_HEX},
        {TEXT("de ad\nbe ef"), CONTENT_HEX},
        {TEXT("abc"), CONTENT_UNKNOWN},
        {TEXT("0xdeadbeef\n"), CONTENT_HEX_0X},
        {TEXT("aGVsbG8gd29ybGQhIQ=="), CONTENT_BASE64},
        {TEXT("aGVsbG8gd2\n9ybGQhISEh\n"), CONTENT_BASE64},
        {TEXT("hello"), CONTENT_UNKNOWN},
        {TEXT("bagboea4b5abca7kx42l62bnzaekd5luicwstwp5w6essh7zam4et7kocgxlm3md"),
         CONTENT_UNKNOWN},                                           /* a CID */
        {TEXT("00112233445566778899aabbccddeefg"), CONTENT_UNKNOWN}, /* a slip in hex */
        {TEXT("\x80\0\x01"), CONTENT_UNKNOWN},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const content_kind kind = content_recognize((const uint8_t *)cases[i].bytes, cases[i].n);

        if (kind != cases[i].kind) fail_msg("case %zu: %d", i, (int)kind);
        assert_int_equal(content_text(kind) == NULL, kind == CONTENT_UNKNOWN);
    }
}

static void hex_that_is_not_says_why(void **unused)
{
    static const struct {
        const char *text, *fault;
    } cases[] = {
        {"", "0 characters (empty), expected 8 hex digits (4 bytes)"},
        {"abcdef", "6 hex digits, expected 8 hex digits (4 bytes)"},
        {"0x12345678", "10 characters that begin with 0x, expected 8 hex digits (4 bytes)"},
        {"1234567g", "'g' at 7 is not a hex digit"},
        {"1234\xc3\xa9zz", "'\xc3\xa9' at 4 is not a hex digit"},
        {"1234567\n", "'\\u000a' at 7 is not a hex digit"},
        {"aGVsbG8gd29ybGQhIQ==", "20 characters of base64, expected 8 hex digits (4 bytes)"},
        {"12345678z", "9 characters, expected 8 hex digits (4 bytes)"},
    };
    char out[HEX_FAULT_ROOM];

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(hex_fault(out, cases[i].text, strlen(cases[i].text), 4),
                            cases[i].fault);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_terminal_obeys_is_spelled_out),
        cmocka_unit_test(no_character_is_cut),
        cmocka_unit_test(errors_can_be_printed_whatever_they_quote),
        cmocka_unit_test(long_texts_keep_their_end),
        cmocka_unit_test(sizes_have_the_names_people_use),
        cmocka_unit_test(what_bytes_look_like),
        cmocka_unit_test(hex_that_is_not_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

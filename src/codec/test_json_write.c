/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codec/json.h"
#include "codec/json_write.h"

static void write_sample(json_writer_t *w)
{
    json_write_object(w, NULL);
    json_write_string(w, "name", "a \"b\" \\ /");
    json_write_u64(w, "max", UINT64_MAX);
    json_write_array(w, "items");
    json_write_u64(w, NULL, 0);
    json_write_object(w, NULL);
    json_write_end(w);
    json_write_array(w, NULL);
    json_write_end(w);
    json_write_bool(w, NULL, true);
    json_write_end(w);
    json_write_object(w, "inner");
    json_write_null(w, "none");
    json_write_double(w, "half", 0.5);
    json_write_end(w);
    json_write_hex(w, "hex", (const uint8_t *)"\x00\xff", 2);
    json_write_end(w);
}

static void both_styles_are_exact(void **unused)
{
    json_writer_t w;

    (void)unused;
    json_writer_init(&w, JSON_ONE_LINE);
    write_sample(&w);
    assert_string_equal(json_writer_text(&w),
                        "{\"name\":\"a \\\"b\\\" \\\\ /\",\"max\":18446744073709551615,"
                        "\"items\":[0,{},[],true],\"inner\":{\"none\":null,\"half\":0.5},"
                        "\"hex\":\"00ff\"}");
    json_writer_clear(&w);
    json_writer_init(&w, JSON_PRETTY);
    write_sample(&w);
    assert_string_equal(json_writer_text(&w), "{\n"
                                              "  \"name\": \"a \\\"b\\\" \\\\ /\",\n"
                                              "  \"max\": 18446744073709551615,\n"
                                              "  \"items\": [\n"
                                              "    0,\n"
                                              "    {},\n"
                                              "    [],\n"
                                              "    true\n"
                                              "  ],\n"
                                              "  \"inner\": {\n"
                                              "    \"none\": null,\n"
                                              "    \"half\": 0.5\n"
                                              "  },\n"
                                              "  \"hex\": \"00ff\"\n"
                                              "}");
    json_writer_clear(&w);
}

static void strings_are_escaped_and_made_utf8(void **unused)
{
    static const char *const cases[][2] = {
        {"\b\t\n\f\r", "\"\\b\\t\\n\\f\\r\""},
        {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
        {"\xc2\x9b\xe2\x80\xae\xf3\xa0\x80\x81",
         "\"\\u009b\\u202e\\udb40\\udc01\""}, /* terminals obey */
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\""},
        {"a\xff z", "\"a\xef\xbf\xbd z\""},
        {"\xc0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\""},                 /* overlong */
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, /* surrogate */
        {"\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\""},                 /* cut */
        {"\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_writer_t w;

        json_writer_init(&w, JSON_ONE_LINE);
        json_write_string(&w, NULL, cases[i][0]);
        assert_string_equal(json_writer_text(&w), cases[i][1]);
        json_writer_clear(&w);
    }
}

/* ---- what is written reads back ---- */

typedef struct {
    double doubles[64];
    const char *want;
} back_t;

static cuzk_status read_double(json_t *j, size_t index, void *out, cuzk_error *err)
{
    return json_read_double(j, &((back_t *)out)->doubles[index], err);
}

static cuzk_status read_doubles(json_t *j, void *out, cuzk_error *err)
{
    return json_read_array(j, read_double, out, 0, 64, NULL, err);
}

static cuzk_status read_text(json_t *j, size_t index, void *out, cuzk_error *err)
{
    const char *text = NULL;
    size_t n = 0;
    const cuzk_status status = json_read_string(j, &text, &n, err);

    (void)index;
    if (status != CUZK_OK) return status;
    if (n != strlen(((back_t *)out)->want) || memcmp(text, ((back_t *)out)->want, n) != 0)
        return json_error(j, err, "another string");
    return CUZK_OK;
}

static cuzk_status read_texts(json_t *j, void *out, cuzk_error *err)
{
    return json_read_array(j, read_text, out, 1, 1, NULL, err);
}

static void read_back(json_writer_t *w, json_reader read, back_t *back)
{
    uint8_t *padded = calloc(w->length + JSON_PADDING, 1);
    cuzk_error err;

    assert_non_null(padded);
    memcpy(padded, json_writer_text(w), w->length);
    if (json_read("back", padded, w->length, read, back, &err) != CUZK_OK) fail_msg("%s", err.text);
    free(padded);
}

static void doubles_read_back_exactly(void **unused)
{
    static const double values[] = {
        0.0,  -0.0, 1.0,    0.1,  1.0 / 3,           1e300, 5e-324, 123.456,
        1e21, 2e-7, 1.5e-9, 1e16, 9007199254740993.0};
    enum { N = sizeof values / sizeof *values };
    json_writer_t w;
    back_t back;

    (void)unused;
    json_writer_init(&w, JSON_ONE_LINE);
    json_write_array(&w, NULL);
    for (size_t i = 0; i < N; i++) json_write_double(&w, NULL, values[i]);
    json_write_end(&w);
    read_back(&w, read_doubles, &back);
    assert_memory_equal(back.doubles, values, sizeof values);
    json_writer_clear(&w);

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_array(&w, NULL);
    json_write_double(&w, NULL, 3);
    json_write_double(&w, NULL, 0.1);
    json_write_double(&w, NULL, (double)INFINITY);
    json_write_double(&w, NULL, (double)NAN);
    json_write_end(&w);
    assert_string_equal(json_writer_text(&w), "[3.0,0.1,null,null]");
    json_writer_clear(&w);
}

static void any_valid_string_reads_back(void **unused)
{
    char text[128 + 1];
    json_writer_t w;
    back_t back = {.want = text};

    (void)unused;
    for (int i = 0; i < 127; i++) text[i] = (char)(i + 1);
    text[127] = 0;
    json_writer_init(&w, JSON_PRETTY);
    json_write_array(&w, NULL);
    json_write_string(&w, NULL, text);
    json_write_end(&w);
    read_back(&w, read_texts, &back);
    json_writer_clear(&w);
}

static void long_texts_grow(void **unused)
{
    enum { ITEMS = 5000 };
    json_writer_t w;
    size_t commas = 0;

    (void)unused;
    json_writer_init(&w, JSON_ONE_LINE);
    json_write_array(&w, NULL);
    for (uint64_t i = 0; i < ITEMS; i++) json_write_u64(&w, NULL, 1000 + i);
    json_write_end(&w);
    assert_int_equal(w.length, strlen(json_writer_text(&w)));
    for (size_t i = 0; i < w.length; i++) commas += w.text[i] == ',';
    assert_int_equal(commas, ITEMS - 1);
    json_writer_clear(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_styles_are_exact),
        cmocka_unit_test(strings_are_escaped_and_made_utf8),
        cmocka_unit_test(doubles_read_back_exactly),
        cmocka_unit_test(any_valid_string_reads_back),
        cmocka_unit_test(long_texts_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

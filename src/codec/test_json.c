/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "codec/json.h"

typedef struct {
    uint64_t number;
    uint64_t items[8];
    size_t n_items;
    double real;
    char name[16];
    uint8_t bytes[4], hex[4];
} sample_t;

static cuzk_status read_number(json_t *j, void *out, cuzk_error *err)
{
    return json_read_u64(j, &((sample_t *)out)->number, UINT64_MAX, err);
}

static cuzk_status read_item(json_t *j, size_t index, void *out, cuzk_error *err)
{
    return json_read_u64(j, &((sample_t *)out)->items[index], 1000, err);
}

static cuzk_status read_items(json_t *j, void *out, cuzk_error *err)
{
    sample_t *s = out;

    return json_read_array(j, read_item, s, 2, 4, &s->n_items, err);
}

static cuzk_status read_real(json_t *j, void *out, cuzk_error *err)
{
    return json_read_double(j, &((sample_t *)out)->real, err);
}

static cuzk_status read_name(json_t *j, void *out, cuzk_error *err)
{
    sample_t *s = out;

    return json_copy_string(j, s->name, sizeof s->name, err);
}

static cuzk_status read_bytes(json_t *j, void *out, cuzk_error *err)
{
    return json_read_bytes(j, ((sample_t *)out)->bytes, 4, err);
}

static cuzk_status read_hex(json_t *j, void *out, cuzk_error *err)
{
    return json_read_hex(j, ((sample_t *)out)->hex, 4, err);
}

static cuzk_status read_inner(json_t *j, void *out, cuzk_error *err);

static const json_field_t fields[] = {
    {"number", read_number, JSON_OPTIONAL}, {"items", read_items, JSON_OPTIONAL},
    {"real", read_real, JSON_OPTIONAL},     {"name", read_name, JSON_OPTIONAL},
    {"bytes", read_bytes, JSON_OPTIONAL},   {"hex", read_hex, JSON_OPTIONAL},
    {"inner", read_inner, JSON_OPTIONAL},
};

static cuzk_status read_sample(json_t *j, void *out, cuzk_error *err)
{
    return json_read_object(j, fields, sizeof fields / sizeof *fields, out, err);
}

static cuzk_status read_inner(json_t *j, void *out, cuzk_error *err)
{
    return read_sample(j, out, err);
}

/* Reads a copy of exactly the padded size, so that a sanitizer sees what is read past it. */
static cuzk_status parse_with(const char *text, size_t n, json_reader read, void *out,
                              cuzk_error *err)
{
    uint8_t *padded = calloc(n + JSON_PADDING, 1);
    cuzk_status status;

    assert_non_null(padded);
    memcpy(padded, text, n);
    memset(padded + n + 1, '}', JSON_PADDING - 1);
    err->text[0] = '\0';
    status = json_read("doc", padded, n, read, out, err);
    free(padded);
    return status;
}

static cuzk_status parse(const char *text, sample_t *s, cuzk_error *err)
{
    memset(s, 0, sizeof *s);
    return parse_with(text, strlen(text), read_sample, s, err);
}

static void values_are_read_in_any_order_and_form(void **unused)
{
    static const char *const texts[] = {
        "{\"number\":18446744073709551615,\"items\":[1,2,3],\"real\":-1.5e2,\"flag\":true,"
        "\"name\":\"a/b\",\"bytes\":[0,255,7,1],\"hex\":\"00ffA07b\"}",
        " {\n\t\"hex\" : \"00ff\\u0041\\u0030\\u0037b\" , \"b\\u0079tes\" : [ 0 , 255 , 7 , 1 ] ,\n"
        "\"unknown\": {\"items\": [[{}], {\"a\": [null, \"]\"]}], \"number\": 1},"
        "\"name\":\"a\\/b\", \"flag\":true,\r\n\"real\":-150, \"items\":[1,2 ,3 ], "
        "\"number\" : 18446744073709551615 } \n",
    };

    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cuzk_error err;
        sample_t s;

        assert_int_equal(parse(texts[i], &s, &err), CUZK_OK);
        assert_true(s.number == UINT64_MAX && s.n_items == 3 && s.items[2] == 3);
        assert_true(s.real > -150.5 && s.real < -149.5);
        assert_string_equal(s.name, "a/b");
        assert_memory_equal(s.bytes, "\x00\xff\x07\x01", 4);
        assert_memory_equal(s.hex, "\x00\xff\xa0\x7b", 4);
    }
}

typedef struct {
    const char *text, *error;
} fault_t;

static void check_fault(const fault_t *fault)
{
    cuzk_error err;
    sample_t s;

    assert_int_equal(parse(fault->text, &s, &err), CUZK_ERR_FORMAT);
    if (strncmp(err.text, fault->error, strlen(fault->error)) != 0)
        fail_msg("%s: \"%s\", expected \"%s\"", fault->text, err.text, fault->error);
}

static void faults_name_the_place(void **unused)
{
    static const fault_t cases[] = {
        {"{\"number\":-1}", "doc: number: -1 is not an integer 0 .. 18446744073709551615"},
        {"{\"number\":1.5}", "doc: number: 1.5 is not an integer"},
        {"{\"number\":255.0}", "doc: number: 255.0 is not an integer"},
        {"{\"number\":1e2}", "doc: number: 1e2 is not an integer"},
        {"{\"number\":-0}", "doc: number: -0 is not an integer"},
        {"{\"number\":007}", "doc: number: 007 is not an integer"},
        {"{\"number\":18446744073709551616}", "doc: number: 18446744073709551616 is not an int"},
        {"{\"number\":99999999999999999999999999999999}",
         "doc: number: 999999999999999999999999.."},
        {"{\"number\":\"7\"}", "doc: number: found a string, expected a number"},
        {"{\"number\":null}", "doc: number: found null, expected a number"},
        {"{\"number\":}", "doc: number: found no value, expected a number"},
        {"{\"items\":[1,1001]}", "doc: items[1]: 1001 is not an integer 0 .. 1000"},
        {"{\"items\":[1]}", "doc: items: 1 items, expected at least 2"},
        {"{\"items\":[1,2,3,4,5]}", "doc: items: more than 4 items"},
        {"{\"items\":{}}", "doc: items: found an object, expected an array"},
        {"{\"items\":[1,2,]}", "doc: items[2]: found no value"},
        {"{\"items\":[1 2]}", "doc: items: not valid JSON"},
        {"{\"inner\":{\"inner\":{\"items\":[1,[]]}}}",
         "doc: inner.inner.items[1]: found an array, expected a number"},
        {"{\"real\":1.}", "doc: real: 1. is not a number"},
        {"{\"name\":\"0123456789abcdef\"}", "doc: name: 16 bytes, limit 15"},
        {"{\"name\":\"a\\u0000b\"}", "doc: name: a zero byte"},
        {"{\"name\":\"a\\qb\"}", "doc: name: not a valid string"},
        {"{\"name\":\"\\ud800\"}", "doc: name: not a valid string"},
        {"{\"bytes\":[0,1,2]}", "doc: bytes: 3 numbers, expected 4"},
        {"{\"bytes\":[0,1,2,3,4]}", "doc: bytes: 5 numbers, expected 4"},
        {"{\"bytes\":[0,1,256,3]}", "doc: bytes: [2]: not an integer 0 .. 255"},
        {"{\"bytes\":[0,1,255.0,3]}", "doc: bytes: [2]: not an integer 0 .. 255"},
        {"{\"bytes\":[0,1,1e2,3]}", "doc: bytes: [2]: not an integer 0 .. 255"},
        {"{\"bytes\":[0,-1,2,3]}", "doc: bytes: [1]: not an integer 0 .. 255"},
        {"{\"bytes\":[\"0\",1,2,3]}", "doc: bytes: [0]: not an integer 0 .. 255"},
        {"{\"hex\":\"00ff\"}", "doc: hex: 4 hex digits, expected 8 hex digits (4 bytes)"},
        {"{\"hex\":\"00fg0000\"}", "doc: hex: 'g' at 3 is not a hex digit"},
        {"{\"number\":1,\"flag\":true,\"number\":1}", "doc: number: given twice"},
        {"{\"number\":1,\"n\\u0075mber\":2}", "doc: number: given twice"},
        {"[]", "doc: found an array, expected an object"},
        {"7", "doc: not valid JSON"},
        {"", "doc: is empty; expected JSON"},
        {"{", "doc: not valid JSON"},
        {"{\"number\":1", "doc: not valid JSON"},
        {"{\"number\":1}}", "doc: not valid JSON"},
        {"{\"number\":1}{}", "doc: not valid JSON"},
        {"{\"number\":1}1", "doc: not valid JSON"},
        {"{\"unknown\":[[1,2}", "doc: not valid JSON"},
        {"{\"unknown\":\"\xff\"}", "doc: not valid JSON"},
        {"{\"name\":\"a\nb\"}", "doc: not valid JSON"},
        {"{number:1}", "doc: not valid JSON"},
        {"{\"number\" 1}", "doc: not valid JSON"},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_fault(&cases[i]);
}

static void every_shortened_document_is_refused(void **unused)
{
    const char *text = "{\"name\":\"abc\",\"items\":[1,22,3],\"unknown\":{\"a\":[1,{}]},"
                       "\"bytes\":[0,255,7,1],\"number\":123,\"flag\":true}";
    cuzk_error err;
    sample_t s;

    (void)unused;
    for (size_t n = 0; n < strlen(text); n++) {
        memset(&s, 0, sizeof s);
        assert_int_equal(parse_with(text, n, read_sample, &s, &err), CUZK_ERR_FORMAT);
    }
    assert_int_equal(parse(text, &s, &err), CUZK_OK);
}

static void depth_is_bounded_where_it_is_read_and_free_where_it_is_not(void **unused)
{
    enum { DEEP = 80000, KEY = 9 };
    char *text = calloc(2 * DEEP * KEY + 64, 1);
    cuzk_error err;
    sample_t s;
    size_t n = 0;

    (void)unused;
    assert_non_null(text);
    for (int i = 0; i < JSON_MAX_DEPTH + 1; i++) n += (size_t)sprintf(text + n, "{\"inner\":");
    n += (size_t)sprintf(text + n, "0");
    for (int i = 0; i < JSON_MAX_DEPTH + 1; i++) text[n++] = '}';
    assert_int_equal(parse(text, &s, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, "levels of nesting"));

    n = (size_t)sprintf(text, "{\"unknown\":");
    memset(text + n, '[', DEEP);
    memset(text + n + DEEP, ']', DEEP);
    (void)sprintf(text + n + 2 * (size_t)DEEP, ",\"number\":5}");
    assert_int_equal(parse(text, &s, &err), CUZK_OK);
    assert_int_equal(s.number, 5);
    free(text);
}

static void other_content_than_json_is_named(void **unused)
{
    static const struct {
        const char *text;
        size_t n;
        const char *error;
    } cases[] = {
        {"", 0, "doc: is empty; expected JSON"},
        {" \n", 2, "doc: is white space alone; expected JSON"},
        {"\xef\xbb\xbf{}", 5, "doc: begins with a byte order mark"},
        {"\xff\xfe{\0", 4, "doc: is UTF-16 text"},
        {"\x1f\x8b\x08\0\0", 5, "doc: is compressed (gzip"},
        {"<!DOCTYPE html>", 15, "doc: is HTML or XML"},
        {"00ff00ff", 8, "doc: is hex digits; expected JSON"},
        {"0x00ff00ff", 10, "doc: is hex digits after 0x; expected JSON"},
        {"eyJhIjoxLCJiIjoyfQ==", 20, "doc: is base64; expected JSON"},
        {"{\"number\":1,", 12, "doc: not valid JSON: it begins with { and does not end"},
        {"[[1]", 4, "doc: found an array, expected an object"},
        {"\"{}\"", 4, "doc: not valid JSON: it does not begin as an object"},
        {"{\"a\":\"\xc3\x28\"}", 10, "doc: not valid JSON: byte 6 is not of UTF-8"},
        {"\0\0\0\0", 4, "doc: not valid JSON: it does not begin"},
    };
    cuzk_error err;
    sample_t s;

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(parse_with(cases[i].text, cases[i].n, read_sample, &s, &err),
                         CUZK_ERR_FORMAT);
        if (strncmp(err.text, cases[i].error, strlen(cases[i].error)) != 0)
            fail_msg("\"%s\", expected \"%s\"", err.text, cases[i].error);
    }
}

static void digits_in_place_of_numbers_are_named(void **unused)
{
    static const fault_t cases[] = {
        {"{\"bytes\":\"00ff07\"}", "doc: bytes: found hex digits, expected an array of 4 numbers"},
        {"{\"bytes\":\"0x00ff\"}", "doc: bytes: found hex digits after 0x, expected an array"},
        {"{\"bytes\":\"aGVsbG8gd29ybGQhIQ==\"}", "doc: bytes: found base64, expected an array"},
        {"{\"bytes\":\"?\"}", "doc: bytes: found a string, expected an array"},
        {"{\"bytes\":{}}", "doc: bytes: found an object, expected an array"},
        {"{\"hex\":\"0x00ffa07b\"}", "doc: hex: 10 characters that begin with 0x, expected 8 hex"},
        {"{\"hex\":\"aGVsbG8gd29ybGQhIQ==\"}", "doc: hex: 20 characters of base64, expected 8 hex"},
        {"{\"hex\":\"\"}", "doc: hex: 0 characters (empty), expected 8 hex digits"},
        {"{\"hex\":[0,255,1,2]}", "doc: hex: found an array, expected a string"},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_fault(&cases[i]);
}

static void what_a_text_quotes_can_be_printed(void **unused)
{
    static const fault_t cases[] = {
        {"{\"\\u0000\":1}", "doc: \\u0000: a zero byte in a name"},
        {"{\"number\\u0000\":1}", "doc: number\\u0000: a zero byte in a name"},
        {"{\"inner\":{\"x\\u001b[2J\\u0000y\":1}}", "doc: inner.x\\u001b[2J\\u0000y: a zero byte"},
        {"{\"inner\":{\"\xe2\x80\xae\\u202a\\u0000\":1}}",
         "doc: inner.\\u202e\\u202a\\u0000: a zero byte"},
        {"{\"number\":-\xc2\x9b"
         "1}",
         "doc: number: -\\u009b1 is not an integer"},
        {"{\"number\":1\x1b[2J}", "doc: number: 1\\u001b is not an integer"},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_fault(&cases[i]);
}

static void escapes_give_what_they_stand_for(void **unused)
{
    cuzk_error err;
    sample_t s;

    (void)unused;
    assert_int_equal(parse("{\"name\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}", &s, &err), CUZK_OK);
    assert_string_equal(s.name, "\"\\/\b\f\n\r\t");
    assert_int_equal(parse("{\"name\":\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"}", &s, &err),
                     CUZK_OK);
    assert_string_equal(s.name, "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    static const char *const bad[] = {"\\ude00",    "\\ud83d",        "\\ud83dx",
                                      "\\ud83d\\n", "\\ud83d\\u0041", "\\u12",
                                      "\\u12g4",    "\\x41",          "\\"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[64];

        (void)snprintf(text, sizeof text, "{\"name\":\"%s\"}", bad[i]);
        assert_int_equal(parse(text, &s, &err), CUZK_ERR_FORMAT);
        (void)snprintf(text, sizeof text, "{\"%s\":1}", bad[i]);
        assert_int_equal(parse(text, &s, &err), CUZK_ERR_FORMAT);
    }
}

/* ---- marks ---- */

static size_t marks_of(const char *text)
{
    return json_marks((const uint8_t *)text, strlen(text));
}

static void marks_are_counted(void **unused)
{
    static const struct {
        const char *text;
        size_t n;
    } cases[] = {
        {"", 0},
        {" \t\r\n", 0},
        {"{}", 2},
        {"[0,12,255]", 7},
        {"[ 0 , 12 ]", 5},
        {"1 2 3", 3},         /* values without commas */
        {"\"\"1\"\"2", 4},    /* strings without them: the two quotes count for what follows */
        {"{\"ab\":true}", 6}, /* and within a string nothing but what looks like a mark */
        {"\"a b,c\"", 5},
        {"[\"AAAA\",\"BBBB\"]", 7},
        {"\x1a\x0c\x01", 3},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (marks_of(cases[i].text) != cases[i].n)
            fail_msg("%s: %zu", cases[i].text, marks_of(cases[i].text));
}

/* A text of n times `part`, in brackets. */
static char *repeated(const char *part, size_t n)
{
    const size_t k = strlen(part);
    char *text = malloc(n * k + 3);

    text[0] = '[';
    for (size_t i = 0; i < n; i++) memcpy(text + 1 + i * k, part, k);
    (void)strcpy(text + 1 + n * k, "]");
    return text;
}

static void texts_of_marks_alone_are_refused(void **unused)
{
    static const struct {
        const char *part;
        bool is_refused;
    } cases[] = {{"0,", true},    {"[],", true},      {"[", true},        {"12,", true},
                 {"\"\",", true}, {"\"\":{},", true}, {"100,", false},    {"23,145,200,", false},
                 {"0, ", true},   {"0,\n  ", false},  {"\"AA\", ", false}};
    enum { REPEATS = 2000000 };
    cuzk_error err;
    sample_t s;

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = repeated(cases[i].part, REPEATS);

        assert_int_equal(parse_with(text, strlen(text), read_sample, &s, &err), CUZK_ERR_FORMAT);
        const bool is_refused = strstr(err.text, "brackets, commas, colons") != NULL;
        if (is_refused != cases[i].is_refused) fail_msg("%s: %s", cases[i].part, err.text);
        free(text);
        text = repeated(cases[i].part, REPEATS / 200); /* of no weight */
        assert_int_equal(parse_with(text, strlen(text), read_sample, &s, &err), CUZK_ERR_FORMAT);
        assert_null(strstr(err.text, "brackets, commas, colons"));
        free(text);
    }
}

/* Its kind first: then that it is too dense, with the count. */
static void refusals_before_reading_say_what_was_counted(void **unused)
{
    const json_marks_limit_t limit = {10, "because"};
    cuzk_error err;

    (void)unused;
    assert_int_equal(json_check_text("doc", (const uint8_t *)"[1,2,3,4]", 9, &limit, &err),
                     CUZK_OK);
    assert_int_equal(json_check_text("doc", (const uint8_t *)"[1,2,3,4,5]", 11, &limit, &err),
                     CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "doc: 11 brackets, commas, colons, quotes and values in 11 "
                                  "bytes, limit 10 (because)");
    assert_int_equal(
        json_check_text("doc", (const uint8_t *)"<html>[][][][][][]", 18, &limit, &err),
        CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, "is HTML"));
}

/* ---- members whose names are data ---- */

static cuzk_status read_variant(json_t *j, const char *name, size_t length, void *out,
                                cuzk_error *err)
{
    sample_t *s = out;

    if (length >= sizeof s->name) return json_error(j, err, "unknown variant");
    memcpy(s->name, name, length);
    if (json_peek(j) != JSON_ARRAY) return json_error(j, err, "not an array");
    return CUZK_OK; /* its value is skipped */
}

static cuzk_status read_variants(json_t *j, void *out, cuzk_error *err)
{
    return json_read_members(j, read_variant, out, err);
}

static void members_and_kinds_can_be_looked_at(void **unused)
{
    cuzk_error err;
    sample_t s = {0};
    const char *good = "{\"2KiB\":[1,{\"a\":2}]}", *bad = "{\"2KiB\":7}";

    (void)unused;
    assert_int_equal(parse_with(good, strlen(good), read_variants, &s, &err), CUZK_OK);
    assert_string_equal(s.name, "2KiB");
    assert_int_equal(parse_with(bad, strlen(bad), read_variants, &s, &err), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "doc: 2KiB: not an array");
}

/* ---- a file of the wild ---- */

typedef struct {
    size_t n;
    uint8_t first[32];
} trapdoor_t;

static cuzk_status read_tau(json_t *j, void *out, cuzk_error *err)
{
    trapdoor_t *t = out;

    t->n++;
    return json_read_hex(j, t->first, 32, err);
}

static cuzk_status read_trapdoor(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t named[] = {{"tau_le", read_tau, JSON_REQUIRED}};

    return json_read_object(j, named, 1, out, err);
}

static cuzk_status read_absent(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t named[] = {{"tau_le", read_tau, JSON_REQUIRED},
                                         {"sigma_le", read_tau, JSON_REQUIRED}};

    return json_read_object(j, named, 2, out, err);
}

static void a_file_is_read_and_what_it_lacks_is_named(void **unused)
{
    const char *path = CUZK_SOURCE_DIR "/tests/golden/params/trapdoor.json";
    trapdoor_t t = {0};
    cuzk_error err;
    uint8_t *text;
    size_t n;

    (void)unused;
    assert_int_equal(file_read(&text, &n, path, 1 << 20, &err), CUZK_OK);
    assert_int_equal(json_read("trapdoor.json", text, n, read_trapdoor, &t, &err), CUZK_OK);
    assert_int_equal(t.n, 1);
    assert_memory_equal(t.first, "\x5e\xfa\x22\x22\x58", 5);
    assert_int_equal(json_read("trapdoor.json", text, n, read_absent, &t, &err), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "trapdoor.json: sigma_le is missing");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read_in_any_order_and_form),
        cmocka_unit_test(faults_name_the_place),
        cmocka_unit_test(every_shortened_document_is_refused),
        cmocka_unit_test(depth_is_bounded_where_it_is_read_and_free_where_it_is_not),
        cmocka_unit_test(other_content_than_json_is_named),
        cmocka_unit_test(digits_in_place_of_numbers_are_named),
        cmocka_unit_test(what_a_text_quotes_can_be_printed),
        cmocka_unit_test(escapes_give_what_they_stand_for),
        cmocka_unit_test(marks_are_counted),
        cmocka_unit_test(texts_of_marks_alone_are_refused),
        cmocka_unit_test(refusals_before_reading_say_what_was_counted),
        cmocka_unit_test(members_and_kinds_can_be_looked_at),
        cmocka_unit_test(a_file_is_read_and_what_it_lacks_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

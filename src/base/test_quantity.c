/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/quantity.h"

typedef bool (*parser)(uint64_t *value, const char *text, size_t length);

typedef struct {
    const char *text;
    uint64_t value;
} good_t;

static void check_good(parser parse, const good_t *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t value = 0;

        if (!parse(&value, rows[i].text, strlen(rows[i].text)) || value != rows[i].value)
            fail_msg("\"%s\" gives %llu", rows[i].text, (unsigned long long)value);
    }
}

static void check_bad(parser parse, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t value;

        if (parse(&value, texts[i], strlen(texts[i]))) fail_msg("\"%s\" is taken", texts[i]);
    }
}

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static void sizes(void **state)
{
    static const good_t good[] = {
        {"0", 0},
        {"1024", 1024},
        {"18446744073709551615", UINT64_MAX},
        {"50GiB", 50ull << 30},
        {"0.5GiB", 1ull << 29},
        {"1TiB", 1ull << 40},
        {"626 MiB", 626ull << 20},
        {"1.5KiB", 1536},
        {"0.000001KiB", 0},
        {"0.1MiB", 104857},
        {"2.25 GB", 2250000000},
        {"3TB", 3000000000000},
        {"7KB", 7000},
        {"16777215.999999TiB", (16777215ull << 40) + (1ull << 40) * 999999 / 1000000}};
    static const char *const bad[] = {
        "",       " ",    "x MiB", "MiB",   "-1",           "+1",          "1e3",
        "0x10",   "1 ",   " 1",    "1.5",   "1.GiB",        ".5GiB",       "1.5.5GiB",
        "1,5GiB", "5gib", "5G",    "5GiBs", "1.0000000GiB", "16777216TiB", "5GiB ",
        "5\tGiB", "abc",  "auto",  "1_000", "5m",           "1.5GiB5",     "18446744073709551616"};

    (void)state;
    check_good(quantity_bytes, good, COUNT(good));
    check_bad(quantity_bytes, bad, COUNT(bad));
    uint64_t value;
    assert_true(quantity_bytes(&value, "12GiB", 2)); /* the length counts, not a zero */
    assert_int_equal(value, 12);
}

static void times(void **state)
{
    static const good_t good[] = {{"0", 0},          {"60", 60000},  {"500ms", 500},
                                  {"30s", 30000},    {"5m", 300000}, {"1h", 3600000},
                                  {"1.5h", 5400000}, {"0.25s", 250}, {"7d", 604800000},
                                  {"10 m", 600000},  {"0.0001s", 0}, {"0s", 0}};
    static const char *const bad[] = {"",  "m",    "5M",    "1.5",  "1.5ms",        "-5s",
                                      "x", "5min", "1h30m", "5GiB", "213503982335d"};

    (void)state;
    check_good(quantity_milliseconds, good, COUNT(good));
    check_bad(quantity_milliseconds, bad, COUNT(bad));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(times)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

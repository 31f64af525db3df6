/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/quantity.h"

#include <string.h>

enum { MAX_FRACTION_DIGITS = 6, MILLION = 1000000 };

typedef struct {
    const char *name;
    uint64_t factor;
} unit_t;

static const unit_t byte_units[] = {
    {"", 1},
    {"KiB", (uint64_t)1 << 10},
    {"MiB", (uint64_t)1 << 20},
    {"GiB", (uint64_t)1 << 30},
    {"TiB", (uint64_t)1 << 40},
    {"KB", 1000},
    {"MB", 1000 * 1000},
    {"GB", 1000 * 1000 * 1000},
    {"TB", (uint64_t)1000 * 1000 * 1000 * 1000},
};

static const unit_t time_units[] = {
    {"", 1000},       {"ms", 1},          {"s", 1000},
    {"m", 60 * 1000}, {"h", 3600 * 1000}, {"d", 24 * 3600 * 1000},
};

static size_t count_digits(const char *text, size_t length)
{
    size_t n = 0;

    while (n < length && text[n] >= '0' && text[n] <= '9') n++;
    return n;
}

static bool read_digits(uint64_t *value, const char *text, size_t n)
{
    *value = 0;
    for (size_t i = 0; i < n; i++)
        if (__builtin_mul_overflow(*value, 10u, value) ||
            __builtin_add_overflow(*value, (uint64_t)(text[i] - '0'), value))
            return false;
    return n > 0;
}

/* *millionths of the digits behind a point at text; *n = the characters they take, 0 for none. */
static bool read_fraction(uint64_t *millionths, size_t *n, const char *text, size_t length)
{
    *millionths = 0;
    *n = 0;
    if (length == 0 || text[0] != '.') return true;
    const size_t digits = count_digits(text + 1, length - 1);
    if (digits > MAX_FRACTION_DIGITS || !read_digits(millionths, text + 1, digits)) return false;
    for (size_t i = digits; i < MAX_FRACTION_DIGITS; i++) *millionths *= 10;
    *n = 1 + digits;
    return true;
}

static const unit_t *find_unit(const unit_t *units, size_t n, const char *name, size_t length)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(units[i].name) == length && memcmp(units[i].name, name, length) == 0)
            return &units[i];
    return NULL;
}

static bool parse(uint64_t *value, const char *text, size_t length, const unit_t *units, size_t n)
{
    uint64_t millionths;
    size_t taken;
    const size_t digits = count_digits(text, length);

    if (!read_digits(value, text, digits) ||
        !read_fraction(&millionths, &taken, text + digits, length - digits))
        return false;
    const char *name = text + digits + taken;
    size_t left = length - digits - taken;
    for (; left > 1 && *name == ' '; left--) name++;
    const unit_t *unit = find_unit(units, n, name, left);
    if (unit == NULL) return false;
    if (taken > 0 && (left == 0 || unit->factor == 1)) return false;
    return !__builtin_mul_overflow(*value, unit->factor, value) &&
           !__builtin_add_overflow(*value, unit->factor * millionths / MILLION, value);
}

bool quantity_bytes(uint64_t *value, const char *text, size_t length)
{
    return parse(value, text, length, byte_units, sizeof byte_units / sizeof byte_units[0]);
}

bool quantity_milliseconds(uint64_t *value, const char *text, size_t length)
{
    return parse(value, text, length, time_units, sizeof time_units / sizeof time_units[0]);
}

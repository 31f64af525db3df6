/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* One value of the configuration: from TOML to its field. */

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/quantity.h"
#include "daemon/config_rows.h"
#include "options/options.h"

static_assert(sizeof(disconnect_rule) == sizeof(uint32_t) &&
                  sizeof(cuzk_log_level) == sizeof(uint32_t) &&
                  sizeof(log_format) == sizeof(uint32_t),
              "choices are kept as uint32_t");

enum { SHOWN_BYTES = 96 };

typedef struct {
    const char *name;
    uint64_t factor;
} shown_unit_t;

/* A number in the largest unit that it is a whole number of. */
static void print_in_units(char *text, size_t size, uint64_t value, const shown_unit_t *units)
{
    while (units->factor > 1 && (value % units->factor != 0 || value == 0)) units++;
    (void)snprintf(text, size, "%llu%s", (unsigned long long)(value / units->factor), units->name);
}

static void print_bound(char *text, size_t size, const config_row_t *row, uint64_t value)
{
    static const shown_unit_t sizes[] = {{"TiB", (uint64_t)1 << 40},
                                         {"GiB", (uint64_t)1 << 30},
                                         {"MiB", (uint64_t)1 << 20},
                                         {"KiB", (uint64_t)1 << 10},
                                         {" bytes", 1}};
    static const shown_unit_t times[] = {
        {"d", 86400000}, {"h", 3600000}, {"m", 60000}, {"s", 1000}, {"ms", 1}};

    if (row->type == CONFIG_SIZE || row->type == CONFIG_BUDGET)
        print_in_units(text, size, value, sizes);
    else
        print_in_units(text, size, value, times);
}

static void list_words(char *text, size_t size, const char *words)
{
    size_t used = 0;

    while (words != NULL && used < size) {
        const char *word = words;
        const int length = (int)option_next_word(&words);

        used += (size_t)snprintf(text + used, size - used, "%s\"%.*s\"",
                                 used == 0       ? ""
                                 : words == NULL ? " or "
                                                 : ", ",
                                 length, word);
    }
}

void config_describe_type(char *text, size_t size, const config_row_t *row)
{
    char min[32], max[32];

    print_bound(min, sizeof min, row, row->min);
    print_bound(max, sizeof max, row, row->max);
    switch (row->type) {
    case CONFIG_TEXT:
        (void)snprintf(text, size, "a string");
        break;
    case CONFIG_MODE:
        (void)snprintf(text, size, "octal digits in quotes, from \"0000\" to \"0777\"");
        break;
    case CONFIG_BOOL:
        (void)snprintf(text, size, "true or false");
        break;
    case CONFIG_U32:
    case CONFIG_U64:
        (void)snprintf(text, size, "a whole number from %llu to %llu", (unsigned long long)row->min,
                       (unsigned long long)row->max);
        break;
    case CONFIG_SIZE:
        (void)snprintf(text, size, "a size from %s to %s", min, max);
        break;
    case CONFIG_BUDGET:
        (void)snprintf(text, size, "\"auto\", or a size from %s to %s", min, max);
        break;
    case CONFIG_DURATION:
        (void)snprintf(text, size, "a time from %s to %s", min, max);
        break;
    case CONFIG_CHOICE:
        list_words(text, size, row->words);
        break;
    case CONFIG_DEVICES:
        (void)snprintf(text, size, "a list of at most %d numbers from 0 to %llu",
                       CONFIG_MAX_DEVICES, (unsigned long long)row->max);
        break;
    case CONFIG_OLD:
        (void)snprintf(text, size, "anything");
        break;
    }
}

/* A value as messages show it, cut to what fits. */
static void show(char shown[SHOWN_BYTES], const toml_value_t *value)
{
    static const char *const names[] = {
        [TOML_TABLE] = "a section", [TOML_ARRAY] = "a list", [TOML_TIME] = "a date or time"};
    const bool fits = value->length <= SHOWN_BYTES - 8;

    switch (value->type) {
    case TOML_STRING:
        (void)snprintf(shown, SHOWN_BYTES, "\"%.*s%s\"",
                       (int)(fits ? value->length : SHOWN_BYTES - 8), value->string,
                       fits ? "" : "...");
        break;
    case TOML_INTEGER:
        (void)snprintf(shown, SHOWN_BYTES, "%lld", (long long)value->integer);
        break;
    case TOML_FLOAT:
        (void)snprintf(shown, SHOWN_BYTES, "%g", value->real);
        break;
    case TOML_BOOLEAN:
        (void)snprintf(shown, SHOWN_BYTES, "%s", value->boolean ? "true" : "false");
        break;
    case TOML_TABLE:
    case TOML_ARRAY:
    case TOML_TIME:
        (void)snprintf(shown, SHOWN_BYTES, "%s", names[value->type]);
        break;
    }
}

static cuzk_status refuse(const config_row_t *row, const toml_value_t *value, cuzk_error *err)
{
    char shown[SHOWN_BYTES], wanted[160];

    show(shown, value);
    config_describe_type(wanted, sizeof wanted, row);
    return error_set(err, CUZK_ERR_ARG, "%s: expected %s", shown, wanted);
}

static cuzk_status set_text(char *field, const toml_value_t *value, cuzk_error *err)
{
    if (value->length >= CONFIG_TEXT_BYTES)
        return error_set(err, CUZK_ERR_ARG, "%zu bytes, %d allowed", value->length,
                         CONFIG_TEXT_BYTES - 1);
    for (size_t i = 0; i < value->length; i++)
        if ((unsigned char)value->string[i] < 0x20 || value->string[i] == 0x7f)
            return error_set(err, CUZK_ERR_ARG, "character %zu is a control character", i + 1);
    memcpy(field, value->string, value->length);
    field[value->length] = '\0';
    return CUZK_OK;
}

/* The number that the value stands for, in the field's unit. */
static bool read_number(uint64_t *number, const config_row_t *row, const toml_value_t *value)
{
    const bool is_string = value->type == TOML_STRING;
    const uint64_t unit = row->type == CONFIG_DURATION ? 1000 : 1;

    *number = 0;
    if (row->type == CONFIG_BUDGET && is_string && value->length == 4 &&
        memcmp(value->string, "auto", 4) == 0)
        return true;
    if (is_string && row->type == CONFIG_DURATION) {
        if (!quantity_milliseconds(number, value->string, value->length)) return false;
    } else if (is_string && (row->type == CONFIG_SIZE || row->type == CONFIG_BUDGET)) {
        if (!quantity_bytes(number, value->string, value->length)) return false;
    } else if (value->type != TOML_INTEGER || value->integer < 0 ||
               __builtin_mul_overflow((uint64_t)value->integer, unit, number)) {
        return false;
    }
    return *number >= row->min && *number <= row->max;
}

static bool read_mode(uint32_t *mode, const config_row_t *row, const toml_value_t *value)
{
    *mode = 0;
    if (value->type != TOML_STRING || value->length < 3 || value->length > 4) return false;
    for (size_t i = 0; i < value->length; i++) {
        if (value->string[i] < '0' || value->string[i] > '7') return false;
        *mode = 8 * *mode + (uint32_t)(value->string[i] - '0');
    }
    return *mode <= row->max;
}

/* Which word it is; letters of either case are the same. */
static bool read_choice(uint32_t *choice, const config_row_t *row, const toml_value_t *value)
{
    const char *words = row->words;

    if (value->type != TOML_STRING) return false;
    for (uint32_t i = 0; words != NULL; i++) {
        const char *word = words;
        const size_t length = option_next_word(&words);

        *choice = i < row->max ? i : (uint32_t)row->max;
        if (value->length == length && strncasecmp(value->string, word, length) == 0) return true;
    }
    return false;
}

typedef struct {
    const config_row_t *row;
    config_t *config;
    const toml_value_t *list;
    cuzk_status status;
    cuzk_error *err;
} devices_t;

static bool add_device(const toml_value_t *value, size_t index, void *arg)
{
    devices_t *d = arg;
    config_t *config = d->config;

    if (index == CONFIG_MAX_DEVICES || value->type != TOML_INTEGER || value->integer < 0 ||
        (uint64_t)value->integer > d->row->max) {
        d->status = refuse(d->row, index == CONFIG_MAX_DEVICES ? d->list : value, d->err);
        return false;
    }
    for (size_t i = 0; i < index; i++) {
        if (config->gpus.devices[i] != (uint64_t)value->integer) continue;
        d->status = error_set(d->err, CUZK_ERR_ARG, "%u: given twice", config->gpus.devices[i]);
        return false;
    }
    config->gpus.devices[index] = (uint32_t)value->integer;
    config->gpus.n_devices = (uint32_t)index + 1;
    return true;
}

static cuzk_status set_devices(config_t *config, const config_row_t *row, const toml_value_t *value,
                               cuzk_error *err)
{
    devices_t d = {row, config, value, CUZK_OK, err};

    if (value->type != TOML_ARRAY) return refuse(row, value, err);
    config->gpus.n_devices = 0;
    toml_shim_items(value, add_device, &d);
    return d.status;
}

cuzk_status config_set_value(config_t *config, const config_row_t *row, const toml_value_t *value,
                             cuzk_error *err)
{
    void *field = (char *)config + row->offset;
    uint64_t number;
    uint32_t word;

    switch (row->type) {
    case CONFIG_TEXT:
        if (value->type == TOML_STRING) return set_text(field, value, err);
        break;
    case CONFIG_BOOL:
        if (value->type != TOML_BOOLEAN) break;
        memcpy(field, &value->boolean, sizeof value->boolean);
        return CUZK_OK;
    case CONFIG_MODE:
    case CONFIG_CHOICE:
        if (!(row->type == CONFIG_MODE ? read_mode : read_choice)(&word, row, value)) break;
        memcpy(field, &word, sizeof word);
        return CUZK_OK;
    case CONFIG_U32:
        if (!read_number(&number, row, value)) break;
        word = (uint32_t)number;
        memcpy(field, &word, sizeof word);
        return CUZK_OK;
    case CONFIG_U64:
    case CONFIG_SIZE:
    case CONFIG_BUDGET:
    case CONFIG_DURATION:
        if (!read_number(&number, row, value)) break;
        memcpy(field, &number, sizeof number);
        return CUZK_OK;
    case CONFIG_DEVICES:
        return set_devices(config, row, value, err);
    case CONFIG_OLD:
        return CUZK_OK;
    }
    return refuse(row, value, err);
}

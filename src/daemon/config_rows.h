/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DAEMON_CONFIG_ROWS_H
#define CUZK_DAEMON_CONFIG_ROWS_H

/* The keys of the configuration: one row gives each its type, bounds, default and explanation. */

#include "daemon/config.h"
#include "daemon/toml_shim.h"

typedef enum {
    CONFIG_TEXT,     /* config_text */
    CONFIG_MODE,     /* uint32_t: octal digits in quotes */
    CONFIG_BOOL,     /* bool */
    CONFIG_U32,      /* uint32_t */
    CONFIG_U64,      /* uint64_t */
    CONFIG_SIZE,     /* uint64_t: bytes, as quantity_bytes() takes them, or an integer */
    CONFIG_BUDGET,   /* likewise, or "auto", which is 0 */
    CONFIG_DURATION, /* uint64_t: milliseconds, as quantity_milliseconds() takes them, or an integer
                        of seconds */
    CONFIG_CHOICE,   /* an enumeration: which word it is, max at most */
    CONFIG_DEVICES,  /* gpus.devices and n_devices */
    CONFIG_OLD       /* nothing: a deprecated key, whatever its value; help says what to do */
} config_type;

typedef struct {
    const char *section, *name;
    config_type type;
    size_t offset;     /* of its field in config_t */
    uint64_t min, max; /* bounds of numbers, in the field's unit */
    const char *value; /* the default, as TOML */
    const char *words; /* of a choice: "one|another|..." */
    const char *help;  /* lines */
} config_row_t;

extern const config_row_t config_rows[];
extern const size_t config_n_rows;

/** Room for "section.key" of any row. */
enum { CONFIG_KEY_BYTES = 64 };

/** key = "section.name". */
void config_key(char key[CONFIG_KEY_BYTES], const config_row_t *row);

/** The row of a key, NULL when there is none. Names need not be zero-terminated. */
const config_row_t *config_find(const char *section, size_t section_length, const char *name,
                                size_t name_length);

/** Whether there is a section of that name. */
bool config_has_section(const char *section, size_t length);

/** The key, or the section, that a wrong "section.key" (or "section") was perhaps meant to be;
 *  false when none is near. */
bool config_nearest(char key[CONFIG_KEY_BYTES], const char *wrong);

/** Sets the row's field from a value. CUZK_ERR_ARG: the text names the value and the limit, not the
 *  key. */
cuzk_status config_set_value(config_t *config, const config_row_t *row, const toml_value_t *value,
                             cuzk_error *err);

/** What the row's values are, in words: "a whole number from 1 to 256". */
void config_describe_type(char *text, size_t size, const config_row_t *row);

#endif

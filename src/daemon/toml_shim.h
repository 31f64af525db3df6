/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DAEMON_TOML_SHIM_H
#define CUZK_DAEMON_TOML_SHIM_H

/* toml++'s parser as C functions; of use to config.c only. No exception is let through. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    TOML_TABLE,
    TOML_ARRAY,
    TOML_STRING,
    TOML_INTEGER,
    TOML_FLOAT,
    TOML_BOOLEAN,
    TOML_TIME /* a date, a time, or both */
} toml_type;

/** Counted from 1. */
typedef struct {
    uint32_t line, column;
} toml_place_t;

/** A value of the document; lives until the call that handed it out returns. */
typedef struct {
    toml_type type;
    toml_place_t place;
    const char *string; /* TOML_STRING: length bytes of UTF-8, not zero-terminated */
    size_t length;
    int64_t integer;  /* TOML_INTEGER */
    double real;      /* TOML_FLOAT */
    bool boolean;     /* TOML_BOOLEAN */
    const void *node; /* for toml_shim_members() and toml_shim_items() */
} toml_value_t;

typedef enum { TOML_GOOD, TOML_BAD, TOML_NO_MEMORY } toml_outcome;

/** Why a text is no TOML, and where. */
typedef struct {
    toml_place_t place;
    char text[256];
} toml_fault_t;

/** Each of these gets a value and goes on when it returns true. */
typedef bool (*toml_root_fn)(const toml_value_t *root, void *arg);
typedef bool (*toml_member_fn)(const toml_value_t *value, const char *name, size_t length,
                               toml_place_t key, void *arg);
typedef bool (*toml_item_fn)(const toml_value_t *value, size_t index, void *arg);

/** Reads a document and hands out its table. TOML_BAD fills in *fault. */
toml_outcome toml_shim_document(const char *text, size_t length, toml_root_fn visit, void *arg,
                                toml_fault_t *fault);

/** Walks a table in the order of the text, to its end or to the first visitor that returns false.
 */
toml_outcome toml_shim_members(const toml_value_t *table, toml_member_fn visit, void *arg);
void toml_shim_items(const toml_value_t *array, toml_item_fn visit, void *arg);

#ifdef __cplusplus
}
#endif
#endif

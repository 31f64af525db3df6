/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "daemon/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "daemon/config_rows.h"
#include "options/options.h"

enum {
    MAX_FILE_BYTES = 1 << 20,
    /* Each may be a level of nesting, and levels are given up one within the other. */
    MAX_DOTS = 4096,
    DEFAULT_PARALLEL_SYNTHESIS = 18
};

/* A file, or a text, that is being read. */
typedef struct {
    config_t *config;
    const char *name;
    config_warn warn;
    void *warn_arg;
    const char *section; /* the one whose keys are being read */
    size_t section_length;
    cuzk_status status;
    cuzk_error *err;
} reading_t;

/* The place goes before what the error says; ends the reading. */
static bool stop_at(reading_t *r, toml_place_t place, cuzk_status status)
{
    r->status = status;
    (void)error_within(r->err, "%s:%u:%u", r->name, place.line, place.column);
    return false;
}

static bool no_memory(reading_t *r, toml_outcome outcome)
{
    if (outcome != TOML_NO_MEMORY) return false;
    r->status = error_set(r->err, CUZK_ERR_MEMORY, "%s: no memory to read it", r->name);
    return true;
}

/* what: "key" or "section". */
static bool stop_at_unknown(reading_t *r, toml_place_t place, const char *name, size_t length,
                            const char *what)
{
    char full[2 * CONFIG_KEY_BYTES], near[CONFIG_KEY_BYTES];
    const int section_length = (int)r->section_length;

    (void)snprintf(full, sizeof full, "%.*s%s%.*s", section_length, r->section,
                   section_length > 0 ? "." : "",
                   (int)(length < sizeof full ? length : sizeof full), name);
    if (config_nearest(near, full))
        (void)error_set(r->err, CUZK_ERR_ARG, "%s: no such %s; did you mean %s?", full, what, near);
    else
        (void)error_set(r->err, CUZK_ERR_ARG, "%s: no such %s", full, what);
    return stop_at(r, place, CUZK_ERR_ARG);
}

static void warn_of_old(const reading_t *r, toml_place_t place, const config_row_t *row)
{
    cuzk_error text;
    char key[CONFIG_KEY_BYTES];

    config_key(key, row);
    (void)error_set(&text, CUZK_OK, "%s:%u:%u: %s: deprecated and ignored: %s", r->name, place.line,
                    place.column, key, row->help);
    if (r->warn != NULL) r->warn(r->warn_arg, text.text);
}

static bool read_key(const toml_value_t *value, const char *name, size_t length, toml_place_t place,
                     void *arg)
{
    reading_t *r = arg;
    const config_row_t *row = config_find(r->section, r->section_length, name, length);
    char key[CONFIG_KEY_BYTES];

    if (row == NULL) return stop_at_unknown(r, place, name, length, "key");
    if (row->type == CONFIG_OLD) {
        warn_of_old(r, place, row);
        return true;
    }
    if (config_set_value(r->config, row, value, r->err) != CUZK_OK) {
        config_key(key, row);
        (void)error_within(r->err, "%s", key);
        return stop_at(r, value->place, r->err->status);
    }
    if (strcmp(row->name, "param_cache") == 0) r->config->srs.source = "srs.param_cache";
    return true;
}

static bool read_section(const toml_value_t *value, const char *name, size_t length,
                         toml_place_t place, void *arg)
{
    reading_t *r = arg;

    if (!config_has_section(name, length)) {
        r->section_length = 0;
        return stop_at_unknown(r, place, name, length,
                               value->type == TOML_TABLE ? "section" : "key");
    }
    if (value->type != TOML_TABLE) {
        (void)error_set(r->err, CUZK_ERR_ARG, "%.*s: is a section: [%.*s]", (int)length, name,
                        (int)length, name);
        return stop_at(r, place, CUZK_ERR_ARG);
    }
    r->section = name;
    r->section_length = length;
    return !no_memory(r, toml_shim_members(value, read_key, r)) && r->status == CUZK_OK;
}

static bool read_root(const toml_value_t *root, void *arg)
{
    return !no_memory(arg, toml_shim_members(root, read_section, arg));
}

static cuzk_status check_dots(const char *name, const char *text, size_t length, cuzk_error *err)
{
    size_t dots = 0;

    for (size_t i = 0; i < length; i++) dots += text[i] == '.';
    if (dots <= MAX_DOTS) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT, "%s: %zu dots, %d allowed", name, dots, (int)MAX_DOTS);
}

cuzk_status config_read_bytes(config_t *config, const char *name, const char *text, size_t length,
                              config_warn warn, void *arg, cuzk_error *err)
{
    reading_t r = {.config = config, .name = name, .warn = warn, .warn_arg = arg, .err = err};
    toml_fault_t fault;

    const cuzk_status st = check_dots(name, text, length, err);
    if (st != CUZK_OK) return st;
    const toml_outcome outcome = toml_shim_document(text, length, read_root, &r, &fault);
    if (outcome == TOML_BAD)
        return error_set(err, CUZK_ERR_FORMAT, "%s:%u:%u: %s", name, fault.place.line,
                         fault.place.column, fault.text);
    (void)no_memory(&r, outcome);
    if (config->pipeline.max_parallel_synthesis == 0)
        config->pipeline.max_parallel_synthesis = DEFAULT_PARALLEL_SYNTHESIS;
    return r.status;
}

cuzk_status config_read(config_t *config, const char *path, config_warn warn, void *arg,
                        cuzk_error *err)
{
    file_t file;
    cuzk_status st = file_open(&file, path, err);

    if (st != CUZK_OK) return st;
    if (file.length > MAX_FILE_BYTES) {
        st = error_set(err, CUZK_ERR_FORMAT, "%s: %llu bytes, %d allowed", path,
                       (unsigned long long)file.length, (int)MAX_FILE_BYTES);
    } else {
        char *text = malloc((size_t)file.length + 1);

        st = text == NULL ? error_set(err, CUZK_ERR_MEMORY, "%s: no memory to read it", path)
                          : file_read_at(&file, text, (size_t)file.length, 0, err);
        if (st == CUZK_OK)
            st = config_read_bytes(config, path, text, (size_t)file.length, warn, arg, err);
        free(text);
    }
    file_close(&file);
    return st;
}

/* ---- from elsewhere ---------------------------------------------------------------------------
 */

static const config_row_t *find_row(const char *key)
{
    const char *dot = strchr(key, '.');

    if (dot == NULL) return NULL;
    return config_find(key, (size_t)(dot - key), dot + 1, strlen(dot + 1));
}

static cuzk_status set(config_t *config, const char *key, const toml_value_t *value,
                       const char *source, cuzk_error *err)
{
    const config_row_t *row = find_row(key);

    if (row == NULL) return error_set(err, CUZK_ERR_INTERNAL, "%s: no such key", key);
    if (config_set_value(config, row, value, err) != CUZK_OK)
        return error_within(err, "%s", source);
    if (strcmp(key, "srs.param_cache") == 0) config->srs.source = source;
    return CUZK_OK;
}

cuzk_status config_set(config_t *config, const char *key, const char *text, const char *source,
                       cuzk_error *err)
{
    const toml_value_t value = {.type = TOML_STRING, .string = text, .length = strlen(text)};

    return set(config, key, &value, source, err);
}

/* A directive of $RUST_LOG, "debug" or "target=debug". The one for our own names goes before the
 * one for all, and those for others are not ours. *specific: one for our names was there. */
static cuzk_status apply_directive(config_t *config, const char *word, size_t length,
                                   bool *specific, cuzk_error *err)
{
    static const char source[] = "$RUST_LOG", key[] = "logging.level";
    const char *equals = memchr(word, '=', length);
    toml_value_t value = {.type = TOML_STRING, .string = word, .length = length};
    const config_row_t *row = find_row(key);
    config_t scratch;

    if (equals == NULL) {
        /* A word that is no level names a target, of which all is wanted. */
        if (config_set_value(&scratch, row, &value, err) != CUZK_OK) return CUZK_OK;
        return *specific ? CUZK_OK : set(config, key, &value, source, err);
    }
    if (length < 4 || memcmp(word, "cuzk", 4) != 0) return CUZK_OK;
    *specific = true;
    value.string = equals + 1;
    value.length = length - (size_t)(equals + 1 - word);
    return set(config, key, &value, source, err);
}

static cuzk_status apply_rust_log(config_t *config, const char *text, cuzk_error *err)
{
    bool specific = false;
    cuzk_status st = CUZK_OK;

    while (st == CUZK_OK && *text != '\0') {
        size_t length = strcspn(text, ",");
        const char *next = text + length + (text[length] == ',');

        for (; length > 0 && *text == ' '; length--) text++;
        while (length > 0 && text[length - 1] == ' ') length--;
        if (length > 0) st = apply_directive(config, text, length, &specific, err);
        text = next;
    }
    return st;
}

static cuzk_status apply_gpu_threads(config_t *config, const char *text, cuzk_error *err)
{
    uint64_t number;
    toml_value_t value = {.type = TOML_STRING, .string = text, .length = strlen(text)};

    if (option_parse_u64(&number, text, UINT32_MAX)) {
        value.type = TOML_INTEGER;
        value.integer = (int64_t)number;
    }
    return set(config, "gpus.gpu_threads", &value, "$CUZK_GPU_THREADS", err);
}

/* A variable that is set to something. */
static const char *variable(const char *name)
{
    const char *text = getenv(name);

    return text != NULL && *text != '\0' ? text : NULL;
}

/* What the service manager has made for the daemon; for a user who may not write to the default
 * one, a folder at home. */
static cuzk_status apply_state_folder(config_t *config, cuzk_error *err)
{
    const char *state = variable("STATE_DIRECTORY"), *home = variable("HOME");
    config_text own;

    if (state != NULL) return config_set(config, "store.folder", state, "$STATE_DIRECTORY", err);
    const bool may_write = access(config->store.folder, W_OK | X_OK) == 0;
    if (geteuid() == 0 || may_write || home == NULL) return CUZK_OK;
    (void)snprintf(own, sizeof own, "%s/.cuzk", home);
    return config_set(config, "store.folder", own, "$HOME", err);
}

static cuzk_status apply_environment(config_t *config, cuzk_error *err)
{
    const char *params = variable("FIL_PROOFS_PARAMETER_CACHE");
    const char *threads = variable("CUZK_GPU_THREADS");
    const char *level = variable("RUST_LOG");
    cuzk_status st = CUZK_OK;

    if (params != NULL)
        st = config_set(config, "srs.param_cache", params, "$FIL_PROOFS_PARAMETER_CACHE", err);
    if (st == CUZK_OK) st = apply_state_folder(config, err);
    if (st == CUZK_OK && threads != NULL) st = apply_gpu_threads(config, threads, err);
    if (st == CUZK_OK && level != NULL) st = apply_rust_log(config, level, err);
    return st;
}

/* A file of one key, set to its default. */
static cuzk_status set_default(config_t *config, const config_row_t *row, cuzk_error *err)
{
    char text[256];

    (void)snprintf(text, sizeof text, "[%s]\n%s = %s\n", row->section, row->name, row->value);
    return config_read_bytes(config, "the defaults", text, strlen(text), NULL, NULL, err);
}

cuzk_status config_default(config_t *config, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    memset(config, 0, sizeof *config);
    for (size_t i = 0; i < config_n_rows && st == CUZK_OK; i++)
        if (config_rows[i].type != CONFIG_OLD) st = set_default(config, &config_rows[i], err);
    config->srs.source = "srs.param_cache's default";
    return st == CUZK_OK ? apply_environment(config, err) : st;
}

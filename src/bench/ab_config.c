/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/ab_config.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "options/options.h"

enum { MAX_VALUES = 6, LIST_BYTES = 160 };

/* A key, the option (or variable of the environment) it becomes, and its values. */
typedef struct {
    const char *key;
    const char *option;
    bool in_environment;
    unsigned subjects;
    const char *values[MAX_VALUES]; /* none: a number */
} key_row_t;

/* The one key whose value is a path. */
#define PROGRAM_KEY "program"

static const key_row_t keys[] = {
    {"path", "--path", false, AB_SYNTH, {"generic", "stamped", "pce"}},
    {"lc-storage",
     "--lc-storage",
     false,
     AB_SYNTH,
     {"arena", "vec", "inline1", "inline2", "inline4"}},
    {"presize", "--presize", false, AB_SYNTH, {"on", "off"}},
    {"window", "--window", false, AB_KERNELS | AB_PROVE, {"fixed", "per-msm"}},
    {"bg2", "--bg2", false, AB_PROVE, {"serial", "parallel"}},
    {"threads", "--threads", false, AB_SYNTH | AB_KERNELS | AB_PROVE, {NULL}},
    {"kernels", "CUZK_KERNELS", true, AB_SYNTH | AB_KERNELS | AB_PROVE, {"portable", "ifma"}},
    {PROGRAM_KEY, NULL, false, AB_SYNTH | AB_KERNELS | AB_PROVE, {NULL}},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

static const struct {
    const char *name;
    ab_subject subject;
} subjects[] = {
    {"synth-only", AB_SYNTH},
    {"kernels", AB_KERNELS},
#ifndef CUZK_SYNTH_ONLY
    {"prove", AB_PROVE},
#endif
};

enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

static void append(char *list, size_t size, const char *word)
{
    const size_t used = strlen(list);

    (void)snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", word);
}

static void list_subjects(char list[LIST_BYTES])
{
    list[0] = '\0';
    for (int i = 0; i < SUBJECTS; i++) append(list, LIST_BYTES, subjects[i].name);
}

cuzk_status ab_subject_parse(ab_subject *subject, const char *word, cuzk_error *err)
{
    char list[LIST_BYTES];

    for (int i = 0; i < SUBJECTS; i++) {
        if (strcmp(word, subjects[i].name) != 0) continue;
        *subject = subjects[i].subject;
        return CUZK_OK;
    }
    list_subjects(list);
    return error_set(err, CUZK_ERR_ARG, "\"%s\": is none of %s", word, list);
}

static bool is_program(const key_row_t *row)
{
    return row->option == NULL;
}

static void list_values(char list[LIST_BYTES], const key_row_t *row)
{
    list[0] = '\0';
    if (is_program(row)) append(list, LIST_BYTES, "a path, up to the end of CONFIG");
    for (int i = 0; i < MAX_VALUES && row->values[i] != NULL; i++)
        append(list, LIST_BYTES, row->values[i]);
    if (list[0] == '\0')
        (void)snprintf(list, LIST_BYTES, "a number from %d to %d", AB_MIN_THREADS, AB_MAX_THREADS);
}

static void list_keys(char list[LIST_BYTES], unsigned subject)
{
    list[0] = '\0';
    for (int i = 0; i < KEYS; i++)
        if (keys[i].subjects & subject) append(list, LIST_BYTES, keys[i].key);
}

static bool is_value(const key_row_t *row, const char *value)
{
    if (is_program(row)) return *value != '\0';
    for (int i = 0; i < MAX_VALUES && row->values[i] != NULL; i++)
        if (strcmp(value, row->values[i]) == 0) return true;
    uint64_t number;
    return row->values[0] == NULL && option_parse_u64(&number, value, AB_MAX_THREADS) &&
           number >= AB_MIN_THREADS;
}

static const key_row_t *find_key(const char *key, unsigned subject)
{
    for (int i = 0; i < KEYS; i++)
        if (strcmp(key, keys[i].key) == 0 && (keys[i].subjects & subject)) return &keys[i];
    return NULL;
}

static bool has_key(const ab_config_t *config, const key_row_t *row)
{
    if (is_program(row)) return config->program != NULL;
    if (row->in_environment) return config->environment != NULL;
    for (uint32_t i = 0; i < config->n_args; i++)
        if (option_is(config->args[i], row->option)) return true;
    return false;
}

/* One KEY=VALUE; *at is where its word goes, and is moved behind it. */
static cuzk_status add_pair(ab_config_t *config, char **at, const char *option, char *pair,
                            ab_subject subject, cuzk_error *err)
{
    char *value = strchr(pair, '=');
    char list[LIST_BYTES];

    if (value == NULL)
        return error_set(err, CUZK_ERR_ARG,
                         "%s: \"%s\" is no KEY=VALUE (\"default\" changes nothing)", option, pair);
    *value++ = '\0';
    const key_row_t *row = find_key(pair, subject);
    if (row == NULL) {
        list_keys(list, subject);
        return error_set(err, CUZK_ERR_ARG, "%s: \"%s\" is none of this command's keys: %s", option,
                         pair, list);
    }
    if (!is_value(row, value)) {
        list_values(list, row);
        return error_set(err, CUZK_ERR_ARG, "%s: %s: \"%s\" is %s %s", option, pair, value,
                         row->values[0] == NULL ? "not" : "none of", list);
    }
    if (has_key(config, row))
        return error_set(err, CUZK_ERR_ARG, "%s: %s: given twice", option, pair);
    char *word = *at;
    if (is_program(row)) {
        *at += sprintf(word, "%s", value) + 1;
        config->program = word;
        return CUZK_OK;
    }
    *at += sprintf(word, "%s=%s", row->option, value) + 1;
    if (row->in_environment)
        config->environment = word;
    else
        config->args[config->n_args++] = word;
    return CUZK_OK;
}

static bool is_program_pair(const char *pair)
{
    return strncmp(pair, PROGRAM_KEY "=", strlen(PROGRAM_KEY "=")) == 0;
}

cuzk_status ab_config_parse(ab_config_t *config, const char *option, const char *text,
                            ab_subject subject, cuzk_error *err)
{
    char copy[AB_CONFIG_BYTES];
    char *at = config->words;
    char *rest = copy;
    cuzk_status st = CUZK_OK;

    *config = (ab_config_t){0};
    if (strlen(text) >= AB_CONFIG_BYTES)
        return error_set(err, CUZK_ERR_ARG, "%s: longer than %d characters", option,
                         AB_CONFIG_BYTES - 1);
    memcpy(config->text, text, strlen(text));
    if (strcmp(text, "default") == 0) return CUZK_OK;
    memcpy(copy, config->text, sizeof copy);
    while (st == CUZK_OK && rest != NULL) {
        char *pair = is_program_pair(rest) ? rest : strsep(&rest, ",");

        if (pair == rest) rest = NULL;
        st = add_pair(config, &at, option, pair, subject, err);
    }
    return st;
}

cuzk_status ab_config_check(const ab_config_t *config, const char *option,
                            const child_args_t *command, cuzk_error *err)
{
    for (int i = 0; i < KEYS; i++) {
        if (keys[i].in_environment || is_program(&keys[i]) || !has_key(config, &keys[i])) continue;
        for (uint32_t k = 0; k < command->n; k++)
            if (option_is(command->args[k], keys[i].option))
                return error_set(err, CUZK_ERR_ARG, "%s: sets %s, which COMMAND has, too", option,
                                 keys[i].option);
    }
    return CUZK_OK;
}

void ab_config_print_keys(void)
{
    char list[LIST_BYTES];
    unsigned all = 0;

    list_subjects(list);
    (void)printf("COMMAND: %s. Keys, their values and the commands that have them:\n\n", list);
    for (int s = 0; s < SUBJECTS; s++) all |= subjects[s].subject;
    for (int i = 0; i < KEYS; i++) {
        if (!(keys[i].subjects & all)) continue;
        list_values(list, &keys[i]);
        (void)printf("  %-12s %-44s", keys[i].key, list);
        for (int s = 0; s < SUBJECTS; s++)
            if (keys[i].subjects & subjects[s].subject) (void)printf(" %s", subjects[s].name);
        (void)printf("\n");
    }
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STATUS_TEST_PROMETHEUS_H
#define CUZK_STATUS_TEST_PROMETHEUS_H

/* A strict reader of Prometheus' text format, version 0.0.4, for tests: it takes less than a server
 * of theirs does. Each family has one HELP and one TYPE line, in that order, then its samples, and
 * comes once; labels and names are well-formed, no sample comes twice, and the buckets of a
 * histogram rise to its count. */

#include <stdbool.h>
#include <stddef.h>

enum { PROMETHEUS_SAMPLES = 1024, PROMETHEUS_FAMILIES = 96 };

typedef struct {
    char key[400]; /* name, or name{labels}, as written */
    size_t name_length;
    double value;
} prometheus_sample_t;

typedef struct {
    char name[80], type[16];
} prometheus_family_t;

typedef struct {
    prometheus_sample_t samples[PROMETHEUS_SAMPLES];
    size_t n_samples;
    prometheus_family_t families[PROMETHEUS_FAMILIES];
    size_t n_families;
    char why[512]; /* after a refusal */
} prometheus_t;

bool prometheus_read(prometheus_t *p, const char *text);

/** A sample's value; not-a-number: there is none. */
double prometheus_value(const prometheus_t *p, const char *key);

/** A family's type; "": there is no such family. */
const char *prometheus_type(const prometheus_t *p, const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SETUP_TEST_PARAMS_H
#define CUZK_SETUP_TEST_PARAMS_H

/* Parameters for tests: those of a toy circuit from secrets that are no secret. To be included
 * after cmocka.h. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "setup/setup.h"
#include "srs/srs.h"
#include "synthesis/toy_circuits.h"

/* Parameters of one circuit in a folder of their own. */
typedef struct {
    char folder[PATH_MAX];
    char params[PATH_MAX + 16];
    char vk[PATH_MAX + 16];
    srs_t srs;
} test_params_t;

static inline void test_params_secrets(setup_secrets_t *secrets)
{
    fr_t *const all[] = {&secrets->alpha, &secrets->beta, &secrets->gamma, &secrets->delta,
                         &secrets->tau};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        fr_from_u64(all[i], 1000 + i);
        fr_inv(all[i], all[i]);
    }
    secrets->g1 = *g1_generator();
    secrets->g2 = *g2_generator();
}

static inline void test_params_make_folder(test_params_t *s)
{
    (void)snprintf(s->folder, sizeof s->folder, CUZK_BINARY_DIR "/test-params-XXXXXX");
    assert_non_null(mkdtemp(s->folder));
    (void)snprintf(s->params, sizeof s->params, "%s/toy.params", s->folder);
    (void)snprintf(s->vk, sizeof s->vk, "%s/toy.vk", s->folder);
}

static inline void test_params_remove_folder(const test_params_t *s)
{
    (void)unlink(s->params);
    (void)unlink(s->vk);
    assert_int_equal(rmdir(s->folder), 0); /* nothing else was left there */
}

static inline void test_params_open(test_params_t *s, circuit_fn circuit, const void *values)
{
    setup_secrets_t secrets;
    cuzk_error err;

    test_params_make_folder(s);
    test_params_secrets(&secrets);
    const setup_outputs_t outputs = {.params_path = s->params, .vk_path = s->vk};
    assert_int_equal(setup_run(&outputs, circuit, values, &secrets, NULL, &err), CUZK_OK);
    assert_int_equal(srs_open(&s->srs, s->params, NULL, &err), CUZK_OK);
}

static inline void test_params_close(test_params_t *s)
{
    srs_close(&s->srs);
    test_params_remove_folder(s);
}

#endif

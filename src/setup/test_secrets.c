/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Nothing of a setup's secrets is left in the process, however it ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/random.h"
#include "field/test_traces_fr.h"
#include "setup/test_params.h"

static const toy_t toy = {.seed = 5,
                          .n_public = 5,
                          .n_bits = 300,
                          .n_chain = 3000,
                          .n_pad = 2,
                          .one_in_b = true,
                          .v_in_b = true,
                          .change = TOY_NO_CHANGE};

/* The secrets, and what tells one of them; drawn anew. */
static void draw(test_traces_t *traces, setup_secrets_t *secrets)
{
    const fr_t *const all[] = {&secrets->alpha, &secrets->beta, &secrets->gamma, &secrets->delta,
                               &secrets->tau};
    cuzk_error err;
    fr_t power;

    *traces = (test_traces_t){0};
    assert_int_equal(setup_random_secrets(secrets, &err), CUZK_OK);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        test_traces_add_fr(traces, all[i]);
        fr_inv(&power, all[i]);
        test_traces_add_fr(traces, &power);
    }
    for (uint64_t i = 2; i < 10; i++) {
        fr_pow_u64(&power, &secrets->tau, i);
        test_traces_add_fr(traces, &power);
    }
    mem_wipe(&power, sizeof power);
    assert_true(test_traces_count(traces) >= 5); /* it finds them where they are */
}

static void give_up(void *arg, const char *section, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    if (strcmp(section, "a") == 0) cancel_request(arg);
}

typedef enum { ENDS_WELL, ENDS_REFUSED, ENDS_CANCELLED, ENDS_EARLY, ENDS } ending;

static void run_to(ending how, strand_t *strand)
{
    static const cuzk_status statuses[ENDS] = {CUZK_OK, CUZK_ERR_ARG, CUZK_CANCELLED, CUZK_ERR_ARG};
    setup_secrets_t secrets;
    test_traces_t traces;
    test_params_t s;
    cancel_t cancel;
    cuzk_error err;

    cancel_init(&cancel, UINT64_MAX);
    test_params_make_folder(&s);
    setup_outputs_t outputs = {.params_path = s.params, .vk_path = s.vk};
    if (how == ENDS_CANCELLED) outputs.progress = give_up;
    outputs.progress_arg = &cancel;
    draw(&traces, &secrets);
    if (how == ENDS_EARLY) secrets.alpha = fr_zero;
    if (strand != NULL) strand_watch(strand, &cancel);
    if (how == ENDS_REFUSED) outputs.vk_path = outputs.params_path = "/dev/null";
    assert_int_equal(setup_run(&outputs, toy_circuit, &toy, &secrets, strand, &err), statuses[how]);
    if (strand != NULL) strand_watch(strand, NULL);
    mem_wipe(&secrets, sizeof secrets);
    assert_int_equal(test_traces_count(&traces), 0);
    test_params_remove_folder(&s);
}

static void serially(void **state)
{
    (void)state;
    for (ending how = ENDS_WELL; how < ENDS; how++)
        if (how != ENDS_CANCELLED) run_to(how, NULL);
}

static void on_threads(void **state)
{
    (void)state;
    for (ending how = ENDS_WELL; how < ENDS; how++) {
        strand_t *strand;
        cuzk_error err;

        assert_int_equal(strand_open(&strand, 3, &err), CUZK_OK);
        run_to(how, strand);
        strand_close(strand);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(serially), cmocka_unit_test(on_threads)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

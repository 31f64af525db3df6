/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "cuzk/cuzk.h"

static void contexts_open_with_and_without_options(void **unused)
{
    const cuzk_options all = {.threads = 1, .compiled_folder = CUZK_BINARY_DIR};
    cuzk_context *context;
    cuzk_error err;

    (void)unused;
    assert_int_equal(cuzk_open(&context, NULL, &err), CUZK_OK);
    cuzk_close(context);
    assert_int_equal(cuzk_open(&context, &all, &err), CUZK_OK);
    cuzk_close(context);
    cuzk_close(NULL);
}

static void a_folder_of_compiled_circuits_must_be_one(void **unused)
{
    static const char *const folders[] = {CUZK_SOURCE_DIR "/nowhere",
                                          CUZK_SOURCE_DIR "/CMakeLists.txt",
                                          CUZK_SOURCE_DIR "/CMakeLists.txt/x", ""};
    static const char *const why[] = {"No such file or directory", "is no folder",
                                      "Not a directory", "No such file or directory"};

    (void)unused;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const cuzk_options options = {.compiled_folder = folders[i]};
        cuzk_context *context;
        char text[512];
        cuzk_error err;

        assert_int_equal(cuzk_open(&context, &options, &err), CUZK_ERR_MISSING);
        assert_null(context);
        (void)snprintf(text, sizeof text, "folder of compiled circuits: \"%s\": %s", folders[i],
                       why[i]);
        assert_string_equal(err.text, text);
    }
}

static void too_many_threads_are_refused(void **unused)
{
    const cuzk_options options = {.threads = 1025};
    cuzk_context *context;
    cuzk_error err;

    (void)unused;
    assert_int_equal(cuzk_open(&context, &options, &err), CUZK_ERR_ARG);
    assert_null(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts_open_with_and_without_options),
        cmocka_unit_test(a_folder_of_compiled_circuits_must_be_one),
        cmocka_unit_test(too_many_threads_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

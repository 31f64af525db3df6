/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/child.h"

static cuzk_status run_shell(uint8_t **out, size_t *length, const char *script, const char *set,
                             cuzk_error *err)
{
    child_args_t args = {0};

    assert_int_equal(child_add(&args, "sh", err), CUZK_OK);
    assert_int_equal(child_add(&args, "-c", err), CUZK_OK);
    assert_int_equal(child_add(&args, script, err), CUZK_OK);
    return child_run(out, length, &args, set, err);
}

static void output_comes_whole_with_zeros_after_it(void **state)
{
    static const uint8_t zeros[64];
    uint8_t *out;
    size_t length;
    cuzk_error err;

    (void)state;
    assert_int_equal(run_shell(&out, &length, "printf 'a\\nb'", NULL, &err), CUZK_OK);
    assert_int_equal(length, 3);
    assert_memory_equal(out, "a\nb", 3);
    assert_memory_equal(out + 3, zeros, sizeof zeros);
    free(out);
    assert_int_equal(run_shell(&out, &length, "head -c 300000 /dev/zero | tr '\\0' x", NULL, &err),
                     CUZK_OK);
    assert_int_equal(length, 300000);
    for (size_t i = 0; i < length; i++) assert_int_equal(out[i], 'x');
    assert_memory_equal(out + length, zeros, sizeof zeros);
    free(out);
}

static void a_variable_is_set_for_the_child_alone(void **state)
{
    uint8_t *out;
    size_t length;
    cuzk_error err;

    (void)state;
    assert_int_equal(run_shell(&out, &length, "printf %s \"$CHILD_TEST\"", "CHILD_TEST=seen", &err),
                     CUZK_OK);
    assert_int_equal(length, 4);
    assert_memory_equal(out, "seen", 4);
    free(out);
    assert_null(getenv("CHILD_TEST"));
}

static void other_ends_are_errors(void **state)
{
    static const struct {
        const char *script;
        cuzk_status status;
        const char *words;
    } rows[] = {
        {"exit 1", CUZK_ERR_INTERNAL, "exit code 1"},  {"exit 2", CUZK_ERR_ARG, "exit code 2"},
        {"exit 3", CUZK_ERR_INTERNAL, "exit code 3"},  {"exit 9", CUZK_ERR_INTERNAL, "exit code 9"},
        {"kill -9 $$", CUZK_ERR_INTERNAL, "signal 9"},
    };
    child_args_t args = {0};
    uint8_t *out;
    size_t length;
    cuzk_error err;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(run_shell(&out, &length, rows[i].script, NULL, &err), rows[i].status);
        assert_non_null(strstr(err.text, rows[i].words));
    }
    assert_int_equal(child_add(&args, "no-such-program-of-ours", &err), CUZK_OK);
    assert_int_equal(child_run(&out, &length, &args, NULL, &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, "no-such-program-of-ours"));
}

static void too_many_words_are_refused(void **state)
{
    child_args_t args = {0};
    cuzk_error err;

    (void)state;
    for (int i = 0; i < CHILD_MAX_ARGS - 1; i++)
        assert_int_equal(child_add(&args, "x", &err), CUZK_OK);
    assert_int_equal(child_add(&args, "x", &err), CUZK_ERR_ARG);
    assert_null(args.args[args.n]);
}

static void scratch_folders_are_removed_with_their_files(void **state)
{
    temporary_t folder, other;
    char path[CHILD_PATH_BYTES + 8], kept[CHILD_PATH_BYTES + 8];
    cuzk_error err;

    (void)state;
    assert_int_equal(scratch_make(&folder, &err), CUZK_OK);
    assert_int_equal(scratch_make(&other, &err), CUZK_OK);
    assert_string_not_equal(folder.path, other.path);
    (void)snprintf(path, sizeof path, "%s/file", folder.path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    *strrchr(strcpy(kept, path), '/') = '\0';
    scratch_remove(&folder);
    assert_int_not_equal(access(kept, F_OK), 0);
    assert_int_equal(access(other.path, F_OK), 0);
    (void)strcpy(kept, other.path);
    scratch_remove(&other);
    scratch_remove(&other);
    assert_int_not_equal(access(kept, F_OK), 0);
}

static void a_temporary_place_that_is_not_there_is_named(void **state)
{
    temporary_t folder;
    const char *before = getenv("TMPDIR");
    char *kept = before != NULL ? strdup(before) : NULL;
    cuzk_error err;

    (void)state;
    assert_int_equal(setenv("TMPDIR", "/no/such/place", 1), 0);
    assert_int_equal(scratch_make(&folder, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "TMPDIR"));
    assert_non_null(strstr(err.text, "/no/such/place"));
    assert_null(folder.path);
    assert_int_equal(kept != NULL ? setenv("TMPDIR", kept, 1) : unsetenv("TMPDIR"), 0);
    free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_comes_whole_with_zeros_after_it),
        cmocka_unit_test(a_variable_is_set_for_the_child_alone),
        cmocka_unit_test(other_ends_are_errors),
        cmocka_unit_test(too_many_words_are_refused),
        cmocka_unit_test(scratch_folders_are_removed_with_their_files),
        cmocka_unit_test(a_temporary_place_that_is_not_there_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

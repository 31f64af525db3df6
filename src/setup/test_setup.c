/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "setup/test_params.h"

static const toy_t base_toy = {.seed = 5,
                               .n_public = 5,
                               .n_bits = 9,
                               .n_chain = 11,
                               .n_pad = 2,
                               .one_in_b = true,
                               .v_in_b = true,
                               .change = TOY_NO_CHANGE};

/* The parameters hold up to a full check, and the .vk file has the same key. */
static void test_files(void **state)
{
    const srs_check_t how = {.subgroup = true};
    cuzk_error err;
    srs_vk_t vk;
    test_params_t s;

    (void)state;
    test_params_open(&s, toy_circuit, &base_toy);
    assert_int_equal(srs_check_points(&s.srs, &how, NULL, &err), CUZK_OK);
    assert_int_equal(srs_vk_read(&vk, s.vk, NULL, &err), CUZK_OK);
    assert_int_equal(vk.n_ic, s.srs.vk.n_ic);
    assert_memory_equal(vk.ic, s.srs.vk.ic, vk.n_ic * sizeof *vk.ic);
    assert_memory_equal(&vk.delta_g2, &s.srs.vk.delta_g2, sizeof vk.delta_g2);
    srs_vk_clear(&vk);
    test_params_close(&s);
}

static void unconstrained(cs_t *cs, const void *values)
{
    (void)values;
    (void)cs_alloc(cs, &fr_one);
}

static void expect_setup_refused(circuit_fn circuit, const setup_secrets_t *secrets,
                                 const char *part)
{
    cuzk_error err;
    test_params_t s;

    test_params_make_folder(&s);
    const setup_outputs_t outputs = {.params_path = s.params, .vk_path = s.vk};
    assert_int_equal(setup_run(&outputs, circuit, &base_toy, secrets, NULL, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, part));
    assert_int_not_equal(access(s.params, F_OK), 0);
    assert_int_not_equal(access(s.vk, F_OK), 0);
    test_params_remove_folder(&s);
}

static void test_setup_refuses(void **state)
{
    setup_secrets_t secrets;
    setup_secrets_t changed;

    (void)state;
    test_params_secrets(&secrets);
    expect_setup_refused(unconstrained, &secrets, "variable 1 ");
    changed = secrets;
    changed.alpha = fr_zero;
    expect_setup_refused(toy_circuit, &changed, "alpha");
    changed = secrets;
    changed.delta = fr_zero;
    expect_setup_refused(toy_circuit, &changed, "delta");
    changed = secrets;
    fr_root_of_unity(&changed.tau, 5); /* the domain of base_toy has 2^5 points */
    expect_setup_refused(toy_circuit, &changed, "tau");
    changed = secrets;
    changed.g1 = (g1_affine_t){0};
    expect_setup_refused(toy_circuit, &changed, "g1");
    changed = secrets;
    changed.g2.x.fp[0] = changed.g2.x.fp[1];
    expect_setup_refused(toy_circuit, &changed, "g2");
}

static void test_setup_keeps_files(void **state)
{
    setup_secrets_t secrets;
    cuzk_error err;
    test_params_t s;

    (void)state;
    test_params_open(&s, toy_circuit, &base_toy);
    assert_int_equal(setup_random_secrets(&secrets, &err), CUZK_OK);
    setup_outputs_t outputs = {.params_path = s.params};
    assert_int_equal(setup_run(&outputs, toy_circuit, &base_toy, &secrets, NULL, &err),
                     CUZK_ERR_ARG);
    outputs.replace = true;
    assert_int_equal(setup_run(&outputs, toy_circuit, &base_toy, &secrets, NULL, &err), CUZK_OK);

    outputs.vk_path = CUZK_BINARY_DIR "/nothing-here/toy.vk";
    assert_int_equal(setup_run(&outputs, toy_circuit, &base_toy, &secrets, NULL, &err),
                     CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, outputs.vk_path));

    /* other secrets, another key */
    srs_t fresh;
    assert_int_equal(srs_open(&fresh, s.params, NULL, &err), CUZK_OK);
    assert_memory_not_equal(&fresh.vk.alpha_g1, &s.srs.vk.alpha_g1, sizeof fresh.vk.alpha_g1);
    assert_memory_not_equal(&fresh.vk.delta_g2, &s.srs.vk.delta_g2, sizeof fresh.vk.delta_g2);
    srs_close(&fresh);
    test_params_close(&s);
}

/* What the disk has; f_frsize 0: what it really has. */
static struct statvfs disk;

int __real_fstatvfs(int fd, struct statvfs *out);
int __wrap_fstatvfs(int fd, struct statvfs *out);

int __wrap_fstatvfs(int fd, struct statvfs *out)
{
    if (disk.f_frsize == 0) return __real_fstatvfs(fd, out);
    *out = disk;
    return 0;
}

static uint64_t bytes_of(const char *path)
{
    struct stat info;

    assert_int_equal(stat(path, &info), 0);
    return (uint64_t)info.st_size;
}

/* The bytes that are asked for are those that the files have. */
static void test_setup_knows_its_size(void **state)
{
    setup_secrets_t secrets;
    unsigned long long needed, free_bytes;
    cuzk_error err;
    test_params_t s;

    (void)state;
    test_params_make_folder(&s);
    test_params_secrets(&secrets);
    for (int has_vk = 0; has_vk < 2; has_vk++) {
        const setup_outputs_t outputs = {
            .params_path = s.params, .vk_path = has_vk ? s.vk : NULL, .replace = true};

        disk = (struct statvfs){.f_frsize = 1, .f_blocks = 1000, .f_bfree = 77, .f_bavail = 77};
        assert_int_equal(setup_run(&outputs, toy_circuit, &base_toy, &secrets, NULL, &err),
                         CUZK_ERR_IO);
        assert_ptr_equal(strstr(err.text, s.params), err.text);
        assert_int_equal(sscanf(err.text + strlen(s.params),
                                ": needs %llu bytes, and %llu are free", &needed, &free_bytes),
                         2);
        assert_int_equal(free_bytes, 77);
        disk.f_bfree = disk.f_bavail = needed - 1;
        assert_int_equal(setup_run(&outputs, toy_circuit, &base_toy, &secrets, NULL, &err),
                         CUZK_ERR_IO);
        disk.f_bfree = disk.f_bavail = needed;
        assert_int_equal(setup_run(&outputs, toy_circuit, &base_toy, &secrets, NULL, &err),
                         CUZK_OK);
        disk.f_frsize = 0;
        assert_int_equal(needed, bytes_of(s.params) + (has_vk ? bytes_of(s.vk) : 0));
    }
    test_params_remove_folder(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files), cmocka_unit_test(test_setup_refuses),
        cmocka_unit_test(test_setup_keeps_files), cmocka_unit_test(test_setup_knows_its_size)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

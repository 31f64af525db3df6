/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/test_folder.h"

static void expect_not_regular(const char *path)
{
    uint8_t *bytes;
    cuzk_error err;
    file_t file;
    size_t n;

    assert_int_equal(file_open(&file, path, &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, "not a regular file"));
    assert_int_equal(file.fd, -1);
    assert_null(file.path);
    assert_int_equal(file_read(&bytes, &n, path, 100, &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, "not a regular file"));
    assert_null(bytes);
    if (strcmp(path, "/dev/null") == 0) return; /* that may be written to */
    assert_int_equal(file_probe(path, true, &err), CUZK_ERR_ARG);
    assert_int_equal(file_write(path, "x", 1, true, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "not a regular file"));
}

static void what_is_not_regular_is_refused_at_once(void **unused)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    char path[TEST_PATH_BYTES];

    (void)unused;
    (void)alarm(10); /* opening a pipe that nobody writes to would wait for ever */
    assert_int_equal(mkfifo(test_path(path, "pipe"), 0600), 0);
    expect_not_regular(path);
    assert_int_equal(unlink(path), 0);
    (void)alarm(0);

    (void)strcpy(address.sun_path, test_path(path, "socket"));
    assert_int_equal(bind(listener, (const struct sockaddr *)&address, sizeof address), 0);
    expect_not_regular(path);
    assert_int_equal(close(listener), 0);
    assert_int_equal(unlink(path), 0);

    expect_not_regular("/dev/null");
    expect_not_regular("/dev/zero");
}

static void parts_of_a_file_are_read(void **unused)
{
    enum { N = 100000 };
    char path[TEST_PATH_BYTES];
    uint8_t *bytes = malloc(N);
    uint8_t *got = malloc(N);
    cuzk_error err;
    file_t file;

    (void)unused;
    (void)test_path(path, "parts");
    for (size_t i = 0; i < N; i++) bytes[i] = (uint8_t)(i * 2654435761u >> 24);
    assert_int_equal(file_write(path, bytes, N, false, &err), CUZK_OK);
    assert_int_equal(file_open(&file, path, &err), CUZK_OK);
    assert_int_equal(file.length, N);
    assert_string_equal(file.path, path);
    file_read_ahead(&file, 0, N);
    for (size_t first = 0; first <= N; first += 9973) {
        assert_int_equal(file_read_at(&file, got, N - first, first, &err), CUZK_OK);
        assert_memory_equal(got, bytes + first, N - first);
        assert_int_equal(file_read_at(&file, got, 0, first, &err), CUZK_OK);
    }
    file_close(&file);
    file_close(&file);
    assert_int_equal(unlink(path), 0);
    free(bytes);
    free(got);
}

static void a_file_that_shrinks_is_an_error(void **unused)
{
    char path[TEST_PATH_BYTES], text[256];
    uint8_t bytes[1000] = {0};
    cuzk_error err;
    file_t file;

    (void)unused;
    (void)test_path(path, "shrinks");
    assert_int_equal(file_write(path, bytes, sizeof bytes, false, &err), CUZK_OK);
    assert_int_equal(file_open(&file, path, &err), CUZK_OK);
    assert_int_equal(truncate(path, 600), 0);
    assert_int_equal(file_read_at(&file, bytes, 600, 0, &err), CUZK_OK);
    assert_int_equal(file_read_at(&file, bytes, 200, 500, &err), CUZK_ERR_IO);
    (void)snprintf(text, sizeof text,
                   "%s: byte 600: the file has become shorter: it had 1000 bytes", path);
    assert_string_equal(err.text, text);
    assert_int_equal(file_read_at(&file, bytes, 1, 999, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.text, ": byte 999: "));
    file_close(&file);
    assert_int_equal(unlink(path), 0);
}

/* By the name of a descriptor of ours, whatever that is. */
static void streams_that_are_open_are_used(void **unused)
{
    static const char *const folders[] = {"/dev/fd", "/proc/self/fd"};
    uint8_t *bytes;
    cuzk_error err;
    char path[32];
    size_t n;
    int ends[2];

    (void)unused;
    for (int i = 0; i < 4; i++) {
        const int is_made = i < 2 ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends);

        assert_int_equal(is_made, 0);
        (void)snprintf(path, sizeof path, "%s/%d", folders[i % 2], ends[1]);
        assert_true(file_is_stream(path));
        assert_int_equal(file_probe(path, false, &err), CUZK_OK);
        assert_int_equal(file_write(path, "sector", 6, false, &err), CUZK_OK);
        assert_int_equal(close(ends[1]), 0);
        assert_int_equal(file_probe(path, false, &err), CUZK_ERR_MISSING);
        (void)snprintf(path, sizeof path, "%s/%d", folders[i % 2], ends[0]);
        assert_int_equal(file_probe(path, false, &err), i < 2 ? CUZK_ERR_MISSING : CUZK_OK);
        assert_int_equal(file_read(&bytes, &n, path, 100, &err), CUZK_OK);
        assert_int_equal(n, 6);
        assert_memory_equal(bytes, "sector", 7);
        free(bytes);
        assert_int_equal(close(ends[0]), 0);
        assert_int_equal(file_read(&bytes, &n, path, 100, &err), CUZK_ERR_MISSING);
        assert_non_null(strstr(err.text, path));
    }
    assert_false(file_is_stream("/dev/fd/"));
    assert_false(file_is_stream("/dev/fd/1x"));
    assert_false(file_is_stream("dev/fd/1"));
    assert_int_equal(file_read(&bytes, &n, "/dev/fd/99999999999", 100, &err), CUZK_ERR_MISSING);
}

/* What the wrapped calls answer; 0: they are made. */
static int rename_error, link_error;

int __real_renameat2(int from, const char *old, int to, const char *new, unsigned flags);
int __wrap_renameat2(int from, const char *old, int to, const char *new, unsigned flags);
int __real_link(const char *old, const char *new);
int __wrap_link(const char *old, const char *new);

int __wrap_renameat2(int from, const char *old, int to, const char *new, unsigned flags)
{
    if (rename_error == 0) return __real_renameat2(from, old, to, new, flags);
    errno = rename_error;
    return -1;
}

int __wrap_link(const char *old, const char *new)
{
    if (link_error == 0) return __real_link(old, new);
    errno = link_error;
    return -1;
}

/* A file is put in place, refused where one is already, and refused where one appears while it is
 * written, on file systems of each kind. */
static void no_file_is_replaced_unasked(void **unused)
{
    static const int errors[][2] = {{0, 0},          {EINVAL, 0},       {ENOSYS, 0},
                                    {EINVAL, EPERM}, {ENOSYS, ENOTSUP}, {ENOSYS, EMLINK}};
    char path[TEST_PATH_BYTES];
    atomic_file_t file;
    cuzk_error err;

    (void)unused;
    (void)test_path(path, "once");
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        rename_error = errors[i][0];
        link_error = errors[i][1];
        assert_int_equal(file_write(path, "one", 3, false, &err), CUZK_OK);
        assert_int_equal(file_write(path, "two", 3, false, &err), CUZK_ERR_ARG);
        test_expect_content(path, "one");
        assert_int_equal(unlink(path), 0);

        assert_int_equal(atomic_file_open(&file, path, false, &err), CUZK_OK);
        (void)fputs("mine", file.stream);
        assert_int_equal(file_write(path, "other", 5, false, &err), CUZK_OK);
        assert_int_equal(atomic_file_commit(&file, &err), CUZK_ERR_ARG);
        assert_non_null(strstr(err.text, "exists already"));
        test_expect_content(path, "other");
        assert_int_equal(unlink(path), 0);
    }
    rename_error = EIO;
    assert_int_equal(file_write(path, "one", 3, false, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.text, strerror(EIO)));
    assert_int_equal(access(path, F_OK), -1);
    rename_error = 0;
    link_error = 0;
}

/* A limit on the size of files stands in for a full disk. */
static void the_cause_of_a_failed_write_is_kept(void **unused)
{
    static const char block[1 << 16];
    char path[TEST_PATH_BYTES];
    struct rlimit before, limit;
    atomic_file_t file;
    cuzk_error err;

    (void)unused;
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){.rlim_cur = 100000, .rlim_max = before.rlim_max};
    assert_int_equal(atomic_file_open(&file, test_path(path, "full"), false, &err), CUZK_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(fwrite(block, 1, sizeof block, file.stream), sizeof block);
    assert_int_equal(atomic_file_status(&file, &err), CUZK_OK);
    (void)fwrite(block, 1, sizeof block, file.stream);
    errno = 0;
    assert_int_equal(atomic_file_status(&file, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.text, strerror(EFBIG)));
    (void)fputs("more", file.stream);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(atomic_file_commit(&file, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.text, strerror(EFBIG)));
    assert_int_equal(access(path, F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_regular_is_refused_at_once),
        cmocka_unit_test(parts_of_a_file_are_read),
        cmocka_unit_test(a_file_that_shrinks_is_an_error),
        cmocka_unit_test(streams_that_are_open_are_used),
        cmocka_unit_test(no_file_is_replaced_unasked),
        cmocka_unit_test(the_cause_of_a_failed_write_is_kept),
    };
    return cmocka_run_group_tests(tests, test_folder_make, test_folder_remove);
}

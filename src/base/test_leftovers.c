/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* What is left of files that are not written to their end: nothing, or what the next run removes.
 * The system's calls fail here when they are told to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/test_folder.h"

/* ---- calls that fail --------------------------------------------------------------------------
 */

typedef enum {
    CALL_WRITE,
    CALL_FSYNC,
    CALL_RENAME,
    CALL_RENAME_NEW,
    CALL_LINK,
    CALL_LOCK,
    CALLS
} call;

static int errors[CALLS]; /* what they answer; 0: they are made */
static int spared[CALLS]; /* calls that are made before that */

static bool fails(call c)
{
    if (errors[c] == 0 || spared[c]-- > 0) return false;
    errno = errors[c];
    return true;
}

static void all_work(void)
{
    memset(errors, 0, sizeof errors);
    memset(spared, 0, sizeof spared);
}

ssize_t __real_write(int fd, const void *bytes, size_t n);
ssize_t __wrap_write(int fd, const void *bytes, size_t n);
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_rename(const char *old, const char *new);
int __wrap_rename(const char *old, const char *new);
int __real_renameat2(int from, const char *old, int to, const char *new, unsigned flags);
int __wrap_renameat2(int from, const char *old, int to, const char *new, unsigned flags);
int __real_link(const char *old, const char *new);
int __wrap_link(const char *old, const char *new);
int __real_flock(int fd, int how);
int __wrap_flock(int fd, int how);
int __real_fstatvfs(int fd, struct statvfs *disk);
int __wrap_fstatvfs(int fd, struct statvfs *disk);

ssize_t __wrap_write(int fd, const void *bytes, size_t n)
{
    return fails(CALL_WRITE) ? -1 : __real_write(fd, bytes, n);
}

int __wrap_fsync(int fd)
{
    return fails(CALL_FSYNC) ? -1 : __real_fsync(fd);
}

int __wrap_rename(const char *old, const char *new)
{
    return fails(CALL_RENAME) ? -1 : __real_rename(old, new);
}

int __wrap_renameat2(int from, const char *old, int to, const char *new, unsigned flags)
{
    return fails(CALL_RENAME_NEW) ? -1 : __real_renameat2(from, old, to, new, flags);
}

int __wrap_link(const char *old, const char *new)
{
    return fails(CALL_LINK) ? -1 : __real_link(old, new);
}

int __wrap_flock(int fd, int how)
{
    return fails(CALL_LOCK) ? -1 : __real_flock(fd, how);
}

static struct statvfs disk; /* f_frsize 0: the real one */

int __wrap_fstatvfs(int fd, struct statvfs *out)
{
    if (disk.f_frsize == 0) return __real_fstatvfs(fd, out);
    *out = disk;
    return 0;
}

/* ---- a folder ---------------------------------------------------------------------------------
 */

static size_t count_files(void)
{
    const struct dirent *entry;
    DIR *listed = opendir(test_folder);
    size_t n = 0;

    while ((entry = readdir(listed)) != NULL) n += entry->d_name[0] != '.';
    (void)closedir(listed);
    return n;
}

/* ---- the tests --------------------------------------------------------------------------------
 */

/* A process that opens a file and is killed; its temporary is left. */
static void be_killed(const char *path)
{
    const pid_t pid = fork();
    atomic_file_t file;
    cuzk_error err;
    int end;

    if (pid == 0) {
        if (atomic_file_open(&file, path, true, &err) == CUZK_OK) (void)raise(SIGKILL);
        _exit(1);
    }
    assert_int_equal(waitpid(pid, &end, 0), pid);
    assert_true(WIFSIGNALED(end));
}

static void the_next_run_removes_what_a_killed_one_left(void **unused)
{
    char path[TEST_PATH_BYTES], other[TEST_PATH_BYTES], kept[TEST_PATH_BYTES];
    atomic_file_t file;
    cuzk_error err;

    (void)unused;
    test_path(path, "proof");
    test_path(other, "proof2");
    test_path(kept, "proof.cuzk-tmp.folder"); /* a folder of that name */
    for (int i = 0; i < 3; i++) be_killed(path);
    be_killed(other);
    assert_int_equal(mkdir(kept, 0700), 0);
    assert_int_equal(count_files(), 3);
    assert_int_equal(atomic_file_open(&file, path, true, &err), CUZK_OK);
    assert_int_equal(count_files(), 3); /* the folder, proof2's and ours */
    atomic_file_discard(&file);
    assert_int_equal(atomic_file_probe(other, true, &err), CUZK_OK);
    assert_int_equal(rmdir(kept), 0);
    assert_int_equal(count_files(), 0);
}

static void one_that_is_at_work_keeps_its_file(void **unused)
{
    atomic_file_t first, second;
    char path[TEST_PATH_BYTES];
    cuzk_error err;

    (void)unused;
    test_path(path, "both");
    assert_int_equal(atomic_file_open(&first, path, true, &err), CUZK_OK);
    const pid_t pid = fork(); /* another process, and the same one */
    if (pid == 0) _exit(atomic_file_probe(path, true, &err) == CUZK_OK ? 0 : 1);
    int end;
    assert_int_equal(waitpid(pid, &end, 0), pid);
    assert_int_equal(end, 0);
    assert_int_equal(atomic_file_open(&second, path, true, &err), CUZK_OK);
    assert_int_equal(count_files(), 2);
    (void)fputs("one", first.stream);
    (void)fputs("two", second.stream);
    assert_int_equal(atomic_file_commit(&first, &err), CUZK_OK);
    test_expect_content(path, "one");
    assert_int_equal(atomic_file_commit(&second, &err), CUZK_OK);
    test_expect_content(path, "two");
    assert_int_equal(unlink(path), 0);
}

/* Without locks nothing is known to be abandoned. */
static void nothing_is_removed_where_there_are_no_locks(void **unused)
{
    static const int none[] = {ENOLCK, EOPNOTSUPP, EINVAL};
    char path[TEST_PATH_BYTES];
    cuzk_error err;

    (void)unused;
    test_path(path, "file");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        be_killed(path);
        errors[CALL_LOCK] = none[i];
        assert_int_equal(file_write(path, "x", 1, true, &err), CUZK_OK);
        assert_int_equal(count_files(), 2);
        all_work();
        assert_int_equal(file_write(path, "y", 1, true, &err), CUZK_OK);
        assert_int_equal(count_files(), 1);
    }
    assert_int_equal(unlink(path), 0);
}

static void a_disk_that_fails_leaves_nothing(void **unused)
{
    static const int causes[] = {ENOSPC, EDQUOT, EFBIG, EIO, EROFS};
    static const call calls[] = {CALL_WRITE, CALL_FSYNC};
    char path[TEST_PATH_BYTES];
    cuzk_error err;

    (void)unused;
    test_path(path, "full");
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        for (size_t k = 0; k < 2; k++) {
            errors[calls[k]] = causes[i];
            assert_int_equal(file_write(path, "bytes", 5, false, &err), CUZK_ERR_IO);
            assert_non_null(strstr(err.text, path));
            assert_non_null(strstr(err.text, strerror(causes[i])));
            all_work();
            assert_int_equal(count_files(), 0);
        }
}

static void open_pair(atomic_file_t pair[2], char paths[2][TEST_PATH_BYTES], bool replace)
{
    cuzk_error err;

    test_path(paths[0], "toy.params");
    test_path(paths[1], "toy.vk");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(atomic_file_open(&pair[i], paths[i], replace, &err), CUZK_OK);
        (void)fprintf(pair[i].stream, "new%d", i);
    }
}

static void files_that_belong_together_come_together(void **unused)
{
    char paths[2][TEST_PATH_BYTES];
    atomic_file_t pair[2];
    atomic_file_t *const both[] = {&pair[0], &pair[1]};
    cuzk_error err;

    (void)unused;
    for (int replace = 0; replace < 2; replace++)
        for (int at = 0; at < 2; at++) { /* neither write nor sync of either is left out */
            open_pair(pair, paths, replace != 0);
            errors[replace ? CALL_WRITE : CALL_FSYNC] = ENOSPC;
            spared[replace ? CALL_WRITE : CALL_FSYNC] = at;
            assert_int_equal(atomic_file_commit_all(both, 2, &err), CUZK_ERR_IO);
            assert_non_null(strstr(err.text, paths[at]));
            all_work();
            assert_int_equal(count_files(), 0);
        }
    open_pair(pair, paths, false);
    errors[CALL_RENAME_NEW] = EIO;
    spared[CALL_RENAME_NEW] = 1;
    assert_int_equal(atomic_file_commit_all(both, 2, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.text, paths[1]));
    assert_int_equal(count_files(), 0); /* the first was taken back */
    all_work();
    open_pair(pair, paths, false);
    errors[CALL_RENAME_NEW] = EINVAL; /* a file system with neither */
    errors[CALL_LINK] = EPERM;
    assert_int_equal(atomic_file_commit_all(both, 2, &err), CUZK_OK);
    all_work();
    for (int i = 0; i < 2; i++) {
        test_expect_content(paths[i], i == 0 ? "new0" : "new1");
        assert_int_equal(unlink(paths[i]), 0);
    }
}

static void too_small_a_disk_is_told_before_the_work(void **unused)
{
    struct rlimit before, limit;
    atomic_file_t file;
    char path[TEST_PATH_BYTES];
    cuzk_error err;

    (void)unused;
    assert_int_equal(atomic_file_open(&file, test_path(path, "large"), false, &err), CUZK_OK);
    assert_int_equal(atomic_file_check_room(&file, 1, &err), CUZK_OK);
    disk = (struct statvfs){.f_frsize = 4096, .f_blocks = 1000, .f_bfree = 10, .f_bavail = 10};
    assert_int_equal(atomic_file_check_room(&file, 40960, &err), CUZK_OK);
    assert_int_equal(atomic_file_check_room(&file, 40961, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.text, "needs 40961 bytes, and 40960 are free"));
    assert_int_equal(atomic_file_check_room(&file, UINT64_MAX, &err), CUZK_ERR_IO);
    disk.f_blocks = 0; /* it does not tell */
    assert_int_equal(atomic_file_check_room(&file, UINT64_MAX, &err), CUZK_OK);
    disk.f_frsize = 0;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){.rlim_cur = 5000, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(atomic_file_check_room(&file, 5001, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.text, "5000"));
    assert_int_equal(atomic_file_check_room(&file, 5000, &err), CUZK_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    atomic_file_discard(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_next_run_removes_what_a_killed_one_left),
        cmocka_unit_test(one_that_is_at_work_keeps_its_file),
        cmocka_unit_test(nothing_is_removed_where_there_are_no_locks),
        cmocka_unit_test(a_disk_that_fails_leaves_nothing),
        cmocka_unit_test(files_that_belong_together_come_together),
        cmocka_unit_test(too_small_a_disk_is_told_before_the_work),
    };
    return cmocka_run_group_tests(tests, test_folder_make, test_folder_remove);
}

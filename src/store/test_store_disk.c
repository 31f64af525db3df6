/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* A store on a disk that is full, damaged, closed to us or in use. */
#include "store/test_store_outer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHORT = 20000 }; /* bytes of a request in its row */

/* ---- calls that fail --------------------------------------------------------------------------
 */

static int write_error, fsync_error, openat_error; /* what they answer; 0: they are made */
static atomic_bool fsync_waits;                    /* the next one is held up until this is false */
static atomic_bool fsync_is_held;

ssize_t __real_write(int fd, const void *bytes, size_t n);
ssize_t __wrap_write(int fd, const void *bytes, size_t n);
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_openat(int at, const char *path, int flags, mode_t mode);
int __wrap_openat(int at, const char *path, int flags, mode_t mode);

ssize_t __wrap_write(int fd, const void *bytes, size_t n)
{
    if (write_error == 0 || n < 100) return __real_write(fd, bytes, n);
    if (n > 1000) return __real_write(fd, bytes, n / 2); /* some of it goes through */
    errno = write_error;
    return -1;
}

int __wrap_fsync(int fd)
{
    if (atomic_exchange(&fsync_waits, false)) {
        atomic_store(&fsync_is_held, true);
        while (atomic_load(&fsync_is_held)) (void)sched_yield();
    }
    if (fsync_error == 0) return __real_fsync(fd);
    errno = fsync_error;
    return -1;
}

int __wrap_openat(int at, const char *path, int flags, mode_t mode)
{
    if (openat_error == 0 || !store_is_id(path)) return __real_openat(at, path, flags, mode);
    errno = openat_error;
    return -1;
}

/* ---- folders ----------------------------------------------------------------------------------
 */

static void expect_no_open(const char *path, cuzk_status status, const char *part)
{
    store_t *store;
    cuzk_error err;

    assert_int_equal(store_sqlite_open(&store, path, 0, &err), status);
    assert_null(store);
    assert_non_null(strstr(err.text, path));
    if (strstr(err.text, part) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, part);
}

/* Of a process of its own; cmocka's checks are not for there. */
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            print_error("%s:%d: %s\n", __FILE__, __LINE__, #condition);                            \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

enum { CANNOT = 77 };

/* Runs body() in a process of its own; CANNOT: it lacks the rights for it. */
static int in_child(void (*body)(void))
{
    const pid_t child = fork();
    int status;

    if (child == 0) {
        body();
        _exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) != CANNOT) assert_int_equal(WEXITSTATUS(status), 0);
    return WEXITSTATUS(status);
}

/* ---- who may have it --------------------------------------------------------------------------
 */

static mode_t mode_of(const char *path)
{
    struct stat info;

    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777;
}

static void nobody_else_may_look_at_it(void **unused)
{
    const mode_t before = umask(0);
    cuzk_error err;

    (void)unused;
    store_t *store = open_store();
    assert_int_equal(test_add(store, 1, LONG, &err), CUZK_OK);
    (void)umask(before);
    assert_int_equal(mode_of(folder), 0700);
    assert_int_equal(mode_of(test_path(folder, "requests")), 0700);
    assert_int_equal(mode_of(test_path(folder, "lock")), 0600);
    assert_int_equal(mode_of(test_path(folder, "jobs.db")), 0600);
    assert_int_equal(mode_of(test_path(folder, "jobs.db-wal")), 0600);
    assert_int_equal(mode_of(test_request_path(folder, 1)), 0600);
    close_store(store);
}

static void one_process_has_it(void **unused)
{
    char number[32];
    int ends[2];
    char byte;

    (void)unused;
    store_t *store = open_store();
    (void)snprintf(number, sizeof number, "(process %d)", (int)getpid());
    expect_no_open(folder, CUZK_ERR_BUSY, number);
    close_store(store);

    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        cuzk_error err;

        MUST(store_sqlite_open(&store, folder, 0, &err) == CUZK_OK);
        MUST(write(ends[1], "x", 1) == 1);
        for (;;) (void)pause();
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    (void)snprintf(number, sizeof number, "(process %d)", (int)child);
    expect_no_open(folder, CUZK_ERR_BUSY, number);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close_store(open_store());
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(close(ends[1]), 0);
}

static void what_is_no_folder_of_a_store_is_refused(void **unused)
{
    char path[512];
    cuzk_error err;

    (void)unused;
    assert_int_equal(file_write(folder, "x", 1, false, &err), CUZK_OK);
    expect_no_open(folder, CUZK_ERR_ARG, "not a folder");
    (void)snprintf(path, sizeof path, "%s/store", folder);
    expect_no_open(path, CUZK_ERR_MISSING, strerror(ENOTDIR));
    assert_int_equal(unlink(folder), 0);
    expect_no_open(path, CUZK_ERR_MISSING, strerror(ENOENT));

    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    expect_no_open(folder, CUZK_ERR_ARG, "mode 0777, 0700 wanted");
    assert_int_equal(chmod(folder, 0755), 0);
    assert_int_equal(mkdir(test_path(folder, "jobs.db"), 0700), 0);
    expect_no_open(folder, CUZK_ERR_IO, "/jobs.db: cannot be opened");
    assert_int_equal(rmdir(test_path(folder, "jobs.db")), 0);
    assert_int_equal(symlink("/tmp/elsewhere", test_path(folder, "jobs.db")), 0);
    expect_no_open(folder, CUZK_ERR_IO, "/jobs.db: cannot be opened");
    assert_int_equal(unlink(test_path(folder, "jobs.db")), 0);
    assert_int_equal(mkfifo(test_path(folder, "jobs.db"), 0600), 0);
    expect_no_open(folder, CUZK_ERR_ARG, "/jobs.db: not a regular file");
    assert_int_equal(unlink(test_path(folder, "jobs.db")), 0);
    assert_int_equal(rmdir(test_path(folder, "requests")), 0);
    assert_int_equal(file_write(test_path(folder, "requests"), "x", 1, false, &err), CUZK_OK);
    expect_no_open(folder, CUZK_ERR_ARG, "/requests: not a folder");
    assert_int_equal(unlink(test_path(folder, "requests")), 0);
    close_store(open_store());
}

enum { NOBODY = 65534 };

static void without_permission(void)
{
    store_t *store;
    cuzk_error err;

    if (geteuid() == 0) MUST(setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
    MUST(store_sqlite_open(&store, folder, 0, &err) == CUZK_ERR_MISSING);
    MUST(strstr(err.text, folder) != NULL);
    MUST(strstr(err.text, strerror(EACCES)) != NULL);
}

static void a_closed_folder_is_refused(void **unused)
{
    static const char *const closed[] = {"", "lock", "jobs.db", "requests"};

    (void)unused;
    make_store(1);
    assert_int_equal(chmod(outer.path, 0755), 0);
    if (geteuid() == 0)
        for (int i = 0; i < 4; i++)
            assert_int_equal(chown(test_path(folder, closed[i]), NOBODY, NOBODY), 0);
    for (int i = 0; i < 4; i++) {
        const mode_t mode = mode_of(test_path(folder, closed[i]));

        assert_int_equal(chmod(test_path(folder, closed[i]), 0), 0);
        assert_int_equal(in_child(without_permission), 0);
        assert_int_equal(chmod(test_path(folder, closed[i]), mode), 0);
    }
    assert_int_equal(unlink(test_path(folder, "lock")), 0);
    assert_int_equal(chmod(folder, 0500), 0); /* to be read, but not written in */
    assert_int_equal(in_child(without_permission), 0);
    assert_int_equal(chmod(folder, 0700), 0);
}

/* ---- disks ------------------------------------------------------------------------------------
 */

/* Mounts a small disk in memory at the folder, for this process alone. */
static void mount_disk(const char *options)
{
    MUST(mkdir(folder, 0700) == 0 || errno == EEXIST);
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("cuzk", folder, "tmpfs", 0, options) != 0)
        _exit(CANNOT);
}

static void on_read_only_disk(void)
{
    store_t *store;
    cuzk_error err;

    mount_disk("size=1m,mode=0700");
    MUST(mount("cuzk", folder, NULL, MS_REMOUNT | MS_RDONLY, NULL) == 0);
    MUST(store_sqlite_open(&store, folder, 0, &err) == CUZK_ERR_MISSING);
    MUST(strstr(err.text, "/store/lock: ") != NULL);
    MUST(strstr(err.text, strerror(EROFS)) != NULL);
}

static void a_read_only_disk_is_refused(void **unused)
{
    (void)unused;
    if (in_child(on_read_only_disk) == CANNOT) skip();
}

/* Fills a disk with requests until it is full; what was taken can still come to its end. */
static void on_full_disk(void)
{
    unsigned n = 0;
    uint8_t *bytes;
    store_t *store;
    cuzk_error err;
    cuzk_status st;
    size_t length;

    mount_disk("size=10m,mode=0700");
    MUST(store_sqlite_open(&store, folder, 0, &err) == CUZK_OK);
    while ((st = test_add(store, n, LONG, &err)) == CUZK_OK) n++;
    MUST(st == CUZK_ERR_BUDGET && n > 20 && n < 40);
    MUST(strstr(err.text, folder) != NULL && strstr(err.text, "no room on the disk") != NULL);
    MUST(store->ops->bytes(store) == n * LONG);
    while ((st = test_add(store, n, SHORT, &err)) == CUZK_OK) n++;
    MUST(st == CUZK_ERR_BUDGET && strstr(err.text, "/store/jobs.db: no room on the disk") != NULL);
    close_store(store);
    MUST(store_sqlite_open(&store, folder, 0, &err) == CUZK_OK);
    for (unsigned i = 0; i < n; i++) {
        const store_job_t job = test_job(i);

        MUST(store->ops->request(&bytes, &length, store, job.id, &err) == CUZK_OK);
        free(bytes);
        MUST(test_end(store, i, STORE_COMPLETED, NULL, &err) == CUZK_OK);
    }
    MUST(store->ops->bytes(store) == 0);
    MUST(test_add(store, n, LONG, &err) == CUZK_OK);
    close_store(store);
}

static void a_full_disk_refuses_and_loses_nothing(void **unused)
{
    (void)unused;
    if (in_child(on_full_disk) == CANNOT) skip();
}

static size_t count_requests(void)
{
    DIR *names = opendir(test_path(folder, "requests"));
    size_t n = 0;

    assert_non_null(names);
    while (readdir(names) != NULL) n++;
    assert_int_equal(closedir(names), 0);
    return n - 2;
}

/* A limit on the length of files stands in for a full disk. */
static void a_request_longer_than_files_may_be_is_refused(void **unused)
{
    struct rlimit before, limit;
    cuzk_error err;

    (void)unused;
    (void)signal(SIGXFSZ, SIG_IGN);
    store_t *store = open_store();
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){.rlim_cur = 250000, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(test_add(store, 1, LONG, &err), CUZK_ERR_BUDGET);
    assert_non_null(strstr(err.text, test_request_path(folder, 1)));
    assert_non_null(strstr(err.text, "300000 bytes: "));
    assert_int_equal(count_requests(), 0);
    assert_int_equal(test_add(store, 2, SHORT, &err), CUZK_OK);
    for (unsigned i = 3; test_add(store, i, 100, &err) == CUZK_OK; i++) assert_true(i < 100);
    assert_int_equal(err.status, CUZK_ERR_IO); /* the log of the database is at its end */
    assert_non_null(strstr(err.text, "/store/jobs.db: "));
    const uint64_t n_bytes = store->ops->bytes(store);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(test_add(store, 1, LONG, &err), CUZK_OK);
    test_list_t *list = test_list(store);
    assert_int_equal(LONG + SHORT + 100 * (list->n - 2), n_bytes + LONG);
    free(list);
    close_store(store);
}

static void calls_that_fail_leave_nothing(void **unused)
{
    static const struct {
        int *call, error;
        cuzk_status status;
    } faults[] = {{&write_error, EIO, CUZK_ERR_IO},         {&write_error, ENOSPC, CUZK_ERR_BUDGET},
                  {&write_error, EDQUOT, CUZK_ERR_BUDGET},  {&fsync_error, EIO, CUZK_ERR_IO},
                  {&openat_error, ENOSPC, CUZK_ERR_BUDGET}, {&openat_error, EMFILE, CUZK_ERR_IO}};
    cuzk_error err;

    (void)unused;
    store_t *store = open_store();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        *faults[i].call = faults[i].error;
        assert_int_equal(test_add(store, 1, LONG, &err), faults[i].status);
        *faults[i].call = 0;
        assert_non_null(strstr(err.text, test_request_path(folder, 1)));
        assert_non_null(strstr(err.text, strerror(faults[i].error)));
        assert_int_equal(count_requests(), 0);
        assert_int_equal(store->ops->bytes(store), 0);
        test_expect_no_request(store, 1);
    }
    fsync_error = EINVAL; /* of a folder that cannot be synced; of a file it is a failure */
    assert_int_equal(test_add(store, 1, LONG, &err), CUZK_ERR_IO);
    fsync_error = 0;
    assert_int_equal(test_add(store, 1, LONG, &err), CUZK_OK);
    close_store(store);
}

static void *add_long(void *store)
{
    cuzk_error err;

    return test_add(store, 1, LONG, &err) == CUZK_OK ? store : NULL;
}

static void a_long_request_holds_up_no_other(void **unused)
{
    pthread_t thread;
    cuzk_error err;
    void *result;

    (void)unused;
    store_t *store = open_store();
    atomic_store(&fsync_waits, true);
    assert_int_equal(pthread_create(&thread, NULL, add_long, store), 0);
    while (!atomic_load(&fsync_is_held)) (void)sched_yield();
    test_expect_no_request(store, 1); /* it is not there yet, and its id is taken */
    assert_int_equal(store->ops->bytes(store), LONG);
    assert_int_equal(test_add(store, 1, 100, &err), CUZK_ERR_ARG);
    assert_int_equal(store->ops->drop(store, test_job(1).id, &err), CUZK_OK);
    assert_int_equal(test_add(store, 2, 100, &err), CUZK_OK);
    assert_int_equal(test_end(store, 2, STORE_COMPLETED, NULL, &err), CUZK_OK);
    atomic_store(&fsync_is_held, false);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, store);
    test_expect_request(store, 1, LONG);
    close_store(store);
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(nobody_else_may_look_at_it),
        EACH(one_process_has_it),
        EACH(what_is_no_folder_of_a_store_is_refused),
        EACH(a_closed_folder_is_refused),
        EACH(a_read_only_disk_is_refused),
        EACH(a_full_disk_refuses_and_loses_nothing),
        EACH(a_request_longer_than_files_may_be_is_refused),
        EACH(calls_that_fail_leave_nothing),
        EACH(a_long_request_holds_up_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* A store whose process is killed: at every call that changes a file, ours and SQLite's, and at
 * moments that chance picks. What was answered is there, whole; what was not is there whole or not
 * at all; and nothing else is. */
#include "store/test_store_cases.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- calls that kill --------------------------------------------------------------------------
 */

static long calls_left; /* the process is killed in place of the call that makes this 0 */

static bool is_last_call(void)
{
    return calls_left > 0 && --calls_left == 0;
}

static void die(void)
{
    (void)raise(SIGKILL);
}

ssize_t __real_write(int fd, const void *bytes, size_t n);
ssize_t __wrap_write(int fd, const void *bytes, size_t n);
ssize_t __real_pwrite(int fd, const void *bytes, size_t n, off_t at);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t n, off_t at);
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_openat(int at, const char *path, int flags, mode_t mode);
int __wrap_openat(int at, const char *path, int flags, mode_t mode);
int __real_mkdirat(int at, const char *path, mode_t mode);
int __wrap_mkdirat(int at, const char *path, mode_t mode);
int __real_unlinkat(int at, const char *path, int flags);
int __wrap_unlinkat(int at, const char *path, int flags);

/* The last write is half made. */
ssize_t __wrap_write(int fd, const void *bytes, size_t n)
{
    if (!is_last_call()) return __real_write(fd, bytes, n);
    (void)__real_write(fd, bytes, n / 2);
    die();
    return -1;
}

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    if (!is_last_call()) return __real_pwrite(fd, bytes, n, at);
    (void)__real_pwrite(fd, bytes, n / 2, at);
    die();
    return -1;
}

int __wrap_fsync(int fd)
{
    if (is_last_call()) die();
    return __real_fsync(fd);
}

int __wrap_openat(int at, const char *path, int flags, mode_t mode)
{
    if (is_last_call()) die();
    return __real_openat(at, path, flags, mode);
}

int __wrap_mkdirat(int at, const char *path, mode_t mode)
{
    if (is_last_call()) die();
    return __real_mkdirat(at, path, mode);
}

int __wrap_unlinkat(int at, const char *path, int flags)
{
    if (is_last_call()) die();
    return __real_unlinkat(at, path, flags);
}

static int kill_open(const char *path, int flags, int mode)
{
    if (is_last_call()) die();
    return open(path, flags, mode);
}

static int kill_unlink(const char *path)
{
    if (is_last_call()) die();
    return unlink(path);
}

static int kill_truncate(int fd, off_t length)
{
    if (is_last_call()) die();
    return ftruncate(fd, length);
}

/* The calls of SQLite, which are not linked to ours. */
static void replace_calls_of_sqlite(void)
{
    static const struct {
        const char *name;
        sqlite3_syscall_ptr call;
    } calls[] = {{"open", (sqlite3_syscall_ptr)kill_open},
                 {"unlink", (sqlite3_syscall_ptr)kill_unlink},
                 {"ftruncate", (sqlite3_syscall_ptr)kill_truncate},
                 {"write", (sqlite3_syscall_ptr)__wrap_write},
                 {"pwrite", (sqlite3_syscall_ptr)__wrap_pwrite},
                 {"pwrite64", (sqlite3_syscall_ptr)__wrap_pwrite}};

    (void)sqlite3_initialize();
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        (void)vfs->xSetSystemCall(vfs, calls[i].name, calls[i].call);
}

/* ---- what a process did -----------------------------------------------------------------------
 */

typedef enum { ABSENT, WAITING, ENDED } place;

enum { JOBS = 6 };

/* Of each job: where it was, and where a call that began, and has not been answered, takes it. */
typedef struct {
    place from[JOBS], to[JOBS];
    unsigned from_version[JOBS], to_version[JOBS]; /* each add has a request of its own */
    unsigned n_calls, n_versions;
} model_t;

static model_t *model; /* shared with the process that is killed */
static char folder[256];

static size_t length_of(unsigned version)
{
    return version % 2 == 0 ? 20000 + version % 40 : 300000 + version % 40;
}

static void must(cuzk_status st, const cuzk_error *err)
{
    if (st == CUZK_OK) return;
    print_error("%s\n", err->text);
    _exit(1);
}

static void settle(unsigned n)
{
    model->from[n] = model->to[n];
    model->from_version[n] = model->to_version[n];
    model->n_calls++;
}

static void add(store_t *store, unsigned n)
{
    const unsigned version = ++model->n_versions;
    store_job_t job = test_job(n);
    cuzk_error err;

    job.sector_number = version;
    model->to_version[n] = version;
    model->to[n] = WAITING;
    must(test_add_job(store, &job, version, length_of(version), &err), &err);
    settle(n);
}

static void end(store_t *store, unsigned n)
{
    cuzk_error err;

    model->to[n] = ENDED;
    must(test_end(store, n, n % 2 == 0 ? STORE_COMPLETED : STORE_FAILED, "x", &err), &err);
    settle(n);
}

static void drop(store_t *store, unsigned n)
{
    const store_job_t job = test_job(n);
    cuzk_error err;

    model->to[n] = ABSENT;
    must(store->ops->drop(store, job.id, &err), &err);
    settle(n);
}

static void start(store_t *store, unsigned n)
{
    const store_job_t job = test_job(n);
    cuzk_error err;

    must(store->ops->start(store, job.id, &err), &err);
    settle(n);
}

static void expire(store_t *store)
{
    cuzk_error err;

    for (unsigned n = 0; n < JOBS; n++)
        if (model->from[n] == ENDED) model->to[n] = ABSENT;
    must(store->ops->expire(store, INT64_MAX, &err), &err);
    for (unsigned n = 0; n < JOBS; n++) settle(n);
}

static store_t *open_store(void)
{
    store_t *store = NULL;
    cuzk_error err;

    must(store_sqlite_open(&store, folder, 0, &err), &err);
    return store;
}

/* ---- what is left of it -----------------------------------------------------------------------
 */

static void expect_version(store_t *store, const store_job_t *job, unsigned version)
{
    uint8_t *wanted = test_request(version, length_of(version)), *bytes;
    cuzk_error err;
    size_t length;

    assert_int_equal(job->sector_number, version);
    assert_int_equal(store->ops->request(&bytes, &length, store, job->id, &err), CUZK_OK);
    assert_int_equal(length, length_of(version));
    assert_memory_equal(bytes, wanted, length);
    free(bytes);
    free(wanted);
}

static void expect_job(store_t *store, const test_list_t *list, unsigned n)
{
    const store_job_t *job = test_find(list, n);
    const place is = job == NULL ? ABSENT : job->state == STORE_ACCEPTED ? WAITING : ENDED;
    const bool is_new =
        is == model->to[n] && (job == NULL || job->sector_number == model->to_version[n]);

    if (!is_new) assert_int_equal(is, model->from[n]);
    const unsigned version = is_new ? model->to_version[n] : model->from_version[n];
    if (is == WAITING) expect_version(store, job, version);
    if (is == ENDED) assert_int_equal(job->sector_number, version);
    if (is == ENDED) assert_int_equal(job->state, n % 2 == 0 ? STORE_COMPLETED : STORE_FAILED);
    if (is == ENDED && n % 2 == 0) assert_int_equal(job->proof_length, 192);
    model->from[n] = model->to[n] = is;
    model->from_version[n] = model->to_version[n] = version;
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

/* Opens the store as the next daemon does. */
static void expect_all_as_it_was(void)
{
    size_t n_files = 0;
    uint64_t bytes = 0;

    store_t *store = open_store();
    test_list_t *list = test_list(store);
    for (unsigned n = 0; n < JOBS; n++) {
        expect_job(store, list, n);
        if (model->from[n] != WAITING) continue;
        n_files += length_of(model->from_version[n]) > STORE_IN_ROW_MAX_BYTES;
        bytes += length_of(model->from_version[n]);
    }
    assert_int_equal(count_requests(), n_files);
    assert_int_equal(store->ops->bytes(store), bytes);
    free(list);
    store->ops->close(store);
}

/* ---- tests ------------------------------------------------------------------------------------
 */

static void run_script(void)
{
    store_t *store = open_store();

    add(store, 0);
    add(store, 1);
    start(store, 0);
    end(store, 0);
    drop(store, 1);
    add(store, 0); /* again */
    end(store, 0);
    add(store, 2);
    add(store, 3);
    end(store, 3);
    expire(store);
    store->ops->close(store);
}

static void a_kill_at_any_call_loses_nothing(void **unused)
{
    bool is_killed = true;
    long n_points = 0;

    (void)unused;
    while (is_killed) {
        temporary_t outer;
        int status;

        assert_int_equal(test_make_folder(&outer), 0);
        (void)snprintf(folder, sizeof folder, "%s/store", outer.path);
        *model = (model_t){0};
        n_points++;
        const pid_t child = fork();
        if (child == 0) {
            calls_left = n_points;
            replace_calls_of_sqlite();
            run_script();
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        is_killed = WIFSIGNALED(status);
        if (is_killed) assert_int_equal(WTERMSIG(status), SIGKILL);
        if (!is_killed) assert_int_equal(WEXITSTATUS(status), 0);
        expect_all_as_it_was();
        temporary_remove(&outer);
    }
    assert_in_range(n_points, 60, 1000);
}

static void work_for_ever(unsigned seed)
{
    store_t *store = open_store();

    for (;;) {
        seed = seed * 1664525U + 1013904223U;
        const unsigned n = (seed >> 16) % JOBS;

        if ((seed >> 24) % 16 == 0) expire(store);
        if (model->from[n] != WAITING)
            add(store, n);
        else if ((seed >> 24) % 3 == 0)
            drop(store, n);
        else
            end(store, n);
    }
}

static void a_kill_at_any_moment_loses_nothing(void **unused)
{
    enum { ROUNDS = 50 };
    temporary_t outer;

    (void)unused;
    assert_int_equal(test_make_folder(&outer), 0);
    (void)snprintf(folder, sizeof folder, "%s/store", outer.path);
    *model = (model_t){0};
    srand((unsigned)time(NULL));
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct timespec moment = {.tv_nsec = 1000L * (rand() % 40000)};
        int status;

        const pid_t child = fork();
        if (child == 0) work_for_ever(round);
        (void)nanosleep(&moment, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        expect_all_as_it_was();
    }
    assert_true(model->n_calls > ROUNDS);
    temporary_remove(&outer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kill_at_any_call_loses_nothing),
        cmocka_unit_test(a_kill_at_any_moment_loses_nothing),
    };

    model = mmap(NULL, sizeof *model, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (model == MAP_FAILED) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

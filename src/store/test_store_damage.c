/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* A store whose files are gone, cut, changed, or another program's. */
#include "store/test_store_outer.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The error names a file of the folder and has the given parts. */
static void expect_no_open(const char *name, const char *part, const char *advice)
{
    store_t *store;
    cuzk_error err;

    assert_int_equal(store_sqlite_open(&store, folder, 0, &err), CUZK_ERR_FORMAT);
    assert_null(store);
    assert_memory_equal(err.text, test_path(folder, name), strlen(test_path(folder, name)));
    if (strstr(err.text, part) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, part);
    if (strstr(err.text, advice) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, advice);
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static void change_byte(const char *path, long at)
{
    FILE *file = fopen(path, "r+be");

    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    const int was = getc(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(putc(was ^ 1, file), was ^ 1);
    assert_int_equal(fclose(file), 0);
}

static void expect_damaged(store_t *store, unsigned n, const char *part)
{
    const store_job_t job = test_job(n);
    cuzk_error err;
    uint8_t *bytes;
    size_t length;

    assert_int_equal(store->ops->request(&bytes, &length, store, job.id, &err), CUZK_ERR_FORMAT);
    assert_null(bytes);
    assert_int_equal(length, 0);
    assert_non_null(strstr(err.text, test_request_path(folder, n)));
    if (strstr(err.text, part) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, part);
}

/* Damages the requests 1 to 6; 0 and 7 stay as they are. */
static void damage_requests(void)
{
    uint8_t *other = test_request(99, LONG);
    cuzk_error err;

    change_byte(test_request_path(folder, 1), 0);
    change_byte(test_request_path(folder, 2), LONG - 1);
    assert_int_equal(file_write(test_request_path(folder, 3), other, LONG, true, &err), CUZK_OK);
    assert_int_equal(truncate(test_request_path(folder, 4), LONG - 1), 0);
    assert_int_equal(truncate(test_request_path(folder, 5), 0), 0);
    assert_int_equal(unlink(test_request_path(folder, 6)), 0);
    free(other);
}

static void a_damaged_request_is_an_error(void **unused)
{
    cuzk_error err;

    (void)unused;
    make_store(8);
    store_t *store = open_store();
    damage_requests();
    test_expect_request(store, 0, LONG);
    for (unsigned n = 1; n <= 3; n++) expect_damaged(store, n, "has been changed");
    expect_damaged(store, 4, "299999 bytes, and the request has 300000");
    expect_damaged(store, 5, ": 0 bytes");
    expect_damaged(store, 6, "the request is gone");
    assert_int_equal(mkdir(test_request_path(folder, 6), 0700), 0);
    expect_damaged(store, 6, "is a folder");
    test_expect_request(store, 7, LONG);
    for (unsigned n = 0; n < 8; n++)
        assert_int_equal(test_end(store, n, STORE_FAILED, "damaged", &err), CUZK_OK);
    assert_int_equal(store->ops->bytes(store), 0);
    close_store(store);
}

/* A daemon that starts fails the jobs whose requests cannot be whole, and says why; it keeps the
 * others. */
static void a_job_without_its_request_has_failed(void **unused)
{
    (void)unused;
    make_store(8);
    damage_requests();
    for (int round = 0; round < 2; round++) {
        store_t *store = open_store();
        test_list_t *list = test_list(store);

        assert_int_equal(list->n, 8);
        for (unsigned n = 0; n < 8; n++) {
            const store_job_t *job = test_find(list, n);
            const bool is_lost = n >= 4 && n <= 6;

            assert_int_equal(job->state, is_lost ? STORE_FAILED : STORE_ACCEPTED);
            if (!is_lost) continue;
            assert_non_null(strstr(job->error, test_request_path(folder, n)));
            assert_non_null(strstr(job->error, "was lost"));
            assert_true(job->ended_ms > job->accepted_ms);
            assert_int_equal(access(test_request_path(folder, n), F_OK), -1);
            test_expect_no_request(store, n);
        }
        assert_int_equal(store->ops->bytes(store), 5 * LONG);
        expect_damaged(store, 1, "has been changed");
        free(list);
        close_store(store);
    }
}

static void files_without_a_job_are_removed(void **unused)
{
    static const char *const others[] = {"notes.txt", "ABCDEF00000000000000000000000000",
                                         "00000000000000000000000000000000x"};
    char name[64];
    cuzk_error err;

    (void)unused;
    make_store(3);
    store_t *store = open_store();
    assert_int_equal(test_end(store, 1, STORE_COMPLETED, NULL, &err), CUZK_OK);
    close_store(store);
    assert_int_equal(file_write(test_request_path(folder, 1), "x", 1, false, &err), CUZK_OK);
    assert_int_equal(file_write(test_request_path(folder, 7), "x", 1, false, &err), CUZK_OK);
    for (int i = 0; i < 3; i++) {
        (void)snprintf(name, sizeof name, "requests/%s", others[i]);
        assert_int_equal(file_write(test_path(folder, name), "x", 1, false, &err), CUZK_OK);
    }
    close_store(open_store());
    assert_int_equal(access(test_request_path(folder, 0), F_OK), 0);
    assert_int_equal(access(test_request_path(folder, 1), F_OK), -1);
    assert_int_equal(access(test_request_path(folder, 7), F_OK), -1);
    for (int i = 0; i < 3; i++) { /* not ours */
        (void)snprintf(name, sizeof name, "requests/%s", others[i]);
        assert_int_equal(access(test_path(folder, name), F_OK), 0);
    }
}

/* ---- the database -----------------------------------------------------------------------------
 */

static const char anew[] = "move the folder away and start anew";

/* Changes a database by SQL, as another program would. */
static void change(const char *sql)
{
    sqlite3 *sqlite;
    char *why = NULL;

    assert_int_equal(sqlite3_open(test_path(folder, "jobs.db"), &sqlite), SQLITE_OK);
    (void)sqlite3_exec(sqlite, sql, NULL, NULL, &why);
    if (why != NULL) fail_msg("%s: %s", sql, why);
    assert_int_equal(sqlite3_close(sqlite), SQLITE_OK);
}

static void remove_store(void)
{
    temporary_remove(&outer);
    assert_int_equal(set_up(NULL), 0);
}

static void another_version_or_program_is_refused(void **unused)
{
    (void)unused;
    make_store(1);
    change("PRAGMA user_version = 2");
    expect_no_open("jobs.db", "of version 2", "start the later one");
    assert_int_equal(access(test_request_path(folder, 0), F_OK), 0);
    change("PRAGMA user_version = 0");
    expect_no_open("jobs.db", "version 0", anew);
    change("PRAGMA user_version = 1; PRAGMA application_id = 7");
    expect_no_open("jobs.db", "of another program", "name another folder");
    assert_int_equal(access(test_request_path(folder, 0), F_OK), 0);
    remove_store();
    assert_int_equal(mkdir(folder, 0700), 0);
    change("CREATE TABLE job (x)");
    expect_no_open("jobs.db", "of another program", "name another folder");
}

static void other_tables_are_refused(void **unused)
{
    static const char *const changes[] = {
        "CREATE TABLE more (x)",
        "CREATE INDEX more ON job (kind)",
        "CREATE VIEW more AS SELECT * FROM job",
        "CREATE TRIGGER more AFTER DELETE ON job BEGIN DELETE FROM job; END",
        "ALTER TABLE job ADD COLUMN more TEXT",
        "DROP TABLE job",
        "ALTER TABLE job RENAME COLUMN seal TO mark",
    };

    (void)unused;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        make_store(1);
        change(changes[i]);
        expect_no_open("jobs.db", "its tables are others", anew);
        remove_store();
    }
}

static void values_out_of_range_are_damage(void **unused)
{
    static const struct {
        const char *set, *part;
    } changes[] = {
        {"id = 'abc'", "a job's id"},
        {"id = '../../../../../../../../../etc/pw'", "a job's id"},
        {"id = 'ABCDEF00000000000000000000000000'", "a job's id"},
        {"request_id = printf('%.257c', 'x')", "a field of a job"},
        {"request_id = CAST(x'410042' AS TEXT)", "a field of a job"},
        {"request_id = CAST(x'ff' AS TEXT)", "request_id: not UTF-8"},
        {"kind = 0", "kind: 0"},
        {"kind = 5", "kind: 5"},
        {"kind = -1", "a field of a job"},
        {"priority = 5", "priority: 5"},
        {"priority = 4294967297", "a field of a job"},
        {"state = 5", "state: 5"},
        {"state = -1", "a field of a job"},
        {"state = 1", "proof: 0 bytes"},
        {"state = 1, proof = zeroblob(65537)", "the SHA-256 of a proof"},
        {"state = 1, proof = zeroblob(192)", "the SHA-256 of a proof"},
        {"state = 1, proof = zeroblob(192), proof_seal = zeroblob(32)", "the SHA-256 of a proof"},
        {"state = 2, error = printf('%.1024c', 'x')", "an error's text"},
        {"registered_proof = 4294967296", "a field of a job"},
        {"n_starts = -1", "a field of a job"},
        {"request_bytes = 262145, request = x'00'", "a job's request"},
        {"seal = x'00'", "a job's request"},
        {"seal = x''", "a job's request"},
    };
    char sql[256];

    (void)unused;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        make_store(2);
        (void)snprintf(sql, sizeof sql, "UPDATE job SET %s WHERE accepted_ms %% 2 = 1",
                       changes[i].set);
        change(sql);
        expect_no_open("jobs.db", changes[i].part, anew);
        remove_store();
    }
}

static void a_damaged_request_in_a_row_is_an_error(void **unused)
{
    static const char *const changes[] = {"request = zeroblob(500)", "request = x'00'",
                                          "request_bytes = 499", "seal = zeroblob(32)",
                                          "request = substr(request, 1, 499)"};
    char sql[256];
    cuzk_error err;

    (void)unused;
    for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++) {
        const store_job_t job = test_job(i);
        uint8_t *bytes;
        size_t n;

        store_t *store = open_store();
        assert_int_equal(test_add(store, i, 500, &err), CUZK_OK);
        assert_int_equal(test_add(store, 100 + i, 500, &err), CUZK_OK);
        close_store(store);
        (void)snprintf(sql, sizeof sql, "UPDATE job SET %s WHERE id = '%s'", changes[i], job.id);
        change(sql);
        store = open_store();
        assert_int_equal(store->ops->request(&bytes, &n, store, job.id, &err), CUZK_ERR_FORMAT);
        assert_null(bytes);
        assert_int_equal(n, 0);
        assert_non_null(strstr(err.text, "/jobs.db: job "));
        assert_non_null(strstr(err.text, job.id));
        test_expect_request(store, 100 + i, 500);
        assert_int_equal(test_end(store, i, STORE_FAILED, err.text, &err), CUZK_OK);
        close_store(store);
    }
}

static void write_file(const char *path, const uint8_t *bytes, size_t n)
{
    FILE *file = fopen(path, "wbe");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* A page that is overwritten is damage, wherever it lies, or takes nothing with it. */
static void a_damaged_database_is_refused(void **unused)
{
    const char *path = test_path(folder, "jobs.db");
    char *name = strdup(path);
    uint8_t *whole, *bytes;
    unsigned n_refused = 0;
    store_t *store;
    cuzk_error err;
    size_t n;

    (void)unused;
    make_store(40);
    assert_int_equal(file_read(&whole, &n, name, 1 << 20, &err), CUZK_OK);
    bytes = malloc(n);
    assert_non_null(bytes);
    for (size_t at = 0; at + 512 <= n; at += 512) {
        memcpy(bytes, whole, n);
        memset(bytes + at, 0xa5, 512);
        write_file(name, bytes, n);
        if (store_sqlite_open(&store, folder, 0, &err) == CUZK_OK) {
            test_list_t *list = test_list(store);

            assert_int_equal(list->n, 40);
            free(list);
            close_store(store);
            continue;
        }
        assert_int_equal(err.status, CUZK_ERR_FORMAT);
        assert_non_null(strstr(err.text, name));
        assert_non_null(strstr(err.text, anew));
        n_refused++;
    }
    assert_true(n_refused >= n / 512 / 3); /* the others lie between rows */
    for (size_t length = 1; length < n - 4096; length += n / 7) {
        write_file(name, whole, length);
        expect_no_open("jobs.db", length < 512 ? "empty" : "damaged", anew);
    }
    write_file(name, (const uint8_t *)"jobs: none\n", 11);
    expect_no_open("jobs.db", "not a database", anew);
    write_file(name, whole, 0);
    expect_no_open("jobs.db", "empty", anew);
    assert_int_equal(unlink(name), 0);
    expect_no_open("jobs.db", "empty", anew);
    for (unsigned i = 0; i < 40; i++) /* nothing was removed by a store that was refused */
        assert_int_equal(access(test_request_path(folder, i), F_OK), 0);
    free(bytes);
    free(whole);
    free(name);
}

/* What follows the last whole change in the log is none. */
static void a_torn_end_of_the_log_is_left_out(void **unused)
{
    struct stat info;
    int status;

    (void)unused;
    const pid_t child = fork();
    if (child == 0) { /* killed, so that the log stays */
        store_t *store = open_store();
        cuzk_error err;

        for (unsigned i = 0; i < 5; i++)
            if (test_add(store, i, LONG, &err) != CUZK_OK) _exit(1);
        (void)raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(stat(test_path(folder, "jobs.db-wal"), &info), 0);
    assert_true(info.st_size > 4096);
    FILE *log = fopen(test_path(folder, "jobs.db-wal"), "abe");
    assert_non_null(log);
    for (int i = 0; i < 10000; i++) assert_int_equal(putc(i & 0xff, log), i & 0xff);
    assert_int_equal(fclose(log), 0);

    store_t *store = open_store();
    test_list_t *list = test_list(store);
    assert_int_equal(list->n, 5);
    for (unsigned i = 0; i < 5; i++) test_expect_request(store, i, LONG);
    free(list);
    close_store(store);
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(a_damaged_request_is_an_error),
        EACH(a_job_without_its_request_has_failed),
        EACH(files_without_a_job_are_removed),
        EACH(another_version_or_program_is_refused),
        EACH(other_tables_are_refused),
        EACH(values_out_of_range_are_damage),
        EACH(a_damaged_request_in_a_row_is_an_error),
        EACH(a_damaged_database_is_refused),
        EACH(a_torn_end_of_the_log_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

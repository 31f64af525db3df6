/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "store/store_schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

enum { APPLICATION_ID = 0x43555a4b /* "CUZK" */, LONGEST_VALUE_BYTES = 1 << 20 };

static const char database_name[] = "jobs.db";

/* ---- the table --------------------------------------------------------------------------------
 */

static const char create_table[] = "CREATE TABLE job ("
                                   "id TEXT NOT NULL UNIQUE, "
                                   "state INTEGER NOT NULL, "
                                   "request_bytes INTEGER NOT NULL, "
                                   "seal BLOB NOT NULL, "
                                   "request_id TEXT NOT NULL, "
                                   "kind INTEGER NOT NULL, "
                                   "priority INTEGER NOT NULL, "
                                   "registered_proof INTEGER NOT NULL, "
                                   "miner_id INTEGER NOT NULL, "
                                   "sector_number INTEGER NOT NULL, "
                                   "accepted_ms INTEGER NOT NULL, "
                                   "ended_ms INTEGER NOT NULL DEFAULT 0, "
                                   "n_starts INTEGER NOT NULL, "
                                   "queue_ms INTEGER NOT NULL DEFAULT 0, "
                                   "load_ms INTEGER NOT NULL DEFAULT 0, "
                                   "synthesis_ms INTEGER NOT NULL DEFAULT 0, "
                                   "proving_ms INTEGER NOT NULL DEFAULT 0, "
                                   "total_ms INTEGER NOT NULL DEFAULT 0, "
                                   "proof BLOB, "
                                   "proof_seal BLOB, "
                                   "error TEXT, "
                                   "request BLOB"
                                   ") STRICT";

/* State 0 is STORE_ACCEPTED. request is NULL where it has a file or has been forgotten; it stands
 * last, so that the other columns are read without it. The * gives the columns as they stand in the
 * table. */
static const char *const sql[STORE_SQL_STATEMENTS] = {
    [STORE_SQL_FIND] = "SELECT rowid, * FROM job WHERE id = ?1",
    [STORE_SQL_NEXT_WAITING] =
        "SELECT rowid, * FROM job WHERE rowid > ?1 AND state = 0 ORDER BY rowid LIMIT 1",
    [STORE_SQL_REQUEST] = "SELECT request FROM job WHERE rowid = ?1",
    [STORE_SQL_INSERT] =
        "INSERT OR REPLACE INTO job (id, request_id, kind, priority, registered_proof, miner_id, "
        "sector_number, accepted_ms, n_starts, request_bytes, seal, request, state) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 0)",
    [STORE_SQL_START] = "UPDATE job SET n_starts = min(n_starts + 1, 4294967295) WHERE id = ?1",
    [STORE_SQL_END] =
        "UPDATE job SET state = ?2, ended_ms = ?3, queue_ms = ?4, load_ms = ?5, synthesis_ms = ?6, "
        "proving_ms = ?7, total_ms = ?8, proof = ?9, proof_seal = ?10, error = ?11, request = NULL "
        "WHERE id = ?1",
    [STORE_SQL_REMOVE] = "DELETE FROM job WHERE id = ?1",
    [STORE_SQL_LIST] = "SELECT rowid, * FROM job ORDER BY accepted_ms, rowid",
    [STORE_SQL_EXPIRE] = "DELETE FROM job WHERE state <> 0 AND ended_ms < ?1",
};

/* ---- failures ---------------------------------------------------------------------------------
 */

cuzk_status store_schema_fail(const store_database_t *db, int code, cuzk_error *err)
{
    const char *text = sqlite3_errstr(code);
    const int error = db->sqlite == NULL ? 0 : sqlite3_system_errno(db->sqlite);

    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return error_set(err, CUZK_ERR_MEMORY, "%s: no memory for SQLite", db->path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_set(err, CUZK_ERR_BUSY, "%s: another program has it open: %s", db->path, text);
    case SQLITE_FULL:
        return error_set(err, CUZK_ERR_BUDGET, "%s: no room on the disk: %s", db->path, text);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:
    case SQLITE_SCHEMA:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
        return error_set(err, CUZK_ERR_FORMAT, "%s: damaged: %s; " STORE_DAMAGED_ADVICE, db->path,
                         text);
    default:
        return error_set(err, store_is_full(error) ? CUZK_ERR_BUDGET : CUZK_ERR_IO, "%s: %s%s%s",
                         db->path, text, error == 0 ? "" : ": ", error == 0 ? "" : strerror(error));
    }
}

bool store_schema_lacks_memory(const store_database_t *db)
{
    return (sqlite3_errcode(db->sqlite) & 0xff) == SQLITE_NOMEM;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static cuzk_status execute(store_database_t *db, const char *text, cuzk_error *err)
{
    const int code = sqlite3_exec(db->sqlite, text, NULL, NULL, NULL);

    return code == SQLITE_OK ? CUZK_OK : store_schema_fail(db, code, err);
}

/* The first value that a query gives, as a number (0 when it gives none) or a text (""). */
static cuzk_status ask(int64_t *number, char text[256], store_database_t *db, const char *query,
                       const char *value, cuzk_error *err)
{
    sqlite3_stmt *statement = NULL;

    *number = 0;
    text[0] = '\0';
    int code = sqlite3_prepare_v2(db->sqlite, query, -1, &statement, NULL);
    if (code == SQLITE_OK && value != NULL)
        code = sqlite3_bind_text(statement, 1, value, -1, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        const unsigned char *is = sqlite3_column_text(statement, 0);

        (void)snprintf(text, 256, "%s", is == NULL ? "" : (const char *)is);
        *number = sqlite3_column_int64(statement, 0);
        if (store_schema_lacks_memory(db)) code = SQLITE_NOMEM;
    }
    (void)sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? CUZK_OK : store_schema_fail(db, code, err);
}

/* As a file of ours, with our permissions, which SQLite gives to the log beside it, too. */
static cuzk_status make_file(const store_folder_t *folder, cuzk_error *err)
{
    int fd;

    const cuzk_status st = store_folder_open_file(&fd, folder, database_name, err);
    if (st != CUZK_OK) return st;
    (void)close(fd);
    store_folder_sync(folder);
    return CUZK_OK;
}

/* The database's bytes are not trusted: nothing in it may run, no page is mapped, and no value is
 * longer than ours are. */
static cuzk_status connect(store_database_t *db, cuzk_error *err)
{
    const int how = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;

    const int code = sqlite3_open_v2(db->path, &db->sqlite, how, NULL);
    if (code != SQLITE_OK) return store_schema_fail(db, code, err);
    (void)sqlite3_limit(db->sqlite, SQLITE_LIMIT_LENGTH, LONGEST_VALUE_BYTES);
    (void)sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    (void)sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    (void)sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    return execute(db,
                   "PRAGMA locking_mode = EXCLUSIVE; PRAGMA mmap_size = 0; "
                   "PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON",
                   err);
}

/* Whose the database is, before anything in it is changed. */
static cuzk_status check_owner(bool *is_new, store_database_t *db, cuzk_error *err)
{
    int64_t tables, application, version;
    char unused[256];

    if (ask(&tables, unused, db, "SELECT count(*) FROM sqlite_schema", NULL, err) != CUZK_OK ||
        ask(&application, unused, db, "PRAGMA application_id", NULL, err) != CUZK_OK ||
        ask(&version, unused, db, "PRAGMA user_version", NULL, err) != CUZK_OK)
        return err->status;
    *is_new = tables == 0 && application == 0 && version == 0;
    if (*is_new) return CUZK_OK;
    if (application != APPLICATION_ID)
        return error_set(err, CUZK_ERR_FORMAT,
                         "%s: a database of another program; name another folder for the store",
                         db->path);
    if (version > STORE_DATABASE_VERSION)
        return error_set(
            err, CUZK_ERR_FORMAT,
            "%s: of version %lld, made by a later program, and this one knows those up "
            "to %d; start the later one, or name another folder for the store",
            db->path, (long long)version, STORE_DATABASE_VERSION);
    if (version == STORE_DATABASE_VERSION) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT, "%s: damaged: version %lld; " STORE_DAMAGED_ADVICE,
                     db->path, (long long)version);
}

static cuzk_status count_request(void *arg, const char *id, bool *is_kept, cuzk_error *err)
{
    (void)id;
    (void)is_kept;
    (void)err;
    ++*(size_t *)arg;
    return CUZK_OK;
}

/* A database without tables is new, unless there are requests that it must have known. */
static cuzk_status check_new(const store_database_t *db, const store_folder_t *folder,
                             cuzk_error *err)
{
    size_t n = 0;

    const cuzk_status st = store_folder_sweep(folder, count_request, &n, err);
    if (st != CUZK_OK || n == 0) return st;
    return error_set(err, CUZK_ERR_FORMAT,
                     "%s: damaged: it is empty, and %s has %zu requests; " STORE_DAMAGED_ADVICE,
                     db->path, folder->requests, n);
}

cuzk_status store_schema_set_sync(store_database_t *db, bool is_synced, cuzk_error *err)
{
    if (db->is_synced == is_synced) return CUZK_OK;
    const cuzk_status st =
        execute(db, is_synced ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", err);
    if (st == CUZK_OK) db->is_synced = is_synced;
    return st;
}

static cuzk_status use_log(store_database_t *db, cuzk_error *err)
{
    char mode[256];
    int64_t unused;

    if (ask(&unused, mode, db, "PRAGMA journal_mode = WAL", NULL, err) != CUZK_OK)
        return err->status;
    if (strcmp(mode, "wal") != 0)
        return error_set(err, CUZK_ERR_IO, "%s: SQLite keeps no write-ahead log here, but \"%s\"",
                         db->path, mode);
    return store_schema_set_sync(db, true, err);
}

static cuzk_status create(store_database_t *db, cuzk_error *err)
{
    char numbers[96];

    (void)snprintf(numbers, sizeof numbers, "PRAGMA application_id = %d; PRAGMA user_version = %d",
                   APPLICATION_ID, STORE_DATABASE_VERSION);
    if (execute(db, "BEGIN IMMEDIATE", err) != CUZK_OK) return err->status;
    if (execute(db, create_table, err) != CUZK_OK || execute(db, numbers, err) != CUZK_OK)
        return err->status; /* closing takes it back */
    return execute(db, "COMMIT", err);
}

/* All pages, and that there is our table and nothing else. */
static cuzk_status check_content(store_database_t *db, cuzk_error *err)
{
    static const char form[] = "SELECT count(*) = 2 AND sum(type = 'table' AND sql = ?1) = 1 AND "
                               "sum(name = 'sqlite_autoindex_job_1') = 1 FROM sqlite_schema";
    char text[256];
    int64_t is_ours;

    if (ask(&is_ours, text, db, form, create_table, err) != CUZK_OK) return err->status;
    if (is_ours != 1)
        return error_set(err, CUZK_ERR_FORMAT,
                         "%s: damaged: its tables are others; " STORE_DAMAGED_ADVICE, db->path);
    if (ask(&is_ours, text, db, "PRAGMA integrity_check(1)", NULL, err) != CUZK_OK)
        return err->status;
    if (strcmp(text, "ok") == 0) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT, "%s: damaged: %s; " STORE_DAMAGED_ADVICE, db->path,
                     text);
}

static cuzk_status prepare(store_database_t *db, cuzk_error *err)
{
    int code = SQLITE_OK;

    for (int i = 0; i < STORE_SQL_STATEMENTS && code == SQLITE_OK; i++)
        code = sqlite3_prepare_v3(db->sqlite, sql[i], -1, SQLITE_PREPARE_PERSISTENT,
                                  &db->statements[i], NULL);
    return code == SQLITE_OK ? CUZK_OK : store_schema_fail(db, code, err);
}

cuzk_status store_database_open(store_database_t *db, const store_folder_t *folder, cuzk_error *err)
{
    bool is_new;

    *db = (store_database_t){
        .path = mem_alloc(strlen(folder->path) + sizeof database_name + 1, 1, "a path", err)};
    if (db->path == NULL) return err->status;
    (void)sprintf(db->path, "%s/%s", folder->path, database_name);
    cuzk_status st = make_file(folder, err);
    if (st == CUZK_OK) st = connect(db, err);
    if (st == CUZK_OK) st = check_owner(&is_new, db, err);
    if (st == CUZK_OK && is_new) st = check_new(db, folder, err);
    if (st == CUZK_OK) st = use_log(db, err);
    if (st == CUZK_OK && is_new) st = create(db, err);
    if (st == CUZK_OK) st = check_content(db, err);
    if (st == CUZK_OK) st = prepare(db, err);
    return st == CUZK_OK ? store_database_list(db, NULL, NULL, err) : st;
}

void store_database_close(store_database_t *db)
{
    for (int i = 0; i < STORE_SQL_STATEMENTS; i++) (void)sqlite3_finalize(db->statements[i]);
    (void)sqlite3_close(db->sqlite);
    free(db->path);
    *db = (store_database_t){0};
}

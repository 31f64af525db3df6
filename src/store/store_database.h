/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STORE_STORE_DATABASE_H
#define CUZK_STORE_STORE_DATABASE_H

/* The database of a store: a table of jobs, by SQLite, with a log that is synced at the end of each
 * change. Used under the store's lock. Failures of all calls: CUZK_ERR_FORMAT it is damaged,
 * CUZK_ERR_BUDGET the disk is full, CUZK_ERR_BUSY another program has it, CUZK_ERR_IO,
 * CUZK_ERR_MEMORY; the text names the file. */

#include <sqlite3.h>

#include "store/store_folder.h"

enum {
    STORE_DATABASE_VERSION = 1,      /* of the table */
    STORE_IN_ROW_MAX_BYTES = 1 << 18 /* of a request that stands in its row, which is one sync and
                                        not three; a longer one has a file */
};

typedef enum {
    STORE_SQL_FIND,
    STORE_SQL_NEXT_WAITING,
    STORE_SQL_REQUEST,
    STORE_SQL_INSERT,
    STORE_SQL_START,
    STORE_SQL_END,
    STORE_SQL_REMOVE,
    STORE_SQL_LIST,
    STORE_SQL_EXPIRE,
    STORE_SQL_STATEMENTS
} store_sql;

typedef struct {
    char *path; /* owned */
    sqlite3 *sqlite;
    bool is_synced; /* does a change wait until it is on the disk? */
    sqlite3_stmt *statements[STORE_SQL_STATEMENTS];
} store_database_t;

/** What a row says of a request. */
typedef struct {
    int64_t row; /* rises as jobs are added */
    char id[STORE_ID_BYTES];
    store_state state;
    uint64_t request_bytes;
    bool is_in_row; /* the request; else it has a file */
    uint8_t seal[STORE_SEAL_BYTES];
} store_row_t;

/** Opens FOLDER/jobs.db, which is made when it is missing, and looks through all of it. Close with
 *  store_database_close() on every return. */
cuzk_status store_database_open(store_database_t *db, const store_folder_t *folder,
                                cuzk_error *err);
void store_database_close(store_database_t *db);

/** The row of that id. */
cuzk_status store_database_find(store_row_t *row, bool *is_there, store_database_t *db,
                                const char *id, cuzk_error *err);

/** The first job after the row of that number that has not ended. */
cuzk_status store_database_next_waiting(store_row_t *row, bool *is_there, store_database_t *db,
                                        int64_t after, cuzk_error *err);

/** Adds a job, in the place of one of the same id, and its request when that is short. */
cuzk_status store_database_insert(store_database_t *db, const store_job_t *job,
                                  const uint8_t *request, size_t length, cuzk_error *err);

/** The request that stands in this row; released with free(). */
cuzk_status store_database_request(uint8_t **bytes, store_database_t *db, const store_row_t *row,
                                   cuzk_error *err);

/** These do nothing where there is none of the id. A start outlives the process at once, and a
 * fault of the machine when the next change does. */
cuzk_status store_database_start(store_database_t *db, const char *id, cuzk_error *err);
cuzk_status store_database_end(store_database_t *db, const store_job_t *job, cuzk_error *err);
cuzk_status store_database_remove(store_database_t *db, const char *id, cuzk_error *err);
cuzk_status store_database_expire(store_database_t *db, int64_t ended_before_ms, cuzk_error *err);

/** As store_ops_t's list(); visit may be NULL. */
cuzk_status store_database_list(store_database_t *db,
                                void (*visit)(void *arg, const store_job_t *job), void *arg,
                                cuzk_error *err);

#endif

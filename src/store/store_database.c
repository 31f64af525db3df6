/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "store/store_database.h"

#include <string.h>

#include "base/memory.h"
#include "hash/sha256.h"
#include "store/store_schema.h"

/* ---- from rows --------------------------------------------------------------------------------
 */

static cuzk_status fail_row(const store_database_t *db, const char *what, cuzk_error *err)
{
    if (store_schema_lacks_memory(db)) return store_schema_fail(db, SQLITE_NOMEM, err);
    return error_set(err, CUZK_ERR_FORMAT, "%s: damaged: %s; " STORE_DAMAGED_ADVICE, db->path,
                     what);
}

/* to = a text without zeros in it, of fewer than size bytes. */
static bool read_text(char *to, size_t size, sqlite3_stmt *row, store_column column)
{
    const unsigned char *text = sqlite3_column_text(row, (int)column);
    const size_t n = (size_t)sqlite3_column_bytes(row, (int)column);

    if (text == NULL || n >= size || strlen((const char *)text) != n) return false;
    memcpy(to, text, n + 1);
    return true;
}

static bool read_u32(uint32_t *to, sqlite3_stmt *row, store_column column)
{
    const int64_t value = sqlite3_column_int64(row, (int)column);

    *to = (uint32_t)value;
    return value >= 0 && value <= (int64_t)UINT32_MAX;
}

static uint64_t read_u64(sqlite3_stmt *row, store_column column)
{
    return (uint64_t)sqlite3_column_int64(row, (int)column);
}

static void read_times(store_times_t *times, sqlite3_stmt *row)
{
    times->queue = read_u64(row, STORE_COLUMN_QUEUE_MS);
    times->load = read_u64(row, STORE_COLUMN_LOAD_MS);
    times->synthesis = read_u64(row, STORE_COLUMN_SYNTHESIS_MS);
    times->proving = read_u64(row, STORE_COLUMN_PROVING_MS);
    times->total = read_u64(row, STORE_COLUMN_TOTAL_MS);
}

/* SQLite finds no damage within a value, and a proof that goes out has to be the one that was made.
 */
static bool read_proof(store_job_t *job, sqlite3_stmt *row)
{
    const void *seal = sqlite3_column_blob(row, STORE_COLUMN_PROOF_SEAL);
    uint8_t digest[SHA256_BYTES];

    job->proof = sqlite3_column_blob(row, STORE_COLUMN_PROOF);
    job->proof_length = (size_t)sqlite3_column_bytes(row, STORE_COLUMN_PROOF);
    if (job->proof == NULL) return true;
    sha256(digest, job->proof, job->proof_length);
    return seal != NULL && sqlite3_column_bytes(row, STORE_COLUMN_PROOF_SEAL) == SHA256_BYTES &&
           memcmp(seal, digest, sizeof digest) == 0;
}

/* text has the error's room. */
static cuzk_status read_job(store_job_t *job, char text[STORE_ERROR_BYTES],
                            const store_database_t *db, sqlite3_stmt *row, cuzk_error *err)
{
    uint32_t kind, priority, state;

    *job = (store_job_t){0};
    if (!read_text(job->id, sizeof job->id, row, STORE_COLUMN_ID) || !store_is_id(job->id))
        return fail_row(db, "a job's id", err);
    if (!read_text(job->request_id, sizeof job->request_id, row, STORE_COLUMN_REQUEST_ID) ||
        !read_u32(&kind, row, STORE_COLUMN_KIND) ||
        !read_u32(&priority, row, STORE_COLUMN_PRIORITY) ||
        !read_u32(&state, row, STORE_COLUMN_STATE) ||
        !read_u32(&job->registered_proof, row, STORE_COLUMN_REGISTERED_PROOF) ||
        !read_u32(&job->n_starts, row, STORE_COLUMN_N_STARTS))
        return fail_row(db, "a field of a job", err);
    job->kind = (cuzk_kind)kind;
    job->priority = (cuzk_priority)priority;
    job->state = (store_state)state;
    job->miner_id = read_u64(row, STORE_COLUMN_MINER_ID);
    job->sector_number = read_u64(row, STORE_COLUMN_SECTOR_NUMBER);
    job->accepted_ms = sqlite3_column_int64(row, STORE_COLUMN_ACCEPTED_MS);
    job->ended_ms = sqlite3_column_int64(row, STORE_COLUMN_ENDED_MS);
    read_times(&job->times_ms, row);
    if (!read_proof(job, row)) return fail_row(db, "the SHA-256 of a proof", err);
    if (sqlite3_column_type(row, STORE_COLUMN_ERROR) != SQLITE_NULL) {
        if (!read_text(text, STORE_ERROR_BYTES, row, STORE_COLUMN_ERROR))
            return fail_row(db, "an error's text", err);
        job->error = text;
    }
    if (store_check_names(job, err) != CUZK_OK || store_check_outcome(job, err) != CUZK_OK) {
        const cuzk_error why = *err;

        return fail_row(db, why.text, err);
    }
    return CUZK_OK;
}

static cuzk_status read_row(store_row_t *out, const store_database_t *db, sqlite3_stmt *row,
                            cuzk_error *err)
{
    const void *seal = sqlite3_column_blob(row, STORE_COLUMN_SEAL);
    uint32_t state;

    out->row = sqlite3_column_int64(row, STORE_COLUMN_ROW);
    out->request_bytes = read_u64(row, STORE_COLUMN_REQUEST_BYTES);
    out->is_in_row = sqlite3_column_type(row, STORE_COLUMN_REQUEST) != SQLITE_NULL;
    if (!read_text(out->id, sizeof out->id, row, STORE_COLUMN_ID) || !store_is_id(out->id) ||
        !read_u32(&state, row, STORE_COLUMN_STATE) || seal == NULL ||
        (out->is_in_row && out->request_bytes > STORE_IN_ROW_MAX_BYTES) ||
        sqlite3_column_bytes(row, STORE_COLUMN_SEAL) != STORE_SEAL_BYTES)
        return fail_row(db, "a job's request", err);
    out->state = (store_state)state;
    memcpy(out->seal, seal, STORE_SEAL_BYTES);
    return CUZK_OK;
}

/* ---- statements -------------------------------------------------------------------------------
 */

/* The values of a statement, bound one after the other; what they point to is borrowed. */
typedef struct {
    sqlite3_stmt *statement;
    int n, code;
} values_t;

static values_t values_of(store_database_t *db, store_sql which)
{
    return (values_t){.statement = db->statements[which]};
}

static void bind_number(values_t *v, int64_t number)
{
    v->n++;
    if (v->code == SQLITE_OK) v->code = sqlite3_bind_int64(v->statement, v->n, number);
}

static void bind_text(values_t *v, const char *text)
{
    v->n++;
    if (v->code == SQLITE_OK)
        v->code = sqlite3_bind_text(v->statement, v->n, text, -1, SQLITE_STATIC);
}

static void bind_bytes(values_t *v, const uint8_t *bytes, size_t n)
{
    v->n++;
    if (v->code == SQLITE_OK)
        v->code = sqlite3_bind_blob(v->statement, v->n, bytes, (int)n, SQLITE_STATIC);
}

static int step(const values_t *v)
{
    return v->code == SQLITE_OK ? sqlite3_step(v->statement) : v->code;
}

/* Ends a statement whose last step gave this code. */
static cuzk_status finish(store_database_t *db, const values_t *v, int code, cuzk_error *err)
{
    const cuzk_status st =
        code == SQLITE_DONE || code == SQLITE_ROW ? CUZK_OK : store_schema_fail(db, code, err);

    (void)sqlite3_reset(v->statement);
    (void)sqlite3_clear_bindings(v->statement);
    return st;
}

static cuzk_status run(store_database_t *db, const values_t *v, bool is_synced, cuzk_error *err)
{
    const cuzk_status st = store_schema_set_sync(db, is_synced, err);

    if (st == CUZK_OK) return finish(db, v, step(v), err);
    (void)finish(db, v, SQLITE_DONE, err);
    return st;
}

static cuzk_status run_for_row(store_row_t *row, bool *is_there, store_database_t *db,
                               const values_t *v, cuzk_error *err)
{
    const int code = step(v);
    cuzk_status st = CUZK_OK;

    *is_there = code == SQLITE_ROW;
    if (*is_there) st = read_row(row, db, v->statement, err);
    const cuzk_status finished = finish(db, v, code, err);
    return st != CUZK_OK ? st : finished;
}

/* ---- the calls --------------------------------------------------------------------------------
 */

cuzk_status store_database_find(store_row_t *row, bool *is_there, store_database_t *db,
                                const char *id, cuzk_error *err)
{
    values_t v = values_of(db, STORE_SQL_FIND);

    bind_text(&v, id);
    return run_for_row(row, is_there, db, &v, err);
}

cuzk_status store_database_next_waiting(store_row_t *row, bool *is_there, store_database_t *db,
                                        int64_t after, cuzk_error *err)
{
    values_t v = values_of(db, STORE_SQL_NEXT_WAITING);

    bind_number(&v, after);
    return run_for_row(row, is_there, db, &v, err);
}

cuzk_status store_database_insert(store_database_t *db, const store_job_t *job,
                                  const uint8_t *request, size_t length, cuzk_error *err)
{
    const uint8_t *seal = request + length - STORE_SEAL_BYTES;
    values_t v = values_of(db, STORE_SQL_INSERT);

    bind_text(&v, job->id);
    bind_text(&v, job->request_id);
    bind_number(&v, (int64_t)job->kind);
    bind_number(&v, (int64_t)job->priority);
    bind_number(&v, (int64_t)job->registered_proof);
    bind_number(&v, (int64_t)job->miner_id);
    bind_number(&v, (int64_t)job->sector_number);
    bind_number(&v, job->accepted_ms);
    bind_number(&v, (int64_t)job->n_starts);
    bind_number(&v, (int64_t)length);
    bind_bytes(&v, seal, STORE_SEAL_BYTES);
    bind_bytes(&v, length <= STORE_IN_ROW_MAX_BYTES ? request : NULL, length);
    return run(db, &v, true, err);
}

static cuzk_status copy_request(uint8_t **bytes, const store_database_t *db, sqlite3_stmt *found,
                                const store_row_t *row, cuzk_error *err)
{
    const void *request = sqlite3_column_blob(found, 0);
    const size_t n = (size_t)sqlite3_column_bytes(found, 0);

    if (store_schema_lacks_memory(db)) return store_schema_fail(db, SQLITE_NOMEM, err);
    if (request == NULL || n != row->request_bytes || !store_is_sealed(request, n, row->seal))
        return error_set(err, CUZK_ERR_FORMAT,
                         "%s: job %s: the request has been changed: its SHA-256 is another",
                         db->path, row->id);
    *bytes = mem_alloc(n, 1, "a request", err);
    if (*bytes == NULL) return err->status;
    memcpy(*bytes, request, n);
    return CUZK_OK;
}

cuzk_status store_database_request(uint8_t **bytes, store_database_t *db, const store_row_t *row,
                                   cuzk_error *err)
{
    values_t v = values_of(db, STORE_SQL_REQUEST);
    cuzk_status st = CUZK_OK;

    *bytes = NULL;
    bind_number(&v, row->row);
    const int code = step(&v);
    if (code == SQLITE_ROW) st = copy_request(bytes, db, v.statement, row, err);
    const cuzk_status finished = finish(db, &v, code, err);
    return st != CUZK_OK ? st : finished;
}

cuzk_status store_database_start(store_database_t *db, const char *id, cuzk_error *err)
{
    values_t v = values_of(db, STORE_SQL_START);

    bind_text(&v, id);
    return run(db, &v, false, err);
}

cuzk_status store_database_end(store_database_t *db, const store_job_t *job, cuzk_error *err)
{
    const bool is_completed = job->state == STORE_COMPLETED;
    values_t v = values_of(db, STORE_SQL_END);
    uint8_t digest[SHA256_BYTES];
    char text[STORE_ERROR_BYTES];

    store_cut_error(text, job->error);
    if (is_completed) sha256(digest, job->proof, job->proof_length);
    bind_text(&v, job->id);
    bind_number(&v, (int64_t)job->state);
    bind_number(&v, job->ended_ms);
    bind_number(&v, (int64_t)job->times_ms.queue);
    bind_number(&v, (int64_t)job->times_ms.load);
    bind_number(&v, (int64_t)job->times_ms.synthesis);
    bind_number(&v, (int64_t)job->times_ms.proving);
    bind_number(&v, (int64_t)job->times_ms.total);
    bind_bytes(&v, is_completed ? job->proof : NULL, is_completed ? job->proof_length : 0);
    bind_bytes(&v, is_completed ? digest : NULL, is_completed ? sizeof digest : 0);
    bind_text(&v, is_completed || job->error == NULL ? NULL : text);
    return run(db, &v, true, err);
}

cuzk_status store_database_remove(store_database_t *db, const char *id, cuzk_error *err)
{
    values_t v = values_of(db, STORE_SQL_REMOVE);

    bind_text(&v, id);
    return run(db, &v, true, err);
}

cuzk_status store_database_expire(store_database_t *db, int64_t ended_before_ms, cuzk_error *err)
{
    values_t v = values_of(db, STORE_SQL_EXPIRE);

    bind_number(&v, ended_before_ms);
    return run(db, &v, true, err);
}

cuzk_status store_database_list(store_database_t *db,
                                void (*visit)(void *arg, const store_job_t *job), void *arg,
                                cuzk_error *err)
{
    const values_t v = values_of(db, STORE_SQL_LIST);
    char text[STORE_ERROR_BYTES];
    cuzk_status st = CUZK_OK;
    store_job_t job;
    int code;

    while ((code = step(&v)) == SQLITE_ROW && st == CUZK_OK) {
        st = read_job(&job, text, db, v.statement, err);
        if (st == CUZK_OK && visit != NULL) visit(arg, &job);
    }
    const cuzk_status finished = finish(db, &v, code, err);
    return st != CUZK_OK ? st : finished;
}

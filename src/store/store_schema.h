/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STORE_STORE_SCHEMA_H
#define CUZK_STORE_STORE_SCHEMA_H

/* The form of a store's database, and what SQLite's failures mean. */

#include "store/store_database.h"

/* Columns, in the order in which statements that read give them. */
typedef enum {
    STORE_COLUMN_ROW,
    STORE_COLUMN_ID,
    STORE_COLUMN_STATE,
    STORE_COLUMN_REQUEST_BYTES,
    STORE_COLUMN_SEAL,
    STORE_COLUMN_REQUEST_ID,
    STORE_COLUMN_KIND,
    STORE_COLUMN_PRIORITY,
    STORE_COLUMN_REGISTERED_PROOF,
    STORE_COLUMN_MINER_ID,
    STORE_COLUMN_SECTOR_NUMBER,
    STORE_COLUMN_ACCEPTED_MS,
    STORE_COLUMN_ENDED_MS,
    STORE_COLUMN_N_STARTS,
    STORE_COLUMN_QUEUE_MS,
    STORE_COLUMN_LOAD_MS,
    STORE_COLUMN_SYNTHESIS_MS,
    STORE_COLUMN_PROVING_MS,
    STORE_COLUMN_TOTAL_MS,
    STORE_COLUMN_PROOF,
    STORE_COLUMN_PROOF_SEAL,
    STORE_COLUMN_ERROR,
    STORE_COLUMN_REQUEST
} store_column;

#define STORE_DAMAGED_ADVICE                                                                       \
    "move the folder away and start anew: what it held has to be asked for again"

/** Whether changes from now on wait until they are on the disk; else the system has them. */
cuzk_status store_schema_set_sync(store_database_t *db, bool is_synced, cuzk_error *err);

/** The error of a result code of SQLite. */
cuzk_status store_schema_fail(const store_database_t *db, int code, cuzk_error *err);

/** Whether a value is missing because SQLite had no memory to hand it out. */
bool store_schema_lacks_memory(const store_database_t *db);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STORE_STORE_RULES_H
#define CUZK_STORE_STORE_RULES_H

/* What every kind of store takes and refuses, in the same words. */

#include <stdbool.h>

#include "store/store.h"

enum { STORE_SEAL_BYTES = 32 }; /* at a request's end: SHA-256 of the bytes before */

/** 32 lower-case hex digits: it becomes the name of a file. */
bool store_is_id(const char *id);
cuzk_status store_check_id(const char *id, cuzk_error *err);

/** What does not change: id, request_id, kind, priority. CUZK_ERR_ARG. */
cuzk_status store_check_names(const store_job_t *job, cuzk_error *err);

/** State, and the proof that belongs to it. CUZK_ERR_ARG. */
cuzk_status store_check_outcome(const store_job_t *job, cuzk_error *err);

/** What add() and end() take, as far as the job and its request say. CUZK_ERR_ARG. */
cuzk_status store_check_new(const store_job_t *job, size_t length, cuzk_error *err);
cuzk_status store_check_end(const store_job_t *job, cuzk_error *err);

/** CUZK_ERR_BUDGET when a request has no room beside held bytes; limit 0: none. */
cuzk_status store_check_room(uint64_t limit, uint64_t held, size_t length, cuzk_error *err);

/** to = an error's text as it is kept; "" for NULL. */
void store_cut_error(char to[STORE_ERROR_BYTES], const char *text);

/** Whether a request ends with this seal, and it is the SHA-256 of what stands before. */
bool store_is_sealed(const uint8_t *request, size_t length, const uint8_t seal[STORE_SEAL_BYTES]);

/** There is none of that id that has not ended: CUZK_ERR_MISSING. There is: CUZK_ERR_ARG. */
cuzk_status store_fail_missing(const char *id, cuzk_error *err);
cuzk_status store_fail_present(const char *id, cuzk_error *err);

/** Whether an errno says that the disk, a quota or the length allowed is used up. */
bool store_is_full(int error);

#endif

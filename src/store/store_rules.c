/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "store/store_rules.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "hash/sha256.h"

_Static_assert((int)STORE_SEAL_BYTES == (int)SHA256_BYTES, "a request is sealed by its SHA-256");

bool store_is_id(const char *id)
{
    const size_t n = strspn(id, "0123456789abcdef");

    return n == STORE_ID_BYTES - 1 && id[n] == '\0';
}

cuzk_status store_check_id(const char *id, cuzk_error *err)
{
    if (store_is_id(id)) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "store: job's id %.64s: not %d lower-case hex digits", id,
                     STORE_ID_BYTES - 1);
}

static bool is_utf8(const char *text, size_t n)
{
    const unsigned char *s = (const unsigned char *)text;

    for (size_t i = 0; i < n;) {
        const size_t length = text_utf8_length(s + i, n - i);

        if (length == 0) return false;
        i += length;
    }
    return true;
}

cuzk_status store_check_names(const store_job_t *job, cuzk_error *err)
{
    const size_t n = strnlen(job->request_id, STORE_REQUEST_ID_BYTES);

    if (store_check_id(job->id, err) != CUZK_OK) return err->status;
    if (n == STORE_REQUEST_ID_BYTES || !is_utf8(job->request_id, n))
        return error_set(err, CUZK_ERR_ARG, "store: job %s: request_id: not UTF-8 of %d bytes",
                         job->id, STORE_REQUEST_ID_BYTES - 1);
    if ((int)job->kind < CUZK_POREP || (int)job->kind > CUZK_WINNING_POST)
        return error_set(err, CUZK_ERR_ARG, "store: job %s: kind: %d, %d .. %d wanted", job->id,
                         (int)job->kind, CUZK_POREP, CUZK_WINNING_POST);
    if ((int)job->priority < CUZK_PRIORITY_DEFAULT || (int)job->priority > CUZK_PRIORITY_CRITICAL)
        return error_set(err, CUZK_ERR_ARG, "store: job %s: priority: %d, %d .. %d wanted", job->id,
                         (int)job->priority, CUZK_PRIORITY_DEFAULT, CUZK_PRIORITY_CRITICAL);
    return CUZK_OK;
}

cuzk_status store_check_outcome(const store_job_t *job, cuzk_error *err)
{
    if ((int)job->state < STORE_ACCEPTED || (int)job->state > STORE_TIMED_OUT)
        return error_set(err, CUZK_ERR_ARG, "store: job %s: state: %d, %d .. %d wanted", job->id,
                         (int)job->state, STORE_ACCEPTED, STORE_TIMED_OUT);
    const size_t n = job->proof == NULL ? 0 : job->proof_length;
    if (job->state == STORE_COMPLETED && (n == 0 || n > STORE_PROOF_MAX_BYTES))
        return error_set(err, CUZK_ERR_ARG, "store: job %s: proof: %zu bytes, 1 .. %d wanted",
                         job->id, n, STORE_PROOF_MAX_BYTES);
    return CUZK_OK;
}

cuzk_status store_check_new(const store_job_t *job, size_t length, cuzk_error *err)
{
    if (store_check_names(job, err) != CUZK_OK) return err->status;
    if (job->state != STORE_ACCEPTED)
        return error_set(err, CUZK_ERR_ARG, "store: job %s: state: %d, a new one has %d", job->id,
                         (int)job->state, STORE_ACCEPTED);
    if (length < STORE_SEAL_BYTES)
        return error_set(err, CUZK_ERR_ARG, "store: job %s: request: %zu bytes, %d at least",
                         job->id, length, STORE_SEAL_BYTES);
    return CUZK_OK;
}

cuzk_status store_check_end(const store_job_t *job, cuzk_error *err)
{
    if (store_check_id(job->id, err) != CUZK_OK) return err->status;
    if (store_check_outcome(job, err) != CUZK_OK) return err->status;
    if (job->state == STORE_ACCEPTED)
        return error_set(err, CUZK_ERR_ARG, "store: job %s: state: %d is not that of an ended one",
                         job->id, STORE_ACCEPTED);
    return CUZK_OK;
}

cuzk_status store_check_room(uint64_t limit, uint64_t held, size_t length, cuzk_error *err)
{
    if (limit == 0 || (length <= limit && held <= limit - length)) return CUZK_OK;
    return error_set(err, CUZK_ERR_BUDGET,
                     "store: a request of %zu bytes beside %llu bytes of others that wait, and the "
                     "limit of the store is %llu bytes",
                     length, (unsigned long long)held, (unsigned long long)limit);
}

void store_cut_error(char to[STORE_ERROR_BYTES], const char *text)
{
    (void)text_escape(to, STORE_ERROR_BYTES, text == NULL ? "" : text,
                      text == NULL ? 0 : strlen(text));
}

bool store_is_sealed(const uint8_t *request, size_t length, const uint8_t seal[STORE_SEAL_BYTES])
{
    uint8_t digest[SHA256_BYTES];

    if (length < STORE_SEAL_BYTES) return false;
    sha256(digest, request, length - STORE_SEAL_BYTES);
    return memcmp(digest, seal, sizeof digest) == 0 &&
           memcmp(digest, request + length - STORE_SEAL_BYTES, sizeof digest) == 0;
}

cuzk_status store_fail_missing(const char *id, cuzk_error *err)
{
    return error_set(err, CUZK_ERR_MISSING, "store: job %s: none of this id that has not ended",
                     id);
}

cuzk_status store_fail_present(const char *id, cuzk_error *err)
{
    return error_set(err, CUZK_ERR_ARG, "store: job %s: there is one already that has not ended",
                     id);
}

bool store_is_full(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STATUS_ANSWER_H
#define CUZK_STATUS_ANSWER_H

/* What is answered to a request that libmicrohttpd has taken apart. */

#include <microhttpd.h>

#include "status/http.h"

/** Of the policy that the page is sent with; zero-terminated. */
enum { ANSWER_POLICY_BYTES = 512 };

/** What answers are made from; take and arg as in http_options_t. */
typedef struct {
    cuzk_status (*take)(void *arg, snapshot_t *snapshot, cuzk_error *err);
    void *arg;
    char policy[ANSWER_POLICY_BYTES];
} answer_t;

void answer_init(answer_t *answer, const http_options_t *options);

/** An MHD_AccessHandlerCallback; arg is an answer_t, which is only read. */
enum MHD_Result answer_request(void *arg, struct MHD_Connection *connection, const char *path,
                               const char *method, const char *version, const char *body,
                               size_t *body_length, void **state);

/** For MHD_OPTION_UNESCAPE_CALLBACK: leaves a path as it came, so that there is one way to write
 *  each, and "%00" ends none. */
size_t answer_unescape(void *arg, struct MHD_Connection *connection, char *text);

#endif

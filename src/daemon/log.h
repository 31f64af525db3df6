/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DAEMON_LOG_H
#define CUZK_DAEMON_LOG_H

/* The daemon's log: lines on standard error, as text or as JSON objects. Thread-safe; a line is one
 * write. What comes from outside is escaped. */

#include "cuzk/cuzk.h"

typedef enum { LOG_TEXT, LOG_JSON } log_format;

/** What a line is about; zeroed: the daemon. */
typedef struct {
    const char *job;        /* its id, or NULL */
    const char *request_id; /* or NULL */
    const char *kind;       /* "winning_post", or NULL */
    bool has_partition;
    uint32_t partition;
    const char *stage; /* or NULL */
} log_subject_t;

/** Until it is called: info, text. */
void log_set(cuzk_log_level level, log_format format);

/** Whether lines of that level are written. */
bool log_has(cuzk_log_level level);

/** subject may be NULL. */
void log_line(cuzk_log_level level, const log_subject_t *subject, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

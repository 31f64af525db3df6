/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DAEMON_LOG_H
#define CUZK_DAEMON_LOG_H

/* The daemon's log: lines on standard error, as text
 *
 *     2026-12-01T12:00:00.123Z INFO  winning_post job=3f request="a b" partition=0 stage=msm: text
 *
 * or as JSON objects with ts, level, msg and what else is known (kind, job, request_id, partition,
 * stage). Where standard error is the journal's ($JOURNAL_STREAM), each line begins with its
 * priority, <3> to <7>, and text has no time. Thread-safe; a line is one write. What comes from
 * outside is escaped. */

#include "cuzk/cuzk.h"

/** A line's text is cut to as many bytes, less one. */
enum { LOG_TEXT_BYTES = 4096 };

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

/** subject may be NULL. A line that cannot be written is lost; nothing else comes of it. */
void log_line(cuzk_log_level level, const log_subject_t *subject, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "daemon/log.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "codec/json_write.h"

enum { TIME_BYTES = 32, FIELD_BYTES = 512, LINE_BYTES = 4 * LOG_TEXT_BYTES };

/* What the names of levels are in both forms, and the journal's priorities. */
static const struct {
    const char *text, *json;
    int priority;
} levels[] = {[CUZK_LOG_ERROR] = {"ERROR", "error", 3},
              [CUZK_LOG_WARNING] = {"WARN ", "warn", 4},
              [CUZK_LOG_INFO] = {"INFO ", "info", 6},
              [CUZK_LOG_DEBUG] = {"DEBUG", "debug", 7}};

static _Atomic unsigned set_level = CUZK_LOG_INFO;
static _Atomic unsigned set_format = LOG_TEXT;
static pthread_mutex_t write_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t journal_once = PTHREAD_ONCE_INIT;
static bool is_journal;

/* The journal names the socket it gave as "DEVICE:INODE". */
static void find_journal(void)
{
    const char *name = getenv("JOURNAL_STREAM");
    unsigned long long device, inode;
    struct stat info;

    is_journal = name != NULL && sscanf(name, "%llu:%llu", &device, &inode) == 2 &&
                 fstat(STDERR_FILENO, &info) == 0 && info.st_dev == device && info.st_ino == inode;
}

void log_set(cuzk_log_level level, log_format format)
{
    atomic_store(&set_level, level);
    atomic_store(&set_format, format);
}

bool log_has(cuzk_log_level level)
{
    return level <= atomic_load(&set_level);
}

static void print_time(char text[TIME_BYTES])
{
    struct timespec now;
    struct tm utc;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)gmtime_r(&now.tv_sec, &utc);
    const size_t n = strftime(text, TIME_BYTES, "%Y-%m-%dT%H:%M:%S", &utc);
    (void)snprintf(text + n, TIME_BYTES - n, ".%03ldZ", now.tv_nsec / 1000000);
}

/* All of it, though it may take several writes where a pipe is full or a signal comes. */
static void write_line(const char *line, size_t n)
{
    const int old_errno = errno;

    (void)pthread_mutex_lock(&write_lock);
    while (n > 0) {
        const ssize_t written = write(STDERR_FILENO, line, n);

        if (written >= 0) {
            line += written;
            n -= (size_t)written;
        } else if (errno == EAGAIN) {
            (void)poll(&(struct pollfd){.fd = STDERR_FILENO, .events = POLLOUT}, 1, -1);
        } else if (errno != EINTR) {
            break;
        }
    }
    (void)pthread_mutex_unlock(&write_lock);
    errno = old_errno;
}

/* ---- text -------------------------------------------------------------------------------------
 */

/* " NAME=VALUE", in quotes where it has characters that would make a line hard to take apart. */
static size_t put_field(char *line, size_t room, const char *name, const char *value)
{
    char shown[FIELD_BYTES];
    size_t n;

    if (value == NULL) return 0;
    (void)text_escape(shown, sizeof shown, value, strlen(value));
    if (*shown != '\0' && strpbrk(shown, " \"=") == NULL)
        return (size_t)snprintf(line, room, " %s=%s", name, shown);
    n = (size_t)snprintf(line, room, " %s=\"", name);
    for (const char *c = shown; *c != '\0' && n + 3 < room; c++) {
        if (*c == '"') line[n++] = '\\';
        line[n++] = *c;
    }
    line[n++] = '"';
    line[n] = '\0';
    return n;
}

static size_t put_subject(char *line, size_t room, const log_subject_t *subject)
{
    size_t n = 0;

    if (subject->kind != NULL) n = (size_t)snprintf(line, room, " %s", subject->kind);
    n += put_field(line + n, room - n, "job", subject->job);
    n += put_field(line + n, room - n, "request", subject->request_id);
    if (subject->has_partition)
        n += (size_t)snprintf(line + n, room - n, " partition=%u", subject->partition);
    return n + put_field(line + n, room - n, "stage", subject->stage);
}

static void write_text(cuzk_log_level level, const log_subject_t *subject, const char *text)
{
    char line[LINE_BYTES], at[TIME_BYTES];
    size_t n;

    if (is_journal) {
        n = (size_t)snprintf(line, sizeof line, "<%d>%s", levels[level].priority,
                             levels[level].text);
    } else {
        print_time(at);
        n = (size_t)snprintf(line, sizeof line, "%s %s", at, levels[level].text);
    }
    const size_t before = n;
    n += put_subject(line + n, sizeof line - n, subject);
    if (n > before) line[n++] = ':';
    line[n++] = ' ';
    n += text_escape(line + n, sizeof line - n - 1, text, strlen(text));
    line[n++] = '\n';
    write_line(line, n);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static void put_member(json_writer_t *w, const char *name, const char *value)
{
    if (value != NULL) json_write_string(w, name, value);
}

static void put_members(json_writer_t *w, cuzk_log_level level, const log_subject_t *subject,
                        const char *text)
{
    char at[TIME_BYTES];

    print_time(at);
    json_write_object(w, NULL);
    json_write_string(w, "ts", at);
    json_write_string(w, "level", levels[level].json);
    json_write_string(w, "msg", text);
    put_member(w, "kind", subject->kind);
    put_member(w, "job", subject->job);
    put_member(w, "request_id", subject->request_id);
    if (subject->has_partition) json_write_u64(w, "partition", subject->partition);
    put_member(w, "stage", subject->stage);
    json_write_end(w);
}

/* False without memory. */
static bool write_json(cuzk_log_level level, const log_subject_t *subject, const char *text)
{
    char priority[8] = "";
    char *line = NULL;
    json_writer_t w;
    int n = -1;

    if (is_journal) (void)snprintf(priority, sizeof priority, "<%d>", levels[level].priority);
    json_writer_init(&w, JSON_ONE_LINE);
    put_members(&w, level, subject, text);
    if (!json_writer_failed(&w)) n = asprintf(&line, "%s%s\n", priority, json_writer_text(&w));
    json_writer_clear(&w);
    if (n < 0) return false;
    write_line(line, (size_t)n);
    free(line);
    return true;
}

void log_line(cuzk_log_level level, const log_subject_t *subject, const char *format, ...)
{
    static const log_subject_t daemon = {0};
    char text[LOG_TEXT_BYTES];
    va_list args;

    if (!log_has(level)) return;
    (void)pthread_once(&journal_once, find_journal);
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (subject == NULL) subject = &daemon;
    if (atomic_load(&set_format) == LOG_TEXT || !write_json(level, subject, text))
        write_text(level, subject, text);
}

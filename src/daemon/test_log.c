/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <pthread.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "codec/json.h"
#include "daemon/log.h"

enum { CAPTURE_BYTES = 1 << 16, THREADS = 8, LINES = 500, NOTES_BYTES = 200 };

static int saved_stderr = -1;
static FILE *captured;

static void begin_capture(void)
{
    captured = tmpfile();
    assert_non_null(captured);
    saved_stderr = dup(STDERR_FILENO);
    assert_true(saved_stderr >= 0);
    assert_true(dup2(fileno(captured), STDERR_FILENO) >= 0);
}

/* What was written to standard error, zero-terminated, until the next call. */
static const char *end_capture(void)
{
    static char text[CAPTURE_BYTES];

    assert_true(dup2(saved_stderr, STDERR_FILENO) >= 0);
    (void)close(saved_stderr);
    rewind(captured);
    const size_t n = fread(text, 1, sizeof text - 1, captured);
    text[n] = '\0';
    (void)fclose(captured);
    return text;
}

static void check_matches(const char *text, const char *pattern)
{
    regex_t regex;

    assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    const int found = regexec(&regex, text, 0, NULL, 0);
    regfree(&regex);
    if (found != 0) fail_msg("\"%s\" is not as \"%s\"", text, pattern);
}

#define TIME "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z"

static const log_subject_t subject = {.job = "3f00",
                                      .request_id = "wdpost-1000-0-[1 2]",
                                      .kind = "window_post",
                                      .has_partition = true,
                                      .stage = "msm"};

/* The first test: a child's journal is found out once in a process. */
static void the_journal_gets_priorities_and_no_time(void **state)
{
    struct stat info;
    char name[64];
    int status;

    (void)state;
    begin_capture();
    assert_int_equal(fstat(STDERR_FILENO, &info), 0);
    (void)snprintf(name, sizeof name, "%llu:%llu", (unsigned long long)info.st_dev,
                   (unsigned long long)info.st_ino);
    const pid_t child = fork();
    if (child == 0) {
        (void)setenv("JOURNAL_STREAM", name, 1);
        log_line(CUZK_LOG_ERROR, NULL, "broken");
        log_line(CUZK_LOG_WARNING, &subject, "late");
        log_set(CUZK_LOG_DEBUG, LOG_JSON);
        log_line(CUZK_LOG_DEBUG, NULL, "x");
        _exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    check_matches(end_capture(),
                  "^<3>ERROR broken\n"
                  "<4>WARN  window_post job=3f00 .* stage=msm: late\n"
                  "<7>\\{\"ts\":\"" TIME "\",\"level\":\"debug\",\"msg\":\"x\"\\}\n$");
}

static void text_has_what_is_known(void **state)
{
    (void)state;
    begin_capture();
    log_line(CUZK_LOG_INFO, NULL, "serving on %s", "unix:///a");
    log_line(CUZK_LOG_WARNING, &subject, "%d of %d", 1, 2);
    log_line(CUZK_LOG_DEBUG, &subject, "not seen");
    log_line(CUZK_LOG_ERROR, &(log_subject_t){.request_id = ""}, "empty");
    const char *text = end_capture();
    check_matches(text, "^" TIME " INFO  serving on unix:///a\n" TIME
                        " WARN  window_post job=3f00 request=\"wdpost-1000-0-\\[1 2\\]\" "
                        "partition=0 stage=msm: 1 of 2\n" TIME " ERROR request=\"\": empty\n$");
}

static void nothing_from_outside_breaks_a_line(void **state)
{
    const log_subject_t evil = {.request_id = "a\n2026 ERROR x=\"y\" \x1b[2J", .job = "\xff="};

    (void)state;
    begin_capture();
    log_line(CUZK_LOG_INFO, &evil, "%s", "one\ntwo\r\x1b[31m\xc2\x9b\xfe \xe2\x80\xae");
    check_matches(end_capture(), "^" TIME " INFO  job=\"\\\\xff=\" request=\"a\\\\u000a2026 ERROR "
                                 "x=\\\\\"y\\\\\" \\\\u001b\\[2J\": one\\\\u000atwo\\\\u000d"
                                 "\\\\u001b\\[31m\\\\u009b\\\\xfe \\\\u202e\n$");
}

static void levels_are_obeyed(void **state)
{
    (void)state;
    log_set(CUZK_LOG_ERROR, LOG_TEXT);
    assert_true(log_has(CUZK_LOG_ERROR));
    assert_false(log_has(CUZK_LOG_WARNING));
    begin_capture();
    log_line(CUZK_LOG_WARNING, NULL, "no");
    log_line(CUZK_LOG_ERROR, NULL, "yes");
    check_matches(end_capture(), "^" TIME " ERROR yes\n$");
    log_set(CUZK_LOG_DEBUG, LOG_TEXT);
    assert_true(log_has(CUZK_LOG_DEBUG));
}

static void long_lines_are_cut(void **state)
{
    static char text[3 * LOG_TEXT_BYTES];

    (void)state;
    memset(text, '\x01', sizeof text - 1);
    begin_capture();
    log_line(CUZK_LOG_INFO, NULL, "%s", text);
    memset(text, 'z', sizeof text - 1);
    log_line(CUZK_LOG_INFO, &(log_subject_t){.request_id = text, .stage = text}, "%s", text);
    const char *lines = end_capture();
    const char *second = strchr(lines, '\n') + 1;
    assert_true(strstr(second, ": zzz") != NULL);
    assert_true(strchr(second, '\n') != NULL && strchr(second, '\n')[1] == '\0');
    assert_true(strlen(second) > LOG_TEXT_BYTES && strlen(second) < 2 * LOG_TEXT_BYTES);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

typedef struct {
    char ts[64], level[16], msg[LOG_TEXT_BYTES], kind[32], job[64], request[64], stage[32];
    uint64_t partition;
} line_t;

#define READER(name, field)                                                                        \
    static cuzk_status name(json_t *j, void *out, cuzk_error *err)                                 \
    {                                                                                              \
        line_t *line = out;                                                                        \
        return json_copy_string(j, line->field, sizeof line->field, err);                          \
    }
READER(read_ts, ts)
READER(read_level, level)
READER(read_msg, msg)
READER(read_kind, kind)
READER(read_job, job)
READER(read_request, request)
READER(read_stage, stage)

static cuzk_status read_partition(json_t *j, void *out, cuzk_error *err)
{
    return json_read_u64(j, &((line_t *)out)->partition, UINT32_MAX, err);
}

static const json_field_t fields[] = {
    {"ts", read_ts, JSON_REQUIRED},       {"level", read_level, JSON_REQUIRED},
    {"msg", read_msg, JSON_REQUIRED},     {"kind", read_kind, JSON_OPTIONAL},
    {"job", read_job, JSON_OPTIONAL},     {"request_id", read_request, JSON_OPTIONAL},
    {"stage", read_stage, JSON_OPTIONAL}, {"partition", read_partition, JSON_OPTIONAL},
};

static cuzk_status read_line(json_t *j, void *out, cuzk_error *err)
{
    return json_read_object(j, fields, sizeof fields / sizeof fields[0], out, err);
}

/* Reads the first line of text. */
static void parse_line(line_t *line, const char *text)
{
    static uint8_t padded[4 * LOG_TEXT_BYTES + JSON_PADDING];
    const size_t n = strcspn(text, "\n");
    cuzk_error err;

    memset(padded, 0, sizeof padded);
    memset(line, 0, sizeof *line);
    assert_true(n < 4 * LOG_TEXT_BYTES);
    memcpy(padded, text, n);
    if (json_read("a line", padded, n, read_line, line, &err) != CUZK_OK) fail_msg("%s", err.text);
}

static void json_is_one_object_a_line(void **state)
{
    line_t line;

    (void)state;
    log_set(CUZK_LOG_DEBUG, LOG_JSON);
    begin_capture();
    log_line(CUZK_LOG_DEBUG, &subject, "say \"%s\"\n\x1b", "x");
    log_line(CUZK_LOG_INFO, NULL, "bad \xff");
    const char *text = end_capture();
    parse_line(&line, text);
    assert_string_equal(line.level, "debug");
    assert_string_equal(line.msg, "say \"x\"\n\x1b");
    assert_string_equal(line.kind, "window_post");
    assert_string_equal(line.job, "3f00");
    assert_string_equal(line.request, "wdpost-1000-0-[1 2]");
    assert_string_equal(line.stage, "msm");
    assert_int_equal(line.partition, 0);
    check_matches(text, "\"partition\":0,");
    check_matches(line.ts, "^" TIME "$");
    text = strchr(text, '\n') + 1;
    parse_line(&line, text);
    assert_string_equal(line.level, "info");
    assert_string_equal(line.msg, "bad \xef\xbf\xbd");
    check_matches(text, "^[^\n]*\\}\n$");
    log_set(CUZK_LOG_INFO, LOG_TEXT);
}

/* ---- many threads -----------------------------------------------------------------------------
 */

static void *write_lines(void *arg)
{
    char notes[NOTES_BYTES + 1];

    memset(notes, 'a' + *(const int *)arg, NOTES_BYTES);
    notes[NOTES_BYTES] = '\0';
    for (int i = 0; i < LINES; i++)
        log_line(CUZK_LOG_INFO, NULL, "%d %d %s", *(int *)arg, i, notes);
    return NULL;
}

static void nothing_is_lost_or_torn(void **state)
{
    static int counts[THREADS];
    int ends[2], ids[THREADS], n = 0;
    pthread_t threads[THREADS];
    char line[2 * NOTES_BYTES], notes[2 * NOTES_BYTES];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    (void)fcntl(ends[1], F_SETPIPE_SZ, 4096);                 /* full most of the time, */
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0); /* so that writes are refused */
    saved_stderr = dup(STDERR_FILENO);
    assert_true(dup2(ends[1], STDERR_FILENO) >= 0);
    (void)close(ends[1]);
    for (int i = 0; i < THREADS; i++) {
        ids[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, write_lines, &ids[i]), 0);
    }
    FILE *from = fdopen(ends[0], "re");
    assert_non_null(from);
    for (; n < THREADS * LINES && fgets(line, sizeof line, from) != NULL; n++) {
        int id, at;

        assert_int_equal(sscanf(line, "%*s INFO %d %d %s\n", &id, &at, notes), 3);
        assert_true(id >= 0 && id < THREADS);
        assert_int_equal(at, counts[id]++);
        assert_int_equal(strlen(notes), NOTES_BYTES);
        assert_int_equal(strspn(notes, (const char[]){(char)('a' + id), '\0'}), NOTES_BYTES);
    }
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(dup2(saved_stderr, STDERR_FILENO) >= 0);
    (void)close(saved_stderr);
    (void)fclose(from);
    assert_int_equal(n, THREADS * LINES);
}

static void a_closed_stream_does_no_harm(void **state)
{
    (void)state;
    saved_stderr = dup(STDERR_FILENO);
    assert_int_equal(close(STDERR_FILENO), 0);
    log_line(CUZK_LOG_ERROR, NULL, "nobody reads this");
    assert_int_equal(dup2(saved_stderr, STDERR_FILENO), STDERR_FILENO);
    (void)close(saved_stderr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_journal_gets_priorities_and_no_time),
        cmocka_unit_test(text_has_what_is_known),
        cmocka_unit_test(nothing_from_outside_breaks_a_line),
        cmocka_unit_test(levels_are_obeyed),
        cmocka_unit_test(long_lines_are_cut),
        cmocka_unit_test(json_is_one_object_a_line),
        cmocka_unit_test(nothing_is_lost_or_torn),
        cmocka_unit_test(a_closed_stream_does_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

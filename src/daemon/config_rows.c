/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "daemon/config_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuzk/cuzk.h"

#define KIB    ((uint64_t)1 << 10)
#define MIB    ((uint64_t)1 << 20)
#define TIB    ((uint64_t)1 << 40)
#define SECOND ((uint64_t)1000)
#define DAY    (24 * 3600 * SECOND)

#define ROW(section, name, type, min, max, value, words, help)                                     \
    {                                                                                              \
#section, #name, type, offsetof(config_t, section.name), min, max, value, words, help      \
    }
#define TEXT(section, name, value, help) ROW(section, name, CONFIG_TEXT, 0, 0, value, NULL, help)
#define BOOL(section, name, value, help) ROW(section, name, CONFIG_BOOL, 0, 0, value, NULL, help)
#define U32(section, name, min, max, value, help)                                                  \
    ROW(section, name, CONFIG_U32, min, max, value, NULL, help)
/* A key whose field has its unit in its name. */
#define UNIT(section, name, field, type, min, max, value, help)                                    \
    {                                                                                              \
#section, #name, type, offsetof(config_t, section.field), min, max, value, NULL, help      \
    }
#define OLD(section, name, help)                                                                   \
    {                                                                                              \
#section, #name, CONFIG_OLD, 0, 0, 0, NULL, NULL, help                                     \
    }

const config_row_t config_rows[] = {
    TEXT(daemon, listen, "\"unix:///run/curio/cuzk.sock\"",
         "Where gRPC calls are taken: \"unix:///PATH\", or \"HOST:PORT\". Other hosts than this "
         "one\n"
         "are served with TLS, and a token or client certificates, only."),
    TEXT(daemon, status_listen, "\"\"",
         "Where HTTP is served (/, /status, /metrics, /healthz): \"HOST:PORT\"; \"\": nowhere. It\n"
         "shows and changes nothing but asks nobody who they are."),
    ROW(daemon, socket_mode, CONFIG_MODE, 0, 0777, "\"0660\"", NULL,
        "Who may connect to a Unix socket: its mode."),
    TEXT(daemon, socket_owner, "\"\"",
         "Who owns a Unix socket: \"USER\", \"USER:GROUP\" or \":GROUP\"; \"\": who runs the "
         "daemon."),
    TEXT(daemon, tls_certificate, "\"\"", "A PEM file: the server's certificate and its chain."),
    TEXT(daemon, tls_key, "\"\"", "A PEM file: the key of that certificate."),
    TEXT(daemon, tls_client_ca, "\"\"",
         "A PEM file: clients must show a certificate that one of these authorities signed."),
    TEXT(daemon, token_file, "\"\"",
         "A file whose first line clients must send, as \"authorization: Bearer TOKEN\"."),
    U32(daemon, max_connections, 1, 65535, "64", "Clients that may be connected at once."),
    U32(daemon, max_calls, 1, 65535, "1024", "Calls that may be under way at once."),
    UNIT(daemon, max_message_size, max_message_bytes, CONFIG_SIZE, KIB, INT32_MAX, "\"128MiB\"",
         "The longest request that is read. A 32 GiB PoRep takes 70 MiB."),
    UNIT(daemon, shutdown_timeout, shutdown_timeout_ms, CONFIG_DURATION, 0, DAY, "\"30s\"",
         "How long proofs under way may still take when the daemon is told to stop."),

    UNIT(memory, total_budget, total_budget, CONFIG_BUDGET, MIB, 1024 * TIB, "\"auto\"",
         "What everything together may take. \"auto\": the machine's memory, or the limit of the\n"
         "control group, less safety_margin."),
    UNIT(memory, safety_margin, safety_margin, CONFIG_SIZE, 0, 1024 * TIB, "\"5GiB\"",
         "What \"auto\" leaves to others."),
    UNIT(memory, eviction_min_idle, eviction_min_idle_ms, CONFIG_DURATION, 0, 366 * DAY, "\"5m\"",
         "Parameters that nobody has used for this long are closed when memory is wanted."),
    OLD(memory, pinned_budget, "memory.total_budget has taken its place"),
    OLD(memory, working_memory_budget, "memory.total_budget has taken its place"),

    {"gpus", "devices", CONFIG_DEVICES, 0, 0, 1023, "[]", NULL,
     "Devices to use, by number. Proofs are computed on the processor: the list has to be empty."},
    U32(gpus, gpu_threads, 0, 1024, "0",
        "Threads that compute, where synthesis.threads is 0; 0: as many as there are processors.\n"
        "$CUZK_GPU_THREADS where it is not set here."),
    U32(gpus, gpu_workers_per_device, 1, 64, "2",
        "Partitions that share a device. Without a device it has no effect."),

    U32(scheduler, max_batch_size, 1, 1024, "1",
        "Sectors of one kind and size (PoRep, update) that are proved together; 1: no batches."),
    UNIT(scheduler, max_batch_wait_ms, max_batch_wait_ms, CONFIG_U64, 0, DAY, "10000",
         "Milliseconds that a sector waits for others to fill its batch."),
    BOOL(scheduler, sort_by_type, "true",
         "Among jobs of NORMAL priority, those of the circuit at work go first."),
    U32(scheduler, max_queue, 1, 1 << 20, "1024",
        "Jobs that wait or run; one more is refused with RESOURCE_EXHAUSTED."),
    ROW(scheduler, on_disconnect, CONFIG_CHOICE, 0, DISCONNECT_FINISH, "\"auto\"",
        "auto|cancel|finish",
        "What becomes of a job when the caller of Prove leaves. \"auto\": PoSts are cancelled, "
        "others\n"
        "are finished once they have begun, and the proof waits for the next call."),
    UNIT(scheduler, job_timeout, job_timeout_ms, CONFIG_DURATION, 0, 366 * DAY, "\"0s\"",
         "A job that takes longer, its waiting included, ends with TIMEOUT; \"0s\": none does."),

    U32(synthesis, threads, 0, 1024, "0",
        "Threads that compute; 0: as many as there are processors."),
    OLD(synthesis, partition_workers, "memory.total_budget decides how many partitions run"),

    BOOL(pipeline, enabled, "true",
         "One partition is synthesized while another is proved; false: one after the other."),
    U32(pipeline, synthesis_lookahead, 0, 1024, "1",
        "Jobs that are read and checked ahead of those at work."),
    U32(pipeline, synthesis_concurrency, 1, 1024, "1",
        "Jobs that are synthesized at once for a device. Without a device it has no effect: the\n"
        "number of threads decides."),
    U32(pipeline, max_parallel_synthesis, 0, 1024, "18",
        "Partitions that are synthesized at once, at most; 0 stands for 18."),
    U32(pipeline, slot_size, 0, 1024, "0",
        "Partitions of a job that a device takes at once; 0: as many as memory allows. Without a\n"
        "device it has no effect."),
    U32(pipeline, max_gpu_queue_depth, 0, 1024, "0",
        "No synthesis begins while this many partitions wait for a device; 0: no limit. Without a\n"
        "device it has no effect."),

    TEXT(
        srs, param_cache, "\"/data/zk/params\"",
        "The folder of the parameter files. $FIL_PROOFS_PARAMETER_CACHE where it is not set here."),
    OLD(srs, preload, "parameters are opened when a proof needs them, or by PreloadSRS"),

    BOOL(store, enabled, "true",
         "Accepted jobs and finished proofs are kept on disk and outlive the daemon."),
    TEXT(store, folder, "\"/var/lib/cuzk\"",
         "Where they are kept: a folder of the daemon's own. Where it is not set here,\n"
         "$STATE_DIRECTORY, and for a user who may not write to the default one ~/.cuzk."),
    UNIT(store, keep, keep_ms, CONFIG_DURATION, 0, 366 * DAY, "\"24h\"",
         "How long what became of a job is kept."),
    UNIT(store, limit, limit_bytes, CONFIG_SIZE, MIB, 1024 * TIB, "\"64GiB\"",
         "What the requests of waiting jobs may take on disk."),

    ROW(logging, level, CONFIG_CHOICE, 0, CUZK_LOG_DEBUG, "\"info\"", "error|warn|info|debug|trace",
        "What is logged: this and what is more severe. $RUST_LOG where it is not set here."),
    ROW(logging, format, CONFIG_CHOICE, 0, LOG_JSON, "\"text\"", "text|json",
        "Lines for people, or one JSON object a line."),
};

const size_t config_n_rows = sizeof config_rows / sizeof config_rows[0];

void config_key(char key[CONFIG_KEY_BYTES], const config_row_t *row)
{
    (void)snprintf(key, CONFIG_KEY_BYTES, "%s.%s", row->section, row->name);
}

static bool is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

const config_row_t *config_find(const char *section, size_t section_length, const char *name,
                                size_t name_length)
{
    for (size_t i = 0; i < config_n_rows; i++)
        if (is_name(config_rows[i].section, section, section_length) &&
            is_name(config_rows[i].name, name, name_length))
            return &config_rows[i];
    return NULL;
}

bool config_has_section(const char *section, size_t length)
{
    for (size_t i = 0; i < config_n_rows; i++)
        if (is_name(config_rows[i].section, section, length)) return true;
    return false;
}

/* How many characters have to be put in, left out or replaced to make b of a, which are both
 * shorter than CONFIG_KEY_BYTES. */
static unsigned edits(const char *a, const char *b)
{
    unsigned row[CONFIG_KEY_BYTES];
    const size_t n = strlen(b);

    for (size_t j = 0; j <= n; j++) row[j] = (unsigned)j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        unsigned corner = row[0]++;

        for (size_t j = 0; j < n; j++) {
            const unsigned replaced = corner + (a[i] != b[j]);
            const unsigned shorter = row[j] < row[j + 1] ? row[j] : row[j + 1];

            corner = row[j + 1];
            row[j + 1] = replaced < shorter + 1 ? replaced : shorter + 1;
        }
    }
    return row[n];
}

bool config_nearest(char key[CONFIG_KEY_BYTES], const char *wrong)
{
    const char *dot = strchr(wrong, '.');
    const char *name = dot != NULL ? dot + 1 : wrong;
    const char *found = NULL;
    char full[CONFIG_KEY_BYTES];

    if (strlen(wrong) >= CONFIG_KEY_BYTES) return false;
    unsigned least = 1 + (unsigned)strlen(wrong) / 4;
    for (size_t i = 0; i < config_n_rows; i++) {
        if (config_rows[i].type == CONFIG_OLD) continue;
        config_key(full, &config_rows[i]);
        const unsigned away = strcmp(config_rows[i].name, name) == 0 ? 0 : edits(wrong, full);
        const unsigned section_away = dot == NULL ? edits(wrong, config_rows[i].section) : least;

        if (away >= least && section_away >= least) continue;
        found = section_away < away ? config_rows[i].section : full;
        least = section_away < away ? section_away : away;
        (void)snprintf(key, CONFIG_KEY_BYTES, "%s", found);
    }
    return found != NULL;
}

/* ---- as text ----------------------------------------------------------------------------------
 */

static const char head[] =
    "# cuzk-daemon. Every key is here with its default, and none is set: take the # off those you\n"
    "# want to be otherwise. `cuzk-daemon --check-config FILE` says whether all is right.\n"
    "#\n"
    "# Sizes: \"5GiB\", \"0.5TiB\", \"500MB\", or a number of bytes. Times: \"500ms\", \"30s\", "
    "\"5m\",\n"
    "# \"1.5h\", \"7d\", or a number of seconds.\n";

/* Lines, each of them a comment. */
static void print_comment(FILE *to, const char *lines)
{
    while (*lines != '\0') {
        const int n = (int)strcspn(lines, "\n");

        (void)fprintf(to, "# %.*s\n", n, lines);
        lines += n + (lines[n] == '\n');
    }
}

static void print_row(FILE *to, const config_row_t *row)
{
    char words[128];

    print_comment(to, row->help);
    if (row->type != CONFIG_TEXT && row->type != CONFIG_BOOL && row->type != CONFIG_DEVICES) {
        config_describe_type(words, sizeof words, row);
        (void)fprintf(to, "# Takes %s.\n", words);
    }
    (void)fprintf(to, "#%s = %s\n", row->name, row->value);
}

char *config_explain(cuzk_error *err)
{
    char *text = NULL;
    size_t length;
    const char *section = "";
    FILE *to = open_memstream(&text, &length);

    if (to != NULL) {
        (void)fputs(head, to);
        for (size_t i = 0; i < config_n_rows; i++) {
            const config_row_t *row = &config_rows[i];

            if (row->type == CONFIG_OLD) continue;
            if (strcmp(row->section, section) != 0)
                (void)fprintf(to, "\n[%s]\n", row->section);
            else
                (void)fputc('\n', to);
            section = row->section;
            print_row(to, row);
        }
        if (fclose(to) == 0) return text;
        free(text);
    }
    (void)error_set(err, CUZK_ERR_MEMORY, "the configuration: no memory for its text");
    return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DAEMON_CONFIG_H
#define CUZK_DAEMON_CONFIG_H

/* The daemon's configuration: a TOML file with the public names and ours. What stands higher here
 * gives way to what stands lower: the defaults, the environment, the file, the command line
 * (daemon/options.h). config_explain() explains each key. */

#include "base/error.h"
#include "cuzk/cuzk.h"
#include "daemon/log.h"

enum { CONFIG_TEXT_BYTES = 4096, CONFIG_MAX_DEVICES = 64 };

typedef char config_text[CONFIG_TEXT_BYTES];

typedef enum { DISCONNECT_AUTO, DISCONNECT_CANCEL, DISCONNECT_FINISH } disconnect_rule;

typedef struct {
    struct {
        config_text listen, status_listen; /* status_listen "": no HTTP */
        uint32_t socket_mode;              /* "0660" */
        config_text socket_owner;          /* "user:group", or "" */
        config_text tls_certificate, tls_key, tls_client_ca, token_file; /* or "" */
        uint32_t max_connections;                                        /* gRPC; 64 */
        uint32_t max_calls;                                              /* 1024 */
        uint64_t max_message_bytes;                                      /* 128 MiB */
        uint64_t shutdown_timeout_ms;                                    /* after SIGTERM; 30 s */
    } daemon;
    struct {
        uint64_t total_budget; /* 0: "auto"; see config_budget() */
        uint64_t safety_margin;
        uint64_t eviction_min_idle_ms;
    } memory;
    struct {
        uint32_t devices[CONFIG_MAX_DEVICES]; /* none: all */
        uint32_t n_devices;
        uint32_t gpu_threads, gpu_workers_per_device;
    } gpus;
    struct {
        uint32_t max_batch_size;
        uint64_t max_batch_wait_ms;
        bool sort_by_type;
        uint32_t max_queue;            /* jobs that have not ended; 1024 */
        disconnect_rule on_disconnect; /* "auto" */
        uint64_t job_timeout_ms;       /* of each job, from its acceptance; 0: none */
    } scheduler;
    struct {
        uint32_t threads;
    } synthesis;
    struct {
        bool enabled;
        uint32_t synthesis_lookahead, synthesis_concurrency, max_parallel_synthesis, slot_size,
            max_gpu_queue_depth;
    } pipeline;
    struct {
        config_text param_cache;
        const char *source; /* what param_cache comes from, for messages: a static text */
    } srs;
    struct {
        bool enabled;         /* true */
        config_text folder;   /* "/var/lib/cuzk" */
        uint64_t keep_ms;     /* results of ended jobs; "24h" */
        uint64_t limit_bytes; /* of requests that wait; "64GiB" */
    } store;
    struct {
        cuzk_log_level level;
        log_format format;
    } logging;
} config_t;

/** Gets a line for the log: a deprecated key ... */
typedef void (*config_warn)(void *arg, const char *text);

/** The defaults, and what the environment says ($FIL_PROOFS_PARAMETER_CACHE, $CUZK_GPU_THREADS,
 *  $RUST_LOG, $STATE_DIRECTORY, $HOME). CUZK_ERR_ARG: a variable's value. */
cuzk_status config_default(config_t *config, cuzk_error *err);

/** Reads a file over what *config has. Errors name file, line, column, key, value and limit, and
 *  for an unknown key the nearest valid one: CUZK_ERR_FORMAT: no TOML, or too long; CUZK_ERR_ARG;
 *  CUZK_ERR_MISSING: there is no such file, or it is no regular one; CUZK_ERR_IO;
 *  CUZK_ERR_MEMORY. After an error *config is of no use. */
cuzk_status config_read(config_t *config, const char *path, config_warn warn, void *arg,
                        cuzk_error *err);

/** The same of text[0 .. length-1]; name stands for the path. */
cuzk_status config_read_bytes(config_t *config, const char *name, const char *text, size_t length,
                              config_warn warn, void *arg, cuzk_error *err);

/** Sets a key, such as "daemon.listen", to a string, as the line of a file would; source names
 *  where it comes from in messages, such as "--listen", and is a static text. CUZK_ERR_ARG. */
cuzk_status config_set(config_t *config, const char *key, const char *text, const char *source,
                       cuzk_error *err);

/** What only the whole shows: parts of TLS that are missing, a public address without protection,
 *  a folder of the store that is not there. CUZK_ERR_ARG, CUZK_ERR_MISSING: both name the key. A
 *  folder of parameters that is not there is a warning, as it may come later. */
cuzk_status config_check(const config_t *config, config_warn warn, void *arg, cuzk_error *err);

/** *bytes = the budget on a machine with total_bytes (memory_total_bytes()): total_budget, or for
 *  "auto" what safety_margin leaves of them. CUZK_ERR_ARG: it leaves nothing, or nothing tells how
 *  much there is. */
cuzk_status config_budget(uint64_t *bytes, const config_t *config, uint64_t total_bytes,
                          cuzk_error *err);

/** A file that explains all keys and sets none: what --print-config prints. Zero-terminated,
 *  released with free(); NULL without memory. */
char *config_explain(cuzk_error *err);

#endif

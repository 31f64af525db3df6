/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* cuzk-daemon: configuration, signals, and the news for the service manager. */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <systemd/sd-daemon.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "daemon/daemon.h"
#include "daemon/options.h"

enum { LOOK_MS = 100, FEW_FILES = 1024, DESCRIPTION_BYTES = 160 };

/* ---- configuration -----------------------------------------------------------------------------
 */

static void warn(void *arg, const char *text)
{
    (void)arg;
    log_line(CUZK_LOG_WARNING, NULL, "%s", text);
}

/* A path that was given has to be there, the default one need not. */
static cuzk_status read_file(config_t *config, const daemon_options_t *options, cuzk_error *err)
{
    const char *path = options->check_config != NULL ? options->check_config : options->config;

    if (path != NULL) return config_read(config, path, warn, NULL, err);
    const cuzk_status st = config_read(config, DAEMON_DEFAULT_CONFIG, warn, NULL, err);
    if (st != CUZK_ERR_MISSING) return st;
    log_line(CUZK_LOG_INFO, NULL, "%s is not there: the defaults are in force",
             DAEMON_DEFAULT_CONFIG);
    return CUZK_OK;
}

static cuzk_status configure(config_t *config, uint64_t *budget, const daemon_options_t *options,
                             cuzk_error *err)
{
    cuzk_status st = config_default(config, err);
    if (st == CUZK_OK) st = read_file(config, options, err);
    if (st == CUZK_OK) st = daemon_options_apply(config, options, err);
    if (st == CUZK_OK) st = config_check(config, warn, NULL, err);
    if (st == CUZK_OK) st = config_budget(budget, config, memory_total_bytes(), err);
    if (st == CUZK_OK) log_set(config->logging.level, config->logging.format);
    return st;
}

/* ---- signals -----------------------------------------------------------------------------------
 */

/* They are taken by main_loop() alone: one that comes while the daemon starts waits until then. */
static void block_signals(sigset_t *set)
{
    (void)sigemptyset(set);
    (void)sigaddset(set, SIGTERM);
    (void)sigaddset(set, SIGINT);
    (void)sigaddset(set, SIGHUP);
    (void)sigprocmask(SIG_BLOCK, set, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN); /* a write that fails is enough */
}

/* The signal that came within LOOK_MS, or 0. */
static int next_signal(const sigset_t *set)
{
    const struct timespec most = {.tv_nsec = LOOK_MS * 1000000L};
    const int number = sigtimedwait(set, NULL, &most);

    return number < 0 ? 0 : number;
}

static bool asks_to_end(int number)
{
    if (number == SIGHUP)
        log_line(CUZK_LOG_INFO, NULL, "SIGHUP: the configuration is read at the start alone");
    return number == SIGTERM || number == SIGINT;
}

/* ---- running -----------------------------------------------------------------------------------
 */

/* Connections and files need descriptors: as many as the system lets us have. */
static void raise_file_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < FEW_FILES)
        log_line(CUZK_LOG_WARNING, NULL,
                 "%llu files and connections may be open at once (ulimit -n), fewer than %d: "
                 "calls may be turned away",
                 (unsigned long long)limit.rlim_cur, FEW_FILES);
}

/* Serves until a signal asks for the end; tells the service manager how things are. */
static void serve(daemon_t *daemon, const sigset_t *signals)
{
    uint64_t period_us = 0, told_ns = 0;

    (void)sd_watchdog_enabled(0, &period_us);
    while (!asks_to_end(next_signal(signals))) {
        const uint64_t now = clock_monotonic_ns();
        char text[DESCRIPTION_BYTES];

        if (now - told_ns < (period_us == 0 ? 10000000 : period_us / 4) * 1000) continue;
        told_ns = now;
        daemon_describe(text, sizeof text, daemon);
        (void)sd_notifyf(0, "STATUS=%s", text);
        if (daemon_is_alive(daemon)) (void)sd_notify(0, "WATCHDOG=1");
    }
}

/* Jobs that the engine has may end, for a time; a second signal ends that. */
static void drain(daemon_t *daemon, const sigset_t *signals, uint64_t most_ms)
{
    const uint64_t until_ns = clock_monotonic_ns() + most_ms * 1000000;

    (void)sd_notify(0, "STOPPING=1\nSTATUS=waiting for jobs under way");
    log_line(CUZK_LOG_INFO, NULL, "ending: jobs under way have %.1f s", (double)most_ms * 1e-3);
    daemon_drain(daemon);
    while (daemon_is_busy(daemon) && clock_monotonic_ns() < until_ns) {
        (void)sd_notify(0, "WATCHDOG=1");
        if (!asks_to_end(next_signal(signals))) continue;
        log_line(CUZK_LOG_INFO, NULL, "a second signal: jobs under way are handed back");
        break;
    }
}

static cuzk_status run(const daemon_options_t *options, const sigset_t *signals, cuzk_error *err)
{
    config_t *config = mem_alloc(1, sizeof *config, "configuration", err);
    daemon_t *daemon = NULL;
    uint64_t budget = 0;

    if (config == NULL) return err->status;
    cuzk_status st = configure(config, &budget, options, err);
    if (st == CUZK_OK && options->check_config != NULL) {
        (void)printf("%s: right\n", options->check_config);
        free(config);
        return CUZK_OK;
    }
    if (st == CUZK_OK) {
        raise_file_limit();
        st = daemon_open(&daemon, config, budget, err);
    }
    if (st == CUZK_OK) {
        log_line(CUZK_LOG_INFO, NULL, "cuzk %s serves on %s, parameters in %s, %.1f GiB",
                 cuzk_version(), daemon_address(daemon), config->srs.param_cache,
                 (double)budget / 1073741824.0);
        (void)sd_notify(0, "READY=1");
        serve(daemon, signals);
        drain(daemon, signals, config->daemon.shutdown_timeout_ms);
        daemon_close(daemon);
        log_line(CUZK_LOG_INFO, NULL, "ended");
    }
    free(config);
    return st;
}

int main(int argc, char **argv)
{
    daemon_options_t options;
    sigset_t signals;
    cuzk_error err;
    bool done = false;

    cuzk_status st = daemon_options_parse(&options, argc, argv, &err);
    if (st == CUZK_OK) st = daemon_options_print(&done, &options, &err);
    if (st == CUZK_OK && done) return 0;
    if (st == CUZK_OK) {
        block_signals(&signals);
        st = run(&options, &signals, &err);
    }
    if (st == CUZK_OK) return 0;
    (void)fprintf(stderr, "cuzk-daemon: %s\n", err.text);
    return st == CUZK_ERR_BUSY ? 2 : status_exit_code(st); /* an address or a folder in use */
}

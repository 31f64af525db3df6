/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "daemon/config_rows.h"
#include "daemon/options.h"

static char folder[64];
static unsigned n_warnings;
static char last_warning[512];

static void keep_warning(void *arg, const char *text)
{
    (void)arg;
    n_warnings++;
    (void)snprintf(last_warning, sizeof last_warning, "%s", text);
}

static int make_folder(void **state)
{
    (void)state;
    (void)unsetenv("FIL_PROOFS_PARAMETER_CACHE");
    (void)unsetenv("CUZK_GPU_THREADS");
    (void)unsetenv("RUST_LOG");
    (void)unsetenv("STATE_DIRECTORY");
    (void)unsetenv("HOME");
    (void)snprintf(folder, sizeof folder, "/tmp/cuzk-config-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    char command[128];

    (void)state;
    (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static const char *path_of(const char *name)
{
    static char path[256];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void get_default(config_t *config)
{
    cuzk_error err;

    if (config_default(config, &err) != CUZK_OK) fail_msg("%s", err.text);
}

static cuzk_status read_text(config_t *config, const char *text, cuzk_error *err)
{
    n_warnings = 0;
    get_default(config);
    return config_read_bytes(config, "cuzk.toml", text, strlen(text), keep_warning, NULL, err);
}

static void check_read(config_t *config, const char *text)
{
    cuzk_error err;

    if (read_text(config, text, &err) != CUZK_OK) fail_msg("%s: %s", text, err.text);
}

static void check_refused(const char *text, cuzk_status status, const char *expected)
{
    static config_t config;
    cuzk_error err;

    if (read_text(&config, text, &err) == CUZK_OK) fail_msg("%s: taken", text);
    assert_int_equal(err.status, status);
    if (strstr(err.text, expected) == NULL) fail_msg("\"%s\", not \"%s\"", err.text, expected);
}

static void defaults(void **state)
{
    static config_t c;

    (void)state;
    get_default(&c);
    assert_string_equal(c.daemon.listen, "unix:///run/curio/cuzk.sock");
    assert_string_equal(c.daemon.status_listen, "");
    assert_int_equal(c.daemon.socket_mode, 0660);
    assert_int_equal(c.daemon.max_connections, 64);
    assert_int_equal(c.daemon.max_calls, 1024);
    assert_int_equal(c.daemon.max_message_bytes, 128 << 20);
    assert_int_equal(c.daemon.shutdown_timeout_ms, 30000);
    assert_int_equal(c.memory.total_budget, 0);
    assert_int_equal(c.memory.safety_margin, 5ull << 30);
    assert_int_equal(c.memory.eviction_min_idle_ms, 300000);
    assert_int_equal(c.gpus.n_devices, 0);
    assert_int_equal(c.gpus.gpu_threads, 0);
    assert_int_equal(c.gpus.gpu_workers_per_device, 2);
    assert_int_equal(c.scheduler.max_batch_size, 1);
    assert_int_equal(c.scheduler.max_batch_wait_ms, 10000);
    assert_true(c.scheduler.sort_by_type);
    assert_int_equal(c.scheduler.max_queue, 1024);
    assert_int_equal(c.scheduler.on_disconnect, DISCONNECT_AUTO);
    assert_int_equal(c.scheduler.job_timeout_ms, 0);
    assert_int_equal(c.synthesis.threads, 0);
    assert_true(c.pipeline.enabled);
    assert_int_equal(c.pipeline.synthesis_lookahead, 1);
    assert_int_equal(c.pipeline.synthesis_concurrency, 1);
    assert_int_equal(c.pipeline.max_parallel_synthesis, 18);
    assert_int_equal(c.pipeline.slot_size, 0);
    assert_int_equal(c.pipeline.max_gpu_queue_depth, 0);
    assert_string_equal(c.srs.param_cache, "/data/zk/params");
    assert_string_equal(c.srs.source, "srs.param_cache's default");
    assert_true(c.store.enabled);
    assert_string_equal(c.store.folder, "/var/lib/cuzk");
    assert_int_equal(c.store.keep_ms, 86400000);
    assert_int_equal(c.store.limit_bytes, 64ull << 30);
    assert_int_equal(c.logging.level, CUZK_LOG_INFO);
    assert_int_equal(c.logging.format, LOG_TEXT);
}

/* A file for the public daemon, old keys and all. */
static void public_keys_are_taken(void **state)
{
    static config_t c;

    (void)state;
    check_read(&c, "[daemon]\nlisten = \"0.0.0.0:9820\"\nstatus_listen = \"127.0.0.1:9821\"\n"
                   "[srs]\nparam_cache = \"/params\"\npreload = [\"porep-32g\"]\n"
                   "[memory]\ntotal_budget = \"256GiB\"\nsafety_margin = \"8GiB\"\n"
                   "eviction_min_idle = \"10m\"\npinned_budget = \"50GiB\"\n"
                   "working_memory_budget = 80\n"
                   "[gpus]\ndevices = [0, 2]\ngpu_threads = 32\ngpu_workers_per_device = 3\n"
                   "[scheduler]\nmax_batch_size = 2\nmax_batch_wait_ms = 0\nsort_by_type = false\n"
                   "[synthesis]\nthreads = 4\npartition_workers = {any = \"thing\"}\n"
                   "[pipeline]\nenabled = false\nsynthesis_lookahead = 2\n"
                   "synthesis_concurrency = 3\nmax_parallel_synthesis = 0\nslot_size = 4\n"
                   "max_gpu_queue_depth = 5\n"
                   "[logging]\nlevel = \"trace\"\nformat = \"json\"\n");
    assert_int_equal(n_warnings, 4);
    assert_string_equal(c.daemon.listen, "0.0.0.0:9820");
    assert_string_equal(c.daemon.status_listen, "127.0.0.1:9821");
    assert_string_equal(c.srs.param_cache, "/params");
    assert_string_equal(c.srs.source, "srs.param_cache");
    assert_int_equal(c.memory.total_budget, 256ull << 30);
    assert_int_equal(c.memory.eviction_min_idle_ms, 600000);
    assert_int_equal(c.gpus.n_devices, 2);
    assert_int_equal(c.gpus.devices[1], 2);
    assert_int_equal(c.gpus.gpu_threads, 32);
    assert_false(c.scheduler.sort_by_type);
    assert_false(c.pipeline.enabled);
    assert_int_equal(c.pipeline.max_parallel_synthesis, 18);
    assert_int_equal(c.pipeline.max_gpu_queue_depth, 5);
    assert_int_equal(c.logging.level, CUZK_LOG_DEBUG);
    assert_int_equal(c.logging.format, LOG_JSON);
}

static void our_keys_are_taken(void **state)
{
    static config_t c;

    (void)state;
    check_read(&c, "[daemon]\nsocket_mode = \"600\"\nsocket_owner = \"a:b\"\n"
                   "max_message_size = \"0.5MiB\"\nshutdown_timeout = 0\n"
                   "[memory]\ntotal_budget = 1073741824\n"
                   "[scheduler]\non_disconnect = \"finish\"\njob_timeout = \"1h\"\n"
                   "[store]\nenabled = false\nfolder = \"/x y\"\nkeep = 90\nlimit = \"1TiB\"\n"
                   "[logging]\nlevel = \"WARN\"\n");
    assert_int_equal(n_warnings, 0);
    assert_int_equal(c.daemon.socket_mode, 0600);
    assert_string_equal(c.daemon.socket_owner, "a:b");
    assert_int_equal(c.daemon.max_message_bytes, 1 << 19);
    assert_int_equal(c.daemon.shutdown_timeout_ms, 0);
    assert_int_equal(c.memory.total_budget, 1 << 30);
    assert_int_equal(c.scheduler.on_disconnect, DISCONNECT_FINISH);
    assert_int_equal(c.scheduler.job_timeout_ms, 3600000);
    assert_false(c.store.enabled);
    assert_string_equal(c.store.folder, "/x y");
    assert_int_equal(c.store.keep_ms, 90000);
    assert_int_equal(c.store.limit_bytes, 1ull << 40);
    assert_int_equal(c.logging.level, CUZK_LOG_WARNING);
}

static void wrong_keys_are_named_with_their_place(void **state)
{
    (void)state;
    check_refused("\n[scheduler]\nmax_batch_siz = 1\n", CUZK_ERR_ARG,
                  "cuzk.toml:3:1: scheduler.max_batch_siz: no such key; did you mean "
                  "scheduler.max_batch_size?");
    check_refused("[daemon]\nmax_batch_size = 1\n", CUZK_ERR_ARG,
                  "cuzk.toml:2:1: daemon.max_batch_size: no such key; did you mean "
                  "scheduler.max_batch_size?");
    check_refused("[schedulr]\nmax_batch_size = 1\n", CUZK_ERR_ARG,
                  "cuzk.toml:1:2: schedulr: no such section; did you mean scheduler?");
    check_refused("listen = \"x\"\n", CUZK_ERR_ARG,
                  "cuzk.toml:1:1: listen: no such key; did you mean daemon.listen?");
    check_refused("[gpus.affinity]\na = 1\n", CUZK_ERR_ARG, "gpus.affinity: no such key");
    check_refused("[quite]\n", CUZK_ERR_ARG, "cuzk.toml:1:2: quite: no such section");
    check_refused("daemon = 1\n", CUZK_ERR_ARG, "cuzk.toml:1:1: daemon: is a section: [daemon]");
    check_refused("[[daemon]]\n", CUZK_ERR_ARG, "daemon: is a section");
    /* The first of the file, not of the alphabet. */
    check_refused("[memory]\nz = 1\na = 2\n", CUZK_ERR_ARG, "cuzk.toml:2:1: memory.z");
    check_refused("[store]\nb = 1\n[daemon]\na = 1\n", CUZK_ERR_ARG, "cuzk.toml:2:1: store.b");
    check_refused("[memory]\n\"a\\u001b[2J\" = 1\n", CUZK_ERR_ARG, "memory.a\\u001b[2J");
    char longest[600] = "[daemon]\n";
    memset(longest + 9, 'k', 500);
    memcpy(longest + 509, "=1", 2);
    check_refused(longest, CUZK_ERR_ARG, "no such key");
}

static void wrong_values_are_named_with_their_limit(void **state)
{
    (void)state;
    check_refused("[scheduler]\n  max_batch_size = 0\n", CUZK_ERR_ARG,
                  "cuzk.toml:2:20: scheduler.max_batch_size: 0: expected a whole number from 1 to "
                  "1024");
    check_refused("[scheduler]\nmax_batch_size = \"two\"\n", CUZK_ERR_ARG,
                  "\"two\": expected a whole number");
    check_refused("[scheduler]\nmax_batch_size = 1.0\n", CUZK_ERR_ARG, "1: expected a whole");
    check_refused("[scheduler]\nmax_batch_size = -1\n", CUZK_ERR_ARG, "-1: expected a whole");
    check_refused("[scheduler]\nmax_batch_wait_ms = 9223372036854775807\n", CUZK_ERR_ARG,
                  "9223372036854775807: expected a whole number from 0 to 86400000");
    check_refused("[scheduler]\nsort_by_type = 1\n", CUZK_ERR_ARG, "1: expected true or false");
    check_refused("[scheduler]\nsort_by_type = \"true\"\n", CUZK_ERR_ARG, "expected true or false");
    check_refused("[scheduler]\non_disconnect = \"wait\"\n", CUZK_ERR_ARG,
                  "\"wait\": expected \"auto\", \"cancel\" or \"finish\"");
    check_refused("[scheduler]\non_disconnect = 1979-05-27\n", CUZK_ERR_ARG, "a date or time:");
    check_refused("[logging]\nlevel = \"loud\"\n", CUZK_ERR_ARG, "\"debug\" or \"trace\"");
    check_refused("[logging]\nlevel = 3\n", CUZK_ERR_ARG, "3: expected \"error\"");
    check_refused("[daemon]\nlisten = [\"a\"]\n", CUZK_ERR_ARG, "a list: expected a string");
    check_refused("[daemon.listen]\n", CUZK_ERR_ARG, "daemon.listen: a section: expected a string");
    check_refused("[daemon]\nlisten = \"a\\u0000b\"\n", CUZK_ERR_ARG, "character 2 is a control");
    check_refused("[daemon]\nsocket_mode = 660\n", CUZK_ERR_ARG, "660: expected octal digits");
    check_refused("[daemon]\nsocket_mode = \"1777\"\n", CUZK_ERR_ARG, "expected octal digits");
    check_refused("[daemon]\nsocket_mode = \"680\"\n", CUZK_ERR_ARG, "expected octal digits");
    check_refused("[daemon]\nmax_message_size = \"2GiB\"\n", CUZK_ERR_ARG,
                  "\"2GiB\": expected a size from 1KiB to 2147483647 bytes");
    check_refused("[gpus]\ndevices = [0, 1024]\n", CUZK_ERR_ARG,
                  "gpus.devices: 1024: expected a list of at most 64 numbers from 0 to 1023");
    check_refused("[gpus]\ndevices = [0, \"1\"]\n", CUZK_ERR_ARG, "\"1\": expected a list");
    check_refused("[gpus]\ndevices = [3, 4, 3]\n", CUZK_ERR_ARG, "gpus.devices: 3: given twice");
    check_refused("[gpus]\ndevices = 0\n", CUZK_ERR_ARG, "0: expected a list");
    check_refused(
        "[gpus]\ndevices = [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,"
        "23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,"
        "50,51,52,53,54,55,56,57,58,59,60,61,62,63,64]\n",
        CUZK_ERR_ARG, "a list: expected a list of at most 64");
    char text[CONFIG_TEXT_BYTES + 64] = "[srs]\nparam_cache = \"";
    memset(text + strlen(text), 'p', CONFIG_TEXT_BYTES);
    memcpy(text + strlen(text), "\"", 1);
    check_refused(text, CUZK_ERR_ARG, "srs.param_cache: 4096 bytes, 4095 allowed");
}

static void sizes_and_times_are_exact_or_refused(void **state)
{
    static const char *const sizes[] = {"x MiB", "",     "5",       "0.5",   "-1GiB",
                                        "1e3",   "AUTO", "2048TiB", "50Gib", "abc"};
    static const char *const times[] = {"", "5 min", "m", "-1s", "1.5", "8785h", "5M", "1h30m"};
    char text[128];

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        (void)snprintf(text, sizeof text, "[memory]\ntotal_budget = \"%s\"\n", sizes[i]);
        check_refused(text, CUZK_ERR_ARG, "expected \"auto\", or a size from 1MiB to 1024TiB");
    }
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        (void)snprintf(text, sizeof text, "[memory]\neviction_min_idle = \"%s\"\n", times[i]);
        check_refused(text, CUZK_ERR_ARG, "expected a time from 0ms to 366d");
    }
    check_refused("[memory]\neviction_min_idle = 9223372036854775807\n", CUZK_ERR_ARG,
                  "expected a time");
}

static void what_is_no_toml_is_refused_with_its_place(void **state)
{
    static char dots[1 << 20];

    (void)state;
    check_refused("[daemon]\nlisten = \n", CUZK_ERR_FORMAT, "cuzk.toml:2:10: ");
    check_refused("[daemon]\nlisten = \"a\"\nlisten = \"b\"\n", CUZK_ERR_FORMAT, "cuzk.toml:3:");
    check_refused("[daemon]\n[daemon]\n", CUZK_ERR_FORMAT, "cuzk.toml:2:");
    check_refused("\xff", CUZK_ERR_FORMAT, "cuzk.toml:1:1: ");
    check_refused("\n\xef\xb3\xbf = 1", CUZK_ERR_FORMAT, "cuzk.toml:2:1: ");
    memset(dots, 'a', sizeof dots - 1);
    for (size_t i = 1; i < 8194; i += 2) dots[i] = '.';
    check_refused(dots, CUZK_ERR_FORMAT, "cuzk.toml: 4097 dots, 4096 allowed");
    dots[8193] = 'a'; /* as deep as it may be */
    memcpy(dots + 8194, "=1\n", 4);
    check_refused(dots, CUZK_ERR_ARG, "cuzk.toml:1:1: a: no such section");
}

static void special_and_long_files_are_refused(void **state)
{
    static config_t config;
    cuzk_error err;
    FILE *file;

    (void)state;
    get_default(&config);
    assert_int_equal(config_read(&config, path_of("none.toml"), NULL, NULL, &err),
                     CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, "none.toml: no such file"));
    assert_int_equal(mkfifo(path_of("fifo"), 0600), 0);
    assert_int_equal(config_read(&config, path_of("fifo"), NULL, NULL, &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, "not a regular file"));
    assert_int_equal(config_read(&config, "/dev/zero", NULL, NULL, &err), CUZK_ERR_MISSING);
    assert_int_equal(config_read(&config, folder, NULL, NULL, &err), CUZK_ERR_MISSING);

    file = fopen(path_of("long.toml"), "we");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(truncate(path_of("long.toml"), (1 << 20) + 1), 0);
    assert_int_equal(config_read(&config, path_of("long.toml"), NULL, NULL, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, "1048577 bytes, 1048576 allowed"));

    file = fopen(path_of("good.toml"), "we");
    assert_non_null(file);
    assert_true(fputs("[synthesis]\nthreads = 7", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(config_read(&config, path_of("good.toml"), NULL, NULL, &err), CUZK_OK);
    assert_int_equal(config.synthesis.threads, 7);
}

static void check_level(const char *rust_log, cuzk_log_level level)
{
    static config_t config;

    assert_int_equal(setenv("RUST_LOG", rust_log, 1), 0);
    get_default(&config);
    if (config.logging.level != level) fail_msg("%s: %d", rust_log, config.logging.level);
}

static void the_environment_is_below_the_file(void **state)
{
    static config_t config;
    cuzk_error err;

    (void)state;
    check_level("debug,h2=info", CUZK_LOG_DEBUG);
    check_level("WARN", CUZK_LOG_WARNING);
    check_level(" error , tower=trace", CUZK_LOG_ERROR);
    check_level("h2=trace", CUZK_LOG_INFO);
    check_level("cuzk_daemon=trace,warn", CUZK_LOG_DEBUG);
    check_level("error,cuzk=warn,", CUZK_LOG_WARNING);
    check_level("hyper", CUZK_LOG_INFO);
    check_level("", CUZK_LOG_INFO);
    check_level("debug", CUZK_LOG_DEBUG);
    assert_int_equal(setenv("FIL_PROOFS_PARAMETER_CACHE", "/env", 1), 0);
    assert_int_equal(setenv("CUZK_GPU_THREADS", "12", 1), 0);
    get_default(&config);
    assert_string_equal(config.srs.param_cache, "/env");
    assert_string_equal(config.srs.source, "$FIL_PROOFS_PARAMETER_CACHE");
    assert_int_equal(config.gpus.gpu_threads, 12);

    check_read(&config, "[srs]\nparam_cache = \"/file\"\n[gpus]\ngpu_threads = 3\n"
                        "[logging]\nlevel = \"error\"\n");
    assert_string_equal(config.srs.param_cache, "/file");
    assert_string_equal(config.srs.source, "srs.param_cache");
    assert_int_equal(config.gpus.gpu_threads, 3);
    assert_int_equal(config.logging.level, CUZK_LOG_ERROR);

    assert_int_equal(setenv("HOME", "/home/of", 1), 0);
    get_default(&config);
    const bool may_write = geteuid() == 0 || access("/var/lib/cuzk", W_OK | X_OK) == 0;
    assert_string_equal(config.store.folder, may_write ? "/var/lib/cuzk" : "/home/of/.cuzk");
    assert_int_equal(setenv("STATE_DIRECTORY", "/state", 1), 0);
    get_default(&config);
    assert_string_equal(config.store.folder, "/state");
    check_read(&config, "[store]\nfolder = \"/file\"\n");
    assert_string_equal(config.store.folder, "/file");
    assert_int_equal(unsetenv("STATE_DIRECTORY"), 0);
    assert_int_equal(unsetenv("HOME"), 0);

    assert_int_equal(setenv("CUZK_GPU_THREADS", "many", 1), 0);
    assert_int_equal(config_default(&config, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "$CUZK_GPU_THREADS: \"many\": expected a whole number from 0 to "
                                  "1024");
    assert_int_equal(setenv("CUZK_GPU_THREADS", "1025", 1), 0);
    assert_int_equal(config_default(&config, &err), CUZK_ERR_ARG);
    assert_int_equal(unsetenv("CUZK_GPU_THREADS"), 0);
    assert_int_equal(setenv("RUST_LOG", "cuzk=loud", 1), 0);
    assert_int_equal(config_default(&config, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "$RUST_LOG: \"loud\": expected"));
    assert_int_equal(unsetenv("RUST_LOG"), 0);
    assert_int_equal(unsetenv("FIL_PROOFS_PARAMETER_CACHE"), 0);
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static cuzk_status check_text(const char *text, cuzk_error *err)
{
    static config_t config;

    check_read(&config, text);
    (void)snprintf(config.store.folder, sizeof config.store.folder, "%s", folder);
    if (config.srs.param_cache[1] == 'd')
        (void)snprintf(config.srs.param_cache, sizeof config.srs.param_cache, "%s", folder);
    return config_check(&config, keep_warning, NULL, err);
}

static void check_is_right(const char *text)
{
    cuzk_error err;

    if (check_text(text, &err) != CUZK_OK) fail_msg("%s: %s", text, err.text);
    assert_int_equal(n_warnings, 0);
}

static void check_is_wrong(const char *text, const char *expected)
{
    cuzk_error err;

    if (check_text(text, &err) == CUZK_OK) fail_msg("%s: taken", text);
    if (strstr(err.text, expected) == NULL) fail_msg("\"%s\", not \"%s\"", err.text, expected);
}

static void addresses(void **state)
{
    static const char *const good[] = {"unix:///run/a.sock", "unix:/run/a.sock", "127.0.0.1:9820",
                                       "localhost:0",        "[::1]:65535",      "127.9.9.9:1"};
    static const char *const bad[] = {"",
                                      "9820",
                                      ":9820",
                                      "localhost",
                                      "localhost:",
                                      "::1:9820",
                                      "localhost:65536",
                                      "localhost:-1",
                                      "[]:1",
                                      "[::1]9820",
                                      "unix://run/a.sock",
                                      "unix:",
                                      "127.example.org:1"};
    char text[256];

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        (void)snprintf(text, sizeof text, "[daemon]\nlisten = \"%s\"\n", good[i]);
        check_is_right(text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        (void)snprintf(text, sizeof text, "[daemon]\nlisten = \"%s\"\n", bad[i]);
        check_is_wrong(text, "daemon.listen: ");
    }
    (void)snprintf(text, sizeof text, "[daemon]\nlisten = \"unix:///%107s\"\n", "x");
    check_is_wrong(text, "path has 108 bytes, 107 allowed");
    check_is_right("[daemon]\nstatus_listen = \"0.0.0.0:9821\"\n");
    check_is_wrong("[daemon]\nstatus_listen = \"unix:///run/a\"\n", "daemon.status_listen: ");
    check_is_wrong("[daemon]\nstatus_listen = \"https://a:1\"\n", "daemon.status_listen: ");
    check_is_wrong("[daemon]\nstatus_listen = \"9821\"\n", "daemon.status_listen: ");
}

static void protection(void **state)
{
    char text[1024];

    (void)state;
    FILE *file = fopen(path_of("file"), "we");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    const char *there = path_of("file");
    check_is_wrong("[daemon]\nlisten = \"0.0.0.0:9820\"\n", "is not encrypted");
    check_is_wrong("[daemon]\nlisten = \"example.org:9820\"\ntoken_file = \"/f\"\n",
                   "is not encrypted");
    (void)snprintf(text, sizeof text,
                   "[daemon]\nlisten = \"[::]:9820\"\ntls_certificate = \"%s\"\ntls_key = \"%s\"\n",
                   there, there);
    check_is_wrong(text, "anybody may use it");
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), "token_file = \"%s\"\n", there);
    check_is_right(text);
    check_is_wrong("[daemon]\ntls_key = \"/k\"\n",
                   "daemon.tls_certificate: missing: daemon.tls_key");
    check_is_wrong("[daemon]\ntls_certificate = \"/k\"\n", "daemon.tls_key: missing");
    check_is_wrong("[daemon]\ntls_client_ca = \"/k\"\n", "daemon.tls_certificate: missing");
    check_is_wrong("[daemon]\ntoken_file = \"/none/t\"\n", "daemon.token_file: /none/t: no such");
}

static void folders(void **state)
{
    static config_t config;
    cuzk_error err;

    (void)state;
    check_read(&config, "[store]\nfolder = \"/none/at/all\"\n[srs]\nparam_cache = \"/dev/null\"\n");
    assert_int_equal(config_check(&config, keep_warning, NULL, &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, "store.folder: \"/none/at/all\": /none/at: No such file"));
    config.store.enabled = false;
    assert_int_equal(config_check(&config, keep_warning, NULL, &err), CUZK_OK);
    assert_int_equal(n_warnings, 1);
    assert_non_null(strstr(last_warning, "srs.param_cache: \"/dev/null\": is not a folder"));
}

static void the_budget_never_wraps(void **state)
{
    static config_t config;
    cuzk_error err;
    uint64_t bytes;

    (void)state;
    check_read(&config, "[memory]\nsafety_margin = 1000\n");
    assert_int_equal(config_budget(&bytes, &config, 4096, &err), CUZK_OK);
    assert_int_equal(bytes, 3096);
    assert_int_equal(config_budget(&bytes, &config, 1001, &err), CUZK_OK);
    assert_int_equal(bytes, 1);
    assert_int_equal(config_budget(&bytes, &config, 1000, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "memory.safety_margin: 1000 bytes leave nothing of the 1000"));
    assert_int_equal(config_budget(&bytes, &config, 0, &err), CUZK_ERR_ARG);
    assert_int_equal(config_budget(&bytes, &config, UINT64_MAX, &err), CUZK_ERR_ARG);
    check_read(&config, "[memory]\ntotal_budget = \"1GiB\"\nsafety_margin = \"2GiB\"\n");
    assert_int_equal(config_budget(&bytes, &config, 4096, &err), CUZK_OK);
    assert_int_equal(bytes, 1 << 30);
}

/* ---- as text ----------------------------------------------------------------------------------
 */

/* Takes the comment sign off the lines that set a key. */
static void set_all(char *text)
{
    char *to = text;

    for (const char *from = text; *from != '\0'; from++) {
        const bool at_start = from == text || from[-1] == '\n';

        if (!at_start || *from != '#' || from[1] < 'a' || from[1] > 'z') *to++ = *from;
    }
    *to = '\0';
}

static void the_explained_file_reads_back(void **state)
{
    static config_t base, config;
    cuzk_error err;
    char *text = config_explain(&err);

    (void)state;
    assert_non_null(text);
    get_default(&base);
    check_read(&config, text);
    assert_memory_equal(&base, &config, sizeof base);
    assert_int_equal(n_warnings, 0);

    set_all(text);
    check_read(&config, text);
    assert_int_equal(n_warnings, 0);
    config.srs.source = base.srs.source;
    assert_memory_equal(&base, &config, sizeof base);
    for (size_t i = 0; i < config_n_rows; i++) {
        char line[CONFIG_KEY_BYTES];

        if (config_rows[i].type == CONFIG_OLD) continue;
        (void)snprintf(line, sizeof line, "\n%s = ", config_rows[i].name);
        assert_non_null(strstr(text, line));
        assert_true(strlen(config_rows[i].section) + strlen(config_rows[i].name) + 2 <
                    CONFIG_KEY_BYTES);
    }
    free(text);
}

static void the_file_that_is_shipped_is_that_text(void **state)
{
    cuzk_error err;
    uint8_t *shipped;
    size_t length;
    char *text = config_explain(&err);

    (void)state;
    assert_non_null(text);
    if (file_read(&shipped, &length, CUZK_SOURCE_DIR "/contrib/cuzk.toml", 1 << 20, &err) !=
        CUZK_OK)
        fail_msg("%s", err.text);
    if (strcmp((const char *)shipped, text) != 0)
        fail_msg("contrib/cuzk.toml is not what cuzk-daemon --print-config prints");
    free(shipped);
    free(text);
}

/* ---- the command line -------------------------------------------------------------------------
 */

static void the_command_line_goes_last(void **state)
{
    static config_t config;
    daemon_options_t options;
    cuzk_error err;
    char *argv[] = {(char[]){"cuzk-daemon"},
                    (char[]){"-c"},
                    (char[]){"x.toml"},
                    (char[]){"-l"},
                    (char[]){"[::1]:9"},
                    (char[]){"--log-level=trace"},
                    NULL};
    char *twice[] = {(char[]){"cuzk-daemon"}, (char[]){"-c"}, (char[]){"a"}, (char[]){"--config=b"},
                     NULL};
    char *level[] = {(char[]){"cuzk-daemon"}, (char[]){"--log-level"}, (char[]){"loud"}, NULL};

    (void)state;
    assert_int_equal(daemon_options_parse(&options, 6, argv, &err), CUZK_OK);
    assert_string_equal(options.config, "x.toml");
    check_read(&config, "[daemon]\nlisten = \"unix:///a\"\n[logging]\nlevel = \"error\"\n");
    assert_int_equal(daemon_options_apply(&config, &options, &err), CUZK_OK);
    assert_string_equal(config.daemon.listen, "[::1]:9");
    assert_int_equal(config.logging.level, CUZK_LOG_DEBUG);
    assert_int_equal(daemon_options_parse(&options, 4, twice, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "given twice"));
    assert_int_equal(daemon_options_parse(&options, 3, level, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "\"loud\" is none of error, warn, info, debug, trace"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(public_keys_are_taken),
        cmocka_unit_test(our_keys_are_taken),
        cmocka_unit_test(wrong_keys_are_named_with_their_place),
        cmocka_unit_test(wrong_values_are_named_with_their_limit),
        cmocka_unit_test(sizes_and_times_are_exact_or_refused),
        cmocka_unit_test(what_is_no_toml_is_refused_with_its_place),
        cmocka_unit_test(special_and_long_files_are_refused),
        cmocka_unit_test(the_environment_is_below_the_file),
        cmocka_unit_test(addresses),
        cmocka_unit_test(protection),
        cmocka_unit_test(folders),
        cmocka_unit_test(the_budget_never_wraps),
        cmocka_unit_test(the_explained_file_reads_back),
        cmocka_unit_test(the_file_that_is_shipped_is_that_text),
        cmocka_unit_test(the_command_line_goes_last),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

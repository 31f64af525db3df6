/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* The daemon's configuration: a file, or behind a first byte that is none of TOML's what a variable
 * says. Read: keys and values are right. Right: the whole of it is, too. */

#include <stdlib.h>
#include <string.h>

#include "base/fuzz_support.h"
#include "daemon/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { VARIABLE_BYTES = 4096 };

static void ignore(void *arg, const char *text)
{
    (void)arg;
    (void)text;
}

static fuzz_verdict read_variable(const char *name, const uint8_t *data, size_t size)
{
    static config_t config;
    char text[VARIABLE_BYTES] = "";
    cuzk_error err;

    if (size >= sizeof text) return FUZZ_REFUSED;
    memcpy(text, data, size);
    (void)setenv(name, text, 1);
    const cuzk_status st = config_default(&config, &err);
    (void)unsetenv(name);
    return st == CUZK_OK ? FUZZ_READ : FUZZ_REFUSED;
}

static fuzz_verdict read_file(const uint8_t *data, size_t size)
{
    static config_t start, config;
    static bool is_ready;
    cuzk_error err;
    uint64_t budget;

    if (!is_ready && config_default(&start, &err) != CUZK_OK) abort();
    is_ready = true;
    config = start;
    if (config_read(&config, fuzz_file(data, size), ignore, NULL, &err) != CUZK_OK)
        return FUZZ_REFUSED;
    if (config_check(&config, ignore, NULL, &err) != CUZK_OK ||
        config_budget(&budget, &config, (uint64_t)64 << 30, &err) != CUZK_OK)
        return FUZZ_READ;
    return FUZZ_RIGHT;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *variable = NULL;

    if (size > 0 && data[0] == '$') variable = "RUST_LOG";
    if (size > 0 && data[0] == '%') variable = "CUZK_GPU_THREADS";
    if (size > 0 && data[0] == '&') variable = "FIL_PROOFS_PARAMETER_CACHE";
    fuzz_judge(variable != NULL ? read_variable(variable, data + 1, size - 1)
                                : read_file(data, size));
    return 0;
}

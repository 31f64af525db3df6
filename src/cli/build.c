/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/build.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cpu.h"
#include "cli/build_commit.h"

const char *build_commit(void)
{
    return CUZK_COMMIT;
}

const char *build_compiler(void)
{
#ifdef __clang__
    return "clang " __clang_version__ ", " CUZK_BUILD_TYPE;
#else
    return "GCC " __VERSION__ ", " CUZK_BUILD_TYPE;
#endif
}

const char *build_flags(void)
{
    return CUZK_BUILD_FLAGS;
}

const char *build_type(void)
{
    return CUZK_BUILD_TYPE;
}

const build_library_t *build_libraries(size_t *n)
{
    static build_library_t libraries[] = {
        {"blst", CUZK_BLST_VERSION},
        {"simdjson", CUZK_SIMDJSON_VERSION},
        {"libcrypto", CUZK_CRYPTO_VERSION},
        {"libtomcrypt", CUZK_TOMCRYPT_VERSION},
        {"libc", NULL},
    };

    *n = sizeof libraries / sizeof libraries[0];
    libraries[*n - 1].version = gnu_get_libc_version();
    return libraries;
}

/* The rest of the first line of a file that begins with word, less blanks and a colon. */
static bool read_line_of(char *value, size_t size, const char *path, const char *word)
{
    FILE *file = fopen(path, "r");
    char line[4096];
    bool found = false;

    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, word, strlen(word)) != 0) continue;
        const char *at = line + strlen(word);

        at += strspn(at, " \t:");
        (void)snprintf(value, size, "%.*s", (int)strcspn(at, "\n"), at);
        found = true;
    }
    if (file != NULL) (void)fclose(file);
    return found;
}

void machine_read(machine_t *machine)
{
    char flags[4096];
    struct utsname name;

    *machine = (machine_t){.processor = "unknown", .cpus = cpu_count_allowed()};
    (void)read_line_of(machine->processor, sizeof machine->processor, "/proc/cpuinfo",
                       "model name");
    if (read_line_of(flags, sizeof flags, "/proc/cpuinfo", "flags"))
        machine->is_virtual = strstr(flags, " hypervisor") != NULL;
    if (uname(&name) == 0)
        (void)snprintf(machine->kernel, sizeof machine->kernel, "%.40s %.50s", name.sysname,
                       name.release);
    machine->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

void machine_write(json_writer_t *w, const machine_t *machine)
{
    json_write_object(w, "machine");
    json_write_string(w, "processor", machine->processor);
    json_write_bool(w, "virtual", machine->is_virtual);
    json_write_u64(w, "cpus", machine->cpus);
    json_write_u64(w, "memory_bytes", machine->memory_bytes);
    json_write_string(w, "kernel", machine->kernel);
    json_write_end(w);
}

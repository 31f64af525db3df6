/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/cgroup.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDER_BYTES = 2 * PATH_MAX };

/* The files of a version, within a group's folder. */
typedef struct {
    const char *controller; /* as /proc/self/cgroup names it: "0::/group", "4:memory:/group" */
    const char *folder;     /* within the mount */
    const char *limit, *used, *cache;
} version_t;

static const version_t versions[] = {
    {"", "", "memory.max", "memory.current", "file "},
    {"memory", "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_cache "},
};

uint64_t cgroup_read_number(const char *path, const char *key)
{
    char line[256];
    uint64_t value = UINT64_MAX;
    FILE *file = fopen(path, "re");

    if (file == NULL) return value;
    while (fgets(line, sizeof line, file) != NULL) {
        char *end;

        if (strncmp(line, key, strlen(key)) != 0) continue;
        const unsigned long long v = strtoull(line + strlen(key), &end, 10);
        if (end != line + strlen(key)) value = v; /* "max" is no number: no limit */
        break;
    }
    (void)fclose(file);
    return value;
}

static uint64_t read_in(const char folder[FOLDER_BYTES], const char *name, const char *key)
{
    char path[FOLDER_BYTES + 64];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return cgroup_read_number(path, key);
}

/* Lowers *memory to what the group of that folder allows. Version 1 writes a huge number for none.
 */
static void apply(cgroup_memory_t *memory, const char folder[FOLDER_BYTES],
                  const version_t *version)
{
    const uint64_t limit = read_in(folder, version->limit, "");
    const uint64_t used = read_in(folder, version->used, "");
    const uint64_t cache = read_in(folder, "memory.stat", version->cache);

    if (limit >= INT64_MAX / 2) return;
    if (limit < memory->limit) memory->limit = limit;
    if (used == UINT64_MAX) return;
    const uint64_t held = cache == UINT64_MAX ? used : cache < used ? used - cache : 0;
    const uint64_t left = limit > held ? limit - held : 0;
    if (left < memory->left) memory->left = left;
}

/* group = the process's group of that version, such as "/system.slice/a.service". */
static bool find_group(char group[PATH_MAX], const char *membership, const version_t *version)
{
    char line[PATH_MAX + 64];
    bool found = false;
    FILE *file = fopen(membership, "re");

    if (file == NULL) return false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        char *controllers = strchr(line, ':');
        char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;

        if (path == NULL) continue;
        *path++ = '\0';
        controllers++;
        path[strcspn(path, "\n")] = '\0';
        const char *name = strstr(controllers, version->controller);
        const size_t n = strlen(version->controller);
        if (n == 0)
            found = *controllers == '\0';
        else
            found = name != NULL && (name == controllers || name[-1] == ',') &&
                    (name[n] == '\0' || name[n] == ',');
        if (found) (void)snprintf(group, PATH_MAX, "%s", path);
    }
    (void)fclose(file);
    return found;
}

cgroup_memory_t cgroup_memory(const char *membership, const char *mount)
{
    cgroup_memory_t memory = {.limit = UINT64_MAX, .left = UINT64_MAX};
    char folder[FOLDER_BYTES];
    char group[PATH_MAX];

    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        const version_t *version = &versions[i];

        if (!find_group(group, membership, version)) group[0] = '\0';
        for (;;) {
            (void)snprintf(folder, sizeof folder, "%s%s%s", mount, version->folder, group);
            apply(&memory, folder, version);
            char *last = strrchr(group, '/');
            if (last == NULL) break;
            *last = '\0';
        }
    }
    return memory;
}

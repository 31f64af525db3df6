/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/cgroup.h"
#include "base/memory.h"

static char top[64];

static const char *path_of(const char *name)
{
    static char path[256];

    (void)snprintf(path, sizeof path, "%s/%s", top, name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "we");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int make_folders(void **state)
{
    (void)state;
    (void)snprintf(top, sizeof top, "/tmp/cuzk-cgroup-XXXXXX");
    if (mkdtemp(top) == NULL) return 1;
    return mkdir(path_of("a"), 0700) != 0 || mkdir(path_of("a/b"), 0700) != 0 ||
           mkdir(path_of("memory"), 0700) != 0 || mkdir(path_of("memory/c"), 0700) != 0;
}

static int remove_folders(void **state)
{
    char command[128];

    (void)state;
    (void)snprintf(command, sizeof command, "rm -r '%s'", top);
    return system(command);
}

static cgroup_memory_t look(void)
{
    char membership[256];

    (void)snprintf(membership, sizeof membership, "%s", path_of("self"));
    return cgroup_memory(membership, top);
}

static void groups_around_count(void **state)
{
    (void)state;
    put("self", "0::/a/b\n");
    put("a/b/memory.max", "max\n");
    put("a/b/memory.current", "900\n");
    assert_int_equal(look().limit, UINT64_MAX);
    assert_int_equal(look().left, UINT64_MAX);

    put("a/memory.max", "5000\n");
    put("a/memory.current", "3000\n");
    put("a/memory.stat", "anon 2500\nfile 500\nkernel 1\n");
    assert_int_equal(look().limit, 5000);
    assert_int_equal(look().left, 2500); /* the cache of 500 gives way */

    put("a/b/memory.max", "1000\n");
    assert_int_equal(look().limit, 1000);
    assert_int_equal(look().left, 100);
    put("a/b/memory.current", "4000\n"); /* over the limit: nothing, never a wrapped number */
    assert_int_equal(look().left, 0);

    put("memory.max", "700\n"); /* the mount itself, as in a container */
    assert_int_equal(look().limit, 700);
    put("self", "0::/not/seen\n");
    assert_int_equal(look().limit, 700);
    put("self", "0::/\n");
    assert_int_equal(look().limit, 700);
    assert_int_equal(unlink(path_of("self")), 0);
    assert_int_equal(look().limit, 700);
    assert_int_equal(unlink(path_of("memory.max")), 0);
    assert_int_equal(look().limit, UINT64_MAX);
}

static void version_1(void **state)
{
    (void)state;
    put("self",
        "9:cpu,cpuacct:/x\n7:memoryless:/x\n5:blkio,memory:/c\nnonsense\n1:name=systemd:/\n");
    put("memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(look().limit, UINT64_MAX);
    put("memory/c/memory.limit_in_bytes", "4294967296\n");
    put("memory/c/memory.usage_in_bytes", "1073741824\n");
    assert_int_equal(look().limit, 4294967296);
    assert_int_equal(look().left, 3221225472);
    put("memory/c/memory.stat", "cache 1\ntotal_cache 1073741824\n");
    assert_int_equal(look().left, 4294967296);
}

static void this_machine(void **state)
{
    (void)state;
    assert_true(memory_available_bytes() > 0);
    assert_true(memory_total_bytes() >= memory_available_bytes());
    assert_true(memory_total_bytes() <= memory_limit_bytes());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_around_count),
                                       cmocka_unit_test(version_1), cmocka_unit_test(this_machine)};

    return cmocka_run_group_tests(tests, make_folders, remove_folders);
}

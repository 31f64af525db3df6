/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_TEST_FOLDER_H
#define CUZK_BASE_TEST_FOLDER_H

/* A folder of a test group's own, and the files in it. Comes after cmocka.h. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* As long as the path of a socket may be. */
enum { TEST_PATH_BYTES = 108 };

static char test_folder[32];

/* A group's setup. */
static inline int test_folder_make(void **unused)
{
    (void)unused;
    (void)strcpy(test_folder, "/tmp/cuzk-test-XXXXXX");
    return mkdtemp(test_folder) == NULL;
}

/* A group's teardown: fails when a test has left a file, a temporary one for instance. */
static inline int test_folder_remove(void **unused)
{
    (void)unused;
    return rmdir(test_folder);
}

/* The path of a file there; returns path. */
static inline const char *test_path(char path[TEST_PATH_BYTES], const char *name)
{
    (void)snprintf(path, TEST_PATH_BYTES, "%s/%s", test_folder, name);
    return path;
}

static inline void test_expect_content(const char *path, const char *text)
{
    uint8_t *bytes;
    cuzk_error err;
    size_t n;

    assert_int_equal(file_read(&bytes, &n, path, 100, &err), CUZK_OK);
    assert_string_equal((const char *)bytes, text);
    free(bytes);
}

#endif

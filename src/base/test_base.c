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

#include "base/arena.h"
#include "base/atomic_file.h"
#include "base/bytes.h"
#include "base/cpu.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"

static char folder[64];

static int make_folder(void **unused)
{
    (void)unused;
    (void)strcpy(folder, "/tmp/cuzk-base-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **unused)
{
    (void)unused;
    return rmdir(folder);
}

static const char *path_of(const char *name)
{
    static char path[128];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void lists_in_words_are_cut_at_their_size(void **unused)
{
    char list[12] = "";

    (void)unused;
    text_list(list, sizeof list, "one");
    assert_string_equal(list, "one");
    text_list(list, sizeof list, "two");
    assert_string_equal(list, "one, two");
    text_list(list, sizeof list, "three");
    assert_string_equal(list, "one, two, t");
    text_list(list, sizeof list, "four");
    assert_string_equal(list, "one, two, t");
}

static void hex_round_trips_and_refuses(void **unused)
{
    uint8_t bytes[4] = {0x00, 0x7f, 0x80, 0xff};
    uint8_t back[4];
    char text[9];

    (void)unused;
    bytes_to_hex(text, bytes, 4);
    assert_string_equal(text, "007f80ff");
    assert_true(bytes_from_hex(back, 4, "007F80fF", 8));
    assert_memory_equal(back, bytes, 4);
    assert_false(bytes_from_hex(back, 4, "007f80f", 7));
    assert_false(bytes_from_hex(back, 4, "007f80ff0", 9));
    assert_false(bytes_from_hex(back, 4, "007f80fg", 8));
    assert_false(bytes_from_hex(back, 4, "0x7f80ff", 8));
}

static void integers_keep_their_byte_order(void **unused)
{
    uint8_t b[8];

    (void)unused;
    store_be32(b, 0x01020304);
    assert_int_equal(b[0], 1);
    assert_int_equal(load_be32(b), 0x01020304);
    assert_int_equal(load_le32(b), 0x04030201);
    store_be64(b, 0x0102030405060708u);
    assert_int_equal(load_le64(b), 0x0807060504030201u);
    store_le64(b, 0x0807060504030201u);
    assert_int_equal(b[7], 8);
}

static void arena_grows_and_rewinds(void **unused)
{
    arena_t arena;
    cuzk_error err;

    (void)unused;
    assert_int_equal(arena_open(&arena, (size_t)1 << 26, "test", &err), CUZK_OK);
    for (int round = 0; round < 3; round++) {
        const arena_mark_t mark = arena_mark(&arena);
        uint32_t *p = NULL;
        size_t n = 0;

        while (n < 200000) {
            const size_t more = n == 0 ? 1 : 2 * n;

            p = arena_grow(&arena, p, n, more, sizeof *p);
            for (size_t i = n; i < more; i++) p[i] = (uint32_t)i;
            (void)arena_alloc(&arena, (size_t)round, 8);
            n = more;
        }
        for (size_t i = 0; i < n; i++) assert_int_equal(p[i], i);
        assert_int_equal((uintptr_t)arena_alloc(&arena, 3, 1) % 16, 0);
        arena_rewind(&arena, mark);
    }
    arena_close(&arena);
}

static void an_arena_ends_at_its_capacity(void **unused)
{
    const size_t page = 1 << 12;
    arena_t arena;
    cuzk_error err;

    (void)unused;
    assert_int_equal(arena_open(&arena, 1, "test", &err), CUZK_OK);
    assert_true(arena.capacity >= 1 && arena.capacity % page == 0);
    const size_t room = arena.capacity - arena.used;
    const arena_mark_t empty = arena_mark(&arena);

    uint8_t *all = arena_alloc(&arena, room, 1);
    assert_non_null(all);
    memset(all, 1, room);
    assert_null(arena_alloc(&arena, 1, 1));
    assert_non_null(arena_alloc(&arena, 0, 1));
    assert_null(arena_grow(&arena, all, room, room + 1, 1));
    arena_rewind(&arena, empty);
    all = arena_alloc(&arena, room - 32, 1);
    assert_ptr_equal(arena_grow(&arena, all, room - 32, room, 1), all);
    arena_rewind(&arena, empty);
    assert_null(arena_alloc(&arena, SIZE_MAX / 2, 4));
    assert_null(arena_alloc(&arena, SIZE_MAX, 1));
    assert_null(arena_alloc(&arena, 1, SIZE_MAX - 3));
    arena_close(&arena);
    assert_null(arena.base);
    arena_close(&arena);

    assert_int_equal(arena_open(&arena, SIZE_MAX, "test", &err), CUZK_ERR_MEMORY);
    assert_null(arena.base);
    assert_int_equal(arena_open(&arena, SIZE_MAX / 2, "test", &err), CUZK_ERR_MEMORY);
    assert_non_null(strstr(err.text, "test"));
}

static void files_are_replaced_whole_or_not_at_all(void **unused)
{
    cuzk_error err;
    uint8_t *bytes;
    size_t n;
    const char *path = path_of("out");

    (void)unused;
    assert_int_equal(file_write(path, "one", 3, false, &err), CUZK_OK);
    assert_int_equal(file_write(path, "two", 3, false, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "exists already"));
    assert_int_equal(file_read(&bytes, &n, path, 100, &err), CUZK_OK);
    assert_int_equal(n, 3);
    assert_memory_equal(bytes, "one", 4);
    free(bytes);
    assert_int_equal(file_write(path, "three", 5, true, &err), CUZK_OK);
    assert_int_equal(file_read(&bytes, &n, path, 5, &err), CUZK_OK);
    assert_memory_equal(bytes, "three", 6);
    free(bytes);
    assert_int_equal(file_read(&bytes, &n, path, 4, &err), CUZK_ERR_FORMAT);
    assert_null(bytes);

    file_t file;
    char text[5];
    assert_int_equal(file_open(&file, path, &err), CUZK_OK);
    assert_int_equal(file.length, 5);
    assert_int_equal(file_read_at(&file, text, 5, 0, &err), CUZK_OK);
    assert_memory_equal(text, "three", 5);
    file_close(&file);
    assert_int_equal(unlink(path), 0);
}

static void a_discarded_file_leaves_nothing(void **unused)
{
    atomic_file_t file;
    cuzk_error err;

    (void)unused;
    assert_int_equal(atomic_file_open(&file, path_of("gone"), false, &err), CUZK_OK);
    (void)fputs("half", file.stream);
    atomic_file_discard(&file);
    assert_int_equal(access(path_of("gone"), F_OK), -1);
    /* remove_folder() fails if the temporary file is still there */
}

static void what_is_not_a_file_is_named(void **unused)
{
    file_t file;
    cuzk_error err;

    (void)unused;
    assert_int_equal(file_open(&file, path_of("none"), &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, "no such file"));
    assert_int_equal(file_open(&file, folder, &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, "is a folder"));
    assert_int_equal(symlink("nowhere", path_of("link")), 0);
    assert_int_equal(file_open(&file, path_of("link"), &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, "symbolic link"));
    assert_int_equal(unlink(path_of("link")), 0);
    assert_int_equal(file_write(path_of("no/such"), "x", 1, true, &err), CUZK_ERR_MISSING);
    assert_int_equal(file_write("/dev/null", "x", 1, true, &err), CUZK_OK);
    struct stat info;
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void big_arrays_are_zero_and_overflow_is_refused(void **unused)
{
    cuzk_error err;
    void *p;

    (void)unused;
    assert_int_equal(big_alloc(&p, 1 << 20, 8, "a", &err), CUZK_OK);
    for (size_t i = 0; i < 1 << 20; i++) assert_int_equal(((uint64_t *)p)[i], 0);
    big_free(p, 1 << 20, 8);
    assert_int_equal(big_alloc(&p, SIZE_MAX / 4, 32, "b", &err), CUZK_ERR_MEMORY);
    assert_int_equal(big_alloc(&p, 0, 32, "c", &err), CUZK_OK);
    big_free(p, 0, 32);
    assert_true(memory_available_bytes() > 1 << 20);
}

static void error_text_is_one_line_and_statuses_have_exit_codes(void **unused)
{
    static const int codes[] = {0, 1, 3, 2, 2, 2, 2, 3, 3, 3, 3, 3};
    cuzk_error err;
    char key[2 * CUZK_ERROR_TEXT_BYTES];

    (void)unused;
    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    key[2] = '\n';
    assert_int_equal(error_set(&err, CUZK_ERR_ARG, "%s", key), CUZK_ERR_ARG);
    assert_int_equal(strlen(err.text), CUZK_ERROR_TEXT_BYTES - 1);
    assert_int_equal(strncmp(err.text, "kk\\u000ak", 9), 0);
    (void)error_set(&err, CUZK_ERR_FORMAT, "value %d", 3);
    assert_int_equal(error_within(&err, "sector %d", 7), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "sector 7: value 3");
    (void)error_set(&err, CUZK_ERR_FORMAT, "value %d", 3);
    (void)error_within(&err, "%.300s", key + 3);
    assert_string_equal(err.text + 300, ": value 3");
    for (int st = CUZK_OK; st <= CUZK_ERR_INTERNAL; st++)
        assert_int_equal(status_exit_code((cuzk_status)st), codes[st]);
}

static void random_bytes_differ(void **unused)
{
    uint8_t a[32], b[32];
    cuzk_error err;

    (void)unused;
    assert_int_equal(random_bytes(a, 32, &err), CUZK_OK);
    assert_int_equal(random_bytes(b, 32, &err), CUZK_OK);
    assert_memory_not_equal(a, b, 32);
    assert_true(cpu_count_allowed() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_in_words_are_cut_at_their_size),
        cmocka_unit_test(hex_round_trips_and_refuses),
        cmocka_unit_test(integers_keep_their_byte_order),
        cmocka_unit_test(arena_grows_and_rewinds),
        cmocka_unit_test(an_arena_ends_at_its_capacity),
        cmocka_unit_test(files_are_replaced_whole_or_not_at_all),
        cmocka_unit_test(a_discarded_file_leaves_nothing),
        cmocka_unit_test(what_is_not_a_file_is_named),
        cmocka_unit_test(big_arrays_are_zero_and_overflow_is_refused),
        cmocka_unit_test(error_text_is_one_line_and_statuses_have_exit_codes),
        cmocka_unit_test(random_bytes_differ),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

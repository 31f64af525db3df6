/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SPARE_BYTES = 64, FIRST_READ_BYTES = 1 << 16 };

/* Why open() or stat() of path failed, in words a person can act on. */
static cuzk_status fail_open(const char *path, int error, cuzk_error *err)
{
    struct stat link;

    if (error == ENOENT && lstat(path, &link) == 0 && S_ISLNK(link.st_mode))
        return error_set(err, CUZK_ERR_MISSING, "%s: a symbolic link to a file that is not there",
                         path);
    if (error == ENOENT) return error_set(err, CUZK_ERR_MISSING, "%s: no such file", path);
    return error_set(err, CUZK_ERR_MISSING, "%s: cannot be opened: %s", path, strerror(error));
}

static cuzk_status open_for_reading(int *fd, struct stat *info, const char *path, cuzk_error *err)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    if (*fd < 0) return fail_open(path, errno, err);
    if (fstat(*fd, info) != 0) {
        const int error = errno;

        (void)close(*fd);
        return fail_open(path, error, err);
    }
    if (S_ISDIR(info->st_mode)) {
        (void)close(*fd);
        return error_set(err, CUZK_ERR_MISSING, "%s: is a folder, not a file", path);
    }
    return CUZK_OK;
}

cuzk_status mapped_file_open(mapped_file_t *file, const char *path, cuzk_error *err)
{
    struct stat info;
    int fd;

    *file = (mapped_file_t){0};
    const cuzk_status st = open_for_reading(&fd, &info, path, err);
    if (st != CUZK_OK) return st;
    if (!S_ISREG(info.st_mode)) {
        (void)close(fd);
        return error_set(err, CUZK_ERR_MISSING, "%s: not a regular file", path);
    }
    if (info.st_size > 0) {
        void *p = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED, fd, 0);

        if (p == MAP_FAILED) {
            const int error = errno;

            (void)close(fd);
            return error_set(err, CUZK_ERR_IO, "%s: cannot be mapped: %s", path, strerror(error));
        }
        file->bytes = p;
        file->length = (size_t)info.st_size;
    }
    (void)close(fd);
    return CUZK_OK;
}

void mapped_file_close(mapped_file_t *file)
{
    if (file->bytes != NULL) (void)munmap((void *)(uintptr_t)file->bytes, file->length);
    *file = (mapped_file_t){0};
}

static cuzk_status too_long(const char *path, size_t max, cuzk_error *err)
{
    return error_set(err, CUZK_ERR_FORMAT, "%s: longer than the %zu bytes allowed", path, max);
}

/* Reads fd to its end into a buffer that doubles; the caller frees *bytes on every return. */
static cuzk_status read_to_end(uint8_t **bytes, size_t *length, int fd, size_t first, size_t max,
                               const char *path, cuzk_error *err)
{
    size_t capacity = first;

    *length = 0;
    *bytes = malloc(capacity + SPARE_BYTES);
    while (*bytes != NULL) {
        const ssize_t got = read(fd, *bytes + *length, capacity - *length);

        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return error_set(err, CUZK_ERR_IO, "%s: %s", path, strerror(errno));
        if (got == 0) {
            memset(*bytes + *length, 0, SPARE_BYTES);
            return CUZK_OK;
        }
        *length += (size_t)got;
        if (*length > max) return too_long(path, max, err);
        if (*length == capacity) {
            uint8_t *grown = realloc(*bytes, 2 * capacity + SPARE_BYTES);

            if (grown == NULL) break;
            *bytes = grown;
            capacity *= 2;
        }
    }
    return error_set(err, CUZK_ERR_MEMORY, "%s: no memory for its contents", path);
}

cuzk_status read_file(uint8_t **bytes, size_t *length, const char *path, size_t max,
                      cuzk_error *err)
{
    size_t first = FIRST_READ_BYTES;
    int fd = STDIN_FILENO;
    cuzk_status st;

    *bytes = NULL;
    *length = 0;
    if (strcmp(path, "-") == 0) {
        path = "standard input";
    } else {
        struct stat info;

        st = open_for_reading(&fd, &info, path, err);
        if (st != CUZK_OK) return st;
        if (S_ISREG(info.st_mode) && (uint64_t)info.st_size > max) {
            (void)close(fd);
            return too_long(path, max, err);
        }
        if (info.st_size > 0) first = (size_t)info.st_size + 1;
    }
    st = read_to_end(bytes, length, fd, first, max, path, err);
    if (fd != STDIN_FILENO) (void)close(fd);
    if (st != CUZK_OK) {
        free(*bytes);
        *bytes = NULL;
        *length = 0;
    }
    return st;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/memory.h"
#include "base/verify.h"

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

static cuzk_status refuse_folder(const char *path, const struct stat *info, cuzk_error *err)
{
    if (!S_ISDIR(info->st_mode)) return CUZK_OK;
    return error_set(err, CUZK_ERR_MISSING, "%s: is a folder, not a file", path);
}

static cuzk_status refuse_special(const char *path, const struct stat *info, cuzk_error *err)
{
    const cuzk_status st = refuse_folder(path, info, err);

    if (st != CUZK_OK || S_ISREG(info->st_mode)) return st;
    return error_set(err, CUZK_ERR_MISSING, "%s: not a regular file", path);
}

static cuzk_status open_and_look(int *fd, struct stat *info, const char *path, int flags,
                                 cuzk_error *err)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC | flags);
    if (*fd < 0) return fail_open(path, errno, err);
    if (fstat(*fd, info) == 0) return CUZK_OK;
    const int error = errno;

    (void)close(*fd);
    return fail_open(path, error, err);
}

/* A device or a pipe is refused before it is opened, as opening can have effects or wait; and
 * again by its descriptor, for the path may have come to name something else. */
static cuzk_status open_regular(int *fd, struct stat *info, const char *path, cuzk_error *err)
{
    if (stat(path, info) != 0) return fail_open(path, errno, err);
    cuzk_status st = refuse_special(path, info, err);
    if (st != CUZK_OK) return st;
    st = open_and_look(fd, info, path, O_NONBLOCK | O_NOCTTY, err);
    if (st != CUZK_OK) return st;
    st = refuse_special(path, info, err);
    if (st != CUZK_OK) (void)close(*fd);
    return st;
}

cuzk_status file_open(file_t *file, const char *path, cuzk_error *err)
{
    struct stat info;

    *file = (file_t){.fd = -1, .path = mem_copy_text(path, "a path", err)};
    if (file->path == NULL) return err->status;
    const cuzk_status st = open_regular(&file->fd, &info, path, err);
    if (st != CUZK_OK) {
        file->fd = -1;
        file_close(file);
        return st;
    }
    file->length = (uint64_t)info.st_size;
    (void)posix_fadvise(file->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return CUZK_OK;
}

void file_close(file_t *file)
{
    if (file->fd >= 0) (void)close(file->fd);
    free(file->path);
    *file = (file_t){.fd = -1};
}

cuzk_status file_read_at(const file_t *file, void *to, size_t n, uint64_t offset, cuzk_error *err)
{
    uint8_t *at = to;

    VERIFY(offset <= file->length && n <= file->length - offset);
    while (n > 0) {
        const ssize_t got = pread(file->fd, at, n, (off_t)offset);

        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            return error_set(err, CUZK_ERR_IO, "%s: byte %llu: %s", file->path,
                             (unsigned long long)offset, strerror(errno));
        if (got == 0)
            return error_set(
                err, CUZK_ERR_IO, "%s: byte %llu: the file has become shorter: it had %llu bytes",
                file->path, (unsigned long long)offset, (unsigned long long)file->length);
        at += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return CUZK_OK;
}

void file_read_ahead(const file_t *file, uint64_t offset, uint64_t n)
{
    (void)posix_fadvise(file->fd, (off_t)offset, (off_t)n, POSIX_FADV_WILLNEED);
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

cuzk_status file_read(uint8_t **bytes, size_t *length, const char *path, size_t max,
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

        st = open_and_look(&fd, &info, path, 0, err);
        if (st != CUZK_OK) return st;
        st = refuse_folder(path, &info, err);
        if (st == CUZK_OK && S_ISREG(info.st_mode) && (uint64_t)info.st_size > max)
            st = too_long(path, max, err);
        if (st != CUZK_OK) {
            (void)close(fd);
            return st;
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

static cuzk_status write_stdout(const void *bytes, size_t n, cuzk_error *err)
{
    if (fwrite(bytes, 1, n, stdout) != n || fflush(stdout) != 0)
        return error_set(err, CUZK_ERR_IO, "standard output: %s", strerror(errno));
    return CUZK_OK;
}

/* A device or a pipe is written to, never renamed over. */
static cuzk_status write_special(const char *path, const void *bytes, size_t n, cuzk_error *err)
{
    FILE *stream = fopen(path, "wbe");
    int error = 0;

    if (stream == NULL)
        return error_set(err, CUZK_ERR_MISSING, "%s: cannot be written: %s", path, strerror(errno));
    if (fwrite(bytes, 1, n, stream) != n || fflush(stream) != 0) error = errno;
    if (fclose(stream) != 0 && error == 0) error = errno;
    if (error == 0) return CUZK_OK;
    return error_set(err, CUZK_ERR_IO, "%s: write failed: %s", path, strerror(error));
}

cuzk_status file_write(const char *path, const void *bytes, size_t n, bool replace, cuzk_error *err)
{
    atomic_file_t file;
    struct stat info;

    if (strcmp(path, "-") == 0) return write_stdout(bytes, n, err);
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return write_special(path, bytes, n, err);
    const cuzk_status st = atomic_file_open(&file, path, replace, err);
    if (st != CUZK_OK) return st;
    (void)fwrite(bytes, 1, n, file.stream); /* the commit says what went wrong */
    return atomic_file_commit(&file, err);
}

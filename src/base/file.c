/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
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

const char *file_kind_text(mode_t mode)
{
    return S_ISDIR(mode) ? "is a folder, not a file" : "not a regular file";
}

static cuzk_status refuse_special(const char *path, const struct stat *info, cuzk_error *err)
{
    if (S_ISREG(info->st_mode)) return CUZK_OK;
    return error_set(err, CUZK_ERR_MISSING, "%s: %s", path, file_kind_text(info->st_mode));
}

static cuzk_status open_and_look(int *fd, struct stat *info, const char *path, cuzk_error *err)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
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
    st = open_and_look(fd, info, path, err);
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

static cuzk_status file_too_long(const char *path, uint64_t length, size_t max, cuzk_error *err)
{
    char size[TEXT_SIZE_ROOM], limit[TEXT_SIZE_ROOM];

    return error_set(err, CUZK_ERR_FORMAT, "%s: %s, longer than %s", path, text_size(size, length),
                     text_size(limit, max));
}

/* How long it is in the end nobody waits for. */
static cuzk_status stream_too_long(const char *path, size_t max, cuzk_error *err)
{
    char limit[TEXT_SIZE_ROOM];

    return error_set(err, CUZK_ERR_FORMAT, "%s: longer than %s", path, text_size(limit, max));
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
            uint8_t *exact = realloc(*bytes, *length + SPARE_BYTES);

            if (exact != NULL) *bytes = exact;
            memset(*bytes + *length, 0, SPARE_BYTES);
            return CUZK_OK;
        }
        *length += (size_t)got;
        if (*length > max) return stream_too_long(path, max, err);
        if (*length == capacity) {
            uint8_t *grown = realloc(*bytes, 2 * capacity + SPARE_BYTES);

            if (grown == NULL) break;
            *bytes = grown;
            capacity *= 2;
        }
    }
    return error_set(err, CUZK_ERR_MEMORY, "%s: no memory for its contents", path);
}

/* The number of an open descriptor whose name path is, else -1; fd is what "-" means. */
static int descriptor_of(const char *path, int fd)
{
    static const char *const streams[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};

    if (strcmp(path, "-") == 0) return fd;
    for (int i = 0; i < 3; i++)
        if (strcmp(path, streams[i]) == 0) return i;
    for (int i = 0; i < 2; i++) {
        const size_t n = strlen(folders[i]);

        if (strncmp(path, folders[i], n) != 0) continue;
        const size_t digits = strspn(path + n, "0123456789");
        if (digits == 0 || path[n + digits] != '\0') continue;
        return digits < 10 ? atoi(path + n) : INT_MAX; /* far over all there are */
    }
    return -1;
}

static const char *stream_name(const char *path, const char *of_dash)
{
    return strcmp(path, "-") == 0 ? of_dash : path;
}

static cuzk_status read_stream(uint8_t **bytes, size_t *length, int from, size_t max,
                               const char *name, cuzk_error *err)
{
    const int fd = fcntl(from, F_DUPFD_CLOEXEC, 0);

    if (fd < 0) return error_set(err, CUZK_ERR_MISSING, "%s: %s", name, strerror(errno));
    const cuzk_status st = read_to_end(bytes, length, fd, FIRST_READ_BYTES, max, name, err);
    (void)close(fd);
    return st;
}

static cuzk_status read_regular(uint8_t **bytes, size_t *length, size_t max, const char *path,
                                cuzk_error *err)
{
    struct stat info;
    int fd;

    cuzk_status st = open_regular(&fd, &info, path, err);
    if (st != CUZK_OK) return st;
    st = (uint64_t)info.st_size > max
             ? file_too_long(path, (uint64_t)info.st_size, max, err)
             : read_to_end(bytes, length, fd, (size_t)info.st_size + 1, max, path, err);
    (void)close(fd);
    return st;
}

cuzk_status file_read(uint8_t **bytes, size_t *length, const char *path, size_t max,
                      cuzk_error *err)
{
    const int from = descriptor_of(path, STDIN_FILENO);

    *bytes = NULL;
    *length = 0;
    const cuzk_status st =
        from >= 0 ? read_stream(bytes, length, from, max, stream_name(path, "standard input"), err)
                  : read_regular(bytes, length, max, path, err);
    if (st != CUZK_OK) {
        if (*bytes != NULL) mem_wipe(*bytes, *length); /* it may be secrets */
        free(*bytes);
        *bytes = NULL;
        *length = 0;
    }
    return st;
}

static cuzk_status write_stream(int fd, const void *bytes, size_t n, const char *name,
                                cuzk_error *err)
{
    const uint8_t *at = bytes;

    (void)fflush(stdout); /* what went there before comes first */
    while (n > 0) {
        const ssize_t got = write(fd, at, n);

        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return error_set(err, CUZK_ERR_IO, "%s: %s", name, strerror(errno));
        at += got;
        n -= (size_t)got;
    }
    return CUZK_OK;
}

/* Whether path is the device that takes everything and keeps nothing. */
static bool is_null_device(const char *path)
{
    struct stat info, null;

    return stat(path, &info) == 0 && stat("/dev/null", &null) == 0 && S_ISCHR(info.st_mode) &&
           S_ISCHR(null.st_mode) && info.st_rdev == null.st_rdev;
}

cuzk_status file_probe(const char *path, bool replace, cuzk_error *err)
{
    const int to = descriptor_of(path, STDOUT_FILENO);

    const int flags = to >= 0 ? fcntl(to, F_GETFL) : O_WRONLY;

    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
        return error_set(err, CUZK_ERR_MISSING, "%s: not open for writing",
                         stream_name(path, "standard output"));
    return to >= 0 || is_null_device(path) ? CUZK_OK : atomic_file_probe(path, replace, err);
}

bool file_is_stream(const char *path)
{
    return descriptor_of(path, STDOUT_FILENO) >= 0;
}

cuzk_status file_write(const char *path, const void *bytes, size_t n, bool replace, cuzk_error *err)
{
    const int to = descriptor_of(path, STDOUT_FILENO);
    atomic_file_t file;

    if (to >= 0) return write_stream(to, bytes, n, stream_name(path, "standard output"), err);
    if (is_null_device(path)) return CUZK_OK;
    const cuzk_status st = atomic_file_open(&file, path, replace, err);
    if (st != CUZK_OK) return st;
    (void)fwrite(bytes, 1, n, file.stream); /* the commit says what went wrong */
    return atomic_file_commit(&file, err);
}

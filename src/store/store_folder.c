/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "store/store_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/verify.h"

static const char requests_name[] = "requests";
static const char lock_name[] = "lock";

/* ---- the folder -------------------------------------------------------------------------------
 */

static cuzk_status status_of(int error)
{
    if (store_is_full(error)) return CUZK_ERR_BUDGET;
    if (error == ENOENT || error == ENOTDIR || error == EACCES || error == EPERM || error == EROFS)
        return CUZK_ERR_MISSING;
    return CUZK_ERR_IO;
}

/* What became of a file or folder: PATH/NAME, or PATH when name is NULL. */
static cuzk_status fail(const char *path, const char *name, const char *what, int error,
                        cuzk_error *err)
{
    return error_set(err, status_of(error), "%s%s%s: %s: %s", path, name == NULL ? "" : "/",
                     name == NULL ? "" : name, what, strerror(error));
}

static cuzk_status open_folder(int *fd, int above, const char *name, const char *path,
                               cuzk_error *err)
{
    struct stat info;

    if (mkdirat(above, name, 0700) != 0 && errno != EEXIST)
        return fail(path, NULL, "cannot be made", errno, err);
    *fd = openat(above, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0 && errno == ENOTDIR)
        return error_set(err, CUZK_ERR_ARG, "%s: not a folder, and a store lies in one", path);
    if (*fd < 0 || fstat(*fd, &info) != 0) return fail(path, NULL, "cannot be opened", errno, err);
    if ((info.st_mode & S_IWOTH) == 0) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG,
                     "%s: a store lies in a folder of its own, and in this one anybody may write "
                     "(mode %04o, 0700 wanted)",
                     path, (unsigned)info.st_mode & 07777U);
}

cuzk_status store_folder_open_file(int *fd, const store_folder_t *folder, const char *name,
                                   cuzk_error *err)
{
    const int how = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    struct stat info;

    *fd = openat(folder->fd, name, how, 0600);
    if (*fd < 0) return fail(folder->path, name, "cannot be opened", errno, err);
    if (fstat(*fd, &info) == 0 && S_ISREG(info.st_mode)) return CUZK_OK;
    (void)close(*fd);
    *fd = -1;
    return error_set(err, CUZK_ERR_ARG, "%s/%s: not a regular file", folder->path, name);
}

/* The process that has the lock wrote its number into the file. */
static cuzk_status fail_locked(const store_folder_t *folder, cuzk_error *err)
{
    char text[16] = "";
    const ssize_t n = pread(folder->lock_fd, text, sizeof text - 1, 0);
    const size_t digits = n > 0 ? strspn(text, "0123456789") : 0;

    text[digits] = '\0';
    return error_set(err, CUZK_ERR_BUSY, "%s: another daemon has this store (process %s)",
                     folder->path, digits > 0 ? text : "unknown");
}

static cuzk_status lock_folder(store_folder_t *folder, cuzk_error *err)
{
    char text[16];

    cuzk_status st = store_folder_open_file(&folder->lock_fd, folder, lock_name, err);
    if (st != CUZK_OK) return st;
    if (flock(folder->lock_fd, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? fail_locked(folder, err)
                                    : fail(folder->path, lock_name, "cannot be locked", errno, err);
    const int n = snprintf(text, sizeof text, "%d\n", (int)getpid());
    if (ftruncate(folder->lock_fd, 0) != 0 || pwrite(folder->lock_fd, text, (size_t)n, 0) != n)
        return fail(folder->path, lock_name, "cannot be written", errno, err);
    return CUZK_OK;
}

cuzk_status store_folder_open(store_folder_t *folder, const char *path, cuzk_error *err)
{
    *folder = (store_folder_t){.fd = -1, .requests_fd = -1, .lock_fd = -1};
    folder->path = mem_copy_text(path, "a path", err);
    if (folder->path != NULL)
        folder->requests = mem_alloc(strlen(path) + sizeof requests_name + 1, 1, "a path", err);
    if (folder->requests == NULL) return err->status;
    (void)sprintf(folder->requests, "%s/%s", path, requests_name);
    cuzk_status st = open_folder(&folder->fd, AT_FDCWD, path, path, err);
    if (st == CUZK_OK) st = lock_folder(folder, err);
    if (st != CUZK_OK) return st;
    return open_folder(&folder->requests_fd, folder->fd, requests_name, folder->requests, err);
}

void store_folder_close(store_folder_t *folder)
{
    if (folder->requests_fd >= 0) (void)close(folder->requests_fd);
    if (folder->lock_fd >= 0) (void)close(folder->lock_fd);
    if (folder->fd >= 0) (void)close(folder->fd);
    free(folder->path);
    free(folder->requests);
    *folder = (store_folder_t){.fd = -1, .requests_fd = -1, .lock_fd = -1};
}

void store_folder_sync(const store_folder_t *folder)
{
    const int above = openat(folder->fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    (void)fsync(folder->fd);
    if (above < 0) return;
    (void)fsync(above);
    (void)close(above);
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static int write_all(int fd, const uint8_t *bytes, size_t n)
{
    while (n > 0) {
        const ssize_t got = write(fd, bytes, n);

        if (got < 0 && errno != EINTR) return errno;
        if (got < 0) continue;
        bytes += got;
        n -= (size_t)got;
    }
    return 0;
}

/* A file system that cannot sync folders answers EINVAL, and keeps names without it. */
static int sync_names(int folder)
{
    return fsync(folder) == 0 || errno == EINVAL ? 0 : errno;
}

cuzk_status store_folder_write(const store_folder_t *folder, const char *id, const uint8_t *bytes,
                               size_t n, cuzk_error *err)
{
    const int how = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
    const int fd = openat(folder->requests_fd, id, how, 0600);

    VERIFY(store_is_id(id) && store_is_sealed(bytes, n, bytes + n - STORE_SEAL_BYTES));
    if (fd < 0) return fail(folder->requests, id, "cannot be made", errno, err);
    int error = write_all(fd, bytes, n);
    if (error == 0 && fsync(fd) != 0) error = errno;
    if (close(fd) != 0 && errno != EINTR && error == 0) error = errno;
    if (error == 0) error = sync_names(folder->requests_fd);
    if (error == 0) return CUZK_OK;
    store_folder_remove(folder, id);
    if (!store_is_full(error)) return fail(folder->requests, id, "cannot be written", error, err);
    return error_set(err, CUZK_ERR_BUDGET, "%s/%s: no room on the disk for %zu bytes: %s",
                     folder->requests, id, n, strerror(error));
}

void store_folder_remove(const store_folder_t *folder, const char *id)
{
    (void)unlinkat(folder->requests_fd, id, 0);
}

static cuzk_status check_length(const store_folder_t *folder, const char *id, uint64_t is,
                                uint64_t wanted, cuzk_error *err)
{
    if (is == wanted) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT, "%s/%s: %llu bytes, and the request has %llu",
                     folder->requests, id, (unsigned long long)is, (unsigned long long)wanted);
}

cuzk_status store_folder_look(const store_folder_t *folder, const char *id, uint64_t length,
                              cuzk_error *err)
{
    struct stat info;

    if (fstatat(folder->requests_fd, id, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return error_set(err, CUZK_ERR_FORMAT, "%s/%s: the request is gone: %s", folder->requests,
                         id, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return error_set(err, CUZK_ERR_FORMAT, "%s/%s: %s", folder->requests, id,
                         file_kind_text(info.st_mode));
    return check_length(folder, id, (uint64_t)info.st_size, length, err);
}

cuzk_status store_folder_read(uint8_t **bytes, const store_folder_t *folder, const char *id,
                              size_t length, const uint8_t seal[STORE_SEAL_BYTES], cuzk_error *err)
{
    char *path = mem_alloc(strlen(folder->requests) + strlen(id) + 2, 1, "a path", err);
    size_t n;

    *bytes = NULL;
    if (path == NULL) return err->status;
    (void)sprintf(path, "%s/%s", folder->requests, id);
    cuzk_status st = store_folder_look(folder, id, length, err);
    if (st == CUZK_OK) st = file_read(bytes, &n, path, length, err);
    if (st == CUZK_OK) st = check_length(folder, id, n, length, err);
    if (st == CUZK_OK && !store_is_sealed(*bytes, n, seal))
        st = error_set(err, CUZK_ERR_FORMAT,
                       "%s: the request has been changed: its SHA-256 is another", path);
    free(path);
    if (st == CUZK_OK) return CUZK_OK;
    free(*bytes);
    *bytes = NULL;
    return st == CUZK_ERR_MISSING ? error_set(err, CUZK_ERR_FORMAT, "%s", err->text) : st;
}

/* ---- what has no row --------------------------------------------------------------------------
 */

cuzk_status store_folder_sweep(const store_folder_t *folder,
                               cuzk_status (*keep)(void *arg, const char *id, bool *is_kept,
                                                   cuzk_error *err),
                               void *arg, cuzk_error *err)
{
    const int fd = openat(folder->requests_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *names = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;
    cuzk_status st = CUZK_OK;

    if (names == NULL) {
        const int error = errno;

        if (fd >= 0) (void)close(fd);
        return fail(folder->requests, NULL, "cannot be read", error, err);
    }
    while (st == CUZK_OK && (entry = readdir(names)) != NULL) {
        bool is_kept = true;

        if (!store_is_id(entry->d_name)) continue;
        st = keep(arg, entry->d_name, &is_kept, err);
        if (!is_kept) store_folder_remove(folder, entry->d_name);
    }
    (void)closedir(names);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

struct atomic_file_sink {
    int fd;    /* the temporary's */
    int error; /* errno of the first write that failed, or 0 */
};

/* ---- opening ----------------------------------------------------------------------------------
 */

static cuzk_status refuse_existing(const char *path, cuzk_error *err)
{
    return error_set(err, CUZK_ERR_ARG, "%s: exists already and is not replaced", path);
}

static cuzk_status fail_open(const char *path, int error, cuzk_error *err)
{
    const bool missing = error == ENOENT || error == EACCES || error == ENOTDIR;

    return error_set(err, missing ? CUZK_ERR_MISSING : CUZK_ERR_IO, "%s: cannot be written: %s",
                     path, strerror(error));
}

static cuzk_status open_temporary(atomic_file_t *file, cuzk_error *err)
{
    char *prefix = mem_alloc(strlen(file->path) + sizeof ATOMIC_FILE_TEMPORARY, 1, "a path", err);

    if (prefix == NULL) return err->status;
    (void)strcpy(stpcpy(prefix, file->path), ATOMIC_FILE_TEMPORARY);
    const int error = temporary_make(&file->temporary, prefix, false);
    free(prefix);
    if (error != 0) return fail_open(file->path, error, err);
    file->sink->fd = file->temporary.fd;
    return CUZK_OK;
}

/* The stream's way to the file. A stream forgets why a write failed; the sink does not, and takes
 * nothing after that. */
static ssize_t write_sink(void *cookie, const char *bytes, size_t n)
{
    struct atomic_file_sink *sink = cookie;
    size_t done = 0;

    while (done < n && sink->error == 0) {
        const ssize_t got = write(sink->fd, bytes + done, n - done);

        if (got >= 0)
            done += (size_t)got;
        else if (errno != EINTR)
            sink->error = errno;
    }
    return (ssize_t)done; /* less than n marks the stream as failed */
}

static cuzk_status open_stream(atomic_file_t *file, cuzk_error *err)
{
    const cuzk_status st = open_temporary(file, err);

    if (st != CUZK_OK) return st;
    file->stream = fopencookie(file->sink, "wb", (cookie_io_functions_t){.write = write_sink});
    if (file->stream == NULL)
        return error_set(err, CUZK_ERR_MEMORY, "%s: no memory for a stream", file->path);
    return CUZK_OK;
}

cuzk_status atomic_file_open(atomic_file_t *file, const char *path, bool replace, cuzk_error *err)
{
    struct stat info;

    *file = (atomic_file_t){.replace = replace, .temporary.fd = -1};
    if (!replace && lstat(path, &info) == 0) return refuse_existing(path, err);
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return error_set(err, CUZK_ERR_ARG, "%s: %s", path, file_kind_text(info.st_mode));
    file->path = mem_copy_text(path, "a path", err);
    if (file->path != NULL) file->sink = mem_alloc(1, sizeof *file->sink, "a file", err);
    if (file->sink == NULL) {
        const cuzk_status st = err->status;

        atomic_file_discard(file);
        return st;
    }
    const cuzk_status st = open_stream(file, err);
    if (st != CUZK_OK) atomic_file_discard(file);
    return st;
}

cuzk_status atomic_file_probe(const char *path, bool replace, cuzk_error *err)
{
    atomic_file_t file;
    const cuzk_status st = atomic_file_open(&file, path, replace, err);

    atomic_file_discard(&file);
    return st;
}

void atomic_file_discard(atomic_file_t *file)
{
    if (file->sink != NULL && file->sink->error == 0)
        file->sink->error = ECANCELED; /* what is in the buffer is not wanted */
    if (file->stream != NULL) (void)fclose(file->stream);
    temporary_remove(&file->temporary);
    free(file->sink);
    free(file->path);
    *file = (atomic_file_t){.temporary.fd = -1};
}

/* ---- while it is written ----------------------------------------------------------------------
 */

cuzk_status atomic_file_check_room(const atomic_file_t *file, uint64_t bytes, cuzk_error *err)
{
    struct statvfs disk;
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        bytes > limit.rlim_cur)
        return error_set(err, CUZK_ERR_IO,
                         "%s: needs %llu bytes, and a file may have %llu (ulimit -f)", file->path,
                         (unsigned long long)bytes, (unsigned long long)limit.rlim_cur);
    if (fstatvfs(file->temporary.fd, &disk) != 0 || disk.f_blocks == 0 || disk.f_frsize == 0)
        return CUZK_OK; /* it does not tell */
    const uint64_t blocks = geteuid() == 0 ? disk.f_bfree : disk.f_bavail;
    const uint64_t unit = disk.f_frsize;
    if (bytes / unit < blocks || bytes <= blocks * unit) return CUZK_OK;
    return error_set(err, CUZK_ERR_IO, "%s: needs %llu bytes, and %llu are free on its disk",
                     file->path, (unsigned long long)bytes, (unsigned long long)(blocks * unit));
}

static cuzk_status fail_write(const atomic_file_t *file, int error, cuzk_error *err)
{
    return error_set(err, CUZK_ERR_IO, "%s: write failed: %s", file->path, strerror(error));
}

cuzk_status atomic_file_status(const atomic_file_t *file, cuzk_error *err)
{
    const int error = file->sink->error;

    if (error == 0 && ferror(file->stream) == 0) return CUZK_OK;
    return fail_write(file, error != 0 ? error : EIO, err);
}

/* ---- putting it in place ----------------------------------------------------------------------
 */

/* Some file systems tell at a close alone that bytes are lost. The descriptor itself stays open,
 * for it has the lock. */
static int close_copy(int fd)
{
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    if (copy < 0 || close(copy) == 0 || errno == EINTR) return 0;
    return errno;
}

static cuzk_status finish_writing(const atomic_file_t *file, cuzk_error *err)
{
    (void)fflush(file->stream);
    const cuzk_status st = atomic_file_status(file, err);
    if (st != CUZK_OK) return st;
    const int error = fsync(file->sink->fd) != 0 ? errno : close_copy(file->sink->fd);
    return error == 0 ? CUZK_OK : fail_write(file, error, err);
}

/* The rename survives a crash only when the folder is synced; file systems without that answer
 * EINVAL, which is no loss. */
static void sync_folder(const char *path)
{
    char *copy = strdup(path);

    if (copy == NULL) return;
    const int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
    free(copy);
}

/* What file systems, and kernels without the call, answer to a request they do not know. */
static bool is_unsupported(int error)
{
    return error == EINVAL || error == ENOSYS || error == ENOTSUP || error == EOPNOTSUPP ||
           error == EPERM || error == EMLINK;
}

/* Renames unless there is something at path; 0 or errno. The last way has a gap between looking
 * and renaming. */
static int rename_new(const char *temporary, const char *path)
{
    struct stat info;

    if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0) return 0;
    if (!is_unsupported(errno)) return errno;
    if (link(temporary, path) == 0) {
        (void)unlink(temporary);
        return 0;
    }
    if (!is_unsupported(errno)) return errno;
    if (lstat(path, &info) == 0) return EEXIST;
    if (errno != ENOENT) return errno;
    return rename(temporary, path) == 0 ? 0 : errno;
}

static cuzk_status put_in_place(const atomic_file_t *file, cuzk_error *err)
{
    int error;

    if (file->replace)
        error = rename(file->temporary.path, file->path) == 0 ? 0 : errno;
    else
        error = rename_new(file->temporary.path, file->path);
    if (error == 0) return CUZK_OK;
    if (error == EEXIST && !file->replace) return refuse_existing(file->path, err);
    return error_set(err, CUZK_ERR_IO, "%s: %s", file->path, strerror(error));
}

/* Those that replaced nothing; the others cannot be had back. */
static void take_back(atomic_file_t *const files[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!files[i]->replace) (void)unlink(files[i]->path);
}

cuzk_status atomic_file_commit_all(atomic_file_t *const files[], size_t n, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;
    size_t n_placed = 0;

    for (size_t i = 0; i < n && st == CUZK_OK; i++) st = finish_writing(files[i], err);
    while (n_placed < n && st == CUZK_OK) {
        st = put_in_place(files[n_placed], err);
        if (st == CUZK_OK) n_placed++;
    }
    if (st != CUZK_OK) take_back(files, n_placed);
    for (size_t i = 0; i < n; i++) {
        if (i < n_placed) sync_folder(files[i]->path);
        if (i < n_placed) temporary_release(&files[i]->temporary);
        atomic_file_discard(files[i]);
    }
    return st;
}

cuzk_status atomic_file_commit(atomic_file_t *file, cuzk_error *err)
{
    return atomic_file_commit_all((atomic_file_t *const[]){file}, 1, err);
}

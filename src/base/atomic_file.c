/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/random.h"

enum { TRIES = 100 };

struct atomic_file_sink {
    int fd;
    int error; /* errno of the first write that failed, or 0 */
};

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

/* A new file PATH.tmp.RANDOM, with the permissions the process gives its files. Not mkstemp(),
 * whose files are private: opening them up needs the umask, which a thread cannot read without
 * changing it for all. */
static cuzk_status open_temporary(atomic_file_t *file, cuzk_error *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    const size_t n = strlen(file->path) + strlen(ATOMIC_FILE_TEMPORARY);
    uint8_t random[ATOMIC_FILE_RANDOM];
    char *name = mem_alloc(n + sizeof random + 1, 1, "a path", err);
    int error = EEXIST;

    if (name == NULL) return err->status;
    (void)strcpy(stpcpy(name, file->path), ATOMIC_FILE_TEMPORARY);
    for (int i = 0; i < TRIES && error == EEXIST; i++) {
        if (random_bytes(random, sizeof random, err) != CUZK_OK) {
            free(name);
            return err->status;
        }
        for (size_t k = 0; k < sizeof random; k++)
            name[n + k] = letters[random[k] % (sizeof letters - 1)];
        file->sink->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        error = file->sink->fd < 0 ? errno : 0;
    }
    if (error != 0) {
        free(name);
        return fail_open(file->path, error, err);
    }
    file->temporary = name;
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

    *file = (atomic_file_t){.replace = replace};
    if (!replace && lstat(path, &info) == 0) return refuse_existing(path, err);
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return error_set(err, CUZK_ERR_ARG, "%s: is a folder, not a file", path);
    file->path = mem_copy_text(path, "a path", err);
    if (file->path != NULL) file->sink = mem_alloc(1, sizeof *file->sink, "a file", err);
    if (file->sink == NULL) {
        const cuzk_status st = err->status;

        atomic_file_discard(file);
        return st;
    }
    file->sink->fd = -1;
    const cuzk_status st = open_stream(file, err);
    if (st != CUZK_OK) atomic_file_discard(file);
    return st;
}

cuzk_status atomic_file_status(const atomic_file_t *file, cuzk_error *err)
{
    int error = file->sink->error;

    if (error == 0 && ferror(file->stream) == 0) return CUZK_OK;
    if (error == 0) error = EIO;
    return error_set(err, CUZK_ERR_IO, "%s: write failed: %s", file->path, strerror(error));
}

/* Closes stream and descriptor; an error is kept in the sink. */
static void close_sink(atomic_file_t *file)
{
    struct atomic_file_sink *sink = file->sink;

    if (file->stream != NULL) (void)fclose(file->stream);
    file->stream = NULL;
    if (sink->fd >= 0 && close(sink->fd) != 0 && sink->error == 0 && errno != EINTR)
        sink->error = errno;
    sink->fd = -1;
}

void atomic_file_discard(atomic_file_t *file)
{
    if (file->sink != NULL) {
        if (file->sink->error == 0) file->sink->error = ECANCELED; /* the buffer is not wanted */
        close_sink(file);
    }
    if (file->temporary != NULL) (void)unlink(file->temporary);
    free(file->sink);
    free(file->temporary);
    free(file->path);
    *file = (atomic_file_t){0};
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
        error = rename(file->temporary, file->path) == 0 ? 0 : errno;
    else
        error = rename_new(file->temporary, file->path);
    if (error == 0) return CUZK_OK;
    if (error == EEXIST && !file->replace) return refuse_existing(file->path, err);
    return error_set(err, CUZK_ERR_IO, "%s: %s", file->path, strerror(error));
}

cuzk_status atomic_file_commit(atomic_file_t *file, cuzk_error *err)
{
    (void)fflush(file->stream);
    cuzk_status st = atomic_file_status(file, err);

    if (st == CUZK_OK) {
        if (fsync(file->sink->fd) != 0) file->sink->error = errno;
        close_sink(file);
        st = file->sink->error == 0 ? CUZK_OK
                                    : error_set(err, CUZK_ERR_IO, "%s: write failed: %s",
                                                file->path, strerror(file->sink->error));
    }
    if (st == CUZK_OK) st = put_in_place(file, err);
    if (st == CUZK_OK) {
        sync_folder(file->path);
        free(file->temporary);
        file->temporary = NULL;
    }
    atomic_file_discard(file);
    return st;
}

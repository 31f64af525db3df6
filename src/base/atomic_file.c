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

static cuzk_status refuse_existing(const char *path, cuzk_error *err)
{
    return error_set(err, CUZK_ERR_ARG, "%s: exists already and is not replaced", path);
}

/* A new file PATH.tmp.RANDOM, with the permissions the process gives its files; the descriptor, or
 * -1 and errno. Not mkstemp(), whose files are private: opening them up needs the umask, which a
 * thread cannot read without changing it for all. */
static int open_temporary(char **temporary, const char *path)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    const size_t n = strlen(path) + strlen(ATOMIC_FILE_TEMPORARY);
    uint8_t random[ATOMIC_FILE_RANDOM];
    cuzk_error err;
    int fd = -1;

    *temporary = small_alloc(n + sizeof random + 1, 1);
    (void)strcpy(stpcpy(*temporary, path), ATOMIC_FILE_TEMPORARY);
    for (int i = 0; i < TRIES && fd < 0; i++) {
        if (random_bytes(random, sizeof random, &err) != CUZK_OK) break;
        for (size_t k = 0; k < sizeof random; k++)
            (*temporary)[n + k] = letters[random[k] % (sizeof letters - 1)];
        fd = open(*temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) break;
    }
    if (fd >= 0) return fd;
    free(*temporary);
    *temporary = NULL;
    return -1;
}

cuzk_status atomic_file_open(atomic_file_t *file, const char *path, bool replace, cuzk_error *err)
{
    const size_t n = strlen(path);
    struct stat info;

    *file = (atomic_file_t){.replace = replace};
    if (!replace && lstat(path, &info) == 0) return refuse_existing(path, err);
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return error_set(err, CUZK_ERR_ARG, "%s: is a folder, not a file", path);
    file->path = small_alloc(n + 1, 1);
    memcpy(file->path, path, n);
    const int fd = open_temporary(&file->temporary, path);
    if (fd < 0) {
        const int error = errno;
        const bool missing = error == ENOENT || error == EACCES || error == ENOTDIR;

        atomic_file_discard(file);
        return error_set(err, missing ? CUZK_ERR_MISSING : CUZK_ERR_IO, "%s: cannot be written: %s",
                         path, strerror(error));
    }
    file->stream = fdopen(fd, "wb");
    if (file->stream == NULL) {
        (void)close(fd);
        atomic_file_discard(file);
        return error_set(err, CUZK_ERR_IO, "%s: cannot be written", path);
    }
    return CUZK_OK;
}

void atomic_file_discard(atomic_file_t *file)
{
    if (file->stream != NULL) (void)fclose(file->stream);
    if (file->temporary != NULL) (void)unlink(file->temporary);
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

static bool put_in_place(const atomic_file_t *file)
{
    if (file->replace) return rename(file->temporary, file->path) == 0;
    return link(file->temporary, file->path) == 0 && unlink(file->temporary) == 0;
}

cuzk_status atomic_file_commit(atomic_file_t *file, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    errno = 0;
    const bool bad =
        ferror(file->stream) != 0 || fflush(file->stream) != 0 || fsync(fileno(file->stream)) != 0;
    int error = errno;
    if (fclose(file->stream) != 0 && !bad) error = errno;
    file->stream = NULL;
    if (bad || error != 0) {
        st = error_set(err, CUZK_ERR_IO, "%s: write failed: %s", file->path,
                       error != 0 ? strerror(error) : "stream error");
    } else if (!put_in_place(file)) {
        st = errno == EEXIST ? refuse_existing(file->path, err)
                             : error_set(err, CUZK_ERR_IO, "%s: %s", file->path, strerror(errno));
    } else {
        sync_folder(file->path);
        free(file->temporary);
        file->temporary = NULL;
    }
    atomic_file_discard(file);
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
    FILE *stream = fopen(path, "wb");

    if (stream == NULL)
        return error_set(err, CUZK_ERR_MISSING, "%s: cannot be written: %s", path, strerror(errno));
    const bool good = fwrite(bytes, 1, n, stream) == n;
    if (fclose(stream) != 0 || !good)
        return error_set(err, CUZK_ERR_IO, "%s: write failed: %s", path, strerror(errno));
    return CUZK_OK;
}

cuzk_status write_file(const char *path, const void *bytes, size_t n, bool replace, cuzk_error *err)
{
    atomic_file_t file;
    struct stat info;

    if (strcmp(path, "-") == 0) return write_stdout(bytes, n, err);
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return write_special(path, bytes, n, err);
    const cuzk_status st = atomic_file_open(&file, path, replace, err);
    if (st != CUZK_OK) return st;
    (void)fwrite(bytes, 1, n, file.stream); /* commit looks at ferror */
    return atomic_file_commit(&file, err);
}

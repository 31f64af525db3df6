/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"

enum { TRIES = 100, OPEN_FOLDERS = 8 };

static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";

/* ---- removing ---------------------------------------------------------------------------------
 */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    (void)remove(path);
    return 0;
}

static void remove_path(const char *path, bool is_folder)
{
    if (is_folder)
        (void)nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    else
        (void)unlink(path);
}

void temporary_release(temporary_t *t)
{
    if (t->path == NULL) return;
    (void)close(t->fd);
    free(t->path);
    *t = (temporary_t){.fd = -1};
}

void temporary_remove(temporary_t *t)
{
    if (t->path != NULL) remove_path(t->path, t->is_folder);
    temporary_release(t);
}

/* ---- what killed processes have left ----------------------------------------------------------
 */

/* Whether path still names what fd has open. */
static bool is_at(const char *path, int fd)
{
    struct stat named, open;

    return lstat(path, &named) == 0 && fstat(fd, &open) == 0 && named.st_dev == open.st_dev &&
           named.st_ino == open.st_ino;
}

static int open_existing(const char *path, bool is_folder)
{
    const int how = is_folder ? O_RDONLY | O_DIRECTORY : O_WRONLY | O_NONBLOCK | O_NOCTTY;

    return open(path, how | O_NOFOLLOW | O_CLOEXEC);
}

/* Removes path if it is ours and nobody holds it. */
static void remove_abandoned(const char *path, bool is_folder)
{
    struct stat info;

    if (lstat(path, &info) != 0 || info.st_uid != geteuid()) return;
    if (is_folder ? !S_ISDIR(info.st_mode) : !S_ISREG(info.st_mode)) return;
    const int fd = open_existing(path, is_folder);
    if (fd < 0) return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_at(path, fd)) remove_path(path, is_folder);
    (void)close(fd);
}

static bool is_temporary(const char *name, const char *prefix)
{
    const size_t n = strlen(prefix);

    return strncmp(name, prefix, n) == 0 && strlen(name + n) == TEMPORARY_RANDOM &&
           strspn(name + n, letters) == TEMPORARY_RANDOM;
}

/* path has room for a prefix with its random part; folder is its part up to the last slash. */
static void sweep_folder(DIR *folder, char *path, size_t n_folder, const char *prefix,
                         bool is_folder)
{
    const struct dirent *entry;

    while ((entry = readdir(folder)) != NULL) {
        if (!is_temporary(entry->d_name, prefix + n_folder)) continue;
        (void)strcpy(path + n_folder, entry->d_name);
        remove_abandoned(path, is_folder);
    }
}

static void sweep(char *path, const char *prefix, bool is_folder)
{
    const char *slash = strrchr(prefix, '/');
    const size_t n_folder = slash == NULL ? 0 : (size_t)(slash - prefix) + 1;

    (void)strcpy(path, prefix);
    path[n_folder] = '\0';
    DIR *folder = opendir(n_folder == 0 ? "." : path);
    if (folder == NULL) return;
    sweep_folder(folder, path, n_folder, prefix, is_folder);
    (void)closedir(folder);
}

/* ---- making -----------------------------------------------------------------------------------
 */

static int make_named(int *fd, const char *path, bool is_folder)
{
    if (is_folder) {
        if (mkdir(path, 0700) != 0) return errno;
        *fd = open_existing(path, true);
    } else {
        /* not mkstemp(), whose files are private: opening them up needs the umask, which a thread
         * cannot read without changing it for all */
        *fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    return *fd < 0 ? errno : 0;
}

/* Locks a new one; EEXIST when another process has taken it for abandoned meanwhile. */
static int hold(const char *path, int fd)
{
    const bool is_held = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;

    if (!is_held && is_at(path, fd)) return 0;
    (void)close(fd);
    return EEXIST;
}

static int make_random(int *fd, char *path, const char *prefix, bool is_folder)
{
    const size_t n = strlen(prefix);
    uint8_t random[TEMPORARY_RANDOM];
    cuzk_error unused;

    if (random_bytes(random, sizeof random, &unused) != CUZK_OK) return EAGAIN;
    (void)strcpy(path, prefix);
    for (size_t i = 0; i < sizeof random; i++)
        path[n + i] = letters[random[i] % (sizeof letters - 1)];
    path[n + sizeof random] = '\0';
    const int error = make_named(fd, path, is_folder);
    return error == 0 ? hold(path, *fd) : error;
}

int temporary_make(temporary_t *t, const char *prefix, bool is_folder)
{
    char *path = malloc(strlen(prefix) + NAME_MAX + 1); /* for any name in the prefix's folder */
    int error = EEXIST;
    int fd = -1;

    *t = (temporary_t){.fd = -1};
    if (path == NULL) return ENOMEM;
    sweep(path, prefix, is_folder);
    for (int i = 0; i < TRIES && error == EEXIST; i++)
        error = make_random(&fd, path, prefix, is_folder);
    if (error == 0)
        *t = (temporary_t){.path = path, .fd = fd, .is_folder = is_folder};
    else
        free(path);
    return error;
}

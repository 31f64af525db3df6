/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpc/listener_unix.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOCK_TRIES = 40, LOCK_PAUSE_MS = 50, BACKLOG = 128 };

typedef struct {
    uid_t user; /* (uid_t)-1: as it is */
    gid_t group;
} owner_t;

static bool parse_id(const char *text, unsigned *id)
{
    char *end;
    const unsigned long value = strtoul(text, &end, 10);

    *id = (unsigned)value;
    return *text >= '0' && *text <= '9' && *end == '\0' && value < UINT32_MAX;
}

static cuzk_status find_owner(owner_t *owner, const char *text, cuzk_error *err)
{
    char name[256];
    char *group;
    unsigned id;

    *owner = (owner_t){(uid_t)-1, (gid_t)-1};
    if (text == NULL) return CUZK_OK;
    if (strlen(text) >= sizeof name)
        return error_set(err, CUZK_ERR_ARG, "socket_owner: %zu characters, %zu allowed",
                         strlen(text), sizeof name - 1);
    (void)strcpy(name, text);
    group = strchr(name, ':');
    if (group != NULL) *group++ = '\0';
    if (*name != '\0') {
        const struct passwd *user = getpwnam(name);

        if (user == NULL && !parse_id(name, &id))
            return error_set(err, CUZK_ERR_ARG, "socket_owner %s: no user %s", text, name);
        owner->user = user != NULL ? user->pw_uid : id;
    }
    if (group == NULL || *group == '\0') {
        if (*name == '\0')
            return error_set(err, CUZK_ERR_ARG, "socket_owner \"%s\": names nobody", text);
        return CUZK_OK;
    }
    const struct group *entry = getgrnam(group);
    if (entry == NULL && !parse_id(group, &id))
        return error_set(err, CUZK_ERR_ARG, "socket_owner %s: no group %s", text, group);
    owner->group = entry != NULL ? entry->gr_gid : id;
    return CUZK_OK;
}

/* *fd = the folder, locked: of servers that start at once only one looks and binds at a time. */
static cuzk_status lock_folder(int *fd, const char *path, cuzk_error *err)
{
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE_MS * 1000000L};
    char folder[sizeof((struct sockaddr_un *)0)->sun_path];
    char *slash;

    (void)strcpy(folder, path);
    slash = strrchr(folder, '/');
    if (slash == NULL)
        (void)strcpy(folder, ".");
    else
        slash[slash == folder] = '\0';
    *fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0)
        return error_set(err, CUZK_ERR_MISSING, "unix:%s: folder %s: %s", path, folder,
                         strerror(errno));
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(*fd, LOCK_EX | LOCK_NB) == 0) return CUZK_OK;
        (void)nanosleep(&pause, NULL);
    }
    (void)close(*fd);
    return error_set(err, CUZK_ERR_BUSY, "unix:%s: folder %s is locked by another process", path,
                     folder);
}

/* Removes what a server that is gone has left at the path. */
static cuzk_status clear_path(const struct sockaddr_un *address, cuzk_error *err)
{
    const char *path = address->sun_path;
    struct stat st;

    if (lstat(path, &st) != 0) {
        if (errno == ENOENT) return CUZK_OK;
        return error_set(err, CUZK_ERR_MISSING, "unix:%s: %s", path, strerror(errno));
    }
    if (!S_ISSOCK(st.st_mode))
        return error_set(err, CUZK_ERR_ARG, "unix:%s: there is a file that is not a socket", path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return error_set(err, CUZK_ERR_IO, "socket: %s", strerror(errno));
    const int connected = connect(fd, (const struct sockaddr *)address, sizeof *address);
    const int cause = errno;
    (void)close(fd);
    if (connected == 0 || cause == EAGAIN)
        return error_set(err, CUZK_ERR_BUSY, "unix:%s: a server answers there already", path);
    if (cause != ECONNREFUSED)
        return error_set(err, CUZK_ERR_IO, "unix:%s: is a server there? %s", path, strerror(cause));
    if (unlink(path) != 0 && errno != ENOENT)
        return error_set(err, CUZK_ERR_IO, "unix:%s: can't remove the stale socket: %s", path,
                         strerror(errno));
    return CUZK_OK;
}

/* Until listen() nobody can connect, so that owner and mode are never too wide. */
static cuzk_status bind_socket(listener_t *listener, int fd, const struct sockaddr_un *address,
                               const owner_t *owner, uint32_t mode, cuzk_error *err)
{
    const char *path = address->sun_path;
    struct stat st;

    if (bind(fd, (const struct sockaddr *)address, sizeof *address) != 0)
        return error_set(err, CUZK_ERR_IO, "unix:%s: %s", path, strerror(errno));
    if (lstat(path, &st) != 0)
        return error_set(err, CUZK_ERR_IO, "unix:%s: %s", path, strerror(errno));
    listener->device = st.st_dev;
    listener->inode = st.st_ino;
    listener->is_unix = true;
    (void)strcpy(listener->path, path);
    if (lchown(path, owner->user, owner->group) != 0)
        return error_set(err, CUZK_ERR_ARG, "unix:%s: socket_owner: %s", path, strerror(errno));
    if (chmod(path, mode) != 0 || listen(fd, BACKLOG) != 0)
        return error_set(err, CUZK_ERR_IO, "unix:%s: %s", path, strerror(errno));
    return CUZK_OK;
}

cuzk_status listener_open_unix(listener_t *listener, const char *path,
                               const listener_options_t *options, cuzk_error *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    owner_t owner;
    int folder;

    if ((options->socket_mode & ~0777U) != 0 || options->socket_mode == 0)
        return error_set(err, CUZK_ERR_ARG, "socket_mode: %#o, from 1 to 0777 allowed",
                         options->socket_mode);
    if (find_owner(&owner, options->socket_owner, err) != CUZK_OK) return err->status;
    (void)strcpy(address.sun_path, path);
    if (lock_folder(&folder, path, err) != CUZK_OK) return err->status;
    cuzk_status status = clear_path(&address, err);
    if (status == CUZK_OK) {
        const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

        if (fd < 0) {
            status = error_set(err, CUZK_ERR_IO, "socket: %s", strerror(errno));
        } else {
            listener->fds[listener->n++] = fd;
            status = bind_socket(listener, fd, &address, &owner, options->socket_mode, err);
        }
    }
    (void)close(folder);
    if (status == CUZK_OK)
        (void)snprintf(listener->text, sizeof listener->text, "unix:%s%s", *path == '/' ? "//" : "",
                       path);
    return status;
}

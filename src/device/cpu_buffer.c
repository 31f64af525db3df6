/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "device/cpu_device.h"

/* Memory of this size and more is kept: the system clears the pages of new memory, which takes as
 * long as filling them. */
#define KEPT_BYTES ((size_t)1 << 20)

enum { PATH_BYTES = 4096 };

/* The mutex is held. */
static void add_used(cpu_device_t *cpu, uint64_t bytes)
{
    cpu->memory.used += bytes;
    if (cpu->memory.used > cpu->memory.peak) cpu->memory.peak = cpu->memory.used;
}

/* A buffer of that size that is kept, or NULL. */
static buffer_t *take_idle(cpu_device_t *cpu, size_t bytes)
{
    buffer_t *buffer = NULL;

    (void)pthread_mutex_lock(&cpu->mutex);
    for (buffer_t **at = &cpu->idle; *at != NULL && buffer == NULL; at = &(*at)->next_idle) {
        if ((*at)->bytes != bytes) continue;
        buffer = *at;
        *at = buffer->next_idle;
        buffer->io_ns = NULL;
        cpu->memory.idle -= bytes;
        add_used(cpu, bytes);
        break;
    }
    (void)pthread_mutex_unlock(&cpu->mutex);
    return buffer;
}

static cuzk_status make_buffer(buffer_t **buffer, device_t *device, buffer_kind kind, size_t bytes,
                               cuzk_error *err)
{
    buffer_t *b = mem_alloc(1, sizeof *b, "buffer", err);

    if (b == NULL) return err->status;
    *b = (buffer_t){.device = device, .kind = kind, .bytes = bytes, .fd = -1};
    *buffer = b;
    return CUZK_OK;
}

static void count_new(const buffer_t *buffer)
{
    cpu_device_t *cpu = cpu_device(buffer->device);

    (void)pthread_mutex_lock(&cpu->mutex);
    if (buffer->kind == BUFFER_FILE)
        cpu->memory.files += buffer->bytes;
    else
        add_used(cpu, buffer->bytes);
    (void)pthread_mutex_unlock(&cpu->mutex);
}

/* New memory; what is kept is given back when there is none. */
static cuzk_status alloc_host(buffer_t *buffer, const char *what, cuzk_error *err)
{
    cuzk_status st = big_alloc(&buffer->host, buffer->bytes, 1, what, err);

    if (st == CUZK_OK) return st;
    cpu_trim(buffer->device);
    return big_alloc(&buffer->host, buffer->bytes, 1, what, err);
}

static cuzk_status file_error(const char *folder, const char *what, size_t bytes, cuzk_error *err)
{
    return error_set(err, CUZK_ERR_IO, "%s: a file of %zu bytes for %s: %s", folder, bytes, what,
                     strerror(errno));
}

/* A file without a name, where the file system has such, else one whose name is removed at once. */
static int open_unnamed(const char *folder)
{
    char path[PATH_BYTES];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd >= 0) return fd;
    if (snprintf(path, sizeof path, "%s/cuzk-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0) (void)unlink(path);
    return fd;
}

/* The room is taken now, so that writes don't fail for want of it. */
static cuzk_status alloc_file(buffer_t *buffer, const char *what, cuzk_error *err)
{
    const char *folder = cpu_device(buffer->device)->options.file_folder;

    if (folder == NULL)
        return error_set(err, CUZK_ERR_ARG, "%s: the device has no folder for files", what);
    buffer->fd = open_unnamed(folder);
    if (buffer->fd < 0) return file_error(folder, what, buffer->bytes, err);
    if (buffer->bytes == 0 || fallocate(buffer->fd, 0, 0, (off_t)buffer->bytes) == 0)
        return CUZK_OK;
    if (errno == EOPNOTSUPP && ftruncate(buffer->fd, (off_t)buffer->bytes) == 0) return CUZK_OK;
    (void)file_error(folder, what, buffer->bytes, err);
    (void)close(buffer->fd);
    return err->status;
}

cuzk_status cpu_buffer_alloc(buffer_t **out, device_t *device, buffer_kind kind, size_t bytes,
                             const char *what, cuzk_error *err)
{
    const bool is_file = kind == BUFFER_FILE;
    buffer_t *buffer = is_file ? NULL : take_idle(cpu_device(device), bytes);

    *out = buffer;
    if (buffer != NULL) return CUZK_OK;
    cuzk_status st = make_buffer(&buffer, device, is_file ? BUFFER_FILE : BUFFER_HOST, bytes, err);
    if (st != CUZK_OK) return st;
    st = is_file ? alloc_file(buffer, what, err) : alloc_host(buffer, what, err);
    if (st != CUZK_OK) {
        free(buffer);
        return st;
    }
    count_new(buffer);
    *out = buffer;
    return CUZK_OK;
}

cuzk_status cpu_buffer_adopt(buffer_t **buffer, device_t *device, void *host, size_t bytes,
                             cuzk_error *err)
{
    const cuzk_status st = make_buffer(buffer, device, BUFFER_HOST, bytes, err);

    if (st != CUZK_OK) return st;
    (*buffer)->host = host;
    count_new(*buffer);
    return CUZK_OK;
}

void cpu_buffer_free(buffer_t *buffer)
{
    cpu_device_t *cpu = cpu_device(buffer->device);
    const bool is_file = buffer->kind == BUFFER_FILE;
    const bool is_kept = !is_file && buffer->bytes >= KEPT_BYTES;

    (void)pthread_mutex_lock(&cpu->mutex);
    *(is_file ? &cpu->memory.files : &cpu->memory.used) -= buffer->bytes;
    if (is_kept) {
        buffer->next_idle = cpu->idle;
        cpu->idle = buffer;
        cpu->memory.idle += buffer->bytes;
    }
    (void)pthread_mutex_unlock(&cpu->mutex);
    if (is_kept) return;
    if (is_file)
        (void)close(buffer->fd);
    else
        big_free(buffer->host, buffer->bytes, 1);
    free(buffer);
}

void cpu_trim(device_t *device)
{
    cpu_device_t *cpu = cpu_device(device);

    (void)pthread_mutex_lock(&cpu->mutex);
    buffer_t *next = cpu->idle;
    cpu->idle = NULL;
    cpu->memory.idle = 0;
    (void)pthread_mutex_unlock(&cpu->mutex);
    while (next != NULL) {
        buffer_t *buffer = next;

        next = buffer->next_idle;
        big_free(buffer->host, buffer->bytes, 1);
        free(buffer);
    }
}

device_memory_t cpu_memory(device_t *device)
{
    cpu_device_t *cpu = cpu_device(device);

    (void)pthread_mutex_lock(&cpu->mutex);
    const device_memory_t memory = cpu->memory;
    (void)pthread_mutex_unlock(&cpu->mutex);
    return memory;
}

cuzk_status cpu_buffer_read(void *to, const buffer_t *buffer, size_t at, size_t bytes,
                            cuzk_error *err)
{
    uint8_t *bytes_to = to;

    if (buffer->host != NULL) {
        memcpy(to, (const uint8_t *)buffer->host + at, bytes);
        return CUZK_OK;
    }
    while (bytes > 0) {
        const ssize_t n = pread(buffer->fd, bytes_to, bytes, (off_t)at);

        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            return error_set(err, CUZK_ERR_IO, "temporary file: reading at %zu: %s", at,
                             n < 0 ? strerror(errno) : "it has become shorter");
        bytes_to += n;
        at += (size_t)n;
        bytes -= (size_t)n;
    }
    return CUZK_OK;
}

cuzk_status cpu_buffer_write(buffer_t *buffer, size_t at, const void *from, size_t bytes,
                             cuzk_error *err)
{
    const uint8_t *bytes_from = from;

    if (buffer->host != NULL) {
        memcpy((uint8_t *)buffer->host + at, from, bytes);
        return CUZK_OK;
    }
    while (bytes > 0) {
        const ssize_t n = pwrite(buffer->fd, bytes_from, bytes, (off_t)at);

        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            return error_set(err, CUZK_ERR_IO, "temporary file: writing at %zu: %s", at,
                             n < 0 ? strerror(errno) : "nothing was written");
        bytes_from += n;
        at += (size_t)n;
        bytes -= (size_t)n;
    }
    return CUZK_OK;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "pce/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/bytes.h"
#include "base/memory.h"

enum { NAME_DIGEST_BYTES = 8, LOCK_TRIES = 100, LOCK_PAUSE_NS = 10000000 };

char *pce_store_path(const char *folder, const char *label, const uint8_t digest[SHA256_BYTES])
{
    const size_t size = strlen(folder) + PCE_LABEL_BYTES + 64;
    char hex[2 * NAME_DIGEST_BYTES + 1];
    char *path = small_alloc(size, 1);

    hex_encode(hex, digest, NAME_DIGEST_BYTES);
    (void)snprintf(path, size, "%s/%s-v%d-%s.pce", folder, label, PCE_FILE_VERSION, hex);
    return path;
}

static void tell(const pce_store_t *store, const cuzk_error *cause, const char *consequence)
{
    char text[CUZK_ERROR_TEXT_BYTES + 128];

    if (store->notice == NULL) return;
    (void)snprintf(text, sizeof text, "%s; %s", cause->text, consequence);
    store->notice(store->notice_arg, text);
}

static void remove_parts(int folder, const char *name)
{
    const size_t n = strlen(name);
    const size_t mark = strlen(ATOMIC_FILE_TEMPORARY);
    const int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);

    if (dir == NULL) {
        if (fd >= 0) (void)close(fd);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const char *rest = entry->d_name;

        if (strlen(rest) == n + mark + ATOMIC_FILE_RANDOM && strncmp(rest, name, n) == 0 &&
            strncmp(rest + n, ATOMIC_FILE_TEMPORARY, mark) == 0)
            (void)unlinkat(folder, entry->d_name, 0);
    }
    (void)closedir(dir);
}

/* Who saves holds the folder's lock, shared with others who do. Who gets it alone therefore knows
 * that all part files there are of processes that were killed, and removes its circuit's. The wait
 * is for such a one and ends: a lock that is held on (or not to be had, as on some file systems)
 * stops no proof, it only leaves our part file open to removal, which fails the save. */
static int lock_for_saving(const char *folder, const char *name)
{
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE_NS};
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0) return fd;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) remove_parts(fd, name);
    for (int i = 0; i < LOCK_TRIES && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
         i++)
        (void)nanosleep(&pause, NULL);
    return fd;
}

static cuzk_status save(pce_t *pce, const char *folder, const char *path, cuzk_error *err)
{
    const int lock = lock_for_saving(folder, strrchr(path, '/') + 1);
    const cuzk_status st = pce_save(pce, path, err);

    if (lock >= 0) (void)close(lock);
    return st;
}

static cuzk_status check_digest(pce_t *pce, const pce_circuit_t *circuit, cuzk_error *err)
{
    char have[2 * SHA256_BYTES + 1], want[2 * SHA256_BYTES + 1];
    uint8_t digest[SHA256_BYTES];

    pce_digest(digest, pce);
    if (memcmp(digest, circuit->digest, sizeof digest) == 0) return CUZK_OK;
    hex_encode(have, digest, sizeof digest);
    hex_encode(want, circuit->digest, sizeof digest);
    return error_set(err, CUZK_ERR_INTERNAL,
                     "%s: the compiled circuit has other constraints than the reference's "
                     "(r1cs_sha256 %s, expected %s)",
                     circuit->label, have, want);
}

/* Compiles the circuit and puts it in its place. A folder that cannot be written to is told before
 * the digest is made, which takes much longer than all else here. */
static cuzk_status make(pce_t **pce, const pce_store_t *store, const pce_circuit_t *circuit,
                        const char *path, cuzk_error *err)
{
    static const char unsaved[] = "the compiled circuit is held in memory alone";
    cuzk_error cause;

    cuzk_status st = pce_extract(pce, circuit->label, circuit->circuit, circuit->values, err);
    if (st != CUZK_OK) return st;
    if (access(store->folder, W_OK | X_OK) != 0) {
        (void)error_set(&cause, CUZK_ERR_IO, "%s: cannot be written to: %s", store->folder,
                        strerror(errno));
        tell(store, &cause, unsaved);
        return CUZK_OK;
    }
    st = check_digest(*pce, circuit, err);
    if (st != CUZK_OK) {
        pce_free(*pce);
        *pce = NULL;
        return st;
    }
    if (save(*pce, store->folder, path, &cause) != CUZK_OK) tell(store, &cause, unsaved);
    return CUZK_OK;
}

cuzk_status pce_store_get(pce_t **pce, const pce_store_t *store, const pce_circuit_t *circuit,
                          cuzk_error *err)
{
    char *path = pce_store_path(store->folder, circuit->label, circuit->digest);
    const bool there = access(path, F_OK) == 0;
    cuzk_error cause;
    cuzk_status st = CUZK_ERR_MISSING;

    if (there) st = pce_load(pce, path, circuit->label, circuit->digest, &cause);
    if (there && st != CUZK_OK) tell(store, &cause, "the circuit is compiled anew");
    if (st != CUZK_OK) st = make(pce, store, circuit, path, err);
    free(path);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/doctor.h"

enum { PIECE_BYTES = 1 << 20, PIECES = 64 };

#define MOST_NS  ((uint64_t)3000000000) /* for each way */
#define SLOW_MBS 200.0                  /* reading; parameters of 32GiB sectors are 60 GB */

typedef struct {
    double write_mbs, read_mbs;
} speed_t;

/* A new file in the folder that has no name, so that nothing can leave it behind; where the file
 * system has no such, its name is taken away at once. -1 and errno. */
static int open_nameless(const char *folder)
{
    const int nameless = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    char path[4096];

    if (nameless >= 0) return nameless;
    if (snprintf(path, sizeof path, "%s/cuzk-doctor-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0) (void)unlink(path);
    return fd;
}

/* Bytes that no disk makes smaller. */
static void fill(uint64_t *words, uint64_t seed)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15u + 1;

    for (size_t i = 0; i < PIECE_BYTES / sizeof *words; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        words[i] = x;
    }
}

static double megabytes_a_second(uint64_t pieces, uint64_t ns)
{
    return (double)pieces * PIECE_BYTES / 1e6 / ((double)(ns > 0 ? ns : 1) * 1e-9);
}

/* 0, or an errno. */
static int measure(speed_t *speed, int fd, uint64_t *piece, uint64_t *back)
{
    uint64_t start = clock_monotonic_ns();
    uint64_t n = 0, k = 0;

    for (; n < PIECES && clock_monotonic_ns() - start < MOST_NS; n++) {
        fill(piece, n);
        const ssize_t wrote = pwrite(fd, piece, PIECE_BYTES, (off_t)(n * PIECE_BYTES));
        if (wrote != PIECE_BYTES) return wrote < 0 ? errno : ENOSPC;
    }
    if (fdatasync(fd) != 0) return errno;
    speed->write_mbs = megabytes_a_second(n, clock_monotonic_ns() - start);
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED); /* to read from the disk, not from memory */
    start = clock_monotonic_ns();
    for (; k < n && clock_monotonic_ns() - start < MOST_NS; k++) {
        const ssize_t got = pread(fd, back, PIECE_BYTES, (off_t)(k * PIECE_BYTES));
        if (got != PIECE_BYTES) return got < 0 ? errno : EIO;
        fill(piece, k);
        if (memcmp(piece, back, PIECE_BYTES) != 0) return EIO;
    }
    speed->read_mbs = megabytes_a_second(k, clock_monotonic_ns() - start);
    return 0;
}

static void say_speed(doctor_t *doctor, const char *folder, const speed_t *speed)
{
    const bool is_slow = speed->read_mbs < SLOW_MBS;

    doctor_say(doctor, is_slow ? DOCTOR_NOTE : DOCTOR_OK, "disk",
               is_slow ? "keep parameters on a faster disk: each proof reads them whole" : NULL,
               "%s: %.0f MB/s written, %.0f MB/s read", folder, speed->write_mbs, speed->read_mbs);
}

static bool has_room(const char *folder)
{
    struct statvfs info;

    return statvfs(folder, &info) != 0 ||
           (uint64_t)info.f_bavail * info.f_frsize >= 2 * (uint64_t)PIECES * PIECE_BYTES;
}

static void test_folder(doctor_t *doctor, int fd, const char *folder)
{
    cuzk_error err;
    speed_t speed = {0};
    uint64_t *pieces = mem_alloc(2, PIECE_BYTES, "pieces of a file", &err);

    if (pieces == NULL) {
        doctor_say(doctor, DOCTOR_BAD, "disk", "free memory", "%s", err.text);
        return;
    }
    const int error = measure(&speed, fd, pieces, pieces + PIECE_BYTES / sizeof *pieces);
    free(pieces);
    if (error == 0)
        say_speed(doctor, folder, &speed);
    else
        doctor_say(doctor, DOCTOR_BAD, "disk", "look at the disk and its log", "%s: %s", folder,
                   strerror(error));
}

void doctor_disk(doctor_t *doctor, const char *folder)
{
    int fd = open_nameless(folder);

    if (fd < 0) {
        folder = doctor_temporary_folder();
        fd = open_nameless(folder);
    }
    if (fd < 0)
        doctor_say(doctor, DOCTOR_BAD, "disk", "set TMPDIR to a folder that may be written to",
                   "%s: %s", folder, strerror(errno));
    else if (!has_room(folder))
        doctor_say(doctor, DOCTOR_NOTE, "disk", "make room on it", "%s: less than %d MiB free",
                   folder, 2 * PIECES);
    else
        test_folder(doctor, fd, folder);
    if (fd >= 0) (void)close(fd);
}

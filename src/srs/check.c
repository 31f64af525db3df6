/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/random.h"
#include "srs/batch.h"
#include "srs/point.h"

enum {
    SLAB_POINTS = 1 << 14, /* between two calls of progress */
    GRAIN = 64,
    BATCH_POINTS = 1 << 15 /* sections from here on are checked by batches: the sums of a batch cost
                              as much as 20,480 points one by one */
};

/* How points are held against the subgroup. */
typedef enum { NOT_AT_ALL, ONE_BY_ONE, BY_BATCH } subgroup_check;

/* A section under check. */
typedef struct {
    const points_t *points;
    srs_section section;
    subgroup_check subgroup;
    size_t first;       /* of the slab under way */
    size_t bad;         /* lowest bad index, SIZE_MAX when there is none; atomic */
    bool failed;        /* a task could not do its part; atomic */
    cuzk_error failure; /* of the first of these */
    srs_batch_g1_t *g1; /* BY_BATCH: that of the section's group */
    srs_batch_g2_t *g2;
} section_check_t;

/* A point of either group. */
typedef union {
    g1_affine_t g1;
    g2_affine_t g2;
} any_point_t;

static const char *point_fault(any_point_t *p, const section_check_t *check, const uint8_t *bytes)
{
    const bool subgroup = check->subgroup == ONE_BY_ONE;

    if (check->section == SRS_B_G2) return srs_g2_fault(&p->g2, bytes, subgroup);
    return srs_g1_fault(&p->g1, bytes, subgroup);
}

static void note_failure(section_check_t *check, const cuzk_error *err)
{
    if (!__atomic_exchange_n(&check->failed, true, __ATOMIC_RELAXED)) check->failure = *err;
}

/* Points first .. first+n-1, at most GRAIN of them; false after a bad one or a failure. */
static bool check_few(section_check_t *check, size_t first, size_t n, uint32_t worker)
{
    uint8_t bytes[GRAIN * G2_UNCOMPRESSED_BYTES];
    uint64_t random[GRAIN];
    cuzk_error err;
    any_point_t p;

    cuzk_status st = points_read(check->points, bytes, first, n, &err);
    if (st == CUZK_OK && check->subgroup == BY_BATCH)
        st = random_bytes(random, sizeof random, &err);
    if (st != CUZK_OK) {
        note_failure(check, &err);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (point_fault(&p, check, bytes + i * check->points->point_bytes) != NULL) {
            srs_keep_lowest(&check->bad, first + i);
            return false;
        }
        if (check->g1 != NULL) srs_batch_g1_add(check->g1, &p.g1, random[i], worker);
        if (check->g2 != NULL) srs_batch_g2_add(check->g2, &p.g2, random[i], worker);
    }
    return true;
}

static void check_range(void *arg, size_t first, size_t end, uint32_t worker)
{
    section_check_t *check = arg;

    for (size_t i = first; i < end; i += GRAIN) {
        const size_t n = end - i < GRAIN ? end - i : GRAIN;

        if (!check_few(check, check->first + i, n, worker)) return;
    }
}

/* Where the whole file's check stands. */
typedef struct {
    const srs_t *srs;
    const srs_check_t *how;
    strand_t *strand;
    uint64_t done, total;
} file_check_t;

/* What the slab under way has shown. */
static cuzk_status slab_status(const section_check_t *check, const file_check_t *file,
                               cuzk_error *err)
{
    uint8_t bytes[G2_UNCOMPRESSED_BYTES];
    any_point_t p;

    if (check->failed) *err = check->failure;
    if (check->failed) return err->status;
    if (check->bad == SIZE_MAX) return CUZK_OK;
    const cuzk_status st = points_read(check->points, bytes, check->bad, 1, err);
    if (st != CUZK_OK) return st;
    const char *fault = point_fault(&p, check, bytes);
    return error_set(err, CUZK_ERR_FORMAT, "%s: %s: point %zu: %s", file->srs->path,
                     srs_section_name(check->section), check->bad,
                     fault != NULL ? fault : "has changed meanwhile");
}

/* The slab after the one under way is wanted soon. */
static void read_ahead(const section_check_t *check, const file_check_t *file)
{
    const points_t *points = check->points;
    const size_t first = check->first + SLAB_POINTS;

    if (file->srs->file == NULL || first >= points->n) return;
    const size_t n = points->n - first < SLAB_POINTS ? points->n - first : SLAB_POINTS;
    file_read_ahead(file->srs->file, points->offset + (uint64_t)first * points->point_bytes,
                    (uint64_t)n * points->point_bytes);
}

/* Looks at each point of the section; report: tell progress. */
static cuzk_status check_section(section_check_t *check, file_check_t *file, bool report,
                                 cuzk_error *err)
{
    const strand_cut_t cut = {GRAIN, 4 * GRAIN};
    const srs_check_t *how = file->how;

    for (check->first = 0; check->first < check->points->n; check->first += SLAB_POINTS) {
        const size_t left = check->points->n - check->first;
        const size_t n = left < SLAB_POINTS ? left : SLAB_POINTS;

        read_ahead(check, file);
        cuzk_status st = strand_for(file->strand, n, cut, check_range, check, err);
        if (st == CUZK_OK) st = slab_status(check, file, err);
        if (st != CUZK_OK) return st;
        if (!report) continue;
        file->done += n;
        if (how->progress != NULL) how->progress(how->arg, file->done, file->total);
    }
    return CUZK_OK;
}

static cuzk_status open_batch(section_check_t *check, const file_check_t *file, cuzk_error *err)
{
    const uint32_t n_workers = strand_size(file->strand);

    if (check->section == SRS_B_G2) return srs_batch_g2_open(&check->g2, n_workers, err);
    return srs_batch_g1_open(&check->g1, n_workers, err);
}

static cuzk_status look_at_batch(bool *good, const section_check_t *check, const file_check_t *file,
                                 cuzk_error *err)
{
    if (check->g2 != NULL) return srs_batch_g2_good(good, check->g2, file->strand, err);
    return srs_batch_g1_good(good, check->g1, file->strand, err);
}

static void close_batch(section_check_t *check)
{
    srs_batch_g1_close(check->g1);
    srs_batch_g2_close(check->g2);
    check->g1 = NULL;
    check->g2 = NULL;
}

/* By a batch; when that shows a point outside, one by one to find it. */
static cuzk_status check_by_batch(section_check_t *check, file_check_t *file, cuzk_error *err)
{
    cuzk_status st = open_batch(check, file, err);

    if (st == CUZK_OK) st = check_section(check, file, true, err);
    bool good = true;
    if (st == CUZK_OK) st = look_at_batch(&good, check, file, err);
    close_batch(check);
    if (st != CUZK_OK || good) return st;
    check->subgroup = ONE_BY_ONE;
    return check_section(check, file, false, err);
}

cuzk_status srs_check_points(const srs_t *srs, const srs_check_t *how, strand_t *strand,
                             cuzk_error *err)
{
    file_check_t file = {.srs = srs, .how = how, .strand = strand};
    cuzk_status st = CUZK_OK;

    for (srs_section i = SRS_H; i < SRS_SECTIONS; i++) file.total += srs_section_points(srs, i)->n;
    for (srs_section i = SRS_H; i < SRS_SECTIONS && st == CUZK_OK; i++) {
        section_check_t check = {
            .points = srs_section_points(srs, i), .section = i, .bad = SIZE_MAX};

        if (how->subgroup) check.subgroup = check.points->n < BATCH_POINTS ? ONE_BY_ONE : BY_BATCH;
        if (check.subgroup == BY_BATCH)
            st = check_by_batch(&check, &file, err);
        else
            st = check_section(&check, &file, true, err);
    }
    return st;
}

uint64_t srs_check_bytes(const srs_t *srs, uint32_t n_threads)
{
    uint64_t most = 0;

    for (srs_section i = SRS_H; i < SRS_SECTIONS; i++) {
        const size_t sum_bytes = i == SRS_B_G2 ? sizeof(g2_jac_t) : sizeof(g1_jac_t);
        const uint64_t bytes = (uint64_t)n_threads * SRS_BATCH_SUMS * sum_bytes;

        if (srs_section_points(srs, i)->n >= BATCH_POINTS && bytes > most) most = bytes;
    }
    return most;
}

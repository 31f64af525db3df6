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
typedef enum { NOT_AT_ALL, ONE_BY_ONE, BY_BATCH } subgroup_t;

/* A section under check. */
typedef struct {
    srs_points_t points;
    srs_section section;
    subgroup_t subgroup;
    size_t first;       /* of the slab under way */
    size_t bad;         /* lowest bad index, SIZE_MAX when there is none; atomic */
    cuzk_status random; /* CUZK_OK, or what drawing random numbers gave; atomic */
    srs_batch_g1_t *g1; /* BY_BATCH: that of the section's group */
    srs_batch_g2_t *g2;
} check_t;

/* A point of either group. */
typedef union {
    g1_affine_t g1;
    g2_affine_t g2;
} point_t;

static const char *point_fault(point_t *p, const check_t *check, size_t i)
{
    const uint8_t *bytes = check->points.bytes + i * srs_point_bytes(check->section);
    const bool subgroup = check->subgroup == ONE_BY_ONE;

    if (check->section == SRS_B_G2) return srs_g2_fault(&p->g2, bytes, subgroup);
    return srs_g1_fault(&p->g1, bytes, subgroup);
}

static void lower(size_t *bad, size_t i)
{
    size_t seen = __atomic_load_n(bad, __ATOMIC_RELAXED);

    while (i < seen &&
           !__atomic_compare_exchange_n(bad, &seen, i, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

/* Points first .. first+n-1, at most GRAIN of them; false after a bad one. */
static bool check_few(check_t *check, size_t first, size_t n, uint32_t worker)
{
    uint64_t random[GRAIN];
    cuzk_error err;
    point_t p;

    if (check->subgroup == BY_BATCH) {
        const cuzk_status st = random_bytes(random, sizeof random, &err);

        if (st != CUZK_OK) __atomic_store_n(&check->random, st, __ATOMIC_RELAXED);
        if (st != CUZK_OK) return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (point_fault(&p, check, first + i) != NULL) {
            lower(&check->bad, first + i);
            return false;
        }
        if (check->g1 != NULL) srs_batch_g1_add(check->g1, &p.g1, random[i], worker);
        if (check->g2 != NULL) srs_batch_g2_add(check->g2, &p.g2, random[i], worker);
    }
    return true;
}

static void check_range(void *arg, size_t first, size_t end, uint32_t worker)
{
    check_t *check = arg;

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
} walk_t;

/* Looks at each point of the section; report: tell progress. */
static cuzk_status check_section(check_t *check, walk_t *walk, bool report, cuzk_error *err)
{
    const srs_check_t *how = walk->how;
    point_t p;

    for (check->first = 0; check->first < check->points.n; check->first += SLAB_POINTS) {
        const size_t left = check->points.n - check->first;
        const size_t n = left < SLAB_POINTS ? left : SLAB_POINTS;

        const cuzk_status st =
            strand_for(walk->strand, n, (strand_cut_t){GRAIN, 4 * GRAIN}, check_range, check, err);

        if (st != CUZK_OK) return st;
        if (check->bad != SIZE_MAX)
            return error_set(err, CUZK_ERR_FORMAT, "%s: %s: point %zu: %s", walk->srs->path,
                             srs_section_name(check->section), check->bad,
                             point_fault(&p, check, check->bad));
        if (check->random != CUZK_OK)
            return error_set(err, check->random, "subgroup check: no random numbers");
        if (!report) continue;
        walk->done += n;
        if (how->progress != NULL) how->progress(how->arg, walk->done, walk->total);
    }
    return CUZK_OK;
}

static cuzk_status open_batch(check_t *check, const walk_t *walk, cuzk_error *err)
{
    const uint32_t n_workers = strand_size(walk->strand);

    if (check->section == SRS_B_G2) return srs_batch_g2_open(&check->g2, n_workers, err);
    return srs_batch_g1_open(&check->g1, n_workers, err);
}

static cuzk_status look_at_batch(bool *good, const check_t *check, const walk_t *walk,
                                 cuzk_error *err)
{
    if (check->g2 != NULL) return srs_batch_g2_good(good, check->g2, walk->strand, err);
    return srs_batch_g1_good(good, check->g1, walk->strand, err);
}

static void close_batch(check_t *check)
{
    srs_batch_g1_close(check->g1);
    srs_batch_g2_close(check->g2);
    check->g1 = NULL;
    check->g2 = NULL;
}

/* By a batch; when that shows a point outside, one by one to find it. */
static cuzk_status check_by_batch(check_t *check, walk_t *walk, cuzk_error *err)
{
    cuzk_status st = open_batch(check, walk, err);

    if (st == CUZK_OK) st = check_section(check, walk, true, err);
    bool good = true;
    if (st == CUZK_OK) st = look_at_batch(&good, check, walk, err);
    close_batch(check);
    if (st != CUZK_OK || good) return st;
    check->subgroup = ONE_BY_ONE;
    return check_section(check, walk, false, err);
}

cuzk_status srs_check_points(const srs_t *srs, const srs_check_t *how, strand_t *strand,
                             cuzk_error *err)
{
    walk_t walk = {.srs = srs, .how = how, .strand = strand};
    cuzk_status st = CUZK_OK;

    for (srs_section i = SRS_H; i < SRS_SECTIONS; i++) walk.total += srs_section_points(srs, i).n;
    for (srs_section i = SRS_H; i < SRS_SECTIONS && st == CUZK_OK; i++) {
        check_t check = {
            .points = srs_section_points(srs, i), .section = i, .bad = SIZE_MAX, .random = CUZK_OK};

        if (how->subgroup) check.subgroup = check.points.n < BATCH_POINTS ? ONE_BY_ONE : BY_BATCH;
        if (check.subgroup == BY_BATCH)
            st = check_by_batch(&check, &walk, err);
        else
            st = check_section(&check, &walk, true, err);
    }
    return st;
}

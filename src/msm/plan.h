/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_MSM_PLAN_H
#define CUZK_MSM_PLAN_H

/* How one multiplication is cut into tasks, and where everything lies in its memory.
 *
 * The buckets of all windows, numbered in a row, are the keys. They are cut into ranges of keys,
 * each within a window: what is loaded is sorted by range first, by key later. A row is what one
 * task loads: slots for row_terms points with their images under the endomorphism, and their
 * references sorted by range. A chunk is n_rows rows; with two halves one is loaded while the other
 * is summed. */

#include "msm/group.h"
#include "msm/msm.h"

enum {
    MSM_MAX_LEVELS = 4,
    MSM_MIN_WINDOW = 2,
    MSM_MAX_WINDOW = 20,
    MSM_MAX_WINDOWS = 64,
    MSM_ROW_SLOTS = 1024, /* of a row, at most */
    MSM_ENTRY_SHIFT = 11, /* an entry: key in its range << this | slot in its row << 1 | sign */
    MSM_ORDER = 16384,    /* references of a range sorted at once */
    MSM_SELECTED_BLOCK =
        2048 /* selected points added up at once; a quarter as many sums are kept */
};

/** Byte offsets in the multiplication's memory. */
typedef struct {
    size_t is_used;    /* [key] bytes: the bucket holds a sum */
    size_t entries;    /* [half][row][row_slots * n_windows] uint32_t */
    size_t offsets;    /* [half][row][n_ranges + 1] uint32_t, in the row's entries */
    size_t row_terms;  /* [row] msm_terms_t, of the half that is loaded */
    size_t range_refs; /* [range] uint32_t */
    size_t units;      /* [range] msm_unit_t */
    size_t nonzero;    /* [n_terms / row_terms] uint16_t: terms that are not 0 */
    size_t workers;    /* [threads] worker_bytes */
    size_t buffers;    /* 2 * buffer_points points */
    size_t parts;      /* affine structures: see msm_parts_t */
    size_t windows;    /* [window] Jacobian structures */
    size_t total;
} msm_layout_t;

typedef struct {
    const msm_group_t *group;
    uint32_t threads;
    bool has_selected;
    uint32_t window_bits;
    uint32_t n_windows;                /* 0 when there are no terms */
    uint32_t n_buckets;                /* of a window: 2^(window_bits - 1) */
    uint32_t n_levels;                 /* of the buckets' weighted sum */
    uint32_t level_lg[MSM_MAX_LEVELS]; /* log2 of the buckets in a segment, by level */
    uint32_t n_remainder;              /* weighted terms of a window left after the levels */

    uint32_t row_terms;
    uint32_t n_rows; /* of a half */
    uint32_t n_halves;
    uint32_t ranges_lg;    /* log2 of a window's ranges, but the last window's */
    uint32_t range_lg;     /* log2 of the keys in a range */
    uint32_t top_range_lg; /* the same for the last window, of which only the lowest buckets fill */
    uint32_t n_ranges;     /* of all windows */

    /* Slots: rows, then these. */
    uint32_t bucket_slot, segment_slot, level_slot, ones_slot, own_slot, selected_slot, n_slots;
    size_t worker_bytes;
    size_t buffer_points; /* a multiple of 64 */
    msm_layout_t at;
} msm_plan_t;

/** Terms first ... end - 1, at most row_terms of them not 0. */
typedef struct {
    size_t first;
    size_t end;
} msm_terms_t;

/** Ranges first ... end - 1. */
typedef struct {
    uint32_t first;
    uint32_t end;
} msm_unit_t;

static inline size_t msm_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t msm_max(size_t a, size_t b)
{
    return a > b ? a : b;
}

/** The plan for a multiplication of that size in which about n_estimated terms are not 0. Its
 *  at.total is at most msm_plan_bytes(). */
void msm_plan_make(msm_plan_t *plan, const msm_group_t *group, const msm_size_t *size,
                   size_t n_estimated);

/** Whatever the terms are. */
size_t msm_plan_bytes(const msm_group_t *group, const msm_size_t *size);

uint32_t msm_plan_window(const msm_group_t *group, size_t n_terms);

#endif

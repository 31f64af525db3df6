/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The operations of group.h over coordinates of LANES points at once; each group_*.c defines
 * coord_t and its functions, includes this, and puts GROUP_OPERATIONS in its table. */

#include "base/bytes.h"
#include "msm/group_add_tmpl.h"

/* words = the point's coordinates as in coord_load; false for infinity. */
static bool read_words(uint64_t words[2 * COORD_WORDS], const msm_span_t *span, uint32_t index)
{
    enum { BYTES = 16 * COORD_WORDS };
    const uint8_t *bytes = (const uint8_t *)span->base + (size_t)index * BYTES;
    uint64_t any = 0;

    if (span->form == POINTS_AFFINE) {
        memcpy(words, bytes, BYTES);
        for (size_t i = 0; i < 2 * COORD_WORDS; i++) any |= words[i];
        return any != 0;
    }
    /* Each coordinate is big-endian, the coefficient of u before the constant one. */
    for (size_t i = 0; i < 2 * COORD_WORDS; i++) {
        const size_t coord = i / COORD_WORDS * COORD_WORDS;

        words[i] = __builtin_bswap64(load_le64(bytes + 8 * (2 * coord + COORD_WORDS - 1 - i)));
    }
    if ((bytes[0] & 0x40) != 0) memset(words, 0, BYTES);
    return (bytes[0] & 0x40) == 0;
}

static void group_load(uint8_t *slots, size_t first, unsigned n_endo, const msm_span_t *span,
                       const uint32_t *index, size_t n)
{
    uint64_t words[LANES][2 * COORD_WORDS];
    coord_t x[MSM_MAX_ENDO];
    coord_t y[MSM_MAX_ENDO];

    for (size_t i = 0; i < n; i += LANES) {
        const size_t n_lanes = n - i < LANES ? n - i : LANES;
        lanes_t infinity = 0;

        for (size_t j = 0; j < LANES; j++)
            if (!read_words(words[j], span, index[i + (j < n_lanes ? j : 0)]))
                infinity = (lanes_t)(infinity | 1U << j);
        coord_load(&x[0], words[0], 2 * COORD_WORDS, span->form == POINTS_UNCOMPRESSED);
        coord_load(&y[0], words[0] + COORD_WORDS, 2 * COORD_WORDS,
                   span->form == POINTS_UNCOMPRESSED);
        for (unsigned m = 0; m < n_endo; m++) {
            uint64_t *rows[LANES] = {0};

            if (m > 0) coord_endomorphism(x, y, m);
            coord_clear_lanes(&y[m], infinity);
            for (size_t j = 0; j < n_lanes; j++)
                rows[j] = slot_words(slots, (uint32_t)(first + (i + j) * n_endo + m));
            coord_scatter(rows, n_lanes, &x[m]);
            for (size_t j = 0; j < n_lanes; j++) rows[j] += COORD_ROW_WORDS;
            coord_scatter(rows, n_lanes, &y[m]);
        }
    }
}

static void group_copy(uint8_t *slots, uint32_t slot, msm_ref_t ref)
{
    const uint64_t *from = slot_words(slots, ref >> 1);
    uint64_t *to = slot_words(slots, slot);
    const uint64_t *rows[LANES];
    coord_t y;

    memcpy(to, from, SLOT_WORDS * sizeof *to);
    if ((ref & 1) == 0) return;
    for (size_t i = 0; i < LANES; i++) rows[i] = from + COORD_ROW_WORDS;
    coord_gather(&y, rows);
    const lanes_t infinity = coord_infinity_lanes(&y);
    coord_negate_lanes(&y, (lanes_t)-1);
    coord_reduce(&y);
    coord_clear_lanes(&y, infinity);
    to += COORD_ROW_WORDS;
    coord_scatter(&to, 1, &y);
}

static void group_store(void *affine, const uint8_t *slots, size_t first, size_t n)
{
    uint64_t *words = affine;

    for (size_t i = 0; i < n; i += LANES) {
        const size_t n_lanes = n - i < LANES ? n - i : LANES;
        const uint64_t *rows[LANES];
        coord_t c;

        for (size_t half = 0; half < 2; half++) {
            for (size_t j = 0; j < LANES; j++)
                rows[j] = (const uint64_t *)(const void *)slots +
                          (first + i + (j < n_lanes ? j : 0)) * SLOT_WORDS + half * COORD_ROW_WORDS;
            coord_gather(&c, rows);
            coord_store(words + 2 * COORD_WORDS * i + half * COORD_WORDS, 2 * COORD_WORDS, n_lanes,
                        &c);
        }
    }
}

/* What a group's table has from here. */
#define GROUP_OPERATIONS                                                                           \
    .slot_bytes = 8 * SLOT_WORDS, .affine_bytes = 16 * COORD_WORDS,                                \
    .add_scratch_bytes = (MSM_MAX_BATCH + LANES - 1) / LANES * sizeof(step_t), .add = group_add,   \
    .load = group_load, .copy = group_copy, .store = group_store

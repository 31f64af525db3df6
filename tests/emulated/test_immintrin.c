/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* The intrinsics of <immintrin.h> that our kernels use, lane by lane. Built twice: against the
 * emulation, and against the processor where it has AVX-512 IFMA, so that what is expected here is
 * what the instructions do. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <immintrin.h>
#include <string.h>

#include "base/cpu.h"

enum { LANES = 8, ROUNDS = 400, SKIPPED = 77 };

typedef unsigned __int128 u128;

typedef union {
    _Alignas(64) uint64_t l[LANES];
    uint8_t bytes[64];
    __m512i v;
} lanes_t;

static const uint64_t edges[] = {0,
                                 1,
                                 7,
                                 0xffffffff,
                                 0x100000000,
                                 0x8000000080000000,
                                 0xfffffffffffff,
                                 0x10000000000000,
                                 0xfff0000000000001,
                                 0x7fffffffffffffff,
                                 0x8000000000000000,
                                 0xffffffffffffffff};

enum { EDGES = sizeof edges / sizeof edges[0] };

static uint64_t random_state;

/* splitmix64 */
static uint64_t next_random(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Edge values mixed with random ones. */
static lanes_t next_lanes(void)
{
    lanes_t r;

    for (int i = 0; i < LANES; i++) {
        const uint64_t x = next_random();

        r.l[i] = x & 1 ? edges[(x >> 8) % EDGES] : next_random();
    }
    return r;
}

static void check(const char *name, __m512i got, const uint64_t want[LANES])
{
    const lanes_t r = {.v = got};

    for (int i = 0; i < LANES; i++)
        if (r.l[i] != want[i])
            fail_msg("%s, lane %d: %#llx, expected %#llx", name, i, (unsigned long long)r.l[i],
                     (unsigned long long)want[i]);
}

/* The intrinsic gives, in each lane i, the value of an expression in i. */
#define CHECK(got, lane)                                                                           \
    do {                                                                                           \
        uint64_t want[LANES];                                                                      \
                                                                                                   \
        for (int i = 0; i < LANES; i++) want[i] = (lane);                                          \
        check(#got, got, want);                                                                    \
    } while (0)

#define CHECK_MASK(got, lane)                                                                      \
    do {                                                                                           \
        unsigned want = 0;                                                                         \
                                                                                                   \
        for (int i = 0; i < LANES; i++) want |= (lane) ? 1U << i : 0;                              \
        assert_int_equal(got, want);                                                               \
    } while (0)

static int has(__mmask8 k, int i)
{
    return k >> i & 1;
}

static uint64_t low_52(uint64_t x)
{
    return x & 0xfffffffffffff;
}

static void sums_and_products(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const lanes_t a = next_lanes(), b = next_lanes(), c = next_lanes();
        const __mmask8 k = (__mmask8)next_random();
        uint64_t sum = 0;

        CHECK(_mm512_add_epi64(a.v, b.v), a.l[i] + b.l[i]);
        CHECK(_mm512_sub_epi64(a.v, b.v), a.l[i] - b.l[i]);
        CHECK(_mm512_mask_sub_epi64(c.v, k, a.v, b.v), has(k, i) ? a.l[i] - b.l[i] : c.l[i]);
        CHECK(_mm512_mullo_epi64(a.v, b.v), (uint64_t)((u128)a.l[i] * b.l[i]));
        CHECK(_mm512_mul_epu32(a.v, b.v), (a.l[i] & 0xffffffff) * (b.l[i] & 0xffffffff));
        CHECK(_mm512_madd52lo_epu64(a.v, b.v, c.v),
              a.l[i] + low_52((uint64_t)((u128)low_52(b.l[i]) * low_52(c.l[i]))));
        CHECK(_mm512_madd52hi_epu64(a.v, b.v, c.v),
              a.l[i] + (uint64_t)((u128)low_52(b.l[i]) * low_52(c.l[i]) >> 52));
        for (int i = 0; i < LANES; i++) sum += a.l[i];
        assert_true((uint64_t)_mm512_reduce_add_epi64(a.v) == sum);
    }
}

/* Every edge with every other, whatever the lane. */
static void products_of_all_edges(void **state)
{
    (void)state;
    for (int x = 0; x < EDGES; x++)
        for (int y = 0; y < EDGES; y++) {
            const __m512i b = _mm512_set1_epi64((long long)edges[x]);
            const __m512i c = _mm512_set1_epi64((long long)edges[y]);
            const u128 product = (u128)low_52(edges[x]) * low_52(edges[y]);

            for (int z = 0; z < EDGES; z++) {
                const __m512i a = _mm512_set1_epi64((long long)edges[z]);

                CHECK(_mm512_madd52lo_epu64(a, b, c), edges[z] + low_52((uint64_t)product));
                CHECK(_mm512_madd52hi_epu64(a, b, c), edges[z] + (uint64_t)(product >> 52));
            }
        }
}

static uint64_t shifted_arithmetically(uint64_t a, unsigned n)
{
    const uint64_t sign = a >> 63 ? UINT64_MAX : 0;

    return n > 63 ? sign : n == 0 ? a : a >> n | sign << (64 - n);
}

#define CHECK_SHIFTS(n)                                                                            \
    do {                                                                                           \
        CHECK(_mm512_slli_epi64(a.v, n), (n) > 63 ? 0 : a.l[i] << ((n)&63));                       \
        CHECK(_mm512_srli_epi64(a.v, n), (n) > 63 ? 0 : a.l[i] >> ((n)&63));                       \
        CHECK(_mm512_srai_epi64(a.v, n), shifted_arithmetically(a.l[i], n));                       \
    } while (0)

static void shifts(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const lanes_t a = next_lanes();

        CHECK_SHIFTS(0);
        CHECK_SHIFTS(1);
        CHECK_SHIFTS(12);
        CHECK_SHIFTS(52);
        CHECK_SHIFTS(63);
        CHECK_SHIFTS(64);
        CHECK_SHIFTS(200);
    }
}

static uint64_t looked_up(uint64_t a, uint64_t b, uint64_t c, unsigned table)
{
    uint64_t r = 0;

    for (int bit = 0; bit < 64; bit++) {
        const unsigned row = (unsigned)((a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1));

        r |= (uint64_t)(table >> row & 1) << bit;
    }
    return r;
}

static void bits(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const lanes_t a = next_lanes(), b = next_lanes(), c = next_lanes();
        const __mmask8 k = (__mmask8)next_random();

        CHECK(_mm512_and_si512(a.v, b.v), a.l[i] & b.l[i]);
        CHECK(_mm512_or_si512(a.v, b.v), a.l[i] | b.l[i]);
        CHECK(_mm512_xor_si512(a.v, b.v), a.l[i] ^ b.l[i]);
        CHECK(_mm512_mask_and_epi64(c.v, k, a.v, b.v), has(k, i) ? a.l[i] & b.l[i] : c.l[i]);
        CHECK(_mm512_ternarylogic_epi64(a.v, b.v, c.v, 0xa8), (a.l[i] | b.l[i]) & c.l[i]);
        CHECK(_mm512_ternarylogic_epi64(a.v, b.v, c.v, 0x1b),
              looked_up(a.l[i], b.l[i], c.l[i], 0x1b));
        CHECK(_mm512_ternarylogic_epi64(a.v, b.v, c.v, 0x96), a.l[i] ^ b.l[i] ^ c.l[i]);
    }
}

static void masks(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const lanes_t a = next_lanes(), b = next_lanes();
        const __mmask8 k = (__mmask8)next_random(), m = (__mmask8)next_random();

        CHECK_MASK(_mm512_cmpeq_epi64_mask(a.v, b.v), a.l[i] == b.l[i]);
        CHECK_MASK(_mm512_cmpge_epi64_mask(a.v, b.v), (int64_t)a.l[i] >= (int64_t)b.l[i]);
        CHECK_MASK(_mm512_cmplt_epi64_mask(a.v, b.v), (int64_t)a.l[i] < (int64_t)b.l[i]);
        CHECK_MASK(_mm512_cmpeq_epi64_mask(a.v, a.v), i >= 0);
        CHECK_MASK(_mm512_testn_epi64_mask(a.v, b.v), (a.l[i] & b.l[i]) == 0);
        CHECK_MASK(_mm512_movepi64_mask(a.v), a.l[i] >> 63 != 0);
        CHECK_MASK(_kor_mask8(k, m), has(k, i) || has(m, i));
        CHECK(_mm512_mask_mov_epi64(a.v, k, b.v), has(k, i) ? b.l[i] : a.l[i]);
        CHECK(_mm512_maskz_mov_epi64(k, b.v), has(k, i) ? b.l[i] : 0);
        CHECK(_mm512_mask_set1_epi64(a.v, k, 5), has(k, i) ? 5 : a.l[i]);
    }
}

static void constants(void **state)
{
    (void)state;
    CHECK(_mm512_setzero_si512(), 0);
    CHECK(_mm512_set1_epi64(-3), (uint64_t)-3);
    CHECK(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, -7), i == 7 ? (uint64_t)-7 : (uint64_t)i);
    CHECK(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), (uint64_t)i);
    for (int round = 0; round < ROUNDS; round++) {
        const __mmask64 k = next_random();
        const lanes_t r = {.v = _mm512_maskz_set1_epi8(k, -2)};

        for (int i = 0; i < 64; i++) assert_int_equal(r.bytes[i], k >> i & 1 ? 0xfe : 0);
    }
}

static void permutations(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const lanes_t a = next_lanes(), b = next_lanes(), index = next_lanes();

        CHECK(_mm512_permutexvar_epi64(index.v, a.v), a.l[index.l[i] & 7]);
        CHECK(_mm512_permutex2var_epi64(a.v, index.v, b.v),
              index.l[i] & 8 ? b.l[index.l[i] & 7] : a.l[index.l[i] & 7]);
        CHECK(_mm512_unpacklo_epi64(a.v, b.v), i % 2 == 0 ? a.l[i] : b.l[i - 1]);
        CHECK(_mm512_unpackhi_epi64(a.v, b.v), i % 2 == 0 ? a.l[i + 1] : b.l[i]);
    }
}

#define CHECK_SHUFFLE(n)                                                                           \
    CHECK(_mm512_shuffle_i64x2(a.v, b.v, n),                                                       \
          (i < 4 ? a.l : b.l)[2 * ((n) >> i / 2 * 2 & 3) + i % 2])

static void shuffles_and_halves(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const lanes_t a = next_lanes(), b = next_lanes();
        const __m256i low = _mm512_castsi512_si256(b.v);
        const __m256i high = _mm512_extracti64x4_epi64(b.v, 1);

        CHECK_SHUFFLE(0x44);
        CHECK_SHUFFLE(0xee);
        CHECK_SHUFFLE(0x88);
        CHECK_SHUFFLE(0xdd);
        CHECK_SHUFFLE(0x1b);
        CHECK(_mm512_inserti64x4(a.v, low, 0), i < 4 ? b.l[i] : a.l[i]);
        CHECK(_mm512_inserti64x4(a.v, low, 1), i < 4 ? a.l[i] : b.l[i - 4]);
        CHECK(_mm512_inserti64x4(a.v, high, 0), i < 4 ? b.l[i + 4] : a.l[i]);
        CHECK(_mm512_inserti64x4(a.v, _mm512_extracti64x4_epi64(b.v, 0), 0),
              i < 4 ? b.l[i] : a.l[i]);
        CHECK(_mm512_inserti64x4(_mm512_castsi256_si512(high), low, 1), b.l[i < 4 ? i + 4 : i - 4]);
    }
}

static void memory(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const lanes_t a = next_lanes(), old = next_lanes();
        const __mmask8 k = (__mmask8)next_random();
        _Alignas(64) uint8_t bytes[128] = {0};
        uint64_t unaligned[LANES];
        lanes_t b;

        CHECK(_mm512_load_si512(a.l), a.l[i]);
        _mm512_store_si512(b.l, a.v);
        assert_memory_equal(&b, &a, sizeof b);
        _mm512_storeu_si512(bytes + 5, a.v);
        assert_memory_equal(bytes + 5, &a, sizeof a);
        CHECK(_mm512_loadu_si512(bytes + 5), a.l[i]);
        CHECK(_mm512_maskz_loadu_epi64(k, bytes + 5), has(k, i) ? a.l[i] : 0);
        memcpy(bytes + 5, &old, sizeof old);
        _mm512_mask_storeu_epi64(bytes + 5, k, a.v);
        memcpy(unaligned, bytes + 5, sizeof unaligned);
        for (int i = 0; i < LANES; i++)
            assert_true(unaligned[i] == (has(k, i) ? a.l[i] : old.l[i]));
        assert_true(bytes[4] == 0 && bytes[69] == 0);
        _mm256_storeu_si256((void *)(bytes + 1), _mm256_load_si256((const void *)(a.l + 4)));
        assert_memory_equal(bytes + 1, a.l + 4, 32);
        _mm256_storeu_si256((void *)bytes, _mm256_loadu_si256((const void *)(a.bytes + 3)));
        assert_memory_equal(bytes, a.bytes + 3, 32);
    }
}

/* Lanes outside the mask lie beyond the memory that there is: a sanitizer sees a touch of them. */
static void masked_lanes_are_not_touched(void **state)
{
    uint64_t six[6] = {1, 2, 3, 4, 5, 6};

    (void)state;
    const __m512i a = _mm512_maskz_loadu_epi64(0x3f, six);
    CHECK(a, i < 6 ? (uint64_t)i + 1 : 0);
    _mm512_mask_storeu_epi64(six, 0x3f, _mm512_add_epi64(a, a));
    for (unsigned i = 0; i < 6; i++) assert_true(six[i] == 2 * (i + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products),
        cmocka_unit_test(products_of_all_edges),
        cmocka_unit_test(shifts),
        cmocka_unit_test(bits),
        cmocka_unit_test(masks),
        cmocka_unit_test(constants),
        cmocka_unit_test(permutations),
        cmocka_unit_test(shuffles_and_halves),
        cmocka_unit_test(memory),
        cmocka_unit_test(masked_lanes_are_not_touched),
    };

#ifdef TEST_PROCESSOR
    if (!cpu_has_avx512_ifma()) return SKIPPED;
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}

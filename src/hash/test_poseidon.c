/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "base/cpu.h"
#include "hash/poseidon_constants.h"

/* The reference's hashes of 1, 2, ..., arity, 32 bytes little-endian (tests/golden). */
static const struct {
    poseidon_instance instance;
    const char *hash;
} vectors[] = {
    {POSEIDON_2, "bea95f3e83d91793d896586e724ec069769d6a43afcbab7b4d1f7f6506816f6d"},
    {POSEIDON_4, "c5d928f4bc376414f3a25c0933caefcdb7ac69f7d9351f96ea7d60e22412183d"},
    {POSEIDON_8, "7ec0e1c106a134b810eee278ecefca3ee8c429116af3d14376e0c48f2ed4ed04"},
    {POSEIDON_11, "bd8022e95811611cf4df43adad526f4ccabcda49af1e79861696800ecd7e8104"},
    {POSEIDON_2_MD, "3c2fe9b59c5f0de453bbb6db5c84af5448c7d4c1fbf41830ab05dbaf9b872c70"},
};

static void hashes_are_those_of_the_reference(void **unused)
{
    (void)unused;
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
        fr_t elements[POSEIDON_MAX_WIDTH];
        uint8_t want[FR_BYTES];
        uint8_t got[FR_BYTES];

        for (unsigned i = 0; i < poseidon_arity(vectors[v].instance); i++)
            fr_from_u64(&elements[i], i + 1);
        poseidon_hash(&elements[0], vectors[v].instance, elements);
        fr_to_bytes(got, &elements[0]);
        assert_true(bytes_from_hex(want, FR_BYTES, vectors[v].hash, 2 * (size_t)FR_BYTES));
        assert_memory_equal(got, want, FR_BYTES);
    }
}

/* The Grain generator of the Poseidon paper, one bit in each byte. */
typedef struct {
    uint8_t bits[80];
} grain_t;

static unsigned grain_step(grain_t *g)
{
    const uint8_t *b = g->bits;
    const uint8_t next = b[62] ^ b[51] ^ b[38] ^ b[23] ^ b[13] ^ b[0];

    memmove(g->bits, g->bits + 1, sizeof g->bits - 1);
    g->bits[79] = next;
    return next;
}

static void grain_describe(grain_t *g, unsigned *at, unsigned n, uint32_t value)
{
    while (n-- > 0) g->bits[(*at)++] = value >> n & 1;
}

static void grain_init(grain_t *g, unsigned width, unsigned partial)
{
    unsigned at = 0;

    grain_describe(g, &at, 2, 1); /* a prime field */
    grain_describe(g, &at, 4, 1); /* the S-box; 1 is what Filecoin's constants were made with */
    grain_describe(g, &at, 12, FR_BITS);
    grain_describe(g, &at, 12, width);
    grain_describe(g, &at, 10, POSEIDON_FULL_ROUNDS);
    grain_describe(g, &at, 10, partial);
    grain_describe(g, &at, 30, (1u << 30) - 1);
    for (int i = 0; i < 160; i++) (void)grain_step(g);
}

static unsigned grain_bit(grain_t *g)
{
    while (grain_step(g) == 0) (void)grain_step(g);
    return grain_step(g);
}

static void grain_element(fr_t *r, grain_t *g)
{
    scalar_t s;

    do {
        s = (scalar_t){{0}};
        for (int i = FR_BITS - 1; i >= 0; i--)
            s.l[i / 64] |= (uint64_t)grain_bit(g) << (unsigned)i % 64;
    } while (!scalar_is_canonical(&s));
    fr_from_scalar(r, &s);
}

/* As the paper defines it: constants, S-boxes (all or the first), the dense matrix. */
static void textbook_hash(fr_t *r, const fr_t *inputs, unsigned arity, unsigned partial,
                          uint64_t tag)
{
    const unsigned t = arity + 1;
    fr_t state[POSEIDON_MAX_WIDTH], mixed[POSEIDON_MAX_WIDTH], x;
    grain_t grain;

    grain_init(&grain, t, partial);
    fr_from_u64(&state[0], tag);
    memcpy(state + 1, inputs, arity * sizeof *inputs);
    for (unsigned round = 0; round < POSEIDON_FULL_ROUNDS + partial; round++) {
        const bool full =
            round < POSEIDON_FULL_ROUNDS / 2 || round >= POSEIDON_FULL_ROUNDS / 2 + partial;

        for (unsigned i = 0; i < t; i++) {
            grain_element(&x, &grain);
            fr_add(&state[i], &state[i], &x);
            if (full || i == 0) fr_pow_u64(&state[i], &state[i], 5);
        }
        for (unsigned i = 0; i < t; i++) {
            mixed[i] = fr_zero;
            for (unsigned j = 0; j < t; j++) {
                fr_from_u64(&x, i + j + t);
                fr_inv(&x, &x);
                fr_mul(&x, &x, &state[j]);
                fr_add(&mixed[i], &mixed[i], &x);
            }
        }
        memcpy(state, mixed, sizeof state);
    }
    *r = state[1];
}

static void hashes_are_those_of_the_textbook_permutation(void **unused)
{
    static const struct {
        poseidon_instance instance;
        unsigned arity, partial;
        uint64_t tag;
    } cases[] = {
        {POSEIDON_2, 2, 55, 3},
        {POSEIDON_4, 4, 56, 15},
        {POSEIDON_8, 8, 57, 255},
        {POSEIDON_11, 11, 57, 2047},
        {POSEIDON_2_MD, 2, 55, 1ULL << 40},
    };
    fr_t inputs[POSEIDON_MAX_WIDTH];
    fr_t got;
    fr_t want;

    (void)unused;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        assert_int_equal(poseidon_arity(cases[c].instance), cases[c].arity);
        for (unsigned run = 0; run < 4; run++) {
            /* 0, -1, and elements of full width */
            for (unsigned i = 0; i < cases[c].arity; i++) {
                inputs[i] = run == 0 ? fr_zero : fr_minus_one;
                if (run >= 2) fr_pow_u64(&inputs[i], &fr_generator, 1000 + 77 * run + i);
            }
            poseidon_hash(&got, cases[c].instance, inputs);
            textbook_hash(&want, inputs, cases[c].arity, cases[c].partial, cases[c].tag);
            assert_true(fr_equal(&got, &want));
        }
    }
}

/* The trace is a chain of S-boxes whose inputs are sums of what came before; the twins must agree
 * on it, and its powers with x. */
static void traces_are_the_same_on_all_kernels(void **unused)
{
    (void)unused;
    for (unsigned instance = 0; instance < POSEIDON_INSTANCES; instance++) {
        const poseidon_constants_t *c = poseidon_instance_constants(instance);
        const unsigned n = poseidon_trace_length(c);

        for (unsigned run = 0; run < 40; run++) {
            static fr_t traces[CPU_AVX512_IFMA + 1][POSEIDON_MAX_TRACE];
            const cpu_level level = cpu_level_used();
            fr_t inputs[POSEIDON_MAX_WIDTH];
            fr_t power;

            for (unsigned i = 0; i < c->width - 1; i++) {
                fr_pow_u64(&inputs[i], &fr_generator, 999 * run + i + 1);
                if (run < 4) inputs[i] = run >> i % 2 & 1 ? fr_minus_one : fr_zero;
            }
            for (cpu_level l = CPU_PORTABLE; l <= cpu_level_available(); l++) {
                cpu_level_force(l);
                poseidon_trace(traces[l], instance, inputs);
                assert_memory_equal(traces[l], traces[0], n * sizeof traces[l][0]);
            }
            cpu_level_force(level);
            for (const fr_t *x = traces[0] + (size_t)3 * (c->width - 1); x < traces[0] + n - 1;
                 x += 4) {
                fr_sqr(&power, &x[0]);
                assert_true(fr_equal(&power, &x[1]));
                fr_sqr(&power, &power);
                assert_true(fr_equal(&power, &x[2]));
            }
        }
    }
}

/* Ten hashes at once, so that some are left over, against each alone. */
static void many_traces_are_those_of_each(void **unused)
{
    enum { N = 10 };

    (void)unused;
    for (unsigned instance = 0; instance < POSEIDON_INSTANCES; instance++) {
        const unsigned n = poseidon_trace_length(poseidon_instance_constants(instance));

        for (unsigned run = 0; run < 20; run++) {
            static fr_t room[N][POSEIDON_MAX_TRACE];
            fr_t want[POSEIDON_MAX_TRACE];
            fr_t values[N][POSEIDON_MAX_WIDTH];
            const fr_t *inputs[N];
            fr_t *traces[N];

            for (unsigned k = 0; k < N; k++) {
                inputs[k] = values[k];
                traces[k] = room[k];
                for (unsigned i = 0; i < POSEIDON_MAX_WIDTH; i++) {
                    fr_pow_u64(&values[k][i], &fr_generator, 5000 * run + 99 * k + i);
                    if (run < 2) values[k][i] = (k + run * i) % 2 ? fr_minus_one : fr_zero;
                }
            }
            poseidon_trace_many(traces, instance, inputs, N);
            for (unsigned k = 0; k < N; k++) {
                poseidon_trace(want, instance, inputs[k]);
                assert_memory_equal(room[k], want, n * sizeof want[0]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_those_of_the_reference),
        cmocka_unit_test(hashes_are_those_of_the_textbook_permutation),
        cmocka_unit_test(traces_are_the_same_on_all_kernels),
        cmocka_unit_test(many_traces_are_those_of_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

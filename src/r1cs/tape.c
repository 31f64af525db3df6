/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "r1cs/tape.h"

#include "base/cpu.h"
#include "field/fr_constants.h"

/* 2 in Montgomery form */
#define TWO_LIMBS 0x00000003fffffffc, 0xb1096ff400069004, 0x33189fdfd9789fea, 0x304962b3598a0adf

_Alignas(64) const fr_t tape_small_table[4] = {
    {{0}}, {{FR_ONE_LIMBS}}, {{TWO_LIMBS}}, {{FR_MINUS_ONE_LIMBS}}};

void tape_overrun(cs_t *cs)
{
    cs->tape->overrun = true;
    cs_leave(cs);
}

void tape_begin(tape_t *t, const cs_t *cs, uint32_t n_elements)
{
    t->bits = 0;
    t->kinds = 0;
    t->n_elements = n_elements;
    t->begin_aux = cs->n_aux;
    t->begin_elements = n_elements;
    t->begin_bits = 0;
    t->begin_kinds = 0;
    if (cs->n_aux % 64 == 0 && cs->n_aux < t->end_aux) t->w->rank[cs->n_aux / 64] = n_elements;
#if defined(__x86_64__)
    if (cpu_level_used() == CPU_AVX512_IFMA) {
        t->write_small = tape_write_small_avx512;
        return;
    }
#endif
    t->write_small = tape_write_small_portable;
}

/* Words at both ends of a tape have bits of its neighbours, too. */
static void hand_over(tape_t *t, uint32_t word)
{
    if (word == t->begin_aux / 64) {
        t->begin_bits = t->bits;
        t->begin_kinds = t->kinds;
    }
    (void)__atomic_fetch_or(&t->w->bits[word], t->bits, __ATOMIC_RELAXED);
    (void)__atomic_fetch_or(&t->w->is_bit[word], t->kinds, __ATOMIC_RELAXED);
    t->bits = 0;
    t->kinds = 0;
}

void tape_flush(tape_t *t, uint32_t aux)
{
    hand_over(t, aux / 64 - 1);
    if (aux < t->end_aux) t->w->rank[aux / 64] = t->n_elements;
}

fr_t *tape_elements(cs_t *cs, uint32_t n)
{
    tape_t *t = cs->tape;
    fr_t *values = t->w->elements + t->n_elements;

    if (n > t->end_aux - cs->n_aux || n > t->end_elements - t->n_elements) tape_overrun(cs);
    while (n > 0) {
        const uint32_t room = 64 - cs->n_aux % 64;
        const uint32_t count = n < room ? n : room;

        cs->n_aux += count;
        t->n_elements += count;
        n -= count;
        if (cs->n_aux % 64 == 0) tape_flush(t, cs->n_aux);
    }
    return values;
}

void tape_end(tape_t *t, const cs_t *cs)
{
    if (cs->n_aux % 64 != 0) hand_over(t, cs->n_aux / 64);
}

const fr_t *tape_value(const cs_t *cs, var_t var)
{
    const tape_t *t = cs->tape;
    const uint32_t i = var & ~VAR_AUX;
    const uint32_t word = i / 64;
    const uint64_t bit = (uint64_t)1 << i % 64;
    uint64_t below = bit - 1;
    uint64_t kinds, bits;
    uint32_t index;

    if (!(var & VAR_AUX)) return &t->w->inputs[i];
    VERIFY(i >= t->begin_aux && i < cs->n_aux);
    if (word == t->begin_aux / 64) {
        bits = t->begin_bits;
        kinds = t->begin_kinds;
        index = t->begin_elements;
        below &= ~(((uint64_t)1 << t->begin_aux % 64) - 1);
    } else {
        bits = __atomic_load_n(&t->w->bits[word], __ATOMIC_RELAXED);
        kinds = __atomic_load_n(&t->w->is_bit[word], __ATOMIC_RELAXED);
        index = t->w->rank[word];
    }
    if (word == cs->n_aux / 64) {
        bits |= t->bits;
        kinds |= t->kinds;
    }
    if (kinds & bit) return bits & bit ? &fr_one : &fr_zero;
    return &t->w->elements[index + (uint32_t)__builtin_popcountll(~kinds & below)];
}

void tape_write_small_portable(fr_t *r, unsigned n, small_values_t values)
{
    for (unsigned i = 0; i < n; i++)
        r[i] = tape_small_table[(values.lo >> i & 1) | (values.hi >> i & 1) << 1];
}

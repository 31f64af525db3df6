/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gadget/uint32.h"

void uint32_constant(uint32_bits_t *r, uint32_t value)
{
    for (unsigned i = 0; i < UINT32_BITS; i++) r->bits[i] = boolean_constant(value >> i & 1);
}

uint32_t uint32_value(const uint32_bits_t *a)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < UINT32_BITS; i++) value |= (uint32_t)a->bits[i].value << i;
    return value;
}

void uint32_to_bits_be(boolean_t *bits, const uint32_bits_t *a)
{
    for (unsigned i = 0; i < UINT32_BITS; i++) bits[i] = a->bits[UINT32_BITS - 1 - i];
}

void uint32_rotr(uint32_bits_t *r, const uint32_bits_t *a, unsigned by)
{
    VERIFY(r != a && by > 0 && by < UINT32_BITS);
    for (unsigned i = 0; i < UINT32_BITS; i++) r->bits[i] = a->bits[(i + by) % UINT32_BITS];
}

void uint32_shr(uint32_bits_t *r, const uint32_bits_t *a, unsigned by)
{
    VERIFY(r != a && by > 0 && by < UINT32_BITS);
    for (unsigned i = 0; i < UINT32_BITS; i++)
        r->bits[i] = i + by < UINT32_BITS ? a->bits[i + by] : boolean_constant(false);
}

void uint32_xor(cs_t *cs, uint32_bits_t *r, const uint32_bits_t *a, const uint32_bits_t *b)
{
    for (unsigned i = 0; i < UINT32_BITS; i++) r->bits[i] = boolean_xor(cs, a->bits[i], b->bits[i]);
}

void uint32_ch(cs_t *cs, uint32_bits_t *r, const uint32_bits_t *a, const uint32_bits_t *b,
               const uint32_bits_t *c)
{
    for (unsigned i = 0; i < UINT32_BITS; i++)
        r->bits[i] = boolean_ch(cs, a->bits[i], b->bits[i], c->bits[i]);
}

void uint32_maj(cs_t *cs, uint32_bits_t *r, const uint32_bits_t *a, const uint32_bits_t *b,
                const uint32_bits_t *c)
{
    for (unsigned i = 0; i < UINT32_BITS; i++)
        r->bits[i] = boolean_maj(cs, a->bits[i], b->bits[i], c->bits[i]);
}

static bool all_constant(const uint32_bits_t *const *operands, unsigned n)
{
    for (unsigned j = 0; j < n; j++) {
        for (unsigned i = 0; i < UINT32_BITS; i++)
            if (operands[j]->bits[i].kind != BOOLEAN_CONSTANT) return false;
    }
    return true;
}

static void add_operand(multieq_t *m, const uint32_bits_t *a)
{
    uint64_t constant = 0;

    for (unsigned i = 0; i < UINT32_BITS; i++) {
        const boolean_t bit = a->bits[i];

        if (bit.kind == BOOLEAN_CONSTANT)
            constant |= (uint64_t)bit.value << i;
        else
            multieq_add_left(m, bit.var, i, bit.kind == BOOLEAN_NOT);
    }
    multieq_add_left_constant(m, constant);
}

void uint32_add_many(multieq_t *m, uint32_bits_t *r, const uint32_bits_t *const *operands,
                     unsigned n)
{
    const uint64_t greatest = (uint64_t)n * UINT32_MAX;
    const unsigned n_bits = 64 - (unsigned)__builtin_clzll(greatest);
    boolean_t sum_bits[UINT32_BITS + 4];
    uint64_t sum = 0;

    VERIFY(n >= 2 && n <= MULTIEQ_MAX_OPERANDS && n_bits <= UINT32_BITS + 4);
    for (unsigned j = 0; j < n; j++) sum += uint32_value(operands[j]);
    if (all_constant(operands, n)) {
        uint32_constant(r, (uint32_t)sum);
        return;
    }
    for (unsigned i = 0; i < n_bits; i++) sum_bits[i] = boolean_alloc(m->cs, sum >> i & 1);
    multieq_open(m, n_bits);
    for (unsigned j = 0; j < n; j++) add_operand(m, operands[j]);
    for (unsigned i = 0; i < n_bits; i++) multieq_add_right(m, sum_bits[i].var, i);
    memcpy(r->bits, sum_bits, sizeof r->bits);
}

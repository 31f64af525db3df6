/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gadget/sha256_message.h"

#include "gadget/packing.h"

void sha256_message_open(sha256_message_t *m, cs_t *cs, size_t max_bytes)
{
    VERIFY(max_bytes <= SHA256_MESSAGE_MAX_BYTES);
    m->cs = cs;
    m->bits = NULL;
    m->n_bytes = 0;
    if (!cs->values_only) m->bits = arena_alloc(&cs->arena, 8 * max_bytes, sizeof *m->bits);
}

void sha256_message_add_constant(sha256_message_t *m, uint32_t value, size_t n_bytes)
{
    boolean_t bits[32];

    for (size_t i = 0; i < 8 * n_bytes; i++)
        bits[i] = boolean_constant(value >> (8 * n_bytes - 1 - i) & 1);
    sha256_message_add_bits(m, bits, 8 * n_bytes);
}

void sha256_message_add_bits(sha256_message_t *m, const boolean_t *bits, size_t n)
{
    uint8_t *bytes = m->bytes + m->n_bytes;

    VERIFY(n % 8 == 0);
    if (m->bits != NULL) {
        memcpy(m->bits + 8 * m->n_bytes, bits, n * sizeof *bits);
    } else {
        memset(bytes, 0, n / 8);
        for (size_t i = 0; i < n; i++)
            bytes[i / 8] = (uint8_t)(bytes[i / 8] << 1 | (bits[i].value ? 1 : 0));
    }
    m->n_bytes += n / 8;
}

void sha256_message_add_num(sha256_message_t *m, const num_t *a)
{
    boolean_t bits[FR_BITS];

    if (m->bits == NULL) {
        fr_to_bytes(m->bytes + m->n_bytes, &a->value);
    } else {
        num_to_bits(m->cs, bits, a);
        packing_swap_bytes(m->bits + 8 * m->n_bytes, bits, FR_BITS);
    }
    m->n_bytes += FR_BYTES;
}

void sha256_message_repeat(sha256_message_t *m, size_t from, size_t n_bytes)
{
    VERIFY(from + n_bytes <= m->n_bytes);
    if (m->bits != NULL)
        memcpy(m->bits + 8 * m->n_bytes, m->bits + 8 * from, 8 * n_bytes * sizeof *m->bits);
    else
        memcpy(m->bytes + m->n_bytes, m->bytes + from, n_bytes);
    m->n_bytes += n_bytes;
}

num_t sha256_message_hash(const sha256_message_t *m)
{
    uint8_t digest[SHA256_BYTES];
    num_t r = num_value_only(&fr_zero);

    if (m->bits != NULL) return sha256_circuit_num(m->cs, m->bits, 8 * m->n_bytes);
    sha256(digest, m->bytes, m->n_bytes);
    digest[SHA256_BYTES - 1] &= 0x3f;
    (void)fr_from_bytes(&r.value, digest); /* below 2^254, so below the modulus */
    return r;
}

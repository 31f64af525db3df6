/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "field/fr.h"

#include "base/random.h"
#include "base/verify.h"
#include "field/fr_constants.h"

const fr_t fr_zero = {{0}};
const fr_t fr_one = {{FR_ONE_LIMBS}};
const fr_t fr_minus_one = {{FR_MINUS_ONE_LIMBS}};
const fr_t fr_generator = {{FR_GENERATOR_LIMBS}};
const scalar_t fr_modulus = {{FR_MODULUS_LIMBS}};

static const fr_t roots[FR_TWO_ADICITY + 1] = {FR_ROOT_OF_UNITY_LIMBS};

void fr_from_u64(fr_t *r, uint64_t v)
{
    const scalar_t s = {{v, 0, 0, 0}};

    fr_from_scalar(r, &s);
}

void fr_pow_u64(fr_t *r, const fr_t *base, uint64_t exponent)
{
    fr_t power = *base;
    fr_t product = fr_one;

    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) fr_mul(&product, &product, &power);
        fr_sqr(&power, &power);
    }
    *r = product;
}

bool scalar_is_canonical(const scalar_t *s)
{
    for (int i = 3; i >= 0; i--)
        if (s->l[i] != fr_modulus.l[i]) return s->l[i] < fr_modulus.l[i];
    return false;
}

bool fr_from_bytes(fr_t *r, const uint8_t bytes[FR_BYTES])
{
    scalar_t s;

    memcpy(s.l, bytes, FR_BYTES);
    if (!scalar_is_canonical(&s)) return false;
    fr_from_scalar(r, &s);
    return true;
}

void fr_root_of_unity(fr_t *root, unsigned lg_n)
{
    VERIFY(lg_n <= FR_TWO_ADICITY);
    *root = roots[lg_n];
}

cuzk_status fr_random(fr_t *a, cuzk_error *err)
{
    scalar_t s;
    cuzk_status st;

    do {
        st = random_bytes(s.l, sizeof s.l, err);
        if (st != CUZK_OK) break;
        s.l[3] &= UINT64_MAX >> (256 - FR_BITS); /* two draws at most, on average */
    } while (!scalar_is_canonical(&s));
    if (st == CUZK_OK) fr_from_scalar(a, &s);
    mem_wipe(&s, sizeof s);
    return st;
}

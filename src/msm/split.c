/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/group.h"

#include "base/verify.h"

typedef unsigned __int128 u128;

/* z = -Z is the curve's parameter; r = Z^4 - Z^2 + 1 and LAMBDA = Z^2 - 1. */
#define Z           0xd201000000010000ULL
#define LAMBDA_HIGH 0xac45a4010001a402ULL
#define LAMBDA_LOW  0x00000000ffffffffULL
#define LAMBDA      ((u128)LAMBDA_HIGH << 64 | LAMBDA_LOW)

const fp_t msm_beta = {{0xcd03c9e48671f071, 0x5dab22461fcda5d2, 0x587042afd3851b95,
                        0x8eb60ebe01bacb9e, 0x03f97d6e83d050d2, 0x18f0206554638741}};
const fp_t msm_psi_x = {{0x890dc9e4867545c3, 0x2af322533285a5d5, 0x50880866309b7e2c,
                         0xa20d1b8c7e881024, 0x14e4f04fe2db9068, 0x14e56d3f1564853a}};
const fp_t msm_psi_y = {{0x3e2f585da55c9ad1, 0x4294213d86c18183, 0x382844c88b623732,
                         0x92ad2afd19103e18, 0x1d794e4fac7cf0b9, 0x0bd592fc7d825ec8}};

/* k = r - k when that is smaller; true when it was changed. */
static bool centre(uint64_t k[4], const scalar_t *scalar)
{
    uint64_t minus[4];
    unsigned char borrow = 0;

    for (int i = 0; i < 4; i++) {
        const u128 d = (u128)fr_modulus.l[i] - scalar->l[i] - borrow;

        minus[i] = (uint64_t)d;
        borrow = (d >> 64) != 0;
    }
    bool smaller = false;
    for (int i = 0; i < 4; i++)
        if (minus[i] != scalar->l[i]) smaller = minus[i] < scalar->l[i];
    for (int i = 0; i < 4; i++) k[i] = smaller ? minus[i] : scalar->l[i];
    return smaller;
}

/* (high, low) / LAMBDA for high < LAMBDA: one step of long division by 2^64 words; the remainder
 * goes to *remainder. LAMBDA's top bit is set, so the estimate from the top words is at most two
 * too big. */
static uint64_t divide_step(u128 *remainder, u128 high, uint64_t low)
{
    const uint64_t top = (uint64_t)(high >> 64);
    u128 q = top >= LAMBDA_HIGH ? UINT64_MAX : high / LAMBDA_HIGH;
    u128 product = q * LAMBDA_LOW;
    u128 left = high - q * LAMBDA_HIGH; /* may exceed a word: then q is right or too small */

    while (left >> 64 == 0 && product > (left << 64 | low)) {
        q--;
        product -= LAMBDA_LOW;
        left += LAMBDA_HIGH;
    }
    *remainder = (left << 64 | low) - product;
    return (uint64_t)q;
}

void msm_split_g1(uint64_t magnitude[MSM_MAX_ENDO][2], bool negative[MSM_MAX_ENDO],
                  const scalar_t *scalar)
{
    uint64_t k[4];
    const bool flipped = centre(k, scalar);
    u128 remainder = (u128)k[3] << 64 | k[2]; /* below LAMBDA: k < r / 2 */
    u128 quotient = (u128)divide_step(&remainder, remainder, k[1]) << 64;

    quotient |= divide_step(&remainder, remainder, k[0]);
    const bool round_up = remainder > LAMBDA / 2;
    if (round_up) {
        quotient++;
        remainder = LAMBDA - remainder;
    }
    magnitude[0][0] = (uint64_t)remainder;
    magnitude[0][1] = (uint64_t)(remainder >> 64);
    magnitude[1][0] = (uint64_t)quotient;
    magnitude[1][1] = (uint64_t)(quotient >> 64);
    negative[0] = flipped != round_up;
    negative[1] = flipped;
}

/* k /= Z in place; the remainder. */
static uint64_t divide_by_z(uint64_t k[4])
{
    uint64_t remainder = 0;

    for (int i = 3; i >= 0; i--) {
        const u128 n = (u128)remainder << 64 | k[i];

        k[i] = (uint64_t)(n / Z);
        remainder = (uint64_t)(n % Z);
    }
    return remainder;
}

void msm_split_g2(uint64_t magnitude[MSM_MAX_ENDO][2], bool negative[MSM_MAX_ENDO],
                  const scalar_t *scalar)
{
    uint64_t k[4];
    const bool flipped = centre(k, scalar);

    for (int m = 0; m < 3; m++) {
        uint64_t digit = divide_by_z(k);
        const bool round_up = digit > Z / 2;

        if (round_up) {
            digit = Z - digit;
            for (int i = 0; i < 4 && ++k[i] == 0; i++) continue;
        }
        magnitude[m][0] = digit;
        magnitude[m][1] = 0;
        negative[m] = (flipped != round_up) != (m % 2 == 1); /* z is negative */
    }
    VERIFY(k[1] == 0 && k[2] == 0 && k[3] == 0 && k[0] <= Z / 2 + 1);
    magnitude[3][0] = k[0];
    magnitude[3][1] = 0;
    negative[3] = !flipped;
}

void msm_digits(int32_t *digit, uint32_t n_windows, uint32_t window_bits, const uint64_t *magnitude,
                uint32_t n_words, bool negative)
{
    const uint32_t mask = (1U << window_bits) - 1;
    int32_t carry = 0;

    for (uint32_t w = 0; w < n_windows; w++) {
        const uint32_t word = w * window_bits / 64;
        const uint32_t shift = w * window_bits % 64;
        uint64_t bits = word < n_words ? magnitude[word] >> shift : 0;

        if (shift > 0 && word + 1 < n_words) bits |= magnitude[word + 1] << (64 - shift);
        int32_t d = (int32_t)(bits & mask) + carry;
        carry = d > (int32_t)(1U << (window_bits - 1));
        if (carry) d -= (int32_t)(mask + 1);
        digit[w] = negative ? -d : d;
    }
    VERIFY(carry == 0);
}

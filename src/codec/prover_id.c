/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/prover_id.h"

#include <string.h>

void prover_id_from_miner(uint8_t id[PROVER_ID_BYTES], uint64_t miner)
{
    memset(id, 0, PROVER_ID_BYTES);
    for (; miner > 0x7f; miner >>= 7) *id++ = (uint8_t)(miner | 0x80);
    *id = (uint8_t)miner;
}

uint64_t prover_id_to_miner(const uint8_t id[PROVER_ID_BYTES])
{
    enum { GROUPS = 10 }; /* of seven bits in 64 */
    uint64_t miner = 0;

    for (unsigned i = 0; i < GROUPS; i++) {
        miner |= (uint64_t)(id[i] & 0x7f) << (7 * i);
        if ((id[i] & 0x80) == 0) break;
    }
    return miner;
}

cuzk_status prover_id_parse_miner(uint64_t *miner, const char *text, const char *field,
                                  cuzk_error *err)
{
    const char *digits = text;
    uint64_t value = 0;

    if (text[0] == 'f' || text[0] == 't') {
        if (text[1] >= '1' && text[1] <= '4')
            return error_set(err, CUZK_ERR_ARG,
                             "%s: %.80s: an address of class %c, expected a number or %c0...",
                             field, text, text[1], text[0]);
        digits = text[1] == '0' ? text + 2 : "";
    }
    if (*digits == '\0' || strspn(digits, "0123456789") != strlen(digits))
        return error_set(err, CUZK_ERR_ARG, "%s: %.80s: not a number or f0...", field, text);
    for (; *digits != '\0'; digits++) {
        const uint64_t digit = (uint64_t)(*digits - '0');

        if (value > (UINT64_MAX - digit) / 10)
            return error_set(err, CUZK_ERR_ARG, "%s: %.80s: above 2^64 - 1", field, text);
        value = 10 * value + digit;
    }
    *miner = value;
    return CUZK_OK;
}

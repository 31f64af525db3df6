/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hash/blake2b.h"

#include <tomcrypt.h>

#include "base/verify.h"

static void require(int status)
{
    VERIFY(status == CRYPT_OK); /* libtomcrypt refuses nothing but wrong arguments */
    (void)status;
}

void blake2b(uint8_t *digest, size_t digest_bytes, const void *bytes, size_t n)
{
    blake2b_keyed(digest, digest_bytes, NULL, 0, bytes, n);
}

void blake2b_keyed(uint8_t *digest, size_t digest_bytes, const void *key, size_t key_bytes,
                   const void *bytes, size_t n)
{
    hash_state state;

    require(blake2b_init(&state, digest_bytes, key, key_bytes));
    require(blake2b_process(&state, bytes, n));
    require(blake2b_done(&state, digest));
}

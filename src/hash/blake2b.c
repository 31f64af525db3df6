/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hash/blake2b.h"

#include <stdlib.h>
#include <tomcrypt.h>

#include "base/memory.h"
#include "base/verify.h"

struct blake2b {
    hash_state state;
};

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

blake2b_t *blake2b_open(size_t digest_bytes, cuzk_error *err)
{
    blake2b_t *blake = mem_alloc(1, sizeof *blake, "a digest", err);

    if (blake != NULL) require(blake2b_init(&blake->state, digest_bytes, NULL, 0));
    return blake;
}

void blake2b_add(blake2b_t *blake, const void *bytes, size_t n)
{
    require(blake2b_process(&blake->state, bytes, n));
}

void blake2b_close(blake2b_t *blake, uint8_t *digest)
{
    require(blake2b_done(&blake->state, digest));
    free(blake);
}

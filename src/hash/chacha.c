/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hash/chacha.h"

#include <tomcrypt.h>

#include "base/verify.h"

enum { BLOCK_BYTES = 64 };

static void require(int status)
{
    VERIFY(status == CRYPT_OK); /* libtomcrypt refuses nothing but wrong arguments */
    (void)status;
}

void chacha_read(uint8_t *out, size_t n, const chacha_stream_t *stream, uint64_t offset)
{
    uint8_t skipped[BLOCK_BYTES];
    chacha_state state;

    require(chacha_setup(&state, stream->key, sizeof stream->key, stream->rounds));
    require(chacha_ivctr32(&state, stream->nonce, sizeof stream->nonce,
                           (ulong32)(offset / BLOCK_BYTES)));
    if (offset % BLOCK_BYTES != 0) {
        require(chacha_keystream(&state, skipped, offset % BLOCK_BYTES));
    }
    if (n != 0) require(chacha_keystream(&state, out, n));
    require(chacha_done(&state));
}

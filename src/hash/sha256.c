/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hash/sha256.h"

/* The functions without a context on the heap: they cannot fail. OpenSSL 3 has them, and marks them
 * as those of an older interface. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "base/verify.h"

_Static_assert(sizeof(SHA256_CTX) <= sizeof(((sha256_t *)0)->context), "room for libcrypto's");

static void require(int good)
{
    VERIFY(good == 1); /* they return 1 always */
    (void)good;
}

void sha256_init(sha256_t *h)
{
    require(SHA256_Init((SHA256_CTX *)h->context));
}

void sha256_update(sha256_t *h, const void *bytes, size_t n)
{
    require(SHA256_Update((SHA256_CTX *)h->context, bytes, n));
}

void sha256_final(uint8_t digest[SHA256_BYTES], sha256_t *h)
{
    require(SHA256_Final(digest, (SHA256_CTX *)h->context));
}

void sha256(uint8_t digest[SHA256_BYTES], const void *bytes, size_t n)
{
    sha256_t h;

    sha256_init(&h);
    sha256_update(&h, bytes, n);
    sha256_final(digest, &h);
}

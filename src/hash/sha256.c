/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hash/sha256.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

static void require(int good)
{
    if (good != 1) {
        (void)fprintf(stderr, "cuzk: libcrypto's SHA-256 failed\n");
        abort();
    }
}

void sha256_init(sha256_t *h)
{
    h->context = EVP_MD_CTX_new();
    require(h->context != NULL && EVP_DigestInit_ex(h->context, EVP_sha256(), NULL) == 1);
}

void sha256_update(sha256_t *h, const void *bytes, size_t n)
{
    require(EVP_DigestUpdate(h->context, bytes, n));
}

void sha256_final(uint8_t digest[SHA256_BYTES], sha256_t *h)
{
    require(EVP_DigestFinal_ex(h->context, digest, NULL));
    EVP_MD_CTX_free(h->context);
    h->context = NULL;
}

void sha256(uint8_t digest[SHA256_BYTES], const void *bytes, size_t n)
{
    sha256_t h;

    sha256_init(&h);
    sha256_update(&h, bytes, n);
    sha256_final(digest, &h);
}

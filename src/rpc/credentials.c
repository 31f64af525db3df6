/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpc/credentials.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"

enum { MAX_TOKEN = 4096, MAX_PEM = 1 << 20 };

/* A secret that others can replace is none. */
static cuzk_status check_writers(const char *path, const char *what, cuzk_error *err)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return error_set(err, CUZK_ERR_MISSING, "%s %s: %s", what, path, strerror(errno));
    if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return error_set(err, CUZK_ERR_ARG,
                         "%s %s: mode %04o: others than its owner can write to it", what, path,
                         (unsigned)st.st_mode & 07777);
    return CUZK_OK;
}

cuzk_status token_read(char **token, const char *path, const char *what, cuzk_error *err)
{
    uint8_t *bytes;
    size_t length, n = 0;

    *token = NULL;
    if (check_writers(path, what, err) != CUZK_OK) return err->status;
    if (file_read(&bytes, &length, path, MAX_TOKEN + 2, err) != CUZK_OK)
        return error_within(err, "%s", what);
    while (n < length && bytes[n] != '\n' && bytes[n] != '\r') n++;
    bytes[n] = 0;
    *token = (char *)bytes;
    if (n == 0 || n > MAX_TOKEN)
        (void)error_set(err, CUZK_ERR_FORMAT,
                        "%s %s: its first line has %zu bytes, 1 to %d allowed", what, path, n,
                        MAX_TOKEN);
    else if (strspn(*token, "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`"
                            "abcdefghijklmnopqrstuvwxyz{|}~") != n)
        (void)error_set(err, CUZK_ERR_FORMAT,
                        "%s %s: its first line has characters other than visible ASCII", what,
                        path);
    else
        return CUZK_OK;
    token_free(*token);
    *token = NULL;
    return err->status;
}

void token_free(char *token)
{
    if (token == NULL) return;
    mem_wipe(token, strlen(token));
    free(token);
}

bool token_matches(const char *token, const char *value, size_t length)
{
    static const char scheme[] = "Bearer ";
    const size_t n = sizeof scheme - 1;

    if (token == NULL || length != n + strlen(token)) return false;
    return (CRYPTO_memcmp(value, scheme, n) | CRYPTO_memcmp(value + n, token, length - n)) == 0;
}

static cuzk_status read_pem(char **text, const char *path, const char *what, cuzk_error *err)
{
    uint8_t *bytes;
    size_t length;

    if (path == NULL) return CUZK_OK;
    if (file_read(&bytes, &length, path, MAX_PEM, err) != CUZK_OK)
        return error_within(err, "%s", what);
    *text = (char *)bytes;
    if (strlen(*text) != length)
        return error_set(err, CUZK_ERR_FORMAT, "%s %s: is not a PEM text", what, path);
    return CUZK_OK;
}

static X509 *first_certificate(const char *text)
{
    BIO *bio = BIO_new_mem_buf(text, -1);
    X509 *found = bio == NULL ? NULL : PEM_read_bio_X509(bio, NULL, NULL, NULL);

    (void)BIO_free(bio);
    return found;
}

/* A key with a password is not asked for it. */
static int no_password(char *to, int size, int is_writing, void *arg)
{
    (void)to;
    (void)size;
    (void)is_writing;
    (void)arg;
    return -1;
}

static EVP_PKEY *first_key(const char *text)
{
    BIO *bio = BIO_new_mem_buf(text, -1);
    EVP_PKEY *found = bio == NULL ? NULL : PEM_read_bio_PrivateKey(bio, NULL, no_password, NULL);

    (void)BIO_free(bio);
    return found;
}

static cuzk_status check_certificate(const char *text, const char *path, const char *what,
                                     cuzk_error *err)
{
    X509 *found = text == NULL ? NULL : first_certificate(text);

    if (text != NULL && found == NULL)
        return error_set(err, CUZK_ERR_FORMAT, "%s %s: has no certificate in PEM", what, path);
    X509_free(found);
    return CUZK_OK;
}

static cuzk_status check_pair(const pem_t *pem, const char *certificate, const char *key,
                              cuzk_error *err)
{
    EVP_PKEY *own = first_key(pem->key);
    X509 *signed_key = first_certificate(pem->certificate);
    const bool is_pair =
        own != NULL && signed_key != NULL && X509_check_private_key(signed_key, own) == 1;

    if (own == NULL)
        (void)error_set(err, CUZK_ERR_FORMAT,
                        "tls_key %s: has no private key in PEM, or one with a password", key);
    else if (!is_pair)
        (void)error_set(err, CUZK_ERR_FORMAT, "tls_key %s: is not the key of tls_certificate %s",
                        key, certificate);
    EVP_PKEY_free(own);
    X509_free(signed_key);
    return is_pair ? CUZK_OK : err->status;
}

cuzk_status pem_read(pem_t *pem, const char *certificate, const char *key, const char *authorities,
                     const char *authorities_name, cuzk_error *err)
{
    *pem = (pem_t){NULL, NULL, NULL};
    if ((certificate == NULL) != (key == NULL))
        return error_set(err, CUZK_ERR_ARG, "%s: is given without %s",
                         key == NULL ? "tls_certificate" : "tls_key",
                         key == NULL ? "tls_key" : "tls_certificate");
    cuzk_status status = key == NULL ? CUZK_OK : check_writers(key, "tls_key", err);
    if (status == CUZK_OK)
        status = read_pem(&pem->certificate, certificate, "tls_certificate", err);
    if (status == CUZK_OK) status = read_pem(&pem->key, key, "tls_key", err);
    if (status == CUZK_OK) status = read_pem(&pem->authorities, authorities, authorities_name, err);
    if (status == CUZK_OK)
        status = check_certificate(pem->certificate, certificate, "tls_certificate", err);
    if (status == CUZK_OK)
        status = check_certificate(pem->authorities, authorities, authorities_name, err);
    if (status == CUZK_OK && key != NULL) status = check_pair(pem, certificate, key, err);
    if (status != CUZK_OK) pem_clear(pem);
    return status;
}

void pem_clear(pem_t *pem)
{
    if (pem->key != NULL) mem_wipe(pem->key, strlen(pem->key));
    free(pem->certificate);
    free(pem->key);
    free(pem->authorities);
    *pem = (pem_t){NULL, NULL, NULL};
}

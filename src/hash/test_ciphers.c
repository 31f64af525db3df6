/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/bytes.h"
#include "hash/blake2b.h"
#include "hash/chacha.h"

static void expect_hex(const uint8_t *bytes, size_t n, const char *hex)
{
    uint8_t want[128];

    assert_true(n <= sizeof want && bytes_from_hex(want, n, hex, strlen(hex)));
    assert_memory_equal(bytes, want, n);
}

/* RFC 7693, appendix A; the keyed one is the second of the BLAKE2 authors' blake2b-kat */
static void test_blake2b(void **state)
{
    uint8_t digest[64], key[64];

    (void)state;
    blake2b(digest, 64, "abc", 3);
    expect_hex(digest, 64,
               "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
               "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
    for (size_t i = 0; i < 64; i++) key[i] = (uint8_t)i;
    blake2b_keyed(digest, 64, key, 64, "", 0);
    expect_hex(digest, 64,
               "10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786"
               "b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568");
    blake2b(digest, 32, "", 0);
    expect_hex(digest, 32, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
}

static void test_blake2b_by_pieces(void **state)
{
    uint8_t bytes[1000], whole[64], pieces[64];
    cuzk_error err;

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * i);
    blake2b(whole, 64, bytes, sizeof bytes);
    for (size_t step = 1; step < sizeof bytes; step += 97) {
        blake2b_t *blake = blake2b_open(64, &err);

        assert_non_null(blake);
        for (size_t at = 0; at < sizeof bytes; at += step)
            blake2b_add(blake, bytes + at, sizeof bytes - at < step ? sizeof bytes - at : step);
        blake2b_close(blake, pieces);
        assert_memory_equal(whole, pieces, 64);
    }
}

/* RFC 8439, section 2.3.2 (20 rounds); eight rounds: draft-strombergson-chacha-test-vectors TC1 */
static void test_chacha_vectors(void **state)
{
    chacha_stream_t stream = {.nonce = {0, 0, 0, 9, 0, 0, 0, 0x4a}, .rounds = 20};
    const chacha_stream_t zero = {.rounds = 8};
    uint8_t out[64];

    (void)state;
    for (size_t i = 0; i < 32; i++) stream.key[i] = (uint8_t)i;
    chacha_read(out, 64, &stream, 64);
    expect_hex(out, 64,
               "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
               "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e");
    chacha_read(out, 64, &zero, 0);
    expect_hex(out, 64,
               "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
               "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42");
}

/* any part of the stream is that part of the whole */
static void test_chacha_seek(void **state)
{
    chacha_stream_t stream = {.key = {1, 2, 3}, .nonce = {4, 5, 6}, .rounds = 20};
    uint8_t whole[300], part[300];

    (void)state;
    chacha_read(whole, sizeof whole, &stream, 0);
    for (size_t from = 0; from < sizeof whole; from += 7) {
        const size_t n = sizeof whole - from;
        chacha_read(part, n, &stream, from);
        assert_memory_equal(part, whole + from, n);
    }
    stream.rounds = 8;
    chacha_read(part, sizeof part, &stream, 0);
    assert_memory_not_equal(part, whole, sizeof part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blake2b),
        cmocka_unit_test(test_blake2b_by_pieces),
        cmocka_unit_test(test_chacha_vectors),
        cmocka_unit_test(test_chacha_seek),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

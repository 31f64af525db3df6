/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "codec/base64.h"
#include "codec/bincode.h"
#include "codec/commitment.h"
#include "codec/prover_id.h"
#include "codec/vanilla_list.h"
#include "field/fr.h"

static cuzk_error err;

static void assert_says(const char *part)
{
    if (strstr(err.text, part) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, part);
}

/* ---- base64 ---- */

static void base64_vectors_of_rfc_4648(void **unused)
{
    static const char *const vectors[][2] = {
        {"f", "Zg=="},        {"fo", "Zm8="},        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const char *plain = vectors[i][0], *coded = vectors[i][1];
        uint8_t bytes[16];
        char text[16];
        size_t n;

        assert_int_equal(base64_read(bytes, &n, coded, strlen(coded), "x", &err), CUZK_OK);
        assert_int_equal(n, strlen(plain));
        assert_memory_equal(bytes, plain, n);
        base64_write(text, bytes, n);
        assert_string_equal(text, coded);
    }
}

static void base64_returns_all_bytes(void **unused)
{
    uint8_t bytes[256], back[256];
    char text[400];
    size_t n;

    (void)unused;
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 167 + 13);
    for (size_t length = 1; length <= sizeof bytes; length++) {
        base64_write(text, bytes, length);
        assert_int_equal(strlen(text), base64_length(length));
        assert_int_equal(base64_read(back, &n, text, strlen(text), "x", &err), CUZK_OK);
        assert_int_equal(n, length);
        assert_memory_equal(back, bytes, length);
    }
}

static void base64_is_strict(void **unused)
{
    static const char *const cases[][2] = {
        {"", "x: empty"},
        {"Zm9-", "'-' at 3 is of the URL-safe"},
        {"_m9v", "'_' at 0 is of the URL-safe"},
        {"Zm8", "3 base64 characters, expected a multiple of 4"},
        {"Zg", "2 base64 characters"},
        {"Zm9v\n", "white space in base64 at 4"},
        {"Zm9\nZm9v", "white space in base64 at 3"},
        {"Zm9v Zm9", "white space in base64 at 4"},
        {"Zm9*", "byte 0x2a at 3"},
        {"Zm9\xc3", "byte 0xc3 at 3"},
        {"Zh==", "padding"}, /* bits after the byte */
        {"Zm9=", "padding"},
        {"Z===", "padding"},
        {"====", "padding"},
        {"Zg==Zm9v", "padding"},
        {"Zm=v", "padding"},
        {"Zg==Zg==", "padding"},
    };
    uint8_t bytes[16];
    size_t n;

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i][0];

        assert_int_equal(base64_read(bytes, &n, text, strlen(text), "x", &err), CUZK_ERR_FORMAT);
        assert_int_equal(n, 0);
        assert_says(cases[i][1]);
    }
}

/* Every text of four characters decodes exactly when encoding gives it back. */
static void base64_is_canonical(void **unused)
{
    static const char alphabet[] = "AZaz09+/=-\n!Bg";
    const size_t radix = sizeof alphabet - 1;
    uint8_t bytes[3];
    size_t n;

    (void)unused;
    for (size_t i = 0; i < radix * radix * radix * radix; i++) {
        const char text[5] = {alphabet[i % radix], alphabet[i / radix % radix],
                              alphabet[i / radix / radix % radix],
                              alphabet[i / radix / radix / radix], 0};
        char again[5];

        if (base64_read(bytes, &n, text, 4, "x", &err) != CUZK_OK) continue;
        assert_in_range(n, 1, 3);
        base64_write(again, bytes, n);
        assert_string_equal(again, text);
    }
}

/* ---- vanilla lists ---- */

static void vanilla_lists_are_decoded_in_order(void **unused)
{
    uint8_t text[64 + 64] = "[\"Zm9v\" , \"Zg==\",\"\\u005am9vYg==\"]";
    vanilla_list_t list;

    (void)unused;
    assert_int_equal(vanilla_list_read(&list, "v", text, strlen((char *)text), 3, &err), CUZK_OK);
    assert_int_equal(list.n, 3);
    assert_int_equal(list.items[0].length, 3);
    assert_memory_equal(list.items[0].bytes, "foo", 3);
    assert_int_equal(list.items[1].length, 1);
    assert_memory_equal(list.items[2].bytes, "foob", 4);
    vanilla_list_clear(&list);
    assert_int_equal(vanilla_list_read(&list, "v", text, strlen((char *)text), 2, &err),
                     CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "v: more than 2 items");
    vanilla_list_clear(&list);
}

static void faults_of_vanilla_lists_name_the_item(void **unused)
{
    static const char *const cases[][2] = {
        {"[]", "v: 0 items, expected at least 1"},
        {"[\"Zm9v\",\"\"]", "v[1]: item: empty"},
        {"[\"Zm9v\",\"Zm9v\\n\"]", "v[1]: item: white space"},
        {"[\"Zm9v\",7]", "v[1]: found a number, expected a string"},
        {"[\"Zm9v\",[\"Zm9v\"]]", "v[1]: found an array, expected a string"},
        {"{\"a\":\"Zm9v\"}", "v: found an object, expected an array"},
        {"\"Zm9v\"", "v: not valid JSON"},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t text[64 + 64] = {0};
        vanilla_list_t list;

        memcpy(text, cases[i][0], strlen(cases[i][0]));
        assert_int_equal(vanilla_list_read(&list, "v", text, strlen(cases[i][0]), 9, &err),
                         CUZK_ERR_FORMAT);
        assert_int_equal(strncmp(err.text, cases[i][1], strlen(cases[i][1])), 0);
        vanilla_list_clear(&list);
    }
}

/* ---- bincode ---- */

static void bincode_parts_are_read_in_turn(void **unused)
{
    static const uint8_t bytes[] = {7, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0,
                                    0, 2, 0, 0, 0, 0, 0, 0, 0, 9, 8};
    bincode_t b = bincode_open(bytes, sizeof bytes);
    const uint8_t *part = NULL;
    uint64_t number = 0;
    uint32_t variant = 0;
    size_t n = 0;

    (void)unused;
    assert_int_equal(bincode_read_u64(&b, &number, UINT64_MAX, "number", &err), CUZK_OK);
    assert_true(number == 0x0100000000000007);
    assert_int_equal(bincode_read_variant(&b, &variant, 3, "variant", &err), CUZK_OK);
    assert_int_equal(variant, 2);
    assert_int_equal(bincode_read_count(&b, &n, 0, 5, 1, "count", &err), CUZK_OK);
    assert_int_equal(n, 2);
    assert_int_equal(bincode_end(&b, "whole", &err), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "whole: 2 bytes after its end at byte 20");
    assert_int_equal(bincode_read_bytes(&b, &part, 2, "part", &err), CUZK_OK);
    assert_ptr_equal(part, bytes + 20);
    assert_int_equal(bincode_end(&b, "whole", &err), CUZK_OK);
    assert_int_equal(bincode_read_bytes(&b, &part, 1, "part", &err), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "part at byte 22: 1 bytes expected, 0 left");
}

static void bincode_counts_are_held_against_limits_and_bytes(void **unused)
{
    uint8_t bytes[8 + 6] = {0};
    size_t n = 77;

    (void)unused;
    for (uint64_t count = 0; count < 10; count++) {
        bincode_t b = bincode_open(bytes, sizeof bytes);
        const bool good = count >= 1 && count <= 3; /* 6 bytes hold 3 items of 2 */

        store_le64(bytes, count);
        assert_int_equal(bincode_read_count(&b, &n, 1, 5, 2, "items", &err) == CUZK_OK, good);
    }
    store_le64(bytes, UINT64_MAX);
    bincode_t b = bincode_open(bytes, sizeof bytes);
    assert_int_equal(bincode_read_count(&b, &n, 0, SIZE_MAX, 1, "items", &err), CUZK_ERR_FORMAT);
    assert_says("items at byte 0: 18446744073709551615 items of 1 bytes or more, 6 bytes left");
    b = bincode_open(bytes, sizeof bytes);
    assert_int_equal(bincode_read_count(&b, &n, 4, 4, 1, "items", &err), CUZK_ERR_FORMAT);
    assert_says("items, expected 4");
    b = bincode_open(bytes, 7);
    assert_int_equal(bincode_read_count(&b, &n, 4, 4, 1, "items", &err), CUZK_ERR_FORMAT);
    assert_says("8 bytes expected, 7 left");
    assert_int_equal(n, 3); /* the last good one: an error leaves it alone */
}

static void bincode_values_out_of_range_are_refused(void **unused)
{
    static const uint8_t bytes[8] = {3, 0, 0, 0, 0, 0, 0, 0};
    bincode_t b = bincode_open(bytes, sizeof bytes);
    uint64_t number = 5;
    uint32_t variant = 5;

    (void)unused;
    assert_int_equal(bincode_read_u64(&b, &number, 2, "number", &err), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "number at byte 0: 3, limit 2");
    b.at = 0;
    assert_int_equal(bincode_read_variant(&b, &variant, 3, "variant", &err), CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "variant at byte 0: variant 3 of 3");
    assert_true(number == 5 && variant == 5);
}

/* ---- commitments ---- */

#define HEX_R "7d57e697ed05b901143eae8815a53b3fb6f12523ff2067093fa9c235d6cdb06e"
#define CID_R "bagboea4b5abca7kx42l62bnzaekd5luicwstwp5w6essh7zam4et7kocgxlm3mdo"
/* 32 GiB of zeros, as it stands on the chain for every empty sector of that size */
#define HEX_D "077e5fde35c50a9303a55009e3498a4ebedff39c42b710b730d8ec7ac7afa63e"
#define CID_D "baga6ea4seaqao7s73y24kcutaosvacpdjgfe5pw76ooefnyqw4ynr3d2y6x2mpq"

static void commitments_have_three_spellings(void **unused)
{
    static const struct {
        commitment_kind kind;
        const char *hex, *cid;
    } rows[] = {{COMMITMENT_SEALED, HEX_R, CID_R}, {COMMITMENT_UNSEALED, HEX_D, CID_D}};

    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        char text[80] = "0x";
        uint8_t want[32], got[32];

        assert_true(bytes_from_hex(want, 32, rows[i].hex, 64));
        assert_int_equal(commitment_parse(got, rows[i].kind, rows[i].hex, "c", &err), CUZK_OK);
        assert_memory_equal(got, want, 32);
        (void)strcat(text, rows[i].hex);
        for (char *c = text + 2; *c != 0; c++)
            if (*c >= 'a') *c = (char)(*c - 32);
        assert_int_equal(commitment_parse(got, rows[i].kind, text, "c", &err), CUZK_OK);
        assert_memory_equal(got, want, 32);
        memset(got, 0, 32);
        assert_int_equal(commitment_parse(got, rows[i].kind, rows[i].cid, "c", &err), CUZK_OK);
        assert_memory_equal(got, want, 32);
    }
}

static void other_spellings_of_commitments_are_refused(void **unused)
{
    static const char *const cases[][2] = {
        {"", "c: 0 hex digits, expected 64"},
        {"0x", "c: 0 hex digits, expected 64"},
        {"7d57e", "c: 5 hex digits, expected 64"},
        {HEX_R "0", "c: 65 hex digits"},
        {HEX_R HEX_R, "c: 128 hex digits"},
        {"x7d57", "neither 64 hex digits nor a CID"},
        {"0x7d5g", "neither 64 hex digits nor a CID"},
        {"fVftX7vWPvUQ4fN9z0jV1j9P1f9x3xZ2eZQYw0D3pFA=",
         ": base64, expected 64 hex digits or a CID"},
        {"fVftX7vWPvUQ4fN9z0jV1j9P1f9x3xZ2eZQYw0D3pFA",
         ": base64, expected 64 hex digits or a CID"},
        {CID_D, "the CID of a comm_d (fil-commitment-unsealed), expected one of a comm_r"},
        {"bagboea4b5abca7kx42l62bnzaekd5luicwstwp5w6essh7zam4et7kocgxlm3md", "neither"},
        {CID_R "a", "neither"},
        {"BAGBOEA4B5ABCA7KX42L62BNZAEKD5LUICWSTWP5W6ESCH7ZAM4ET7KOCGXLM3MDO", "neither"},
        {"bafkreibaa57f7xrvyufjga5fkae6gsmkj27n7444ik3rbnzq3dwhvr5puy7a",
         "not the CID of a comm_r"},
        {"bagboea4b5abc", "neither"},
        {" " HEX_R, "neither"},
    };
    char text[128];
    uint8_t got[32];

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(commitment_parse(got, COMMITMENT_SEALED, cases[i][0], "c", &err),
                         CUZK_ERR_ARG);
        assert_says(cases[i][1]);
    }
    assert_int_equal(commitment_parse(got, COMMITMENT_UNSEALED, CID_R, "c", &err), CUZK_ERR_ARG);
    assert_says("the CID of a comm_r (fil-commitment-sealed), expected one of a comm_d");
    (void)strcpy(text, CID_D);
    text[strlen(text) - 1] = 'r'; /* a bit set after the last byte */
    assert_int_equal(commitment_parse(got, COMMITMENT_UNSEALED, text, "c", &err), CUZK_ERR_ARG);
    assert_says("neither");
}

static void commitments_are_below_the_order(void **unused)
{
    uint8_t bytes[32];
    fr_t element;

    (void)unused;
    memcpy(bytes, fr_modulus.l, 32);
    assert_int_equal(commitment_check_range(bytes, "comm_r", &err), CUZK_ERR_ARG);
    assert_says("comm_r: 01000000ff");
    assert_false(fr_from_bytes(&element, bytes));
    bytes[0] = 0; /* r - 1 */
    assert_int_equal(commitment_check_range(bytes, "comm_r", &err), CUZK_OK);
    for (int i = 0; i < 32; i++) { /* one byte more, one less than r at each place */
        memcpy(bytes, fr_modulus.l, 32);
        bytes[i]++;
        assert_int_equal(commitment_check_range(bytes, "c", &err) == CUZK_OK,
                         fr_from_bytes(&element, bytes));
        bytes[i] = (uint8_t)(bytes[i] - 2);
        assert_int_equal(commitment_check_range(bytes, "c", &err) == CUZK_OK,
                         fr_from_bytes(&element, bytes));
    }
    memset(bytes, 0xff, 32);
    assert_int_equal(commitment_check_range(bytes, "comm_d", &err), CUZK_ERR_ARG);
    assert_int_equal(commitment_check_nonzero(bytes, "comm_d", &err), CUZK_OK);
    assert_int_equal(commitment_check(bytes, "comm_d", &err), CUZK_ERR_ARG);
    memset(bytes, 0, 32);
    assert_int_equal(commitment_check_range(bytes, "comm_d", &err), CUZK_OK);
    assert_int_equal(commitment_check_nonzero(bytes, "comm_d", &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "comm_d: all 32 bytes are zero");
    assert_int_equal(commitment_check(bytes, "comm_d", &err), CUZK_ERR_ARG);
    bytes[31] = 1;
    assert_int_equal(commitment_check_nonzero(bytes, "comm_d", &err), CUZK_OK);
    assert_int_equal(commitment_check(bytes, "comm_d", &err), CUZK_OK);
}

static void hex_is_not_taken_for_base64(void **unused)
{
    static const struct {
        const char *text;
        bool is_hex;
    } cases[] = {
        {"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", true},
        {"0x112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF", true},
        {"0x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", true},
        {"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff00", true},
        {"00112233445566778899aabbccddeeff00112233445566778899aabbccddeefg", false},
        {"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", false}, /* zeros */
        {"AAAAAAAAAAAAAAAAAAAAAAAA9AAAAAAAAAAAAAB1AAAAAAAAAAAAADAAAAAAAAAA", false}, /* nearly */
        {"00112233445566778899aabbccddeeff", false}, /* too short to say */
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[64];
        size_t n;

        const cuzk_status st =
            base64_read_input(bytes, &n, cases[i].text, strlen(cases[i].text), "t", &err);
        assert_int_equal(st, cases[i].is_hex ? CUZK_ERR_FORMAT : CUZK_OK);
        if (cases[i].is_hex) assert_string_equal(err.text, "t: hex digits, expected base64");
    }
}

/* ---- prover ids ---- */

static void prover_ids_are_leb128(void **unused)
{
    static const struct {
        uint64_t miner;
        const char *hex;
    } rows[] = {
        {0, "00"},
        {127, "7f"},
        {128, "8001"},
        {300, "ac02"},
        {1000, "e807"},
        {16383, "ff7f"},
        {16384, "808001"},
        {INT64_MAX, "ffffffffffffffff7f"},
        {UINT64_MAX, "ffffffffffffffffff01"},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t id[PROVER_ID_BYTES];
        char hex[65], want[65];

        memset(id, 0xaa, sizeof id);
        prover_id_from_miner(id, rows[i].miner);
        bytes_to_hex(hex, id, sizeof id);
        assert_true(prover_id_to_miner(id) == rows[i].miner);
        (void)memset(want, '0', 64);
        want[64] = 0;
        memcpy(want, rows[i].hex, strlen(rows[i].hex));
        assert_string_equal(hex, want);
    }
}

static void miners_are_numbers_or_id_addresses(void **unused)
{
    static const char *const good[] = {"1000", "f01000", "t01000", "0001000"};
    static const char *const bad[][2] = {
        {"", "not a number"},
        {"f0", "not a number"},
        {"f", "not a number"},
        {"1000 ", "not a number"},
        {"-1", "not a number"},
        {"0x10", "not a number"},
        {"f1abjxfbp274xpdqcpuaykwkfb43omjotacm2p3za", "an address of class 1"},
        {"t3abc", "an address of class 3"},
        {"f9000", "not a number"},
        {"18446744073709551616", "above 2^64 - 1"},
        {"f099999999999999999999", "above 2^64 - 1"},
    };
    uint64_t miner;

    (void)unused;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(prover_id_parse_miner(&miner, good[i], "miner", &err), CUZK_OK);
        assert_int_equal(miner, 1000);
    }
    assert_int_equal(prover_id_parse_miner(&miner, "f018446744073709551615", "miner", &err),
                     CUZK_OK);
    assert_true(miner == UINT64_MAX);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(prover_id_parse_miner(&miner, bad[i][0], "miner", &err), CUZK_ERR_ARG);
        assert_int_equal(strncmp(err.text, "miner: ", 7), 0);
        assert_says(bad[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_vectors_of_rfc_4648),
        cmocka_unit_test(base64_returns_all_bytes),
        cmocka_unit_test(base64_is_strict),
        cmocka_unit_test(base64_is_canonical),
        cmocka_unit_test(vanilla_lists_are_decoded_in_order),
        cmocka_unit_test(faults_of_vanilla_lists_name_the_item),
        cmocka_unit_test(bincode_parts_are_read_in_turn),
        cmocka_unit_test(bincode_counts_are_held_against_limits_and_bytes),
        cmocka_unit_test(bincode_values_out_of_range_are_refused),
        cmocka_unit_test(commitments_have_three_spellings),
        cmocka_unit_test(other_spellings_of_commitments_are_refused),
        cmocka_unit_test(commitments_are_below_the_order),
        cmocka_unit_test(hex_is_not_taken_for_base64),
        cmocka_unit_test(prover_ids_are_leb128),
        cmocka_unit_test(miners_are_numbers_or_id_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

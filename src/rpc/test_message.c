/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <cuzk/v1/proving.pb-c.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "rpc/message.h"

static const ProtobufCMessageDescriptor *const SUBMIT = &cuzk__v1__submit_proof_request__descriptor;

static void a_message_comes_back(void **unused)
{
    Cuzk__V1__SubmitProofRequest message = CUZK__V1__SUBMIT_PROOF_REQUEST__INIT;
    uint8_t proof[] = {1, 2, 3};
    ProtobufCBinaryData proofs[] = {{3, proof}, {0, NULL}, {2, proof}};
    ProtobufCMessage *read;
    uint8_t *bytes;
    size_t length;
    cuzk_error err;
    char id[] = "wdpost-1000-0-[1 2 3]";

    (void)unused;
    message.request_id = id;
    message.sector_number = UINT64_MAX;
    message.n_vanilla_proofs = 3;
    message.vanilla_proofs = proofs;
    assert_int_equal(message_pack(&bytes, &length, &message.base, &err), CUZK_OK);
    assert_int_equal(message_unpack(&read, SUBMIT, bytes, length, &err), CUZK_OK);
    const Cuzk__V1__SubmitProofRequest *got = (const void *)read;
    assert_string_equal(got->request_id, id);
    assert_int_equal(got->sector_number, UINT64_MAX);
    assert_int_equal(got->n_vanilla_proofs, 3);
    assert_int_equal(got->vanilla_proofs[2].len, 2);
    assert_memory_equal(got->vanilla_proofs[2].data, proof, 2);
    protobuf_c_message_free_unpacked(read, NULL);
    free(bytes);
}

/* A partition of the largest sort has 2349 proofs; ten times as many are taken, too. */
static void as_many_proofs_as_there_are_sectors_fit(void **unused)
{
    enum { PROOFS = 23490, BYTES = 1000 };
    Cuzk__V1__SubmitProofRequest message = CUZK__V1__SUBMIT_PROOF_REQUEST__INIT;
    ProtobufCBinaryData *proofs = calloc(PROOFS, sizeof *proofs);
    static uint8_t proof[BYTES];
    ProtobufCMessage *read;
    uint8_t *bytes;
    size_t length;
    cuzk_error err;

    (void)unused;
    for (size_t i = 0; i < PROOFS; i++) proofs[i] = (ProtobufCBinaryData){BYTES, proof};
    message.n_vanilla_proofs = PROOFS;
    message.vanilla_proofs = proofs;
    assert_int_equal(message_pack(&bytes, &length, &message.base, &err), CUZK_OK);
    assert_int_equal(message_unpack(&read, SUBMIT, bytes, length, &err), CUZK_OK);
    protobuf_c_message_free_unpacked(read, NULL);
    free(bytes);
    free(proofs);
}

/* Fields of two bytes: unknown ones, empty proofs, and the same number again and again. */
static void a_message_of_nothing_but_fields_is_refused(void **unused)
{
    enum { BYTES = 64 << 20 };
    static const uint8_t fields[][2] = {
        {0x78 /* 15, a number */, 1}, {0x5a /* 11 */, 0}, {0x10, 1}};
    uint8_t *bytes = malloc(BYTES);
    ProtobufCMessage *read;
    cuzk_error err;

    (void)unused;
    const uint64_t before = process_peak_rss_bytes();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        for (size_t at = 0; at < BYTES; at += 2) memcpy(bytes + at, fields[i], 2);
        assert_int_equal(message_unpack(&read, SUBMIT, bytes, BYTES, &err), CUZK_ERR_FORMAT);
        assert_null(read);
        assert_non_null(strstr(err.text, "too many fields"));
    }
    free(bytes);
    assert_in_range(process_peak_rss_bytes() - before, 0, 4 * (uint64_t)BYTES);
}

static void what_does_not_decode_is_refused(void **unused)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *text;
    } rows[] = {{"\x0a\x05"
                 "abc",
                 5, "do not decode"},                             /* cut short */
                {"\x0a\xff\xff\xff\xff\x0f", 6, "do not decode"}, /* 4 GiB of nothing */
                {"\x0f", 1, "do not decode"},                     /* no such wire type */
                {"\x0a\x01\xff", 3, "request_id: is not UTF-8"},
                {"\x0a\x03\xed\xa0\x80", 5, "request_id: is not UTF-8"}}; /* a surrogate */
    ProtobufCMessage *read;
    cuzk_error err;

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(
            message_unpack(&read, SUBMIT, (const uint8_t *)rows[i].bytes, rows[i].length, &err),
            CUZK_ERR_FORMAT);
        assert_null(read);
        assert_non_null(strstr(err.text, rows[i].text));
    }
    assert_int_equal(message_unpack(&read, &cuzk__v1__prove_request__descriptor,
                                    (const uint8_t *)"\x0a\x03\x0a\x01\xff", 5, &err),
                     CUZK_ERR_FORMAT);
    assert_string_equal(err.text, "submit: request_id: is not UTF-8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_comes_back),
        cmocka_unit_test(as_many_proofs_as_there_are_sectors_fit),
        cmocka_unit_test(a_message_of_nothing_but_fields_is_refused),
        cmocka_unit_test(what_does_not_decode_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

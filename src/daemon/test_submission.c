/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "daemon/submission.h"

static uint8_t vanilla[100], other[50], bytes[64];

static ProtobufCBinaryData field(uint8_t *data, size_t n)
{
    return (ProtobufCBinaryData){.data = data, .len = n};
}

/* A message as Curio sends it, of each kind. */
static Cuzk__V1__SubmitProofRequest message_of(cuzk_kind kind)
{
    static ProtobufCBinaryData list[3];
    static char id[] = "job-1000-7";
    Cuzk__V1__SubmitProofRequest m = CUZK__V1__SUBMIT_PROOF_REQUEST__INIT;

    for (unsigned i = 0; i < 3; i++) list[i] = field(other, sizeof other - i);
    m.request_id = id;
    m.proof_kind = (Cuzk__V1__ProofKind)kind;
    m.sector_size = 2048;
    m.miner_id = 1000;
    if (kind == CUZK_POREP) {
        m.registered_proof = 5;
        m.sector_number = 7;
        m.vanilla_proof = field(vanilla, sizeof vanilla);
    } else {
        m.vanilla_proofs = list;
        m.n_vanilla_proofs = kind == CUZK_WINNING_POST ? 1 : 3;
    }
    if (kind == CUZK_UPDATE) {
        m.comm_r_old = field(bytes, 32);
        m.comm_r_new = field(bytes + 1, 32);
        m.comm_d_new = field(bytes + 2, 32);
    }
    if (kind == CUZK_WINDOW_POST) m.registered_proof = 10;
    if (kind == CUZK_WINDOW_POST || kind == CUZK_WINNING_POST) m.randomness = field(bytes, 32);
    return m;
}

static void expect_good(const Cuzk__V1__SubmitProofRequest *m)
{
    cuzk_request request;
    cuzk_bytes *list;
    cuzk_error err;

    if (submission_request(&request, &list, m, &err) != CUZK_OK) fail_msg("%s", err.text);
    free(list);
}

static void expect_refused(const Cuzk__V1__SubmitProofRequest *m, const char *text)
{
    cuzk_request request;
    cuzk_bytes *list;
    cuzk_error err;

    assert_int_equal(submission_request(&request, &list, m, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, text);
    free(list);
}

static void fill(void)
{
    for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i + 1);
}

static void each_kind_becomes_a_request(void **unused)
{
    (void)unused;
    for (cuzk_kind kind = CUZK_POREP; kind <= CUZK_WINNING_POST; kind++) {
        const Cuzk__V1__SubmitProofRequest m = message_of(kind);
        cuzk_request r;
        cuzk_bytes *list;
        cuzk_error err;

        if (submission_request(&r, &list, &m, &err) != CUZK_OK) fail_msg("%s", err.text);
        assert_int_equal(r.struct_size, sizeof r);
        assert_int_equal(r.kind, kind);
        assert_int_equal(r.registered_proof, m.registered_proof);
        assert_int_equal(r.miner_id, 1000);
        assert_int_equal(r.sector_number, kind == CUZK_POREP ? 7 : 0);
        assert_int_equal(r.partition, CUZK_ALL_PARTITIONS);
        assert_int_equal(r.priority, CUZK_PRIORITY_DEFAULT);
        assert_int_equal(r.timeout_ms, 0);
        assert_false(r.skip_bad);
        assert_int_equal(r.n_inputs, kind == CUZK_POREP ? 1 : m.n_vanilla_proofs);
        for (size_t i = 0; i < r.n_inputs; i++) {
            assert_ptr_equal(r.inputs[i].bytes, kind == CUZK_POREP ? vanilla : other);
            assert_int_equal(r.inputs[i].length,
                             kind == CUZK_POREP ? sizeof vanilla : sizeof other - i);
        }
        const bool is_post = kind == CUZK_WINDOW_POST || kind == CUZK_WINNING_POST;
        assert_int_equal(memcmp(r.randomness, bytes, 32) == 0, is_post);
        assert_int_equal(memcmp(r.comm_r_old, bytes, 32) == 0, kind == CUZK_UPDATE);
        assert_int_equal(memcmp(r.comm_r_new, bytes + 1, 32) == 0, kind == CUZK_UPDATE);
        assert_int_equal(memcmp(r.comm_d_new, bytes + 2, 32) == 0, kind == CUZK_UPDATE);
        free(list);
    }
}

static void kinds_and_priorities_are_numbers_of_the_interface(void **unused)
{
    Cuzk__V1__SubmitProofRequest m = message_of(CUZK_WINNING_POST);
    cuzk_request request;
    cuzk_bytes *list;
    cuzk_error err;

    (void)unused;
    m.proof_kind = 0;
    expect_refused(&m, "proof_kind: 0, expected 1 (POREP_SEAL_COMMIT), 2 (SNAP_DEALS_UPDATE), "
                       "3 (WINDOW_POST_PARTITION) or 4 (WINNING_POST)");
    m.proof_kind = (Cuzk__V1__ProofKind)5;
    expect_refused(&m, "proof_kind: 5, expected 1 (POREP_SEAL_COMMIT), 2 (SNAP_DEALS_UPDATE), "
                       "3 (WINDOW_POST_PARTITION) or 4 (WINNING_POST)");
    m = message_of(CUZK_WINNING_POST);
    m.priority = (Cuzk__V1__Priority)5;
    expect_refused(&m, "priority: 5, expected 0 (by kind) to 4 (CRITICAL)");
    m.priority = (Cuzk__V1__Priority)-1;
    expect_refused(&m, "priority: -1, expected 0 (by kind) to 4 (CRITICAL)");
    m.priority = CUZK__V1__PRIORITY__LOW;
    assert_int_equal(submission_request(&request, &list, &m, &err), CUZK_OK);
    assert_int_equal(request.priority, CUZK_PRIORITY_LOW);
    free(list);
}

static void proofs_and_sizes_fit(void **unused)
{
    Cuzk__V1__SubmitProofRequest m = message_of(CUZK_POREP);

    (void)unused;
    m.registered_proof = 20;
    expect_refused(&m, "registered_proof: 20 is not one of the porep proofs (0..19)");
    m.registered_proof = ((uint64_t)1 << 32) + 5; /* not cut to 5 */
    expect_refused(&m, "registered_proof: 4294967301, expected 0..19 for porep");
    m = message_of(CUZK_WINDOW_POST);
    m.registered_proof = 4;
    expect_refused(&m, "registered_proof: 4 is not one of the window proofs (5..14)");
    m = message_of(CUZK_UPDATE);
    m.sector_size = 0; /* it follows from the proof */
    expect_good(&m);
    m.sector_size = 34359738368;
    expect_refused(&m, "sector_size: 34359738368, but registered_proof 0 is StackedDrg2KiBV1: "
                       "2KiB, 2048");
}

static void commitments_have_32_bytes(void **unused)
{
    static const size_t wrong[] = {0, 31, 33, 36, 64};
    static const char *const names[] = {"comm_r_old", "comm_r_new", "comm_d_new"};

    (void)unused;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 5; k++) {
            Cuzk__V1__SubmitProofRequest m = message_of(CUZK_UPDATE);
            ProtobufCBinaryData *const fields[] = {&m.comm_r_old, &m.comm_r_new, &m.comm_d_new};
            char text[120];

            *fields[i] = field(wrong[k] == 0 ? NULL : bytes, wrong[k]);
            (void)snprintf(text, sizeof text,
                           "%s: %zu bytes, expected 32 (the digest alone, without the CID's "
                           "prefix)",
                           names[i], wrong[k]);
            expect_refused(&m, text);
        }
    Cuzk__V1__SubmitProofRequest m = message_of(CUZK_POREP);
    m.comm_r_old = field(bytes, 3); /* not its field */
    expect_good(&m);
}

static void randomness_has_32_bytes_and_clear_top_bits(void **unused)
{
    static const size_t wrong[] = {0, 31, 33, 36, 64};
    uint8_t high[32] = {0};

    (void)unused;
    for (cuzk_kind kind = CUZK_WINDOW_POST; kind <= CUZK_WINNING_POST; kind++) {
        Cuzk__V1__SubmitProofRequest m = message_of(kind);

        for (unsigned k = 0; k < 5; k++) {
            char text[64];

            m.randomness = field(wrong[k] == 0 ? NULL : bytes, wrong[k]);
            (void)snprintf(text, sizeof text, "randomness: %zu bytes, expected 32", wrong[k]);
            expect_refused(&m, text);
        }
        m.randomness = field(high, 32);
        for (unsigned bit = 0; bit < 8; bit++) {
            cuzk_request request;
            cuzk_bytes *list;
            cuzk_error err;

            high[31] = (uint8_t)(1 << bit);
            const cuzk_status st = submission_request(&request, &list, &m, &err);
            assert_int_equal(st, bit >= 6 ? CUZK_ERR_ARG : CUZK_OK);
            if (st != CUZK_OK) assert_ptr_equal(strstr(err.text, "randomness: "), err.text);
            free(list);
        }
    }
}

static void old_windows_are_proved_for_their_first_partition(void **unused)
{
    Cuzk__V1__SubmitProofRequest m = message_of(CUZK_WINDOW_POST);

    (void)unused;
    m.partition_index = 3;
    expect_good(&m);
    m.registered_proof = 5;
    expect_refused(&m, "partition_index: 3, but the challenges of registered_proof 5 (V1) depend "
                       "on it: 0 alone is proved");
    m.partition_index = 0;
    expect_good(&m);
    m = message_of(CUZK_POREP);
    m.partition_index = 3; /* not its field */
    expect_good(&m);
}

static void inputs_are_in_one_field(void **unused)
{
    static ProtobufCBinaryData many[3];
    Cuzk__V1__SubmitProofRequest m;

    (void)unused;
    m = message_of(CUZK_POREP);
    m.vanilla_proof = field(NULL, 0);
    expect_refused(&m, "vanilla_proof: empty");
    m.vanilla_proofs = many;
    m.n_vanilla_proofs = 1;
    expect_refused(&m, "vanilla_proofs: 1, but a PoRep's input is vanilla_proof (the output of "
                       "commit phase 1)");
    for (cuzk_kind kind = CUZK_UPDATE; kind <= CUZK_WINNING_POST; kind++) {
        m = message_of(kind);
        m.n_vanilla_proofs = 0;
        expect_refused(&m, "vanilla_proofs: empty");
        m.vanilla_proof = field(vanilla, sizeof vanilla);
        expect_good(&m);
        m.n_vanilla_proofs = 1;
        expect_refused(&m, "vanilla_proofs: 1, but vanilla_proof is given, too (100 bytes)");
    }
    m = message_of(CUZK_WINDOW_POST);
    many[0] = many[1] = field(other, 5);
    many[2] = field(other, 0);
    m.vanilla_proofs = many;
    expect_refused(&m, "vanilla_proofs[2]: empty");
    m.n_vanilla_proofs = (1 << 20) + 1; /* seen before the list is looked at */
    expect_refused(&m, "vanilla_proofs: 1048577, at most 1048576");
}

static void request_ids_are_short_utf8(void **unused)
{
    Cuzk__V1__SubmitProofRequest m = message_of(CUZK_WINNING_POST);
    char id[260];

    (void)unused;
    memset(id, 'a', sizeof id);
    id[256] = '\0';
    m.request_id = id;
    expect_good(&m);
    id[256] = 'a';
    id[257] = '\0';
    expect_refused(&m, "request_id: 257 bytes, at most 256");
    (void)strcpy(id, "wdpost-1000-[1 2 3] \xe2\x82\xac");
    expect_good(&m);
    (void)strcpy(id, "ab\xff");
    expect_refused(&m, "request_id: byte 2 is not UTF-8");
    *id = '\0';
    expect_good(&m);
}

static void results_become_replies(void **unused)
{
    static const struct {
        queue_outcome outcome;
        Cuzk__V1__AwaitProofResponse__Status status;
    } rows[] = {
        {OUTCOME_COMPLETED, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED},
        {OUTCOME_FAILED, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__FAILED},
        {OUTCOME_REFUSED, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__FAILED},
        {OUTCOME_CANCELLED, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__CANCELLED},
        {OUTCOME_TIMED_OUT, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT},
        {OUTCOME_STILL_RUNNING, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT},
        {OUTCOME_STOPPING, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__UNKNOWN},
    };

    (void)unused;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const queue_result_t result = {
            .id = "0123",
            .outcome = rows[i].outcome,
            .proof = bytes,
            .proof_length = 64,
            .error = "why",
            .times_ms = {.queue = 1, .load = 2, .synthesis = 3, .proving = 4, .total = 15}};
        Cuzk__V1__AwaitProofResponse m;

        submission_result(&m, &result);
        assert_int_equal(m.status, rows[i].status);
        assert_string_equal(m.job_id, "0123");
        assert_string_equal(m.error_message, "why");
        assert_ptr_equal(m.proof.data, bytes);
        assert_int_equal(m.proof.len, 64);
        assert_int_equal(m.queue_wait_ms, 1);
        assert_int_equal(m.srs_load_ms, 2);
        assert_int_equal(m.synthesis_ms, 3);
        assert_int_equal(m.gpu_compute_ms, 4);
        assert_int_equal(m.total_ms, 15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_becomes_a_request),
        cmocka_unit_test(kinds_and_priorities_are_numbers_of_the_interface),
        cmocka_unit_test(proofs_and_sizes_fit),
        cmocka_unit_test(commitments_have_32_bytes),
        cmocka_unit_test(randomness_has_32_bytes_and_clear_top_bits),
        cmocka_unit_test(old_windows_are_proved_for_their_first_partition),
        cmocka_unit_test(inputs_are_in_one_field),
        cmocka_unit_test(request_ids_are_short_utf8),
        cmocka_unit_test(results_become_replies),
    };

    fill();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

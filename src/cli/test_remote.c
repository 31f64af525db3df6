/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/inputs.h"
#include "cli/remote.h"

/* ---- messages ----------------------------------------------------------------------------------
 */

static const uint8_t first[] = "first", second[] = "second one";
static const cuzk_bytes inputs[] = {{first, 5}, {second, 10}};

static cuzk_request some_request(cuzk_kind kind, size_t n_inputs)
{
    cuzk_request r = {.struct_size = sizeof r,
                      .kind = kind,
                      .registered_proof = 3,
                      .miner_id = UINT64_MAX,
                      .sector_number = 77,
                      .inputs = inputs,
                      .n_inputs = n_inputs,
                      .partition = CUZK_ALL_PARTITIONS};

    memset(r.randomness, 1, 32);
    memset(r.comm_r_old, 2, 32);
    memset(r.comm_r_new, 3, 32);
    memset(r.comm_d_new, 4, 32);
    return r;
}

/* What the daemon reads. */
static Cuzk__V1__SubmitProofRequest *sent(const cuzk_request *request)
{
    remote_message_t m;
    uint8_t bytes[4096];
    cuzk_error err;

    assert_int_equal(remote_message_init(&m, request, "an id", &err), CUZK_OK);
    const size_t n = cuzk__v1__submit_proof_request__pack(&m.message, bytes);
    assert_true(n <= sizeof bytes);
    remote_message_clear(&m);
    Cuzk__V1__SubmitProofRequest *read = cuzk__v1__submit_proof_request__unpack(NULL, n, bytes);
    assert_non_null(read);
    assert_string_equal(read->request_id, "an id");
    assert_int_equal(read->registered_proof, 3);
    assert_int_equal(read->sector_size, 0);
    return read;
}

static void release(Cuzk__V1__SubmitProofRequest *read)
{
    cuzk__v1__submit_proof_request__free_unpacked(read, NULL);
}

static void assert_field(const ProtobufCBinaryData *field, int value)
{
    assert_int_equal(field->len, value == 0 ? 0 : 32);
    for (size_t i = 0; i < field->len; i++) assert_int_equal(field->data[i], value);
}

static void each_kind_sends_its_own_fields(void **unused)
{
    (void)unused;
    cuzk_request request = some_request(CUZK_POREP, 1);
    Cuzk__V1__SubmitProofRequest *read = sent(&request);
    assert_int_equal(read->proof_kind, CUZK__V1__PROOF_KIND__POREP_SEAL_COMMIT);
    assert_int_equal(read->vanilla_proof.len, 5);
    assert_int_equal(read->n_vanilla_proofs, 0);
    assert_int_equal(read->sector_number, 77);
    assert_true(read->miner_id == UINT64_MAX);
    assert_field(&read->randomness, 0);
    release(read);

    request = some_request(CUZK_UPDATE, 2);
    request.priority = CUZK_PRIORITY_LOW;
    read = sent(&request);
    assert_int_equal(read->proof_kind, CUZK__V1__PROOF_KIND__SNAP_DEALS_UPDATE);
    assert_int_equal(read->priority, CUZK__V1__PRIORITY__LOW);
    assert_int_equal(read->n_vanilla_proofs, 2);
    assert_memory_equal(read->vanilla_proofs[1].data, second, 10);
    assert_field(&read->comm_r_old, 2);
    assert_field(&read->comm_r_new, 3);
    assert_field(&read->comm_d_new, 4);
    assert_field(&read->randomness, 0);
    release(read);

    request = some_request(CUZK_WINDOW_POST, 2);
    read = sent(&request);
    assert_int_equal(read->proof_kind, CUZK__V1__PROOF_KIND__WINDOW_POST_PARTITION);
    assert_int_equal(read->n_vanilla_proofs, 2);
    assert_field(&read->randomness, 1);
    assert_field(&read->comm_r_new, 0);
    release(read);

    request = some_request(CUZK_WINNING_POST, 1);
    read = sent(&request);
    assert_int_equal(read->proof_kind, CUZK__V1__PROOF_KIND__WINNING_POST);
    assert_int_equal(read->priority, CUZK__V1__PRIORITY__PRIORITY_UNSPECIFIED);
    assert_int_equal(read->n_vanilla_proofs, 1);
    release(read);
}

/* ---- answers -----------------------------------------------------------------------------------
 */

static void answers_become_statuses(void **unused)
{
    static const struct {
        Cuzk__V1__AwaitProofResponse__Status status;
        size_t length;
        cuzk_status expected;
        const char *word;
    } rows[] = {
        {CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED, 192, CUZK_OK, NULL},
        {CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED, 0, CUZK_ERR_INTERNAL, "empty"},
        {CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__FAILED, 0, CUZK_ERR_INTERNAL, "a reason"},
        {CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__CANCELLED, 0, CUZK_CANCELLED, "a reason"},
        {CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT, 0, CUZK_ERR_DEADLINE, "a reason"},
        {CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__UNKNOWN, 192, CUZK_ERR_INTERNAL, "status 0"},
        {(Cuzk__V1__AwaitProofResponse__Status)9, 192, CUZK_ERR_INTERNAL, "status 9"}};
    cuzk_error err;

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const remote_answer_t answer = {.job_id = "a-job",
                                        .error = "a reason",
                                        .status = rows[i].status,
                                        .length = rows[i].length};

        assert_int_equal(remote_outcome(&answer, &err), rows[i].expected);
        if (rows[i].word == NULL) continue;
        assert_non_null(strstr(err.text, rows[i].word));
        assert_non_null(strstr(err.text, "a-job"));
    }
}

static void nobody_there_is_said_so(void **unused)
{
    const remote_options_t options = {.address = "unix:///nowhere/cuzk.sock"};
    const remote_options_t bad = {.address = "ftp://nowhere"};
    remote_t remote = {.timeout_ms = 5000};
    Cuzk__V1__GetStatusResponse *status;
    cuzk_error err;

    (void)unused;
    assert_int_equal(remote_open(&remote.client, &bad, "--daemon", &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "--daemon"));
    assert_int_equal(remote_open(&remote.client, &options, "--daemon", &err), CUZK_OK);
    assert_int_equal(remote_status(&status, &remote, &err), CUZK_ERR_MISSING);
    assert_int_equal(remote.code, GRPC_STATUS_UNAVAILABLE);
    assert_non_null(strstr(err.text, "/nowhere/cuzk.sock"));
    rpc_client_close(remote.client);
}

/* ---- raw vanilla proofs ------------------------------------------------------------------------
 */

static cuzk_status read_vanilla(input_request_t *in, const void *bytes, size_t n, bool takes_raw,
                                cuzk_error *err)
{
    char path[] = "/tmp/cuzk-test-XXXXXX";
    const input_options_t o = {.selection = {.sector_size = "2KiB"},
                               .vanilla = path,
                               .miner_id = "1000",
                               .randomness = {.given = true},
                               .takes_raw = takes_raw};
    const int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n), (ssize_t)n);
    (void)close(fd);
    const cuzk_status st = inputs_read(in, CUZK_WINDOW_POST, &o, INPUTS_CONTENT, err);
    (void)unlink(path);
    return st;
}

static void a_file_may_be_one_vanilla_proof(void **unused)
{
    static const uint8_t raw[] = {'[', '"', 0, 0, 0, 0, 0, 0, 1, 2, 3}; /* of sector 0x225b */
    static const char list[] = "[\"AAAA\", \"AQID\"]";
    input_request_t in;
    cuzk_error err;

    (void)unused;
    assert_int_equal(read_vanilla(&in, raw, sizeof raw, true, &err), CUZK_OK);
    assert_int_equal(in.request.n_inputs, 1);
    assert_int_equal(in.request.inputs[0].length, sizeof raw);
    assert_memory_equal(in.request.inputs[0].bytes, raw, sizeof raw);
    inputs_clear(&in);
    assert_int_equal(read_vanilla(&in, list, sizeof list - 1, true, &err), CUZK_OK);
    assert_int_equal(in.request.n_inputs, 2);
    inputs_clear(&in);
    assert_int_equal(read_vanilla(&in, raw, sizeof raw, false, &err), CUZK_ERR_FORMAT);
    inputs_clear(&in);
    assert_int_equal(read_vanilla(&in, list, sizeof list - 2, true, &err), CUZK_ERR_FORMAT);
    inputs_clear(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_sends_its_own_fields),
        cmocka_unit_test(answers_become_statuses),
        cmocka_unit_test(nobody_there_is_said_so),
        cmocka_unit_test(a_file_may_be_one_vanilla_proof),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

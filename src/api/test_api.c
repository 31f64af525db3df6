/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "base/file.h"
#include "cuzk/describe.h"
#include "cuzk/setup.h"
#include "cuzk/text.h"
#include "cuzk/watch.h"

#define NOWHERE CUZK_SOURCE_DIR "/nowhere"

static const uint8_t some_bytes[3] = {1, 2, 3};
static const cuzk_bytes some_input = {some_bytes, sizeof some_bytes};

/* What a test begins with: one input, no engine. */
static cuzk_request some_request(void)
{
    return (cuzk_request){.struct_size = sizeof(cuzk_request),
                          .kind = CUZK_WINNING_POST,
                          .inputs = &some_input,
                          .n_inputs = 1,
                          .partition = CUZK_ALL_PARTITIONS};
}

static cuzk_engine *open_engine(uint64_t memory_budget)
{
    const cuzk_engine_options options = {.struct_size = sizeof options,
                                         .params_folder = NOWHERE,
                                         .params_source = "--here",
                                         .threads = 2,
                                         .memory_budget = memory_budget};
    cuzk_engine *engine;

    assert_int_equal(cuzk_engine_open(&engine, &options, NULL), CUZK_OK);
    return engine;
}

/* The WinningPoSt of the golden folder; *vanilla is released with cuzk_vanilla_free(). */
static cuzk_request golden_request(cuzk_bytes **vanilla)
{
    static const char randomness[] =
        "d9d80c75cbc8d7b23c7bd2cffe1b69811ad1b09217c22d9e75417ac22f04050b";
    cuzk_request request = some_request();
    cuzk_error err;
    uint8_t *text;
    size_t length;

    assert_int_equal(file_read(&text, &length,
                               CUZK_SOURCE_DIR "/tests/golden/winning-2KiB/vanilla.json", 1 << 20,
                               &err),
                     CUZK_OK);
    assert_int_equal(
        cuzk_vanilla_from_json(text, length, "vanilla", vanilla, &request.n_inputs, &err), CUZK_OK);
    free(text);
    assert_true(bytes_from_hex(request.randomness, 32, randomness, 64));
    request.miner_id = 1000;
    request.inputs = *vanilla;
    return request;
}

/* ---- names ------------------------------------------------------------------------------------
 */

static void versions_and_names(void **unused)
{
    char text[32];

    (void)unused;
    (void)snprintf(text, sizeof text, "%d.%d.%d", CUZK_VERSION_MAJOR, CUZK_VERSION_MINOR,
                   CUZK_VERSION_PATCH);
    assert_string_equal(cuzk_version(), text);
    assert_int_equal(cuzk_version_number(), CUZK_VERSION_NUMBER);
    assert_string_equal(cuzk_status_name(CUZK_OK), "ok");
    assert_string_equal(cuzk_status_name((cuzk_status)99), "unknown status");
    for (cuzk_status st = CUZK_OK; st <= CUZK_ERR_INTERNAL; st++)
        assert_string_not_equal(cuzk_status_name(st), "unknown status");
    assert_string_equal(cuzk_stage_name(CUZK_STAGE_MSM), "msm");
    assert_string_equal(cuzk_stage_name(CUZK_STAGES), "unknown stage");
}

static void kinds_by_name(void **unused)
{
    static const char *const names[] = {"porep", "update", "window", "winning"};
    cuzk_kind kind;
    cuzk_error err;

    (void)unused;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(cuzk_kind_from_text(names[i], "KIND", &kind, NULL), CUZK_OK);
        assert_int_equal(kind, CUZK_POREP + i);
        assert_string_equal(cuzk_kind_name(kind), names[i]);
    }
    assert_string_equal(cuzk_kind_name((cuzk_kind)0), "unknown kind");
    assert_int_equal(cuzk_kind_from_text("Porep", "KIND", &kind, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "KIND: \"Porep\" is none of porep, update, winning, window");
    assert_int_equal(cuzk_kind_from_text("", "KIND", &kind, NULL), CUZK_ERR_ARG);
}

static void registered_proofs(void **unused)
{
    cuzk_proof_info info = {.struct_size = sizeof info};
    cuzk_error err;

    (void)unused;
    assert_int_equal(cuzk_proof_newest(CUZK_POREP, "32GiB", "--size", &info, &err), CUZK_OK);
    assert_int_equal(info.registered_proof, 8);
    assert_int_equal(info.kind, CUZK_POREP);
    assert_string_equal(info.name, "StackedDrg32GiBV1_1");
    assert_string_equal(info.sector_size, "32GiB");
    assert_string_equal(info.circuit, "porep-32g");
    assert_true(info.sector_bytes == (uint64_t)1 << 35);
    assert_true(info.has_seed);
    assert_int_equal(info.partition_sectors, 0);
    assert_int_equal(cuzk_proof_newest(CUZK_WINDOW_POST, "32GiB", "--size", &info, &err), CUZK_OK);
    assert_int_equal(info.partition_sectors, 2349);
    assert_int_equal(cuzk_proof_by_number(CUZK_POREP, 15, &info, &err), CUZK_OK);
    assert_false(info.has_seed);
    assert_int_equal(cuzk_proof_from_text(CUZK_WINDOW_POST, "10", "--proof", &info, &err), CUZK_OK);
    assert_string_equal(info.circuit, "wpost-2k");
    assert_int_equal(info.partition_sectors, 2);
    assert_int_equal(cuzk_proof_from_text(CUZK_WINDOW_POST, info.name, "--proof", &info, &err),
                     CUZK_OK);
    assert_int_equal(info.registered_proof, 10);
    assert_string_equal(cuzk_proof_range(CUZK_WINDOW_POST), "5..14");
    assert_string_equal(cuzk_proof_range((cuzk_kind)9), "none");
    assert_int_equal(cuzk_proof_by_number(CUZK_WINDOW_POST, 4, &info, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "registered_proof: 4 is not one of the window proofs (5..14)");
    assert_int_equal(cuzk_proof_from_text(CUZK_UPDATE, "5", "--proof", &info, &err), CUZK_ERR_ARG);
    assert_string_equal(
        err.text, "--proof: \"5\" is not one of the update proofs (numbers 0..4, or "
                  "StackedDrg2KiBV1, StackedDrg8MiBV1, StackedDrg512MiBV1, StackedDrg32GiBV1, "
                  "StackedDrg64GiBV1)");
    assert_int_equal(cuzk_proof_newest(CUZK_POREP, "1GiB", "--size", &info, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "--size: \"1GiB\" is none of 2KiB, 8MiB, 512MiB, 32GiB, 64GiB");
    assert_int_equal(cuzk_proof_newest((cuzk_kind)0, "2KiB", "--size", &info, NULL), CUZK_ERR_ARG);
}

static void spellings_of_the_chain(void **unused)
{
    cuzk_proof_info info = {.struct_size = sizeof info};
    char text[400];
    cuzk_error err;

    (void)unused;
    assert_int_equal(
        cuzk_proof_from_text(CUZK_POREP, "StackedDrg2KiBV1_2_Feat_NiPoRep", "p", &info, &err),
        CUZK_OK);
    assert_int_equal(info.registered_proof, 15);
    assert_string_equal(info.name, "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep");
    assert_string_equal(info.chain_name, "StackedDrg2KiBV1_2_Feat_NiPoRep");
    assert_int_equal(cuzk_proof_by_number(CUZK_WINDOW_POST, 13, &info, &err), CUZK_OK);
    assert_string_equal(info.name, "StackedDrgWindow32GiBV1_2");
    assert_string_equal(info.chain_name, "StackedDrgWindow32GiBV1_1");
    info.struct_size = offsetof(cuzk_proof_info, chain_name); /* a caller of an earlier version */
    memset(info.chain_name, 'x', sizeof info.chain_name);
    assert_int_equal(cuzk_proof_by_number(CUZK_WINDOW_POST, 14, &info, &err), CUZK_OK);
    assert_int_equal(info.chain_name[0], 'x');

    /* the longest list, after a text of any length */
    memset(text, 'y', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(cuzk_proof_from_text(CUZK_POREP, text, "--registered-proof", &info, &err),
                     CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "StackedDrg64GiBV1_2_Feat_NonInteractivePoRep, "));
    assert_non_null(strstr(err.text, ", StackedDrg64GiBV1_2_Feat_NiPoRep)"));
}

/* What a caller of an earlier version has behind its structure is not ours. */
static void results_are_cleared_within_their_size(void **unused)
{
    cuzk_result result = {.struct_size = offsetof(cuzk_result, bad_sectors),
                          .bad_sectors = (cuzk_bad_sector *)&result,
                          .n_bad_sectors = 3};

    (void)unused;
    cuzk_result_clear(&result);
    assert_ptr_equal(result.bad_sectors, &result);
    assert_int_equal(result.n_bad_sectors, 3);
    result.struct_size = sizeof result;
    result.bad_sectors = malloc(3 * sizeof *result.bad_sectors);
    assert_non_null(result.bad_sectors);
    cuzk_result_clear(&result);
    assert_null(result.bad_sectors);
    assert_int_equal(result.n_bad_sectors, 0);
    cuzk_result_clear(&result);
}

static void randomness_has_clear_top_bits(void **unused)
{
    uint8_t bytes[32];
    cuzk_error err;

    (void)unused;
    for (unsigned top = 0; top < 256; top++) {
        memset(bytes, 0xff, sizeof bytes);
        bytes[31] = (uint8_t)top;
        assert_int_equal(cuzk_randomness_check(bytes, "r", &err),
                         top < 0x40 ? CUZK_OK : CUZK_ERR_ARG);
    }
    memset(bytes, 0, sizeof bytes);
    bytes[0] = 0xff; /* of the lowest byte all bits count */
    bytes[31] = 0x85;
    assert_int_equal(cuzk_randomness_check(bytes, "r", &err), CUZK_ERR_ARG);
    assert_string_equal(err.text,
                        "r: ff00000000000000000000000000000000000000000000000000000000000085: "
                        "top bits are set (byte 31 is 0x85, and byte 31 & 0xc0 must be 0); the "
                        "chain clears them: "
                        "ff00000000000000000000000000000000000000000000000000000000000005");
}

static void commitments_and_miners(void **unused)
{
    static const char hex[] = "7d57e697ed05b901143eae8815a53b3fb6f12523ff2067093fa9c235d6cdb06e";
    uint8_t bytes[CUZK_COMMITMENT_BYTES], expected[CUZK_COMMITMENT_BYTES];
    uint64_t miner;
    cuzk_error err;

    (void)unused;
    assert_true(bytes_from_hex(expected, sizeof expected, hex, 64));
    assert_int_equal(cuzk_commitment_from_text(CUZK_COMM_R, hex, "comm_r", bytes, NULL), CUZK_OK);
    assert_memory_equal(bytes, expected, sizeof expected);
    assert_int_equal(cuzk_commitment_from_text(CUZK_COMM_R, hex + 2, "comm_r", bytes, &err),
                     CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "comm_r: "));
    assert_int_equal(cuzk_commitment_from_text(CUZK_COMM_D,
                                               "00000000000000000000000000000000"
                                               "00000000000000000000000000000000",
                                               "comm_d", bytes, &err),
                     CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "comm_d: "));
    assert_int_equal(cuzk_miner_from_text("f01000", "miner", &miner, NULL), CUZK_OK);
    assert_int_equal(miner, 1000);
    assert_int_equal(cuzk_miner_from_text("f1abc", "miner", &miner, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "miner: "));
}

static void lists_of_vanilla_proofs(void **unused)
{
    static const char good[] = "[\"AQID\", \"BA==\"]";
    static const char *const bad[] = {"", "[]", "{}", "[\"AQID\"", "[\"A\"]", "[7]"};
    cuzk_bytes *inputs;
    cuzk_error err;
    size_t n;

    (void)unused;
    assert_int_equal(
        cuzk_vanilla_from_json((const uint8_t *)good, sizeof good - 1, "v", &inputs, &n, NULL),
        CUZK_OK);
    assert_int_equal(n, 2);
    assert_int_equal(inputs[0].length, 3);
    assert_memory_equal(inputs[0].bytes, some_bytes, 3);
    assert_int_equal(inputs[1].length, 1);
    assert_int_equal(inputs[1].bytes[0], 4);
    cuzk_vanilla_free(inputs);
    cuzk_vanilla_free(NULL);
    assert_int_equal(cuzk_vanilla_from_json(some_bytes, SIZE_MAX, "v", &inputs, &n, &err),
                     CUZK_ERR_ARG);
    assert_string_equal(err.text, "v: 16777216.0TiB (18446744073709551615 bytes), at most 812.4MiB "
                                  "(851823576 bytes) (a window's longest list)");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint8_t *exact = malloc(strlen(bad[i]) + 1); /* nothing is readable after it */

        memcpy(exact, bad[i], strlen(bad[i]));
        assert_int_equal(cuzk_vanilla_from_json(exact, strlen(bad[i]), "v", &inputs, &n, &err),
                         CUZK_ERR_FORMAT);
        assert_non_null(strstr(err.text, "v"));
        free(exact);
    }
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static void expect_refused(const cuzk_request *request, const char *text)
{
    uint8_t *bytes = NULL;
    size_t length;
    cuzk_error err;

    assert_int_equal(cuzk_request_write(request, &bytes, &length, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, text);
    assert_int_equal(cuzk_request_write(request, &bytes, &length, NULL), CUZK_ERR_ARG);
    assert_null(bytes);
}

static void bad_requests_name_field_value_and_limit(void **unused)
{
    const cuzk_bytes empty[2] = {some_input, {some_bytes, 0}};
    const cuzk_bytes missing = {NULL, 3};
    cuzk_request r = some_request();

    (void)unused;
    r.kind = (cuzk_kind)9;
    expect_refused(&r, "kind: 9, expected 1 (porep) to 4 (winning)");
    r = some_request();
    r.registered_proof = 5;
    expect_refused(&r, "registered_proof: 5 is not one of the winning proofs (0..4)");
    r.registered_proof = CUZK_ANY_PROOF;
    expect_refused(&r, "registered_proof: 4294967295 is not one of the winning proofs (0..4)");
    r = some_request();
    r.priority = (cuzk_priority)5;
    expect_refused(&r, "priority: 5, expected 0 to 4");
    r = some_request();
    r.n_inputs = 0;
    expect_refused(&r, "inputs: none, expected at least 1");
    r.n_inputs = 1;
    r.inputs = NULL;
    expect_refused(&r, "inputs: none, expected at least 1");
    r.n_inputs = SIZE_MAX;
    r.inputs = &some_input;
    expect_refused(&r, "inputs: 18446744073709551615, at most 25000");
    r.n_inputs = 2;
    r.inputs = empty;
    expect_refused(&r, "input 1: empty");
    r.n_inputs = 1;
    r.inputs = &missing;
    expect_refused(&r, "input 0: empty");
    r = some_request();
    r.kind = CUZK_POREP;
    r.n_inputs = 2;
    expect_refused(&r, "inputs: 2, a PoRep takes 1 (commit-phase-1 output)");
}

static void requests_survive_being_written(void **unused)
{
    const cuzk_bytes inputs[2] = {some_input, {some_bytes + 1, 2}};
    cuzk_request r = some_request(), read = {.struct_size = sizeof read};
    uint8_t *bytes;
    size_t length;

    (void)unused;
    r.kind = CUZK_WINDOW_POST;
    r.registered_proof = 10;
    r.miner_id = 0x0102030405060708;
    r.sector_number = UINT64_MAX;
    r.partition = 7;
    for (unsigned i = 0; i < 32; i++) {
        r.randomness[i] = (uint8_t)i;
        r.comm_r_old[i] = (uint8_t)(i + 1);
        r.comm_r_new[i] = (uint8_t)(i + 2);
        r.comm_d_new[i] = (uint8_t)(i + 3);
    }
    r.inputs = inputs;
    r.n_inputs = 2;
    assert_int_equal(cuzk_request_write(&r, &bytes, &length, NULL), CUZK_OK);
    assert_int_equal(cuzk_request_read(&read, bytes, length, NULL), CUZK_OK);
    assert_int_equal(read.struct_size, sizeof read);
    assert_memory_equal((const uint8_t *)&read + sizeof(size_t),
                        (const uint8_t *)&r + sizeof(size_t),
                        offsetof(cuzk_request, inputs) - sizeof(size_t));
    assert_int_equal(read.partition, 7);
    assert_int_equal(read.n_inputs, 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(read.inputs[i].length, inputs[i].length);
        assert_memory_equal(read.inputs[i].bytes, inputs[i].bytes, inputs[i].length);
    }
    cuzk_request_clear(&read);
    cuzk_request_clear(&read);
    cuzk_bytes_free(bytes);
}

static void damaged_requests_are_refused(void **unused)
{
    cuzk_request r = some_request(), read = {.struct_size = sizeof read};
    uint8_t *bytes;
    size_t length;
    cuzk_error err;

    (void)unused;
    assert_int_equal(cuzk_request_write(&r, &bytes, &length, NULL), CUZK_OK);
    for (size_t i = 0; i < length; i++) {
        bytes[i] ^= 4;
        assert_int_equal(cuzk_request_read(&read, bytes, length, &err), CUZK_ERR_FORMAT);
        assert_non_null(strstr(err.text, "request: "));
        bytes[i] ^= 4;
    }
    for (size_t cut = 0; cut < length; cut++) {
        uint8_t *part = malloc(cut + 1);

        memcpy(part, bytes, cut);
        assert_int_equal(cuzk_request_read(&read, part, cut, NULL), CUZK_ERR_FORMAT);
        free(part);
    }
    assert_int_equal(cuzk_request_read(&read, bytes, length, NULL), CUZK_OK);
    cuzk_request_clear(&read);
    cuzk_bytes_free(bytes);
}

static void structures_of_older_versions(void **unused)
{
    cuzk_request r = some_request();
    cuzk_engine *engine = open_engine(0);
    union {
        cuzk_stats stats;
        uint8_t bytes[sizeof(cuzk_stats)];
    } out;
    uint8_t *bytes;
    size_t length;

    (void)unused;
    r.priority = (cuzk_priority)77; /* a member that this caller's version lacks */
    r.struct_size = offsetof(cuzk_request, priority);
    assert_int_equal(cuzk_request_write(&r, &bytes, &length, NULL), CUZK_OK);
    cuzk_bytes_free(bytes);
    memset(&out, 0x5a, sizeof out);
    out.stats.struct_size = offsetof(cuzk_stats, reserved_bytes);
    assert_int_equal(cuzk_engine_stats(engine, &out.stats, NULL), CUZK_OK);
    assert_true(out.stats.budget_bytes > 0);
    assert_int_equal(out.stats.struct_size, offsetof(cuzk_stats, reserved_bytes));
    for (size_t i = offsetof(cuzk_stats, reserved_bytes); i < sizeof out; i++)
        assert_int_equal(out.bytes[i], 0x5a);
    cuzk_engine_close(engine);
}

/* ---- engines ----------------------------------------------------------------------------------
 */

static void engines_open_and_refuse(void **unused)
{
    const cuzk_engine_options many = {.struct_size = sizeof many, .threads = 1025};
    cuzk_engine *engine;
    cuzk_error err;

    (void)unused;
    assert_int_equal(cuzk_engine_open(&engine, NULL, NULL), CUZK_OK);
    cuzk_engine_close(engine);
    cuzk_engine_close(NULL);
    assert_int_equal(cuzk_engine_open(&engine, &many, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "1025"));
    assert_null(engine);
    assert_int_equal(cuzk_engine_open(&engine, &many, NULL), CUZK_ERR_ARG);
}

static void unknown_jobs_and_circuits(void **unused)
{
    cuzk_progress progress = {.struct_size = sizeof progress};
    cuzk_result result = {.struct_size = sizeof result};
    cuzk_engine *engine = open_engine(0);
    cuzk_error err;
    char *path;

    (void)unused;
    assert_int_equal(cuzk_wait(engine, 7, 0, &result, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "job: there is none of number 7");
    assert_int_equal(cuzk_poll(engine, 7, &progress, NULL), CUZK_ERR_ARG);
    assert_int_equal(cuzk_cancel(engine, 7, NULL), CUZK_ERR_ARG);
    assert_int_equal(cuzk_params_preload(engine, "porep-1g", NULL, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "\"porep-1g\" is none of"));
    assert_int_equal(cuzk_params_evict(engine, "", NULL, NULL), CUZK_ERR_ARG);
    assert_int_equal(cuzk_params_evict(engine, "porep-2k", NULL, NULL), CUZK_OK);
    assert_int_equal(cuzk_params_preload(engine, "winning-2k", NULL, &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, NOWHERE "/v28-proof-of-spacetime"));
    assert_int_equal(cuzk_params_check(engine, NOWHERE ".vk", NULL, NULL, NULL, &err),
                     CUZK_ERR_MISSING);
    assert_int_equal(cuzk_params_check(engine, NOWHERE, NULL, NULL, NULL, NULL), CUZK_ERR_MISSING);
    assert_int_equal(cuzk_params_path("F", "winning-2k", "vk", &path, NULL), CUZK_OK);
    assert_string_equal(path,
                        "F/v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
                        "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e.vk");
    cuzk_bytes_free(path);
    cuzk_engine_close(engine);
}

static void count_call(void *calls)
{
    ++*(unsigned *)calls;
}

/* A job that was taken releases what it was lent, once; nothing else does. */
static void inputs_can_be_lent(void **unused)
{
    cuzk_result result = {.struct_size = sizeof result};
    cuzk_request_info info = {.struct_size = sizeof info};
    cuzk_estimate estimate = {.struct_size = sizeof estimate};
    cuzk_engine *engine = open_engine(0);
    cuzk_bytes *vanilla;
    unsigned calls = 0;
    cuzk_error err;
    cuzk_job job;

    (void)unused;
    cuzk_request request = golden_request(&vanilla);
    request.release = count_call;
    request.release_arg = &calls;
    request.input_name = "posted";
    assert_int_equal(cuzk_describe_request(engine, &request, &info, &err), CUZK_OK);
    assert_int_equal(cuzk_estimate_request(engine, &request, &estimate, &err), CUZK_ERR_MISSING);
    request.randomness[31] = 0xff;
    assert_int_equal(cuzk_submit(engine, &request, &job, &err), CUZK_ERR_ARG);
    request.randomness[31] = 0;
    request.n_inputs = 0;
    assert_int_equal(cuzk_submit(engine, &request, &job, &err), CUZK_ERR_ARG);
    assert_int_equal(calls, 0);
    request.n_inputs = 1;
    for (unsigned i = 1; i <= 2; i++) {
        assert_int_equal(cuzk_prove(engine, &request, &result, &err), CUZK_ERR_FORMAT);
        assert_int_equal(strncmp(err.text, "posted: sector ", 15), 0);
        assert_int_equal(calls, i);
        cuzk_result_clear(&result);
    }
    cuzk_engine_close(engine);
    assert_int_equal(calls, 2);
    cuzk_vanilla_free(vanilla);
}

/* Also: the input's faults come before missing parameters. */
static void jobs_say_why_they_fail(void **unused)
{
    cuzk_progress progress = {.struct_size = sizeof progress};
    cuzk_result result = {.struct_size = sizeof result};
    cuzk_request request = some_request();
    cuzk_engine *engine = open_engine(0);
    cuzk_bytes *vanilla;
    cuzk_error err;
    cuzk_job job;

    (void)unused;
    assert_int_equal(cuzk_prove(engine, &request, &result, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, "3 bytes"));
    request = golden_request(&vanilla);
    request.randomness[0] ^= 1;
    assert_int_equal(cuzk_prove(engine, &request, &result, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.text, "challenge"));
    assert_int_equal(result.n_bad_sectors, 1);
    cuzk_result_clear(&result);
    request.randomness[0] ^= 1;
    request.partition = 1;
    assert_int_equal(cuzk_prove(engine, &request, &result, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "partition: 1, but the input has 1 (from 0 on)");
    request.partition = 0;
    assert_int_equal(cuzk_submit(engine, &request, &job, NULL), CUZK_OK);
    assert_int_equal(cuzk_wait(engine, job, CUZK_NO_TIMEOUT, &result, &err), CUZK_ERR_MISSING);
    assert_non_null(strstr(err.text, NOWHERE));
    assert_non_null(strstr(err.text, "--here"));
    assert_null(result.proofs);
    assert_int_equal(cuzk_poll(engine, job, &progress, NULL), CUZK_ERR_ARG);
    cuzk_vanilla_free(vanilla);
    cuzk_engine_close(engine);
}

static void a_request_that_never_fits_is_refused(void **unused)
{
    cuzk_engine *engine = open_engine(16);
    const cuzk_request request = some_request();
    cuzk_error err;
    cuzk_job job;

    (void)unused;
    assert_int_equal(cuzk_submit(engine, &request, &job, &err), CUZK_ERR_BUDGET);
    assert_non_null(strstr(err.text, "memory budget: 16 bytes"));
    cuzk_engine_close(engine);
}

static void bad_statements_are_refused(void **unused)
{
    cuzk_statement statement = {.struct_size = sizeof statement, .kind = (cuzk_kind)5};
    cuzk_engine *engine = open_engine(0);
    cuzk_error err;

    (void)unused;
    assert_int_equal(cuzk_verify(engine, &statement, some_bytes, 3, NULL), CUZK_ERR_ARG);
    statement.kind = CUZK_POREP;
    statement.of.porep.registered_proof = 20;
    assert_int_equal(cuzk_verify(engine, &statement, some_bytes, 3, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "registered_proof: 20 is not a PoRep (0..19)");
    statement.kind = CUZK_WINDOW_POST;
    statement.of.post = (cuzk_post_statement){.registered_proof = 10, .n_sectors = SIZE_MAX};
    assert_int_equal(cuzk_verify(engine, &statement, some_bytes, 3, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "sectors"));
    cuzk_engine_close(engine);
}

static void requests_are_looked_at_before_their_proofs(void **unused)
{
    cuzk_engine *engine = open_engine(0);
    cuzk_bytes *vanilla;
    cuzk_request request = golden_request(&vanilla);
    cuzk_error err;

    (void)unused;
    assert_int_equal(cuzk_verify_request(engine, &request, some_bytes, 3, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "proof: 3 bytes, expected 192"));
    request.partition = 1;
    assert_int_equal(cuzk_verify_request(engine, &request, some_bytes, 3, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "partition: 1, but the input has 1 (from 0 on)");
    request.inputs = &(cuzk_bytes){some_bytes, 3};
    assert_int_equal(cuzk_verify_request(engine, &request, some_bytes, 3, &err), CUZK_ERR_FORMAT);
    request.registered_proof = 5;
    assert_int_equal(cuzk_verify_request(engine, &request, some_bytes, 3, NULL), CUZK_ERR_ARG);
    cuzk_vanilla_free(vanilla);
    cuzk_engine_close(engine);
}

/* ---- descriptions and setup -------------------------------------------------------------------
 */

static void add_witness(void *arg, const cuzk_witness_info *info)
{
    *(cuzk_witness_info *)arg = *info;
}

static void circuits_and_witnesses_are_described(void **unused)
{
    cuzk_request_info about = {.struct_size = sizeof about};
    cuzk_circuit_info circuit = {.struct_size = sizeof circuit};
    cuzk_witness_info witness = {0};
    cuzk_engine *engine = open_engine(0);
    cuzk_bytes *vanilla;
    cuzk_request request = golden_request(&vanilla);
    cuzk_error err;
    char *json;

    (void)unused;
    assert_int_equal(cuzk_describe_circuit(engine, "winning-2k", 0, &circuit, &json, &err),
                     CUZK_OK);
    assert_int_equal(circuit.n_constraints, 90750);
    assert_non_null(strstr(json, "\"sector_size\": \"2KiB\""));
    cuzk_bytes_free(json);
    assert_int_equal(cuzk_describe_circuit(engine, "winning", 0, NULL, NULL, NULL), CUZK_ERR_ARG);
    assert_int_equal(cuzk_describe_request(engine, &request, &about, &err), CUZK_OK);
    assert_string_equal(about.circuit, "winning-2k");
    assert_string_equal(about.sector_size, "2KiB");
    assert_int_equal(about.n_partitions, 1);
    assert_int_equal(about.registered_proof, 0);
    assert_int_equal(cuzk_describe_witness(engine, &request, 0, add_witness, &witness, &json, &err),
                     CUZK_OK);
    assert_int_equal(witness.n_constraints, 90750);
    assert_int_equal(witness.n_violated, 0);
    assert_memory_equal(witness.r1cs_sha256, circuit.r1cs_sha256, 32);
    assert_non_null(strstr(json, "\"violated_constraints\": 0"));
    cuzk_bytes_free(json);
    request.randomness[0] ^= 1; /* of the right form: no fault, but no witness either */
    assert_int_equal(cuzk_describe_witness(engine, &request, 0, add_witness, &witness, NULL, &err),
                     CUZK_OK);
    request.partition = 1;
    assert_int_equal(cuzk_describe_witness(engine, &request, 0, NULL, NULL, NULL, &err),
                     CUZK_ERR_ARG);
    cuzk_vanilla_free(vanilla);
    cuzk_engine_close(engine);
}

static void bad_setups_are_refused(void **unused)
{
    cuzk_trapdoor trapdoor = {.struct_size = sizeof trapdoor};
    cuzk_setup_options options = {.struct_size = sizeof options};
    cuzk_engine *engine = open_engine(0);
    cuzk_error err;

    (void)unused;
    assert_int_equal(cuzk_setup(engine, &options, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "circuit: is not given");
    options.circuit = "winning-1k";
    assert_int_equal(cuzk_setup(engine, &options, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "folder: is not given");
    options.folder = NOWHERE;
    assert_int_equal(cuzk_setup(engine, &options, NULL), CUZK_ERR_ARG);
    options.circuit = "winning-2k";
    assert_int_equal(cuzk_setup(engine, &options, NULL), CUZK_ERR_MISSING);
    options.trapdoor = &trapdoor;
    assert_int_equal(cuzk_setup(engine, &options, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "trapdoor: alpha_le: is zero or not below r");
    trapdoor.alpha_le[0] = trapdoor.beta_le[0] = trapdoor.gamma_le[0] = trapdoor.delta_le[0] = 1;
    memset(trapdoor.tau_le, 0xff, sizeof trapdoor.tau_le);
    assert_int_equal(cuzk_setup(engine, &options, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "trapdoor: tau_le: is zero or not below r");
    memset(trapdoor.tau_le, 1, sizeof trapdoor.tau_le);
    assert_int_equal(cuzk_setup(engine, &options, &err), CUZK_ERR_ARG);
    assert_string_equal(err.text, "trapdoor: g1_uncompressed_be: is not a generator of G1");
    cuzk_engine_close(engine);
}

static cuzk_engine *to_stop;

static void stop_it(int unused)
{
    (void)unused;
    cuzk_engine_stop(to_stop);
}

/* As a program does it, from a signal handler. */
static void an_engine_is_stopped(void **unused)
{
    const struct itimerval soon = {.it_value.tv_usec = 50000};
    const struct sigaction action = {.sa_handler = stop_it};
    char folder[] = "/tmp/cuzk-api-XXXXXX";
    cuzk_setup_options options = {.struct_size = sizeof options, .circuit = "winning-2k"};
    cuzk_error err;

    (void)unused;
    assert_non_null(mkdtemp(folder));
    options.folder = folder;
    to_stop = open_engine(0);
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
    assert_int_equal(cuzk_setup(to_stop, &options, &err), CUZK_CANCELLED);
    assert_string_equal(err.text, "cancelled");
    assert_int_equal(cuzk_setup(to_stop, &options, NULL), CUZK_CANCELLED); /* for good */
    assert_int_equal(rmdir(folder), 0);
    cuzk_engine_close(to_stop);
    to_stop = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_and_names),
        cmocka_unit_test(kinds_by_name),
        cmocka_unit_test(registered_proofs),
        cmocka_unit_test(spellings_of_the_chain),
        cmocka_unit_test(results_are_cleared_within_their_size),
        cmocka_unit_test(randomness_has_clear_top_bits),
        cmocka_unit_test(commitments_and_miners),
        cmocka_unit_test(lists_of_vanilla_proofs),
        cmocka_unit_test(bad_requests_name_field_value_and_limit),
        cmocka_unit_test(requests_survive_being_written),
        cmocka_unit_test(damaged_requests_are_refused),
        cmocka_unit_test(structures_of_older_versions),
        cmocka_unit_test(engines_open_and_refuse),
        cmocka_unit_test(unknown_jobs_and_circuits),
        cmocka_unit_test(inputs_can_be_lent),
        cmocka_unit_test(jobs_say_why_they_fail),
        cmocka_unit_test(a_request_that_never_fits_is_refused),
        cmocka_unit_test(bad_statements_are_refused),
        cmocka_unit_test(requests_are_looked_at_before_their_proofs),
        cmocka_unit_test(circuits_and_witnesses_are_described),
        cmocka_unit_test(bad_setups_are_refused),
        cmocka_unit_test(an_engine_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

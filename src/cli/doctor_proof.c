/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* A WindowPoSt of three sectors of 2 KiB in two partitions, from parameters to proofs. */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"
#include "cli/doctor.h"
#include "cuzk/setup.h"
#include "cuzk/text.h"

extern const uint8_t doctor_case[], doctor_case_end[];

static const char circuit[] = "wpost-2k";

enum { MINER = 1000, WINDOW_2KIB_V1_1 = 10, SECTORS = 3, FIRST_SECTOR = 100 };

/* What tests/golden/window-2KiB/case.json says of the input. */
static const char randomness[] = "543c291fdc78e4efbcfd85ff1fba82dc47f61f8a405df1463f204996ab22d21f";
static const char *const comm_r[SECTORS] = {
    "7d57e697ed05b901143eae8815a53b3fb6f12523ff2067093fa9c235d6cdb06e",
    "a770a6b557304f8fb202097cdf47f9f36e5a3e6d8b07ebdb7ed2560b8c832013",
    "59e0af491713c2d4a93653deafc5dee49b0170d8c4366affc7c7360f219dba39"};

static cuzk_status prove(cuzk_engine *engine, cuzk_result *result, cuzk_error *err)
{
    cuzk_request request = {.struct_size = sizeof request,
                            .kind = CUZK_WINDOW_POST,
                            .registered_proof = WINDOW_2KIB_V1_1,
                            .miner_id = MINER,
                            .partition = CUZK_ALL_PARTITIONS};
    cuzk_bytes *inputs = NULL;

    (void)bytes_from_hex(request.randomness, 32, randomness, 64);
    cuzk_status st = cuzk_vanilla_from_json(doctor_case, (size_t)(doctor_case_end - doctor_case),
                                            "vanilla", &inputs, &request.n_inputs, err);
    request.inputs = inputs;
    if (st == CUZK_OK) st = cuzk_prove(engine, &request, result, err);
    cuzk_vanilla_free(inputs);
    return st;
}

/* The proofs prove what they should, and do not prove it for other randomness. */
static cuzk_status verify(cuzk_engine *engine, const cuzk_result *result, cuzk_error *err)
{
    cuzk_sector sectors[SECTORS];
    cuzk_statement statement = {
        .struct_size = sizeof statement,
        .kind = CUZK_WINDOW_POST,
        .of.post = {.registered_proof = WINDOW_2KIB_V1_1,
                    .miner_id = MINER,
                    .sectors = sectors,
                    .n_sectors = SECTORS},
    };

    (void)bytes_from_hex(statement.of.post.randomness, 32, randomness, 64);
    for (unsigned i = 0; i < SECTORS; i++) {
        sectors[i].number = FIRST_SECTOR + i;
        (void)bytes_from_hex(sectors[i].comm_r, CUZK_COMMITMENT_BYTES, comm_r[i],
                             2 * (size_t)CUZK_COMMITMENT_BYTES);
    }
    cuzk_status st = cuzk_verify(engine, &statement, result->proofs, result->length, err);
    if (st != CUZK_OK) return st;
    statement.of.post.randomness[0] ^= 1;
    st = cuzk_verify(engine, &statement, result->proofs, result->length, err);
    if (st == CUZK_INVALID_PROOF) return CUZK_OK;
    return st != CUZK_OK ? st
                         : error_set(err, CUZK_ERR_INTERNAL, "a wrong statement was found valid");
}

static cuzk_status prove_in(const char *folder, uint32_t n_threads, cuzk_result *result,
                            cuzk_error *err)
{
    const cuzk_engine_options options = {
        .struct_size = sizeof options, .params_folder = folder, .threads = n_threads};
    const cuzk_setup_options setup = {
        .struct_size = sizeof setup, .circuit = circuit, .folder = folder};
    cuzk_engine *engine;

    cuzk_status st = cuzk_engine_open(&engine, &options, err);
    if (st != CUZK_OK) return st;
    st = cuzk_setup(engine, &setup, err);
    if (st == CUZK_OK) st = prove(engine, result, err);
    if (st == CUZK_OK) st = verify(engine, result, err);
    cuzk_engine_close(engine);
    return st;
}

static void remove_folder(const char *folder)
{
    static const char *const suffixes[] = {"params", "vk"};

    for (unsigned i = 0; i < 2; i++) {
        char *path;

        if (cuzk_params_path(folder, circuit, suffixes[i], &path, NULL) != CUZK_OK) continue;
        (void)unlink(path);
        cuzk_bytes_free(path);
    }
    (void)rmdir(folder);
}

static void try_proof(doctor_t *doctor, uint32_t n_threads)
{
    cuzk_result result = {.struct_size = sizeof result};
    char folder[4096];
    cuzk_error err;

    const int length =
        snprintf(folder, sizeof folder, "%s/cuzk-doctor-XXXXXX", doctor_temporary_folder());
    if (length >= (int)sizeof folder || mkdtemp(folder) == NULL) {
        doctor_say(doctor, DOCTOR_BAD, "proof", "set TMPDIR to a folder that may be written to",
                   "%s: %s", doctor_temporary_folder(), strerror(errno));
        return;
    }
    const cuzk_status st = prove_in(folder, n_threads, &result, &err);
    remove_folder(folder);
    if (st == CUZK_OK)
        doctor_say(doctor, DOCTOR_OK, "proof", NULL, "%zu made in %.2f s and verified",
                   result.length / CUZK_PROOF_BYTES, result.timings.total_s);
    else
        doctor_say(doctor, DOCTOR_BAD, "proof",
                   st == CUZK_ERR_INTERNAL || st == CUZK_INVALID_PROOF
                       ? "do not prove on this machine: look at its memory and processor"
                       : "see to what it says",
                   "%s", err.text);
    cuzk_result_clear(&result);
}

void doctor_proof(doctor_t *doctor, uint32_t n_threads)
{
    sigset_t some, before;

    /* signals wait the second or two until the folder is gone again */
    (void)sigemptyset(&some);
    (void)sigaddset(&some, SIGINT);
    (void)sigaddset(&some, SIGTERM);
    (void)sigaddset(&some, SIGHUP);
    (void)sigprocmask(SIG_BLOCK, &some, &before);
    try_proof(doctor, n_threads);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
}

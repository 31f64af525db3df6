/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Proves a WinningPoSt of one sector and verifies it, with the public interface alone.
 *
 *     prove_post REGISTERED_PROOF MINER_ID RANDOMNESS SECTOR_NUMBER COMM_R VANILLA_FILE PARAMS_DIR
 *
 * VANILLA_FILE holds the raw vanilla proof of the sector (not base64). */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuzk/cuzk.h>
#include <cuzk/text.h>

static int parse_hex32(uint8_t bytes[32], const char *text)
{
    if (strlen(text) != 64) return 0;
    for (int i = 0; i < 32; i++) {
        unsigned value;

        if (sscanf(text + 2 * i, "%2x", &value) != 1) return 0;
        bytes[i] = (uint8_t)value;
    }
    return 1;
}

static uint8_t *read_whole(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(1 << 20);

    *length = 0;
    if (file != NULL && bytes != NULL) *length = fread(bytes, 1, 1 << 20, file);
    if (file != NULL) (void)fclose(file);
    return bytes;
}

static cuzk_status prove_and_verify(cuzk_engine *engine, const cuzk_request *request,
                                    const cuzk_sector *sector, cuzk_error *error)
{
    cuzk_statement statement = {
        .struct_size = sizeof statement,
        .kind = request->kind,
        .of.post = {.registered_proof = request->registered_proof,
                    .miner_id = request->miner_id,
                    .sectors = sector,
                    .n_sectors = 1},
    };
    cuzk_result result = {.struct_size = sizeof result};

    memcpy(statement.of.post.randomness, request->randomness, sizeof request->randomness);
    cuzk_status status = cuzk_prove(engine, request, &result, error);
    if (status != CUZK_OK) return status;
    printf("proved in %.3f s: %zu bytes\n", result.timings.total_s, result.length);
    status = cuzk_verify(engine, &statement, result.proofs, result.length, error);
    if (status == CUZK_OK) printf("valid\n");
    cuzk_result_clear(&result);
    return status;
}

static int run(char **words, cuzk_error *error)
{
    const cuzk_engine_options options = {.struct_size = sizeof options, .params_folder = words[7]};
    cuzk_request request = {
        .struct_size = sizeof request, .kind = CUZK_WINNING_POST, .partition = CUZK_ALL_PARTITIONS};
    cuzk_engine *engine = NULL;
    cuzk_proof_info proof = {.struct_size = sizeof proof};
    cuzk_sector sector = {.number = strtoull(words[4], NULL, 10)};
    cuzk_bytes vanilla;

    if (!parse_hex32(request.randomness, words[3])) {
        (void)snprintf(error->text, sizeof error->text, "RANDOMNESS: expected 64 hex digits");
        return 1;
    }
    cuzk_status status =
        cuzk_proof_from_text(request.kind, words[1], "REGISTERED_PROOF", &proof, error);
    if (status == CUZK_OK)
        status = cuzk_miner_from_text(words[2], "MINER_ID", &request.miner_id, error);
    if (status == CUZK_OK)
        status = cuzk_commitment_from_text(CUZK_COMM_R, words[5], "COMM_R", sector.comm_r, error);
    if (status == CUZK_OK) status = cuzk_engine_open(&engine, &options, error);
    if (status != CUZK_OK) return 1;
    uint8_t *bytes = read_whole(words[6], &vanilla.length);
    vanilla.bytes = bytes;
    request.registered_proof = proof.registered_proof;
    request.inputs = &vanilla;
    request.n_inputs = 1;
    status = prove_and_verify(engine, &request, &sector, error);
    cuzk_engine_close(engine);
    free(bytes);
    return status != CUZK_OK;
}

int main(int argc, char **argv)
{
    cuzk_error error;

    if (argc != 8) {
        fprintf(stderr, "usage: prove_post REGISTERED_PROOF MINER_ID RANDOMNESS SECTOR_NUMBER "
                        "COMM_R VANILLA_FILE PARAMS_DIR\n");
        return 2;
    }
    if (run(argv, &error) == 0) return 0;
    fprintf(stderr, "prove_post: %s\n", error.text);
    return 1;
}

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

static int prove_and_verify(cuzk_context *context, const cuzk_post_input *input,
                            const cuzk_sector *sector, cuzk_error *error)
{
    const cuzk_post_statement statement = {.registered_proof = input->registered_proof,
                                           .miner_id = input->miner_id,
                                           .sectors = sector,
                                           .n_sectors = 1};
    cuzk_post_statement proved = statement;
    cuzk_proofs proofs;

    memcpy(proved.randomness, input->randomness, sizeof proved.randomness);
    if (cuzk_prove_post(context, input, &proofs, error) != CUZK_OK) return 1;
    printf("proved in %.3f s: %zu bytes\n", proofs.timings.total_s, proofs.length);
    const cuzk_status status =
        cuzk_verify_post(context, &proved, proofs.bytes, proofs.length, error);
    cuzk_proofs_clear(&proofs);
    if (status != CUZK_OK) return 1;
    printf("valid\n");
    return 0;
}

int main(int argc, char **argv)
{
    cuzk_context *context = NULL;
    cuzk_post_input input = {.n_vanilla = 1};
    cuzk_sector sector = {0};
    cuzk_bytes vanilla;
    cuzk_error error;

    if (argc != 8 || !parse_hex32(input.randomness, argv[3]) ||
        !parse_hex32(sector.comm_r, argv[5])) {
        fprintf(stderr, "usage: prove_post REGISTERED_PROOF MINER_ID RANDOMNESS SECTOR_NUMBER "
                        "COMM_R VANILLA_FILE PARAMS_DIR\n");
        return 2;
    }
    input.registered_proof = (uint32_t)strtoul(argv[1], NULL, 10);
    input.miner_id = strtoull(argv[2], NULL, 10);
    sector.number = strtoull(argv[4], NULL, 10);
    uint8_t *bytes = read_whole(argv[6], &vanilla.length);
    vanilla.bytes = bytes;
    input.vanilla = &vanilla;

    const cuzk_options options = {.params_folder = argv[7]};
    int failed = cuzk_open(&context, &options, &error) != CUZK_OK;
    if (!failed) failed = prove_and_verify(context, &input, &sector, &error);
    if (failed) fprintf(stderr, "prove_post: %s\n", error.text);
    cuzk_close(context);
    free(bytes);
    return failed;
}

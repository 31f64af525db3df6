/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Any text in place of each thing that the library reads as text: kinds, registered proofs, sector
 * sizes, commitments, miners, lists of vanilla proofs. */

#include <stdlib.h>
#include <string.h>

#include "base/fuzz_support.h"
#include "cuzk/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A proof that was found is found again by its number. */
static void look_up(cuzk_kind kind, const cuzk_proof_info *found)
{
    cuzk_proof_info again = {.struct_size = sizeof again};
    cuzk_error err;

    if (cuzk_proof_by_number(kind, found->registered_proof, &again, &err) != CUZK_OK ||
        strcmp(again.name, found->name) != 0)
        abort();
}

static bool name_proofs(cuzk_kind kind, const char *text)
{
    cuzk_proof_info info = {.struct_size = sizeof info};
    bool is_read = false;
    cuzk_error err;

    (void)cuzk_proof_range(kind);
    if (cuzk_proof_by_number(kind, UINT32_MAX, &info, &err) == CUZK_OK) abort();
    if (cuzk_proof_from_text(kind, text, "fuzz", &info, &err) == CUZK_OK) {
        look_up(kind, &info);
        is_read = true;
    }
    if (cuzk_proof_newest(kind, text, "fuzz", &info, &err) == CUZK_OK) {
        look_up(kind, &info);
        is_read = true;
    }
    return is_read;
}

static bool read_text(const char *text)
{
    uint8_t bytes[CUZK_COMMITMENT_BYTES];
    bool is_read = false;
    uint64_t miner;
    cuzk_kind kind;
    cuzk_error err;

    for (unsigned k = 0; k <= CUZK_WINNING_POST + 1; k++)
        if (name_proofs((cuzk_kind)k, text)) is_read = true;
    if (cuzk_kind_from_text(text, "fuzz", &kind, &err) == CUZK_OK) {
        if (strcmp(cuzk_kind_name(kind), text) != 0) abort();
        is_read = true;
    }
    (void)cuzk_kind_name((cuzk_kind)0);
    if (cuzk_input_max_bytes((cuzk_kind)0) != 0) abort();
    if (cuzk_input_max_bytes(CUZK_WINDOW_POST) < cuzk_input_max_bytes(CUZK_WINNING_POST)) abort();
    if (cuzk_commitment_from_text(CUZK_COMM_R, text, "fuzz", bytes, &err) == CUZK_OK)
        is_read = true;
    if (cuzk_commitment_from_text(CUZK_COMM_D, text, "fuzz", bytes, &err) == CUZK_OK)
        is_read = true;
    if (cuzk_miner_from_text(text, "fuzz", &miner, &err) == CUZK_OK) is_read = true;
    return is_read;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    cuzk_bytes *items;
    size_t n;
    cuzk_error err;

    if (text == NULL) return 0;
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    bool is_read = read_text(text);
    free(text);
    /* a length that no list has is refused unread */
    if (cuzk_vanilla_from_json(data, SIZE_MAX, "fuzz", &items, &n, &err) == CUZK_OK) abort();
    if (cuzk_vanilla_from_json(data, size, "fuzz", &items, &n, &err) == CUZK_OK) {
        for (size_t i = 0; i < n; i++)
            if (items[i].length == 0) abort();
        cuzk_vanilla_free(items);
        is_read = true;
    }
    cuzk_vanilla_free(NULL);
    fuzz_judge(is_read ? FUZZ_READ : FUZZ_REFUSED);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/network.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/select.h"
#include "cuzk/setup.h"

const char *network_state_name(network_state state)
{
    static const char *const names[] = {[NETWORK_MISSING] = "missing",
                                        [NETWORK_NO_FILE] = "not a readable file",
                                        [NETWORK_OTHER_LENGTH] = "wrong length",
                                        [NETWORK_OTHER] = "not the public network's",
                                        [NETWORK_LENGTH] = "there",
                                        [NETWORK_PUBLIC] = "the public network's"};

    return names[state];
}

bool network_is_there(network_state state)
{
    return state == NETWORK_LENGTH || state == NETWORK_PUBLIC;
}

/* Keys are read, being small; of parameters the length is looked at. */
static void look(network_file_t *file, bool is_key)
{
    struct stat info;
    bool is_public;

    if (stat(file->path, &info) != 0) {
        file->state = errno == ENOENT || errno == ENOTDIR ? NETWORK_MISSING : NETWORK_NO_FILE;
        return;
    }
    file->state = NETWORK_NO_FILE;
    if (!S_ISREG(info.st_mode)) return;
    file->found_bytes = (uint64_t)info.st_size;
    if (file->found_bytes != file->file.bytes)
        file->state = NETWORK_OTHER_LENGTH;
    else if (!is_key)
        file->state = NETWORK_LENGTH;
    else if (cuzk_public_file_match(file->path, &is_public, NULL, NULL, NULL, NULL) == CUZK_OK)
        file->state = is_public ? NETWORK_PUBLIC : NETWORK_OTHER;
}

static cuzk_status find(network_file_t *file, const char *folder, const char *circuit,
                        const char *suffix, cuzk_error *err)
{
    file->file.struct_size = sizeof file->file;
    cuzk_status st = cuzk_public_file_find(circuit, suffix, &file->file, err);
    if (st == CUZK_OK) st = cuzk_params_path(folder, circuit, suffix, &file->path, err);
    if (st == CUZK_OK) look(file, strcmp(suffix, "vk") == 0);
    return st;
}

static cuzk_status visit(cuzk_kind kind, const char *size, const network_choice_t *choice,
                         network_fn each, void *arg, cuzk_error *err)
{
    network_circuit_t circuit = {.proof = {.struct_size = sizeof circuit.proof}};

    if (choice->sector_size != NULL && strcmp(choice->sector_size, size) != 0) return CUZK_OK;
    cuzk_status st = cuzk_proof_newest(kind, size, "--sector-size", &circuit.proof, err);
    const char *label = circuit.proof.circuit;
    if (st == CUZK_OK) st = find(&circuit.params, choice->folder, label, "params", err);
    if (st == CUZK_OK) st = find(&circuit.key, choice->folder, label, "vk", err);
    if (st == CUZK_OK) st = each(arg, &circuit, err);
    cuzk_bytes_free(circuit.params.path);
    cuzk_bytes_free(circuit.key.path);
    return st;
}

cuzk_status network_each(const network_choice_t *choice, network_fn each, void *arg,
                         cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    for (int kind = CUZK_POREP; kind <= CUZK_WINNING_POST; kind++) {
        const char *sizes = SECTOR_SIZE_WORDS;

        if (choice->kind != NULL && strcmp(choice->kind, cuzk_kind_name((cuzk_kind)kind)) != 0)
            continue;
        while (sizes != NULL && st == CUZK_OK) {
            const char *word = sizes;
            const size_t length = option_next_word(&sizes);
            char size[16] = "";

            memcpy(size, word, length < sizeof size ? length : sizeof size - 1);
            st = visit((cuzk_kind)kind, size, choice, each, arg, err);
        }
    }
    return st;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/doctor.h"
#include "cli/network.h"

static const char what[] = "parameters";
static const char fetch_again[] =
    "fetch it again (cuzk params fetch-list), or make it again if it is for tests";

typedef struct {
    doctor_t *doctor;
    cuzk_engine *engine;
    uint32_t n_found; /* circuits of which something is there */
} look_t;

/* Whether a parameter file begins with the key, as those of one setup do. */
static cuzk_status match_key(bool *is_one, const char *params_path, const char *key_path,
                             cuzk_error *err)
{
    file_t params, key;
    uint8_t *both = NULL;

    *is_one = false;
    cuzk_status st = file_open(&key, key_path, err);
    if (st != CUZK_OK) return st;
    st = file_open(&params, params_path, err);
    if (st == CUZK_OK) {
        both = mem_alloc(2, (size_t)key.length, "a key", err);
        st = both != NULL ? file_read_at(&key, both, (size_t)key.length, 0, err) : err->status;
        if (st == CUZK_OK)
            st = file_read_at(&params, both + key.length, (size_t)key.length, 0, err);
        if (st == CUZK_OK) *is_one = memcmp(both, both + key.length, (size_t)key.length) == 0;
        file_close(&params);
    }
    free(both);
    file_close(&key);
    return st;
}

/* Parameters and key are both there, and as long as they should be. */
static void look_at_pair(look_t *look, const network_circuit_t *circuit)
{
    const char *label = circuit->proof.circuit;
    cuzk_error err;
    bool is_one;

    cuzk_status st = match_key(&is_one, circuit->params.path, circuit->key.path, &err);
    if (st == CUZK_OK)
        st = cuzk_params_check(look->engine, circuit->key.path, NULL, NULL, NULL, &err);
    if (st != CUZK_OK)
        doctor_say(look->doctor, DOCTOR_BAD, what, fetch_again, "%s: %s", label, err.text);
    else if (!is_one)
        doctor_say(look->doctor, DOCTOR_BAD, what, fetch_again,
                   "%s: the .params and the .vk file are of two setups", label);
    else if (circuit->key.state == NETWORK_PUBLIC)
        doctor_say(look->doctor, DOCTOR_OK, what, NULL,
                   "%s: there, the key is the public network's", label);
    else
        doctor_say(look->doctor, DOCTOR_NOTE, what,
                   "for the public network fetch its own: cuzk params fetch-list",
                   "%s: there, but not the public network's", label);
}

static bool has_right_length(const network_file_t *file)
{
    return network_is_there(file->state) || file->state == NETWORK_OTHER;
}

/* One of the files, when it is not as it should be. */
static void look_at_one(look_t *look, const char *label, const char *suffix,
                        const network_file_t *file)
{
    if (has_right_length(file)) return;
    if (file->state == NETWORK_OTHER_LENGTH)
        doctor_say(look->doctor, DOCTOR_BAD, what, fetch_again,
                   "%s: the .%s file has %llu bytes, expected %llu", label, suffix,
                   (unsigned long long)file->found_bytes, (unsigned long long)file->file.bytes);
    else
        doctor_say(look->doctor, file->state == NETWORK_MISSING ? DOCTOR_NOTE : DOCTOR_BAD, what,
                   fetch_again, "%s: the .%s file is %s", label, suffix,
                   network_state_name(file->state));
}

static cuzk_status look_at_circuit(void *arg, const network_circuit_t *circuit, cuzk_error *err)
{
    look_t *look = arg;

    (void)err;
    if (circuit->params.state == NETWORK_MISSING && circuit->key.state == NETWORK_MISSING)
        return CUZK_OK;
    look->n_found++;
    if (has_right_length(&circuit->params) && has_right_length(&circuit->key)) {
        look_at_pair(look, circuit);
        return CUZK_OK;
    }
    look_at_one(look, circuit->proof.circuit, "params", &circuit->params);
    look_at_one(look, circuit->proof.circuit, "vk", &circuit->key);
    return CUZK_OK;
}

void doctor_params(doctor_t *doctor, const char *folder, uint32_t n_threads)
{
    const cuzk_engine_options options = {.struct_size = sizeof options, .threads = n_threads};
    const network_choice_t choice = {.folder = folder};
    look_t look = {.doctor = doctor};
    cuzk_error err;

    cuzk_status st = cuzk_engine_open(&look.engine, &options, &err);
    if (st == CUZK_OK) {
        st = network_each(&choice, look_at_circuit, &look, &err);
        cuzk_engine_close(look.engine);
    }
    if (st != CUZK_OK)
        doctor_say(doctor, DOCTOR_BAD, what, "see to what it says", "%s", err.text);
    else if (look.n_found == 0)
        doctor_say(doctor, DOCTOR_NOTE, what, "cuzk params fetch-list names those to fetch",
                   "none in %s", folder);
}

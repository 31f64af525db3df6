/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_NETWORK_H
#define CUZK_CLI_NETWORK_H

/* The public network's parameter files, and what of them is in a folder. */

#include "cuzk/network.h"
#include "cuzk/text.h"

typedef enum {
    NETWORK_MISSING,
    NETWORK_NO_FILE,      /* a folder, a device, or not to be looked at */
    NETWORK_OTHER_LENGTH, /* cut short, or of another setup */
    NETWORK_OTHER,        /* a key of the right length that is not the public network's */
    NETWORK_LENGTH,       /* parameters of the right length: their content was not looked at */
    NETWORK_PUBLIC        /* a key that is the public network's */
} network_state;

/** One of the files. */
typedef struct {
    cuzk_public_file file;
    char *path;
    network_state state;
    uint64_t found_bytes; /* the length of what is at path */
} network_file_t;

/** A circuit's. */
typedef struct {
    cuzk_proof_info proof; /* the newest of its circuit */
    network_file_t params, key;
} network_circuit_t;

/** Which of them. */
typedef struct {
    const char *folder;      /* NULL: the default */
    const char *kind;        /* NULL: all */
    const char *sector_size; /* NULL: all */
} network_choice_t;

/** What is done with each. */
typedef cuzk_status (*network_fn)(void *arg, const network_circuit_t *circuit, cuzk_error *err);

/** Calls each for every circuit chosen, kind by kind, and stops with the first error. The circuit
 * is valid during the call. */
cuzk_status network_each(const network_choice_t *choice, network_fn each, void *arg,
                         cuzk_error *err);

/** "missing", "there" and so on. */
const char *network_state_name(network_state state);

/** Whether it is there as far as was looked. */
bool network_is_there(network_state state);

#endif

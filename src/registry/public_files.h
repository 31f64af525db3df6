/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_REGISTRY_PUBLIC_FILES_H
#define CUZK_REGISTRY_PUBLIC_FILES_H

/* The parameter files that the public network's ceremony made, as published. */

#include "registry/registry.h"

enum { PUBLIC_DIGEST_BYTES = 16, PUBLIC_CIRCUITS = CIRCUIT_KINDS * SECTOR_SIZES };

typedef enum { PUBLIC_PARAMS, PUBLIC_KEY, PUBLIC_FILES } public_part;

typedef struct {
    const char *cid;                      /* in the network's content-addressed storage */
    uint8_t blake2b[PUBLIC_DIGEST_BYTES]; /* the first bytes of the file's BLAKE2b-512 digest */
    uint64_t bytes;
} public_file_t;

typedef struct {
    const char *label; /* "porep-32g" */
    public_file_t files[PUBLIC_FILES];
} public_circuit_t;

/** In no particular order; a circuit each. */
extern const public_circuit_t public_circuits[PUBLIC_CIRCUITS];

/** A file of a circuit. */
const public_file_t *public_file(const circuit_row_t *row, public_part part);

/** "params" or "vk": what comes after the last point of its name. */
const char *public_part_suffix(public_part part);

#endif

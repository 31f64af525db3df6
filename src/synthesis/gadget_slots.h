/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_SYNTHESIS_GADGET_SLOTS_H
#define CUZK_SYNTHESIS_GADGET_SLOTS_H

/* What makes two gadgets have the same constraints, for back ends that record each once: name, key,
 * and which of the slots are the same variable (terms of the same variable become one, and may
 * cancel). */

#include "hash/sha256.h"
#include "r1cs/cs.h"

/** Zeroed is empty; filled again and again. */
typedef struct {
    var_t *vars; /* the distinct slots, in the order in which they first appear */
    uint32_t n;
    uint32_t *numbers; /* numbers[i] = which of vars the gadget's slot i is */
    uint32_t capacity; /* of both */
    uint32_t *table;   /* open addressing from variables to number + 1; 0: nothing */
    size_t table_size;
} gadget_slots_t;

/** Reads a gadget's slots. False when there is no memory. */
bool gadget_slots_read(gadget_slots_t *slots, const cs_gadget_t *gadget);

/** The key, of a gadget whose slots have just been read. */
void gadget_slots_key(uint8_t key[SHA256_BYTES], const gadget_slots_t *slots,
                      const cs_gadget_t *gadget);

void gadget_slots_clear(gadget_slots_t *slots);

#endif

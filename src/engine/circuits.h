/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_ENGINE_CIRCUITS_H
#define CUZK_ENGINE_CIRCUITS_H

/* What depends on a circuit alone and is shared by its proofs: its plan, its parameters, its
 * verifying key. Each is made or opened once, however many ask for it, and given back when nobody
 * uses the circuit and memory is wanted. Thread-safe. */

#include "cuzk/watch.h"
#include "engine/ledger.h"
#include "registry/registry.h"
#include "srs/srs.h"
#include "synthesis/plan.h"

typedef struct circuits circuits_t;

/** A circuit that is in use: nothing of it is given back until circuits_release(). */
typedef struct circuit_use circuit_use_t;

/** Where parameters lie. Strings are copied. */
typedef struct {
    const char *folder;
    const char *source; /* where its name comes from, for messages */
} params_place_t;

/** Where parameters lie when no option says it: in the environment's folder, else the system-wide
 *  default. */
params_place_t params_default_place(void);

cuzk_status circuits_open(circuits_t **circuits, ledger_t *ledger, const params_place_t *place,
                          cuzk_error *err);

/** NULL is allowed. Nothing is in use. */
void circuits_close(circuits_t *circuits);

circuit_use_t *circuits_acquire(circuits_t *circuits, const circuit_row_t *row);
void circuits_release(circuits_t *circuits, circuit_use_t *use);

/** The calling strand makes what is not there, or waits for the one that does. CUZK_CANCELLED and
 *  CUZK_ERR_DEADLINE while waiting; else the errors of making: CUZK_ERR_MEMORY, CUZK_ERR_MISSING
 * (the message says where the folder's name comes from), CUZK_ERR_FORMAT, CUZK_ERR_IO. The next
 * call tries again. */
cuzk_status circuits_plan(const circuit_plan_t **plan, circuits_t *circuits, circuit_use_t *use,
                          strand_t *strand, cuzk_error *err);
cuzk_status circuits_srs(const srs_t **srs, circuits_t *circuits, circuit_use_t *use,
                         strand_t *strand, cuzk_error *err);
cuzk_status circuits_vk(const srs_vk_t **vk, circuits_t *circuits, circuit_use_t *use,
                        strand_t *strand, cuzk_error *err);

/** Whether the circuit's parameters are open. */
bool circuits_has_srs(circuits_t *circuits, circuit_use_t *use);

/** Gives back the circuit that is not in use and was used longest ago, so long ago at least; false:
 *  there is none. */
bool circuits_evict_one(circuits_t *circuits, uint64_t min_idle_ns);

/** The circuits of which something is held; returns how many there are, of which list has room for
 *  some. */
size_t circuits_list(cuzk_open_params *list, size_t room, circuits_t *circuits);

/** Gives back one circuit. CUZK_ERR_BUSY when it is in use. */
cuzk_status circuits_evict(uint64_t *freed_bytes, circuits_t *circuits, const circuit_row_t *row,
                           cuzk_error *err);

/** A new string, FOLDER/v28-ID.SUFFIX, released with free(); NULL without memory. suffix is
 * "params" or "vk". */
char *circuits_params_path(const circuits_t *circuits, const circuit_row_t *row, const char *suffix,
                           cuzk_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "engine/circuits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/verify.h"
#include "engine/turn.h"
#include "registry/kind.h"
#include "synthesis/plan.h"

#define PARAMS_VARIABLE "FIL_PROOFS_PARAMETER_CACHE"
#define PARAMS_DEFAULT  "/var/tmp/filecoin-proof-parameters"

typedef enum { PART_PLAN, PART_SRS, PART_VK, PARTS } circuit_part;

typedef enum { PART_ABSENT, PART_IN_MAKING, PART_READY } part_state;

struct circuit_use {
    const circuit_row_t *row;
    uint32_t n_users;
    uint64_t last_used_ns;
    part_state states[PARTS];
    reservation_t held[PARTS];
    circuit_plan_t plan;
    srs_t srs;
    srs_vk_t vk;
};

struct circuits {
    pthread_mutex_t mutex; /* guards the entries, but for parts that are ready */
    pthread_cond_t made;
    ledger_t *ledger;
    char *folder, *source;
    circuit_use_t entries[CIRCUIT_KINDS * SECTOR_SIZES];
    size_t n_entries;
};

params_place_t params_default_place(void)
{
    const char *folder = getenv(PARAMS_VARIABLE);

    if (folder != NULL && *folder != '\0') return (params_place_t){folder, PARAMS_VARIABLE};
    return (params_place_t){PARAMS_DEFAULT, "the default"};
}

cuzk_status circuits_open(circuits_t **out, ledger_t *ledger, const params_place_t *place,
                          cuzk_error *err)
{
    circuits_t *circuits = mem_alloc(1, sizeof *circuits, "circuits", err);

    *out = NULL;
    if (circuits == NULL) return err->status;
    (void)pthread_mutex_init(&circuits->mutex, NULL);
    turn_cond_init(&circuits->made);
    circuits->ledger = ledger;
    circuits->folder = mem_copy_text(place->folder, "params_folder", err);
    if (circuits->folder != NULL)
        circuits->source = mem_copy_text(place->source, "params_source", err);
    if (circuits->source == NULL) {
        circuits_close(circuits);
        return err->status;
    }
    *out = circuits;
    return CUZK_OK;
}

/* ---- parts ------------------------------------------------------------------------------------
 */

static void close_part(circuit_use_t *use, circuit_part part)
{
    if (use->states[part] != PART_READY) return;
    if (part == PART_PLAN) circuit_plan_clear(&use->plan);
    if (part == PART_SRS) srs_close(&use->srs);
    if (part == PART_VK) srs_vk_clear(&use->vk);
    use->states[part] = PART_ABSENT;
    ledger_release(&use->held[part]);
}

char *circuits_params_path(const circuits_t *circuits, const circuit_row_t *row, const char *suffix,
                           cuzk_error *err)
{
    return circuit_params_path(circuits->folder, row, suffix, err);
}

/* Adds to a missing file's message why it was looked for there. */
static cuzk_status explain_missing(const circuits_t *circuits, cuzk_error *err)
{
    const cuzk_error cause = *err;

    if (cause.status != CUZK_ERR_MISSING) return cause.status;
    return error_set(err, cause.status, "parameters: %s (the folder is from %s)", cause.text,
                     circuits->source);
}

/* A proof is checked under the key of the parameters: that has to be the folder's, if it has one.
 */
static cuzk_status match_vk(const circuit_use_t *use, const circuits_t *circuits, cuzk_error *err)
{
    char *path = circuits_params_path(circuits, use->row, "vk", err);

    if (path == NULL) return err->status;
    const bool is_there = access(path, F_OK) == 0;
    const cuzk_status st = is_there ? srs_match_vk(&use->srs, path, err) : CUZK_OK;
    free(path);
    return st;
}

static cuzk_status open_file(circuit_use_t *use, circuit_part part, const circuits_t *circuits,
                             strand_t *strand, cuzk_error *err)
{
    char *path = circuits_params_path(circuits, use->row, part == PART_SRS ? "params" : "vk", err);

    if (path == NULL) return err->status;
    cuzk_status st = part == PART_SRS ? srs_open(&use->srs, path, strand, err)
                                      : srs_vk_read(&use->vk, path, strand, err);
    free(path);
    if (st != CUZK_OK) return explain_missing(circuits, err);
    if (part == PART_SRS) st = match_vk(use, circuits, err);
    if (st != CUZK_OK) srs_close(&use->srs);
    return st;
}

static cuzk_status make_plan(circuit_use_t *use, cuzk_error *err)
{
    circuit_fn circuit;
    void *shape;

    cuzk_status st = proof_kind_shape(&circuit, &shape, use->row, err);
    if (st != CUZK_OK) return st;
    st = synthesis_plan(&use->plan, circuit, shape, err);
    free(shape);
    return st;
}

static uint64_t part_bytes(const circuit_use_t *use, circuit_part part)
{
    if (part == PART_PLAN) return circuit_plan_bytes(&use->plan);
    if (part == PART_SRS) return srs_resident_bytes(&use->srs);
    return (uint64_t)use->vk.n_ic * sizeof *use->vk.ic;
}

/* Makes a part, or waits until another strand has. */
static cuzk_status need_part(circuits_t *circuits, circuit_use_t *use, circuit_part part,
                             strand_t *strand, cuzk_error *err)
{
    cuzk_status st = strand_status(strand, err);

    (void)pthread_mutex_lock(&circuits->mutex);
    while (st == CUZK_OK && use->states[part] == PART_IN_MAKING) {
        strand_leave(strand);
        turn_wait(&circuits->made, &circuits->mutex);
        (void)pthread_mutex_unlock(&circuits->mutex);
        strand_enter(strand);
        st = strand_status(strand, err);
        (void)pthread_mutex_lock(&circuits->mutex);
    }
    const bool is_mine = st == CUZK_OK && use->states[part] == PART_ABSENT;
    if (is_mine) use->states[part] = PART_IN_MAKING;
    (void)pthread_mutex_unlock(&circuits->mutex);
    if (!is_mine) return st;

    st = part == PART_PLAN ? make_plan(use, err) : open_file(use, part, circuits, strand, err);
    if (st == CUZK_OK)
        ledger_set(&use->held[part], circuits->ledger, LEDGER_PARAMS, part_bytes(use, part));
    (void)pthread_mutex_lock(&circuits->mutex);
    use->states[part] = st == CUZK_OK ? PART_READY : PART_ABSENT;
    (void)pthread_cond_broadcast(&circuits->made);
    (void)pthread_mutex_unlock(&circuits->mutex);
    return st;
}

cuzk_status circuits_plan(const circuit_plan_t **plan, circuits_t *circuits, circuit_use_t *use,
                          strand_t *strand, cuzk_error *err)
{
    *plan = &use->plan;
    return need_part(circuits, use, PART_PLAN, strand, err);
}

cuzk_status circuits_srs(const srs_t **srs, circuits_t *circuits, circuit_use_t *use,
                         strand_t *strand, cuzk_error *err)
{
    *srs = &use->srs;
    return need_part(circuits, use, PART_SRS, strand, err);
}

cuzk_status circuits_vk(const srs_vk_t **vk, circuits_t *circuits, circuit_use_t *use,
                        strand_t *strand, cuzk_error *err)
{
    *vk = &use->vk;
    return need_part(circuits, use, PART_VK, strand, err);
}

bool circuits_has_srs(circuits_t *circuits, circuit_use_t *use)
{
    (void)pthread_mutex_lock(&circuits->mutex);
    const bool has = use->states[PART_SRS] == PART_READY;
    (void)pthread_mutex_unlock(&circuits->mutex);
    return has;
}

/* ---- entries ----------------------------------------------------------------------------------
 */

/* The mutex is held, as in the next two. */
static circuit_use_t *find_entry(circuits_t *circuits, const circuit_row_t *row)
{
    for (size_t i = 0; i < circuits->n_entries; i++)
        if (circuits->entries[i].row == row) return &circuits->entries[i];
    return NULL;
}

static uint64_t close_entry(circuit_use_t *use)
{
    uint64_t bytes = 0;

    for (circuit_part part = PART_PLAN; part < PARTS; part++) {
        bytes += use->held[part].bytes;
        close_part(use, part);
    }
    return bytes;
}

static bool is_empty(const circuit_use_t *use)
{
    for (circuit_part part = PART_PLAN; part < PARTS; part++)
        if (use->states[part] != PART_ABSENT) return false;
    return true;
}

circuit_use_t *circuits_acquire(circuits_t *circuits, const circuit_row_t *row)
{
    (void)pthread_mutex_lock(&circuits->mutex);
    circuit_use_t *use = find_entry(circuits, row);
    if (use == NULL) {
        VERIFY(circuits->n_entries < sizeof circuits->entries / sizeof circuits->entries[0]);
        use = &circuits->entries[circuits->n_entries++];
        use->row = row;
    }
    use->n_users++;
    (void)pthread_mutex_unlock(&circuits->mutex);
    return use;
}

void circuits_release(circuits_t *circuits, circuit_use_t *use)
{
    if (use == NULL) return;
    (void)pthread_mutex_lock(&circuits->mutex);
    VERIFY(use->n_users > 0);
    use->n_users--;
    use->last_used_ns = clock_monotonic_ns();
    (void)pthread_mutex_unlock(&circuits->mutex);
}

bool circuits_evict_one(circuits_t *circuits, uint64_t min_idle_ns)
{
    const uint64_t now = clock_monotonic_ns();
    circuit_use_t *oldest = NULL;

    (void)pthread_mutex_lock(&circuits->mutex);
    for (size_t i = 0; i < circuits->n_entries; i++) {
        circuit_use_t *use = &circuits->entries[i];

        if (use->n_users > 0 || is_empty(use) || now - use->last_used_ns < min_idle_ns) continue;
        if (oldest == NULL || use->last_used_ns < oldest->last_used_ns) oldest = use;
    }
    if (oldest != NULL) (void)close_entry(oldest);
    (void)pthread_mutex_unlock(&circuits->mutex);
    return oldest != NULL;
}

/* Of a part that is in the making only whoever makes it knows. */
static uint64_t held_bytes(const circuit_use_t *use, circuit_part part)
{
    return use->states[part] == PART_READY ? use->held[part].bytes : 0;
}

static void describe(cuzk_open_params *open, const circuit_use_t *use)
{
    *open = (cuzk_open_params){
        .has_params = use->states[PART_SRS] == PART_READY,
        .params_bytes = held_bytes(use, PART_SRS) + held_bytes(use, PART_VK),
        .plan_bytes = held_bytes(use, PART_PLAN),
        .n_users = use->n_users,
        .idle_s =
            use->n_users > 0 ? 0 : clock_seconds_between(use->last_used_ns, clock_monotonic_ns())};
    (void)snprintf(open->circuit, sizeof open->circuit, "%s", use->row->label);
}

size_t circuits_list(cuzk_open_params *list, size_t room, circuits_t *circuits)
{
    size_t n = 0;

    (void)pthread_mutex_lock(&circuits->mutex);
    for (size_t i = 0; i < circuits->n_entries; i++) {
        if (is_empty(&circuits->entries[i])) continue;
        if (n < room) describe(&list[n], &circuits->entries[i]);
        n++;
    }
    (void)pthread_mutex_unlock(&circuits->mutex);
    return n;
}

cuzk_status circuits_evict(uint64_t *freed_bytes, circuits_t *circuits, const circuit_row_t *row,
                           cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    *freed_bytes = 0;
    (void)pthread_mutex_lock(&circuits->mutex);
    circuit_use_t *use = find_entry(circuits, row);
    if (use != NULL && use->n_users > 0)
        st = error_set(err, CUZK_ERR_BUSY, "parameters: %s is in use", row->label);
    else if (use != NULL)
        *freed_bytes = close_entry(use);
    (void)pthread_mutex_unlock(&circuits->mutex);
    return st;
}

void circuits_close(circuits_t *circuits)
{
    if (circuits == NULL) return;
    for (size_t i = 0; i < circuits->n_entries; i++) {
        VERIFY(circuits->entries[i].n_users == 0);
        (void)close_entry(&circuits->entries[i]);
    }
    (void)pthread_cond_destroy(&circuits->made);
    (void)pthread_mutex_destroy(&circuits->mutex);
    free(circuits->folder);
    free(circuits->source);
    free(circuits);
}

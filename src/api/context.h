/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_API_CONTEXT_H
#define CUZK_API_CONTEXT_H

/* What the public calls share: worker threads, compiled circuits, and where parameters are. */

#include <pthread.h>

#include "base/executor.h"
#include "cuzk/cuzk.h"
#include "pce/pce.h"
#include "registry/registry.h"
#include "srs/srs.h"

/** Where parameters lie. */
typedef struct {
    const char *folder;
    const char *source; /* where its name comes from, for messages */
} params_place_t;

struct cuzk_context {
    strand_t *strand;
    pce_cache_t *pces; /* of circuits proved so far, and of the folder of compiled circuits */
    params_place_t params;
    char *params_folder;    /* params.folder, owned */
    uint64_t memory_budget; /* bytes; 0: what is available */
    cuzk_progress progress; /* may be NULL */
    void *progress_arg;
    cuzk_notice notice; /* may be NULL */
    void *notice_arg;
    pthread_mutex_t report_mutex; /* progress and notice are called one at a time */
};

/** Where parameters lie when no option says it: in the environment's folder, else the system-wide
 *  default. */
params_place_t params_default_place(void);

/** A new string, FOLDER/v28-ID.SUFFIX; release it with free(). suffix is "params" or "vk". */
char *params_path(const char *folder, const circuit_row_t *row, const char *suffix);

/** Opens a circuit's parameters; a missing file's message says where the folder's name comes
 *  from. */
cuzk_status params_open_srs(srs_t *srs, const params_place_t *place, const circuit_row_t *row,
                            cuzk_error *err);

/** The same for a verifying key, which must be for n_inputs public inputs (ONE not among them). */
cuzk_status params_open_vk(srs_vk_t *vk, const params_place_t *place, const circuit_row_t *row,
                           uint32_t n_inputs, cuzk_error *err);

/** Calls the progress function, if there is one. */
void context_report(cuzk_context *context, const char *stage, size_t index, size_t count);

#endif

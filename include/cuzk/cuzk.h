/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CUZK_H
#define CUZK_CUZK_H

/* libcuzk: Filecoin's proofs from C. Open an engine, submit requests, wait for their proofs. Beside
 * this: cuzk/watch.h (what is seen of an engine), cuzk/text.h (values as people write them),
 * cuzk/describe.h (circuits and witnesses), cuzk/setup.h (test parameters), cuzk/network.h (the
 * public network's parameter files).
 *
 *     cuzk_engine *engine;
 *     cuzk_error error;
 *     const cuzk_engine_options options = {.struct_size = sizeof options,
 *                                          .params_folder = "/params"};
 *     if (cuzk_engine_open(&engine, &options, &error) != CUZK_OK)
 *         complain(error.text);
 *     cuzk_result result = {.struct_size = sizeof result};
 *     if (cuzk_prove(engine, &request, &result, &error) == CUZK_OK)
 *         use(result.proofs, result.length);
 *     cuzk_result_clear(&result);
 *     cuzk_engine_close(engine);
 *
 * Every input is checked before any expensive work, and every proof before it is handed out.
 *
 * Ownership: what a call is given is borrowed for the call only; an engine keeps copies. What a
 * call fills in is released by the function named beside it.
 * Structures: those with a struct_size grow in later versions. Set it to sizeof, zero the rest;
 * members that a caller's version does not have count as zero.
 * Errors: `error` may be NULL wherever it is a parameter. When a call does not return CUZK_OK it
 * holds one line that names the field, the value and the limit.
 * Threads: all calls with an engine may be made by several threads at once, but
 * cuzk_engine_close(). Callbacks are called by threads of the engine and call nothing of it.
 * Fork: a child process has none of the engine's threads; it calls nothing but _exit() or exec. */

#include <stdbool.h>

#include "cuzk/request.h"
#include "cuzk/statement.h"
#include "cuzk/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUZK_VERSION_MAJOR 0
#define CUZK_VERSION_MINOR 2
#define CUZK_VERSION_PATCH 0
#define CUZK_VERSION_NUMBER                                                                        \
    (CUZK_VERSION_MAJOR * 10000 + CUZK_VERSION_MINOR * 100 + CUZK_VERSION_PATCH)

/** The library's version, as "0.2.0" and as a number that may be compared. */
CUZK_API const char *cuzk_version(void);
CUZK_API uint32_t cuzk_version_number(void);

/** "ok", "invalid proof", "cancelled" ...; "unknown status" for any other number. */
CUZK_API const char *cuzk_status_name(cuzk_status status);

/* ---- engines -------------------------------------------------------------------------------- */

/** Threads, memory, parameters and jobs of a process. */
typedef struct cuzk_engine cuzk_engine;

typedef enum cuzk_log_level {
    CUZK_LOG_ERROR = 0,
    CUZK_LOG_WARNING,
    CUZK_LOG_INFO,
    CUZK_LOG_DEBUG
} cuzk_log_level;

/** A line for the log, without a newline; job is 0 when it is about none. One call at a time. */
typedef void (*cuzk_log)(void *arg, cuzk_log_level level, uint64_t job, const char *text);

/** A job is finished: cuzk_wait() will not block. Called once a job by a thread of the engine. */
typedef void (*cuzk_finished)(void *arg, cuzk_job job);

typedef struct cuzk_engine_options {
    size_t struct_size;
    const char *params_folder; /* NULL: $FIL_PROOFS_PARAMETER_CACHE, else
                                  /var/tmp/filecoin-proof-parameters */
    const char *params_source; /* what messages say params_folder comes from, such as "--params";
                                  NULL: "params_folder" */
    uint32_t threads;          /* that compute at once, whatever the number of jobs; 0: as many as
                                  CPUs this process may use; 1024 at most */
    uint32_t max_jobs;         /* jobs not finished; one more is refused with CUZK_ERR_BUSY; 0:
                                  1024 */
    uint64_t memory_budget;    /* bytes for everything the engine holds; 0: what is available when
                                  it is opened */
    bool serial;               /* one partition after the other: synthesis never runs beside the
                                  proving of another partition */
    cuzk_log log;              /* may be NULL */
    void *log_arg;
    cuzk_finished finished; /* may be NULL */
    void *finished_arg;
    uint32_t retries;            /* how often a partition is tried again whose proof failed its own
                                    check, or which the machine failed (memory, disk); 8 at most */
    uint32_t max_synthesis;      /* partitions in synthesis at once, at most; 0: as many as threads
                                    call for */
    uint64_t params_min_idle_ms; /* open parameters used since then are closed only for urgent
                                    work, or when no partition is under way that will give memory
                                    back */
} cuzk_engine_options;

/** options may be NULL. Starts threads and opens no file; logs a warning when params_folder is
 *  NULL and others may write to the folder it stands for. CUZK_ERR_ARG for an option out of
 *  range; CUZK_ERR_MEMORY when threads or memory are refused. */
CUZK_API cuzk_status cuzk_engine_open(cuzk_engine **engine, const cuzk_engine_options *options,
                                      cuzk_error *error);

/** Cancels what is not finished, waits until it has stopped (100 ms or so), and releases all. No
 *  other call is under way. NULL is allowed. */
CUZK_API void cuzk_engine_close(cuzk_engine *engine);

/** Asks for the end of everything the engine does: jobs and calls under way, and those that are
 *  still to come, end with CUZK_CANCELLED, within 100 ms or so (a setup where its circuit is run:
 *  when that is done). From any thread, also from a signal handler; then cuzk_engine_close(). */
CUZK_API void cuzk_engine_stop(cuzk_engine *engine);

/* ---- jobs ----------------------------------------------------------------------------------- */

/** Takes a request: copies it and returns at once. Proofs: winning, one; window, one for each full
 *  or last partition of sectors (2349 of 32 GiB, 2300 of 64 GiB, 2 of a test size), the last padded
 *  by its last sector; porep, 1 at test sizes, 10 at 32 and 64 GiB, 13 and 126 for the
 *  non-interactive kind, not aggregated; update, 1 at 2 KiB, 4 at 8 MiB, 16 from 512 MiB on.
 *
 *  CUZK_ERR_ARG: a field is out of range; CUZK_ERR_BUSY: max_jobs, or no memory for the input now;
 *  CUZK_ERR_BUDGET: it can never fit the memory budget. The first request for a circuit takes the
 *  time to make its plan (half a second at most). The input's content, then the parameters, are
 *  looked at later: see cuzk_wait(). */
CUZK_API cuzk_status cuzk_submit(cuzk_engine *engine, const cuzk_request *request, cuzk_job *job,
                                 cuzk_error *error);

#define CUZK_NO_TIMEOUT UINT64_MAX

/** Waits until a job is finished and forgets it. CUZK_OK: *result is filled in. CUZK_ERR_BUSY: not
 *  finished within timeout_ms; it goes on. CUZK_ERR_ARG: no job of that number. Else why the job
 *  failed: CUZK_ERR_ARG, CUZK_ERR_FORMAT: its input is refused; CUZK_ERR_MISSING, CUZK_ERR_FORMAT:
 *  its parameters are not there or not those of the circuit; CUZK_ERR_BUDGET: it can never fit the
 *  memory budget; CUZK_CANCELLED; CUZK_ERR_DEADLINE; CUZK_ERR_MEMORY; CUZK_ERR_IO;
 *  CUZK_ERR_INTERNAL: a proof failed its own check. A result is to be cleared also after a failure:
 *  it names every bad sector of a PoSt. */
CUZK_API cuzk_status cuzk_wait(cuzk_engine *engine, cuzk_job job, uint64_t timeout_ms,
                               cuzk_result *result, cuzk_error *error);

/** CUZK_ERR_ARG: no job of that number. */
CUZK_API cuzk_status cuzk_poll(cuzk_engine *engine, cuzk_job job, cuzk_progress *progress,
                               cuzk_error *error);

/** Asks a job to stop: it has, and has given its memory back, within 100 ms or so at any stage. It
 *  is still to be waited for. Harmless on a finished job. CUZK_ERR_ARG: no job of that number. */
CUZK_API cuzk_status cuzk_cancel(cuzk_engine *engine, cuzk_job job, cuzk_error *error);

/** cuzk_submit() and cuzk_wait() in one. */
CUZK_API cuzk_status cuzk_prove(cuzk_engine *engine, const cuzk_request *request,
                                cuzk_result *result, cuzk_error *error);

/** Of the input the form is checked. Errors as cuzk_wait(), but CUZK_ERR_BUDGET and CUZK_ERR_BUSY.
 *  May take the time to open the parameters and to make the circuit's plan. */
CUZK_API cuzk_status cuzk_estimate_request(cuzk_engine *engine, const cuzk_request *request,
                                           cuzk_estimate *estimate, cuzk_error *error);

/** Checks of a request all that can be known without parameters and before any expensive work: its
 *  fields, the form of its input, and that it can fit the memory budget. Errors as cuzk_submit(),
 *  and CUZK_ERR_FORMAT. *n_partitions may be NULL. */
CUZK_API cuzk_status cuzk_check_request(cuzk_engine *engine, const cuzk_request *request,
                                        uint32_t *n_partitions, cuzk_error *error);

/* ---- verifying ------------------------------------------------------------------------------ */

/** A statement of one kind; `of` has the member of that kind (post: both PoSts). */
typedef struct cuzk_statement {
    size_t struct_size;
    cuzk_kind kind;
    union {
        cuzk_porep_statement porep;
        cuzk_update_statement update;
        cuzk_post_statement post;
    } of;
} cuzk_statement;

/** CUZK_OK: valid. CUZK_INVALID_PROOF: the proofs do not decode or do not prove the statement.
 *  CUZK_ERR_ARG: the statement or the proofs' length is refused; so is an aggregated proof of the
 *  non-interactive kind. Reads only the .vk file, which stays open for later calls. */
CUZK_API cuzk_status cuzk_verify(cuzk_engine *engine, const cuzk_statement *statement,
                                 const uint8_t *proofs, size_t length, cuzk_error *error);

/** The same for a request's own statement, which its input has: whether the proofs of all its
 *  partitions, or of the one it names, are valid. Of the input the form is checked. Errors also as
 *  cuzk_wait() for an input that is refused. */
CUZK_API cuzk_status cuzk_verify_request(cuzk_engine *engine, const cuzk_request *request,
                                         const uint8_t *proofs, size_t length, cuzk_error *error);

/* ---- parameters ----------------------------------------------------------------------------- */

/** Opens the parameters of a circuit ("porep-32g") ahead of a proof, and makes its plan;
 *  *already_loaded, which may be NULL, tells whether they were open. CUZK_ERR_ARG: no such
 *  circuit. */
CUZK_API cuzk_status cuzk_params_preload(cuzk_engine *engine, const char *circuit,
                                         bool *already_loaded, cuzk_error *error);

/** Closes them when no job uses them; CUZK_ERR_BUSY when one does. *freed_bytes, which may be
 *  NULL, is 0 when they were not open. */
CUZK_API cuzk_status cuzk_params_evict(cuzk_engine *engine, const char *circuit,
                                       uint64_t *freed_bytes, cuzk_error *error);

/** The points of each part of a parameter file. */
typedef struct cuzk_params_info {
    size_t struct_size;
    bool is_key_alone; /* a verifying key: there is no part but ic */
    uint64_t n_ic, n_h, n_l, n_a, n_b_g1, n_b_g2;
} cuzk_params_info;

/** Looks at every point of a parameter file, or of a verifying key (a file whose name ends in
 *  ".vk"), the subgroup included. CUZK_ERR_FORMAT names file, section and index. info may be NULL,
 *  and progress too; that is called on the calling thread with points done and in all. */
CUZK_API cuzk_status cuzk_params_check(cuzk_engine *engine, const char *path,
                                       cuzk_params_info *info,
                                       void (*progress)(void *arg, uint64_t done, uint64_t total),
                                       void *arg, cuzk_error *error);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_DOCTOR_H
#define CUZK_CLI_DOCTOR_H

/* What cuzk doctor looks at; each check says what it found, a line or more. */

#include "codec/json_write.h"
#include "cuzk/cuzk.h"

typedef enum {
    DOCTOR_OK,
    DOCTOR_NOTE, /* it works, but could be better */
    DOCTOR_BAD   /* proofs will fail, or are not to be trusted */
} doctor_verdict;

/** Where findings go. */
typedef struct {
    json_writer_t *json; /* an array is open; NULL: lines on standard output */
    uint32_t n_bad;
} doctor_t;

/** One finding about `what`; advice: what to do about it, or NULL. */
void doctor_say(doctor_t *doctor, doctor_verdict verdict, const char *what, const char *advice,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/** Kernels, CPUs, memory, huge pages. */
void doctor_machine(doctor_t *doctor);

/** How fast the disk below the folder is, or below that for temporary files when nothing can be
 *  written to it. Writes up to 64 MiB and leaves nothing. */
void doctor_disk(doctor_t *doctor, const char *folder);

/** Which of the public network's files are in the folder, and whether they are right as far as a
 *  quick look tells. */
void doctor_params(doctor_t *doctor, const char *folder, uint32_t n_threads);

/** Makes test parameters in a temporary folder, proofs with them, and verifies those. */
void doctor_proof(doctor_t *doctor, uint32_t n_threads);

/** $TMPDIR, or /tmp. */
const char *doctor_temporary_folder(void);

#endif

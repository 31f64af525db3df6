/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STATUS_H
#define CUZK_STATUS_H

/* Outcomes and error text of every call that can fail for a reason outside the program. */

#ifdef __cplusplus
extern "C" {
#endif

/** Functions of the interface; nothing else leaves the library. */
#define CUZK_API __attribute__((visibility("default")))

/** What became of a call. A caller's bug is not among them: it aborts in VERIFY builds. */
typedef enum cuzk_status {
    CUZK_OK = 0,        /* done; valid; good */
    CUZK_INVALID_PROOF, /* a proof of the right length does not decode or does not verify */
    CUZK_CANCELLED,     /* stopped because its owner asked for it */
    CUZK_ERR_ARG,       /* a value given by the caller is out of its range */
    CUZK_ERR_FORMAT,    /* bytes from outside (file, message) are not in their form */
    CUZK_ERR_MISSING,   /* a named file or object is not there or not readable */
    CUZK_ERR_BUDGET,    /* it can never fit the limits in force */
    CUZK_ERR_BUSY,      /* it does not fit now: too much is waiting already */
    CUZK_ERR_DEADLINE,  /* it was not done in time */
    CUZK_ERR_MEMORY,    /* the system refused memory */
    CUZK_ERR_IO,        /* the system failed a read or write that should have worked */
    CUZK_ERR_INTERNAL   /* our fault or the machine's: for one, a proof that failed its own check
                           though no point of the parameters is damaged */
} cuzk_status;

enum { CUZK_ERROR_TEXT_BYTES = 1024 };

/** Why a call failed: one line, naming field, value and limit. Meaningful only when the call
 *  did not return CUZK_OK. */
typedef struct cuzk_error {
    cuzk_status status;
    char text[CUZK_ERROR_TEXT_BYTES]; /* zero-terminated, no newline */
} cuzk_error;

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BASE_VERIFY_H
#define CUZK_BASE_VERIFY_H

/* VERIFY(condition): an invariant of our own code. Checked in CUZK_VERIFY builds, where a
 * violation aborts; costs nothing else. Never for input from outside. */

#ifdef CUZK_VERIFY
#include <stdio.h>
#include <stdlib.h>
#define VERIFY(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "%s:%d: VERIFY(%s)\n", __FILE__, __LINE__, #condition);          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)
#else
#define VERIFY(condition) ((void)sizeof(condition))
#endif

#endif

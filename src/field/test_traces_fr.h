/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_FIELD_TEST_TRACES_FR_H
#define CUZK_FIELD_TEST_TRACES_FR_H

/* Traces of secret elements (base/test_traces.h). */

#include "base/random.h"
#include "base/test_traces.h"
#include "field/fr.h"

/* An element to look for, in both of the forms it has. */
static inline void test_traces_add_fr(test_traces_t *traces, const fr_t *secret)
{
    scalar_t s;

    fr_to_scalar(&s, secret);
    test_traces_add(traces, secret);
    test_traces_add(traces, &s);
    mem_wipe(&s, sizeof s);
}

#endif

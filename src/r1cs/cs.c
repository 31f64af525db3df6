/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "r1cs/cs.h"

bool cs_run(cs_t *cs, circuit_fn circuit, const void *values)
{
    jmp_buf leave;

    cs->leave = &leave;
    if (setjmp(leave) != 0) return false;
    circuit(cs, values);
    return true;
}

void cs_leave(cs_t *cs)
{
    longjmp(*cs->leave, 1);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* Any bytes as a file of setup secrets. */

#include "base/fuzz_support.h"
#include "cli/trapdoor.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    cuzk_trapdoor trapdoor;
    cuzk_error err;
    const cuzk_status st = trapdoor_read(&trapdoor, fuzz_file(bytes, n), &err);

    fuzz_judge(st == CUZK_OK ? FUZZ_READ : FUZZ_REFUSED);
    return 0;
}

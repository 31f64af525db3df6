/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* fuzz_pce_seeds FOLDER: files of the circuit that fuzz_pce.c runs, with parts and without, and of
 * circuits with the same name that have more, fewer and no parts, as right/NAME and read/NAME. */

#include <stdio.h>
#include <string.h>

#include "pce/pce.h"
#include "pce/test_toy.h"

static const struct {
    const char *name;
    toy_t toy;
} seeds[] = {
    {"right/parts", {.n_parts = 7, .one_in_b = 2, .seed = 1}},
    {"right/whole", {.n_parts = 7, .one_in_b = 2, .seed = 1, .in_one = true}},
    {"read/more", {.n_parts = 12, .one_in_b = 2, .seed = 1}},
    {"read/fewer", {.n_parts = 3, .one_in_b = 7, .seed = 1}},
    {"read/one", {.n_parts = 1, .one_in_b = 0, .seed = 1}},
    {"read/none", {.n_parts = 0}},
};

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        char path[4096];
        pce_t *pce;
        cuzk_error err;

        (void)snprintf(path, sizeof path, "%s/%s", argv[1], seeds[i].name);
        cuzk_status st = pce_extract(&pce, "toy", toy_parts, &seeds[i].toy, &err);
        if (st == CUZK_OK) {
            st = pce_save(pce, path, &err);
            pce_free(pce);
        }
        if (st == CUZK_OK) continue;
        (void)fprintf(stderr, "%s: %s\n", path, err.text);
        return 3;
    }
    return 0;
}

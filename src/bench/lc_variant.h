/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_LC_VARIANT_H
#define CUZK_BENCH_LC_VARIANT_H

/* Where combinations keep their terms, by name. The variants are whole files (bench/variants) that
 * are compiled in place of ours, so for each there is a program beside cuzk-bench. */

#include "base/error.h"

/** Goes on in the program that has a storage: "arena", "vec", "inline1", "inline2" or "inline4";
 * NULL: this one's. Another program replaces this process, with the same arguments (argv is a
 * command's, ended by NULL), and this does not return. CUZK_ERR_ARG: there is no such storage;
 * CUZK_ERR_MISSING: its program is not there. */
cuzk_status lc_variant_choose(const char *name, char **argv, cuzk_error *err);

/** The same errors, without doing it: whether the storage can be had. */
cuzk_status lc_variant_check(const char *name, cuzk_error *err);

#endif

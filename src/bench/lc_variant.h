/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_BENCH_LC_VARIANT_H
#define CUZK_BENCH_LC_VARIANT_H

/* Where combinations keep their terms, by name. How many lie in the combination itself is settled
 * when a program is built (r1cs/lc.h), so for each of these there is a program beside cuzk-bench.
 */

#include "base/error.h"

/** Gives this process a storage: "arena", "vec", "inline1", "inline2" or "inline4"; NULL: the
 *  program's own. Where another program has it, that one replaces this process, with the same
 *  arguments (argv is a command's, ended by NULL), and this does not return.
 *  CUZK_ERR_ARG: there is no such storage; CUZK_ERR_MISSING: its program is not there. */
cuzk_status lc_variant_choose(const char *name, char **argv, cuzk_error *err);

/** The same errors, without doing it: whether the storage can be had. */
cuzk_status lc_variant_check(const char *name, cuzk_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STATUS_TEST_SNAPSHOTS_H
#define CUZK_STATUS_TEST_SNAPSHOTS_H

/* Snapshots of daemons that are made up, for tests. */

#include "status/snapshot.h"

/** "idle", "busy", "many" (jobs), "long" (texts, some hostile), "errors", "draining"; NULL after
 * the last. */
const char *test_snapshot_name(size_t index);

/** Fills in *snapshot, which is to be cleared; false: no such name, or no memory. */
bool test_snapshot_make(snapshot_t *snapshot, const char *name);

#endif

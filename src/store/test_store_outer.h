/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STORE_TEST_STORE_OUTER_H
#define CUZK_STORE_TEST_STORE_OUTER_H

/* A folder for each test, in which its store's folder lies. */

#include "store/test_store_cases.h"

enum { LONG = 300000 }; /* bytes of a request that has a file */

static temporary_t outer;
static char folder[256];

static int set_up(void **unused)
{
    (void)unused;
    if (test_make_folder(&outer) != 0) return 1;
    (void)snprintf(folder, sizeof folder, "%s/store", outer.path);
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    temporary_remove(&outer);
    return 0;
}

static store_t *open_store(void)
{
    store_t *store;
    cuzk_error err;

    if (store_sqlite_open(&store, folder, 0, &err) == CUZK_OK) return store;
    fail_msg("%s", err.text);
    return NULL;
}

static void close_store(store_t *store)
{
    store->ops->close(store);
}

/* A store of n jobs of LONG bytes each, closed. */
static void make_store(unsigned n)
{
    store_t *store = open_store();
    cuzk_error err;

    for (unsigned i = 0; i < n; i++) assert_int_equal(test_add(store, i, LONG, &err), CUZK_OK);
    close_store(store);
}

#endif

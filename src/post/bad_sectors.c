/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "post/bad_sectors.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

/* What the tasks of a search share. */
typedef struct {
    const cuzk_post_statement *request;
    const cuzk_bytes *items;
    bool *is_bad; /* of each item */
    cuzk_bad_sector *bad;
} search_t;

/* Whether each item has its place in the list, so that it can be judged there. */
static bool is_listed(const cuzk_post_statement *request, const cuzk_bytes *items, size_t n)
{
    post_config_t config;
    cuzk_sector sector, last;
    cuzk_error ignored;

    if (!post_config_by_number(&config, request->registered_proof) ||
        post_check_randomness(request->randomness, "randomness", &ignored) != CUZK_OK ||
        post_check_sector_count(&config, n, &ignored) != CUZK_OK)
        return false;
    for (size_t i = 0; i < n; i++, last = sector) {
        if (items[i].length < POST_SECTOR_BYTES) return false;
        post_vanilla_sector(&sector, items[i].bytes);
        if (i > 0 && sector.number <= last.number) return false;
    }
    return true;
}

/* CUZK_OK when it is known whether the item is bad. */
static cuzk_status judge(bool *is_bad, const search_t *search, size_t i, cuzk_error *err)
{
    const cuzk_status st = post_input_judge(search->request, search->items[i], i, err);

    *is_bad = st == CUZK_ERR_FORMAT || st == CUZK_ERR_ARG;
    return *is_bad ? CUZK_OK : st;
}

static cuzk_status judge_item(void *arg, size_t i, uint32_t worker, cuzk_error *err)
{
    const search_t *search = arg;

    (void)worker;
    return judge(&search->is_bad[i], search, i, err);
}

static cuzk_status give_reason(void *arg, size_t k, uint32_t worker, cuzk_error *err)
{
    const search_t *search = arg;
    cuzk_bad_sector *bad = &search->bad[k];
    bool is_bad;

    (void)worker;
    const cuzk_status st = judge(&is_bad, search, bad->input, err);
    if (st == CUZK_OK)
        (void)snprintf(bad->reason, sizeof bad->reason, "%.*s", (int)sizeof bad->reason - 1,
                       err->text);
    return st;
}

/* Room for the bad ones, with what is known of each but its reason. */
static cuzk_status list(search_t *search, size_t *n_bad, size_t n, cuzk_error *err)
{
    size_t k = 0;

    for (size_t i = 0; i < n; i++) k += search->is_bad[i];
    *n_bad = k;
    if (k == 0) return CUZK_OK;
    search->bad = mem_alloc(k, sizeof *search->bad, "bad sectors", err);
    if (search->bad == NULL) return err->status;
    for (size_t i = n; i-- > 0;) {
        cuzk_sector sector;

        if (!search->is_bad[i]) continue;
        post_vanilla_sector(&sector, search->items[i].bytes);
        search->bad[--k] = (cuzk_bad_sector){.input = i, .number = sector.number};
    }
    return CUZK_OK;
}

cuzk_status post_find_bad(cuzk_bad_sector **bad, size_t *n_bad, const cuzk_post_statement *request,
                          const cuzk_bytes *items, size_t n, strand_t *strand, cuzk_error *err)
{
    search_t search = {.request = request, .items = items};

    *bad = NULL;
    *n_bad = 0;
    if (!is_listed(request, items, n)) return CUZK_OK;
    search.is_bad = mem_alloc(n, sizeof *search.is_bad, "sectors of a PoSt", err);
    if (search.is_bad == NULL) return err->status;
    cuzk_status st = strand_try(strand, n, judge_item, &search, err);
    if (st == CUZK_OK) st = list(&search, n_bad, n, err);
    if (st == CUZK_OK) st = strand_try(strand, *n_bad, give_reason, &search, err);
    free(search.is_bad);
    if (st == CUZK_OK) {
        *bad = search.bad;
        return CUZK_OK;
    }
    free(search.bad);
    *n_bad = 0;
    return st;
}

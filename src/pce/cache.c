/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pce/store.h"

/* A circuit; held for as long as the cache. */
typedef struct entry {
    struct entry *next;
    char label[PCE_LABEL_BYTES];
    pthread_mutex_t lock; /* while it is made */
    pce_t *pce;           /* NULL until then */
} entry_t;

struct pce_cache {
    pthread_mutex_t lock; /* of the list */
    entry_t *entries;
    pce_store_t store; /* its folder is NULL when there is none */
};

pce_cache_t *pce_cache_new(const char *folder, pce_notice_fn notice, void *notice_arg)
{
    pce_cache_t *cache = small_alloc(1, sizeof *cache);

    cache->store = (pce_store_t){.notice = notice, .notice_arg = notice_arg};
    if (folder != NULL) {
        cache->store.folder = small_alloc(strlen(folder) + 1, 1);
        memcpy(cache->store.folder, folder, strlen(folder));
    }
    (void)pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void pce_cache_free(pce_cache_t *cache)
{
    if (cache == NULL) return;
    while (cache->entries != NULL) {
        entry_t *entry = cache->entries;

        cache->entries = entry->next;
        pce_free(entry->pce);
        (void)pthread_mutex_destroy(&entry->lock);
        free(entry);
    }
    (void)pthread_mutex_destroy(&cache->lock);
    free(cache->store.folder);
    free(cache);
}

static entry_t *entry_of(pce_cache_t *cache, const char *label)
{
    entry_t *entry;

    (void)pthread_mutex_lock(&cache->lock);
    for (entry = cache->entries; entry != NULL; entry = entry->next)
        if (strcmp(entry->label, label) == 0) break;
    if (entry == NULL) {
        entry = small_alloc(1, sizeof *entry);
        memcpy(entry->label, label, strlen(label));
        (void)pthread_mutex_init(&entry->lock, NULL);
        entry->next = cache->entries;
        cache->entries = entry;
    }
    (void)pthread_mutex_unlock(&cache->lock);
    return entry;
}

cuzk_status pce_cache_get(const pce_t **pce, pce_cache_t *cache, const pce_circuit_t *circuit,
                          cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    *pce = NULL;
    if (strlen(circuit->label) >= PCE_LABEL_BYTES)
        return error_set(err, CUZK_ERR_ARG, "label: longer than %d characters",
                         PCE_LABEL_BYTES - 1);
    entry_t *entry = entry_of(cache, circuit->label);
    (void)pthread_mutex_lock(&entry->lock);
    if (entry->pce == NULL && cache->store.folder != NULL && circuit->digest != NULL)
        st = pce_store_get(&entry->pce, &cache->store, circuit, err);
    else if (entry->pce == NULL)
        st = pce_extract(&entry->pce, circuit->label, circuit->circuit, circuit->values, err);
    *pce = entry->pce;
    (void)pthread_mutex_unlock(&entry->lock);
    return st;
}

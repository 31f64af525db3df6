/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "pce/pce.h"

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
};

pce_cache_t *pce_cache_new(void)
{
    pce_cache_t *cache = small_alloc(1, sizeof *cache);

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

static cuzk_status make(pce_t **pce, const char *label, const char *folder, circuit_fn circuit,
                        const void *values, cuzk_error *err)
{
    cuzk_status st = CUZK_OK;
    char *path = NULL;

    if (folder != NULL) {
        const size_t n = strlen(folder) + strlen(label) + sizeof "/.pce";

        path = small_alloc(n, 1);
        (void)snprintf(path, n, "%s/%s.pce", folder, label);
    }
    if (path != NULL && access(path, F_OK) == 0)
        st = pce_load(pce, path, label, NULL, err);
    else
        st = pce_extract(pce, label, circuit, values, err);
    free(path);
    return st;
}

cuzk_status pce_cache_get(const pce_t **pce, pce_cache_t *cache, const char *label,
                          const char *folder, circuit_fn circuit, const void *values,
                          cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    *pce = NULL;
    if (strlen(label) >= PCE_LABEL_BYTES)
        return error_set(err, CUZK_ERR_ARG, "label: longer than %d characters",
                         PCE_LABEL_BYTES - 1);
    entry_t *entry = entry_of(cache, label);
    (void)pthread_mutex_lock(&entry->lock);
    if (entry->pce == NULL) st = make(&entry->pce, label, folder, circuit, values, err);
    *pce = entry->pce;
    (void)pthread_mutex_unlock(&entry->lock);
    return st;
}

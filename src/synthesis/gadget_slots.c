/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "synthesis/gadget_slots.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 64 };

static bool reserve(gadget_slots_t *s, uint32_t n)
{
    uint32_t capacity = s->capacity == 0 ? FIRST_CAPACITY : s->capacity;

    if (n <= s->capacity) return true;
    while (capacity < n) capacity *= 2;
    var_t *vars = realloc(s->vars, capacity * sizeof *vars);
    if (vars == NULL) return false;
    s->vars = vars;
    uint32_t *numbers = realloc(s->numbers, capacity * sizeof *numbers);
    if (numbers == NULL) return false;
    s->numbers = numbers;
    uint32_t *table = realloc(s->table, (size_t)2 * capacity * sizeof *table);
    if (table == NULL) return false;
    s->table = table;
    s->capacity = capacity;
    return true;
}

bool gadget_slots_read(gadget_slots_t *s, const cs_gadget_t *gadget)
{
    if (!reserve(s, gadget->n_slots)) return false;
    s->n = 0;
    s->table_size = 1;
    while (s->table_size < (size_t)2 * gadget->n_slots) s->table_size *= 2;
    if (s->table != NULL) memset(s->table, 0, s->table_size * sizeof *s->table);
    for (uint32_t i = 0; i < gadget->n_slots; i++) {
        const var_t var = gadget->slots[i];
        size_t at = var * (uint64_t)0x9e3779b97f4a7c15 >> 32 & (s->table_size - 1);

        while (s->table[at] != 0 && s->vars[s->table[at] - 1] != var)
            at = (at + 1) & (s->table_size - 1);
        if (s->table[at] == 0) {
            s->vars[s->n++] = var;
            s->table[at] = s->n;
        }
        s->numbers[i] = s->table[at] - 1;
    }
    return true;
}

void gadget_slots_key(uint8_t key[SHA256_BYTES], const gadget_slots_t *s, const cs_gadget_t *gadget)
{
    sha256_t hash;

    sha256_init(&hash);
    sha256_update(&hash, gadget->name, strlen(gadget->name) + 1);
    sha256_update(&hash, &gadget->key_bytes, sizeof gadget->key_bytes);
    sha256_update(&hash, gadget->key, gadget->key_bytes);
    sha256_update(&hash, s->numbers, gadget->n_slots * sizeof *s->numbers);
    sha256_final(key, &hash);
}

void gadget_slots_clear(gadget_slots_t *s)
{
    free(s->vars);
    free(s->numbers);
    free(s->table);
    *s = (gadget_slots_t){0};
}

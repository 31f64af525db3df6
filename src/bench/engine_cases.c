/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/engine_cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "codec/json.h"

#define EMBEDDED(name) extern const uint8_t name[], name##_end[]
EMBEDDED(engine_case_porep);
EMBEDDED(engine_case_porep_values);
EMBEDDED(engine_case_update);
EMBEDDED(engine_case_update_values);
EMBEDDED(engine_case_winning);
EMBEDDED(engine_case_winning_values);
EMBEDDED(engine_case_window);
EMBEDDED(engine_case_window_values);

#define TEXT(name)                                                                                 \
    {                                                                                              \
        name, name##_end                                                                           \
    }
#define CASE(kind)                                                                                 \
    {                                                                                              \
#kind, TEXT(engine_case_##kind##_values), TEXT(engine_case_##kind)                         \
    }

typedef struct {
    const uint8_t *begin, *end;
} embedded_t;

static const struct {
    const char *name;
    embedded_t values, input;
} rows[ENGINE_CASES] = {CASE(porep), CASE(update), CASE(winning), CASE(window)};

/* A copy that has room after its end, as a reader of JSON wants it. */
static cuzk_status copy_text(uint8_t **copy, case_text_t *text, embedded_t from, cuzk_error *err)
{
    text->length = (size_t)(from.end - from.begin);
    text->bytes = *copy = mem_alloc(text->length + JSON_PADDING, 1, "case", err);
    if (*copy == NULL) return err->status;
    memcpy(*copy, from.begin, text->length);
    return CUZK_OK;
}

cuzk_status engine_case_open(proof_case_t *c, int i, cuzk_error *err)
{
    uint8_t *values_copy;
    case_text_t values;
    const embedded_t input = rows[i].input;

    cuzk_status st = copy_text(&values_copy, &values, rows[i].values, err);
    if (st != CUZK_OK) return st;
    st = case_read(c, rows[i].name, values,
                   (case_text_t){input.begin, (size_t)(input.end - input.begin)}, err);
    free(values_copy);
    return st;
}

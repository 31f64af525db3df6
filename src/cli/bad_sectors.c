/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/bad_sectors.h"

#include <inttypes.h>

#include "cli/shown.h"

void bad_sectors_write(json_writer_t *w, const cuzk_result *result)
{
    json_write_array(w, "bad_sectors");
    for (size_t i = 0; i < result->n_bad_sectors; i++) {
        json_write_object(w, NULL);
        json_write_u64(w, "sector", result->bad_sectors[i].number);
        json_write_string(w, "reason", result->bad_sectors[i].reason);
        json_write_end(w);
    }
    json_write_end(w);
}

void bad_sectors_print(FILE *out, const cuzk_result *result)
{
    json_writer_t w;

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    bad_sectors_write(&w, result);
    json_write_end(&w);
    (void)fprintf(out, "%s\n", json_writer_text(&w));
    json_writer_clear(&w);
}

void bad_sectors_tell(const cuzk_result *result, const cuzk_request *request, bool left_out)
{
    const size_t n = result->n_bad_sectors;

    (void)fprintf(stderr, "cuzk prove: %s: %zu of %zu sectors %s %s", shown(request->input_name), n,
                  request->n_inputs, n == 1 ? "is" : "are", left_out ? "bad and left out" : "bad");
    for (size_t i = 0; i < n; i++)
        (void)fprintf(stderr, "%s sector %" PRIu64 ": %s", i == 0 ? ":" : ";",
                      result->bad_sectors[i].number, result->bad_sectors[i].reason);
    (void)fputc('\n', stderr);
}

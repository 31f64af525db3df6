/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>

#include "base/error.h"
#include "status/http.h"
#include "status/test_snapshots.h"

/* test_status_server NAME [ADDRESS]: serves a made-up daemon (test_snapshots.h) until its standard
 * input ends, for tests of the page. Writes the port that it has. */

static cuzk_status take(void *arg, snapshot_t *snapshot, cuzk_error *err)
{
    return test_snapshot_make(snapshot, arg)
               ? CUZK_OK
               : error_set(err, CUZK_ERR_MEMORY, "no snapshot \"%s\", or no memory",
                           (const char *)arg);
}

int main(int argc, char **argv)
{
    http_options_t options = {"127.0.0.1:0", take, NULL, 8};
    http_t *http;
    cuzk_error err;

    if (argc < 2) return 2;
    options.arg = argv[1];
    if (argc > 2) options.address = argv[2];
    if (http_open(&http, &options, &err) != CUZK_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        return status_exit_code(err.status);
    }
    (void)printf("%u\n", http_port(http));
    (void)fflush(stdout);
    while (getchar() != EOF) {}
    http_close(http);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "post/post.h"

/* The first byte chooses kind and size; the rest is one vanilla proof. Nothing may be read outside
 * of it, and what is accepted has been read in full. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint64_t sizes[] = {(uint64_t)2 << 10, (uint64_t)8 << 20, (uint64_t)512 << 20,
                                     (uint64_t)32 << 30, (uint64_t)64 << 30};
    enum { MAX_CHALLENGES = 66, MAX_SIBLINGS = 80 };
    static post_challenge_t challenges[MAX_CHALLENGES];
    static fr_t siblings[MAX_CHALLENGES * MAX_SIBLINGS];
    post_request_t request = {.max_partitions = POST_ALL_PARTITIONS};
    cuzk_error err;
    post_form_t form;
    post_vanilla_t v;
    post_t post;

    if (size == 0) return 0;
    request.kind = data[0] & 1 ? POST_WINNING : POST_WINDOW;
    request.sector_bytes = sizes[data[0] / 2 % 5];
    const span_t span = {data + 1, size - 1};
    post_form_init(&form, request.kind, request.sector_bytes);
    /* by itself at any length, then as a list of one, where the length is checked first */
    const cuzk_status status = post_vanilla_read(&v, challenges, siblings, &form, span, &err);
    if (status == CUZK_OK && span.length != post_vanilla_bytes(&form)) abort();
    if (post_open(&post, &request, &span, 1, &err) != CUZK_OK) return 0;
    if (status != CUZK_OK) abort();
    (void)post_check(&post, NULL, &err);
    post_close(&post);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "post/post_input.h"

/* The first byte chooses kind and size; the rest is one vanilla proof. Nothing may be read outside
 * of it, and what is accepted has been read in full. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MAX_CHALLENGES = 66, MAX_SIBLINGS = 80 };
    static post_challenge_t challenges[MAX_CHALLENGES];
    static fr_t siblings[MAX_CHALLENGES * MAX_SIBLINGS];
    cuzk_post_statement request = {0};
    post_config_t config;
    cuzk_error err;
    post_form_t form;
    post_vanilla_t v;
    post_input_t post;

    if (size == 0) return 0;
    request.registered_proof = data[0] % 10;
    (void)post_config_by_number(&config, request.registered_proof);
    const cuzk_bytes item = {data + 1, size - 1};
    post_form_init(&form, config.kind, config.sector_bytes);
    /* by itself at any length, then as a list of one, where the length is checked first */
    const cuzk_status status = post_vanilla_read(&v, challenges, siblings, &form, item, &err);
    if (status == CUZK_OK && item.length != post_vanilla_bytes(&form)) abort();
    cuzk_status whole = post_input_open(&post, &request, &item, 1, &err);
    if (whole == CUZK_OK) {
        if (status != CUZK_OK) abort();
        whole = post_input_check(&post, NULL, &err);
        post_input_close(&post);
    }
    /* and judged alone, which finds the same */
    if (item.length >= POST_SECTOR_BYTES &&
        (post_input_judge(&request, item, 0, &err) == CUZK_OK) != (whole == CUZK_OK))
        abort();
    return 0;
}

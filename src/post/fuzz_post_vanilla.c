/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "base/fuzz_support.h"
#include "post/post_input.h"

/* The first byte chooses kind, size and version, 32 bytes are the randomness, the rest is one
 * vanilla proof after the other. Nothing may be read outside of them, and what is accepted has been
 * read in full. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NUMBERS = POST_PROOFS + 1, RANDOMNESS_BYTES = 32, MAX_ITEMS = 8 };

/* One vanilla proof by itself, at any length. */
static cuzk_status read_alone(const post_form_t *form, cuzk_bytes item)
{
    enum { MAX_CHALLENGES = 66, MAX_SIBLINGS = 80 };
    static post_challenge_t challenges[MAX_CHALLENGES];
    static fr_t siblings[MAX_CHALLENGES * MAX_SIBLINGS];
    post_vanilla_t v;
    cuzk_error err;

    const cuzk_status st = post_vanilla_read(&v, challenges, siblings, form, item, &err);
    if (st == CUZK_OK && item.length != post_vanilla_bytes(form)) abort();
    return st;
}

/* The bytes as vanilla proofs of the right length and, where they don't come out even, a last one
 * of another. */
static size_t cut(cuzk_bytes items[MAX_ITEMS], const uint8_t *bytes, size_t n, size_t each)
{
    size_t n_items = 0;

    while (n > 0) {
        const size_t length = n < each || n_items + 1 == MAX_ITEMS ? n : each;

        items[n_items++] = (cuzk_bytes){bytes, length};
        bytes += length;
        n -= length;
    }
    return n_items;
}

static void use(const post_input_t *post)
{
    static fr_t inputs[1 << 15];

    if (post_public_input_count(&post->statement) <= sizeof inputs / sizeof inputs[0])
        post_public_inputs(inputs, &post->statement, 0);
    (void)post_input_circuit(post, 0);
}

/* The statement of a window with its first sector once more: the set, or with another comm_r there
 * none. */
static void state(const cuzk_post_statement *request, const post_input_t *post)
{
    const post_statement_t *made = &post->statement;
    cuzk_sector sectors[MAX_ITEMS + 1];
    cuzk_post_statement stated = *request;
    post_statement_t again;
    cuzk_error err;

    if (made->config.kind != POST_WINDOW || made->n_sectors > MAX_ITEMS) return;
    for (size_t i = 0; i <= made->n_sectors; i++) {
        const post_stated_sector_t *sector = &made->sectors[i % made->n_sectors];

        sectors[i].number = sector->number;
        fr_to_bytes(sectors[i].comm_r, &sector->comm_r);
    }
    stated.sectors = sectors;
    stated.n_sectors = made->n_sectors + 1;
    const cuzk_status st = post_statement_init(&again, &stated, &err);
    if (st == CUZK_OK && again.n_sectors != made->n_sectors) abort();
    if (st == CUZK_OK) post_statement_clear(&again);
    sectors[made->n_sectors].comm_r[0] ^= 1;
    if (post_statement_init(&again, &stated, &err) == CUZK_OK) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cuzk_post_statement request = {0};
    fuzz_verdict verdict = FUZZ_REFUSED;
    cuzk_bytes items[MAX_ITEMS];
    cuzk_status alone = CUZK_OK;
    post_config_t config = {.kind = POST_WINNING, .sector_bytes = 2048};
    post_form_t form;
    post_input_t post;
    cuzk_error err;

    if (size < 1 + RANDOMNESS_BYTES) return 0;
    request.registered_proof = data[0] % NUMBERS;
    memcpy(request.randomness, data + 1, RANDOMNESS_BYTES);
    const bool is_post = post_config_by_number(&config, request.registered_proof);
    post_form_init(&form, config.kind, config.sector_bytes);
    const size_t n = cut(items, data + 1 + RANDOMNESS_BYTES, size - 1 - RANDOMNESS_BYTES,
                         post_vanilla_bytes(&form));
    for (size_t i = 0; i < n; i++)
        if (read_alone(&form, items[i]) != CUZK_OK) alone = CUZK_ERR_FORMAT;
    if (post_input_open(&post, &request, items, n, &err) == CUZK_OK) {
        if (alone != CUZK_OK) abort();
        verdict = post_input_check(&post, NULL, &err) == CUZK_OK ? FUZZ_RIGHT : FUZZ_READ;
        use(&post);
        state(&request, &post);
        post_input_close(&post);
    }
    /* one that is judged alone is found the same */
    if (is_post && n == 1 && items[0].length >= POST_SECTOR_BYTES &&
        (post_input_judge(&request, items[0], 0, &err) == CUZK_OK) != (verdict == FUZZ_RIGHT))
        abort();
    fuzz_judge(verdict);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>

#include "codec/base64.h"
#include "codec/json.h"
#include "porep/c1_generate.h"
#include "porep/label.h"

/* A text under way; stdio's memory stream would cost a lock for every byte. */
typedef struct {
    char *bytes;
    size_t used, room;
    bool failed; /* memory was refused: no bytes, and nothing more is written */
} c1_text_t;

static void put(c1_text_t *text, const char *bytes, size_t n)
{
    if (!text->failed && text->used + n + JSON_PADDING > text->room) {
        const size_t room = 2 * (text->used + n + JSON_PADDING);
        char *larger = realloc(text->bytes, room);

        text->failed = larger == NULL;
        if (text->failed) free(text->bytes);
        text->bytes = larger;
        text->room = room;
    }
    if (text->failed) return;
    memcpy(text->bytes + text->used, bytes, n);
    text->used += n;
}

static void puts_to(c1_text_t *text, const char *string)
{
    put(text, string, strlen(string));
}

static void put_number(c1_text_t *text, uint64_t value)
{
    char digits[24];

    put(text, digits, (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)value));
}

static void put_bytes(c1_text_t *text, const uint8_t bytes[32])
{
    char list[32 * 4 + 2];
    size_t n = 0;

    list[n++] = '[';
    for (size_t i = 0; i < 32; i++) {
        const uint8_t b = bytes[i];

        if (b >= 100) list[n++] = (char)('0' + b / 100);
        if (b >= 10) list[n++] = (char)('0' + b / 10 % 10);
        list[n++] = (char)('0' + b % 10);
        list[n++] = i + 1 < 32 ? ',' : ']';
    }
    put(text, list, n);
}

static void put_fr(c1_text_t *text, const fr_t *value)
{
    uint8_t bytes[FR_BYTES];

    fr_to_bytes(bytes, value);
    put_bytes(text, bytes);
}

/* A comma before all items but the first. */
static void put_comma(c1_text_t *text, size_t index)
{
    if (index > 0) puts_to(text, ",");
}

/* {"path":[...]} of levels [from, to) */
static void put_levels(c1_text_t *text, const tree_shape_t *shape, uint64_t index, const fr_t *path,
                       uint32_t from, uint32_t to)
{
    puts_to(text, "{\"path\":[");
    for (uint32_t level = 0; level < to; level++) {
        const uint64_t arity = (uint64_t)1 << shape->lg_arity[level];

        if (level >= from) {
            put_comma(text, level - from);
            puts_to(text, "{\"hashes\":[");
            for (size_t i = 0; i < arity - 1; i++) {
                put_comma(text, i);
                put_fr(text, &path[i]);
            }
            puts_to(text, "],\"index\":");
            put_number(text, index % arity);
            puts_to(text, "}");
        }
        path += arity - 1;
        index /= arity;
    }
    puts_to(text, "]}");
}

static void put_root_and_leaf(c1_text_t *text, const fr_t *root, const fr_t *leaf)
{
    puts_to(text, "\"root\":");
    put_fr(text, root);
    puts_to(text, ",\"leaf\":");
    put_fr(text, leaf);
}

/* What a Merkle proof is about. */
typedef struct {
    const tree_shape_t *shape;
    const fr_t *root, *leaf, *siblings;
    uint64_t index;
} c1_opening_t;

static void put_merkle_proof(c1_text_t *text, const c1_opening_t *o)
{
    const uint32_t n_base = o->shape->n_base, n_lower = n_base + o->shape->n_sub;

    if (o->shape->n_sub == 0) {
        puts_to(text, "{\"data\":{\"Single\":{");
        put_root_and_leaf(text, o->root, o->leaf);
        puts_to(text, ",\"path\":");
        put_levels(text, o->shape, o->index, o->siblings, 0, n_base);
        puts_to(text, "}}}");
        return;
    }
    puts_to(text, o->shape->n_top > 0 ? "{\"data\":{\"Top\":{" : "{\"data\":{\"Sub\":{");
    puts_to(text, "\"base_proof\":");
    put_levels(text, o->shape, o->index, o->siblings, 0, n_base);
    puts_to(text, ",\"sub_proof\":");
    put_levels(text, o->shape, o->index, o->siblings, n_base, n_lower);
    if (o->shape->n_top > 0) {
        puts_to(text, ",\"top_proof\":");
        put_levels(text, o->shape, o->index, o->siblings, n_lower, o->shape->n_levels);
    }
    puts_to(text, ",");
    put_root_and_leaf(text, o->root, o->leaf);
    puts_to(text, "}}}");
}

static void put_column(c1_text_t *text, const porep_proof_t *proof, const porep_column_t *column)
{
    puts_to(text, "{\"column\":{\"index\":");
    put_number(text, column->node);
    puts_to(text, ",\"rows\":[");
    for (uint32_t i = 0; i < proof->shape.n_layers; i++) {
        put_comma(text, i);
        put_fr(text, &column->labels[i]);
    }
    puts_to(text, "],\"_h\":null},\"inclusion_proof\":");
    put_merkle_proof(text, &(c1_opening_t){&proof->shape.tree_r, &proof->comm_c, &column->leaf,
                                           column->path, column->node});
    puts_to(text, "}");
}

static void put_label(c1_text_t *text, const porep_challenge_t *challenge, uint32_t layer)
{
    puts_to(text, "{\"parents\":[");
    for (uint32_t i = 0; i < POREP_LABEL_PARENTS; i++) {
        const uint32_t p = i % porep_label_parents(layer);

        put_comma(text, i);
        put_fr(text, &challenge->parents[p].labels[porep_label_parent_layer(layer, p) - 1]);
    }
    puts_to(text, "],\"layer_index\":");
    put_number(text, layer);
    puts_to(text, ",\"node\":");
    put_number(text, challenge->node);
    puts_to(text, "}");
}

static void put_columns(c1_text_t *text, const porep_proof_t *proof,
                        const porep_challenge_t *challenge)
{
    puts_to(text, ",\"replica_column_proofs\":{\"c_x\":");
    put_column(text, proof, &challenge->column);
    puts_to(text, ",\"drg_parents\":[");
    for (size_t i = 0; i < POREP_DEGREE; i++) {
        if (i == POREP_DRG_DEGREE) puts_to(text, "],\"exp_parents\":[");
        put_comma(text, i < POREP_DRG_DEGREE ? i : i - POREP_DRG_DEGREE);
        put_column(text, proof, &challenge->parents[i]);
    }
    puts_to(text, "]}");
}

static void put_challenge(c1_text_t *text, const porep_proof_t *proof,
                          const porep_challenge_t *challenge)
{
    puts_to(text, "{\"comm_d_proofs\":");
    put_merkle_proof(text,
                     &(c1_opening_t){&proof->shape.tree_d, &proof->comm_d, &challenge->data_leaf,
                                     challenge->data_path, challenge->node});
    puts_to(text, ",\"comm_r_last_proof\":");
    put_merkle_proof(text, &(c1_opening_t){&proof->shape.tree_r, &proof->comm_r_last,
                                           &challenge->replica_leaf, challenge->replica_path,
                                           challenge->node});
    put_columns(text, proof, challenge);
    puts_to(text, ",\"labeling_proofs\":[");
    for (uint32_t layer = 1; layer <= proof->shape.n_layers; layer++) {
        put_comma(text, layer - 1);
        put_label(text, challenge, layer);
    }
    puts_to(text, "],\"encoding_proof\":");
    put_label(text, challenge, proof->shape.n_layers);
    puts_to(text, "}");
}

static char *finish(c1_text_t *text, size_t *length)
{
    static const char padding[JSON_PADDING];

    *length = text->used;
    put(text, padding, sizeof padding);
    return text->bytes;
}

char *porep_write_output(const porep_proof_t *proof, size_t *length)
{
    const uint32_t n_challenges = proof->config->n_challenges;
    const size_t n = (size_t)proof->config->n_partitions * n_challenges;
    c1_text_t text = {.bytes = NULL};

    puts_to(&text, "{\"registered_proof\":\"");
    puts_to(&text, proof->config->name);
    puts_to(&text, "\",\"vanilla_proofs\":{\"");
    puts_to(&text, proof->config->shape_name);
    puts_to(&text, "\":[");
    for (size_t i = 0; i < n; i++) {
        if (i % n_challenges == 0) puts_to(&text, i == 0 ? "[" : "],[");
        put_comma(&text, i % n_challenges);
        put_challenge(&text, proof, &proof->challenges[i]);
    }
    puts_to(&text, "]]},\"comm_r\":");
    put_fr(&text, &proof->comm_r);
    puts_to(&text, ",\"comm_d\":");
    put_fr(&text, &proof->comm_d);
    puts_to(&text, ",\"replica_id\":");
    put_fr(&text, &proof->replica_id);
    puts_to(&text, ",\"seed\":");
    put_bytes(&text, proof->seed);
    puts_to(&text, ",\"ticket\":");
    put_bytes(&text, proof->ticket);
    puts_to(&text, "}");
    return finish(&text, length);
}

char *porep_write_c1(const porep_proof_t *proof, uint64_t sector_number, size_t *length)
{
    size_t n;
    char *output = porep_write_output(proof, &n);
    char *encoded = output != NULL ? malloc(base64_length(n) + 1) : NULL;
    c1_text_t text = {.bytes = NULL};

    if (encoded == NULL) {
        free(output);
        return NULL;
    }
    base64_write(encoded, (const uint8_t *)output, n);
    puts_to(&text, "{\"SectorNum\":");
    put_number(&text, sector_number);
    puts_to(&text, ",\"Phase1Out\":\"");
    put(&text, encoded, base64_length(n));
    puts_to(&text, "\",\"SectorSize\":");
    put_number(&text, proof->config->sector_size);
    puts_to(&text, "}\n");
    free(encoded);
    free(output);
    return finish(&text, length);
}

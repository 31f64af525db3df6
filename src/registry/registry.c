/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "registry/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/verify.h"
#include "hash/sha256.h"
#include "porep/circuit.h"
#include "porep/porep_config.h"
#include "post/circuit.h"
#include "update/circuit.h"
#include "update/update_config.h"

#define KIB_2   ((uint64_t)1 << 11)
#define MIB_8   ((uint64_t)1 << 23)
#define MIB_512 ((uint64_t)1 << 29)
#define GIB_32  ((uint64_t)1 << 35)
#define GIB_64  ((uint64_t)1 << 36)

static const char *const kind_names[CIRCUIT_KINDS] = {"porep", "update", "winning", "window"};

static const circuit_row_t rows[CIRCUIT_KINDS][SECTOR_SIZES] = {
    {{KIND_POREP, KIB_2, "2KiB", "porep-2k"},
     {KIND_POREP, MIB_8, "8MiB", "porep-8m"},
     {KIND_POREP, MIB_512, "512MiB", "porep-512m"},
     {KIND_POREP, GIB_32, "32GiB", "porep-32g"},
     {KIND_POREP, GIB_64, "64GiB", "porep-64g"}},
    {{KIND_UPDATE, KIB_2, "2KiB", "snap-2k"},
     {KIND_UPDATE, MIB_8, "8MiB", "snap-8m"},
     {KIND_UPDATE, MIB_512, "512MiB", "snap-512m"},
     {KIND_UPDATE, GIB_32, "32GiB", "snap-32g"},
     {KIND_UPDATE, GIB_64, "64GiB", "snap-64g"}},
    {{KIND_WINNING, KIB_2, "2KiB", "winning-2k"},
     {KIND_WINNING, MIB_8, "8MiB", "winning-8m"},
     {KIND_WINNING, MIB_512, "512MiB", "winning-512m"},
     {KIND_WINNING, GIB_32, "32GiB", "winning-32g"},
     {KIND_WINNING, GIB_64, "64GiB", "winning-64g"}},
    {{KIND_WINDOW, KIB_2, "2KiB", "wpost-2k"},
     {KIND_WINDOW, MIB_8, "8MiB", "wpost-8m"},
     {KIND_WINDOW, MIB_512, "512MiB", "wpost-512m"},
     {KIND_WINDOW, GIB_32, "32GiB", "wpost-32g"},
     {KIND_WINDOW, GIB_64, "64GiB", "wpost-64g"}},
};

const char *circuit_kind_name(circuit_kind kind)
{
    return kind_names[kind];
}

bool circuit_kind_parse(circuit_kind *kind, const char *text)
{
    for (int k = 0; k < CIRCUIT_KINDS; k++) {
        if (strcmp(text, kind_names[k]) != 0) continue;
        *kind = (circuit_kind)k;
        return true;
    }
    return false;
}

const circuit_row_t *circuit_row_by_name(circuit_kind kind, const char *size_name)
{
    for (int i = 0; i < SECTOR_SIZES; i++)
        if (strcmp(rows[kind][i].size_name, size_name) == 0) return &rows[kind][i];
    return NULL;
}

const circuit_row_t *circuit_row_by_bytes(circuit_kind kind, uint64_t sector_bytes)
{
    for (int i = 0; i < SECTOR_SIZES; i++)
        if (rows[kind][i].sector_bytes == sector_bytes) return &rows[kind][i];
    return NULL;
}

/* ---- parameter ids -------------------------------------------------------------------------- */

/* "8-0-0": arities of the Poseidon trees at their three stages. */
static const char *tree_arities(uint64_t sector_bytes)
{
    if (sector_bytes == GIB_32) return "8-8-0";
    if (sector_bytes == GIB_64) return "8-8-2";
    return "8-0-0";
}

static post_circuit_t post_shape(const circuit_row_t *row)
{
    return post_circuit_shape(row->kind == KIND_WINNING ? POST_WINNING : POST_WINDOW,
                              row->sector_bytes);
}

/* The text whose digest ends the id: the measures on which the circuit depends. */
static void measures_text(char *text, size_t size, const circuit_row_t *row, const char *tree)
{
    const unsigned long long bytes = row->sector_bytes;
    porep_shape_t shape;

    switch (row->kind) {
    case KIND_WINNING:
    case KIND_WINDOW: {
        const post_circuit_t post = post_shape(row);

        (void)snprintf(text, size,
                       "FallbackPoSt::PublicParams{sector_size: %llu, challenge_count: %u, "
                       "sector_count: %u}",
                       bytes, post.n_challenges, post.n_sectors);
        return;
    }
    case KIND_UPDATE:
        (void)snprintf(text, size, "empty_sector_update::PublicParams{ sector_nodes: %llu }",
                       bytes / 32);
        return;
    case KIND_POREP:
    case CIRCUIT_KINDS:
        break;
    }
    (void)porep_shape_init(&shape, row->sector_bytes);
    (void)snprintf(text, size,
                   "layered_drgporep::PublicParams{ graph: stacked_graph::StackedGraph{"
                   "expansion_degree: %d base_graph: drgraph::BucketGraph{size: %llu; degree: %d; "
                   "hasher: poseidon_hasher} }, challenges: LayerChallenges { layers: %u, "
                   "max_count: %u }, tree: %s }",
                   POREP_EXP_DEGREE, bytes / 32, POREP_DRG_DEGREE, shape.n_layers,
                   shape.n_challenges, tree);
}

void circuit_parameter_id(char id[PARAMETER_ID_BYTES], const circuit_row_t *row)
{
    static const char *const prefixes[CIRCUIT_KINDS] = {
        "stacked-proof-of-replication", "empty-sector-update", "proof-of-spacetime-fallback",
        "proof-of-spacetime-fallback"};
    uint8_t digest[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    char tree[64];
    char text[512];

    (void)snprintf(tree, sizeof tree, "merkletree-poseidon_hasher-%s",
                   tree_arities(row->sector_bytes));
    measures_text(text, sizeof text, row, tree);
    sha256(digest, text, strlen(text));
    hex_encode(hex, digest, sizeof digest);
    (void)snprintf(id, PARAMETER_ID_BYTES, "%s-%s%s-%s", prefixes[row->kind], tree,
                   row->kind == KIND_POREP ? "-sha256_hasher" : "", hex);
}

/* ---- circuits ------------------------------------------------------------------------------- */

typedef struct {
    porep_circuit_t circuit;
    porep_shape_t shape;
} porep_blank_t;

circuit_fn circuit_blank(void **blank, const circuit_row_t *row)
{
    switch (row->kind) {
    case KIND_WINNING:
    case KIND_WINDOW: {
        post_circuit_t *post = small_alloc(1, sizeof *post);

        *post = post_shape(row);
        *blank = post;
        return post_circuit;
    }
    case KIND_UPDATE: {
        update_circuit_t *update = small_alloc(1, sizeof *update);

        update->config = update_config_by_size(row->sector_bytes);
        *blank = update;
        return update_circuit;
    }
    case KIND_POREP:
    case CIRCUIT_KINDS:
        break;
    }
    porep_blank_t *porep = small_alloc(1, sizeof *porep);

    (void)porep_shape_init(&porep->shape, row->sector_bytes);
    porep->circuit.shape = &porep->shape;
    *blank = porep;
    return porep_circuit;
}

/* ---- registered proofs ---------------------------------------------------------------------- */

const char *registered_proof_range(circuit_kind kind)
{
    static const char *const ranges[CIRCUIT_KINDS] = {"0..19", "0..4", "0..4", "5..14"};

    return ranges[kind];
}

static void set_name(registered_proof_t *proof, const char *format, const char *size)
{
    (void)snprintf(proof->name, sizeof proof->name, "StackedDrg%s%s%s", format, size,
                   proof->number >= 10 && proof->row->kind == KIND_WINDOW ? "V1_2" : "V1");
}

bool registered_proof_by_number(registered_proof_t *proof, circuit_kind kind, uint64_t number)
{
    static const uint64_t first[CIRCUIT_KINDS] = {0, 0, 0, 5};
    static const uint64_t end[CIRCUIT_KINDS] = {POREP_PROOFS, SECTOR_SIZES, SECTOR_SIZES, 15};

    if (number < first[kind] || number >= end[kind]) return false;
    proof->number = (uint32_t)number;
    proof->row = &rows[kind][number % SECTOR_SIZES];
    if (kind == KIND_POREP)
        (void)snprintf(proof->name, sizeof proof->name, "%s", porep_config_by_number(number)->name);
    else if (kind == KIND_UPDATE)
        set_name(proof, "", proof->row->size_name);
    else
        set_name(proof, kind == KIND_WINNING ? "Winning" : "Window", proof->row->size_name);
    return true;
}

bool registered_proof_parse(registered_proof_t *proof, circuit_kind kind, const char *text)
{
    const bool is_number = *text != '\0' && strspn(text, "0123456789") == strlen(text);

    for (uint64_t number = 0; number < POREP_PROOFS; number++) {
        char decimal[24];

        if (!registered_proof_by_number(proof, kind, number)) continue;
        (void)snprintf(decimal, sizeof decimal, "%llu", (unsigned long long)number);
        if (strcmp(text, is_number ? decimal : proof->name) == 0) return true;
    }
    return false;
}

void registered_proof_newest(registered_proof_t *proof, const circuit_row_t *row)
{
    static const uint64_t base[CIRCUIT_KINDS] = {5, 0, 0, 10};

    (void)registered_proof_by_number(proof, row->kind,
                                     base[row->kind] + (uint64_t)(row - rows[row->kind]));
}

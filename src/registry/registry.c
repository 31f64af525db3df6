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
#include "registry/public_files.h"
#include "update/circuit.h"
#include "update/update_config.h"

#define KIB_2   ((uint64_t)1 << 11)
#define MIB_8   ((uint64_t)1 << 23)
#define MIB_512 ((uint64_t)1 << 29)
#define GIB_32  ((uint64_t)1 << 35)
#define GIB_64  ((uint64_t)1 << 36)

static const char *const kind_names[CIRCUIT_KINDS] = {"porep", "update", "winning", "window"};

static const circuit_row_t rows[CIRCUIT_KINDS][SECTOR_SIZES] = {
    {{KIND_POREP, KIB_2, "2KiB", "porep-2k",
      "39e6fcc9732137e7fb30335284b68e997ea03f1635b1ba3135bee7ad6233eb83"},
     {KIND_POREP, MIB_8, "8MiB", "porep-8m",
      "169d20eeafd8641c18f2df6851c75b0c37170ee0d9a84d5c78a3efa10e669f77"},
     {KIND_POREP, MIB_512, "512MiB", "porep-512m",
      "ec2c3d49899aa445265d8a9d7c2e04d8fae62575fdede834c14a082b269efa92"},
     {KIND_POREP, GIB_32, "32GiB", "porep-32g",
      "06bc088a50665d7c6a904c0a44a1e0fb6e2d0965494ce847e65063802da175f0"},
     {KIND_POREP, GIB_64, "64GiB", "porep-64g",
      "c36037ce40875621a40c43fca24644a29afd785fe463e1b106a698382b910a24"}},
    {{KIND_UPDATE, KIB_2, "2KiB", "snap-2k",
      "37929f36a237ce51e6e6566835006e2f8c3516a750bf83f3c18918002952f03e"},
     {KIND_UPDATE, MIB_8, "8MiB", "snap-8m",
      "a465e70be4daf5608173863a1ba8eddbf82ae5481a1888854e36dc4077dd4029"},
     {KIND_UPDATE, MIB_512, "512MiB", "snap-512m",
      "5b15c870695799a38c39dbd1c6afe6d020c1e19900f80fd6d0c6b0d096398e20"},
     {KIND_UPDATE, GIB_32, "32GiB", "snap-32g",
      "b176007c37dbcb983f740e77c36f1fb3e0bd750ba06afee390f3492f0d63c4fb"},
     {KIND_UPDATE, GIB_64, "64GiB", "snap-64g",
      "4c3cb96aa79020a4ccecbe60c83a5c03a0a9b33cfd7645534dbd8d0a9485f502"}},
    {{KIND_WINNING, KIB_2, "2KiB", "winning-2k",
      "4f5e45c72b2cccf50a7b527d16bf87ab722819f05fef374e57f0ab03ca91be75"},
     {KIND_WINNING, MIB_8, "8MiB", "winning-8m",
      "050df10e8dbe88336e6b7125e283474f859814aa002ca86f00a8ebf57c2a2219"},
     {KIND_WINNING, MIB_512, "512MiB", "winning-512m",
      "782cd3fc989b21dbe7d4939236a0c1dfbbc9d5c3b6221f987b83085fa5c439fb"},
     {KIND_WINNING, GIB_32, "32GiB", "winning-32g",
      "371b4cea49ac65490d4ee96d273bc9dba2e1802873336abb630675c29b195e74"},
     {KIND_WINNING, GIB_64, "64GiB", "winning-64g",
      "2eae6a91eaf2c79e92132ea64aed123d37f781925457d35aded06c6754ff6deb"}},
    {{KIND_WINDOW, KIB_2, "2KiB", "wpost-2k",
      "48e54cfc55540421e54b66c788224f69074eea2246a18ac187e4f636ac574d81"},
     {KIND_WINDOW, MIB_8, "8MiB", "wpost-8m",
      "a2d076827dc363b85e0332e0ee0257928de96044dc3971113b93c99eec8141c1"},
     {KIND_WINDOW, MIB_512, "512MiB", "wpost-512m",
      "e3d599d90792076b66d1cad191b58e545773ca9fff144ef71fa3aa1a27e0b97a"},
     {KIND_WINDOW, GIB_32, "32GiB", "wpost-32g",
      "adf852d89163a05d30fe17a29d8839dae801c0519ecd45ccfec846b369245a8d"},
     {KIND_WINDOW, GIB_64, "64GiB", "wpost-64g",
      "0754a30d2adc0aa4af3bb123099dbc42ec74e1589ea2b43f9b12e8b40333e840"}},
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

const circuit_row_t *circuit_row_by_place(circuit_kind kind, int i)
{
    return &rows[kind][i];
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

cuzk_status circuit_row_find(const circuit_row_t **row, const char *label, cuzk_error *err)
{
    for (int kind = 0; kind < CIRCUIT_KINDS; kind++)
        for (int i = 0; i < SECTOR_SIZES; i++) {
            *row = &rows[kind][i];
            if (strcmp((*row)->label, label) == 0) return CUZK_OK;
        }
    return error_set(err, CUZK_ERR_ARG,
                     "circuit: \"%s\" is none of porep-SIZE, snap-SIZE, wpost-SIZE, winning-SIZE "
                     "with SIZE 2k, 8m, 512m, 32g or 64g",
                     label);
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
    bytes_to_hex(hex, digest, sizeof digest);
    (void)snprintf(id, PARAMETER_ID_BYTES, "%s-%s%s-%s", prefixes[row->kind], tree,
                   row->kind == KIND_POREP ? "-sha256_hasher" : "", hex);
}

char *circuit_params_path(const char *folder, const circuit_row_t *row, const char *suffix,
                          cuzk_error *err)
{
    char id[PARAMETER_ID_BYTES];

    circuit_parameter_id(id, row);
    const size_t size = strlen(folder) + strlen(id) + strlen(suffix) + sizeof "/v28-.";
    char *path = mem_alloc(size, 1, "path of parameters", err);
    if (path != NULL) (void)snprintf(path, size, "%s/v28-%s.%s", folder, id, suffix);
    return path;
}

void circuit_r1cs_digest(uint8_t digest[SHA256_BYTES], const circuit_row_t *row)
{
    const bool is_hex =
        bytes_from_hex(digest, SHA256_BYTES, row->r1cs_sha256, strlen(row->r1cs_sha256));

    VERIFY(is_hex);
}

/* ---- the public network's files ------------------------------------------------------------- */

const public_file_t *public_file(const circuit_row_t *row, public_part part)
{
    int i = 0;

    while (i < PUBLIC_CIRCUITS - 1 && strcmp(public_circuits[i].label, row->label) != 0) i++;
    VERIFY(strcmp(public_circuits[i].label, row->label) == 0);
    return &public_circuits[i].files[part];
}

const char *public_part_suffix(public_part part)
{
    return part == PUBLIC_KEY ? "vk" : "params";
}

/* ---- registered proofs ---------------------------------------------------------------------- */

const char *registered_proof_range(circuit_kind kind)
{
    static const char *const ranges[CIRCUIT_KINDS] = {"0..19", "0..4", "0..4", "5..14"};

    return ranges[kind];
}

/* version: "V1_2" and the like. */
static void set_name(char name[REGISTERED_NAME_BYTES], const circuit_row_t *row,
                     const char *version)
{
    static const char *const uses[CIRCUIT_KINDS] = {"", "", "Winning", "Window"};

    (void)snprintf(name, REGISTERED_NAME_BYTES, "StackedDrg%s%s%s", uses[row->kind], row->size_name,
                   version);
}

static void set_names(registered_proof_t *proof)
{
    enum { WINDOW_V1_1_FIRST = 10 };
    const bool is_newer = proof->row->kind == KIND_WINDOW && proof->number >= WINDOW_V1_1_FIRST;

    set_name(proof->name, proof->row, is_newer ? "V1_2" : "V1");
    set_name(proof->chain_name, proof->row, is_newer ? "V1_1" : "V1");
    if (proof->row->kind != KIND_POREP) return;
    const porep_config_t *config = porep_config_by_number(proof->number);
    (void)snprintf(proof->name, sizeof proof->name, "%s", config->name);
    (void)snprintf(proof->chain_name, sizeof proof->chain_name, "%s", config->chain_name);
}

bool registered_proof_by_number(registered_proof_t *proof, circuit_kind kind, uint64_t number)
{
    static const uint64_t first[CIRCUIT_KINDS] = {0, 0, 0, 5};
    static const uint64_t end[CIRCUIT_KINDS] = {POREP_PROOFS, SECTOR_SIZES, SECTOR_SIZES, 15};

    if (number < first[kind] || number >= end[kind]) return false;
    proof->number = (uint32_t)number;
    proof->row = &rows[kind][number % SECTOR_SIZES];
    set_names(proof);
    return true;
}

/* The chain's constants have the name of their type before them. */
static const char *after_type(circuit_kind kind, const char *text)
{
    static const char *const types[CIRCUIT_KINDS] = {
        "RegisteredSealProof_", "RegisteredUpdateProof_", "RegisteredPoStProof_",
        "RegisteredPoStProof_"};
    const size_t n = strlen(types[kind]);

    return strncmp(text, types[kind], n) == 0 ? text + n : NULL;
}

static bool is_named(const registered_proof_t *proof, const char *text)
{
    const char *constant = after_type(proof->row->kind, text);
    char decimal[24];

    if (constant != NULL) return strcmp(constant, proof->chain_name) == 0;
    (void)snprintf(decimal, sizeof decimal, "%u", proof->number);
    return strcmp(text, decimal) == 0 || strcmp(text, proof->name) == 0 ||
           strcmp(text, proof->chain_name) == 0;
}

bool registered_proof_parse(registered_proof_t *proof, circuit_kind kind, const char *text)
{
    for (uint64_t number = 0; number < POREP_PROOFS; number++)
        if (registered_proof_by_number(proof, kind, number) && is_named(proof, text)) return true;
    return false;
}

void registered_proof_names(char names[REGISTERED_NAMES_BYTES], circuit_kind kind)
{
    registered_proof_t proof;

    names[0] = '\0';
    for (uint64_t number = 0; number < POREP_PROOFS; number++)
        if (registered_proof_by_number(&proof, kind, number))
            text_list(names, REGISTERED_NAMES_BYTES, proof.name);
    for (uint64_t number = 0; number < POREP_PROOFS; number++)
        if (registered_proof_by_number(&proof, kind, number) &&
            strcmp(proof.name, proof.chain_name) != 0)
            text_list(names, REGISTERED_NAMES_BYTES, proof.chain_name);
}

void registered_proof_newest(registered_proof_t *proof, const circuit_row_t *row)
{
    static const uint64_t base[CIRCUIT_KINDS] = {5, 0, 0, 10};

    (void)registered_proof_by_number(proof, row->kind,
                                     base[row->kind] + (uint64_t)(row - rows[row->kind]));
}

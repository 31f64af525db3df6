/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "porep/c1.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"
#include "codec/base64.h"
#include "porep/c1_challenge.h"

#define N_FIELDS(table) (sizeof(table) / sizeof(table)[0])

enum { NAME_BYTES = 64, WHAT_BYTES = 192 };

/* ---- the wrapper ---- */

typedef struct {
    const char *what;
    bool is_wrapped, is_bare;
    bool has_number, has_size;
    uint64_t sector_number, sector_size;
    uint8_t *inner; /* decoded Phase1Out, big_alloc */
    size_t inner_room, inner_length;
} c1_outer_t;

static cuzk_status read_sector_number(json_t *j, void *out, cuzk_error *err)
{
    c1_outer_t *outer = out;

    outer->has_number = true;
    return json_read_u64(j, &outer->sector_number, UINT64_MAX, err);
}

static cuzk_status read_sector_size(json_t *j, void *out, cuzk_error *err)
{
    c1_outer_t *outer = out;

    outer->has_size = true;
    return json_read_u64(j, &outer->sector_size, UINT64_MAX, err);
}

/* What errors call the output. */
static const char *output_name(char out[WHAT_BYTES], const c1_outer_t *outer)
{
    static const char member[] = ": Phase1Out";

    (void)text_shorten(out, WHAT_BYTES - strlen(member), outer->what);
    return outer->is_wrapped ? strcat(out, member) : out;
}

static cuzk_status read_phase1_out(json_t *j, void *out, cuzk_error *err)
{
    c1_outer_t *outer = out;
    const char *text;
    char what[WHAT_BYTES];
    size_t n;

    if (json_read_string(j, &text, &n, err) != CUZK_OK) return err->status;
    outer->is_wrapped = true;
    (void)output_name(what, outer);
    outer->inner_room = base64_room(n) + JSON_PADDING;
    if (big_alloc((void **)&outer->inner, outer->inner_room, 1, what, err) != CUZK_OK) {
        return err->status;
    }
    return base64_read_input(outer->inner, &outer->inner_length, text, n, what, err);
}

static cuzk_status note_bare(json_t *j, void *out, cuzk_error *err)
{
    (void)j;
    (void)err;
    ((c1_outer_t *)out)->is_bare = true;
    return CUZK_OK;
}

static cuzk_status read_outer(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"SectorNum", read_sector_number, JSON_OPTIONAL},
                                          {"Phase1Out", read_phase1_out, JSON_OPTIONAL},
                                          {"SectorSize", read_sector_size, JSON_OPTIONAL},
                                          {"vanilla_proofs", note_bare, JSON_OPTIONAL}};
    const c1_outer_t *outer = out;

    if (json_read_object(j, fields, N_FIELDS(fields), out, err) != CUZK_OK) return err->status;
    if (outer->is_wrapped && outer->is_bare)
        return json_error(j, err, "both Phase1Out and vanilla_proofs are there");
    if (outer->is_wrapped && !outer->has_number) return json_error(j, err, "SectorNum is missing");
    if (outer->is_wrapped && !outer->has_size) return json_error(j, err, "SectorSize is missing");
    if (!outer->is_wrapped && !outer->is_bare) {
        return json_error(j, err, "neither Phase1Out nor vanilla_proofs is there");
    }
    return CUZK_OK;
}

/* ---- the output but for its vanilla proofs ---- */

typedef struct {
    porep_proof_t *proof;
    const c1_outer_t *outer;
    const porep_config_t *requested;
    bool has_shape;
    char shape_name[NAME_BYTES];
} c1_head_t;

static cuzk_status read_registered_proof(json_t *j, void *out, cuzk_error *err)
{
    c1_head_t *head = out;
    char name[NAME_BYTES];

    if (json_copy_string(j, name, sizeof name, err) != CUZK_OK) return err->status;
    head->proof->config = porep_config_by_name(name, strlen(name));
    if (head->proof->config != NULL) return CUZK_OK;
    char names[POREP_NAMES_BYTES];
    porep_config_names(names);
    return json_error(j, err, "%s is not a registered seal proof (%s)", name, names);
}

static cuzk_status read_commitment(json_t *j, fr_t *value, cuzk_error *err)
{
    if (c1_read_fr(j, value, err) != CUZK_OK) return err->status;
    return fr_is_zero(value) ? json_error(j, err, "all zero") : CUZK_OK;
}

static cuzk_status read_comm_r(json_t *j, void *out, cuzk_error *err)
{
    return read_commitment(j, &((c1_head_t *)out)->proof->comm_r, err);
}

static cuzk_status read_comm_d(json_t *j, void *out, cuzk_error *err)
{
    return read_commitment(j, &((c1_head_t *)out)->proof->comm_d, err);
}

static cuzk_status read_replica_id(json_t *j, void *out, cuzk_error *err)
{
    return c1_read_fr(j, &((c1_head_t *)out)->proof->replica_id, err);
}

static cuzk_status read_ticket(json_t *j, void *out, cuzk_error *err)
{
    return json_read_bytes(j, ((c1_head_t *)out)->proof->ticket, 32, err);
}

static cuzk_status read_seed(json_t *j, void *out, cuzk_error *err)
{
    static const uint8_t zero[32];
    uint8_t *seed = ((c1_head_t *)out)->proof->seed;

    if (json_read_bytes(j, seed, 32, err) != CUZK_OK) return err->status;
    return memcmp(seed, zero, 32) == 0 ? json_error(j, err, "all zero") : CUZK_OK;
}

/* The one member's name; its value waits for the second walk. */
static cuzk_status read_shape_member(json_t *j, const char *name, size_t length, void *out,
                                     cuzk_error *err)
{
    c1_head_t *head = out;

    if (head->has_shape) return json_error(j, err, "a second set of vanilla proofs");
    if (length >= sizeof head->shape_name) return json_error(j, err, "not the name of a shape");
    memcpy(head->shape_name, name, length);
    head->shape_name[length] = '\0';
    head->has_shape = true;
    return CUZK_OK;
}

static cuzk_status read_shape_name(json_t *j, void *out, cuzk_error *err)
{
    const c1_head_t *head = out;

    if (json_read_members(j, read_shape_member, out, err) != CUZK_OK) return err->status;
    return head->has_shape ? CUZK_OK : json_error(j, err, "no vanilla proofs");
}

/* The registered proof asked for, the one in the file, its shape and the sector size. */
static cuzk_status check_agreement(const json_t *j, const c1_head_t *head, cuzk_error *err)
{
    const porep_config_t *config = head->proof->config;
    char size[64] = "", words[TEXT_SIZE_ROOM];

    if (head->outer->is_wrapped) {
        (void)snprintf(size, sizeof size, ", SectorSize %s",
                       text_size(words, head->outer->sector_size));
    }
    if ((head->requested != NULL && head->requested != config) ||
        strcmp(head->shape_name, config->shape_name) != 0 ||
        (head->outer->is_wrapped && head->outer->sector_size != config->sector_size)) {
        return json_error(j, err, "%s%sregistered_proof %s, vanilla_proofs %s%s do not agree",
                          head->requested != NULL ? head->requested->name : "",
                          head->requested != NULL ? " asked for, " : "", config->name,
                          head->shape_name, size);
    }
    return CUZK_OK;
}

static cuzk_status read_head(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {
        {"registered_proof", read_registered_proof, JSON_REQUIRED},
        {"vanilla_proofs", read_shape_name, JSON_REQUIRED},
        {"comm_r", read_comm_r, JSON_REQUIRED},
        {"comm_d", read_comm_d, JSON_REQUIRED},
        {"replica_id", read_replica_id, JSON_REQUIRED},
        {"seed", read_seed, JSON_REQUIRED},
        {"ticket", read_ticket, JSON_REQUIRED},
    };

    if (json_read_object(j, fields, N_FIELDS(fields), out, err) != CUZK_OK) return err->status;
    return check_agreement(j, out, err);
}

/* ---- the vanilla proofs ---- */

static cuzk_status read_challenge(json_t *j, size_t index, void *out, cuzk_error *err)
{
    c1_reader_t *reader = out;
    const size_t first = (size_t)reader->partition * reader->proof->config->n_challenges;

    return c1_read_challenge(j, reader, &reader->proof->challenges[first + index], err);
}

static cuzk_status read_partition(json_t *j, size_t index, void *out, cuzk_error *err)
{
    c1_reader_t *reader = out;

    reader->partition = (uint32_t)index;
    return c1_read_exactly(j, read_challenge, out, reader->proof->config->n_challenges,
                           "challenges", err);
}

static cuzk_status read_partitions(json_t *j, const char *name, size_t length, void *out,
                                   cuzk_error *err)
{
    const c1_reader_t *reader = out;

    (void)name; /* the first walk saw that there is one, and which */
    (void)length;
    return c1_read_exactly(j, read_partition, out, reader->proof->config->n_partitions,
                           "partitions", err);
}

static cuzk_status read_vanilla_proofs(json_t *j, void *out, cuzk_error *err)
{
    return json_read_members(j, read_partitions, out, err);
}

static cuzk_status read_proofs(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"vanilla_proofs", read_vanilla_proofs, JSON_REQUIRED}};

    return json_read_object(j, fields, N_FIELDS(fields), out, err);
}

/* Two walks: how much is to be expected may stand behind the vanilla proofs. */
static cuzk_status read_output(porep_proof_t *proof, const c1_outer_t *outer, const uint8_t *text,
                               size_t length, const porep_config_t *requested, arena_t *arena,
                               cuzk_error *err)
{
    char what[WHAT_BYTES];
    c1_head_t head = {.proof = proof, .outer = outer, .requested = requested};
    c1_reader_t *reader;
    size_t n;

    (void)output_name(what, outer);
    if (json_read(what, text, length, read_head, &head, err) != CUZK_OK) return err->status;
    (void)porep_shape_init(&proof->shape, proof->config->sector_size);

    n = (size_t)proof->config->n_partitions * proof->config->n_challenges;
    proof->challenges = arena_alloc(arena, n, sizeof *proof->challenges);
    reader = arena_alloc(arena, 1, sizeof *reader);
    if (proof->challenges == NULL || reader == NULL)
        return error_set(err, CUZK_ERR_MEMORY, "%s: no memory", what);
    *reader = (c1_reader_t){.proof = proof, .arena = arena};
    return json_read(what, text, length, read_proofs, reader, err);
}

/* ---- its length ---- */

enum {
    ELEMENT = 32 * 4 + 2, /* 32 numbers of three digits, commas and brackets */
    NAMES = 120,          /* the names and brackets of one object, or of one level of a path */
    HEAD = 7 * ELEMENT + 4096
};

static uint64_t path_max_bytes(const tree_shape_t *tree)
{
    return (2 + (uint64_t)tree->n_siblings) * ELEMENT + (4 + (uint64_t)tree->n_levels) * NAMES;
}

uint64_t porep_c1_max_bytes(const porep_config_t *config)
{
    porep_shape_t shape;

    (void)porep_shape_init(&shape, config->sector_size);
    const uint64_t column = (uint64_t)shape.n_layers * ELEMENT + NAMES;
    const uint64_t label = (uint64_t)POREP_LABEL_PARENTS * ELEMENT + NAMES;
    const uint64_t challenge = path_max_bytes(&shape.tree_d) + path_max_bytes(&shape.tree_r) +
                               (1 + POREP_DEGREE) * (column + path_max_bytes(&shape.tree_r)) +
                               (shape.n_layers + 1) * label;
    const uint64_t n = (uint64_t)config->n_partitions * config->n_challenges;

    return base64_length(n * challenge + HEAD) + HEAD;
}

cuzk_status porep_c1_read(porep_c1_t *c1, const char *what, cuzk_bytes text,
                          const porep_config_t *requested, arena_t *arena, cuzk_error *err)
{
    c1_outer_t outer = {.what = what};
    cuzk_status status = json_read(what, text.bytes, text.length, read_outer, &outer, err);

    *c1 = (porep_c1_t){.is_wrapped = outer.is_wrapped, .sector_number = outer.sector_number};
    if (status == CUZK_OK && outer.is_wrapped)
        status =
            read_output(&c1->proof, &outer, outer.inner, outer.inner_length, requested, arena, err);
    else if (status == CUZK_OK)
        status = read_output(&c1->proof, &outer, text.bytes, text.length, requested, arena, err);
    big_free(outer.inner, outer.inner_room, 1);
    return status;
}

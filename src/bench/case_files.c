/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/case_files.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "codec/json.h"
#include "cuzk/text.h"

#define INPUT_MAX_BYTES ((size_t)1 << 30)

enum { VALUES_MAX_BYTES = 1 << 22 };

/* ---- case.json ---------------------------------------------------------------------------------
 */

static cuzk_status read_comm_r_of(json_t *j, void *out, cuzk_error *err)
{
    return json_read_hex(j, ((cuzk_sector *)out)->comm_r, CUZK_COMMITMENT_BYTES, err);
}

static cuzk_status read_number_of(json_t *j, void *out, cuzk_error *err)
{
    return json_read_u64(j, &((cuzk_sector *)out)->number, UINT64_MAX, err);
}

static cuzk_status read_sector(json_t *j, size_t index, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {{"comm_r", read_comm_r_of, JSON_REQUIRED},
                                          {"sector_number", read_number_of, JSON_REQUIRED}};

    return json_read_object(j, fields, 2, &((proof_case_t *)out)->sectors[index], err);
}

static cuzk_status read_sectors(json_t *j, void *out, cuzk_error *err)
{
    proof_case_t *c = out;

    return json_read_array(j, read_sector, c, 1, CASE_MAX_SECTORS, &c->n_sectors, err);
}

/* "porep", or with the version of its rules "porep-v1". */
static cuzk_status read_kind(json_t *j, void *out, cuzk_error *err)
{
    proof_case_t *c = out;
    char name[32];

    cuzk_status st = json_copy_string(j, name, sizeof name, err);
    if (st != CUZK_OK) return st;
    name[strcspn(name, "-")] = '\0';
    st = cuzk_kind_from_text(name, "kind", &c->request.kind, err);
    return st == CUZK_OK
               ? st
               : json_error(j, err, "\"%s\" is none of porep, update, winning, window", name);
}

static cuzk_status read_proof_name(json_t *j, void *out, cuzk_error *err)
{
    proof_case_t *c = out;

    return json_copy_string(j, c->proof_name, sizeof c->proof_name, err);
}

static cuzk_status read_proof(json_t *j, void *out, cuzk_error *err)
{
    uint64_t value = 0;
    const cuzk_status st = json_read_u64(j, &value, UINT16_MAX, err);

    ((proof_case_t *)out)->request.registered_proof = (uint32_t)value;
    return st;
}

static cuzk_status read_miner(json_t *j, void *out, cuzk_error *err)
{
    return json_read_u64(j, &((proof_case_t *)out)->request.miner_id, UINT64_MAX, err);
}

static cuzk_status read_sector_number(json_t *j, void *out, cuzk_error *err)
{
    return json_read_u64(j, &((proof_case_t *)out)->request.sector_number, UINT64_MAX, err);
}

#define BYTES32(function, field)                                                                   \
    static cuzk_status function(json_t *j, void *out, cuzk_error *err)                             \
    {                                                                                              \
        return json_read_hex(j, ((proof_case_t *)out)->field, 32, err);                            \
    }
BYTES32(read_randomness, request.randomness)
BYTES32(read_comm_r_old, request.comm_r_old)
BYTES32(read_comm_r_new, request.comm_r_new)
BYTES32(read_comm_d_new, request.comm_d_new)
BYTES32(read_comm_r, statement.of.porep.comm_r)
BYTES32(read_comm_d, statement.of.porep.comm_d)
BYTES32(read_ticket, statement.of.porep.ticket)
BYTES32(read_seed, statement.of.porep.seed)

static cuzk_status read_values(json_t *j, void *out, cuzk_error *err)
{
    static const json_field_t fields[] = {
        {"kind", read_kind, JSON_REQUIRED},
        {"miner_id", read_miner, JSON_REQUIRED},
        {"registered_proof", read_proof, JSON_OPTIONAL},
        {"registered_seal_proof", read_proof_name, JSON_OPTIONAL},
        {"sector_number", read_sector_number, JSON_OPTIONAL},
        {"sectors", read_sectors, JSON_OPTIONAL},
        {"randomness", read_randomness, JSON_OPTIONAL},
        {"comm_r_old", read_comm_r_old, JSON_OPTIONAL},
        {"comm_r_new", read_comm_r_new, JSON_OPTIONAL},
        {"comm_d_new", read_comm_d_new, JSON_OPTIONAL},
        {"comm_r", read_comm_r, JSON_OPTIONAL},
        {"comm_d", read_comm_d, JSON_OPTIONAL},
        {"ticket", read_ticket, JSON_OPTIONAL},
        {"seed", read_seed, JSON_OPTIONAL},
    };

    return json_read_object(j, fields, sizeof fields / sizeof fields[0], out, err);
}

/* ---- request and statement ---------------------------------------------------------------------
 */

static void state_update(cuzk_update_statement *of, const cuzk_request *request)
{
    of->registered_proof = request->registered_proof;
    memcpy(of->comm_r_old, request->comm_r_old, sizeof of->comm_r_old);
    memcpy(of->comm_r_new, request->comm_r_new, sizeof of->comm_r_new);
    memcpy(of->comm_d_new, request->comm_d_new, sizeof of->comm_d_new);
}

static void state_post(cuzk_post_statement *of, const proof_case_t *c)
{
    of->registered_proof = c->request.registered_proof;
    of->miner_id = c->request.miner_id;
    memcpy(of->randomness, c->request.randomness, sizeof of->randomness);
    of->sectors = c->sectors;
    of->n_sectors = c->n_sectors;
}

static void state(proof_case_t *c)
{
    cuzk_statement *s = &c->statement;

    s->struct_size = sizeof *s;
    s->kind = c->request.kind;
    if (s->kind == CUZK_UPDATE) {
        state_update(&s->of.update, &c->request);
    } else if (s->kind == CUZK_POREP) {
        s->of.porep.registered_proof = c->request.registered_proof;
        s->of.porep.miner_id = c->request.miner_id;
        s->of.porep.sector_number = c->request.sector_number;
    } else {
        state_post(&s->of.post, c);
    }
}

static cuzk_status find_proof(proof_case_t *c, cuzk_error *err)
{
    cuzk_proof_info info = {.struct_size = sizeof info};
    const cuzk_kind kind = c->request.kind;

    const cuzk_status st =
        kind == CUZK_POREP
            ? cuzk_proof_from_text(kind, c->proof_name, "registered_seal_proof", &info, err)
            : cuzk_proof_by_number(kind, c->request.registered_proof, &info, err);
    if (st != CUZK_OK) return error_within(err, "case.json");
    c->request.registered_proof = info.registered_proof;
    c->sector_bytes = info.sector_bytes;
    c->partition_sectors = info.partition_sectors;
    (void)snprintf(c->sector_size, sizeof c->sector_size, "%s", info.sector_size);
    return CUZK_OK;
}

/* A PoSt has a vanilla proof for each sector, in their order. */
static cuzk_status check_sectors(const proof_case_t *c, cuzk_error *err)
{
    const bool is_post =
        c->request.kind == CUZK_WINDOW_POST || c->request.kind == CUZK_WINNING_POST;

    if (!is_post || c->n_sectors == c->vanilla.n) return CUZK_OK;
    return error_set(err, CUZK_ERR_FORMAT, "case.json has sectors: %zu, vanilla.json has: %zu",
                     c->n_sectors, c->vanilla.n);
}

static cuzk_status take_input(proof_case_t *c, case_text_t input, cuzk_error *err)
{
    c->input = mem_alloc(input.length + JSON_PADDING, 1, c->name, err);
    if (c->input == NULL) return err->status;
    memcpy(c->input, input.bytes, input.length);
    c->c1 = (cuzk_bytes){c->input, input.length};
    c->request.inputs = &c->c1;
    c->request.n_inputs = 1;
    if (c->request.kind == CUZK_POREP) return CUZK_OK;
    const cuzk_status st =
        vanilla_list_read(&c->vanilla, "vanilla.json", c->input, input.length, UINT16_MAX, err);
    if (st != CUZK_OK) return st;
    c->request.inputs = c->vanilla.items;
    c->request.n_inputs = c->vanilla.n;
    return check_sectors(c, err);
}

cuzk_status case_read(proof_case_t *c, const char *name, case_text_t values, case_text_t input,
                      cuzk_error *err)
{
    *c = (proof_case_t){
        .request = {.struct_size = sizeof c->request, .partition = CUZK_ALL_PARTITIONS}};
    (void)snprintf(c->name, sizeof c->name, "%.*s", CASE_NAME_BYTES - 1, name);
    cuzk_status st = json_read("case.json", values.bytes, values.length, read_values, c, err);
    if (st == CUZK_OK) st = find_proof(c, err);
    if (st == CUZK_OK) state(c);
    if (st == CUZK_OK) st = take_input(c, input, err);
    if (st == CUZK_OK) return CUZK_OK;
    case_close(c);
    return error_within(err, "%s", name);
}

enum { LAST_V1_WINDOW = 9 };

uint32_t case_partitions(const proof_case_t *c)
{
    if (c->request.kind != CUZK_WINDOW_POST || c->request.registered_proof <= LAST_V1_WINDOW)
        return 1;
    return (uint32_t)((c->n_sectors + c->partition_sectors - 1) / c->partition_sectors);
}

void case_keep_partition(proof_case_t *c, uint32_t partition)
{
    const size_t first = (size_t)partition * c->partition_sectors;
    const size_t after = first + c->partition_sectors;
    const size_t length = strlen(c->name);

    if (c->request.kind != CUZK_WINDOW_POST || c->n_sectors <= c->partition_sectors) return;
    (void)snprintf(c->name + length, sizeof c->name - length, ".%u", partition);
    c->n_sectors = (after < c->n_sectors ? after : c->n_sectors) - first;
    memmove(c->sectors, c->sectors + first, c->n_sectors * sizeof *c->sectors);
    c->request.inputs += first;
    c->request.n_inputs = c->n_sectors;
    c->statement.of.post.n_sectors = c->n_sectors;
}

void case_close(proof_case_t *c)
{
    vanilla_list_clear(&c->vanilla);
    free(c->input);
    *c = (proof_case_t){0};
}

/* ---- folders -----------------------------------------------------------------------------------
 */

static cuzk_status read_file(uint8_t **text, size_t *length, const char *folder, const char *name,
                             size_t max, cuzk_error *err)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return error_set(err, CUZK_ERR_ARG, "%s/%s: a path of %d bytes at most", folder, name,
                         PATH_MAX - 1);
    return file_read(text, length, path, max, err);
}

static bool has_file(const char *folder, const char *name)
{
    char path[PATH_MAX];

    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path &&
           access(path, F_OK) == 0;
}

static const char *last_part(const char *folder)
{
    const char *slash = strrchr(folder, '/');

    return slash != NULL && slash[1] != '\0' ? slash + 1 : folder;
}

cuzk_status case_open(proof_case_t *c, const char *folder, cuzk_error *err)
{
    const char *input_name = has_file(folder, "c1.json") ? "c1.json" : "vanilla.json";
    uint8_t *values = NULL, *input = NULL;
    size_t n_values = 0, n_input = 0;

    cuzk_status st = read_file(&values, &n_values, folder, "case.json", VALUES_MAX_BYTES, err);
    if (st != CUZK_OK) return st;
    st = read_file(&input, &n_input, folder, input_name, INPUT_MAX_BYTES, err);
    if (st == CUZK_OK)
        st = case_read(c, last_part(folder), (case_text_t){values, n_values},
                       (case_text_t){input, n_input}, err);
    free(values);
    free(input);
    return st;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static cuzk_status add_partition(uint32_t *n_partitions, case_list_t *list, const char *folder,
                                 const char *sector_size, uint32_t partition, cuzk_error *err)
{
    proof_case_t *c = &list->items[list->n];

    if (list->n == CASE_MAX_CASES)
        return error_set(err, CUZK_ERR_ARG, "%s: more than %d cases", folder, CASE_MAX_CASES);
    const cuzk_status st = case_open(c, folder, err);
    if (st != CUZK_OK) return st;
    if (strcmp(c->sector_size, sector_size) == 0) {
        list->n++;
        *n_partitions = case_partitions(c);
        case_keep_partition(c, partition);
    } else {
        case_close(c);
    }
    return CUZK_OK;
}

/* Adds a folder's case when it is one, of that size. */
static cuzk_status add_case(case_list_t *list, const char *folder, const char *sector_size,
                            cuzk_error *err)
{
    uint32_t n_partitions = 1;
    cuzk_status st = CUZK_OK;

    if (!has_file(folder, "case.json")) return CUZK_OK;
    for (uint32_t i = 0; i < n_partitions && st == CUZK_OK; i++)
        st = add_partition(&n_partitions, list, folder, sector_size, i, err);
    return st;
}

static cuzk_status add_cases(case_list_t *list, const char *folder, struct dirent **entries,
                             int n_entries, const char *sector_size, cuzk_error *err)
{
    char path[PATH_MAX];
    cuzk_status st = CUZK_OK;

    for (int i = 0; i < n_entries && st == CUZK_OK; i++) {
        if (snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name) >= (int)sizeof path)
            return error_set(err, CUZK_ERR_ARG, "%s: a path of %d bytes at most", folder,
                             PATH_MAX - 1);
        st = add_case(list, path, sector_size, err);
    }
    if (st == CUZK_OK && list->n == 0)
        st = error_set(err, CUZK_ERR_MISSING,
                       "%s: no folder in it has a case of %s sectors (case.json beside c1.json or "
                       "vanilla.json)",
                       folder, sector_size);
    return st;
}

cuzk_status case_list_open(case_list_t *list, const char *folder, const char *sector_size,
                           cuzk_error *err)
{
    struct dirent **entries;

    *list = (case_list_t){0};
    const int n_entries = scandir(folder, &entries, is_visible, by_name);
    if (n_entries < 0) return error_set(err, CUZK_ERR_MISSING, "%s: %s", folder, strerror(errno));
    list->items = mem_alloc(CASE_MAX_CASES + 1, sizeof *list->items, "cases", err);
    const cuzk_status st = list->items == NULL
                               ? err->status
                               : add_cases(list, folder, entries, n_entries, sector_size, err);
    for (int i = 0; i < n_entries; i++) free(entries[i]);
    free(entries);
    return st;
}

void case_list_close(case_list_t *list)
{
    for (size_t i = 0; i < list->n; i++) case_close(&list->items[i]);
    free(list->items);
    *list = (case_list_t){0};
}

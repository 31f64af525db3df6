/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/remote_subject.h"

#include <string.h>

#include "cuzk/describe.h"

cuzk_status remote_type_from_text(cuzk_kind *kind, const char *text, cuzk_error *err)
{
    static const struct {
        const char *name;
        cuzk_kind kind;
    } types[] = {{"porep", CUZK_POREP},
                 {"porep-c2", CUZK_POREP},
                 {"seal-commit", CUZK_POREP},
                 {"snap", CUZK_UPDATE},
                 {"snap-deals", CUZK_UPDATE},
                 {"update", CUZK_UPDATE},
                 {"window-post", CUZK_WINDOW_POST},
                 {"wpost", CUZK_WINDOW_POST},
                 {"windowpost", CUZK_WINDOW_POST},
                 {"window", CUZK_WINDOW_POST},
                 {"winning-post", CUZK_WINNING_POST},
                 {"winningpost", CUZK_WINNING_POST},
                 {"winning", CUZK_WINNING_POST}};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(text, types[i].name) != 0) continue;
        *kind = types[i].kind;
        return CUZK_OK;
    }
    return error_set(err, CUZK_ERR_ARG,
                     "--type: \"%s\" is none of porep, porep-c2, seal-commit, snap, snap-deals, "
                     "update, window-post, wpost, windowpost, window, winning-post, winningpost, "
                     "winning",
                     text);
}

/* Whether something is given that the folder of a case has. */
static cuzk_status refuse_beside_case(const remote_subject_options_t *o, cuzk_error *err)
{
    const input_options_t *in = &o->input;
    const struct {
        const char *name;
        bool given;
    } all[] = {{"--type", o->type != NULL},
               {"--c1", in->c1 != NULL},
               {"--vanilla", in->vanilla != NULL},
               {"--sector-size", in->selection.sector_size != NULL},
               {"--registered-proof", in->selection.registered_proof != NULL},
               {"--sector-num", in->sector_number.given},
               {"--miner-id", in->miner_id != NULL},
               {"--randomness", in->randomness.given},
               {"--comm-r-old", in->comm_r_old != NULL},
               {"--comm-r-new", in->comm_r_new != NULL},
               {"--comm-d-new", in->comm_d_new != NULL}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].given)
            return error_set(err, CUZK_ERR_ARG, "%s: is not for --case, whose folder tells",
                             all[i].name);
    return CUZK_OK;
}

static cuzk_status pick_partition(proof_case_t *c, uint32_t partition, cuzk_error *err)
{
    const uint32_t n = case_partitions(c);

    if (partition >= n) {
        (void)error_set(err, CUZK_ERR_ARG, "--partition: %u, but %s has %u (from 0 on)", partition,
                        c->name, n);
        case_close(c);
        return err->status;
    }
    case_keep_partition(c, partition);
    return CUZK_OK;
}

/* The options of one type; those that have a default are for any type, used or not. */
static cuzk_status read_files(remote_subject_t *subject, const remote_subject_options_t *o,
                              cuzk_error *err)
{
    input_options_t in = o->input;
    cuzk_kind kind;

    cuzk_status st = require_option(o->type != NULL, "--type (or --case)", err);
    if (st == CUZK_OK) st = remote_type_from_text(&kind, o->type, err);
    if (st != CUZK_OK) return st;
    in.takes_raw = true;
    if (kind == CUZK_UPDATE)
        in.miner_id = NULL;
    else if (in.miner_id == NULL)
        in.miner_id = "1000";
    if (kind != CUZK_POREP)
        in.sector_number = (option_u64_t){0};
    else if (!in.sector_number.given)
        in.sector_number = (option_u64_t){.value = 1, .given = true};
    return inputs_read(&subject->of_files, kind, &in, INPUTS_CONTENT, err);
}

static cuzk_status describe(remote_subject_t *subject, cuzk_error *err)
{
    const cuzk_engine_options options = {.struct_size = sizeof options, .threads = 1};
    cuzk_request_info info = {.struct_size = sizeof info};
    cuzk_engine *engine;

    cuzk_status st = cuzk_engine_open(&engine, &options, err);
    if (st != CUZK_OK) return st;
    st = cuzk_describe_request(engine, &subject->own, &info, err);
    if (st == CUZK_OK) st = inputs_check_size(&subject->of_files, info.sector_size, err);
    cuzk_engine_close(engine);
    if (st != CUZK_OK) return st;
    memcpy(subject->circuit, info.circuit, sizeof subject->circuit);
    subject->own.registered_proof = info.registered_proof;
    return CUZK_OK;
}

cuzk_status remote_subject_open(remote_subject_t *subject, const remote_subject_options_t *o,
                                cuzk_error *err)
{
    cuzk_status st;

    *subject = (remote_subject_t){.partition = o->partition.value};
    subject->request = &subject->own;
    if (o->folder != NULL) {
        st = refuse_beside_case(o, err);
        if (st == CUZK_OK) st = case_open(&subject->of_case, o->folder, err);
        if (st == CUZK_OK) st = pick_partition(&subject->of_case, subject->partition, err);
        subject->own = subject->of_case.request;
    } else {
        st = read_files(subject, o, err);
        subject->own = subject->of_files.request;
    }
    if (st == CUZK_OK) st = describe(subject, err);
    if (st != CUZK_OK) remote_subject_close(subject);
    return st;
}

void remote_subject_close(remote_subject_t *subject)
{
    case_close(&subject->of_case);
    inputs_clear(&subject->of_files);
    *subject = (remote_subject_t){.request = NULL};
}

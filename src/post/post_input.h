/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_POST_POST_INPUT_H
#define CUZK_POST_POST_INPUT_H

/* A PoSt to be proved: from the vanilla proofs to the circuits of its partitions. The checks come
 * in two levels. post_input_open() looks at the form, which is all that a run of the circuit needs
 * to be safe; post_input_check() finds whatever would make the proof invalid, before any costly
 * work. */

#include "base/executor.h"
#include "codec/vanilla_list.h"
#include "post/statement.h"
#include "post/vanilla.h"

typedef struct {
    post_statement_t statement;
    post_form_t form;
    post_vanilla_t *vanilla;      /* statement.n_sectors, in its order */
    post_sector_t *slots;         /* n_partitions * shape.n_sectors */
    post_challenge_t *challenges; /* n_sectors * per_sector */
    fr_t *siblings;               /* as many times form.tree.n_siblings */
} post_input_t;

/** Reads the vanilla proofs items[0 .. n-1], one for each sector, whose numbers must rise strictly
 *  from one to the next. request gives the registered proof and the randomness; its sectors are not
 *  looked at. Nothing of either is needed afterwards. Release with post_input_close(), on success
 *  only. CUZK_ERR_ARG, CUZK_ERR_FORMAT name sector, field, value and limit; CUZK_ERR_MEMORY. */
cuzk_status post_input_open(post_input_t *post, const cuzk_post_statement *request,
                            const cuzk_bytes *items, size_t n, cuzk_error *err);

void post_input_close(post_input_t *post);

/** Checks the content: comm_r = H(comm_c, comm_r_last) in each sector, the leaves are those that
 *  the randomness challenges, every path leads from its leaf to comm_r_last. CUZK_ERR_FORMAT names
 *  the sector and the challenge. strand may be NULL. Cost: one Poseidon hash a level of a path. */
cuzk_status post_input_check(const post_input_t *post, strand_t *strand, cuzk_error *err);

/** Whether one sector's vanilla proof is right, in form and content, at that position of the list:
 *  what post_input_open() and post_input_check() find, without the sector's name. The request has
 *  been checked, and the item has POST_SECTOR_BYTES or more. CUZK_ERR_FORMAT, CUZK_ERR_ARG: it is
 *  not; CUZK_ERR_MEMORY: that is not known. */
cuzk_status post_input_judge(const cuzk_post_statement *request, cuzk_bytes item, size_t position,
                             cuzk_error *err);

/** The circuit of a partition below post->statement.n_partitions; it points into *post. */
post_circuit_t post_input_circuit(const post_input_t *post, uint32_t partition);

#endif

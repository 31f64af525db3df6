/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/shape_json.h"

static void write_density(json_writer_t *w, const circuit_counts_t *counts)
{
    json_write_object(w, "density");
    json_write_u64(w, "a_aux", counts->a_aux);
    json_write_u64(w, "b_aux", counts->b_aux);
    json_write_u64(w, "b_input", counts->b_input);
    json_write_end(w);
}

static void write_blocks(json_writer_t *w, const char *name, const shape_digest_t *digest)
{
    json_write_array(w, name);
    for (size_t i = 0; i < digest->n_blocks; i++)
        json_write_hex(w, NULL, digest->blocks[i], SHAPE_BLOCK_BYTES);
    json_write_end(w);
}

static void write_nonzeros(json_writer_t *w, const shape_t *shape)
{
    json_write_u64(w, "nonzero_a", shape->nonzero_a);
    json_write_u64(w, "nonzero_b", shape->nonzero_b);
    json_write_u64(w, "nonzero_c", shape->nonzero_c);
}

void shape_write_circuit(json_writer_t *w, const shape_t *shape, const circuit_row_t *row)
{
    char id[PARAMETER_ID_BYTES];

    circuit_parameter_id(id, row);
    json_write_object(w, NULL);
    json_write_u64(w, "aux", shape->counts.n_aux);
    json_write_u64(w, "block", shape->block);
    json_write_u64(w, "constraints", shape->counts.n_constraints);
    write_density(w, &shape->counts);
    json_write_u64(w, "dropped_zero_coefficients", shape->zero_coefficients);
    json_write_u64(w, "inputs", shape->counts.n_inputs);
    json_write_string(w, "kind", circuit_kind_name(row->kind));
    write_nonzeros(w, shape);
    json_write_string(w, "parameter_id", id);
    write_blocks(w, "r1cs_blocks", &shape->r1cs);
    json_write_hex(w, "r1cs_sha256", shape->r1cs.all, SHA256_BYTES);
    json_write_string(w, "sector_size", row->size_name);
    json_write_end(w);
}

void shape_write_witness(json_writer_t *w, const shape_t *shape)
{
    json_write_object(w, NULL);
    json_write_u64(w, "aux", shape->counts.n_aux);
    write_blocks(w, "aux_blocks", &shape->aux);
    json_write_u64(w, "aux_in_0_1", shape->aux_in_0_1);
    json_write_hex(w, "aux_sha256", shape->aux.all, SHA256_BYTES);
    json_write_u64(w, "block", shape->block);
    json_write_u64(w, "constraints", shape->counts.n_constraints);
    write_density(w, &shape->counts);
    json_write_u64(w, "dropped_zero_coefficients", shape->zero_coefficients);
    json_write_array(w, "input_values");
    for (uint32_t i = 0; i < shape->counts.n_inputs; i++) {
        uint8_t bytes[FR_BYTES];

        fr_to_bytes(bytes, &shape->inputs[i]);
        json_write_hex(w, NULL, bytes, sizeof bytes);
    }
    json_write_end(w);
    json_write_u64(w, "inputs", shape->counts.n_inputs);
    write_nonzeros(w, shape);
    json_write_hex(w, "r1cs_sha256", shape->r1cs.all, SHA256_BYTES);
    json_write_u64(w, "violated_constraints", shape->violated);
    json_write_end(w);
}

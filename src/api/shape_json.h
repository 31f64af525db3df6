/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_API_SHAPE_JSON_H
#define CUZK_API_SHAPE_JSON_H

/* A circuit's counts and digests as JSON, under the names that the reference fixtures use. */

#include "codec/json_write.h"
#include "registry/registry.h"
#include "synthesis/shape.h"

/** One object: kind, sector size, counts, densities, parameter id, digests of the constraints. */
void shape_write_circuit(json_writer_t *w, const shape_t *shape, const circuit_row_t *row);

/** One object: counts, digests and input values of a witness. */
void shape_write_witness(json_writer_t *w, const shape_t *shape);

#endif

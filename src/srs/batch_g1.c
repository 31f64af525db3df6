/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "srs/batch.h"

#include <stdlib.h>

#define POINT(x)     g1_##x
#define BATCH(x)     srs_batch_g1_##x
#define BATCH_STRUCT srs_batch_g1
#include "srs/batch_tmpl.h"

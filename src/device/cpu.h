/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DEVICE_CPU_H
#define CUZK_DEVICE_CPU_H

/* The CPU as a device. A stream of its own is a thread that works through a queue as a strand of
 * the executor, and holds no permit while the queue is empty. */

#include "device/device.h"
#include "device/device_ops.h"

/** All borrowed until the device is closed; all may be NULL. */
typedef struct {
    executor_t *executor;    /* for streams that are opened without a strand */
    const char *file_folder; /* for BUFFER_FILE */
} device_cpu_options_t;

/** CUZK_ERR_MEMORY. */
cuzk_status device_cpu_open(device_t **device, const device_cpu_options_t *options,
                            cuzk_error *err);

/** Its table, for devices of tests that change some of it. */
extern const device_ops_t device_cpu_ops;

#endif

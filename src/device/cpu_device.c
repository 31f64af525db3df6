/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "device/cpu_device.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/verify.h"

cpu_device_t *cpu_device(device_t *device)
{
    return (cpu_device_t *)device;
}

static void close_device(device_t *device)
{
    cpu_device_t *cpu = cpu_device(device);

    VERIFY(cpu->memory.used == 0 && cpu->memory.files == 0);
    cpu_trim(device);
    for (unsigned lg_n = 0; lg_n <= NTT_MAX_LG; lg_n++) ntt_domain_close(cpu->domains[lg_n]);
    (void)pthread_mutex_destroy(&cpu->mutex);
    free(cpu);
}

const device_ops_t device_cpu_ops = {
    .name = "cpu",
    .buffer_alloc = cpu_buffer_alloc,
    .buffer_adopt = cpu_buffer_adopt,
    .buffer_free = cpu_buffer_free,
    .buffer_read = cpu_buffer_read,
    .buffer_write = cpu_buffer_write,
    .transform_bytes = cpu_transform_bytes,
    .msm_bytes = cpu_msm_bytes,
    .memory = cpu_memory,
    .trim = cpu_trim,
    .close = close_device,
    .stream_open = cpu_stream_open,
    .stream_close = cpu_stream_close,
    .drop = cpu_drop,
    .wait = cpu_wait,
    .synchronise = cpu_synchronise,
    .stamp = cpu_stamp,
    .release = cpu_release,
    .copy = cpu_copy,
    .multiply = cpu_multiply,
    .combine_h = cpu_combine_h,
    .transform = cpu_transform,
    .msm_g1 = cpu_msm_g1,
    .msm_g2 = cpu_msm_g2,
};

cuzk_status device_cpu_open(device_t **device, const device_cpu_options_t *options, cuzk_error *err)
{
    *device = NULL;
    cpu_device_t *cpu = mem_alloc(1, sizeof *cpu, "device", err);
    if (cpu == NULL) return err->status;
    cpu->base.ops = &device_cpu_ops;
    cpu->options = *options;
    (void)pthread_mutex_init(&cpu->mutex, NULL);
    *device = &cpu->base;
    return CUZK_OK;
}

cuzk_status cpu_device_domain(const ntt_domain_t **domain, cpu_device_t *cpu, unsigned lg_n,
                              cuzk_error *err)
{
    cuzk_status st = CUZK_OK;

    (void)pthread_mutex_lock(&cpu->mutex);
    if (cpu->domains[lg_n] == NULL) st = ntt_domain_open(&cpu->domains[lg_n], lg_n, err);
    *domain = cpu->domains[lg_n];
    (void)pthread_mutex_unlock(&cpu->mutex);
    return st;
}

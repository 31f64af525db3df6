/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_DAEMON_DESCRIPTOR_H
#define CUZK_DAEMON_DESCRIPTOR_H

/* The description of the service's messages (a FileDescriptorSet), for server reflection. */

#include <stdint.h>

extern const uint8_t descriptor_begin[], descriptor_end[];

#endif

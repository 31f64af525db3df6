/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/counter_group.h"

#include "base/bytes.h"

/* u64 number of events, time enabled, time running, then a value for each event */
bool counter_reading_parse(counter_reading_t *reading, const void *bytes, size_t length,
                           uint32_t n_events)
{
    const uint8_t *at = bytes;

    if (n_events > COUNTER_GROUP_MAX || length != 8 * (3 + (size_t)n_events)) return false;
    if (load_le64(at) != n_events) return false;
    *reading = (counter_reading_t){.enabled = load_le64(at + 8), .running = load_le64(at + 16)};
    for (uint32_t i = 0; i < n_events; i++) reading->counts[i] = load_le64(at + 24 + 8 * (size_t)i);
    return reading->running <= reading->enabled;
}

void counter_group_add(counter_group_t *group, const counter_reading_t *from,
                       const counter_reading_t *to)
{
    const uint64_t enabled = to->enabled - from->enabled;
    const uint64_t running = to->running - from->running;

    group->enabled += enabled;
    group->running += running;
    if (running == 0) return;
    for (int i = 0; i < COUNTER_GROUP_MAX; i++)
        group->counts[i] +=
            (double)(to->counts[i] - from->counts[i]) * ((double)enabled / (double)running);
}

double counter_group_share(const counter_group_t *group)
{
    return group->enabled == 0 ? 1 : (double)group->running / (double)group->enabled;
}

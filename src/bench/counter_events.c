/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/counter_events.h"

#include <string.h>

/* Zen 4: l2_cache_req_stat is event 0x64 (its four "hit" units are perf's dc_hit_in_l2, those and
 * the misses dc_access_in_l2), ls_dmnd_fills_from_sys 0x43, ls_any_fills_from_sys 0x44. */
#define ZEN4_L2      "amd64_fam19h_zen4::CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS"
#define ZEN4_L2_HITS ":LS_RD_BLK_X:LS_RD_BLK_L_HIT_S:LS_RD_BLK_L_HIT_X:LS_RD_BLK_C_S"
#define ZEN4_DEMAND  "amd64_fam19h_zen4::DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM"
#define ZEN4_ANY     "amd64_fam19h_zen4::ANY_DATA_CACHE_FILLS_FROM_SYSTEM"

const counter_event_t counter_events[] = {
    {"cpu-migrations", "perf::CPU-MIGRATIONS", PROCESSOR_ANY, 0},
    {"instructions", "perf::INSTRUCTIONS", PROCESSOR_ANY, 1},
    {"cycles", "perf::CYCLES", PROCESSOR_ANY, 1},
    {"branches", "perf::BRANCHES", PROCESSOR_ANY, 1},
    {"branch-misses", "perf::BRANCH-MISSES", PROCESSOR_ANY, 1},
    {"cache-references", "perf::CACHE-REFERENCES", PROCESSOR_ANY, 2},
    {"cache-misses", "perf::CACHE-MISSES", PROCESSOR_ANY, 2},
    {"L1-dcache-load-misses", "perf::L1-DCACHE-LOAD-MISSES", PROCESSOR_ANY, 2},
    {"l2_cache_req_stat.dc_access_in_l2", ZEN4_L2 ZEN4_L2_HITS ":LS_RD_BLK_C", PROCESSOR_ZEN4, 3},
    {"l2_cache_req_stat.dc_hit_in_l2", ZEN4_L2 ZEN4_L2_HITS, PROCESSOR_ZEN4, 3},
    {"l2_rqsts.all_demand_data_rd", "L2_RQSTS:ALL_DEMAND_DATA_RD", PROCESSOR_INTEL, 3},
    {"l2_rqsts.demand_data_rd_hit", "L2_RQSTS:DEMAND_DATA_RD_HIT", PROCESSOR_INTEL, 3},
    {"ls_dmnd_fills_from_sys.local_l2", ZEN4_DEMAND ":LCL_L2", PROCESSOR_ZEN4, 4},
    {"ls_dmnd_fills_from_sys.local_ccx", ZEN4_DEMAND ":LOCAL_CCX", PROCESSOR_ZEN4, 4},
    {"ls_any_fills_from_sys.dram_io_all", ZEN4_ANY ":DRAM_IO_NEAR:DRAM_IO_FAR", PROCESSOR_ZEN4, 4},
    {"mem_load_retired.l2_hit", "MEM_LOAD_RETIRED:L2_HIT", PROCESSOR_INTEL, 4},
    {"mem_load_retired.l3_hit", "MEM_LOAD_RETIRED:L3_HIT", PROCESSOR_INTEL, 4},
    {"mem_load_retired.l3_miss", "MEM_LOAD_RETIRED:L3_MISS", PROCESSOR_INTEL, 4},
};

const size_t n_counter_events = sizeof counter_events / sizeof counter_events[0];

#ifdef CUZK_PERF

#include <perfmon/pfmlib_perf_event.h>

bool counter_events_open(const char **why)
{
    const int rc = pfm_initialize();

    *why = pfm_strerror(rc);
    return rc == PFM_SUCCESS;
}

void counter_events_close(void)
{
    pfm_terminate();
}

processor_family counter_events_family(void)
{
    pfm_pmu_t pmu;

    pfm_for_all_pmus(pmu)
    {
        pfm_pmu_info_t info = {.size = sizeof info};

        if (pfm_get_pmu_info(pmu, &info) != PFM_SUCCESS || !info.is_present) continue;
        if (info.type != PFM_PMU_TYPE_CORE) continue;
        if (strcmp(info.name, "amd64_fam19h_zen4") == 0) return PROCESSOR_ZEN4;
        if (strstr(info.desc, "Intel") != NULL) return PROCESSOR_INTEL;
    }
    return PROCESSOR_ANY;
}

const char *counter_events_encode(struct perf_event_attr *attr, const counter_event_t *event)
{
    *attr = (struct perf_event_attr){.size = sizeof *attr};
    pfm_perf_encode_arg_t arg = {.attr = attr, .size = sizeof arg};
    const int rc =
        pfm_get_os_event_encoding(event->pfm, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg);

    return rc == PFM_SUCCESS ? NULL : pfm_strerror(rc);
}

#else

bool counter_events_open(const char **why)
{
    *why = "built without libpfm4";
    return false;
}

void counter_events_close(void) {}

processor_family counter_events_family(void)
{
    return PROCESSOR_ANY;
}

const char *counter_events_encode(struct perf_event_attr *attr, const counter_event_t *event)
{
    (void)attr;
    (void)event;
    return "built without libpfm4";
}

#endif

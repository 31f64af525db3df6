/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpu.h"
#include "base/memory.h"
#include "cli/build.h"
#include "cli/shown.h"

#define GIB ((double)((uint64_t)1 << 30))
/* What a partition of a 32GiB or 64GiB WindowPoSt takes, the largest there is, and what is too
 * little for the small ones of test sectors. */
#define REAL_MEMORY_BYTES  ((uint64_t)22 << 30)
#define LEAST_MEMORY_BYTES ((uint64_t)1 << 30)

void doctor_say(doctor_t *doctor, doctor_verdict verdict, const char *what, const char *advice,
                const char *format, ...)
{
    static const char *const names[] = {"ok", "note", "bad"};
    char text[CUZK_ERROR_TEXT_BYTES + 256];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (verdict == DOCTOR_BAD) doctor->n_bad++;
    if (doctor->json == NULL) {
        (void)printf("%-5s %-11s %s\n", names[verdict], what, shown(text));
        if (advice != NULL) (void)printf("                  -> %s\n", shown(advice));
        (void)fflush(stdout);
        return;
    }
    json_write_object(doctor->json, NULL);
    json_write_string(doctor->json, "verdict", names[verdict]);
    json_write_string(doctor->json, "what", what);
    json_write_string(doctor->json, "text", text);
    if (advice != NULL)
        json_write_string(doctor->json, "advice", advice);
    else
        json_write_null(doctor->json, "advice");
    json_write_end(doctor->json);
}

const char *doctor_temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");

    return folder != NULL && *folder != '\0' ? folder : "/tmp";
}

/* ---- the machine ------------------------------------------------------------------------------
 */

static void look_at_kernels(doctor_t *doctor, const machine_t *machine)
{
    const cpu_level used = cpu_level_used();
    const cpu_level available = cpu_level_available();

    if (used < available)
        doctor_say(doctor, DOCTOR_NOTE, "kernels", "unset CUZK_KERNELS", "%s, though %s has %s",
                   cpu_level_name(used), machine->processor, cpu_level_name(available));
    else if (used == CPU_PORTABLE)
        doctor_say(doctor, DOCTOR_NOTE, "kernels",
                   "a processor with AVX-512 IFMA proves several times as fast",
                   "%s: %s has no AVX-512 IFMA", cpu_level_name(used), machine->processor);
    else
        doctor_say(doctor, DOCTOR_OK, "kernels", NULL, "%s, all that %s has", cpu_level_name(used),
                   machine->processor);
}

/* CPUs' worth of time that the control group allows; 0: no limit. */
static double cpu_quota(void)
{
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
    double quota = 0, period = 0;

    if (file == NULL) return 0;
    if (fscanf(file, "%lf %lf", &quota, &period) != 2 || period <= 0) quota = 0;
    (void)fclose(file);
    return quota > 0 ? quota / period : 0;
}

static void look_at_cpus(doctor_t *doctor, const machine_t *machine)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const double quota = cpu_quota();

    if (quota > 0 && quota < machine->cpus)
        doctor_say(doctor, DOCTOR_NOTE, "threads", "raise the control group's cpu.max",
                   "%u, but the control group allows the time of %.1f CPUs", machine->cpus, quota);
    else if (online > (long)machine->cpus)
        doctor_say(doctor, DOCTOR_NOTE, "threads", "widen its CPU affinity (taskset, cpuset)",
                   "%u: this process may use no more of the machine's %ld CPUs", machine->cpus,
                   online);
    else
        doctor_say(doctor, DOCTOR_OK, "threads", NULL, "%u, one for each CPU", machine->cpus);
}

static void look_at_memory(doctor_t *doctor, const machine_t *machine)
{
    const uint64_t available = memory_available_bytes();
    const uint64_t limit = memory_limit_bytes();
    const bool is_limited = limit < machine->memory_bytes;
    const doctor_verdict verdict = available < LEAST_MEMORY_BYTES  ? DOCTOR_BAD
                                   : available < REAL_MEMORY_BYTES ? DOCTOR_NOTE
                                                                   : DOCTOR_OK;
    const char *advice =
        verdict == DOCTOR_OK ? NULL
        : is_limited         ? "raise the control group's memory.max"
                     : "for 32GiB and 64GiB sectors: 13 GiB for a PoRep or an update at a time, "
                       "22 GiB for a WindowPoSt";
    char group[64] = "no limit of the control group";

    if (is_limited)
        (void)snprintf(group, sizeof group, "the control group's limit is %.1f GiB",
                       (double)limit / GIB);
    doctor_say(doctor, verdict, "memory", advice, "%.1f GiB available of %.1f GiB; %s",
               available == UINT64_MAX ? (double)machine->memory_bytes / GIB
                                       : (double)available / GIB,
               (double)machine->memory_bytes / GIB, group);
}

static void look_at_huge_pages(doctor_t *doctor)
{
    static const char path[] = "/sys/kernel/mm/transparent_hugepage/enabled";
    FILE *file = fopen(path, "re");
    char line[128] = "";
    const bool is_read = file != NULL && fgets(line, sizeof line, file) != NULL;

    if (file != NULL) (void)fclose(file);
    line[strcspn(line, "\n")] = '\0';
    if (!is_read)
        doctor_say(doctor, DOCTOR_NOTE, "huge pages", "ask for a kernel with them", "%s: not there",
                   path);
    else if (strstr(line, "[never]") != NULL)
        doctor_say(doctor, DOCTOR_NOTE, "huge pages", "write madvise to that file, as root",
                   "%s: %s", path, line);
    else
        doctor_say(doctor, DOCTOR_OK, "huge pages", NULL, "%s", line);
}

void doctor_machine(doctor_t *doctor)
{
    machine_t machine;

    machine_read(&machine);
    look_at_kernels(doctor, &machine);
    look_at_cpus(doctor, &machine);
    look_at_memory(doctor, &machine);
    look_at_huge_pages(doctor);
}

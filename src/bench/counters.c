/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench/counters.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/counter_events.h"
#include "bench/counter_group.h"
#include "bench/process_usage.h"

enum { MAX_THREADS = 1024 };

/* One thread's events of one group; the first opened leads. */
typedef struct {
    int fds[COUNTER_GROUP_MAX];
    uint32_t n;
    counter_reading_t begin; /* of the measured part under way */
} thread_group_t;

typedef struct {
    const counter_event_t *events[COUNTER_GROUP_MAX];
    uint32_t n;
    thread_group_t *threads; /* n_threads of them */
    counter_group_t sum;
    bool unreadable;
} open_group_t;

struct counter_set {
    open_group_t groups[COUNTER_GROUPS];
    pid_t *threads;
    uint32_t n_threads;
    bool user_only;
    process_usage_t started, used;
    counter_missing_t missing[COUNTERS_MAX];
    uint32_t n_missing;
};

static void add_missing(counter_set_t *set, const char *name, const char *why)
{
    counter_missing_t *m = &set->missing[set->n_missing++];

    m->name = name;
    (void)snprintf(m->why, sizeof m->why, "%s", why);
}

/* Why the kernel refused an event. */
static const char *explain(int error)
{
    switch (error) {
    case ENOENT:
    case EOPNOTSUPP:
    case ENODEV:
        return "the kernel has no such event: no hardware counters, as in most virtual machines";
    case EACCES:
    case EPERM:
        return "not allowed: see /proc/sys/kernel/perf_event_paranoid, or a container's filter";
    case ENOSYS:
        return "the kernel has no perf_event_open";
    case EMFILE:
    case ENFILE:
        return "too many open files: one for each thread and event (ulimit -n)";
    default:
        return strerror(error);
    }
}

static void list_threads(counter_set_t *set)
{
    DIR *tasks = opendir("/proc/self/task");
    const struct dirent *entry;

    while (tasks != NULL && set->n_threads < MAX_THREADS && (entry = readdir(tasks)) != NULL)
        if (entry->d_name[0] != '.')
            set->threads[set->n_threads++] = (pid_t)strtol(entry->d_name, NULL, 10);
    if (tasks != NULL) (void)closedir(tasks);
}

static int open_event(struct perf_event_attr *attr, pid_t thread, int leader, bool user_only)
{
    attr->read_format =
        PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attr->disabled = leader < 0;
    attr->exclude_kernel = user_only;
    attr->exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, attr, thread, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

static void close_last(open_group_t *group, uint32_t n_threads)
{
    for (uint32_t t = 0; t < n_threads; t++) (void)close(group->threads[t].fds[group->n]);
}

/* Opens an event for all threads, or for none; 0 or errno. */
static int open_everywhere(counter_set_t *set, open_group_t *group, struct perf_event_attr *attr)
{
    for (uint32_t t = 0; t < set->n_threads; t++) {
        thread_group_t *thread = &group->threads[t];
        const int leader = group->n > 0 ? thread->fds[0] : -1;
        const int fd = open_event(attr, set->threads[t], leader, set->user_only);

        if (fd < 0) {
            const int error = errno;

            close_last(group, t);
            return error;
        }
        thread->fds[group->n] = fd;
    }
    return 0;
}

static void add_event(counter_set_t *set, const counter_event_t *event)
{
    open_group_t *group = &set->groups[event->group];
    struct perf_event_attr attr;
    const char *why = counter_events_encode(&attr, event);

    if (why == NULL) {
        int error = open_everywhere(set, group, &attr);

        if (error == EACCES && !set->user_only) {
            set->user_only = true;
            error = open_everywhere(set, group, &attr);
        }
        if (error == 0) {
            for (uint32_t t = 0; t < set->n_threads; t++) group->threads[t].n = group->n + 1;
            group->events[group->n++] = event;
            return;
        }
        why = explain(error);
    }
    add_missing(set, event->name, why);
}

static void add_all(counter_set_t *set, const char *refused)
{
    const processor_family family = refused == NULL ? counter_events_family() : PROCESSOR_ANY;

    for (size_t i = 0; i < n_counter_events; i++) {
        const counter_event_t *event = &counter_events[i];

        if (event->family != PROCESSOR_ANY && event->family != family) continue;
        if (refused == NULL)
            add_event(set, event);
        else
            add_missing(set, event->name, refused);
    }
}

/* A group's events run when its leader does. */
static void enable_all(const counter_set_t *set)
{
    for (int g = 0; g < COUNTER_GROUPS; g++)
        for (uint32_t t = 0; t < set->n_threads && set->groups[g].n > 0; t++)
            (void)ioctl(set->groups[g].threads[t].fds[0], PERF_EVENT_IOC_ENABLE, 0);
}

/* Lists the threads; false without memory. */
static bool make_room(counter_set_t *set)
{
    bool refused = false;

    set->threads = calloc(MAX_THREADS, sizeof *set->threads);
    if (set->threads == NULL) return false;
    list_threads(set);
    for (int g = 0; g < COUNTER_GROUPS; g++) {
        set->groups[g].threads = calloc(set->n_threads + 1, sizeof *set->groups[g].threads);
        refused |= set->groups[g].threads == NULL;
    }
    return !refused;
}

counter_set_t *counters_open(void)
{
    counter_set_t *set = calloc(1, sizeof *set);
    const char *why;

    if (set == NULL) return NULL;
    if (!make_room(set)) {
        counters_close(set);
        return NULL;
    }
    const bool encoder = counter_events_open(&why);
    add_all(set, encoder ? NULL : why);
    if (encoder) counter_events_close();
    enable_all(set);
    return set;
}

void counters_close(counter_set_t *set)
{
    if (set == NULL) return;
    for (int g = 0; g < COUNTER_GROUPS; g++) {
        for (uint32_t t = 0; t < set->n_threads && set->groups[g].threads != NULL; t++)
            for (uint32_t i = 0; i < set->groups[g].threads[t].n; i++)
                (void)close(set->groups[g].threads[t].fds[i]);
        free(set->groups[g].threads);
    }
    free(set->threads);
    free(set);
}

static bool read_thread(counter_reading_t *reading, const thread_group_t *thread, uint32_t n)
{
    uint8_t bytes[COUNTER_GROUP_BYTES];
    const ssize_t length = read(thread->fds[0], bytes, sizeof bytes);

    return length >= 0 && counter_reading_parse(reading, bytes, (size_t)length, n);
}

/* Counters run all the time: a part is the difference of two readings. */
void counters_start(counter_set_t *set)
{
    for (int g = 0; g < COUNTER_GROUPS; g++) {
        open_group_t *group = &set->groups[g];

        for (uint32_t t = 0; t < set->n_threads && group->n > 0; t++)
            group->unreadable |=
                !read_thread(&group->threads[t].begin, &group->threads[t], group->n);
    }
    set->started = process_usage_now();
}

void counters_stop(counter_set_t *set)
{
    const process_usage_t now = process_usage_now();
    counter_reading_t end;

    set->used.page_faults += now.page_faults - set->started.page_faults;
    set->used.context_switches += now.context_switches - set->started.context_switches;
    set->used.cpu_ns += now.cpu_ns - set->started.cpu_ns;
    for (int g = 0; g < COUNTER_GROUPS; g++) {
        open_group_t *group = &set->groups[g];

        for (uint32_t t = 0; t < set->n_threads && group->n > 0; t++) {
            group->unreadable |= !read_thread(&end, &group->threads[t], group->n);
            if (!group->unreadable) counter_group_add(&group->sum, &group->threads[t].begin, &end);
        }
    }
}

void counters_restart(counter_set_t *set)
{
    set->used = (process_usage_t){0};
    for (int g = 0; g < COUNTER_GROUPS; g++) set->groups[g].sum = (counter_group_t){0};
}

static void add_value(counters_t *c, const char *name, double value, double share)
{
    c->values[c->n_values++] = (counter_value_t){name, value, share};
}

static void lose_group(counters_t *c, const open_group_t *group, const char *why)
{
    for (uint32_t i = 0; i < group->n; i++) {
        counter_missing_t *m = &c->missing[c->n_missing++];

        m->name = group->events[i]->name;
        (void)snprintf(m->why, sizeof m->why, "%s", why);
    }
}

static void read_group(counters_t *c, const open_group_t *group, double runs)
{
    const counter_group_t *sum = &group->sum;

    if (group->unreadable) {
        lose_group(c, group, "the kernel's reading could not be read");
        return;
    }
    if (sum->enabled > 0 && sum->running == 0) {
        lose_group(c, group, "never got the processor's counters: others hold them");
        return;
    }
    for (uint32_t i = 0; i < group->n; i++)
        add_value(c, group->events[i]->name, sum->counts[i] / runs, counter_group_share(sum));
}

void counters_read(counters_t *c, const counter_set_t *set, uint32_t runs)
{
    *c = (counters_t){.user_only = set->user_only, .n_missing = set->n_missing};
    memcpy(c->missing, set->missing, sizeof c->missing);
    add_value(c, "page-faults", (double)set->used.page_faults / runs, 1);
    add_value(c, "context-switches", (double)set->used.context_switches / runs, 1);
    add_value(c, "task-clock", (double)set->used.cpu_ns / runs, 1);
    for (int g = 0; g < COUNTER_GROUPS; g++) read_group(c, &set->groups[g], runs);
}

const counter_value_t *counters_find(const counters_t *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_values; i++)
        if (strcmp(c->values[i].name, name) == 0) return &c->values[i];
    return NULL;
}

double counters_value(const counters_t *c, const char *name)
{
    const counter_value_t *v = counters_find(c, name);

    return v != NULL ? v->value : (double)NAN;
}

void counters_drop_unknown(counters_t *c)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < c->n_values; i++) {
        if (!isnan(c->values[i].value)) {
            c->values[kept++] = c->values[i];
            continue;
        }
        counter_missing_t *m = &c->missing[c->n_missing++];
        m->name = c->values[i].name;
        (void)snprintf(m->why, sizeof m->why, "could not be read in every run");
    }
    c->n_values = kept;
}

void counters_subtract(counters_t *a, const counters_t *b)
{
    for (uint32_t i = 0; i < a->n_values; i++) {
        counter_value_t *v = &a->values[i];
        const counter_value_t *less = counters_find(b, v->name);

        v->value = less != NULL ? v->value - less->value : (double)NAN;
        if (less != NULL && less->share < v->share) v->share = less->share;
    }
    counters_drop_unknown(a);
}

void counters_write(json_writer_t *w, const char *name, const counters_t *c, uint64_t n_constraints)
{
    json_write_object(w, name);
    json_write_bool(w, "user_only", c->user_only);
    json_write_array(w, "values");
    for (uint32_t i = 0; i < c->n_values; i++) {
        const counter_value_t *v = &c->values[i];

        json_write_object(w, NULL);
        json_write_string(w, "name", v->name);
        json_write_double(w, "value", v->value);
        json_write_double(w, "counted_share", v->share);
        if (n_constraints > 0)
            json_write_double(w, "per_constraint", v->value / (double)n_constraints);
        json_write_end(w);
    }
    json_write_end(w);
    json_write_array(w, "missing");
    for (uint32_t i = 0; i < c->n_missing; i++) {
        json_write_object(w, NULL);
        json_write_string(w, "name", c->missing[i].name);
        json_write_string(w, "why", c->missing[i].why);
        json_write_end(w);
    }
    json_write_end(w);
    json_write_end(w);
}

/* A line for each run of events with the same reason. */
static void print_missing(const counters_t *c)
{
    for (uint32_t i = 0; i < c->n_missing; i++) {
        const char *why = c->missing[i].why;
        const bool first = i == 0 || strcmp(why, c->missing[i - 1].why) != 0;
        const bool last = i + 1 == c->n_missing || strcmp(why, c->missing[i + 1].why) != 0;

        (void)printf("%s%s", first ? "  missing: " : ", ", c->missing[i].name);
        if (last) (void)printf(" (%s)\n", why);
    }
}

void counters_print(const counters_t *c, uint64_t n_constraints)
{
    for (uint32_t i = 0; i < c->n_values; i++) {
        const counter_value_t *v = &c->values[i];

        (void)printf("  %-36s %18.0f", v->name, v->value);
        if (n_constraints > 0)
            (void)printf("  %12.4f a constraint", v->value / (double)n_constraints);
        if (v->share < 1) (void)printf("  (counted %.0f%% of the time, scaled)", 100 * v->share);
        (void)printf("\n");
    }
    print_missing(c);
    if (c->user_only) (void)printf("  (events of this process alone, without the kernel's work)\n");
}

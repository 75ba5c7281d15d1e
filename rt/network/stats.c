#include "rt/network/stats.h"

#include "include/kinds.h"
#include "rt/base/alloc.h"
#include "rt/base/output.h"
#include "rt/device/launcher.h"
#include "rt/host/overlay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An environment variable's value, NULL when it is unset, empty or 0. */
static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0 ? value : NULL;
}

int dal_stats_wanted(void)
{
    return setting("DAL_STATS") || setting("DAL_TIMES") || dal_trace_wanted();
}

int dal_stats_table_wanted(void)
{
    return setting("DAL_STATS") != NULL;
}

struct work {
    uint64_t firings, launches;
    int64_t busy_ns;
};

static void print_work(const char *name, int indent, struct work work, int64_t wall_ns)
{
    double firings = work.firings ? (double)work.firings : 1, busy = (double)work.busy_ns;
    fprintf(stderr, "%*s%-*s %12" PRIu64 " %12" PRIu64 " %10.3f %6.1f %12.3f\n", indent, "",
            24 - indent, name, work.firings, work.launches, 1e-6 * busy,
            wall_ns > 0 ? 100 * busy / (double)wall_ns : 0, 1e-3 * busy / firings);
}

/* With what each of several devices has of it. */
static void print_process(const struct dal_process *process, int64_t wall_ns)
{
    const struct dal_launcher *launcher = process->launcher;
    struct work all = {process->firings, process->launches, process->busy_ns};
    int i;
    print_work(process->desc->name, 0, all, wall_ns);
    for (i = 0; launcher && launcher->lane_count > 1 && i < launcher->lane_count; i++) {
        const struct dal_launcher_lane *lane = &launcher->lanes[i];
        struct work part = {lane->firings, lane->launches, lane->busy_ns};
        print_work(lane->queue->device->processor, 2, part, wall_ns);
    }
}

static void print_group(const struct dal_group *group)
{
    size_t rings = 0;
    int i;
    for (i = 0; i < group->between_count; i++)
        rings += dal_channel_ring_bytes(group->between[i].channel);
    fprintf(stderr, "%s to %s, %d processes%s; %d channel%s in %zu bytes, not %zu\n",
            group->processes[0]->desc->name, group->processes[group->count - 1]->desc->name,
            group->count, group->claim.shared ? ", a copy of all on each core" : "",
            group->between_count, group->between_count == 1 ? "" : "s",
            (size_t)group->copy_count * group->overlay_bytes, rings);
}

static void print_launcher(const struct dal_launcher *launcher)
{
    if (launcher->group)
        fprintf(stderr, "%s to %s, %d processes, %" PRIu64 " rounds in %" PRIu64 " launches\n",
                launcher->members[0].process->desc->name,
                launcher->members[launcher->member_count - 1].process->desc->name,
                launcher->member_count, launcher->rounds, launcher->members[0].process->launches);
}

static int has_device_groups(const struct dal_network *network)
{
    int i;
    for (i = 0; i < network->handler.launcher_count; i++)
        if (network->handler.launchers[i].group)
            return 1;
    return 0;
}

static void print_channel(const struct dal_channel *channel, int64_t wall_ns)
{
    const struct dal_end *reader = &channel->consumer;
    uint64_t tokens = reader->taken - reader->first, copied = channel->copied_bytes;
    uint64_t bytes = tokens * channel->desc->token_bytes;
    uint64_t in_place = !copied ? bytes : copied < bytes ? bytes - copied : 0;
    fprintf(stderr, "%-24s %-8s %12" PRIu64 " %12.0f %12.3f %12.3f %8" PRIu64 "\n",
            channel->desc->name, dal_channel_traits(channel->kind)->name, tokens,
            wall_ns > 0 ? 1e9 * (double)tokens / (double)wall_ns : 0, 1e-6 * (double)copied,
            1e-6 * (double)in_place, dal_channel_fill(channel));
}

/* Where the kernels of the devices come from, and what it took to have them. */
static void print_kernels(const struct dal_network *network)
{
    for (int i = 0; i < network->handler.queue_count; i++) {
        const struct dal_ocl_device *device = network->handler.queues[i].device;
        fprintf(stderr, "\n%s: %d sources of kernels compiled, %d from the disk cache, %.1f ms\n",
                device->processor, device->built, device->loaded, 1e-6 * (double)device->ready_ns);
    }
}

static void print_table(const struct dal_network *network, int64_t wall_ns)
{
    uint64_t ignored = atomic_load(&network->control.ignored);
    int i;
    if (network->label)
        fprintf(stderr, "\n%s, %.3f ms\n", network->label, 1e-6 * (double)wall_ns);
    fprintf(stderr, "\n%-24s %12s %12s %10s %6s %12s\n", "process", "firings", "launches",
            "busy ms", "busy %", "us/firing");
    for (i = 0; i < network->net->process_count; i++)
        print_process(&network->processes[i], wall_ns);
    if (network->groups.together_count > 0)
        fprintf(stderr, "\nfired in turn, as one:\n");
    for (i = 0; i < network->groups.together_count; i++)
        print_group(&network->groups.together[i]);
    if (has_device_groups(network))
        fprintf(stderr, "\nlaunched as one:\n");
    for (i = 0; i < network->handler.launcher_count; i++)
        print_launcher(&network->handler.launchers[i]);
    fprintf(stderr, "\n%-24s %-8s %12s %12s %12s %12s %8s\n", "channel", "kind", "tokens",
            "tokens/s", "copied MB", "in place MB", "left");
    for (i = 0; i < network->net->channel_count; i++)
        print_channel(network->channels[i], wall_ns);
    print_kernels(network);
    if (ignored)
        fprintf(stderr, "\nevents ignored: %" PRIu64 "\n", ignored);
}

static int write_times(const struct dal_network *network, const char *name)
{
    struct dal_output out;
    int i, status = dal_output_open(&out, "DAL_TIMES=", name);
    if (status < 0)
        return status;
    for (i = 0; i < network->net->process_count; i++) {
        const struct dal_process *process = &network->processes[i];
        uint64_t firings = process->firings ? process->firings : 1;
        fprintf(out.file, "%s  \"%s\": %" PRIu64, i ? ",\n" : "{\n", process->desc->name,
                ((uint64_t)process->busy_ns + firings / 2) / firings);
    }
    fprintf(out.file, "\n}\n");
    return dal_output_close(&out);
}

int dal_stats_check(const char *label)
{
    const char *times = setting("DAL_TIMES");
    char *file = times ? dal_trace_file(times, label) : NULL;
    int status = file ? dal_output_check("DAL_TIMES=", file) : times ? DAL_ERR_NOMEM : DAL_OK;
    dal_free(file);
    return status < 0 ? status : dal_trace_check(label);
}

int dal_stats_report(const struct dal_network *network, int64_t wall_ns)
{
    const char *times = setting("DAL_TIMES");
    char *file = times ? dal_trace_file(times, network->label) : NULL;
    int status = times && !file ? DAL_ERR_NOMEM : DAL_OK;
    if (dal_stats_table_wanted())
        print_table(network, wall_ns);
    if (file)
        status = write_times(network, file);
    dal_free(file);
    return status;
}

/* What limited a run, and its numbers as JSON. */
#include "view/command/picture.h"

#include "rt/base/json.h"

#include <math.h>

/* The part of a run from which on a process is busy all the time. The rest is begin, end and waking
 * up. */
static const double all_the_time = 0.8;
/* The part for which both ends of a channel have waited when they take turns. */
static const double in_turns = 0.1;
/* The part of its firings below which a process slept in them, or lost its processors to others. */
static const double at_work = 0.5;
/* The part of a run in firings below which nothing is said of the rest. */
static const double least_firing = 0.3;
/* The most that a process waits itself if others wait for it. */
static const double own_waits = 0.5;

/* Parts of the run, from 0 to 1: firing, processors or devices at work in firings, waiting for
 * tokens, waiting for space. The first two are averages over the shadow copies that may fire at
 * once, or over the devices. */
struct shares {
    double firing, busy, starved, blocked;
};

/* The limit of the throughput. */
enum limit_kind {
    LIMIT_PROCESS,   /* a process fires all the time */
    LIMIT_HELD,      /* the same, but its processor works less than half of that */
    LIMIT_PROCESSOR, /* all processes on a processor together fire all the time */
    LIMIT_PRESSURE,  /* a process's neighbours wait for it nearly all the time */
    LIMIT_CHANNEL,   /* a channel's ends wait for each other in turns: it is too small */
    LIMIT_TRANSFER,  /* the same, and its tokens are copied or sent */
    LIMIT_UNKNOWN,   /* nothing fired for most of the run */
};

struct limit {
    enum limit_kind kind;
    size_t number; /* channel; else the process that fired longest (on the processor) */
    double share;  /* part of the run in which that was so */
};

static double part_of(double ns, double wall_ns)
{
    double part = wall_ns > 0 ? ns / wall_ns : 0;
    return part > 1 ? 1 : part;
}

/* Returns how many copies or devices of a process can be busy at once. The launches of a device
 * take turns. */
static double at_once(const struct dal_spec *spec, const struct dal_stats *stats, size_t process)
{
    for (size_t i = 0; i < spec->mapping.binding_count; i++) {
        const struct dal_spec_binding *binding = &spec->mapping.bindings[i];
        if (binding->process->number == process && binding->capability != DAL_PROCESSOR_CORE)
            return (double)binding->processor_count;
    }
    return stats->processes[process].copies > 1 ? stats->processes[process].copies : 1;
}

static struct shares shares_of(const struct dal_spec *spec, const struct dal_stats *stats,
                               size_t process)
{
    const struct dal_stats_process *p = &stats->processes[process];
    double wall_ns = stats->wall_ns, all_ns = wall_ns * at_once(spec, stats, process);
    return (struct shares){.firing = part_of(p->firing_ns, all_ns),
                           .busy = part_of(p->busy_ns + p->device_ns, all_ns),
                           .starved = part_of(p->starved_ns, wall_ns),
                           .blocked = part_of(p->blocked_ns, wall_ns)};
}

/* Returns firings as a part of the time that a process had. While it neither fired nor waited,
 * others had the core. */
static double part_had(double firing, double waits)
{
    return firing < least_firing ? firing : firing / fmin(1, firing + waits);
}

/* Returns whether both are bound to the same processors. */
static int shares_processors(const struct dal_spec_binding *a, const struct dal_spec_binding *b)
{
    if (a->processor_count != b->processor_count)
        return 0;
    for (size_t i = 0; i < a->processor_count; i++)
        if (a->processors[i] != b->processors[i])
            return 0;
    return 1;
}

/* Returns the part of their time in which a binding's processors had firings. Of processes that are
 * fired as one, one at a time waits for all. */
static double load_of(const struct dal_spec *spec, const struct dal_stats *stats,
                      const struct dal_spec_binding *binding)
{
    double firing_ns = 0, waits = 0;
    for (size_t i = 0; i < spec->mapping.binding_count; i++) {
        size_t process = spec->mapping.bindings[i].process->number;
        struct shares shares = shares_of(spec, stats, process);
        if (!shares_processors(&spec->mapping.bindings[i], binding))
            continue;
        firing_ns += stats->processes[process].firing_ns;
        waits += shares.starved + shares.blocked;
    }
    return part_had(part_of(firing_ns / (double)binding->processor_count, stats->wall_ns), waits);
}

/* Returns the process that fired longest, of all or of those on a binding's processors. */
static size_t longest(const struct dal_spec *spec, const struct dal_stats *stats,
                      const struct dal_spec_binding *among)
{
    size_t found = 0;
    double most = -1;
    for (size_t i = 0; i < spec->mapping.binding_count; i++) {
        size_t process = spec->mapping.bindings[i].process->number;
        double firing = shares_of(spec, stats, process).firing;
        if ((among && !shares_processors(&spec->mapping.bindings[i], among)) || firing <= most)
            continue;
        most = firing;
        found = process;
    }
    return found;
}

static struct limit judge_processors(const struct dal_spec *spec, const struct dal_stats *stats)
{
    struct limit limit = {.kind = LIMIT_UNKNOWN};
    for (size_t i = 0; i < spec->mapping.binding_count; i++) {
        const struct dal_spec_binding *binding = &spec->mapping.bindings[i];
        double load = load_of(spec, stats, binding);
        if (load < all_the_time || load <= limit.share)
            continue;
        limit = (struct limit){LIMIT_PROCESSOR, longest(spec, stats, binding), load};
    }
    return limit;
}

/* Returns the part of a run in which its neighbours waited for it. At each side that it has, at
 * least one of them did. */
static double pressure_on(const struct dal_spec *spec, const struct dal_stats *stats,
                          size_t process)
{
    double before = 0, behind = 0;
    int reads = 0, writes = 0;
    for (size_t i = 0; i < spec->network.channel_count; i++) {
        const struct dal_spec_channel *channel = &spec->network.channels[i];
        const struct dal_stats_channel *c = &stats->channels[i];
        if (channel->consumer->number == process) {
            reads = 1;
            before = c->space_wait_ns > before ? c->space_wait_ns : before;
        }
        if (channel->producer->number == process) {
            writes = 1;
            behind = c->token_wait_ns > behind ? c->token_wait_ns : behind;
        }
    }
    if (!reads || !writes)
        return part_of(reads ? before : behind, stats->wall_ns);
    return part_of(before < behind ? before : behind, stats->wall_ns);
}

/* Returns the part of the time it waited, up to its last firing. A process may be through before
 * its tokens are read; the time after that does not count. */
static double own_waiting(const struct dal_stats *stats, size_t process)
{
    const struct dal_stats_process *p = &stats->processes[process];
    return part_of(p->starved_ns + p->blocked_ns, p->last_ns > 0 ? p->last_ns : stats->wall_ns);
}

/* Finds a process that made all around it wait, and hardly waited itself. */
static struct limit judge_pressure(const struct dal_spec *spec, const struct dal_stats *stats)
{
    struct limit limit = {.kind = LIMIT_UNKNOWN};
    double most = -1;
    for (size_t i = 0; i < spec->network.process_count; i++) {
        struct shares shares = shares_of(spec, stats, i);
        double pressure = pressure_on(spec, stats, i);
        if (pressure < all_the_time || own_waiting(stats, i) > own_waits || shares.firing <= most)
            continue;
        most = shares.firing;
        limit = (struct limit){LIMIT_PRESSURE, i, pressure};
    }
    return limit;
}

/* Returns the part of a run for which a channel held its writer up. It waited for space, and, once
 * through, until its last tokens were read. */
static double held_up(const struct dal_spec_channel *channel, const struct dal_stats *stats,
                      size_t number)
{
    double through_ns = stats->processes[channel->consumer->number].last_ns -
                        stats->processes[channel->producer->number].last_ns;
    return part_of(stats->channels[number].space_wait_ns + fmax(0, through_ns), stats->wall_ns);
}

/* Finds a channel that limits the run. A larger channel can save the time that both its ends wait.
 * A faster process can save at most `firing`. */
static struct limit judge_channels(const struct dal_spec *spec, const struct dal_stats *stats,
                                   double firing)
{
    struct limit limit = {.kind = LIMIT_UNKNOWN};
    for (size_t i = 0; i < spec->network.channel_count; i++) {
        const struct dal_stats_channel *c = &stats->channels[i];
        double tokens = part_of(c->token_wait_ns, stats->wall_ns);
        double space = held_up(&spec->network.channels[i], stats, i);
        double both = tokens < space ? tokens : space;
        if (both < in_turns || both < 0.8 * firing || both <= limit.share)
            continue;
        limit = (struct limit){c->copied_bytes + c->sent_bytes > 0 ? LIMIT_TRANSFER : LIMIT_CHANNEL,
                               i, both};
    }
    return limit;
}

/* Returns the limit of a process that fires all the time: is its processor at work then? */
static enum limit_kind kind_of_process(struct shares shares)
{
    return shares.busy < at_work * shares.firing ? LIMIT_HELD : LIMIT_PROCESS;
}

/* Blames the process if one process alone keeps a processor busy. */
static struct limit narrow_processor(const struct dal_spec *spec, const struct dal_stats *stats,
                                     struct limit limit)
{
    double all = 0;
    for (size_t i = 0; i < spec->mapping.binding_count; i++)
        if (shares_processors(&spec->mapping.bindings[i], &spec->mapping.bindings[limit.number]))
            all += stats->processes[spec->mapping.bindings[i].process->number].firing_ns;
    if (limit.kind == LIMIT_PROCESSOR &&
        stats->processes[limit.number].firing_ns >= all_the_time * all)
        limit.kind = kind_of_process(shares_of(spec, stats, limit.number));
    return limit;
}

/* Returns the limit of one run; needs a mapping. The limit is exact for this run and does not tell
 * what would limit the next. */
static struct limit find_limit(const struct dal_spec *spec, const struct dal_stats *stats)
{
    size_t process = longest(spec, stats, NULL);
    struct shares shares = shares_of(spec, stats, process);
    struct limit limit;
    if (shares.firing >= all_the_time)
        return (struct limit){kind_of_process(shares), process, shares.firing};
    limit = narrow_processor(spec, stats, judge_processors(spec, stats));
    if (limit.kind == LIMIT_UNKNOWN)
        limit = judge_pressure(spec, stats);
    if (limit.kind == LIMIT_UNKNOWN)
        limit = judge_channels(spec, stats, shares.firing);
    if (limit.kind == LIMIT_UNKNOWN)
        limit = (struct limit){LIMIT_UNKNOWN, process, shares.firing};
    return limit;
}

/* ---- JSON ---------------------------------------------------------------------------------------
 */

/* The words for each limit, and for what would help. */
static const struct {
    const char *sort, *says, *helps;
} limits[] = {
    [LIMIT_PROCESS] = {"process", "fired all the time",
                       "a faster source, shadow copies or another processor"},
    [LIMIT_HELD] = {"process",
                    "fired all the time, but its processor worked for less than half of it: "
                    "it slept or waited in its firings, or other programs had the processor",
                    "less to wait for in its source, or nothing else on its processor"},
    [LIMIT_PROCESSOR] = {"process",
                         "fired longest on processors that had something to do all the time",
                         "another processor for one of the processes on it"},
    [LIMIT_PRESSURE] = {"process",
                        "made those before it wait for space, and those behind it for tokens",
                        "a faster source, shadow copies or another processor, and nothing else "
                        "on that"},
    [LIMIT_CHANNEL] = {"channel", "was full and empty in turns, and both its ends waited",
                       "a larger capacity"},
    [LIMIT_TRANSFER] = {"channel", "made both its ends wait in turns, and its tokens are copied",
                        "a larger capacity, or both ends on one processor"},
    [LIMIT_UNKNOWN] = {"process", "fired longest, but nothing fired for most of the run",
                       "larger capacities, more tokens a firing, or a longer run"},
};

static void add_limit(const struct dal_spec *spec, const struct dal_stats *stats, FILE *json)
{
    struct limit limit = find_limit(spec, stats);
    dal_json_format(json, "{\"sort\":%s,\"index\":%zu,\"share\":%.3f,\"says\":%s,\"helps\":%s}",
                    limits[limit.kind].sort, limit.number, limit.share, limits[limit.kind].says,
                    limits[limit.kind].helps);
}

static void add_process_run(const struct dal_spec *spec, const struct dal_stats *stats, size_t i,
                            FILE *json)
{
    const struct dal_stats_process *p = &stats->processes[i];
    struct shares shares = shares_of(spec, stats, i);
    fprintf(json,
            "%s{\"firings\":%.0f,\"firing_ns\":%.0f,\"copies\":%.0f,\"firing\":%.3f,"
            "\"busy\":%.3f,\"starved\":%.3f,\"blocked\":%.3f,\"tokens_per_s\":%.12g,"
            "\"nominal_per_s\":%.12g,\"drift_ppm\":%.3f,\"spread\":[",
            i ? "," : "", p->firings, p->firing_ns, p->copies, shares.firing, shares.busy,
            shares.starved, shares.blocked, p->tokens_per_s, p->nominal_per_s, p->drift_ppm);
    for (size_t k = 0; k < p->spread_count; k++)
        fprintf(json, "%s%.0f", k ? "," : "", p->spread[k]);
    fputs("]}", json);
}

static void add_channel_run(const struct dal_stats *stats, size_t i, FILE *json)
{
    const struct dal_stats_channel *c = &stats->channels[i];
    fprintf(json,
            "%s{\"tokens\":%.0f,\"copied\":%.0f,\"in_place\":%.0f,\"sent\":%.0f,"
            "\"capacity\":%.0f,\"token_waits\":%.0f,\"token_wait\":%.3f,"
            "\"space_waits\":%.0f,\"space_wait\":%.3f,\"lost\":%.0f,\"oldest_ns\":%.0f}",
            i ? "," : "", c->tokens, c->copied_bytes, c->in_place_bytes, c->sent_bytes, c->capacity,
            c->token_waits, part_of(c->token_wait_ns, stats->wall_ns), c->space_waits,
            part_of(c->space_wait_ns, stats->wall_ns), c->lost, c->oldest_ns);
}

static void add_latency_run(const struct dal_stats_latency *l, int is_first, FILE *json)
{
    fprintf(json,
            "%s{\"iterations\":%.0f,\"allowed_ns\":%.0f,\"percentile\":%.6g,"
            "\"percentile_ns\":%.0f,\"max_ns\":%.0f,\"misses\":%.0f,\"lost\":%.0f}",
            is_first ? "" : ",", l->iterations, l->allowed_ns, l->percentile, l->percentile_ns,
            l->max_ns, l->misses, l->lost);
}

void dal_run_json(const struct dal_spec *spec, const struct dal_run *run, FILE *json)
{
    const struct dal_spec_network *network = &spec->network;
    dal_json_format(json, "{\"file\":%s,\"wall_ns\":%.0f,\"limit\":", run->file,
                    run->stats.wall_ns);
    add_limit(spec, &run->stats, json);
    fputs(",\"processes\":[", json);
    for (size_t i = 0; i < network->process_count; i++)
        add_process_run(spec, &run->stats, i, json);
    fputs("],\"channels\":[", json);
    for (size_t i = 0; i < network->channel_count; i++)
        add_channel_run(&run->stats, i, json);
    fputs("],\"latencies\":[", json);
    for (size_t i = 0; i < network->latency_count; i++)
        add_latency_run(&run->stats.latencies[i], i == 0, json);
    fputs("]}", json);
}

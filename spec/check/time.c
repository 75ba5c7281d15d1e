/* Checks periodic processes, the latencies that a network promises, and who waits for newest
 * tokens. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/check/check.h"

#include <string.h>

/* A periodic process is fired by the worker of a core, one firing after the other. */
static void check_period(struct dal_diags *diags, const struct dal_spec_process *process,
                         const struct dal__raw *raw)
{
    const char *why = NULL;
    if (process->kpn)
        why = "has a port with a dynamic rate: it is a thread that waits where it reads";
    else if (process->shadow_copies > 1)
        why = "has shadow copies, and one release is for one of them";
    else if (!dal_spec_source_for(process, DAL_PROCESSOR_CORE) && !raw->unchecked)
        why = "has no source that runs on a core";
    if (why)
        dal_error(diags, process->place, "bad-period", "process '%s' is periodic, but it %s",
                  process->name, why);
}

/* ---- latencies ------------------------------------------------------------------------------- */

static struct dal_spec_process *
find_process(struct dal_diags *diags, const struct dal_spec_network *network,
             const struct dal__raw *raw, const struct dal__raw_latency *latency, const char *name)
{
    size_t number = dal_names_find(&raw->names.processes, name);
    struct dal__hint hint;
    if (number != DAL_NAMES_NONE && !network->processes[number].kpn)
        return &network->processes[number];
    if (number == DAL_NAMES_NONE)
        dal_error(diags, latency->place, "unknown-process",
                  "latency from '%s' to '%s': there is no process '%s'%s", latency->from,
                  latency->to, name, dal__did_you_mean(&hint, &raw->names.processes, name));
    else
        dal_error(diags, latency->place, "kpn-process",
                  "latency from '%s' to '%s': process '%s' has a port with a dynamic rate, so that "
                  "nobody knows which of its firings belong to an iteration",
                  latency->from, latency->to, name);
    return NULL;
}

/* Processes to be followed, each once. */
struct walk {
    unsigned char *seen; /* by process number */
    const struct dal_spec_process **waiting;
    size_t count;
};

static int begin_walk(struct walk *walk, const struct dal_spec_network *network)
{
    size_t count = network->process_count + 1;
    *walk = (struct walk){.seen = dal_calloc(count, 1),
                          .waiting = dal_calloc(count, sizeof(struct dal_spec_process *))};
    return walk->seen && walk->waiting ? DAL_OK : DAL_ERR_NOMEM;
}

static void end_walk(struct walk *walk)
{
    dal_free_all(walk->seen, walk->waiting);
}

static void add_process(struct walk *walk, const struct dal_spec_process *process)
{
    if (!process || process->kpn || walk->seen[process->number])
        return;
    walk->seen[process->number] = 1;
    walk->waiting[walk->count++] = process;
}

static void add_neighbours(struct walk *walk, const struct dal_spec_process *process, int back)
{
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        const struct dal_spec_channel *c = port->output || back ? port->channel : NULL;
        for (; c && !c->newest.is_given; c = dal_port_next(port, c))
            add_process(walk, port->output ? c->consumer : c->producer);
    }
}

/* Returns whether channels lead from one process to another, with no KPN process on the way; or
 * DAL_ERR_NOMEM. */
static int is_reached(const struct dal_spec_network *network, const struct dal_spec_process *from,
                      const struct dal_spec_process *to)
{
    struct walk walk;
    int status = begin_walk(&walk, network);
    if (!status) {
        add_process(&walk, from);
        while (walk.count > 0)
            add_neighbours(&walk, walk.waiting[--walk.count], 0);
        status = walk.seen[to->number];
    }
    end_walk(&walk);
    return status;
}

static int check_path(struct dal_diags *diags, const struct dal_spec_network *network,
                      const struct dal_spec_latency *latency)
{
    int reached = is_reached(network, latency->from, latency->to);
    if (reached == 0)
        dal_error(diags, latency->place, "latency-path",
                  "latency from '%s' to '%s': no channels lead there, but perhaps through ports "
                  "with dynamic rates, where iterations end",
                  latency->from->name, latency->to->name);
    return reached < 0 ? reached : DAL_OK;
}

static void check_repeated(struct dal_diags *diags, const struct dal_spec_network *network,
                           const struct dal_spec_latency *latency)
{
    for (size_t i = 0; i < network->latency_count; i++) {
        const struct dal_spec_latency *other = &network->latencies[i];
        if (other->from != latency->from || other->to != latency->to)
            continue;
        dal_error(diags, latency->place, "duplicate-name",
                  "latency from '%s' to '%s': there is one already", latency->from->name,
                  latency->to->name);
        dal_note(diags, other->place, "the first is here");
        return;
    }
}

static int add_latency(struct dal_diags *diags, struct dal_spec_network *network,
                       const struct dal__raw *raw, const struct dal__raw_latency *found)
{
    struct dal_spec_latency latency = {.from =
                                           find_process(diags, network, raw, found, found->from),
                                       .to = find_process(diags, network, raw, found, found->to),
                                       .max_ns = found->max_ns,
                                       .late_ppm = found->late_ppm,
                                       .place = found->place};
    if (!latency.from || !latency.to)
        return DAL_OK;
    check_repeated(diags, network, &latency);
    network->latencies[network->latency_count++] = latency;
    return check_path(diags, network, &latency);
}

int dal__check_time(struct dal_diags *diags, struct dal_spec_network *network,
                    const struct dal__raw *raw)
{
    int status = DAL_OK;
    for (size_t i = 0; i < network->process_count; i++)
        if (network->processes[i].periodic.period_ns)
            check_period(diags, &network->processes[i], raw);
    network->latencies = dal_calloc(raw->network.latency_count + 1, sizeof(*network->latencies));
    if (!network->latencies)
        return dal__lost(diags);
    for (size_t i = 0; i < raw->network.latency_count && !status; i++)
        status = add_latency(diags, network, raw, &raw->network.latencies[i]);
    return status ? dal__lost(diags) : DAL_OK;
}

/* ---- rates ----------------------------------------------------------------------------------- */

static int same_rate(double a_ns, double b_ns)
{
    return a_ns <= b_ns * (1 + 1e-9) && b_ns <= a_ns * (1 + 1e-9);
}

static void compare_rates(struct dal_diags *diags, const struct dal_spec_process *first,
                          const struct dal_spec_process *other)
{
    double first_ns = dal_spec_iteration_ns(first), other_ns = dal_spec_iteration_ns(other);
    if (same_rate(first_ns, other_ns))
        return;
    dal_warning(diags, other->place, "period-mismatch",
                "the period of process '%s' gives an iteration %.6g ms, that of process '%s' %.6g "
                "ms: the one that is faster will overrun",
                other->name, other_ns / 1e6, first->name, first_ns / 1e6);
    dal_note(diags, first->place, "process '%s' is here", first->name);
}

/* Compares the rate of `first` with those of all periodic processes that are connected with it. */
static void compare_island(struct dal_diags *diags, struct walk *walk,
                           const struct dal_spec_process *first)
{
    add_process(walk, first);
    while (walk->count > 0) {
        const struct dal_spec_process *process = walk->waiting[--walk->count];
        if (process->periodic.period_ns)
            compare_rates(diags, first, process);
        add_neighbours(walk, process, 1);
    }
}

/* ---- newest tokens beside a ring --------------------------------------------------------------
 */

/* Returns the longest iteration that a period gives what rings tie to `from`, but through `reader`;
 * 0 if none does. walk->seen has been there then. */
static double find_iteration_ns(struct walk *walk, const struct dal_spec_network *network,
                                const struct dal_spec_process *from,
                                const struct dal_spec_process *reader)
{
    double longest_ns = 0;
    memset(walk->seen, 0, network->process_count);
    walk->seen[reader->number] = 1;
    add_process(walk, from);
    while (walk->count > 0) {
        const struct dal_spec_process *process = walk->waiting[--walk->count];
        double ns = process->periodic.period_ns ? dal_spec_iteration_ns(process) : 0;
        longest_ns = ns > longest_ns ? ns : longest_ns;
        add_neighbours(walk, process, 1);
    }
    return longest_ns;
}

static void warn_of_pace(struct dal_diags *diags, const struct dal_spec_channel *newest,
                         const struct dal_spec_channel *ring, const char *why)
{
    dal_warning(diags, newest->place, "newest-pace",
                "sw_channel '%s' has no repeat, so process '%s' waits for a token that it has not "
                "read, and sw_channel '%s' fills: %s",
                newest->name, newest->consumer->name, ring->name, why);
    dal_note(diags, ring->place, "sw_channel '%s' is here", ring->name);
}

/* Warns where the reader of newest tokens gets those of a ring more often. `token_ns` is the time
 * from one newest token to the next; 0 if no period tells it. Returns whether it does. */
static int compare_pace(struct dal_diags *diags, struct walk *walk,
                        const struct dal_spec_network *network,
                        const struct dal_spec_channel *newest, double token_ns,
                        const struct dal_spec_channel *ring)
{
    const struct dal_spec_process *reader = newest->consumer;
    double ring_ns = find_iteration_ns(walk, network, ring->producer, reader) /
                     (double)(reader->repetitions ? reader->repetitions : 1);
    char why[160];
    if (walk->seen[newest->producer->number]) {
        if (newest->producer->repetitions > reader->repetitions)
            return 0;
        snprintf(why, sizeof(why),
                 "both depend on one process, and what is lost of the one is "
                 "left in the other");
    } else if (ring_ns == 0 ||
               (token_ns > 0 && (token_ns < ring_ns || same_rate(token_ns, ring_ns)))) {
        return 0;
    } else if (token_ns > 0) {
        snprintf(why, sizeof(why),
                 "it has tokens for a firing every %.6g ms, the other every %.6g ms", ring_ns / 1e6,
                 token_ns / 1e6);
    } else {
        snprintf(why, sizeof(why),
                 "it has tokens for a firing every %.6g ms, and no period says "
                 "how often the other has one",
                 ring_ns / 1e6);
    }
    warn_of_pace(diags, newest, ring, why);
    return 1;
}

/* Warns once for each such channel. */
static void check_pace(struct dal_diags *diags, struct walk *walk,
                       const struct dal_spec_network *network,
                       const struct dal_spec_channel *newest)
{
    const struct dal_spec_process *writer = newest->producer, *reader = newest->consumer;
    double token_ns = find_iteration_ns(walk, network, writer, reader) /
                      (double)(writer->repetitions ? writer->repetitions : 1);
    for (size_t i = 0; i < reader->port_count; i++) {
        const struct dal_spec_port *port = &reader->ports[i];
        if (!port->output && port->channel && !port->channel->newest.is_given &&
            port->channel->producer != reader &&
            compare_pace(diags, walk, network, newest, token_ns, port->channel))
            return;
    }
}

int dal__check_periods(struct dal_diags *diags, const struct dal_spec_network *network)
{
    struct walk walk;
    int status = begin_walk(&walk, network);
    for (size_t i = 0; !status && i < network->process_count; i++)
        if (network->processes[i].periodic.period_ns && !walk.seen[i])
            compare_island(diags, &walk, &network->processes[i]);
    for (size_t i = 0; !status && i < network->channel_count; i++)
        if (network->channels[i].newest.is_given && !network->channels[i].newest.repeat)
            check_pace(diags, &walk, network, &network->channels[i]);
    end_walk(&walk);
    return status ? dal__lost(diags) : DAL_OK;
}

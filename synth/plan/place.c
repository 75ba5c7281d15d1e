/* Decides where the tokens of each channel live, by the table of doc/explanation/memory.md. */
#include "synth/plan/plan.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <string.h>

struct ends {
    const struct dal_plan_process *producer, *consumer;
    const struct dal_plan_processor *from, *to; /* the first of each */
    int from_device, to_device;
};

static struct ends find_ends(const struct dal_plan *plan, const struct dal_spec_channel *channel)
{
    const struct dal_plan_process *p = dal_plan_producer(plan, channel);
    const struct dal_plan_process *c = dal_plan_consumer(plan, channel);
    return (struct ends){
        .producer = p,
        .consumer = c,
        .from = p->processors[0],
        .to = c->processors[0],
        .from_device = dal_plan_on_device(p),
        .to_device = dal_plan_on_device(c),
    };
}

int dal_plan_is_unified(const struct dal_spec_capability *capability)
{
    if (capability->memory != DAL_MEMORY_UNKNOWN)
        return capability->memory != DAL_MEMORY_OWN;
    return strncmp(capability->identifier, "CPU_", 4) == 0;
}

static int set_kind(struct dal_plan_channel *ch, enum dal_channel_kind kind, char *reason)
{
    ch->kind = kind;
    ch->reason = reason;
    return reason ? DAL_OK : DAL_ERR_NOMEM;
}

static int place_cores(struct dal_plan_channel *ch, const struct ends *e)
{
    const char *from = e->from->processor->name, *to = e->to->processor->name;
    if (e->producer->processor_count > 1 || e->consumer->processor_count > 1) {
        const struct dal_plan_process *p =
            e->producer->processor_count > 1 ? e->producer : e->consumer;
        return set_kind(ch, DAL_CHANNEL_CORES,
                        dal_format("%s may be fired by any of %zu cores", p->process->name,
                                   p->processor_count));
    }
    if (e->producer->process->kpn || e->consumer->process->kpn)
        return set_kind(ch, DAL_CHANNEL_CORES,
                        dal_format("%s has a thread of its own", e->producer->process->kpn
                                                                     ? e->producer->process->name
                                                                     : e->consumer->process->name));
    if (e->from == e->to)
        return set_kind(ch, DAL_CHANNEL_CORE, dal_format("both ends on %s", from));
    return set_kind(ch, DAL_CHANNEL_CORES, dal_format("%s and %s are different cores", from, to));
}

static int is_one_device(const struct dal_spec_capability *a, const struct dal_spec_capability *b)
{
    size_t length = dal_plan_whole_length(a->identifier);
    return a->kind == b->kind && length == dal_plan_whole_length(b->identifier) &&
           strncmp(a->identifier, b->identifier, length) == 0;
}

static int shares_memory(const struct ends *e)
{
    return is_one_device(e->from->capability, e->to->capability) ||
           (dal_plan_is_unified(e->from->capability) && dal_plan_is_unified(e->to->capability));
}

static int is_distributed(const struct dal_plan_process *p)
{
    return dal_plan_on_device(p) && p->processor_count > 1;
}

/* Is each block of tokens written and read on one device, or all but those that initial tokens
 * shift to the next one? */
static int is_distributed_alike(const struct dal_spec_channel *c, const struct ends *e)
{
    const struct dal_plan_process *p = e->producer, *q = e->consumer;
    return is_distributed(p) && dal_plan_is_bound_alike(p, q) &&
           (p->copies_open || c->initial_tokens <= p->shadow_copies * c->rate_in) &&
           p->shadow_copies * c->rate_in == q->shadow_copies * c->rate_out;
}

static int place_alike(struct dal_plan_channel *ch, const struct ends *e)
{
    size_t count = e->producer->processor_count;
    uint64_t halo = ch->channel->initial_tokens;
    if (halo)
        return set_kind(ch, DAL_CHANNEL_DEVICE,
                        dal_format("a block of S firings stays on one of %zu devices, but for its "
                                   "last %" PRIu64 " token%s, which the next one gets through the "
                                   "host",
                                   count, halo, halo == 1 ? "" : "s"));
    return set_kind(ch, DAL_CHANNEL_DEVICE,
                    dal_format("a block of S firings stays on one of %zu devices: the host never "
                               "sees its tokens",
                               count));
}

static int place_distributed(struct dal_plan_channel *ch, const struct ends *e)
{
    const struct dal_plan_process *p = is_distributed(e->producer) ? e->producer : e->consumer;
    if (is_distributed_alike(ch->channel, e))
        return place_alike(ch, e);
    if (is_distributed(e->producer) && is_distributed(e->consumer))
        return set_kind(ch, DAL_CHANNEL_STAGED,
                        dal_format("%s and %s take turns on their devices in different ways: the "
                                   "host's ring lies between",
                                   e->producer->process->name, e->consumer->process->name));
    return set_kind(ch, DAL_CHANNEL_STAGED,
                    dal_format("%s takes turns on %zu devices: each has a ring of its own",
                               p->process->name, p->processor_count));
}

static int place_devices(struct dal_plan_channel *ch, const struct ends *e)
{
    const char *from = e->from->processor->name, *to = e->to->processor->name;
    const char *a = e->from->capability->platform, *b = e->to->capability->platform;
    if (e->from == e->to)
        return set_kind(ch, DAL_CHANNEL_DEVICE,
                        dal_format("both ends on %s: the host never sees the tokens", from));
    if (e->from->capability->kind == DAL_PROCESSOR_CUDA &&
        e->to->capability->kind == DAL_PROCESSOR_CUDA)
        return set_kind(ch, DAL_CHANNEL_CONTEXT,
                        dal_format("kernels of %s read the ring in the memory of %s, if the driver "
                                   "lets them; else the host's ring lies between",
                                   to, from));
    if (a && b && strcmp(a, b) == 0 && !shares_memory(e))
        return set_kind(ch, DAL_CHANNEL_STAGED,
                        dal_format("%s and %s share no memory: each has a ring of its own, and "
                                   "the host's lies between",
                                   from, to));
    if (a && b && strcmp(a, b) == 0)
        return set_kind(
            ch, DAL_CHANNEL_CONTEXT,
            dal_format("%s and %s share memory and a context of platform \"%s\"", from, to, a));
    if (a && b)
        return set_kind(
            ch, DAL_CHANNEL_STAGED,
            dal_format("%s and %s are of different platforms, \"%s\" and \"%s\"", from, to, a, b));
    return set_kind(
        ch, DAL_CHANNEL_STAGED,
        dal_format("%s and %s: no platform attribute says that they share a context", from, to));
}

static int place_core_device(struct dal_plan_channel *ch, const struct ends *e)
{
    const struct dal_plan_processor *device = e->from_device ? e->from : e->to;
    const struct dal_plan_process *host = e->from_device ? e->consumer : e->producer;
    const char *core =
        host->processor_count > 1 ? "the cores" : host->processors[0]->processor->name;
    if (device->capability->memory == DAL_MEMORY_MAPPED)
        return set_kind(ch, DAL_CHANNEL_MAPPED,
                        dal_format("%s shares its memory with %s, block by block",
                                   device->processor->name, core));
    if (dal_plan_is_unified(device->capability))
        return set_kind(ch, DAL_CHANNEL_UNIFIED,
                        dal_format("%s shares its memory with %s", device->processor->name, core));
    return set_kind(
        ch, DAL_CHANNEL_STAGED,
        dal_format("%s has its own memory, apart from %s", device->processor->name, core));
}

/* The runtime decides where each token is on its way between the nodes. */
static int place_nodes(struct dal_plan_channel *ch, const struct ends *e)
{
    return set_kind(ch, DAL_CHANNEL_REMOTE,
                    dal_format("%s is on node %s and %s on node %s: a ring on each",
                               e->producer->process->name, e->from->processor->node,
                               e->consumer->process->name, e->to->processor->node));
}

static int is_remote(const struct ends *e)
{
    const char *from = e->from->processor->node, *to = e->to->processor->node;
    return from && to && strcmp(from, to) != 0;
}

static int place_wish(struct dal_diags *diags, struct dal_plan_channel *ch, const struct ends *e)
{
    const struct dal_spec_override *o = ch->wish;
    const char *wish = o->kind == DAL_WISH_NAIVE ? "naive" : "staged";
    if (is_remote(e))
        return dal_error(
            diags, o->place, "unsupported-kind",
            "channel '%s': kind \"%s\" is for one node, but '%s' runs on node '%s' and '%s' on "
            "node '%s'",
            ch->channel->name, wish, e->producer->process->name, e->from->processor->node,
            e->consumer->process->name, e->to->processor->node);
    if (!e->from_device && !e->to_device)
        return dal_error(diags, o->place, "unsupported-kind",
                         "channel '%s': kind \"%s\" needs a device at one end, but '%s' and '%s' "
                         "both run on cores",
                         ch->channel->name, wish, e->producer->process->name,
                         e->consumer->process->name);
    return set_kind(
        ch, o->kind == DAL_WISH_NAIVE ? DAL_CHANNEL_NAIVE : DAL_CHANNEL_STAGED,
        dal_format("the mapping asks for it (%s:%d)", dal_path_base(o->place.file), o->place.line));
}

/* Tokens must be written where they are read: none is moved from one end to the other. */
static int check_inplace(struct dal_diags *diags, const struct dal_plan_channel *ch,
                         const struct ends *e)
{
    if (ch->wish)
        dal_error(diags, ch->wish->place, "inplace",
                  "channel '%s' is changed in place (inplace), so no kind can be asked for",
                  ch->channel->name);
    else if (is_distributed(e->producer))
        dal_error(diags, e->producer->binding->place, "inplace",
                  "process '%s' cannot take turns on %zu devices: a firing changes channel '%s' in "
                  "place (inplace)",
                  e->producer->process->name, e->producer->processor_count, ch->channel->name);
    else
        return DAL_OK;
    return DAL_ERR_INVALID;
}

/* Returns what is wrong with a process at an end of a channel that keeps the newest token alone;
 * NULL if nothing. */
static const char *fault_of(const struct dal_plan_process *p)
{
    uint32_t copies = p->binding->shadow_copies;
    if (is_distributed(p))
        return "takes turns on several devices";
    return dal_spec_is_number(copies) && copies > 1 ? "has shadow copies" : NULL;
}

/* Adds how old a token may be, and how many are lost, as far as periods tell it. */
static void tell_ages(struct dal_text *text, const struct dal_spec_channel *c)
{
    const struct dal_spec_period *from = &c->producer->periodic, *to = &c->consumer->periodic;
    if (from->period_ns)
        dal_text_printf(text, ", at most %.6g ms old while %s keeps its period",
                        1e-6 * (double)from->period_ns, c->producer->name);
    if (c->newest.age_ns)
        dal_text_printf(text, ", none older than %.6g ms", 1e-6 * (double)c->newest.age_ns);
    if (from->period_ns && to->period_ns) {
        double read = (double)to->repetitions * (double)from->period_ns /
                      ((double)from->repetitions * (double)to->period_ns);
        dal_text_printf(text, "; %.3g %% of the tokens are lost", read < 1 ? 100 * (1 - read) : 0);
    }
}

static int place_newest(struct dal_diags *diags, struct dal_plan_channel *ch, const struct ends *e)
{
    const struct dal_spec_channel *c = ch->channel;
    const struct dal_plan_process *at = fault_of(e->producer) ? e->producer : e->consumer;
    const char *why = is_remote(e) ? "runs on another node than its peer" : fault_of(at);
    struct dal_text text = {0};
    if (why)
        return dal_error(diags, at->binding->place, "newest",
                         "process '%s' %s, but channel '%s' keeps the newest token alone (newest), "
                         "and each of its ends makes one firing at a time, both on one node",
                         at->process->name, why, c->name);
    dal_text_printf(&text, "%s never waits and %s reads the newest", c->producer->name,
                    c->consumer->name);
    if (e->from_device)
        dal_text_printf(&text, ", once a launch of %s has come to the host", c->producer->name);
    if (e->to_device)
        dal_text_printf(&text, ", as a launch of %s begins", c->consumer->name);
    tell_ages(&text, c);
    return set_kind(ch, DAL_CHANNEL_NEWEST, dal_text_take(&text));
}

static int place_channel(struct dal_diags *diags, const struct dal_plan *plan,
                         struct dal_plan_channel *ch)
{
    struct ends e = find_ends(plan, ch->channel);
    if (ch->channel->newest.is_given)
        return place_newest(diags, ch, &e);
    if (ch->channel->inplace && check_inplace(diags, ch, &e))
        return DAL_ERR_INVALID;
    if (ch->wish)
        return place_wish(diags, ch, &e);
    if (is_remote(&e))
        return place_nodes(ch, &e);
    if (is_distributed(e.producer) || is_distributed(e.consumer))
        return place_distributed(ch, &e);
    if (e.from_device && e.to_device)
        return place_devices(ch, &e);
    if (e.from_device || e.to_device)
        return place_core_device(ch, &e);
    return place_cores(ch, &e);
}

int dal_plan_place(struct dal_diags *diags, struct dal_plan *plan)
{
    int result = DAL_OK;
    for (size_t i = 0; i < plan->channel_count; i++) {
        int status = place_channel(diags, plan, &plan->channels[i]);
        if (status == DAL_ERR_NOMEM)
            return status;
        if (status)
            result = status;
        plan->channels[i].placed = plan->channels[i].kind;
    }
    return result ? result : dal_plan_share_rings(plan);
}

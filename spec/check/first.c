/*
 * Channels of the newest token do not tie rates to each other, so the analysis leaves them out. But
 * before its reader fires for the first time, its writer must have. A circle of processes, each of
 * which can fire for the first time behind the next one only, is a deadlock.
 */
#include "spec/check/check.h"

#include "rt/base/alloc.h"

enum { MOST_NOTES = 8 };

struct first {
    const struct dal_spec_network *network;
    const struct dal__raw *raw;
    size_t *waits; /* by process: channels whose producers have to fire first, and cannot so far */
    const struct dal_spec_channel **by;   /* by process: a channel through which it is waited for */
    const struct dal_spec_process **list; /* to be looked at */
    size_t count;
};

/* Must the producer of a channel have fired before its consumer can fire for the first time? */
static int comes_after(const struct first *f, const struct dal_spec_channel *c)
{
    const struct dal_spec_phases *phases;
    if (!c->producer || !c->consumer || f->raw->network.channels[c->number].broken)
        return 0;
    phases = &c->consumer_port->phases;
    return c->newest.is_given ||
           (!c->consumer->kpn && c->initial_tokens < (phases->count ? phases->of[0] : c->rate_out));
}

/* Takes all processes out that can fire for the first time, one behind the other. */
static void fire_first(struct first *f)
{
    for (size_t i = 0; i < f->network->channel_count; i++)
        if (comes_after(f, &f->network->channels[i]))
            f->waits[f->network->channels[i].consumer->number]++;
    for (size_t i = 0; i < f->network->process_count; i++)
        if (!f->waits[i])
            f->list[f->count++] = &f->network->processes[i];
    while (f->count) {
        const struct dal_spec_process *process = f->list[--f->count];
        for (size_t k = 0; k < process->port_count; k++)
            for (struct dal_spec_channel *c = process->ports[k].channel;
                 c && process->ports[k].output; c = dal_port_next(&process->ports[k], c))
                if (comes_after(f, c) && --f->waits[c->consumer->number] == 0)
                    f->list[f->count++] = c->consumer;
    }
}

/* Notes that a channel's producer has to fire before, unless that is known. */
static void wait_through(struct first *f, const struct dal_spec_channel *c)
{
    if (!comes_after(f, c) || !f->waits[c->producer->number] || f->by[c->producer->number])
        return;
    f->by[c->producer->number] = c;
    f->list[f->count++] = c->producer;
}

/* Returns whether a channel's producer cannot fire before its consumer has. */
static int is_in_circle(struct first *f, const struct dal_spec_channel *c)
{
    for (size_t i = 0; i < f->network->process_count; i++)
        f->by[i] = NULL;
    f->count = 0;
    wait_through(f, c);
    while (f->count && !f->by[c->consumer->number]) {
        const struct dal_spec_process *process = f->list[--f->count];
        for (size_t k = 0; k < process->port_count; k++)
            if (!process->ports[k].output && process->ports[k].channel)
                wait_through(f, process->ports[k].channel);
    }
    return f->by[c->consumer->number] != NULL;
}

static void tell_circle(const struct first *f, struct dal_diags *diags,
                        const struct dal_spec_channel *c)
{
    const struct dal_spec_channel *at = f->by[c->consumer->number];
    dal_error(diags, c->place, "deadlock",
              "the network deadlocks: sw_channel '%s' never has a first token, since process '%s' "
              "cannot fire before '%s' has",
              c->name, c->producer->name, c->consumer->name);
    for (int i = 0; i < MOST_NOTES && at != c; i++, at = f->by[at->consumer->number])
        dal_note(diags, at->place, "process '%s' waits for '%s' at sw_channel '%s'",
                 at->consumer->name, at->producer->name, at->name);
}

void dal__check_first(struct dal_diags *diags, const struct dal_spec_network *network,
                      const struct dal__raw *raw)
{
    size_t count = network->process_count + 1;
    struct first f = {.network = network, .raw = raw};
    f.waits = dal_calloc(count, sizeof(*f.waits));
    f.by = dal_calloc(count, sizeof(*f.by));
    f.list = dal_calloc(count, sizeof(*f.list));
    if (f.waits && f.by && f.list) {
        fire_first(&f);
        for (size_t i = 0; i < network->channel_count; i++) {
            const struct dal_spec_channel *c = &network->channels[i];
            if (!c->newest.is_given || !comes_after(&f, c) || !is_in_circle(&f, c))
                continue;
            tell_circle(&f, diags, c);
            break;
        }
    } else {
        diags->lost = 1;
    }
    dal_free_all(f.waits, f.by, f.list);
}

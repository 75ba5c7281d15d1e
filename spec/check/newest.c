/*
 * Channels that keep the newest token alone. What they cannot have is refused here by name; what
 * the mapping may not ask of them, in synth/plan/place.c.
 */
#include "spec/check/check.h"

#include <string.h>

/* Returns what is wrong with a process at an end; NULL if nothing. */
static const char *fault_of(const struct dal_spec_process *process)
{
    if (dal_spec_is_open(process))
        return process->tap.kind ? "is a tap or a recording" : "is an open port";
    if (process->kpn)
        return "has a port with a dynamic rate";
    if (process->phases > 1)
        return "is cyclo-static";
    if (process->shadow_copies > 1)
        return "has shadow copies";
    return NULL;
}

/* Returns what is wrong with the channel itself; NULL if nothing. */
static const char *fault_of_channel(const struct dal_spec_channel *c)
{
    if (c->producer == c->consumer)
        return "it leads from a process to itself";
    if (dal_spec_is_several(c->producer_port))
        return "its port feeds other channels, or a tap, too";
    if (c->inplace)
        return "it is changed in place (inplace)";
    if (c->counted.most)
        return "it is counted (most)";
    if (c->initial_tokens)
        return "it has initial tokens";
    if (c->capacity)
        return "it has a size";
    if (c->rate_in != 1 || c->rate_out != 1)
        return "both its rates must be 1";
    return NULL;
}

static void check_channel(struct dal_diags *diags, struct dal_spec_channel *c)
{
    const struct dal_spec_process *ends[] = {c->producer, c->consumer};
    const char *why;
    for (int i = 0; i < 2; i++)
        if ((why = fault_of(ends[i]))) {
            dal_error(diags, c->place, "newest",
                      "sw_channel '%s' cannot keep the newest token alone (newest): process '%s' "
                      "%s",
                      c->name, ends[i]->name, why);
            return;
        }
    why = fault_of_channel(c);
    if (why)
        dal_error(diags, c->place, "newest",
                  "sw_channel '%s' cannot keep the newest token alone (newest): %s", c->name, why);
    else
        c->capacity = 1;
}

void dal__check_newest(struct dal_diags *diags, const struct dal_spec_network *network,
                       const struct dal__raw *raw)
{
    for (size_t i = 0; i < network->channel_count; i++) {
        struct dal_spec_channel *c = &network->channels[i];
        if (c->newest.is_given && c->producer && c->consumer && !raw->network.channels[i].broken)
            check_channel(diags, c);
    }
}

void dal__refuse_rule_of_newest(struct dal_diags *diags, const struct dal_spec_channel *channel,
                                const struct dal__raw_override *rule)
{
    if (strcmp(rule->channel.name, channel->name) == 0)
        dal_error(
            diags, rule->channel.place, "newest",
            "sw_channel '%s' keeps the newest token alone (newest), so the mapping cannot give "
            "it a kind or a size",
            channel->name);
}

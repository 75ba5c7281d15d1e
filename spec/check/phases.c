/* Checks cyclo-static processes: the phases of their ports, and the sums of a cycle. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "spec/check/check.h"

#include <string.h>

/* Copies the phases of the channel, or of the first of several, to the port. */
static int take_phases(struct dal_spec_port *port, const struct dal__raw *raw)
{
    const struct dal__raw_channel *channel;
    const struct dal_spec_phases *from;
    if (!port->channel)
        return DAL_OK;
    channel = &raw->network.channels[port->channel->number];
    from = port->output ? &channel->in : &channel->out;
    if (from->count == 0)
        return DAL_OK;
    port->phases.of = dal_calloc(from->count, sizeof(*from->of));
    if (!port->phases.of)
        return DAL_ERR_NOMEM;
    memcpy(port->phases.of, from->of, from->count * sizeof(*from->of));
    port->phases.count = from->count;
    return DAL_OK;
}

static void refuse_kpn(struct dal_diags *diags, const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->port_count; i++)
        if (process->ports[i].phases.count > 0)
            dal_error(diags, process->ports[i].place, "kpn-process",
                      "port '%s' of process '%s' has a sequence of rates, but another port a "
                      "dynamic one: no firing would count as a phase",
                      process->ports[i].name, process->name);
    if (process->times.count > 0)
        dal_error(diags, process->place, "kpn-process",
                  "process '%s' has a port with a dynamic rate, so no firings that could take the "
                  "times of a sequence",
                  process->name);
}

/* Only the worker of a core can fire one phase after the other. */
static void check_firing(struct dal_diags *diags, const struct dal_spec_process *process,
                         const struct dal__raw *raw)
{
    const char *why = dal__phases_fault(process);
    if (process->firing != DAL_FIRING_PHASE)
        return;
    if (!why && !raw->unchecked && !dal_spec_source_for(process, DAL_PROCESSOR_CORE))
        why = "has no source that runs on a core";
    if (why)
        dal_error(diags, process->place, "bad-firing",
                  "process '%s' is to be fired phase by phase, but it %s", process->name, why);
    else if (process->phases == 1)
        dal_warning(diags, process->place, "no-effect",
                    "process '%s' has no sequence of rates, so that firing=\"phase\" means nothing",
                    process->name);
}

static int check_cycle(struct dal_diags *diags, struct dal_spec_process *process,
                       const struct dal__raw *raw)
{
    int status = DAL_OK;
    for (size_t i = 0; i < process->port_count && !status; i++)
        status = take_phases(&process->ports[i], raw);
    if (!status && process->kpn)
        refuse_kpn(diags, process);
    else if (!status)
        status = dal__make_cycle(diags, process);
    return status == DAL_ERR_INVALID ? DAL_OK : status;
}

int dal__check_phases(struct dal_diags *diags, struct dal_spec_network *network,
                      const struct dal__raw *raw)
{
    for (size_t i = 0; i < network->process_count; i++)
        if (check_cycle(diags, &network->processes[i], raw))
            return dal__lost(diags);
    for (size_t i = 0; i < network->process_count; i++)
        check_firing(diags, &network->processes[i], raw);
    for (size_t i = 0; i < network->channel_count; i++) {
        struct dal_spec_channel *channel = &network->channels[i];
        if (channel->producer_port && channel->producer->phases > 1)
            channel->rate_in = channel->producer_port->rate;
        if (channel->consumer_port && channel->consumer->phases > 1)
            channel->rate_out = channel->consumer_port->rate;
    }
    return DAL_OK;
}

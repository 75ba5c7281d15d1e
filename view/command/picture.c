/* What all forms of a picture ask. */
#include "view/command/picture.h"

#include "rt/base/alloc.h"

#include <inttypes.h>

/* Returns a process's binding, or NULL. A network without a plan may have bindings, too. */
static const struct dal_spec_binding *binding_of(const struct dal_picture *picture,
                                                 const struct dal_spec_process *process)
{
    const struct dal_spec_mapping *mapping = &picture->analysis->spec->mapping;
    for (size_t i = 0; i < mapping->binding_count; i++)
        if (mapping->bindings[i].process && mapping->bindings[i].process->number == process->number)
            return &mapping->bindings[i];
    return NULL;
}

char *dal_picture_place(const struct dal_picture *picture, const struct dal_spec_process *process)
{
    const struct dal_spec_binding *binding = binding_of(picture, process);
    struct dal_text text = {0};
    dal_text_add(&text, "");
    for (size_t i = 0; binding && i < binding->processor_count; i++)
        dal_text_printf(&text, "%s%s", i ? "," : "", binding->processors[i]->name);
    return dal_text_take(&text);
}

uint64_t dal_picture_capacity(const struct dal_picture *picture,
                              const struct dal_spec_channel *channel)
{
    return picture->plan ? picture->plan->channels[channel->number].capacity : channel->capacity;
}

void dal_picture_rate(FILE *out, const struct dal_spec_port *port, uint64_t rate)
{
    enum { MOST_WRITTEN = 12 };

    if (port->dynamic)
        fputs("dynamic", out);
    else if (port->channel && port->channel->counted.most)
        fprintf(out, "0..%" PRIu64, port->channel->counted.most);
    else if (port->phases.count == 0)
        fprintf(out, "%" PRIu64, rate);
    else if (port->phases.count > MOST_WRITTEN)
        fprintf(out, "%" PRIu64 " in %zu", rate, port->phases.count);
    else
        for (size_t i = 0; i < port->phases.count; i++)
            fprintf(out, "%s%" PRIu64, i ? "," : "", port->phases.of[i]);
}

int dal_picture_is_witness(const struct dal_picture *picture,
                           const struct dal_spec_channel *channel)
{
    const struct dal_sdf_report *report = &picture->analysis->report;
    const struct dal_sdf_contradiction *rates = &report->contradiction;
    size_t count = report->consistent ? report->deadlock.cycle_count : rates->count;
    for (size_t i = 0; i < count; i++) {
        size_t number =
            report->consistent ? report->deadlock.cycle[i].channel : rates->steps[i].channel;
        if (report->graph.channels[number].origin == channel->number)
            return 1;
    }
    return 0;
}

int dal_picture_is_blocked(const struct dal_picture *picture,
                           const struct dal_spec_process *process)
{
    const struct dal_sdf_report *report = &picture->analysis->report;
    for (size_t i = 0; report->consistent && i < report->deadlock.blocked_count; i++)
        if (report->graph.processes[report->deadlock.blocked[i]].origin == process->number)
            return 1;
    return 0;
}

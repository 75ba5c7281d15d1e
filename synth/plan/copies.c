/* Shadow copies of C processes: only what keeps no state may run beside itself. */
#include "synth/plan/plan.h"

#include "rt/base/error.h"

static void refuse_local(struct dal_diags *diags, const struct dal_plan_process *p, uint32_t copies)
{
    if (p->source->python) {
        dal_error(diags, p->process->place, "python-process",
                  "process '%s' cannot have %u shadow copies: Python runs one firing at a time",
                  p->process->name, copies);
        return;
    }
    dal_error(diags, p->source->place, "stateful",
              "process '%s' cannot have %u shadow copies: %s defines struct _local_states, which "
              "one firing leaves to the next",
              p->process->name, copies, p->source->location);
    dal_note(diags, p->process->place,
             "leave out stateless=\"true\", or keep what passes between firings in a channel");
}

/* A channel to itself holds what the next firings need: as many may run at once as it has tokens
 * for. */
static void check_loop(struct dal_diags *diags, const struct dal_plan_process *p,
                       const struct dal_spec_channel *channel)
{
    if (channel->producer != p->process || channel->consumer != p->process ||
        channel->initial_tokens / channel->rate_out >= p->shadow_copies)
        return;
    dal_error(diags, p->process->place, "stateful",
              "process '%s' cannot have %u shadow copies: its channel '%s' to itself has initial "
              "tokens for only %llu",
              p->process->name, p->shadow_copies, channel->name,
              (unsigned long long)(channel->initial_tokens / channel->rate_out));
    dal_note(diags, channel->place, "channel '%s' is here", channel->name);
}

int dal_plan_has_doubt(const struct dal_plan_process *p)
{
    return !p->device && p->processor_count > 1 && p->source->doubt &&
           p->process->stateless != DAL_STATELESS_NO &&
           !dal_spec_is_stateless(p->process, p->source) && dal_plan_may_have_copies(p->process);
}

/* Warns of copies that are asked for, of what may not have them; of what is said to be stateless,
 * that is refused. */
static void check_asked(struct dal_diags *diags, const struct dal_plan_process *p)
{
    uint32_t bound = p->binding->shadow_copies, copies = bound ? bound : p->process->shadow_copies;
    if (!dal_spec_is_number(copies) || copies <= 1 || !dal_plan_has_doubt(p))
        return;
    if (p->process->stateless == DAL_STATELESS_YES)
        refuse_local(diags, p, copies);
    else
        dal_warning(diags, bound ? p->binding->place : p->process->place, "no-effect",
                    "process '%s': shadow copies mean nothing, since it may keep a state: %s",
                    p->process->name, p->source->doubt);
}

int dal_plan_copies(struct dal_diags *diags, struct dal_plan *plan)
{
    size_t before = diags->errors;
    const struct dal_spec_channel *c;
    for (size_t i = 0; i < plan->process_count; i++) {
        struct dal_plan_process *p = &plan->processes[i];
        check_asked(diags, p);
        if (dal_plan_on_device(p) || p->shadow_copies == 1)
            continue;
        for (size_t k = 0; k < p->process->port_count; k++)
            if (p->process->ports[k].output)
                for (c = p->process->ports[k].channel; c; c = c->next_of_port)
                    check_loop(diags, p, c);
    }
    return diags->errors > before ? DAL_ERR_INVALID : DAL_OK;
}

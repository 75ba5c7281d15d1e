/* Checks that a process may run where it is bound. */
#include "spec/check/mapping.h"

/* A process runs on devices in one capability. */
static void check_one_sort(struct dal_diags *diags, const struct dal__raw_binding *binding,
                           const struct dal_spec_process *process,
                           const struct dal_spec_source *source, const struct dal__choice *choice)
{
    if (!dal__all_have(choice, dal__choose_capability(choice, source->type)))
        dal_error(diags, binding->place, "one-device",
                  "binding '%s': process '%s' is bound to devices that have no capability in "
                  "common; bind it to those of OPENCL, or of CUDA, alone",
                  binding->name, process->name);
}

static const struct dal_spec_channel *find_loop(const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        for (const struct dal_spec_channel *c = port->channel; port->output && c;
             c = dal_port_next(port, c))
            if (c->consumer == process)
                return c;
    }
    return NULL;
}

/* Warns if each firing needs the one before: the bytes are right, but the devices wait for each
 * other. */
static void check_distributed(struct dal_diags *diags, const struct dal__raw_binding *binding,
                              const struct dal_spec_process *process,
                              const struct dal_spec_source *source,
                              const struct dal__choice *choice)
{
    const struct dal_spec_channel *loop = find_loop(process);
    if (loop && choice->count > 1 &&
        dal_spec_is_device(dal__choose_capability(choice, source->type)))
        dal_warning(diags, binding->place, "no-effect",
                    "binding '%s': process '%s' has a state, in channel '%s', so that its %zu "
                    "devices take turns and none is faster for it",
                    binding->name, process->name, loop->name, choice->count);
}

static int has_copies(const struct dal__raw_binding *binding)
{
    return dal_spec_is_number(binding->shadow_copies) && binding->shadow_copies > 1;
}

static void check_kpn(struct dal_diags *diags, const struct dal__raw_binding *binding,
                      const struct dal_spec_process *process, const struct dal_spec_source *source)
{
    if (process->kpn && !dal_spec_blocks(source->type))
        dal_error(diags, binding->process.place, "kpn-process",
                  "binding '%s': process '%s' has a port with a dynamic rate, and its source %d is "
                  "of type %s; only c can block",
                  binding->name, process->name, source->id, dal_spec_source_kind(source));
    if (process->kpn && has_copies(binding))
        dal_error(diags, binding->place, "kpn-process",
                  "binding '%s': process '%s' has a port with a dynamic rate: it is one thread and "
                  "has no shadow copies",
                  binding->name, process->name);
}

/* Refuses live parameters on devices: the arguments of an enqueued kernel cannot change. */
static void check_live(struct dal_diags *diags, const struct dal__raw_binding *binding,
                       const struct dal_spec_process *process, enum dal_processor_kind on)
{
    const struct dal_spec_parameter *live = dal_spec_live_parameter(process);
    if (live && on != DAL_PROCESSOR_CORE)
        dal_error(diags, binding->process.place, "live-parameter",
                  "binding '%s': parameter '%s' of process '%s' is live, so it runs as C on cores, "
                  "not on a device",
                  binding->name, live->name, process->name);
}

static void check_period(struct dal_diags *diags, const struct dal__raw_binding *binding,
                         const struct dal_spec_process *process, enum dal_processor_kind on)
{
    if (!process->periodic.period_ns)
        return;
    if (on != DAL_PROCESSOR_CORE)
        dal_error(
            diags, binding->process.place, "bad-period",
            "binding '%s': process '%s' is periodic, so it runs as C on cores, not on a device",
            binding->name, process->name);
    if (has_copies(binding))
        dal_error(diags, binding->place, "bad-period",
                  "binding '%s': process '%s' is periodic, and one release is for one firing after "
                  "the other: it has no shadow copies",
                  binding->name, process->name);
}

static void check_phases(struct dal_diags *diags, const struct dal__raw_binding *binding,
                         const struct dal_spec_process *process, enum dal_processor_kind on)
{
    const char *why = NULL;
    if (on != DAL_PROCESSOR_CORE)
        why = "runs as C on cores, not on a device";
    else if (has_copies(binding))
        why = "has no shadow copies";
    if (!process->by_phase || !why)
        return;
    dal_error(diags, binding->process.place, "bad-firing",
              "binding '%s': process '%s' is fired phase by phase, so it %s", binding->name,
              process->name, why);
    if (process->firing == DAL_FIRING_UNSAID)
        dal_note(diags, process->place,
                 "since the network deadlocks where '%s' begins whole cycles", process->name);
}

void dal__check_bound(struct dal_diags *diags, const struct dal__raw_binding *binding,
                      const struct dal_spec_process *process, const struct dal_spec_source *source,
                      const struct dal__choice *choice)
{
    enum dal_processor_kind on = dal__choose_capability(choice, source->type);
    check_one_sort(diags, binding, process, source, choice);
    check_distributed(diags, binding, process, source, choice);
    check_kpn(diags, binding, process, source);
    check_period(diags, binding, process, on);
    check_live(diags, binding, process, on);
    check_phases(diags, binding, process, on);
}

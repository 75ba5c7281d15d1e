/* What is written and means nothing: a user who writes it believes that it does something. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/check/check.h"

#include <string.h>

static int is_for_devices(const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->source_count; i++)
        if (process->sources[i].type != DAL_SOURCE_C)
            return 1;
    return 0;
}

static void check_sources(struct dal_diags *diags, const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->source_count; i++)
        if (process->sources[i].type == DAL_SOURCE_C && process->sources[i].work_items > 1)
            dal_warning(diags, process->sources[i].place, "no-effect",
                        "process '%s': dataparallelism is of kernels; this source is C",
                        process->base);
}

static void check_process(struct dal_diags *diags, const struct dal_spec_process *process)
{
    check_sources(diags, process);
    if (process->source_count == 0 || is_for_devices(process))
        return;
    if (process->shadow_copies > 1 && !process->stateless && !process->kpn)
        dal_warning(diags, process->place, "no-effect",
                    "process '%s': shadowcopies mean nothing, since it has no source for a device "
                    "and is not stateless",
                    process->base);
    if (process->priority)
        dal_warning(diags, process->place, "no-effect",
                    "process '%s': a priority is among launches on devices, and it has no source "
                    "for one",
                    process->base);
}

/* An iterated process is told of once: processes stand in the order of the file, but for iterators
 * that go back. */
void dal__check_effect_network(struct dal_diags *diags, const struct dal_spec_network *network)
{
    const struct dal_spec_process *last = NULL;
    if (diags->errors)
        return;
    for (size_t i = 0; i < network->process_count; i++) {
        const struct dal_spec_process *process = &network->processes[i];
        if (last &&
            (process->place.line < last->place.line ||
             (process->place.line == last->place.line && strcmp(process->base, last->base) == 0)))
            continue;
        last = process;
        check_process(diags, process);
    }
}

/* Which of a binding's wishes mean something to one of the processes that it places. */
struct effect {
    int placed, device, copies;
};

/* By number in raw->bindings. */
static void find_effects(const struct dal_spec_mapping *mapping, const struct dal__raw *raw,
                         struct effect *effects)
{
    for (size_t i = 0; i < mapping->binding_count; i++) {
        const struct dal_spec_binding *binding = &mapping->bindings[i];
        struct effect *effect = &effects[dal_names_find(&raw->binding_names, binding->name)];
        int device = binding->capability == DAL_CAPABILITY_OPENCL;
        effect->placed = 1;
        effect->device |= device;
        effect->copies |= device || (binding->process->stateless && binding->processor_count > 1);
    }
}

static void check_binding(struct dal_diags *diags, const struct dal__raw_binding *raw,
                          const struct effect *effect)
{
    if (raw->shadow_copies > 1 && !effect->copies)
        dal_warning(diags, raw->place, "no-effect",
                    "binding '%s': shadow copies (workgroups) mean nothing here: they are of "
                    "kernels, and of stateless C on several cores",
                    raw->name);
    if (raw->work_items > 1 && !effect->device)
        dal_warning(diags, raw->place, "no-effect",
                    "binding '%s': work-items are of kernels; here runs C", raw->name);
    if (raw->has_priority && raw->priority && !effect->device)
        dal_warning(diags, raw->place, "no-effect",
                    "binding '%s': a priority is among launches on devices; here runs C",
                    raw->name);
    if (raw->group != DAL_GROUP_IF_POSSIBLE && !effect->device)
        dal_warning(diags, raw->place, "no-effect",
                    "binding '%s': a group is of processes on a device; here runs C", raw->name);
}

int dal__check_effect_mapping(struct dal_diags *diags, const struct dal_spec_mapping *mapping,
                              const struct dal__raw *raw)
{
    struct effect *effects;
    int devices = 0;
    if (diags->errors)
        return DAL_OK;
    effects = dal_calloc(raw->binding_count + 1, sizeof(*effects));
    if (!effects)
        return dal__lost(diags);
    find_effects(mapping, raw, effects);
    for (size_t i = 0; i < raw->binding_count; i++) {
        devices |= effects[i].device;
        if (effects[i].placed)
            check_binding(diags, &raw->bindings[i], &effects[i]);
    }
    dal_free(effects);
    if (raw->queue.line && !devices && mapping->binding_count > 0)
        dal_warning(diags, raw->queue, "no-effect",
                    "queue: its depth and policy are those of devices, and no process is on one");
    return DAL_OK;
}

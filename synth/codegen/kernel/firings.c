/* Kernels that never ask which firing they are: all firings of a launch then see the same tokens.
 */
#include "synth/codegen/c/counted.h"
#include "synth/codegen/c/unit.h"
#include "synth/codegen/kernel/unit.h"

#include <string.h>

/* Could this text find out which work-group it is in, perhaps by a function of a device's maker? */
static int may_ask(const char *text)
{
    static const char *const words[] = {"get_group_id", "get_global_id", "get_global_linear_id",
                                        "workgroup_id", "WorkgroupId",   "asm"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strstr(text, words[i]))
            return 1;
    return 0;
}

/* Returns the kernel, in the first variant that has it, if none of them asks; else NULL. */
static const struct dal_fact *find_unaware(const struct dal_plan_unit *unit)
{
    const struct dal_fact *found = NULL;
    for (size_t i = 0; i < unit->variants->count; i++) {
        const struct dal_variant *variant = &unit->variants->list[i];
        const struct dal_fact *kernel = dal__function_kernel(variant, unit);
        if (kernel && may_ask(dal_text_get(&variant->text)))
            return NULL;
        found = found ? found : kernel;
    }
    return found;
}

/* Returns a port whose tokens a kernel finds by the number of the firing; NULL without one. */
static const struct dal_spec_port *find_numbered(const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->port_count; i++)
        if (!dal__is_counted(&process->ports[i]))
            return &process->ports[i];
    return NULL;
}

/* Returns the first process of a unit that has several firings in a launch, but for those in
 * groups; NULL without one. */
static const struct dal_plan_process *find_launched(const struct dal_plan *plan,
                                                    const struct dal_plan_unit *unit)
{
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = &plan->processes[i];
        if (p->unit == unit && p->device && p->shadow_copies > 1 && !p->group)
            return p;
    }
    return NULL;
}

void dal__warn_of_firings(struct dal_diags *diags, const struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->unit_count; i++) {
        const struct dal_plan_unit *unit = &plan->units[i];
        const struct dal_spec_port *port = find_numbered(unit->process);
        const struct dal_fact *kernel;
        const struct dal_plan_process *p;
        if (unit->is_group || unit->source->type != DAL_SOURCE_OPENCL || !port ||
            dal__has_phases(unit))
            continue;
        kernel = find_unaware(unit);
        p = kernel ? find_launched(plan, unit) : NULL;
        if (p)
            dal_warning(diags, dal__place_in_unit(diags, unit, kernel), "kernel-firings",
                        "process '%s', kernel '%s': all firings of a launch see the same tokens of "
                        "port '%s', since it never asks get_group_id(0), and a launch has %u",
                        p->process->name, kernel->name, port->name, p->shadow_copies);
    }
}

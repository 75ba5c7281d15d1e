#include "synth/codegen/kernel/unit.h"

#include <string.h>

const char *dal__kernel_name(const struct dal_plan_unit *unit)
{
    size_t length = strlen(DAL__KERNEL);
    return unit->kernel + (strncmp(unit->kernel, DAL__KERNEL, length) == 0 ? length : 0);
}

int dal__kernel_is_used(const struct dal_variant *variant, const struct dal_fact *kernel)
{
    return dal_fact_find(&variant->facts, DAL_FACT_CALL, kernel->name) ||
           dal_fact_find(&variant->facts, DAL_FACT_PROTOTYPE, kernel->name);
}

const struct dal_variants *dal__function_variants(const struct dal_plan_unit *unit)
{
    return unit->in_group ? unit->in_group : unit->variants;
}

const struct dal_fact *dal__function_kernel(const struct dal_variant *variant,
                                            const struct dal_plan_unit *unit)
{
    const struct dal_fact *fact = NULL;
    const char *name = dal__kernel_name(unit);
    while (!variant->is_refused && (fact = dal_fact_next(&variant->facts, DAL_FACT_FUNCTION, fact)))
        if (fact->function.is_kernel && strcmp(fact->name, name) == 0)
            return dal__kernel_is_used(variant, fact) ? NULL : fact;
    return NULL;
}

const struct dal_fact *dal__function_of_words(const struct dal_variant *variant,
                                              const struct dal_plan_unit *unit)
{
    if (unit->source->type != DAL_SOURCE_PORTABLE)
        return dal__function_kernel(variant, unit);
    return dal_fact_find(&variant->facts, DAL_FACT_FUNCTION, unit->roles[DAL_ROLE_FIRE]->symbol);
}

int dal__function_waits(const struct dal_plan_unit *unit, const char *name)
{
    const struct dal_variants *variants = dal__function_variants(unit);
    for (size_t i = 0; i < variants->count; i++)
        if (dal_fact_find(&variants->list[i].facts, DAL_FACT_MEETS, name))
            return 1;
    return 0;
}

int dal__function_has_locals(const struct dal_plan_unit *unit)
{
    for (size_t i = 0; i < dal__function_variants(unit)->count; i++) {
        const struct dal_variant *variant = &dal__function_variants(unit)->list[i];
        const struct dal_fact *kernel = dal__function_kernel(variant, unit);
        if (kernel && dal_fact_of_function(&variant->facts, DAL_FACT_LOCAL, kernel))
            return 1;
    }
    return 0;
}

int dal__has_phases(const struct dal_plan_unit *unit)
{
    return unit->source->type != DAL_SOURCE_PORTABLE && dal_plan_phases(unit->process) > 1;
}

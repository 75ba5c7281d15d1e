/* Makes all units of a plan, whatever language their sources are in. */
#include "synth/codegen/c/counted.h"
#include "synth/codegen/c/source.h"
#include "synth/codegen/c/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <string.h>

/* Checks phases: a kernel goes through those of a cycle by calls that are written out. */
static int check_phases(struct dal_diags *diags, const struct dal_plan_unit *unit)
{
    uint64_t phases = dal_plan_phases(unit->process);
    if (unit->type != DAL_SOURCE_OPENCL)
        return DAL_OK;
    if (phases <= DAL_PLAN_KERNEL_PHASES)
        return DAL_OK;
    return dal_error(diags, unit->source->place, "unsupported-kind",
                     "process '%s' has %" PRIu64
                     " phases, and a kernel can have %u: bind it to a core",
                     unit->process->name, phases, DAL_PLAN_KERNEL_PHASES);
}

/* Reads its source, and rewrites it where it must be. */
static int make_unit(struct dal_diags *diags, const struct dal_plan *plan,
                     struct dal_plan_unit *unit)
{
    int status = dal__unit_check_cxx(diags, unit);
    if (unit->type == DAL_SOURCE_OPEN)
        return DAL_OK;
    if (!status)
        status = dal__unit_check_options(diags, unit);
    if (!status)
        status = check_phases(diags, unit);
    if (status)
        return status;
    if (!dal_spec_runs(DAL_PROCESSOR_CORE, unit->source->type))
        return dal_unit_rewrite_kernel(diags, plan, unit);
    status = dal_unit_scan_c(diags, plan, unit);
    unit->asks_header &= !dal__name_is_reserved(unit->process->base);
    if (!status && unit->source->type == DAL_SOURCE_PORTABLE)
        status = dal_unit_portable(diags, plan, unit);
    return status;
}

static int make_units(struct dal_diags *diags, struct dal_plan *plan)
{
    int result = DAL_OK;
    for (size_t i = 0; i < plan->unit_count; i++) {
        int status = make_unit(diags, plan, &plan->units[i]);
        if (status && status != DAL_ERR_INVALID)
            return status;
        if (status)
            result = status;
    }
    return result;
}

/* Takes over the work-items that the kernels themselves have told. */
static int take_items(struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->process_count; i++) {
        struct dal_plan_process *p = &plan->processes[i];
        p->work_items = p->unit->work_items;
        memcpy(p->work_shape, p->unit->work_shape, sizeof(p->work_shape));
        if (!p->device || !p->unit->items_reason)
            continue;
        dal_free(p->items_reason);
        p->items_reason = dal_strdup(p->unit->items_reason);
        if (!p->items_reason)
            return DAL_ERR_NOMEM;
    }
    return DAL_OK;
}

int dal_source_units(struct dal_diags *diags, struct dal_plan *plan)
{
    int status = dal__units_list(plan);
    if (!status)
        status = dal__units_read_ahead(plan, plan->units, plan->unit_count);
    if (!status)
        status = make_units(diags, plan);
    if (!status)
        status = take_items(plan);
    if (!status)
        status = dal__check_stateless(diags, plan);
    if (!status)
        status = dal__check_counts(diags, plan);
    if (!status)
        status = dal__units_check_cuda(diags, plan);
    if (!status)
        status = dal__groups_fuse(diags, plan);
    if (!status)
        dal__warn_of_firings(diags, plan);
    if (status == DAL_ERR_NOMEM)
        return status;
    return dal__units_name_headers(plan) ? DAL_ERR_NOMEM : status;
}

/* Chooses the cores for the threads of a process with OpenMP. */
#include "synth/plan/plan.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

int dal_plan_has_team(const struct dal_plan_process *p)
{
    return p->binding && !p->device && p->source == p->binding->source && p->binding->threads > 0;
}

int dal_plan_has_teams(const struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->process_count; i++)
        if (dal_plan_has_team(&plan->processes[i]))
            return 1;
    return 0;
}

static const struct dal_spec_capability *core_of(const struct dal_spec_processor *processor)
{
    return dal_spec_capability(processor, DAL_PROCESSOR_CORE);
}

static int is_same_node(const struct dal_spec_processor *a, const struct dal_spec_processor *b)
{
    return dal_text_same(a->node, b->node);
}

/* Two processors may be one core. */
static int is_same_core(const struct dal_spec_processor *a, const struct dal_spec_processor *b)
{
    return a == b || (is_same_node(a, b) && core_of(a)->core == core_of(b)->core);
}

/* Tells for each of the architecture's processors whether a worker or a team has the core
 * already. */
struct budget {
    const struct dal_spec_architecture *architecture;
    unsigned char *taken;
};

static void take_core(struct budget *budget, const struct dal_spec_processor *processor)
{
    for (size_t i = 0; i < budget->architecture->processor_count; i++) {
        const struct dal_spec_processor *other = &budget->architecture->processors[i];
        if (core_of(other) && is_same_core(other, processor))
            budget->taken[i] = 1;
    }
}

static void take_workers(struct budget *budget, const struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->processor_count; i++)
        if (plan->processors[i].capability->kind == DAL_PROCESSOR_CORE)
            take_core(budget, plan->processors[i].processor);
}

static int is_full(const struct dal_plan_process *p)
{
    return p->team_count + 1 >= p->binding->threads;
}

static void try_core(struct budget *budget, struct dal_plan_process *p,
                     const struct dal_spec_processor *core)
{
    if (is_full(p) || !core_of(core) || budget->taken[core->number] ||
        !is_same_node(core, p->processors[0]->processor))
        return;
    p->team[p->team_count++] = core;
    take_core(budget, core);
}

/* Returns the process with the largest team on the same core: they fire in turn, in one thread. */
static const struct dal_plan_process *find_companion(const struct dal_plan *plan,
                                                     const struct dal_plan_process *p)
{
    const struct dal_plan_process *best = NULL, *other;
    for (size_t i = 0; i < plan->process_count && !p->process->kpn; i++) {
        other = &plan->processes[i];
        if (other != p && dal_plan_has_team(other) && !other->process->kpn && other->team &&
            other->processors[0] == p->processors[0] &&
            (!best || other->team_count > best->team_count))
            best = other;
    }
    return best;
}

static int make_team(const struct dal_plan *plan, struct budget *budget, struct dal_plan_process *p)
{
    const struct dal_spec_binding *b = p->binding;
    const struct dal_plan_process *companion = find_companion(plan, p);
    size_t count = budget->architecture->processor_count;
    p->team = dal_calloc(b->threads, sizeof(*p->team));
    if (!p->team)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; companion && i < companion->team_count && !is_full(p); i++)
        p->team[p->team_count++] = companion->team[i];
    for (size_t i = 1; i < b->processor_count; i++)
        try_core(budget, p, b->processors[i]);
    for (size_t i = 1; i < count; i++)
        try_core(
            budget, p,
            &budget->architecture->processors[(p->processors[0]->processor->number + i) % count]);
    return DAL_OK;
}

int dal__plan_teams(struct dal_plan *plan)
{
    struct budget budget = {.architecture = &plan->spec->architecture};
    int status = DAL_OK;
    if (!dal_plan_has_teams(plan))
        return DAL_OK;
    budget.taken = dal_calloc(budget.architecture->processor_count + 1, 1);
    if (!budget.taken)
        return DAL_ERR_NOMEM;
    take_workers(&budget, plan);
    for (size_t i = 0; i < plan->process_count && !status; i++)
        if (dal_plan_has_team(&plan->processes[i]))
            status = make_team(plan, &budget, &plan->processes[i]);
    dal_free(budget.taken);
    return status;
}

void dal_plan_check_teams(struct dal_diags *diags, const struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = &plan->processes[i];
        if (dal_plan_has_team(p) && !is_full(p))
            dal_warning(diags, p->binding->place, "threads",
                        "process '%s' gets a team of %zu thread%s, not %u: its node has no more "
                        "cores on which nothing else runs",
                        p->process->name, p->team_count + 1, p->team_count ? "s" : "",
                        p->binding->threads);
    }
}

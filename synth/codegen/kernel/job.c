#include "synth/codegen/kernel/job.h"

#include "synth/codegen/c/counted.h"
#include "synth/codegen/c/unit.h"

#include <string.h>

const struct dal_fact *dal__job_next(const struct dal__job *job, enum dal_fact_kind kind,
                                     const struct dal_fact *fact)
{
    return dal_fact_of_function(&job->variant->facts, kind, fact);
}

int dal__is_value(const struct dal_spec_process *process, const struct dal_fact *arg)
{
    if (dal_spec_find_port(process, arg->name) >= 0 || dal__count_port(process, arg->name) >= 0)
        return 0;
    return dal_spec_find_parameter(process, arg->name) >= 0 ||
           dal_spec_find_constant(process, arg->name) >= 0 || arg->parameter.value;
}

const struct dal_facts *dal__job_original(struct dal__job *job)
{
    if (!job->original.lines && dal_read_source(&job->reading, &job->original))
        dal_facts_finish(&job->original);
    return &job->original;
}

static int same_thing(const struct dal_fact *a, const struct dal_fact *b)
{
    return a->kind == b->kind && strcmp(a->name, b->name) == 0 && a->line == b->line &&
           strcmp(dal_path_base(a->file), dal_path_base(b->file)) == 0;
}

struct dal_spec_place dal__job_place(struct dal__job *job, const struct dal_fact *fact)
{
    const struct dal_facts *original = dal__job_original(job);
    for (size_t i = 0; i < original->count; i++)
        if (same_thing(&original->list[i], fact))
            return dal__unit_place(job->diags, job->unit->source, &original->list[i]);
    return dal__place_in_unit(job->diags, job->unit, fact);
}

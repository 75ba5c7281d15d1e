/*
 * Kernels: chooses which of a source's kernels is meant, in each variant of the source, and makes
 * the unit's text of it.
 */
#include "synth/codegen/c/unit.h"
#include "synth/codegen/kernel/group.h"
#include "synth/codegen/kernel/job.h"
#include "synth/codegen/kernel/steps.h"
#include "synth/codegen/kernel/unit.h"
#include "synth/codegen/kernel/variants.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/value.h"

#include <string.h>

/* ---- facts ----------------------------------------------------------------------------------- */

/* Returns the next kernel that has a body, behind `fact` or, for NULL, from the start; or NULL. */
static const struct dal_fact *next_kernel(const struct dal__job *job, const struct dal_fact *fact)
{
    while ((fact = dal_fact_next(&job->variant->facts, DAL_FACT_FUNCTION, fact)) &&
           !fact->function.is_kernel)
        ;
    return fact;
}

/* ---- what is wrong with the source ----------------------------------------------------------- */

/* Is an error about a function of a device's maker? Only the maker's compiler knows it, and has the
 * last word. */
static int is_of_maker(const struct dal__job *job, const struct dal_fact *error)
{
    static const char *const prefixes[] = {"'__", "'intel_", "'amd_", "'arm_", "'nv_", "'qcom_"};
    if (dal__is_cuda(job->unit) &&
        (strstr(error->name, "undeclared") || strstr(error->name, "no template") ||
         strstr(error->name, "unknown type")))
        return 1;
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        if (strstr(error->name, "declar") && strstr(error->name, prefixes[i]))
            return 1;
    return 0;
}

/* Counts the errors of the text; of its syntax alone, or all. */
static size_t count_errors(const struct dal__job *job, int of_syntax)
{
    const struct dal_fact *fact = NULL;
    size_t count = 0;
    while ((fact = dal_fact_next(&job->variant->facts, DAL_FACT_ERROR, fact))) {
        if (is_of_maker(job, fact))
            return 0;
        count += !of_syntax || fact->error.is_syntax;
    }
    return count;
}

static int refuse_source(struct dal__job *job)
{
    struct dal_spec_place place = {.file = dal_diag_file(job->diags, job->unit->source->path),
                                   .line = 1};
    const struct dal_fact *fact = NULL;
    if (dal__unit_errors(job->diags, job->unit->source, "kernel-build", dal__job_original(job)))
        return DAL_ERR_INVALID;
    if (job->variant->is_refused)
        dal_error(job->diags, place, "kernel-build", "%s", dal_text_get(&job->variant->text));
    while ((fact = dal_fact_next(&job->variant->facts, DAL_FACT_ERROR, fact)))
        dal_error(job->diags, dal__place_in_unit(job->diags, job->unit, fact), "kernel-build", "%s",
                  fact->name);
    return DAL_ERR_INVALID;
}

/* ---- which kernel is meant ------------------------------------------------------------------- */

static void refuse_kernels(struct dal__job *job, size_t count)
{
    struct dal_spec_place place = {.file = dal_diag_file(job->diags, job->unit->source->path),
                                   .line = 1};
    const char *base = job->unit->process->base;
    const struct dal_fact *kernel = NULL;
    if (count)
        dal_error(job->diags, place, "kernel-signature",
                  "process '%s': none of %zu kernels is named '%s'", job->unit->process->name,
                  count, base);
    else
        dal_error(job->diags, place, "kernel-signature",
                  "process '%s': this source has 0 kernels; expected '%s void %s(...)'",
                  job->unit->process->name, dal__words_of(job->unit)->kernel, base);
    while ((kernel = next_kernel(job, kernel)))
        dal_note(job->diags, dal__job_place(job, kernel), "there is kernel '%s'", kernel->name);
    dal_note(job->diags, job->unit->source->place, "the source is named here");
}

/* Chooses the kernel named after the process, or the only one there is. */
static int choose_kernel(struct dal__job *job)
{
    const struct dal_fact *kernel = NULL;
    size_t count = 0;
    job->kernel = NULL;
    while ((kernel = next_kernel(job, kernel))) {
        if (!job->kernel || strcmp(kernel->name, job->unit->process->base) == 0)
            job->kernel = kernel;
        count++;
    }
    if (job->kernel && (count == 1 || strcmp(job->kernel->name, job->unit->process->base) == 0))
        return DAL_OK;
    if (count == 0 && count_errors(job, 0))
        return refuse_source(job);
    refuse_kernels(job, count);
    return DAL_ERR_INVALID;
}

/* Returns a kernel without its "}", which would end behind the text, in what the reader adds there;
 * or NULL. */
static const struct dal_fact *find_open(const struct dal__job *job)
{
    const struct dal_fact *kernel = NULL;
    while ((kernel = next_kernel(job, kernel)) && kernel->function.end < job->variant->text.length)
        ;
    return kernel;
}

/* Tells what is wrong with a kernel in the words of ports, if its text can be parsed. */
static int check_variant(struct dal__job *job)
{
    const struct dal_fact *open;
    int status;
    if (job->variant->is_refused || count_errors(job, 1))
        return refuse_source(job);
    open = find_open(job);
    if (open)
        return dal_error(job->diags, dal__job_place(job, open), "kernel-build",
                         "kernel '%s' has no '}'", open->name);
    status = choose_kernel(job);
    if (!status)
        status = dal__check_signature(job);
    return !status && count_errors(job, 0) ? refuse_source(job) : status;
}

/* ---- the unit -------------------------------------------------------------------------------- */

/* Finds the unit's variants, which another unit may have found already. */
static int find_variants(struct dal_diags *diags, const struct dal_plan *plan,
                         struct dal_plan_unit *unit, struct dal_reading *reading)
{
    const struct dal_plan_unit *alike;
    int status;
    if (dal__unit_prologue(plan, unit))
        return DAL_ERR_NOMEM;
    reading->prologue = unit->prologue;
    alike = dal__unit_alike(plan, unit);
    unit->shares_facts = alike != NULL;
    unit->variants = alike ? alike->variants : dal_calloc(1, sizeof(*unit->variants));
    if (alike || !unit->variants)
        return alike ? DAL_OK : DAL_ERR_NOMEM;
    status = dal__variants_read(diags, unit->source, reading, unit->variants);
    if (status) {
        dal_variants_finish(unit->variants);
        dal_free(unit->variants);
        unit->variants = NULL;
    }
    return status;
}

static void finish_job(struct dal__job *job)
{
    dal_facts_finish(&job->original);
    dal_free_all(job->args, job->counts, job->values);
}

/* Names of OpenCL C and C++ begin so, and may be macros of a driver there. */
static int may_be_macro(const char *name)
{
    return *name >= 'a' && *name <= 'z';
}

/* Chooses one name for all variants: the user's, unless that is taken, or may be. */
static int choose_name(struct dal_plan_unit *unit, const struct dal__job *jobs)
{
    const char *name = NULL;
    int is_taken = 0;
    for (size_t i = 0; i < unit->variants->count; i++) {
        if (!jobs[i].kernel)
            continue;
        is_taken |= dal__kernel_is_used(jobs[i].variant, jobs[i].kernel) ||
                    may_be_macro(jobs[i].kernel->name) ||
                    (name && strcmp(name, jobs[i].kernel->name) != 0);
        name = jobs[i].kernel->name;
    }
    unit->kernel = dal_format("%s%s", is_taken ? DAL__KERNEL : "", name);
    return unit->kernel ? DAL_OK : DAL_ERR_NOMEM;
}

/* Reports to a device that takes this variant the first error, at its place. */
static void add_missing(struct dal_text *text, const struct dal__job *job)
{
    const struct dal_fact *fact = dal_fact_next(&job->variant->facts, DAL_FACT_ERROR, NULL);
    if (!fact) {
        dal_text_add(text, "#error This source has no kernel for this device.\n");
        return;
    }
    dal_text_printf(text, "#line %d ", fact->line);
    dal_text_add_literal(text, fact->file);
    dal_text_printf(text, "\n#error %.*s\n", (int)strcspn(fact->name, "\n"), fact->name);
}

/* A variant without a kernel is an error only on a device that takes it. */
static int add_variant(void *data, struct dal_text *text, size_t variant)
{
    const struct dal__job *job = (const struct dal__job *)data + variant;
    if (job->kernel)
        dal__add_in_place(text, job);
    else
        add_missing(text, job);
    return DAL_OK;
}

/* Checks that an argument has the same type in all variants. */
static int join_value(struct dal__job *job, size_t parameter)
{
    const struct dal_spec_process *process = job->unit->process;
    const struct dal_plan_value *value = &job->values[parameter];
    struct dal_plan_value *joined = &job->unit->values[parameter];
    if (value->is_taken && joined->is_taken &&
        (value->type != joined->type || value->memory != joined->memory))
        return dal_error(
            job->diags, dal__job_place(job, job->kernel), "kernel-signature",
            "process '%s', kernel '%s': argument '%s' is %s for some devices and %s for "
            "others",
            process->name, job->kernel->name, dal_plan_value_name(process, parameter),
            dal_plan_value_type(joined), dal_plan_value_type(value));
    if (value->is_taken)
        *joined = *value;
    return DAL_OK;
}

static int join_values(struct dal_diags *diags, struct dal_plan_unit *unit, struct dal__job *jobs)
{
    unit->values = dal_calloc(dal_plan_most_values(unit->process) + 1, sizeof(*unit->values));
    if (!unit->values)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < unit->variants->count; i++) {
        jobs[i].diags = diags;
        for (size_t k = 0; jobs[i].kernel && k < dal_plan_most_values(unit->process); k++)
            if (join_value(&jobs[i], k))
                return DAL_ERR_INVALID;
    }
    return DAL_OK;
}

/* Has the type this value, of one of the processes that have the unit? */
static int check_text(struct dal_diags *diags, const struct dal_plan_unit *unit, size_t parameter,
                      const struct dal_spec_process *process)
{
    const struct dal_spec_parameter *given = &process->parameters[parameter];
    const struct dal_value_traits *type = dal_value_traits(unit->values[parameter].type);
    char value[8];
    int status = dal_value_parse(given->value, type->is_real, type->is_signed, type->bytes, value);
    if (status)
        dal_error(diags, given->place, "parameter-value",
                  "process '%s', parameter '%s': \"%s\" is %s %s, which kernel '%s' takes",
                  process->name, given->name, given->value,
                  status == DAL_ERR_LIMIT ? "out of the range of" : "no", type->name,
                  dal__kernel_name(unit));
    return status;
}

static int check_texts(struct dal_diags *diags, const struct dal_plan *plan,
                       const struct dal_plan_unit *unit)
{
    int status = DAL_OK;
    for (size_t i = 0; i < plan->process_count; i++)
        for (size_t k = 0; k < unit->process->parameter_count && plan->processes[i].unit == unit;
             k++)
            if (unit->values[k].is_taken && check_text(diags, unit, k, plan->processes[i].process))
                status = DAL_ERR_INVALID;
    return status;
}

static int check_job(struct dal__job *job, struct dal_diags *diags)
{
    int status;
    job->diags = diags;
    status = check_variant(job);
    if (status)
        job->kernel = NULL;
    return status;
}

/* Checks all variants. Unless one is good, the last says what is wrong. */
static int check_jobs(struct dal_diags *diags, struct dal__job *jobs, size_t count)
{
    struct dal_diags unsaid;
    int status = DAL_OK;
    size_t i, good = 0;
    dal_diags_init(&unsaid);
    for (i = 0; i + 1 < count && (!status || status == DAL_ERR_INVALID); i++) {
        status = check_job(&jobs[i], &unsaid);
        good += status == DAL_OK;
    }
    if (!status || status == DAL_ERR_INVALID)
        status = check_job(&jobs[i], good ? &unsaid : diags);
    dal_diags_finish(&unsaid);
    return good && status == DAL_ERR_INVALID ? DAL_OK : status;
}

/* Makes the text that calls the kernel once for each firing of a cycle. */
static int add_phases(struct dal_diags *diags, struct dal_plan_unit *unit)
{
    char *reason = NULL;
    int status = dal__group_obstacle(unit, &reason);
    if (!status)
        status = dal__phases_text(unit);
    if (status == DAL_ERR_UNSUPPORTED) {
        dal_error(
            diags, unit->source->place, "unsupported-kind",
            "process '%s' is cyclo-static, and its kernel '%s' cannot be called once for each "
            "phase: %s; a portable source can",
            unit->process->name, dal__kernel_name(unit),
            reason ? reason : "local memory is not used where it seems to be");
        status = DAL_ERR_INVALID;
    }
    dal_free(reason);
    return status;
}

static int make_jobs(struct dal_diags *diags, struct dal_plan_unit *unit,
                     const struct dal_reading *reading)
{
    size_t count = unit->variants->count;
    struct dal__job *jobs = dal_calloc(count, sizeof(*jobs));
    int status = jobs ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; i < count && !status; i++) {
        jobs[i] = (struct dal__job){.unit = unit, .variant = &unit->variants->list[i]};
        jobs[i].reading = *reading;
        jobs[i].reading.defines = &jobs[i].variant->defines;
        jobs[i].args = dal_calloc(unit->process->port_count + 1, sizeof(*jobs[i].args));
        jobs[i].counts = dal_calloc(unit->process->port_count + 1, sizeof(*jobs[i].counts));
        jobs[i].values =
            dal_calloc(dal_plan_most_values(unit->process) + 1, sizeof(*jobs[i].values));
        status = jobs[i].args && jobs[i].counts && jobs[i].values ? DAL_OK : DAL_ERR_NOMEM;
    }
    if (!status)
        status = check_jobs(diags, jobs, count);
    if (!status)
        status = join_values(diags, unit, jobs);
    if (!status)
        status = choose_name(unit, jobs);
    if (!status && dal_plan_phases(unit->process) > 1)
        status = add_phases(diags, unit);
    else if (!status)
        status = dal__add_variants(&unit->text, unit->variants, add_variant, jobs);
    for (size_t i = 0; jobs && i < count; i++)
        finish_job(&jobs[i]);
    dal_free(jobs);
    return status;
}

int dal_unit_rewrite_kernel(struct dal_diags *diags, const struct dal_plan *plan,
                            struct dal_plan_unit *unit)
{
    char *folder = dal_plan_folder(plan);
    struct dal_reading reading = {.path = unit->source->path,
                                  .is_opencl = 1,
                                  .is_cuda = unit->source->type == DAL_SOURCE_CUDA,
                                  .folder = folder,
                                  .options = unit->source->cflags};
    int status = folder ? find_variants(diags, plan, unit, &reading) : DAL_ERR_NOMEM;
    if (!status)
        status = make_jobs(diags, unit, &reading);
    if (!status)
        status = check_texts(diags, plan, unit);
    dal_free(folder);
    return !status && unit->text.lost ? DAL_ERR_NOMEM : status;
}

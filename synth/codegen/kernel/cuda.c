/*
 * Kernels for CUDA. They have the text of all devices; there, the words of OpenCL C are macros and
 * functions (rt/cuda). So the text must be C++ as well. libclang reads it as C++ before CUDA's
 * compiler does where the program runs. So errors are told in the words of the source.
 */
#include "synth/codegen/c/unit.h"
#include "synth/codegen/clang/reader.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

static int is_on_cuda(const struct dal_plan *plan, const struct dal_plan_unit *unit)
{
    for (size_t i = 0; i < plan->process_count; i++)
        if (plan->processes[i].unit == unit &&
            plan->processes[i].binding->capability == DAL_PROCESSOR_CUDA)
            return 1;
    return 0;
}

/* Words in errors of C++ compilers, and what helps. */
static const struct {
    const char *said, *instead;
} hints[] = {
    {"void *", "write the cast, which OpenCL C takes too"},
    {"undeclared identifier", "CUDA has nothing of that name"},
    {"unknown type name", "CUDA has nothing of that name"},
    {"cannot jump", "declare the variable before the jump, or in a block of its own"},
    {"designator", "give all values, in their order"},
    {"", "the kernel must be C++ as well"},
};

static const char *find_hint(const char *said)
{
    size_t i = 0;
    while (!strstr(said, hints[i].said))
        i++;
    return hints[i].instead;
}

static int is_same_line(const struct dal_fact *a, const struct dal_fact *b)
{
    return a->line == b->line && strcmp(dal_path_base(a->file), dal_path_base(b->file)) == 0;
}

/* Returns the reader's fact about the line of an error; NULL without one. */
static const struct dal_fact *find_words(const struct dal_plan_unit *unit,
                                         const struct dal_fact *error)
{
    for (size_t i = 0; unit->variants && i < unit->variants->count; i++) {
        const struct dal_fact *fact = NULL;
        while ((fact = dal_fact_next(&unit->variants->list[i].facts, DAL_FACT_CUDA, fact)))
            if (is_same_line(fact, error))
                return fact;
    }
    return NULL;
}

static void refuse_line(struct dal_diags *diags, const struct dal_plan_unit *unit,
                        const struct dal_fact *fact)
{
    const struct dal_fact *words = find_words(unit, fact);
    struct dal_spec_place place = dal__place_in_unit(diags, unit, fact);
    const char *name = unit->process->base;
    if (words)
        dal_error(diags, place, "cuda-source", "process '%s': %s", name, words->name);
    else if (fact->kind == DAL_FACT_ERROR)
        dal_error(diags, place, "cuda-source", "process '%s': CUDA is C++, where this is: %s; %s",
                  name, fact->name, find_hint(fact->name));
    else
        dal_error(diags, place, "cuda-source", "process '%s': CUDA has not %s", name, fact->name);
}

/* Has an error of the same line been told before? */
static int is_told(const struct dal_facts *facts, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (is_same_line(&facts->list[i], &facts->list[number]))
            return 1;
    return 0;
}

static int is_refusal(const struct dal_fact *fact)
{
    return fact->kind == DAL_FACT_ERROR || fact->kind == DAL_FACT_NEVER;
}

/* Has the reader words for an error? Then the other errors mostly follow from it. */
static int has_words(const struct dal_plan_unit *unit, const struct dal_facts *facts)
{
    for (size_t i = 0; i < facts->count; i++)
        if (is_refusal(&facts->list[i]) && find_words(unit, &facts->list[i]))
            return 1;
    return 0;
}

static size_t refuse_lines(struct dal_diags *diags, const struct dal_plan_unit *unit,
                           const struct dal_facts *facts)
{
    int in_words = has_words(unit, facts);
    size_t count = 0;
    for (size_t i = 0; i < facts->count; i++) {
        const struct dal_fact *fact = &facts->list[i];
        if (!is_refusal(fact) || is_told(facts, i) || (in_words && !find_words(unit, fact)))
            continue;
        refuse_line(diags, unit, fact);
        count++;
    }
    return count;
}

/* Refuses a kernel that the source calls itself: in CUDA, only a launch can do that. */
static size_t refuse_calls(struct dal_diags *diags, const struct dal_plan_unit *unit,
                           const struct dal_facts *facts)
{
    const struct dal_fact *kernel = NULL, *call;
    size_t count = 0;
    while ((kernel = dal_fact_next(facts, DAL_FACT_FUNCTION, kernel))) {
        call =
            kernel->function.is_kernel ? dal_fact_find(facts, DAL_FACT_CALL, kernel->name) : NULL;
        if (!call)
            continue;
        dal_error(diags, dal__place_in_unit(diags, unit, call), "cuda-source",
                  "process '%s': kernel '%s' is called, which CUDA has not; make a function of its "
                  "body, and call that",
                  unit->process->base, kernel->name);
        count++;
    }
    return count;
}

/* Refuses what would mean something else in CUDA. Returns how many refusals there are. */
static size_t refuse_meanings(struct dal_diags *diags, const struct dal_plan_unit *unit)
{
    size_t count = 0;
    for (size_t i = 0; unit->variants && i < unit->variants->count; i++) {
        const struct dal_facts *facts = &unit->variants->list[i].facts;
        const struct dal_fact *fact = NULL;
        count += refuse_calls(diags, unit, facts);
        for (; (fact = dal_fact_next(facts, DAL_FACT_NEVER, fact)); count++)
            dal_error(diags, dal__place_in_unit(diags, unit, fact), "cuda-source",
                      "process '%s': %s", unit->process->base, fact->name);
    }
    return count;
}

int dal__read_as_cuda(const struct dal_plan *plan, const struct dal_plan_unit *unit,
                      struct dal_facts *facts)
{
    char *folder = dal_plan_folder(plan);
    struct dal_reading reading = {.path = unit->source->path,
                                  .is_opencl = 1,
                                  .is_cuda = 1,
                                  .is_made = 1,
                                  .folder = folder,
                                  .text = dal_text_get(&unit->text),
                                  .options = unit->source->cflags};
    int status = folder ? dal_read_source(&reading, facts) : DAL_ERR_NOMEM;
    dal_free(folder);
    return status;
}

static int check_unit(struct dal_diags *diags, const struct dal_plan *plan,
                      const struct dal_plan_unit *unit)
{
    struct dal_facts facts = {0};
    size_t wrong = refuse_meanings(diags, unit);
    int is_own = unit->source->type == DAL_SOURCE_CUDA;
    int status = is_own ? DAL_OK : dal__read_as_cuda(plan, unit, &facts);
    if (status == DAL_ERR_SYSTEM)
        status = dal__unit_unread(diags, unit->source);
    if (!status)
        wrong += refuse_lines(diags, unit, &facts);
    if (wrong)
        dal_note(diags, unit->source->place, "the source is named here");
    dal_facts_finish(&facts);
    return wrong && !status ? DAL_ERR_INVALID : status;
}

int dal__units_check_cuda(struct dal_diags *diags, const struct dal_plan *plan)
{
    int result = DAL_OK;
    for (size_t i = 0; i < plan->unit_count; i++) {
        int status =
            is_on_cuda(plan, &plan->units[i]) ? check_unit(diags, plan, &plan->units[i]) : DAL_OK;
        if (status && status != DAL_ERR_INVALID)
            return status;
        result = status ? status : result;
    }
    return result;
}

/* OpenMP in C sources: whether the compiler has it, and what has no fixed order. */
#include "synth/codegen/c/source.h"
#include "synth/codegen/c/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"
#include "synth/codegen/clang/reader.h"

#include <stdlib.h>
#include <string.h>

static const char *compiler_of(const struct dal_plan_unit *unit)
{
    const char *variable = unit->source->cxx ? "CXX" : "CC", *given = getenv(variable);
    if (given && *given)
        return given;
    return unit->source->cxx ? "c++" : "cc";
}

/* Has the compiler OpenMP, as the program's Makefile calls it? $CC may be several words. Its header
 * comes with the library. */
static int has_openmp(const struct dal_plan_unit *unit)
{
    char *command = dal_format("echo '#include <omp.h>' | %s -fopenmp -x %s -E - >/dev/null 2>&1",
                               compiler_of(unit), unit->source->cxx ? "c++" : "c");
    const char *const argv[] = {"sh", "-c", command, NULL};
    struct dal_child child = {.argv = argv, .limit_ns = DAL_READER_SECONDS * INT64_C(1000000000)};
    char *output = NULL;
    int status = command ? dal_child_run(&child, &output) : DAL_ERR_NOMEM;
    dal_free_all(output, command);
    return status == DAL_ERR_NOMEM || status == DAL_ERR_INTERRUPTED ? status : status == 0;
}

static int check_compiler(struct dal_diags *diags, const struct dal_plan *plan,
                          const struct dal_plan_unit *unit)
{
    int found = has_openmp(unit);
    if (!found)
        dal_error(diags, plan->processes[unit->process->number].binding->place, "no-openmp",
                  "process '%s' has threads, and its compiler '%s' cannot do OpenMP here: install "
                  "its library (libgomp of gcc, libomp-dev of clang), or leave threads out",
                  unit->process->name, compiler_of(unit));
    return found < 0 ? found : found ? DAL_OK : DAL_ERR_INVALID;
}

/* Warns of a reduction in no fixed order. The compiler chooses the order of a vector's lanes. */
static void warn_of_reduction(struct dal_diags *diags, const struct dal_plan_unit *unit,
                              const struct dal_fact *fact)
{
    struct dal_spec_place place = dal__unit_place(diags, unit->source, fact);
    if (unit->openmp && strcmp(fact->reduction.lanes, "simd") != 0)
        dal_warning(diags, place, "openmp-order",
                    "process '%s': OpenMP reduces '%s' by '%s' in no fixed order, so its last bits "
                    "may differ from run to run; keep a part for each thread and add them up in a "
                    "loop",
                    unit->process->name, fact->name, fact->reduction.operation);
    else if (*fact->reduction.lanes)
        dal_warning(diags, place, "openmp-order",
                    "process '%s': a vector reduces '%s' by '%s' in another order than a loop "
                    "does, so its last bits depend on the compiler's options",
                    unit->process->name, fact->name, fact->reduction.operation);
}

static void warn_of_order(struct dal_diags *diags, const struct dal_plan_unit *unit)
{
    const struct dal_fact *fact = NULL;
    while ((fact = dal_fact_next(unit->facts, DAL_FACT_REDUCTION, fact)))
        warn_of_reduction(diags, unit, fact);
}

int dal_source_openmp(struct dal_diags *diags, const struct dal_plan *plan)
{
    int checked[2] = {0}, status = DAL_OK;
    dal_plan_check_teams(diags, plan);
    for (size_t i = 0; i < plan->unit_count && !status; i++) {
        const struct dal_plan_unit *unit = &plan->units[i];
        if (unit->openmp && !checked[unit->source->cxx != 0]++)
            status = check_compiler(diags, plan, unit);
        if (unit->type == DAL_SOURCE_C && unit->facts && !unit->shares_facts)
            warn_of_order(diags, unit);
    }
    return status;
}

const char *dal_source_openmp_options(const struct dal_plan_unit *unit)
{
    if (unit->openmp)
        return "-fopenmp";
    /* gcc takes some that are not in force, atomic for one, for pragmas that it does not know. */
    return unit->facts && dal_fact_next(unit->facts, DAL_FACT_OPENMP, NULL)
               ? "-fopenmp-simd -Wno-unknown-pragmas"
               : NULL;
}

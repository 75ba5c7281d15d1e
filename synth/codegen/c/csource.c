/* Finds the process functions and the state of a C source among the reader's facts. */
#include "synth/codegen/c/source.h"
#include "synth/codegen/c/unit.h"
#include "synth/codegen/clang/reader.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

int dal__unit_is_alike(const struct dal_plan_unit *a, const struct dal_plan_unit *b)
{
    return a->source->type == b->source->type && a->source->cxx == b->source->cxx &&
           a->openmp == b->openmp && strcmp(a->source->path, b->source->path) == 0 &&
           strcmp(a->prologue, b->prologue) == 0 &&
           dal_text_same(a->source->cflags, b->source->cflags);
}

const struct dal_plan_unit *dal__unit_alike(const struct dal_plan *plan,
                                            const struct dal_plan_unit *unit)
{
    const struct dal_plan_unit *other;
    for (size_t i = 0; (other = dal_plan_any_unit(plan, i)); i++)
        if (other != unit && (other->facts || other->variants) && dal__unit_is_alike(other, unit))
            return other;
    for (size_t i = 0; i < plan->proof_count; i++)
        if (&plan->proofs[i] != unit && plan->proofs[i].facts &&
            dal__unit_is_alike(&plan->proofs[i], unit))
            return &plan->proofs[i];
    return NULL;
}

int dal__unit_prologue(const struct dal_plan *plan, struct dal_plan_unit *unit)
{
    struct dal_text prologue = {0};
    if (unit->prologue)
        return DAL_OK;
    dal_source_constants(&prologue, plan, unit,
                         dal_spec_runs(DAL_PROCESSOR_CORE, unit->source->type) ? DAL_PORTS_NAMED
                                                                               : DAL_PORTS_NONE);
    unit->prologue = dal_text_take(&prologue);
    return unit->prologue ? DAL_OK : DAL_ERR_NOMEM;
}

/* Adds the lines that are not there; returns how many those were. */
static size_t join_lists(struct dal_text *list, const struct dal_text *more)
{
    const char *at = dal_text_get(more);
    size_t added = 0;
    for (; *at; at += strcspn(at, "\n") + 1)
        added += (size_t)dal_text_list_join(list, at, strcspn(at, "\n"));
    return added;
}

/* Reads again as long as a reading changes what stands in front. */
static int read_rounds(const struct dal_plan *plan, struct dal_plan_unit *unit,
                       struct dal_reading *reading)
{
    enum { ROUNDS = 3 };
    struct dal_facts *facts = unit->facts;
    int round = 0, status;
    size_t changes;

    do {
        struct dal_text prologue = {0};
        dal_facts_finish(facts);
        dal_source_constants(&prologue, plan, unit, DAL_PORTS_NAMED);
        reading->prologue = dal_text_get(&prologue);
        reading->undefined = &unit->undefined;
        status = prologue.lost ? DAL_ERR_NOMEM : dal_read_source(reading, facts);
        dal_text_finish(&prologue);
        changes =
            join_lists(&unit->own, &facts->own) + join_lists(&unit->undefined, &facts->undefined);
        if (unit->own.lost || unit->undefined.lost)
            status = DAL_ERR_NOMEM;
    } while (!status && changes && ++round < ROUNDS);
    return status;
}

static int read_unit(struct dal_diags *diags, const struct dal_plan *plan,
                     struct dal_plan_unit *unit, const char *text)
{
    char *folder = dal_plan_folder(plan);
    struct dal_reading reading = {
        .path = unit->source->path,
        .text = text,
        .folder = folder,
        .options = unit->source->cflags,
        .is_cxx = unit->source->cxx,
        .openmp = unit->openmp,
        .output = unit->output,
    };
    int status = DAL_OK;
    unit->output = NULL;
    unit->facts = dal_calloc(1, sizeof(*unit->facts));
    if (!folder || !unit->facts)
        status = DAL_ERR_NOMEM;
    else if (!reading.output)
        status = dal__unit_files(diags, unit->source, NULL);
    if (!status)
        status = read_rounds(plan, unit, &reading);
    if (status && unit->facts) { /* no other unit is to take them for its own */
        dal_facts_finish(unit->facts);
        dal_free(unit->facts);
        unit->facts = NULL;
    }
    dal_free_all(reading.output, folder);
    return status == DAL_ERR_SYSTEM ? dal__unit_unread(diags, unit->source) : status;
}

/* Finds the facts, which another unit may have found already. */
static int find_facts(struct dal_diags *diags, const struct dal_plan *plan,
                      struct dal_plan_unit *unit, const char *text)
{
    const struct dal_plan_unit *alike;
    if (dal__unit_prologue(plan, unit))
        return DAL_ERR_NOMEM;
    alike = dal__unit_alike(plan, unit);
    if (!alike)
        return read_unit(diags, plan, unit, text);
    unit->facts = alike->facts;
    unit->shares_facts = 1;
    join_lists(&unit->own, &alike->own);
    join_lists(&unit->undefined, &alike->undefined);
    return unit->own.lost || unit->undefined.lost ? DAL_ERR_NOMEM : DAL_OK;
}

/* Refuses what is legal C, but not in a process. */
static int check_refused(struct dal_diags *diags, const struct dal_plan_unit *unit)
{
    const struct dal_fact *fact = dal_fact_next(unit->facts, DAL_FACT_REFUSED, NULL);
    if (!fact)
        return DAL_OK;
    return dal_error(diags, dal__unit_place(diags, unit->source, fact), "source-build", "%s",
                     fact->name);
}

static int check_state(struct dal_diags *diags, const struct dal_plan_unit *unit)
{
    const struct dal_fact *fact = dal_fact_next(unit->facts, DAL_FACT_FLEXIBLE, NULL);
    if (!fact)
        return DAL_OK;
    return dal_error(
        diags, dal__unit_place(diags, unit->source, fact), "flexible-state",
        "process '%s': '%s' at the end of struct _local_states has no size, so there is no "
        "memory for it; give it one, or make it a pointer",
        unit->process->name, fact->name);
}

int dal_unit_scan_c(struct dal_diags *diags, const struct dal_plan *plan,
                    struct dal_plan_unit *unit)
{
    char *header = dal_format("%s.h", unit->process->base);
    struct dal_text text = {0};
    int status;
    status = !header                ? DAL_ERR_NOMEM
             : unit->source->python ? dal__python_stub(&text)
                                    : dal_unit_rewrite_foreach(diags, unit, &text);
    if (!status)
        status = find_facts(diags, plan, unit, text.length ? dal_text_get(&text) : NULL);
    if (!status)
        status = dal__unit_functions(diags, plan, unit);
    if (!status) {
        unit->asks_header = dal_text_list_has(&unit->facts->missing, header);
        status = check_refused(diags, unit);
    }
    if (!status)
        status = check_state(diags, unit);
    if (!status && unit->source->python)
        status = dal__python_text(diags, plan, unit);
    else if (!status && unit->type == DAL_SOURCE_C) {
        unit->text = text;
        text = (struct dal_text){0};
    }
    dal_text_finish(&text);
    dal_free(header);
    return status;
}

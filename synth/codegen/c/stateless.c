/* Finds which processes keep nothing from one firing to the next, by what their sources say. */
#include "synth/codegen/c/source.h"
#include "synth/codegen/c/unit.h"
#include "synth/codegen/clang/given.h"
#include "synth/codegen/clang/reader.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/text.h"

#include <string.h>

/* Takes the doubt over; NULL: out of memory. */
static int set_doubt(struct dal_spec_source *source, char *doubt)
{
    dal_free(source->doubt);
    source->doubt = doubt;
    source->keeps_nothing = 0;
    return doubt ? DAL_OK : DAL_ERR_NOMEM;
}

static int set_proof(struct dal_spec_source *source)
{
    dal_free(source->doubt);
    source->doubt = NULL;
    source->keeps_nothing = 1;
    return DAL_OK;
}

/* Has it options that may bring macros, of files or for the preprocessor, which the reader does not
 * take? */
static int hides_macros(const char *options)
{
    static const char *const begins[] = {"@",         "-Wp,",      "-Xpreprocessor",
                                         "-Xclang",   "--config",  "--define-macro",
                                         "--imacros", "--include", "--undefine-macro"};
    struct dal_text word = {0};
    int found = 0;
    while (options && dal_text_next_word(&options, &word) > 0)
        for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
            found |= strncmp(dal_text_get(&word), begins[i], strlen(begins[i])) == 0 &&
                     !dal_text_is_wrapped_define(dal_text_get(&word));
    dal_text_finish(&word);
    return found;
}

/* Doubts for which the source need not be read. */
static const char *plain_doubt(const struct dal_spec_process *process,
                               const struct dal_spec_source *source)
{
    int hidden = hides_macros(source->cflags);
    for (int i = 0; i < DAL_GIVEN; i++)
        hidden |= hides_macros(dal_given_options(i, source->cxx));
    return process->io      ? "type io has effects outside"
           : source->cxx    ? "C++ is not looked into"
           : source->python ? "Python is not looked into"
           : hidden         ? "an option, as @FILE or -Wp, may bring macros that are not seen"
                            : NULL;
}

static const struct dal_function *beside_fire(const struct dal_plan_unit *unit)
{
    return unit->roles[DAL_ROLE_INIT] ? unit->roles[DAL_ROLE_INIT] : unit->roles[DAL_ROLE_FINISH];
}

/* ---- what depends on more than the source ---------------------------------------------------- */

static int is_inplace(const struct dal_spec_process *process, const char *port)
{
    for (size_t i = 0; i < process->port_count; i++)
        if (!process->ports[i].output && strcmp(process->ports[i].name, port) == 0)
            return process->ports[i].channel && process->ports[i].channel->inplace;
    return 0;
}

/* Returns the next fact about fire behind another one, or the first for NULL; NULL without one. */
static const struct dal_fact *next_of(const struct dal_plan_unit *unit, enum dal_fact_kind kind,
                                      const struct dal_fact *fact)
{
    while ((fact = dal_fact_next(unit->facts, kind, fact)))
        if (strcmp(fact->name, unit->roles[DAL_ROLE_FIRE]->symbol) == 0)
            return fact;
    return NULL;
}

/* Another function may have the name of one of the library. */
static const struct dal_fact *find_defined(const struct dal_plan_unit *unit,
                                           const struct dal_facts *file)
{
    const struct dal_fact *relies = NULL, *function;
    while ((relies = next_of(unit, DAL_FACT_RELIES, relies))) {
        function = dal_fact_find(file, DAL_FACT_FUNCTION, relies->word.word);
        if (function && !function->function.is_static)
            return relies;
    }
    return NULL;
}

/* Judges by one more file of the source. */
static int judge_file(struct dal_spec_source *source, const struct dal_plan *plan,
                      const struct dal_plan_unit *unit, const struct dal_spec_file *file)
{
    char *folder = dal_plan_folder(plan);
    struct dal_reading reading = {.path = file->path,
                                  .folder = folder,
                                  .options = source->cflags,
                                  .is_cxx = file->cxx,
                                  .prologue = ""};
    struct dal_facts facts = {0};
    const struct dal_fact *defined;
    int status = folder ? dal_read_source(&reading, &facts) : DAL_ERR_NOMEM;
    if (!status && (defined = find_defined(unit, &facts)))
        status = set_doubt(source, dal_format("%s:%d calls '%s', which %s defines",
                                              dal_path_base(defined->file), defined->line,
                                              defined->word.word, file->location));
    else if (status == DAL_ERR_SYSTEM)
        status = set_doubt(source, dal_format("%s cannot be read", file->location));
    dal_facts_finish(&facts);
    dal_free(folder);
    return status;
}

/* Judges a source that keeps nothing, if its files and its channels are as they should be. */
static int judge_more(struct dal_spec_source *source, const struct dal_spec_process *process,
                      const struct dal_plan *plan, const struct dal_plan_unit *unit)
{
    const struct dal_fact *input = NULL;
    int status = set_proof(source);
    while ((input = next_of(unit, DAL_FACT_INPUT, input)))
        if (!is_inplace(process, input->word.word))
            return set_doubt(source, dal_format("%s:%d writes the window of an input",
                                                dal_path_base(input->file), input->line));
    if (!next_of(unit, DAL_FACT_RELIES, NULL))
        return status;
    for (size_t i = 0; i < source->file_count && !status && source->keeps_nothing; i++)
        status = judge_file(source, plan, unit, &source->files[i]);
    return status;
}

static int judge(struct dal_spec_source *source, const struct dal_spec_process *process,
                 const struct dal_plan *plan, const struct dal_plan_unit *unit)
{
    const char *plain = plain_doubt(process, source),
               *fire = unit->roles[DAL_ROLE_FIRE] ? unit->roles[DAL_ROLE_FIRE]->symbol : "";
    const struct dal_fact *doubt;
    source->has_state = unit->has_state;
    if (unit->has_state)
        return set_doubt(source, dal_format("%s has a state at p->local", source->location));
    if (plain)
        return set_doubt(source, dal_strdup(plain));
    if (beside_fire(unit))
        return set_doubt(source,
                         dal_format("%s has %s", source->location, beside_fire(unit)->name));
    if (dal_fact_find(unit->facts, DAL_FACT_STATELESS, fire))
        return judge_more(source, process, plan, unit);
    doubt = dal_fact_find(unit->facts, DAL_FACT_DOUBT, fire);
    if (!doubt)
        return set_doubt(source, dal_format("%s has no body of its fire", source->location));
    return set_doubt(
        source, dal_format("%s:%d %s", dal_path_base(doubt->file), doubt->line, doubt->word.word));
}

static struct dal_spec_source *source_of(struct dal_spec *spec, const struct dal_plan_process *p)
{
    return &spec->network.processes[p->process->number].sources[p->source - p->process->sources];
}

int dal_source_judge(struct dal_spec *spec, const struct dal_plan *plan)
{
    int status = DAL_OK;
    for (size_t i = 0; i < plan->process_count && !status; i++) {
        const struct dal_plan_process *p = &plan->processes[i];
        if (!dal_plan_on_device(p) && p->unit && p->unit->facts)
            status = judge(source_of(spec, p), p->process, plan, p->unit);
    }
    return status;
}

/* ---- before there are units ------------------------------------------------------------------ */

/* Is the answer wanted, and does only the source have it? Where the network says that a process is
 * stateless, its source says whether it has a state. */
static int is_asked(const struct dal_plan_process *p)
{
    return p->source && !dal_plan_on_device(p) && p->process->stateless != DAL_STATELESS_NO &&
           dal_spec_runs(DAL_PROCESSOR_CORE, p->source->type) &&
           dal_plan_may_have_copies(p->process) &&
           (!p->binding || (p->processor_count > 1 && !p->binding->threads));
}

/* Is there a doubt for which the source need not be read? */
static const char *unread_doubt(const struct dal_plan_process *p)
{
    return p->process->stateless == DAL_STATELESS_YES && !p->source->python
               ? NULL
               : plain_doubt(p->process, p->source);
}

static int list_proofs(struct dal_plan *plan)
{
    plan->proofs = dal_calloc(plan->process_count + 1, sizeof(*plan->proofs));
    for (size_t i = 0; plan->proofs && i < plan->process_count; i++) {
        const struct dal_plan_process *p = &plan->processes[i];
        if (is_asked(p) && !unread_doubt(p) && !dal__unit_for(plan->proofs, plan->proof_count, p))
            plan->proofs[plan->proof_count++] = dal__unit_of(p);
    }
    return plan->proofs ? DAL_OK : DAL_ERR_NOMEM;
}

/* What is wrong with a source is said when its unit is made. */
static int read_proofs(struct dal_plan *plan)
{
    int status = dal__units_read_ahead(plan, plan->proofs, plan->proof_count);
    struct dal_diags unsaid;
    dal_diags_init(&unsaid);
    for (size_t i = 0; i < plan->proof_count && !status; i++) {
        status = dal_unit_scan_c(&unsaid, plan, &plan->proofs[i]);
        if (status == DAL_ERR_INVALID)
            status = DAL_OK;
    }
    dal_diags_finish(&unsaid);
    return status;
}

static int take_proofs(struct dal_spec *spec, const struct dal_plan *plan)
{
    int status = DAL_OK;
    for (size_t i = 0; i < plan->process_count && !status; i++) {
        const struct dal_plan_process *p = &plan->processes[i];
        const struct dal_plan_unit *unit = dal__unit_for(plan->proofs, plan->proof_count, p);
        const char *plain = is_asked(p) ? unread_doubt(p) : NULL;
        if (plain) {
            source_of(spec, p)->has_state = p->source->python;
            status = set_doubt(source_of(spec, p), dal_strdup(plain));
        } else if (is_asked(p) && unit && unit->facts)
            status = judge(source_of(spec, p), p->process, plan, unit);
    }
    return status;
}

int dal_source_prove(struct dal_spec *spec, struct dal_plan *plan)
{
    int status = list_proofs(plan);
    if (!status)
        status = read_proofs(plan);
    return status ? status : take_proofs(spec, plan);
}

/* A process as the proofs need it, where there is no plan. */
static struct dal_plan_process describe(const struct dal_spec *spec, size_t number, int all)
{
    const struct dal_spec_process *process = &spec->network.processes[number];
    const struct dal_spec_binding *b =
        !all && number < spec->mapping.binding_count ? &spec->mapping.bindings[number] : NULL;
    return (struct dal_plan_process){.process = process,
                                     .binding = b,
                                     .source =
                                         all ? dal_spec_source_for(process, DAL_PROCESSOR_CORE)
                                         : b ? b->source
                                             : NULL,
                                     .device = b && dal_spec_is_device(b->capability),
                                     .processor_count = b ? b->processor_count : 0,
                                     .work_items = 1};
}

int dal_source_prove_alone(struct dal_spec *spec, int all)
{
    struct dal_plan plan = {.spec = spec, .process_count = spec->network.process_count};
    int status = DAL_ERR_NOMEM;
    plan.processes = dal_calloc(plan.process_count + 1, sizeof(*plan.processes));
    if (plan.processes) {
        for (size_t i = 0; i < plan.process_count; i++)
            plan.processes[i] = describe(spec, i, all);
        status = dal_source_prove(spec, &plan);
    }
    dal__plan_proofs_finish(&plan);
    dal_free(plan.processes);
    return status;
}

/* ---- what is said and not so ----------------------------------------------------------------- */

static int check_said(struct dal_diags *diags, const struct dal_plan_unit *unit)
{
    const struct dal_spec_process *process = unit->process;
    const struct dal_fact *fact =
        dal_fact_find(unit->facts, DAL_FACT_WRITES, unit->roles[DAL_ROLE_FIRE]->symbol);
    if (!fact)
        return DAL_OK;
    dal_error(diags, dal__unit_place(diags, unit->source, fact), "not-stateless",
              "process '%s' is said to be stateless, but its firings %s", process->name,
              fact->word.word);
    dal_note(diags, process->place,
             "make the variable one of fire, keep what passes between firings in a channel, or "
             "leave out stateless=\"true\"");
    return DAL_ERR_INVALID;
}

int dal__check_stateless(struct dal_diags *diags, const struct dal_plan *plan)
{
    int status = DAL_OK;
    for (size_t i = 0; i < plan->unit_count; i++) {
        const struct dal_plan_unit *unit = &plan->units[i];
        if (unit->type == DAL_SOURCE_C && unit->process->stateless == DAL_STATELESS_YES &&
            unit->facts && unit->roles[DAL_ROLE_FIRE] && check_said(diags, unit))
            status = DAL_ERR_INVALID;
    }
    return status;
}

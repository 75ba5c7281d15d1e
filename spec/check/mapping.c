/* Checks the mapping: every process must be on processors that can run one of its sources. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/check/mapping.h"

#include <string.h>

/* Most processors of all bindings together. */
#define MAX_CHOSEN ((uint64_t)1 << 25)

/* Processors */

/* Processors of one binding, marked by number. */
struct marks {
    unsigned char *marked;
    size_t count;
};

static void mark_processors(struct dal_diags *diags,
                            const struct dal_spec_architecture *architecture,
                            const struct dal__raw *raw, const struct dal__raw_binding *binding,
                            const struct dal__raw_reference *reference, struct marks *marks)
{
    size_t before = marks->count;
    int exact = !dal_names_is_pattern(reference->name) ||
                dal_names_find(&raw->names.processors, reference->name) != DAL_NAMES_NONE,
        fits = 0;
    size_t first = exact ? dal_names_find(&raw->names.processors, reference->name) : 0;
    for (size_t i = first; i < architecture->processor_count; i++) {
        if (!exact && !dal_names_match(reference->name, architecture->processors[i].name))
            continue;
        fits = 1;
        marks->count += !marks->marked[i];
        marks->marked[i] = 1;
        if (exact)
            break;
    }
    if (!fits)
        dal__unknown_processor(diags, architecture, raw, binding, reference);
    else if (exact && marks->count == before)
        dal_error(diags, reference->place, "duplicate-binding",
                  "binding '%s' names processor '%s' twice", binding->name, reference->name);
}

static int choose_processors(struct dal_diags *diags, struct dal_spec_architecture *architecture,
                             const struct dal__raw *raw, const struct dal__raw_binding *binding,
                             struct dal__choice *choice)
{
    struct marks marks = {.marked = dal_calloc(architecture->processor_count + 1, 1)};
    if (!marks.marked)
        return dal__lost(diags);
    for (size_t i = 0; i < binding->processor_count; i++)
        mark_processors(diags, architecture, raw, binding, &binding->processors[i], &marks);
    dal__join_cores(architecture, marks.marked, choice);
    choice->processors = dal_calloc(marks.count + 1, sizeof(*choice->processors));
    for (size_t i = 0; choice->processors && i < architecture->processor_count; i++)
        if (marks.marked[i])
            choice->processors[choice->count++] = &architecture->processors[i];
    dal_free(marks.marked);
    return choice->processors ? DAL_OK : dal__lost(diags);
}

/* Sources */

static const struct dal_spec_processor *first_unable(const struct dal__choice *choice,
                                                     enum dal_spec_source_type type)
{
    for (size_t i = 0; i < choice->count; i++)
        if (!dal_spec_runner(choice->processors[i], type))
            return choice->processors[i];
    return NULL;
}

/* Returns the first source that all processors can run; an OpenCL source runs on one. */
static struct dal_spec_source *find_runnable(const struct dal_spec_process *process,
                                             const struct dal__choice *choice)
{
    for (size_t i = 0; i < process->source_count; i++) {
        struct dal_spec_source *source = &process->sources[i];
        if (process->kpn && !dal_spec_blocks(source->type))
            continue;
        if (!first_unable(choice, source->type) &&
            dal__all_have(choice, dal__choose_capability(choice, source->type)))
            return source;
    }
    return NULL;
}

/* Nobody has seen a mapping that is made: the process has the place then. What it lacks may be told
 * already. */
static void refuse_sources(struct dal_diags *diags, const struct dal__raw *raw,
                           const struct dal__raw_binding *binding,
                           const struct dal_spec_process *process, const struct dal__choice *choice)
{
    if (raw->made && (!process->source_count || process->kpn))
        return;
    if (raw->made)
        dal_error(diags, process->place, "capability-mismatch",
                  "process '%s' has no source that runs on a core; add a .c, or give an "
                  "architecture and a mapping",
                  process->name);
    else
        dal_error(diags, binding->process.place, "capability-mismatch",
                  "binding '%s': process '%s' has no source that its processor%s can run",
                  binding->name, process->name, choice->count > 1 ? "s all" : "");
    dal__note_sources(diags, process);
    if (!raw->made)
        dal__note_capabilities(diags, choice->processors[0]);
}

static struct dal_spec_source *choose_source(struct dal_diags *diags, const struct dal__raw *raw,
                                             const struct dal__raw_binding *binding,
                                             const struct dal_spec_process *process,
                                             const struct dal__choice *choice)
{
    struct dal_spec_source *source = binding->has_source
                                         ? dal__find_source(process, binding->source)
                                         : find_runnable(process, choice);
    const struct dal_spec_processor *unable;
    if (!source && binding->has_source) {
        dal_error(diags, binding->process.place, "unknown-source",
                  "binding '%s': process '%s' has no source with id %d", binding->name,
                  process->name, binding->source);
        dal__note_sources(diags, process);
        return NULL;
    }
    if (dal__refuse_mix(diags, binding, process, binding->has_source ? source : NULL, choice))
        return NULL;
    if (!source && choice->count > 0) {
        refuse_sources(diags, raw, binding, process, choice);
        return NULL;
    }
    unable = source ? first_unable(choice, source->type) : NULL;
    if (!unable)
        return source;
    dal_error(diags, binding->process.place, "capability-mismatch",
              "binding '%s': source %d of process '%s' is of type %s, for which processor '%s' "
              "lacks the capability %s",
              binding->name, source->id, process->name, dal_spec_source_kind(source), unable->name,
              dal_spec_source_traits(source->type)->needs);
    dal__note_capabilities(diags, unable);
    dal__note_sources(diags, process);
    return NULL;
}

/* Bindings */

static int add_binding(struct dal_diags *diags, struct dal_spec *spec,
                       const struct dal__raw_binding *raw, struct dal_spec_process *process,
                       struct dal_spec_source *source, const struct dal__choice *choice)
{
    struct dal_spec_mapping *mapping = &spec->mapping;
    struct dal_spec_binding *binding;
    if (dal_extend(&mapping->bindings, mapping->binding_count, sizeof(*binding)))
        return dal__lost(diags);
    binding = &mapping->bindings[mapping->binding_count++];
    *binding = (struct dal_spec_binding){
        .name = dal_strdup(raw->name),
        .process = process,
        .source = source,
        .capability = dal__choose_capability(choice, source->type),
        .processors = dal_calloc(choice->count + 1, sizeof(*binding->processors)),
        .processor_count = choice->count,
        .shadow_copies = raw->shadow_copies,
        .work_items = raw->work_items,
        .work_shape = {raw->work_shape[0], raw->work_shape[1], raw->work_shape[2]},
        .priority = raw->priority,
        .has_priority = raw->has_priority,
        .threads = raw->threads,
        .group = raw->group,
        .place = raw->place,
    };
    if (!binding->name || !binding->processors)
        return dal__lost(diags);
    memcpy(binding->processors, choice->processors, choice->count * sizeof(*choice->processors));
    return DAL_OK;
}

/* A tap is on the node of the process that it listens to, or writes to. Returns a processor of that
 * node; NULL where any node will do. */
static const struct dal_spec_processor *neighbour_of(const struct dal_spec_process *process,
                                                     const size_t *chosen,
                                                     const struct dal__choice *choices)
{
    const struct dal_spec_channel *channel = process->tap.kind ? process->ports->channel : NULL;
    size_t binding = DAL_NAMES_NONE;
    if (channel)
        binding = chosen[(process->ports->output ? channel->consumer : channel->producer)->number];
    if (binding == DAL_NAMES_NONE || !choices[binding].count)
        return NULL;
    return choices[binding].processors[0];
}

/* Binds an open port that the mapping does not name to the cores that the others use; with none of
 * these, to all. Its thread waits most of the time. Only cores on the node of `near` count. */
static int bind_open(struct dal_diags *diags, struct dal_spec *spec, const struct dal__raw *raw,
                     const struct dal__choice *choices, struct dal_spec_process *process,
                     const struct dal_spec_processor *near)
{
    const struct dal__raw_binding binding = {.name = process->name, .place = process->place};
    struct dal_spec_architecture *architecture = &spec->architecture;
    struct marks marks = {.marked = dal_calloc(architecture->processor_count + 1, 1)};
    struct dal__choice choice = {0};
    int status;
    choice.processors = dal_calloc(architecture->processor_count + 1, sizeof(*choice.processors));
    for (size_t i = 0; marks.marked && i < raw->mapping.binding_count; i++)
        for (size_t k = 0; k < choices[i].count; k++) {
            const struct dal_spec_processor *used = choices[i].processors[k];
            int is_core =
                dal_spec_capability(used, DAL_PROCESSOR_CORE) && dal__same_node(near, used);
            marks.count += is_core && !marks.marked[used->number];
            marks.marked[used->number] |= (unsigned char)is_core;
        }
    for (size_t i = 0; marks.marked && choice.processors && i < architecture->processor_count; i++)
        if (marks.count ? marks.marked[i]
                        : dal_spec_capability(&architecture->processors[i], DAL_PROCESSOR_CORE) &&
                              dal__same_node(near, &architecture->processors[i]))
            choice.processors[choice.count++] = &architecture->processors[i];
    status = marks.marked && choice.processors ? DAL_OK : dal__lost(diags);
    if (!status && !choice.count)
        dal_error(diags, process->place, "unbound-process",
                  "port '%s' of the network: the architecture has no core that could read or write "
                  "it",
                  process->name);
    else if (!status)
        status = add_binding(diags, spec, &binding, process, process->sources, &choice);
    dal_free_all(marks.marked, choice.processors);
    return status;
}

static int bind_processes(struct dal_diags *diags, struct dal_spec *spec,
                          const struct dal__raw *raw, struct dal__choice *choices)
{
    const size_t *chosen = raw->mapping.chosen;
    for (size_t i = 0; i < spec->network.process_count; i++) {
        struct dal_spec_process *process = &spec->network.processes[i];
        const struct dal__raw_binding *binding;
        struct dal_spec_source *source;
        if (chosen[i] == DAL_NAMES_NONE) {
            if (raw->open || dal_names_find(&raw->names.processes, process->name) != i)
                continue;
            if (dal_spec_is_open(process)) {
                if (bind_open(diags, spec, raw, choices, process,
                              neighbour_of(process, chosen, choices)))
                    return DAL_ERR_NOMEM;
                continue;
            }
            dal_error(diags, spec->mapping.place, "unbound-process",
                      "mapping '%s' binds process '%s' to no processor", spec->mapping.name,
                      process->name);
            dal_note(diags, process->place, "process '%s' is here", process->name);
            continue;
        }
        binding = &raw->mapping.bindings[chosen[i]];
        source = choose_source(diags, raw, binding, process, &choices[chosen[i]]);
        if (!source)
            continue;
        dal__remark_mix(diags, binding, &choices[chosen[i]]);
        dal__check_bound(diags, binding, process, source, &choices[chosen[i]]);
        if (add_binding(diags, spec, binding, process, source, &choices[chosen[i]]))
            return DAL_ERR_NOMEM;
        dal__choose_fallback(diags, spec, raw, binding,
                             &spec->mapping.bindings[spec->mapping.binding_count - 1]);
    }
    dal__choose_fallback_cores(spec);
    return dal__check_nodes(diags, &spec->mapping);
}

/* Returns the most comparisons of characters for a binding's patterns of processors. */
static uint64_t matching_of(const struct dal_spec_architecture *architecture,
                            const struct dal__raw_binding *binding)
{
    uint64_t letters = 0, patterns = 0;
    for (size_t i = 0; i < binding->processor_count; i++)
        if (dal_names_is_pattern(binding->processors[i].name))
            patterns += strlen(binding->processors[i].name);
    for (size_t i = 0; patterns && i < architecture->processor_count; i++)
        letters += strlen(architecture->processors[i].name);
    return letters * patterns;
}

/* What a part says of its own in vain may name processors of other machines. */
static int choose_all(struct dal_diags *diags, struct dal_spec *spec, const struct dal__raw *raw,
                      struct dal__choice *choices)
{
    uint64_t work = 0, chosen = 0;
    int status = DAL_OK;
    for (size_t i = 0; i < raw->mapping.binding_count && !status; i++) {
        if (!choices[i].taken && raw->mapping.bindings[i].place.file != spec->mapping.file)
            continue;
        work += matching_of(&spec->architecture, &raw->mapping.bindings[i]);
        if (work > DAL__MAX_MATCHING || chosen > MAX_CHOSEN) {
            dal_error(diags, raw->mapping.bindings[i].place, "network-size",
                      "too many bindings with so many processors each");
            return DAL_ERR_LIMIT;
        }
        status = choose_processors(diags, &spec->architecture, raw, &raw->mapping.bindings[i],
                                   &choices[i]);
        chosen += choices[i].count;
    }
    return status;
}

/* Finds the binding of each process. */
static void choose_bindings(struct dal_diags *diags, const struct dal_spec *spec,
                            const struct dal__raw *raw, struct dal__choice *choices)
{
    const struct dal__selection selection = {
        .element = "binding",
        .unknown = "unknown-process",
        .thing = "process",
        .all = &raw->names.processes,
        .names = DAL__LISTED(spec->network.processes, spec->network.process_count, name),
        .rules = DAL__LISTED(raw->mapping.bindings, raw->mapping.binding_count, process),
        .gone = raw->gone,
        .gone_count = raw->gone_count,
        .outer = spec->mapping.file,
        .inner = raw->network.inner,
        .inner_count = raw->network.inner_count,
    };
    size_t *chosen = raw->mapping.chosen;
    dal__select(diags, &selection, chosen);
    for (size_t i = 0; i < spec->network.process_count; i++)
        if (spec->network.processes[i].tap.kind)
            chosen[i] = DAL_NAMES_NONE; /* patterns are not for taps */
        else if (chosen[i] != DAL_NAMES_NONE)
            choices[chosen[i]].taken = 1;
}

static int check_bindings(struct dal_diags *diags, struct dal_spec *spec, struct dal__raw *raw)
{
    struct dal__choice *choices = dal_calloc(raw->mapping.binding_count + 1, sizeof(*choices));
    int placed = raw->has_architecture && spec->architecture.processor_count > 0, status;
    raw->mapping.chosen = dal_calloc(spec->network.process_count + 1, sizeof(size_t));
    status = choices && raw->mapping.chosen ? DAL_OK : dal__lost(diags);
    if (!status && raw->has_network && !(raw->made && !spec->network.process_count))
        choose_bindings(diags, spec, raw, choices);
    if (!status && placed)
        status = choose_all(diags, spec, raw, choices);
    if (!status && raw->has_network && placed)
        status = bind_processes(diags, spec, raw, choices);
    for (size_t i = 0; choices && i < raw->mapping.binding_count; i++)
        dal_free(choices[i].processors);
    dal_free(choices);
    return status;
}

/* A name of a binding is one of its file. */
static int check_names(struct dal_diags *diags, const struct dal__raw_mapping *mapping)
{
    int status = DAL_OK;
    for (size_t first = 0, end = 0; first < mapping->binding_count && !status; first = end) {
        struct dal_names names = {0};
        while (end < mapping->binding_count &&
               mapping->bindings[end].place.file == mapping->bindings[first].place.file)
            end++;
        status =
            DAL__CHECK_NAMES(diags, &names, "binding ", &mapping->bindings[first], end - first);
        dal_names_finish(&names);
    }
    return status;
}

/* Checks the values of variables: only open variables get one, and each gets one. */
static void check_values(struct dal_diags *diags, const struct dal_spec *spec,
                         const struct dal__raw *raw)
{
    const struct dal_spec_network *network = &spec->network;
    for (size_t i = 0; i < raw->mapping.value_count; i++) {
        const struct dal__raw_value *value = &raw->mapping.values[i];
        struct dal_spec_place place = {.file = spec->mapping.place.file, .line = value->line};
        size_t k = 0, earlier = 0;
        while (k < network->variable_count && strcmp(network->variables[k].name, value->name) != 0)
            k++;
        while (strcmp(raw->mapping.values[earlier].name, value->name) != 0)
            earlier++;
        if (k == network->variable_count)
            dal_error(diags, place, "unknown-variable", "the network has no variable '%s'",
                      value->name);
        else if (!network->variables[k].is_auto)
            dal_error(diags, place, "open-variable",
                      "variable '%s' is not left open: the network gives it a value", value->name);
        else if (earlier < i)
            dal_error(diags, place, "open-variable", "variable '%s' has a value already",
                      value->name);
    }
}

int dal__check_mapping(struct dal_diags *diags, struct dal_spec *spec, struct dal__raw *raw)
{
    const struct dal_spec_mapping *mapping = &spec->mapping;
    if (raw->has_network)
        check_values(diags, spec, raw);
    if (raw->has_mapping && strcmp(mapping->policy, "direct") == 0)
        dal_error(diags, raw->mapping.queue, "direct-policy",
                  "queue: policy \"direct\" is no order of a task queue: there the callbacks of a "
                  "driver launch, which nobody can order, and never more than one launch of a "
                  "process is in flight; dalbench activation measures it by hand");
    if (check_names(diags, &raw->mapping) || check_bindings(diags, spec, raw) ||
        dal__check_effect_mapping(diags, mapping, raw))
        return DAL_ERR_NOMEM;
    return raw->has_network ? dal__check_overrides(diags, spec, raw) : DAL_OK;
}

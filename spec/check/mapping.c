/* Checks the mapping: every process must be on processors that can run one of its sources. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "spec/base/limits.h"
#include "spec/check/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Most processors of all bindings together. */
#define MAX_CHOSEN ((uint64_t)1 << 25)

/* Context of the callbacks of dal__select(). */
struct context {
    const struct dal_spec *spec;
    const struct dal__raw *raw;
};

static const char *bound_name(const void *context, size_t thing)
{
    return ((const struct context *)context)->spec->network.processes[thing].name;
}

static const struct dal__raw_reference *binding_rule(const void *context, size_t rule)
{
    return &((const struct context *)context)->raw->bindings[rule].process;
}

static const char *channel_name(const void *context, size_t thing)
{
    return ((const struct context *)context)->spec->network.channels[thing].name;
}

static const struct dal__raw_reference *override_rule(const void *context, size_t rule)
{
    return &((const struct context *)context)->raw->overrides[rule].channel;
}

/* Processors */

/* Notes that the architecture lacks devices, as files do that were made without a driver. */
static void note_devices(struct dal_diags *diags, const struct dal_spec_architecture *architecture,
                         const char *name)
{
    if (strncmp(name, "device", 6) != 0)
        return;
    for (size_t i = 0; i < architecture->processor_count; i++)
        if (dal_spec_device(&architecture->processors[i]))
            return;
    dal_note(diags, architecture->place,
             "it has no device; dalinfo tells which this machine has (PoCL makes one of its "
             "cores), and 'dalinfo --architecture' writes the file anew");
}

static void unknown_processor(struct dal_diags *diags,
                              const struct dal_spec_architecture *architecture,
                              const struct dal__raw *raw, const struct dal__raw_binding *binding,
                              const struct dal__raw_reference *reference)
{
    char list[400] = "";
    struct dal__hint hint;
    dal_error(diags, reference->place, "unknown-processor",
              "binding '%s': the architecture has no processor '%s'%s", binding->name,
              reference->name, dal__did_you_mean(&hint, &raw->processors, reference->name));
    for (size_t i = 0; i < architecture->processor_count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
                 used > 250 ? "..." : architecture->processors[i].name);
        if (used > 250)
            break;
    }
    dal_note(diags, architecture->place, "architecture '%s' has: %s", architecture->name, list);
    note_devices(diags, architecture, reference->name);
}

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
                dal_names_find(&raw->processors, reference->name) != DAL_NAMES_NONE,
        fits = 0;
    size_t first = exact ? dal_names_find(&raw->processors, reference->name) : 0;
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
        unknown_processor(diags, architecture, raw, binding, reference);
    else if (exact && marks->count == before)
        dal_error(diags, reference->place, "duplicate-binding",
                  "binding '%s' names processor '%s' twice", binding->name, reference->name);
}

/* The processors that a raw binding names, in the order of the architecture. */
struct choice {
    struct dal_spec_processor **processors;
    size_t count;
};

static int choose_processors(struct dal_diags *diags, struct dal_spec_architecture *architecture,
                             const struct dal__raw *raw, const struct dal__raw_binding *binding,
                             struct choice *choice)
{
    struct marks marks = {.marked = dal_calloc(architecture->processor_count + 1, 1)};
    if (!marks.marked)
        return dal__lost(diags);
    for (size_t i = 0; i < binding->processor_count; i++)
        mark_processors(diags, architecture, raw, binding, &binding->processors[i], &marks);
    choice->processors = dal_calloc(marks.count + 1, sizeof(*choice->processors));
    for (size_t i = 0; choice->processors && i < architecture->processor_count; i++)
        if (marks.marked[i])
            choice->processors[choice->count++] = &architecture->processors[i];
    dal_free(marks.marked);
    return choice->processors ? DAL_OK : dal__lost(diags);
}

/* Sources */

static const struct dal_spec_processor *first_unable(const struct choice *choice,
                                                     enum dal_spec_source_type type)
{
    for (size_t i = 0; i < choice->count; i++)
        if (!dal_spec_runner(choice->processors[i], type))
            return choice->processors[i];
    return NULL;
}

static int all_have(const struct choice *choice, enum dal_spec_capability_kind kind)
{
    for (size_t i = 0; i < choice->count; i++)
        if (!dal_spec_capability(choice->processors[i], kind))
            return 0;
    return 1;
}

/* Chooses the capability that runs the source. Cores go first, since a portable source is C there.
 * Then comes the first in the processors' lists that all processors have, then the first that any
 * has. */
static enum dal_spec_capability_kind choose_capability(const struct choice *choice,
                                                       enum dal_spec_source_type type)
{
    enum dal_spec_capability_kind best = DAL_CAPABILITY_POSIX;
    int is_common = 0;
    if (dal_spec_runs(DAL_CAPABILITY_POSIX, type) && all_have(choice, DAL_CAPABILITY_POSIX))
        return DAL_CAPABILITY_POSIX;
    for (size_t i = choice->count; i-- > 0;)
        for (size_t k = choice->processors[i]->capability_count; k-- > 0;) {
            enum dal_spec_capability_kind kind = choice->processors[i]->capabilities[k].kind;
            int is_of_all = all_have(choice, kind);
            if (!dal_spec_is_device(kind) || !dal_spec_runs(kind, type) || is_common > is_of_all)
                continue;
            best = kind;
            is_common = is_of_all;
        }
    return best;
}

/* Returns the first processor that is no device, or NULL. */
static const struct dal_spec_processor *find_core(const struct choice *choice)
{
    for (size_t i = 0; i < choice->count; i++)
        if (!dal_spec_device(choice->processors[i]))
            return choice->processors[i];
    return NULL;
}

static void note_capabilities(struct dal_diags *diags, const struct dal_spec_processor *processor)
{
    size_t count = processor->capability_count, used = 0;
    char list[100] = "no capability";
    for (int i = 0, met = 0; i < DAL_CAPABILITIES; i++) {
        enum dal_spec_capability_kind kind = (enum dal_spec_capability_kind)i;
        if (!dal_spec_capability(processor, kind))
            continue;
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
                                 met == 0 ? (count > 1 ? "capabilities " : "capability ")
                                 : met + 1 == (int)count ? " and "
                                                         : ", ",
                                 dal_processor_traits(kind)->capability);
        met++;
    }
    dal_note(diags, processor->place, "processor '%s' has %s%s", processor->name, list,
             count == 1 ? " only" : "");
}

static void note_sources(struct dal_diags *diags, const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->source_count; i++)
        dal_note(diags, process->sources[i].place, "process '%s' has source %d of type %s",
                 process->name, process->sources[i].id,
                 dal_spec_source_traits(process->sources[i].type)->name);
}

/* Returns the first source that all processors can run; an OpenCL source runs on one. */
static struct dal_spec_source *find_runnable(const struct dal_spec_process *process,
                                             const struct choice *choice)
{
    for (size_t i = 0; i < process->source_count; i++) {
        struct dal_spec_source *source = &process->sources[i];
        if (process->kpn && source->type != DAL_SOURCE_C)
            continue;
        if (!first_unable(choice, source->type) &&
            all_have(choice, choose_capability(choice, source->type)))
            return source;
    }
    return NULL;
}

static struct dal_spec_source *find_source(const struct dal_spec_process *process, int id)
{
    for (size_t i = 0; i < process->source_count; i++)
        if (process->sources[i].id == id)
            return &process->sources[i];
    return NULL;
}

static struct dal_spec_source *choose_source(struct dal_diags *diags,
                                             const struct dal__raw_binding *binding,
                                             const struct dal_spec_process *process,
                                             const struct choice *choice)
{
    struct dal_spec_source *source = binding->has_source ? find_source(process, binding->source)
                                                         : find_runnable(process, choice);
    const struct dal_spec_processor *unable;
    if (!source && binding->has_source) {
        dal_error(diags, binding->process.place, "unknown-source",
                  "binding '%s': process '%s' has no source with id %d", binding->name,
                  process->name, binding->source);
        note_sources(diags, process);
        return NULL;
    }
    if (!source && choice->count > 0) {
        dal_error(diags, binding->process.place, "capability-mismatch",
                  "binding '%s': process '%s' has no source that its processor%s can run",
                  binding->name, process->name, choice->count > 1 ? "s all" : "");
        note_sources(diags, process);
        note_capabilities(diags, choice->processors[0]);
        return NULL;
    }
    unable = source ? first_unable(choice, source->type) : NULL;
    if (!unable)
        return source;
    dal_error(diags, binding->process.place, "capability-mismatch",
              "binding '%s': source %d of process '%s' is of type %s, for which processor '%s' "
              "lacks the capability %s",
              binding->name, source->id, process->name, dal_spec_source_traits(source->type)->name,
              unable->name, dal_spec_source_traits(source->type)->needs);
    note_capabilities(diags, unable);
    note_sources(diags, process);
    return NULL;
}

/* A process runs on cores or on devices, and on those in one capability. */
static void check_one_sort(struct dal_diags *diags, const struct dal__raw_binding *binding,
                           const struct dal_spec_process *process,
                           const struct dal_spec_source *source, const struct choice *choice)
{
    const struct dal_spec_processor *core = find_core(choice);
    if (all_have(choice, choose_capability(choice, source->type)))
        return;
    if (core)
        dal_error(diags, binding->place, "one-device",
                  "binding '%s': process '%s' is bound to a device and to a core ('%s'); it must "
                  "be devices, or cores, alone",
                  binding->name, process->name, core->name);
    else
        dal_error(diags, binding->place, "one-device",
                  "binding '%s': process '%s' is bound to devices that have no capability in "
                  "common; bind it to those of OPENCL, or of CUDA, alone",
                  binding->name, process->name);
}

static const struct dal_spec_channel *find_loop(const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        for (const struct dal_spec_channel *c = port->channel; port->output && c;
             c = dal_port_next(port, c))
            if (c->consumer == process)
                return c;
    }
    return NULL;
}

/* Warns if each firing needs the one before: the bytes are right, but the devices wait for each
 * other. */
static void check_dealt(struct dal_diags *diags, const struct dal__raw_binding *binding,
                        const struct dal_spec_process *process,
                        const struct dal_spec_source *source, const struct choice *choice)
{
    const struct dal_spec_channel *loop = find_loop(process);
    if (loop && choice->count > 1 && dal_spec_is_device(choose_capability(choice, source->type)))
        dal_warning(diags, binding->place, "no-effect",
                    "binding '%s': process '%s' has a state, in channel '%s', so that its %zu "
                    "devices take turns and none is faster for it",
                    binding->name, process->name, loop->name, choice->count);
}

static void check_kpn(struct dal_diags *diags, const struct dal__raw_binding *binding,
                      const struct dal_spec_process *process, const struct dal_spec_source *source)
{
    if (process->kpn && source->type != DAL_SOURCE_C)
        dal_error(diags, binding->process.place, "kpn-process",
                  "binding '%s': process '%s' has a port with a dynamic rate, and its source %d is "
                  "of type %s; only c can block",
                  binding->name, process->name, source->id,
                  dal_spec_source_traits(source->type)->name);
    if (process->kpn && dal_spec_is_number(binding->shadow_copies) && binding->shadow_copies > 1)
        dal_error(diags, binding->place, "kpn-process",
                  "binding '%s': process '%s' has a port with a dynamic rate: it is one thread and "
                  "has no shadow copies",
                  binding->name, process->name);
}

/* Refuses live parameters on devices: the arguments of an enqueued kernel cannot change. */
static void check_live(struct dal_diags *diags, const struct dal__raw_binding *binding,
                       const struct dal_spec_process *process, enum dal_spec_capability_kind on)
{
    const struct dal_spec_parameter *live = dal_spec_live_parameter(process);
    if (live && on != DAL_CAPABILITY_POSIX)
        dal_error(diags, binding->process.place, "live-parameter",
                  "binding '%s': parameter '%s' of process '%s' is live, so it runs as C on cores, "
                  "not on a device",
                  binding->name, live->name, process->name);
}

static void check_period(struct dal_diags *diags, const struct dal__raw_binding *binding,
                         const struct dal_spec_process *process, enum dal_spec_capability_kind on)
{
    if (!process->periodic.period_ns)
        return;
    if (on != DAL_CAPABILITY_POSIX)
        dal_error(
            diags, binding->process.place, "bad-period",
            "binding '%s': process '%s' is periodic, so it runs as C on cores, not on a device",
            binding->name, process->name);
    if (dal_spec_is_number(binding->shadow_copies) && binding->shadow_copies > 1)
        dal_error(diags, binding->place, "bad-period",
                  "binding '%s': process '%s' is periodic, and one release is for one firing after "
                  "the other: it has no shadow copies",
                  binding->name, process->name);
}

static void check_phases(struct dal_diags *diags, const struct dal__raw_binding *binding,
                         const struct dal_spec_process *process, enum dal_spec_capability_kind on)
{
    const char *why = NULL;
    if (on != DAL_CAPABILITY_POSIX)
        why = "runs as C on cores, not on a device";
    else if (dal_spec_is_number(binding->shadow_copies) && binding->shadow_copies > 1)
        why = "has no shadow copies";
    if (!process->by_phase || !why)
        return;
    dal_error(diags, binding->process.place, "bad-firing",
              "binding '%s': process '%s' is fired phase by phase, so it %s", binding->name,
              process->name, why);
    if (process->firing == DAL_FIRING_UNSAID)
        dal_note(diags, process->place,
                 "since the network deadlocks where '%s' begins whole cycles", process->name);
}

/* Fallbacks */

/* Returns the first core that the mapping uses on a device's node, else the first on the node. */
static struct dal_spec_processor *default_core(struct dal_spec *spec,
                                               const struct dal_spec_processor *device)
{
    struct dal_spec_architecture *architecture = &spec->architecture;
    const struct dal_spec_mapping *mapping = &spec->mapping;
    struct dal_spec_processor *first = NULL;
    for (size_t i = 0; i < architecture->processor_count; i++) {
        struct dal_spec_processor *processor = &architecture->processors[i];
        if (!dal_spec_capability(processor, DAL_CAPABILITY_POSIX) ||
            !dal__same_node(device, processor))
            continue;
        first = first ? first : processor;
        for (size_t k = 0; k < mapping->binding_count; k++)
            for (size_t n = 0; n < mapping->bindings[k].processor_count; n++)
                if (mapping->bindings[k].capability == DAL_CAPABILITY_POSIX &&
                    mapping->bindings[k].processors[n] == processor)
                    return processor;
    }
    return first;
}

/* Chooses the fallback cores that the mapping leaves open, after all bindings are known. */
static void choose_fallback_cores(struct dal_spec *spec)
{
    struct dal_spec_mapping *mapping = &spec->mapping;
    for (size_t i = 0; i < mapping->binding_count; i++) {
        struct dal_spec_binding *binding = &mapping->bindings[i];
        if (binding->fallback && !binding->fallback_processor)
            binding->fallback_processor = default_core(spec, binding->processors[0]);
        if (!binding->fallback_processor)
            binding->fallback = NULL; /* no core */
    }
}

/* Finds a second source. A portable one stands in for itself only when the mapping says so, lest it
 * be built for cores that nobody thought of. */
static struct dal_spec_source *find_for_cores(const struct dal_spec_process *process,
                                              const struct dal_spec_source *bound)
{
    for (size_t i = 0; i < process->source_count; i++)
        if (dal_spec_runs(DAL_CAPABILITY_POSIX, process->sources[i].type) &&
            &process->sources[i] != bound)
            return &process->sources[i];
    return NULL;
}

static void choose_fallback_source(struct dal_diags *diags, const struct dal__raw_binding *raw,
                                   struct dal_spec_binding *binding)
{
    const struct dal__raw_fallback *wish = &raw->fallback;
    const struct dal_spec_process *process = binding->process;
    struct dal_spec_source *source = wish->has_source ? find_source(process, wish->source)
                                                      : find_for_cores(process, binding->source);
    if (source && dal_spec_runs(DAL_CAPABILITY_POSIX, source->type)) {
        binding->fallback = source;
        return;
    }
    if (!wish->is_given)
        return;
    if (wish->has_source && !source)
        dal_error(diags, wish->place, "unknown-source",
                  "binding '%s': process '%s' has no source with id %d", raw->name, process->name,
                  wish->source);
    else
        dal_error(
            diags, wish->place, "capability-mismatch",
            "binding '%s': a fallback runs on a core, for which process '%s' has no other source",
            raw->name, process->name);
    note_sources(diags, process);
}

static void choose_fallback_processor(struct dal_diags *diags, struct dal_spec *spec,
                                      const struct dal__raw *raw,
                                      const struct dal__raw_binding *from,
                                      struct dal_spec_binding *binding)
{
    const struct dal__raw_fallback *wish = &from->fallback;
    const struct dal__raw_reference reference = {.name = wish->processor, .place = wish->place};
    size_t number;
    if (!wish->processor)
        return;
    number = dal_names_find(&raw->processors, wish->processor);
    if (number == DAL_NAMES_NONE) {
        unknown_processor(diags, &spec->architecture, raw, from, &reference);
        return;
    }
    binding->fallback_processor = &spec->architecture.processors[number];
    if (dal_spec_capability(binding->fallback_processor, DAL_CAPABILITY_POSIX))
        return;
    dal_error(diags, wish->place, "capability-mismatch",
              "binding '%s': a fallback runs on a core, for which processor '%s' lacks the "
              "capability POSIX",
              from->name, wish->processor);
    note_capabilities(diags, binding->fallback_processor);
}

static void choose_fallback(struct dal_diags *diags, struct dal_spec *spec,
                            const struct dal__raw *raw, const struct dal__raw_binding *from,
                            struct dal_spec_binding *binding)
{
    if (dal_spec_is_device(binding->capability)) {
        choose_fallback_source(diags, from, binding);
        choose_fallback_processor(diags, spec, raw, from, binding);
    } else if (from->fallback.is_given && !dal_names_is_pattern(from->process.name)) {
        dal_error(diags, from->fallback.place, "fallback",
                  "binding '%s': process '%s' runs on cores already and has no fallback",
                  from->name, binding->process->name);
    }
}

/* Bindings */

static int add_binding(struct dal_diags *diags, struct dal_spec *spec,
                       const struct dal__raw_binding *raw, struct dal_spec_process *process,
                       struct dal_spec_source *source, const struct choice *choice)
{
    struct dal_spec_mapping *mapping = &spec->mapping;
    struct dal_spec_binding *binding;
    if (dal__extend(&mapping->bindings, mapping->binding_count, sizeof(*binding)))
        return dal__lost(diags);
    binding = &mapping->bindings[mapping->binding_count++];
    *binding = (struct dal_spec_binding){
        .name = dal_strdup(raw->name),
        .process = process,
        .source = source,
        .capability = choose_capability(choice, source->type),
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

static int bind_processes(struct dal_diags *diags, struct dal_spec *spec,
                          const struct dal__raw *raw, const size_t *chosen,
                          const struct choice *choices)
{
    for (size_t i = 0; i < spec->network.process_count; i++) {
        struct dal_spec_process *process = &spec->network.processes[i];
        const struct dal__raw_binding *binding;
        struct dal_spec_source *source;
        if (chosen[i] == DAL_NAMES_NONE) {
            if (raw->open || dal_names_find(&raw->processes, process->name) != i)
                continue;
            dal_error(diags, spec->mapping.place, "unbound-process",
                      "mapping '%s' binds process '%s' to no processor", spec->mapping.name,
                      process->name);
            dal_note(diags, process->place, "process '%s' is here", process->name);
            continue;
        }
        binding = &raw->bindings[chosen[i]];
        source = choose_source(diags, binding, process, &choices[chosen[i]]);
        if (!source)
            continue;
        check_one_sort(diags, binding, process, source, &choices[chosen[i]]);
        check_dealt(diags, binding, process, source, &choices[chosen[i]]);
        check_kpn(diags, binding, process, source);
        check_period(diags, binding, process, choose_capability(&choices[chosen[i]], source->type));
        check_live(diags, binding, process, choose_capability(&choices[chosen[i]], source->type));
        check_phases(diags, binding, process, choose_capability(&choices[chosen[i]], source->type));
        if (add_binding(diags, spec, binding, process, source, &choices[chosen[i]]))
            return DAL_ERR_NOMEM;
        choose_fallback(diags, spec, raw, binding,
                        &spec->mapping.bindings[spec->mapping.binding_count - 1]);
    }
    choose_fallback_cores(spec);
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

static int choose_all(struct dal_diags *diags, struct dal_spec *spec, const struct dal__raw *raw,
                      struct choice *choices)
{
    uint64_t work = 0, chosen = 0;
    int status = DAL_OK;
    for (size_t i = 0; i < raw->binding_count && !status; i++) {
        work += matching_of(&spec->architecture, &raw->bindings[i]);
        if (work > DAL__MAX_MATCHING || chosen > MAX_CHOSEN) {
            dal_error(diags, raw->bindings[i].place, "network-size",
                      "too many bindings with so many processors each");
            return DAL_ERR_LIMIT;
        }
        status = choose_processors(diags, &spec->architecture, raw, &raw->bindings[i], &choices[i]);
        chosen += choices[i].count;
    }
    return status;
}

static int check_bindings(struct dal_diags *diags, struct dal_spec *spec,
                          const struct dal__raw *raw)
{
    const struct context context = {.spec = spec, .raw = raw};
    const struct dal__selection selection = {
        .element = "binding",
        .unknown = "unknown-process",
        .thing = "process",
        .all = &raw->processes,
        .name = bound_name,
        .rule = binding_rule,
        .context = &context,
        .thing_count = spec->network.process_count,
        .rule_count = raw->binding_count,
    };
    struct choice *choices = dal_calloc(raw->binding_count + 1, sizeof(*choices));
    size_t *chosen = dal_calloc(spec->network.process_count + 1, sizeof(*chosen));
    int status = choices && chosen ? DAL_OK : dal__lost(diags);
    int placed = raw->has_architecture && spec->architecture.processor_count > 0;
    if (!status && placed)
        status = choose_all(diags, spec, raw, choices);
    if (!status && raw->has_network)
        dal__select(diags, &selection, chosen);
    if (!status && raw->has_network && placed)
        status = bind_processes(diags, spec, raw, chosen, choices);
    for (size_t i = 0; choices && i < raw->binding_count; i++)
        dal_free(choices[i].processors);
    dal_free(choices);
    dal_free(chosen);
    return status;
}

/* Channels */

static int add_override(struct dal_diags *diags, struct dal_spec *spec,
                        const struct dal__raw_override *raw, struct dal_spec_channel *channel)
{
    struct dal_spec_mapping *mapping = &spec->mapping;
    if (dal__extend(&mapping->overrides, mapping->override_count, sizeof(*mapping->overrides)))
        return dal__lost(diags);
    mapping->overrides[mapping->override_count++] = (struct dal_spec_override){
        .channel = channel,
        .kind = raw->kind,
        .capacity = raw->capacity,
        .place = raw->channel.place,
    };
    return DAL_OK;
}

/* Gives a size to every channel of the port. */
static int add_size(struct dal_diags *diags, struct dal_spec *spec,
                    const struct dal__raw_override *raw, struct dal_spec_channel *channel, int own,
                    int unchecked)
{
    struct dal__raw_override size = {.channel = raw->channel, .capacity = raw->capacity};
    uint64_t least = dal_spec_least_capacity(channel);
    int fits = dal__check_inplace_size(diags, channel, raw->capacity, raw->channel.place);
    if (fits && raw->capacity && raw->capacity < least && !unchecked)
        dal_error(diags, raw->channel.place, "capacity-too-small",
                  "sw_channel '%s': size is %" PRIu64 ", must be at least %" PRIu64, channel->name,
                  raw->capacity, least);
    if (raw->capacity > DAL_MAX_CHANNEL_BYTES / channel->token_bytes)
        dal_error(diags, raw->channel.place, "size-too-large",
                  "sw_channel '%s': %" PRIu64 " tokens of %" PRIu64
                  " bytes are more than 2^40 bytes",
                  channel->name, raw->capacity, channel->token_bytes);
    return own ? DAL_OK : add_override(diags, spec, &size, channel);
}

static int apply_rules(struct dal_diags *diags, struct dal_spec *spec, const struct dal__raw *raw,
                       const size_t *rules, const size_t *sizes)
{
    int status = DAL_OK;
    for (size_t i = 0; i < spec->network.channel_count && !status; i++) {
        struct dal_spec_channel *channel = &spec->network.channels[i];
        if (rules[i] != DAL_NAMES_NONE)
            status = add_override(diags, spec, &raw->overrides[rules[i]], channel);
        if (!status && sizes[i] != DAL_NAMES_NONE)
            status = add_size(diags, spec, &raw->overrides[sizes[i]], channel, sizes[i] == rules[i],
                              raw->unchecked);
    }
    return status;
}

static int check_overrides(struct dal_diags *diags, struct dal_spec *spec,
                           const struct dal__raw *raw)
{
    const struct context context = {.spec = spec, .raw = raw};
    const struct dal__selection selection = {
        .element = "channel",
        .unknown = "unknown-channel",
        .thing = "sw_channel",
        .all = &raw->channel_names,
        .name = channel_name,
        .rule = override_rule,
        .context = &context,
        .thing_count = spec->network.channel_count,
        .rule_count = raw->override_count,
    };
    size_t *rules = dal_calloc(spec->network.channel_count + 1, sizeof(*rules));
    size_t *sizes = dal_calloc(spec->network.channel_count + 1, sizeof(*sizes));
    int status = rules && sizes ? DAL_OK : dal__lost(diags);
    if (!status) {
        dal__select(diags, &selection, rules);
        dal__check_reader_sizes(diags, &spec->network, raw, rules, sizes);
        status = apply_rules(diags, spec, raw, rules, sizes);
    }
    dal_free(rules);
    dal_free(sizes);
    return status;
}

/* Checks the values of variables: only open variables get one, and each gets one. */
static void check_values(struct dal_diags *diags, const struct dal_spec *spec,
                         const struct dal__raw *raw)
{
    const struct dal_spec_network *network = &spec->network;
    for (size_t i = 0; i < raw->value_count; i++) {
        const struct dal__raw_value *value = &raw->values[i];
        struct dal_spec_place place = {.file = spec->mapping.place.file, .line = value->line};
        size_t k = 0, earlier = 0;
        while (k < network->variable_count && strcmp(network->variables[k].name, value->name) != 0)
            k++;
        while (strcmp(raw->values[earlier].name, value->name) != 0)
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
    if (raw->has_network && raw->for_network && strcmp(raw->for_network, spec->network.name) != 0) {
        dal_error(diags, mapping->place, "wrong-network",
                  "mapping '%s' is for process network '%s', but this one is '%s'", mapping->name,
                  raw->for_network, spec->network.name);
        dal_note(diags, spec->network.place, "process network '%s' is here", spec->network.name);
    }
    if (DAL__CHECK_NAMES(diags, &raw->binding_names, "binding ", raw->bindings,
                         raw->binding_count) ||
        check_bindings(diags, spec, raw) || dal__check_effect_mapping(diags, mapping, raw))
        return DAL_ERR_NOMEM;
    return raw->has_network ? check_overrides(diags, spec, raw) : DAL_OK;
}

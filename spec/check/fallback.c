/* Fallbacks: C on a core for a process on a device. */
#include "spec/check/mapping.h"

/* Returns the first core that the mapping uses on a device's node, else the first on the node. */
static struct dal_spec_processor *default_core(struct dal_spec *spec,
                                               const struct dal_spec_processor *device)
{
    struct dal_spec_architecture *architecture = &spec->architecture;
    const struct dal_spec_mapping *mapping = &spec->mapping;
    struct dal_spec_processor *first = NULL;
    for (size_t i = 0; i < architecture->processor_count; i++) {
        struct dal_spec_processor *processor = &architecture->processors[i];
        if (!dal_spec_capability(processor, DAL_PROCESSOR_CORE) ||
            !dal__same_node(device, processor))
            continue;
        first = first ? first : processor;
        for (size_t k = 0; k < mapping->binding_count; k++)
            for (size_t n = 0; n < mapping->bindings[k].processor_count; n++)
                if (mapping->bindings[k].capability == DAL_PROCESSOR_CORE &&
                    mapping->bindings[k].processors[n] == processor)
                    return processor;
    }
    return first;
}

void dal__choose_fallback_cores(struct dal_spec *spec)
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
        if (dal_spec_runs(DAL_PROCESSOR_CORE, process->sources[i].type) &&
            &process->sources[i] != bound)
            return &process->sources[i];
    return NULL;
}

static void choose_fallback_source(struct dal_diags *diags, const struct dal__raw_binding *raw,
                                   struct dal_spec_binding *binding)
{
    const struct dal__raw_fallback *wish = &raw->fallback;
    const struct dal_spec_process *process = binding->process;
    struct dal_spec_source *source = wish->has_source ? dal__find_source(process, wish->source)
                                                      : find_for_cores(process, binding->source);
    if (source && dal_spec_runs(DAL_PROCESSOR_CORE, source->type)) {
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
    dal__note_sources(diags, process);
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
    number = dal_names_find(&raw->names.processors, wish->processor);
    if (number == DAL_NAMES_NONE) {
        dal__unknown_processor(diags, &spec->architecture, raw, from, &reference);
        return;
    }
    binding->fallback_processor = &spec->architecture.processors[number];
    if (dal_spec_capability(binding->fallback_processor, DAL_PROCESSOR_CORE))
        return;
    dal_error(diags, wish->place, "capability-mismatch",
              "binding '%s': a fallback runs on a core, for which processor '%s' lacks the "
              "capability POSIX",
              from->name, wish->processor);
    dal__note_capabilities(diags, binding->fallback_processor);
}

void dal__choose_fallback(struct dal_diags *diags, struct dal_spec *spec,
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

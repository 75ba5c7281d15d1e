/* Warns of what is given without effect: a user who writes it believes that it does something. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/check/check.h"

#include <string.h>

static int is_for_devices(const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->source_count; i++)
        if (process->sources[i].type != DAL_SOURCE_C)
            return 1;
    return 0;
}

static void check_sources(struct dal_diags *diags, const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->source_count; i++) {
        const struct dal_spec_source *source = &process->sources[i];
        if (source->type == DAL_SOURCE_C && dal_spec_is_number(source->work_items) &&
            source->work_items > 1)
            dal_warning(diags, source->place, "no-effect",
                        "process '%s': dataparallelism is of kernels; this source is C",
                        process->base);
        if (!dal_spec_runs(DAL_PROCESSOR_CORE, source->type) && source->libs)
            dal_warning(diags, source->place, "no-effect",
                        "process '%s': libs are of C; a kernel is linked with nothing",
                        process->base);
    }
}

/* Warns of the blocks of a window: they are for DAL_foreach, which kernels have not. */
static void check_blocks(struct dal_diags *diags, const struct dal_spec_process *process)
{
    int has_c = 0;
    for (size_t i = 0; i < process->source_count; i++)
        has_c |= dal_spec_runs(DAL_PROCESSOR_CORE, process->sources[i].type);
    for (size_t i = 0; i < process->port_count && !has_c; i++)
        if (process->ports[i].blocks > 1)
            dal_warning(diags, process->ports[i].place, "no-effect",
                        "process '%s', port '%s': blocks are those of DAL_foreach, and all of its "
                        "sources are kernels",
                        process->base, process->ports[i].name);
}

/* Warns of times of a KPN process: the analysis covers only fixed rates. */
static void check_time(struct dal_diags *diags, const struct dal_spec_process *process)
{
    int is_given = process->execution_time.is_given;
    for (size_t i = 0; i < process->source_count; i++)
        is_given |= process->sources[i].execution_time.is_given;
    if (process->kpn && is_given)
        dal_warning(
            diags, process->place, "no-effect",
            "process '%s': the analysis leaves out what has a port with a dynamic rate, and "
            "so its executiontime",
            process->base);
}

static void check_process(struct dal_diags *diags, const struct dal_spec_process *process)
{
    int is_python;
    check_sources(diags, process);
    check_time(diags, process);
    if (process->source_count > 0)
        check_blocks(diags, process);
    if (process->source_count == 0 || is_for_devices(process))
        return;
    is_python = dal_spec_is_python(process) && process->stateless == DAL_STATELESS_UNSAID;
    if (process->shadow_copies > 1 && !process->kpn &&
        (process->stateless == DAL_STATELESS_NO || is_python))
        dal_warning(diags, process->place, "no-effect",
                    "process '%s': shadowcopies mean nothing, since it %s", process->base,
                    is_python ? "is in Python" : "has no source for a device and is not stateless");
    if (process->priority)
        dal_warning(diags, process->place, "no-effect",
                    "process '%s': a priority is among launches on devices, and it has no source "
                    "for one",
                    process->base);
}

/* Warns once for an iterated process: processes stand in the order of the file, but for iterators
 * that go back. */
void dal__check_effect_network(struct dal_diags *diags, const struct dal_spec_network *network)
{
    const struct dal_spec_process *last = NULL;
    if (diags->errors)
        return;
    for (size_t i = 0; i < network->process_count; i++) {
        const struct dal_spec_process *process = &network->processes[i];
        if (last &&
            (process->place.line < last->place.line ||
             (process->place.line == last->place.line && strcmp(process->base, last->base) == 0)))
            continue;
        last = process;
        check_process(diags, process);
    }
}

/* Links: one joins a processor to its node, one between two nodes is a network. */

static int is_processor(const struct dal__raw *raw, const char *name)
{
    return dal_names_find(&raw->names.processors, name) != DAL_NAMES_NONE;
}

static int joins_nodes(const struct dal__raw *raw, const struct dal__raw_link *link)
{
    return !is_processor(raw, link->ends[0].name) && !is_processor(raw, link->ends[1].name) &&
           strcmp(link->ends[0].name, link->ends[1].name) != 0;
}

static void check_capability(struct dal_diags *diags, const struct dal_spec_processor *processor,
                             const struct dal_spec_capability *capability)
{
    if (capability->kind == DAL_PROCESSOR_CORE && capability->of_device)
        dal_warning(diags, capability->place, "no-effect",
                    "processor '%s': %s is of devices; this capability is POSIX", processor->name,
                    capability->of_device);
}

void dal__check_effect_architecture(struct dal_diags *diags,
                                    const struct dal_spec_architecture *architecture,
                                    const struct dal__raw *raw)
{
    if (diags->errors)
        return;
    for (size_t i = 0; i < architecture->processor_count; i++)
        for (size_t k = 0; k < architecture->processors[i].capability_count; k++)
            check_capability(diags, &architecture->processors[i],
                             &architecture->processors[i].capabilities[k]);
    for (size_t i = 0; i < raw->architecture.link_count; i++) {
        const struct dal__raw_link *link = &raw->architecture.links[i];
        if (is_processor(raw, link->ends[0].name) && is_processor(raw, link->ends[1].name))
            dal_warning(diags, link->place, "no-effect",
                        "link '%s': both of its ends are processors; a link joins a processor to "
                        "its <shared>",
                        link->name);
        else if (link->has_latency && !joins_nodes(raw, link))
            dal_warning(diags, link->place, "no-effect",
                        "link '%s': latency and bandwidth are of links between two nodes",
                        link->name);
    }
}

/* Facts about a binding that tell which of its wishes have an effect on a process that it
 * places. */
struct effect {
    int placed, device, cores, copies;
};

/* The order of launches, and how those processes on devices differ in it that it is about. */
struct order {
    const char *policy;
    int count, first, differ, periodic;
};

/* Returns what the mapping says of a binding; NULL of an open port that it does not name. */
static const struct dal__raw_binding *find_said(const struct dal__raw *raw,
                                                const struct dal_spec_binding *binding)
{
    size_t number = raw->mapping.chosen[binding->process->number];
    return number == DAL_NAMES_NONE ? NULL : &raw->mapping.bindings[number];
}

/* `effects` goes by number in raw->mapping.bindings. */
static void find_effects(const struct dal_spec_mapping *mapping, const struct dal__raw *raw,
                         struct effect *effects)
{
    for (size_t i = 0; i < mapping->binding_count; i++) {
        const struct dal_spec_binding *binding = &mapping->bindings[i];
        const struct dal__raw_binding *said = find_said(raw, binding);
        struct effect *effect = said ? &effects[said - raw->mapping.bindings] : NULL;
        int device = dal_spec_is_device(binding->capability);
        if (!effect)
            continue;
        effect->placed = 1;
        effect->device |= device;
        effect->cores |= !device;
        effect->copies |= device || (binding->process->stateless != DAL_STATELESS_NO &&
                                     binding->processor_count > 1 && !binding->threads);
    }
}

static struct order find_order(const struct dal_spec_mapping *mapping)
{
    struct order order = {.policy = mapping->policy ? mapping->policy : "fcfs"};
    for (size_t i = 0; i < mapping->binding_count; i++) {
        const struct dal_spec_binding *binding = &mapping->bindings[i];
        int priority = dal_spec_priority(binding);
        order.periodic |= binding->process->periodic.period_ns > 0;
        if (!dal_spec_is_device(binding->capability))
            continue;
        order.differ |= order.count > 0 && priority != order.first;
        order.first = priority;
        order.count++;
    }
    return order;
}

static void check_wishes(struct dal_diags *diags, const struct dal__raw_binding *raw,
                         const struct effect *effect, const struct order *order)
{
    if (raw->has_priority && raw->priority && effect->device && strcmp(order->policy, "priority"))
        dal_warning(diags, raw->place, "no-effect",
                    "binding '%s': a priority needs <queue policy=\"priority\"/>; the policy here "
                    "is %s",
                    raw->name, order->policy);
    if (raw->has_both_copies || raw->has_both_items)
        dal_warning(diags, raw->place, "no-effect",
                    "binding '%s': %s of <opencl> means nothing beside %s of <target>", raw->name,
                    raw->has_both_copies ? "workgroups" : "workitems",
                    raw->has_both_copies ? "shadowcopies" : "workitems");
    if (raw->fallback.is_given && !effect->device)
        dal_warning(diags, raw->fallback.place, "no-effect",
                    "binding '%s': a fallback is of processes on devices; here runs C", raw->name);
}

static void check_binding(struct dal_diags *diags, const struct dal__raw_binding *raw,
                          const struct effect *effect)
{
    if (dal_spec_is_number(raw->shadow_copies) && raw->shadow_copies > 1 && !effect->copies)
        dal_warning(diags, raw->place, "no-effect",
                    "binding '%s': shadow copies (workgroups) mean nothing here: they are of "
                    "kernels, and of stateless C on several cores",
                    raw->name);
    if (dal_spec_is_number(raw->work_items) && raw->work_items > 1 && !effect->device)
        dal_warning(diags, raw->place, "no-effect",
                    "binding '%s': work-items are of kernels; here runs C", raw->name);
    if (raw->has_priority && raw->priority && !effect->device)
        dal_warning(diags, raw->place, "no-effect",
                    "binding '%s': a priority is among launches on devices; here runs C",
                    raw->name);
    if (raw->threads && !effect->cores)
        dal_warning(diags, raw->place, "no-effect",
                    "binding '%s': threads are of C on cores; here runs a kernel", raw->name);
    if (raw->group != DAL_GROUP_IF_POSSIBLE && !effect->device)
        dal_warning(diags, raw->place, "no-effect",
                    "binding '%s': a group is of processes on a device; here runs C", raw->name);
}

static void check_queue(struct dal_diags *diags, const struct dal_spec_mapping *mapping,
                        const struct dal__raw *raw, int devices, const struct order *order)
{
    if (!raw->mapping.queue.line || mapping->binding_count == 0)
        return;
    if (!devices && raw->mapping.queue_says)
        dal_warning(diags, raw->mapping.queue, "no-effect",
                    "queue: its depth and policy are those of devices, and no process is on one");
    else if (strcmp(order->policy, "deadline") == 0 && !order->periodic)
        dal_warning(
            diags, raw->mapping.queue, "no-effect",
            "queue: policy \"deadline\" orders nothing: no process is periodic, and so none "
            "has a deadline");
    else if (strcmp(order->policy, "priority") == 0 && order->count > 1 && !order->differ)
        dal_warning(diags, raw->mapping.queue, "no-effect",
                    "queue: policy \"priority\" orders nothing: all processes on devices have "
                    "priority %d",
                    order->first);
    else if (!raw->mapping.queue_says && !raw->mapping.queue_fires)
        dal_warning(diags, raw->mapping.queue, "no-effect",
                    "queue: it says neither depth nor policy nor realtime");
    if (mapping->realtime && (size_t)order->count == mapping->binding_count)
        dal_warning(diags, raw->mapping.queue, "no-effect",
                    "queue: real-time mode is of threads on cores, and no process is on one");
}

static void check_overrides(struct dal_diags *diags, const struct dal__raw *raw)
{
    for (size_t i = 0; i < raw->mapping.override_count; i++)
        if (raw->mapping.overrides[i].kind == DAL_WISH_NONE && !raw->mapping.overrides[i].capacity)
            dal_warning(diags, raw->mapping.overrides[i].channel.place, "no-effect",
                        "channel '%s': it says neither kind nor size",
                        raw->mapping.overrides[i].channel.name);
}

int dal__check_effect_mapping(struct dal_diags *diags, const struct dal_spec_mapping *mapping,
                              const struct dal__raw *raw)
{
    struct effect *effects;
    struct order order = find_order(mapping);
    int devices = 0;
    if (diags->errors)
        return DAL_OK;
    effects = dal_calloc(raw->mapping.binding_count + 1, sizeof(*effects));
    if (!effects)
        return dal__lost(diags);
    find_effects(mapping, raw, effects);
    for (size_t i = 0; i < raw->mapping.binding_count; i++) {
        devices |= effects[i].device;
        if (!effects[i].placed)
            continue;
        check_binding(diags, &raw->mapping.bindings[i], &effects[i]);
        check_wishes(diags, &raw->mapping.bindings[i], &effects[i], &order);
    }
    dal_free(effects);
    check_queue(diags, mapping, raw, devices, &order);
    check_overrides(diags, raw);
    return DAL_OK;
}

static const struct dal_spec_source *second_c_source(const struct dal_spec_process *process)
{
    int count = 0;
    for (size_t i = 0; i < process->source_count; i++)
        if (process->sources[i].type == DAL_SOURCE_C && ++count == 2)
            return &process->sources[i];
    return NULL;
}

/* Does a binding say which source of a process it is for? One process of an iterator is enough. */
static int is_source_named(const struct dal_spec *spec, const struct dal__raw *raw,
                           const struct dal_spec_process *process)
{
    for (size_t i = 0; i < spec->mapping.binding_count; i++) {
        const struct dal_spec_binding *binding = &spec->mapping.bindings[i];
        const struct dal__raw_binding *said = find_said(raw, binding);
        if (said && strcmp(binding->process->base, process->base) == 0 &&
            (said->has_source || said->fallback.has_source))
            return 1;
    }
    return 0;
}

void dal__check_effect_sources(struct dal_diags *diags, const struct dal_spec *spec,
                               const struct dal__raw *raw)
{
    const struct dal_spec_source *last = NULL;
    for (size_t i = 0; i < spec->network.process_count && !diags->errors; i++) {
        const struct dal_spec_process *process = &spec->network.processes[i];
        const struct dal_spec_source *second = second_c_source(process);
        if (!second || (last && last->place.line == second->place.line) ||
            is_source_named(spec, raw, process))
            continue;
        last = second;
        dal_warning(diags, second->place, "no-effect",
                    "process '%s': a second source in C is used where a binding has its sourceid, "
                    "and none has; more files of one source are its <file>s",
                    process->base);
    }
}

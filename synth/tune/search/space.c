#include "synth/tune/search/choices.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

/* ---- places ---------------------------------------------------------------------------------- */

static int is_same_node(const struct dal_search_place *a, const struct dal_search_place *b)
{
    const char *one = a->processor->node, *other = b->processor->node;
    return one && other ? strcmp(one, other) == 0 : one == other;
}

static size_t number_node(const struct dal_search_space *space, size_t place)
{
    size_t i = 0;
    while (!is_same_node(&space->places[i], &space->places[place]))
        i++;
    return i;
}

/* Adds the pool of a node: its first cores, without those that are left free. */
static int add_pool(struct dal__making *m, size_t node)
{
    struct dal_search_space *space = m->space;
    struct dal_search_place *pool = &space->places[space->place_count];
    size_t most =
        space->most_cores[node] -
        (m->wishes->leave < space->most_cores[node] ? m->wishes->leave : space->most_cores[node]);
    if (most < 2)
        return DAL_OK;
    *pool = (struct dal_search_place){.kind = DAL_PROCESSOR_CORE,
                                      .first_alike = space->place_count,
                                      .node = node,
                                      .pool = dal_calloc(most, sizeof(*pool->pool))};
    if (!pool->pool)
        return DAL_ERR_NOMEM;
    for (size_t i = node; i < space->place_count && pool->pool_count < most; i++)
        if (space->places[i].node == node && space->places[i].kind == DAL_PROCESSOR_CORE)
            pool->pool[pool->pool_count++] = space->places[i].processor;
    pool->processor = pool->pool[0];
    space->place_count++;
    return DAL_OK;
}

static int add_pools(struct dal__making *m)
{
    size_t count = m->space->place_count;
    int status = DAL_OK;
    for (size_t i = 0; m->wishes->pools && i < count && !status; i++)
        if (m->space->places[i].node == i)
            status = add_pool(m, i);
    return status;
}

/* Leaves out a processor of two nodes: it belongs to no node on which a process could run. */
static int list_places(struct dal__making *m)
{
    struct dal_search_space *space = m->space;
    const struct dal_spec_architecture *arch = &space->spec->architecture;
    size_t room = 0;
    for (size_t i = 0; i < arch->processor_count; i++)
        room += arch->processors[i].capability_count;
    space->places = dal_calloc(2 * room + 1, sizeof(*space->places));
    space->most_cores = dal_calloc(2 * room + 1, sizeof(*space->most_cores));
    if (!space->places || !space->most_cores)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < arch->processor_count; i++)
        for (size_t k = 0; k < arch->processors[i].capability_count; k++) {
            struct dal_search_place *place = &space->places[space->place_count];
            if (arch->processors[i].other_node)
                continue;
            *place = (struct dal_search_place){.processor = &arch->processors[i],
                                               .kind = arch->processors[i].capabilities[k].kind,
                                               .first_alike = space->place_count};
            place->node = number_node(space, space->place_count++);
            space->most_cores[place->node] += place->kind == DAL_PROCESSOR_CORE;
        }
    return add_pools(m);
}

static int make_room(struct dal__making *m)
{
    struct dal_search_space *space = m->space;
    size_t count = space->process_count, all = space->spec->network.process_count;
    if (space->place_count > UINT16_MAX ||
        (space->place_count && count > DAL_SEARCH_MOST_CHOICES / space->place_count))
        return dal_error(m->diags, space->spec->network.place, "network-size",
                         "%zu processes and %zu processors are too many to search a mapping", count,
                         space->place_count);
    space->choices = dal_calloc(count * space->place_count + 1, sizeof(*space->choices));
    space->kept = dal_calloc(all + 1, 1);
    space->spread = dal_calloc(all + 1, 1);
    space->apart = dal_calloc(all + 1, 1);
    space->memory = dal_plan_memory_create();
    return space->choices && space->kept && space->spread && space->apart && space->memory
               ? DAL_OK
               : DAL_ERR_NOMEM;
}

/* ---- bindings -------------------------------------------------------------------------------- */

static int new_binding(const struct dal_spec *spec, struct dal_spec_process *process,
                       struct dal_spec_binding *binding)
{
    size_t room = spec->architecture.processor_count;
    *binding =
        (struct dal_spec_binding){.name = dal_strdup(process->name),
                                  .process = process,
                                  .processors = dal_calloc(room, sizeof(*binding->processors)),
                                  .processor_count = 1,
                                  .place = process->place};
    return binding->name && binding->processors ? DAL_OK : DAL_ERR_NOMEM;
}

/* Gives each process a binding: the one that it has, or a new one. */
static int complete_bindings(struct dal__making *m)
{
    struct dal_spec_mapping *mapping = &m->space->spec->mapping;
    size_t next = 0, count = m->space->spec->network.process_count, had = mapping->binding_count;
    struct dal_spec_binding *old = mapping->bindings;
    struct dal_spec_binding *all = dal_calloc(count + 1, sizeof(*all));
    int status = all ? DAL_OK : DAL_ERR_NOMEM;
    if (status)
        return status;
    for (size_t i = 0; i < count; i++) {
        struct dal_spec_process *process = dal__process_at(m->space, i);
        int is_kept = next < had && old[next].process == process;
        m->space->kept[i] = (unsigned char)is_kept;
        if (is_kept)
            all[i] = old[next++];
        else if (new_binding(m->space->spec, process, &all[i]))
            status = DAL_ERR_NOMEM;
    }
    mapping->bindings = all;
    mapping->binding_count = count;
    dal_free(old);
    return status;
}

static int name_mapping(struct dal__making *m)
{
    struct dal_spec_mapping *mapping = &m->space->spec->mapping;
    if (!mapping->file) {
        mapping->place = m->space->spec->network.place;
        mapping->file = m->space->spec->network.file;
    }
    mapping->name = mapping->name ? mapping->name : dal_strdup("dalmap");
    mapping->policy = mapping->policy ? mapping->policy : dal_strdup("fcfs");
    return mapping->name && mapping->policy ? DAL_OK : DAL_ERR_NOMEM;
}

/* ---- cores that are alike -------------------------------------------------------------------- */

static double latency(const struct dal_spec *spec, enum dal_cost_kind kind,
                      const struct dal_spec_processor *from, const struct dal_spec_processor *to)
{
    const struct dal_spec_cost *cost = dal_spec_cost(spec, kind, from, to);
    return cost ? cost->latency_ns : -1;
}

/* Do all costs for the prediction stay the same when two cores change places
 * (synth/tune/predict/model.c)? */
static int cost_alike(const struct dal_search_space *space, const struct dal_spec_processor *a,
                      const struct dal_spec_processor *b)
{
    const struct dal_spec *spec = space->spec;
    if (latency(spec, DAL_COST_FIRING, a, a) != latency(spec, DAL_COST_FIRING, b, b) ||
        latency(spec, DAL_COST_TOKEN, a, b) != latency(spec, DAL_COST_TOKEN, b, a))
        return 0;
    for (size_t i = 0; i < spec->architecture.processor_count; i++) {
        const struct dal_spec_processor *other = &spec->architecture.processors[i];
        if (other == a || other == b)
            continue;
        if (latency(spec, DAL_COST_TOKEN, a, other) != latency(spec, DAL_COST_TOKEN, b, other) ||
            latency(spec, DAL_COST_TOKEN, other, a) != latency(spec, DAL_COST_TOKEN, other, b))
            return 0;
    }
    return 1;
}

static int has_processor(const struct dal_spec_binding *binding,
                         const struct dal_spec_processor *processor)
{
    for (size_t i = 0; i < binding->processor_count; i++)
        if (binding->processors[i] == processor)
            return 1;
    return 0;
}

int dal_search_has(const struct dal_search_place *place, const struct dal_spec_processor *processor)
{
    for (size_t i = 0; i < place->pool_count; i++)
        if (place->pool[i] == processor)
            return 1;
    return place->processor == processor;
}

/* Can two places run the same? The order in which a pool takes its free cores does not count. */
static int run_the_same(const struct dal_search_space *space, size_t a, size_t b)
{
    for (size_t i = 0; i < space->place_count; i++)
        if (space->places[i].pool_count &&
            dal_search_has(&space->places[i], space->places[a].processor) !=
                dal_search_has(&space->places[i], space->places[b].processor))
            return 0;
    for (size_t i = 0; i < space->process_count; i++) {
        const struct dal_spec_binding *binding = dal__binding_at(space, i);
        if (space->spread[i]
                ? has_processor(binding, space->places[a].processor) !=
                      has_processor(binding, space->places[b].processor)
                : dal__choice_at(space, i, a)->source != dal__choice_at(space, i, b)->source)
            return 0;
    }
    return 1;
}

static int is_core_only(const struct dal_search_place *place)
{
    return place->kind == DAL_PROCESSOR_CORE && !place->pool_count &&
           place->processor->capability_count == 1;
}

static void find_alike(struct dal_search_space *space)
{
    for (size_t i = 0; i < space->place_count; i++)
        for (size_t k = 0; k < i && space->places[i].first_alike == i; k++) {
            const struct dal_search_place *a = &space->places[k], *b = &space->places[i];
            if (a->first_alike == k && is_core_only(a) && is_core_only(b) && a->node == b->node &&
                run_the_same(space, k, i) && cost_alike(space, a->processor, b->processor))
                space->places[i].first_alike = k;
        }
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* Finds a bound of the period. Each processor does one thing at a time, and no periodic process is
 * fired before its release. */
static void find_bound(struct dal_search_space *space)
{
    double sum = 0, most = 0;
    size_t processors = 0;
    for (size_t i = 0; i < space->process_count; i++) {
        double load = dal_search_least_load(space, i);
        double iteration_ns = dal_spec_iteration_ns(dal__process_at(space, i));
        sum += load;
        most = !space->spread[i] && load > most ? load : most;
        most = iteration_ns > most ? iteration_ns : most;
    }
    for (size_t i = 0; i < space->place_count; i++)
        processors += !space->places[i].pool_count;
    sum /= (double)processors;
    space->least_ns = sum > most ? sum : most;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void set_kept_times(struct dal_search_space *space)
{
    for (size_t i = 0; i < space->process_count; i++)
        for (size_t k = 0; space->kept[i] && k < space->place_count; k++)
            if (dal__choice_at(space, i, k)->source)
                dal__process_at(space, i)->execution_time = dal__choice_at(space, i, k)->time;
}

int dal_search_space_make(struct dal_diags *diags, struct dal_search_space *space,
                          struct dal_spec *spec, const char *times_file,
                          const struct dal_search_wishes *wishes)
{
    struct dal__making m = {.diags = diags, .space = space, .wishes = wishes};
    int status;
    *space = (struct dal_search_space){.spec = spec};
    while (space->process_count < spec->network.process_count &&
           !dal_spec_is_open(&spec->network.processes[space->process_count]))
        space->process_count++;
    status = list_places(&m);
    if (!status)
        status = make_room(&m);
    if (!status)
        status = complete_bindings(&m);
    if (!status)
        status = name_mapping(&m);
    if (!status)
        status = dal__make_choices(&m, times_file);
    if (status)
        return status;
    set_kept_times(space);
    find_alike(space);
    find_bound(space);
    return DAL_OK;
}

void dal_search_space_finish(struct dal_search_space *space)
{
    for (size_t i = 0; i < space->place_count; i++)
        dal_free(space->places[i].pool);
    dal_plan_memory_destroy(space->memory);
    dal_free_all(space->places, space->choices, space->kept, space->spread, space->apart,
                 space->most_cores);
    *space = (struct dal_search_space){0};
}

double dal_search_least_load(const struct dal_search_space *space, size_t process)
{
    double least = -1;
    for (size_t k = 0; k < space->place_count; k++) {
        const struct dal_search_choice *choice = dal__choice_at(space, process, k);
        if (choice->source && (least < 0 || choice->load_ns < least))
            least = choice->load_ns;
    }
    return least;
}

double dal_search_load_at(const struct dal_search_space *space, size_t process, size_t place)
{
    return space->spread[process] || space->places[place].pool_count
               ? 0
               : dal__choice_at(space, process, place)->load_ns;
}

static void mark_place(const struct dal_search_space *space, size_t place, unsigned char *used)
{
    if (used[place])
        return;
    used[place] = 1;
    for (size_t k = 0; space->places[place].pool_count && k < space->place_count; k++)
        used[k] |=
            (unsigned char)(space->places[k].kind == DAL_PROCESSOR_CORE &&
                            !space->places[k].pool_count &&
                            dal_search_has(&space->places[place], space->places[k].processor));
}

/* Marks all processors of the processes that several cores share. */
static void mark_spread(const struct dal_search_space *space, unsigned char *used)
{
    for (size_t i = 0; i < space->process_count; i++)
        for (size_t k = 0; space->spread[i] && k < space->place_count; k++)
            used[k] |=
                (unsigned char)(space->places[k].kind == dal__binding_at(space, i)->capability &&
                                has_processor(dal__binding_at(space, i),
                                              space->places[k].processor));
}

int dal_search_is_allowed(const struct dal_search_space *space, const uint16_t *places,
                          unsigned char *used)
{
    size_t cores;
    memset(used, 0, space->place_count);
    for (size_t i = 0; i < space->process_count; i++)
        mark_place(space, places[i], used);
    mark_spread(space, used);
    for (size_t i = 0; i < space->place_count; i++) {
        cores = 0;
        for (size_t k = i; space->places[i].node == i && k < space->place_count; k++)
            cores += used[k] && space->places[k].node == i && !space->places[k].pool_count &&
                     space->places[k].kind == DAL_PROCESSOR_CORE;
        if (cores > space->most_cores[i])
            return 0;
    }
    return 1;
}

/* Is a core used by a process? */
static int is_busy(const struct dal_search_space *space, const struct dal_spec_processor *core)
{
    for (size_t i = 0; i < space->process_count; i++)
        if (dal__binding_at(space, i)->capability == DAL_PROCESSOR_CORE &&
            has_processor(dal__binding_at(space, i), core))
            return 1;
    return 0;
}

/* Binds an open port to the cores that processes use; with none of these, to the first. */
static void bind_port(const struct dal_search_space *space, struct dal_spec_binding *binding)
{
    struct dal_spec_architecture *arch = &space->spec->architecture;
    struct dal_spec_processor *first = NULL;
    binding->source = binding->process->sources;
    binding->capability = DAL_PROCESSOR_CORE;
    binding->processor_count = 0;
    for (size_t i = 0; i < arch->processor_count; i++) {
        struct dal_spec_processor *core = &arch->processors[i];
        if (!dal_spec_capability(core, DAL_PROCESSOR_CORE))
            continue;
        first = first ? first : core;
        if (is_busy(space, core))
            binding->processors[binding->processor_count++] = core;
    }
    if (!binding->processor_count)
        binding->processors[binding->processor_count++] = first;
}

void dal_search_bind(const struct dal_search_space *space, const uint16_t *places)
{
    for (size_t i = 0; i < space->process_count; i++) {
        const struct dal_search_choice *choice = dal__choice_at(space, i, places[i]);
        const struct dal_search_place *place = &space->places[places[i]];
        struct dal_spec_binding *binding = dal__binding_at(space, i);
        if (space->kept[i])
            continue;
        binding->source = choice->source;
        binding->capability = place->kind;
        binding->processors[0] = place->processor;
        for (size_t k = 0; k < place->pool_count; k++)
            binding->processors[k] = place->pool[k];
        binding->processor_count = place->pool_count ? place->pool_count : 1;
        binding->process->execution_time = choice->time;
    }
    for (size_t i = space->process_count; i < space->spec->network.process_count; i++)
        if (!space->kept[i])
            bind_port(space, dal__binding_at(space, i));
}

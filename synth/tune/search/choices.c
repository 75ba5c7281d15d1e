/* The places that each process may have, with its source and its time there. */
#include "synth/tune/search/choices.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/names.h"
#include "spec/read/times.h"

#include <string.h>

/* ---- sources --------------------------------------------------------------------------------- */

/* Can the source run in the place? The source decides which capability of a processor it needs. */
static int suits(const struct dal_spec_source *source, const struct dal_search_place *place)
{
    const struct dal_spec_capability *runner = dal_spec_runner(place->processor, source->type);
    return runner && runner->kind == place->kind;
}

static struct dal_spec_source *find_source(const struct dal_spec_process *process,
                                           const struct dal_search_place *place)
{
    if ((process->periodic.period_ns || process->by_phase) && place->kind != DAL_PROCESSOR_CORE)
        return NULL;
    for (size_t i = 0; i < process->source_count; i++)
        if (suits(&process->sources[i], place))
            return &process->sources[i];
    return NULL;
}

/* A kept process has one place. */
static void choose_kept(struct dal__making *m, size_t i)
{
    const struct dal_spec_binding *binding = dal__binding_at(m->space, i);
    m->space->spread[i] = binding->processor_count > 1;
    for (size_t k = 0; k < m->space->place_count; k++)
        if (!m->space->places[k].pool_count &&
            m->space->places[k].processor == binding->processors[0] &&
            m->space->places[k].kind == binding->capability)
            dal__choice_at(m->space, i, k)->source = binding->source;
}

static void list_choices(struct dal__making *m)
{
    for (size_t i = 0; i < m->space->process_count; i++) {
        if (m->space->kept[i])
            choose_kept(m, i);
        for (size_t k = 0; !m->space->kept[i] && k < m->space->place_count; k++)
            dal__choice_at(m->space, i, k)->source =
                find_source(dal__process_at(m->space, i), &m->space->places[k]);
    }
}

/* ---- pins ------------------------------------------------------------------------------------ */

static int fits_pin(const struct dal_search_place *place, const char *pattern)
{
    for (size_t i = 0; i < place->pool_count; i++)
        if (!dal_names_match(pattern, place->pool[i]->name))
            return 0;
    return dal_names_match(pattern, place->processor->name);
}

/* Takes all places from the process that do not fit the pin's processor. */
static void pin_process(struct dal__making *m, const struct dal_search_pin *pin, size_t i)
{
    size_t left = 0;
    for (size_t k = 0; k < m->space->place_count; k++) {
        struct dal_search_choice *choice = dal__choice_at(m->space, i, k);
        if (!fits_pin(&m->space->places[k], pin->processor))
            choice->source = NULL;
        left += choice->source != NULL;
    }
    if (!left)
        dal_error(m->diags, dal__process_at(m->space, i)->place, "capability-mismatch",
                  "pin %s=%s: process '%s' %s", pin->process, pin->processor,
                  dal__process_at(m->space, i)->name,
                  m->space->kept[i] ? "is bound elsewhere by the mapping that is kept"
                                    : "has no source for such a processor, or another pin");
}

static int is_processor(const struct dal__making *m, const char *pattern)
{
    const struct dal_spec_architecture *arch = &m->space->spec->architecture;
    for (size_t i = 0; i < arch->processor_count; i++)
        if (dal_names_match(pattern, arch->processors[i].name))
            return 1;
    return 0;
}

static void apply_pin(struct dal__making *m, const struct dal_search_pin *pin)
{
    const struct dal_spec *spec = m->space->spec;
    size_t fits = 0;
    if (!is_processor(m, pin->processor)) {
        dal_error(m->diags, spec->architecture.place, "unknown-processor",
                  "pin %s=%s: the architecture has no processor '%s'", pin->process, pin->processor,
                  pin->processor);
        return;
    }
    for (size_t i = 0; i < m->space->process_count; i++) {
        if (!dal_names_match(pin->process, dal__process_at(m->space, i)->name))
            continue;
        pin_process(m, pin, i);
        fits++;
    }
    if (!fits)
        dal_error(m->diags, spec->network.place, "unknown-process",
                  "pin %s=%s: process network '%s' has no process '%s'", pin->process,
                  pin->processor, spec->network.name, pin->process);
}

/* ---- times ----------------------------------------------------------------------------------- */

/* Have processes the same times in two places? All cores have the same; each device has its own. */
static int is_timed_alike(const struct dal_search_place *a, const struct dal_search_place *b)
{
    return a == b || (a->kind == DAL_PROCESSOR_CORE && b->kind == DAL_PROCESSOR_CORE);
}

static size_t find_timed_alike(const struct dal_search_space *space, size_t process, size_t place)
{
    for (size_t k = 0; k < space->place_count; k++)
        if (is_timed_alike(&space->places[k], &space->places[place]) &&
            dal__choice_at(space, process, k)->source)
            return k;
    return space->place_count;
}

/* Binds each process to a place that is timed like this one. A process without such a place gets no
 * time. Kept processes stay. */
static void bind_for_times(struct dal__making *m, size_t place)
{
    for (size_t i = 0; i < m->space->process_count; i++) {
        struct dal_spec_binding *binding = dal__binding_at(m->space, i);
        size_t k = find_timed_alike(m->space, i, place);
        dal__process_at(m->space, i)->execution_time = (struct dal_spec_execution_time){0};
        if (m->space->kept[i])
            continue;
        binding->capability = DAL_PROCESSOR_OPENCL;
        binding->processor_count = k < m->space->place_count;
        binding->source = NULL;
        if (!binding->processor_count)
            continue;
        binding->capability = m->space->places[k].kind;
        binding->processors[0] = m->space->places[k].processor;
        binding->source = dal__choice_at(m->space, i, k)->source;
    }
}

static void take_times(struct dal__making *m, size_t place)
{
    for (size_t i = 0; i < m->space->process_count; i++) {
        const struct dal_spec_process *process = dal__process_at(m->space, i);
        double ns = dal_spec_time_ns(&process->execution_time);
        for (size_t k = 0; k < m->space->place_count; k++) {
            struct dal_search_choice *choice = dal__choice_at(m->space, i, k);
            int is_here = is_timed_alike(&m->space->places[k], &m->space->places[place]);
            if (!choice->source || !(is_here || m->space->kept[i]))
                continue;
            choice->time = process->execution_time;
            choice->load_ns = ns * (double)process->repetitions;
            if (m->space->places[k].pool_count && dal_spec_is_stateless(process, choice->source))
                choice->load_ns /= (double)m->space->places[k].pool_count;
        }
    }
}

/* Does an earlier place have the times of this one? */
static int is_timed(const struct dal_search_space *space, size_t place)
{
    for (size_t k = 0; k < place; k++)
        if (is_timed_alike(&space->places[k], &space->places[place]))
            return 1;
    return 0;
}

/* Drops repeated warnings: each reading of the times gives the same ones. */
static void drop_repeated(struct dal_diags *diags, size_t before)
{
    size_t k, kept = before;
    for (size_t i = before; i < diags->count; i++) {
        for (k = 0; k < kept; k++)
            if (diags->list[k].place.line == diags->list[i].place.line &&
                strcmp(diags->list[k].message, diags->list[i].message) == 0)
                break;
        if (k < kept)
            dal_free(diags->list[i].message);
        else
            diags->list[kept++] = diags->list[i];
    }
    diags->count = kept;
}

static int read_times(struct dal__making *m, const char *file)
{
    int status = DAL_OK, is_first = 1;
    for (size_t k = 0; k < m->space->place_count && !status; k++) {
        size_t before = m->diags->count;
        if (is_timed(m->space, k))
            continue;
        bind_for_times(m, k);
        status = dal_times_read(m->diags, file, m->space->spec);
        if (!status)
            take_times(m, k);
        if (!is_first && !status)
            drop_repeated(m->diags, before);
        is_first = 0;
    }
    return status;
}

/* ---- what is missing ------------------------------------------------------------------------- */

static int has_time(const struct dal_search_space *space, size_t process)
{
    for (size_t k = 0; k < space->place_count; k++)
        if (dal__choice_at(space, process, k)->time.is_measured)
            return 1;
    return 0;
}

/* A process is not tried in a place without a measured time. All cores together give one
 * warning. */
static void drop_unmeasured(struct dal__making *m, size_t place)
{
    const struct dal_spec_processor *processor = m->space->places[place].processor;
    const struct dal_spec_process *first = NULL;
    size_t count = 0, had = 0;
    for (size_t i = 0; i < m->space->process_count; i++) {
        struct dal_search_choice *choice = dal__choice_at(m->space, i, place);
        if (!choice->source || !has_time(m->space, i))
            continue;
        had++;
        if (choice->time.is_measured)
            continue;
        choice->source = NULL;
        first = count++ ? first : dal__process_at(m->space, i);
    }
    if (count && !is_timed(m->space, place))
        dal_warning(m->diags, processor->place, "unmeasured",
                    "'%s' is tried for %zu of the %zu processes that have a source for it: nobody "
                    "has measured '%s'%s there",
                    processor->name, had - count, had, first->name, count > 1 ? " and others" : "");
}

static void drop_all(struct dal__making *m, size_t process)
{
    for (size_t k = 0; k < m->space->place_count; k++)
        if (!dal__choice_at(m->space, process, k)->time.is_measured)
            dal__choice_at(m->space, process, k)->source = NULL;
}

static void refuse_process(struct dal__making *m, size_t i, int had_source)
{
    const struct dal_spec_process *process = dal__process_at(m->space, i);
    if (!had_source) {
        dal_error(m->diags, process->place, "capability-mismatch",
                  "process '%s' has no source that a processor of architecture '%s' can run",
                  process->name, m->space->spec->architecture.name);
        return;
    }
    dal_error(m->diags, process->place, "unmeasured",
              "process '%s' has no measured time on any processor that it may run on; 'dalsynth "
              "--profile=SECONDS --times=FILE' with a mapping measures one, and a run with "
              "DAL_TIMES=FILE does",
              process->name);
}

static void check_sources(struct dal__making *m)
{
    for (size_t i = 0; i < m->space->process_count; i++) {
        const struct dal_spec_process *process = dal__process_at(m->space, i);
        if (process->kpn)
            dal_error(m->diags, process->place, "kpn-process",
                      "process '%s' has a port with a dynamic rate: what a mapping of it will do "
                      "cannot be predicted",
                      process->name);
        else if (process->by_phase && m->space->spec->network.dead_by_cycles)
            dal_error(
                m->diags, process->place, "bad-firing",
                "process '%s' is fired phase by phase, since the network deadlocks by cycles: "
                "what a mapping of it will do cannot be predicted",
                process->name);
        else if (dal_search_first_place(m->space, i) == m->space->place_count)
            refuse_process(m, i, 0);
    }
}

static int has_core(const struct dal_spec_architecture *architecture)
{
    for (size_t i = 0; i < architecture->processor_count; i++)
        if (dal_spec_capability(&architecture->processors[i], DAL_PROCESSOR_CORE))
            return 1;
    return 0;
}

/* What is outside of an open port is always ready, but all that is inside has to keep step. */
static void check_ports(struct dal__making *m)
{
    const struct dal_spec *spec = m->space->spec;
    for (size_t i = m->space->process_count; i < spec->network.process_count; i++) {
        const struct dal_spec_process *port = &spec->network.processes[i];
        if (!has_core(&spec->architecture))
            dal_error(m->diags, port->place, "unbound-process",
                      "port '%s' of the network: the architecture has no core that could read or "
                      "write it",
                      port->name);
        else if (!dal_spec_open_firings(port))
            dal_error(m->diags, port->place, "kpn-process",
                      "port '%s' of the network: what is inside takes different numbers of tokens "
                      "in an iteration, or has a dynamic rate: what a mapping of it will do cannot "
                      "be predicted",
                      port->name);
    }
}

static void check_times(struct dal__making *m)
{
    for (size_t i = 0; i < m->space->place_count; i++)
        drop_unmeasured(m, i);
    for (size_t i = 0; i < m->space->process_count; i++) {
        drop_all(m, i);
        if (dal_search_first_place(m->space, i) == m->space->place_count)
            refuse_process(m, i, 1);
    }
}

static int leave_cores(struct dal__making *m)
{
    struct dal_search_space *space = m->space;
    size_t left = 0, leave = m->wishes->leave;
    for (size_t i = 0; i < space->place_count; i++) {
        space->most_cores[i] -= space->most_cores[i] < leave ? space->most_cores[i] : leave;
        left += space->most_cores[i];
    }
    if (!leave || left)
        return DAL_OK;
    for (size_t i = 0; i < space->process_count; i++)
        for (size_t k = 0; k < space->place_count; k++)
            left +=
                dal__choice_at(space, i, k)->source && space->places[k].kind == DAL_PROCESSOR_CORE;
    if (!left)
        return DAL_OK;
    return dal_error(m->diags, space->spec->architecture.place, "no-mapping",
                     "%zu cores are to be left free, and architecture '%s' has no more on any node",
                     leave, space->spec->architecture.name);
}

int dal__make_choices(struct dal__making *m, const char *times_file)
{
    size_t errors = m->diags->errors;
    int status;
    list_choices(m);
    check_sources(m);
    check_ports(m);
    for (size_t i = 0; i < m->wishes->pin_count; i++)
        apply_pin(m, &m->wishes->pins[i]);
    if (m->diags->errors > errors)
        return DAL_ERR_INVALID;
    if (!times_file)
        return DAL_OK;
    status = read_times(m, times_file);
    if (!status)
        check_times(m);
    if (!status && m->diags->errors == errors)
        status = leave_cores(m);
    return status ? status : m->diags->errors > errors ? DAL_ERR_INVALID : DAL_OK;
}

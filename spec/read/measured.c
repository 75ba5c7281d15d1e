#include "spec/read/measured.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/model/key.h"
#include "spec/read/entries.h"

#include <string.h>

/* Returns the first entry of a process. */
static size_t find_first(const struct dal_times_list *list, const char *process)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(list->sorted[middle]->process, process) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int is_of(const struct dal_times_list *list, size_t i, const char *process)
{
    return i < list->count && strcmp(list->sorted[i]->process, process) == 0;
}

/* ---- which entry fits ------------------------------------------------------------------------ */

struct matching {
    struct dal_diags *diags;
    struct dal_spec *spec;
    const struct dal_times_list *list;
    struct dal_key_maker maker;
    size_t known; /* processes that the file names */
};

/* The process to find, as an entry of one type would describe it. */
struct subject {
    const struct dal_spec_process *process;
    const struct dal_spec_binding *binding; /* NULL without a mapping */
    const struct dal_spec_source *source;   /* NULL: that is not known */
    char key[DAL_KEY_TEXT];
};

static int runs_on_device(const struct dal_spec_source *source)
{
    return !dal_spec_runs(DAL_PROCESSOR_CORE, source->type);
}

/* Returns the kind of an entry, which has been checked. */
static enum dal_processor_kind kind_of(const struct dal_times_entry *entry)
{
    return (enum dal_processor_kind)dal_spec_find_times(entry->type);
}

/* Compares identifiers without their white space. */
static int is_same_identifier(const char *a, const char *b)
{
    for (;;) {
        a += strspn(a, " \t\r\n");
        b += strspn(b, " \t\r\n");
        if (*a != *b)
            return 0;
        if (!*a)
            return 1;
        a++;
        b++;
    }
}

/* Does the device fit? CPU_DEV1 stands for any device of its type. */
static int fits_device(const char *wanted, const char *device)
{
    if (strlen(wanted) > 4 && strncmp(wanted + 3, "_DEV", 4) == 0)
        return strncmp(wanted, device, 4) == 0;
    return is_same_identifier(wanted, device);
}

static int fits_binding(const struct dal_spec_binding *binding, const struct dal_times_entry *entry)
{
    enum dal_processor_kind kind = kind_of(entry);
    if (kind != binding->capability)
        return 0;
    for (size_t i = 0; dal_spec_is_device(kind) && i < binding->processor_count; i++) {
        const struct dal_spec_capability *device =
            dal_spec_capability(binding->processors[i], kind);
        if (device && fits_device(device->identifier, entry->on))
            return 1;
    }
    return !dal_spec_is_device(kind);
}

static int fits(struct subject *subject, const struct dal_times_entry *entry)
{
    if (subject->binding)
        return fits_binding(subject->binding, entry);
    subject->source = dal_spec_source_for(subject->process, kind_of(entry));
    return subject->source || subject->process->source_count == 0;
}

static double ratio(double given, uint32_t wanted)
{
    if (!dal_spec_is_number(wanted))
        return 1;
    return given > wanted ? given / wanted : wanted / given;
}

/* Returns how far the entry's S and I are from the wanted ones; 1: they are equal, or not known.
 * Without a mapping, a process is taken to run its first source. */
static double distance(const struct subject *subject, const struct dal_times_entry *entry)
{
    const struct dal_spec_binding *binding = subject->binding;
    const struct dal_spec_process *process = subject->process;
    uint32_t copies = process->shadow_copies, items = 0;
    double far = 1;
    if (binding && binding->shadow_copies)
        copies = binding->shadow_copies;
    if (dal_spec_is_device(kind_of(entry))) {
        items = subject->source ? subject->source->work_items : 0;
        items = binding && binding->work_items ? binding->work_items : items;
    }
    if (!binding && process->source_count)
        far = dal_spec_is_device(kind_of(entry)) == runs_on_device(process->sources) ? 1 : 1e12;
    return far * ratio(entry->copies, copies) * ratio(entry->items, items);
}

static int is_better(const struct subject *subject, const struct dal_times_entry *entry,
                     const struct dal_times_entry *best)
{
    double one = distance(subject, entry), other;
    if (!best)
        return 1;
    other = distance(subject, best);
    return one != other ? one < other : entry->firings > best->firings;
}

/* Is the entry of another source? A file that does not say what was measured, for example one by
 * hand, is believed. */
static int is_stale(struct matching *m, struct subject *subject,
                    const struct dal_times_entry *entry, int *stale)
{
    int status = DAL_OK;
    *stale = 0;
    if (!*entry->key || !subject->source)
        return DAL_OK;
    status =
        dal_key_make(&m->maker, &m->spec->network, subject->process, subject->source, subject->key);
    *stale = *subject->key && strcmp(subject->key, entry->key) != 0;
    return status;
}

void dal__measured_set(struct dal_spec_process *process, const struct dal_spec_execution_time *time)
{
    process->execution_time = *time;
    process->execution_time.is_given = process->execution_time.is_measured = 1;
    for (size_t i = 0; i < process->source_count; i++)
        process->sources[i].execution_time.is_given = 0;
}

static uint64_t units_of(const struct dal_times_entry *entry)
{
    double units = entry->median + 0.5;
    if (units < 1)
        return 1;
    return units > (double)DAL_MAX_TIME ? (uint64_t)DAL_MAX_TIME : (uint64_t)units;
}

/* Returns the first entry of a process with the same base name, without indices. */
static size_t find_sibling(const struct dal_times_list *list,
                           const struct dal_spec_process *process)
{
    char name[DAL_TIMES_NAME + 2];
    size_t length = (size_t)snprintf(name, sizeof(name), "%s_", process->base), i;
    if (length >= sizeof(name) || !process->index_count)
        return list->count;
    i = find_first(list, name);
    if (i < list->count && strncmp(list->sorted[i]->process, name, length) == 0 &&
        list->sorted[i]->process[length +
                                 strspn(list->sorted[i]->process + length, "0123456789_")] == '\0')
        return i;
    return list->count;
}

/* Gives the specification a curve of its own; one size is as good as one number. */
static int take_curve(struct dal_spec *spec, const struct dal_times_entry *entry,
                      const struct dal_spec_curve **curve)
{
    struct dal_spec_curve *new;
    *curve = NULL;
    if (!entry->curve || entry->curve->count < 2)
        return DAL_OK;
    new = dal_calloc(1, sizeof(*new));
    if (!new)
        return DAL_ERR_NOMEM;
    *new = *entry->curve;
    new->next = spec->curves;
    *curve = spec->curves = new;
    dal_spec_curve_rise(new);
    return DAL_OK;
}

static int take_entry(struct matching *m, struct dal_spec_process *process,
                      const struct dal_times_entry *entry)
{
    struct dal_spec_execution_time time = {.units = units_of(entry),
                                           .mean_ns = entry->mean,
                                           .p10_ns = entry->p10,
                                           .median_ns = entry->median,
                                           .p99_ns = entry->p99};
    int status = take_curve(m->spec, entry, &time.curve);
    if (!status)
        dal__measured_set(process, &time);
    return status;
}

/* Takes the entries of the process's own name, else of its base name without indices, else of its
 * base name with other indices. */
static int find_time(struct matching *m, struct dal_spec_process *process)
{
    const struct dal_spec_mapping *mapping = &m->spec->mapping;
    struct subject subject = {.process = process};
    const struct dal_times_entry *best = NULL, *stale = NULL;
    const char *name = process->name;
    size_t i = find_first(m->list, name);
    int status = DAL_OK;
    if (process->number < mapping->binding_count) {
        subject.binding = &mapping->bindings[process->number];
        subject.source = subject.binding->source;
    }
    if (!is_of(m->list, i, name))
        i = find_first(m->list, name = process->base);
    if (!is_of(m->list, i, name) && (i = find_sibling(m->list, process)) < m->list->count)
        name = m->list->sorted[i]->process;
    m->known += is_of(m->list, i, name);
    for (; !status && is_of(m->list, i, name); i++) {
        const struct dal_times_entry *entry = m->list->sorted[i], **which;
        int is_old = 0;
        if (!fits(&subject, entry))
            continue;
        status = is_stale(m, &subject, entry, &is_old);
        which = is_old ? &stale : &best;
        if (is_better(&subject, entry, *which))
            *which = entry;
    }
    if (!status && best)
        status = take_entry(m, process, best);
    else if (!status && stale)
        dal_warning(m->diags, stale->place, "stale-times",
                    "process '%s' was measured with another source, other options or other "
                    "ports; the time is not used",
                    process->name);
    return status;
}

static int find_times(struct dal_json *json, const struct dal_times_list *list,
                      struct dal_spec *spec)
{
    struct matching m = {.diags = json->diags, .spec = spec, .list = list};
    int status = DAL_OK;
    for (size_t i = 0; !status && i < spec->network.process_count; i++)
        status = find_time(&m, &spec->network.processes[i]);
    dal_key_maker_finish(&m.maker);
    json->place.line = 0;
    if (!status && list->count && !m.known)
        dal_warning(json->diags, json->place, "unknown-process",
                    "no time is one of a process of process network '%s'", spec->network.name);
    return status;
}

int dal__measured_read(struct dal_json *json, struct dal_spec *spec)
{
    struct dal_times_list list = {0};
    int status = dal__entries_read(json, &list);
    if (!status && !json->wrong)
        status = find_times(json, &list, spec);
    dal__entries_finish(&list);
    return status;
}

#include "spec/read/measured.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/key.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAME    200
#define MOST_TYPE    8
#define MOST_KEY     64
#define MOST_FIRINGS 1e18

/* ---- the file ------------------------------------------------------------------------------- */

struct entry {
    char process[MOST_NAME + 1], on[MOST_NAME + 1], type[MOST_TYPE + 1], key[MOST_KEY + 1];
    double copies, items, firings;
    double mean, p10, median, p99; /* ns a firing */
    struct dal_spec_place place;
};

struct list {
    struct entry *entries;
    size_t count, room;
    struct entry **sorted; /* by process, and by what may be there once */
};

/* A member of an entry: a text of so many bytes, other members, or a number. */
struct member {
    const char *name;
    int must; /* it must be there */
    size_t offset, room;
    const struct member *inside;
    double least, most;
};

#define OF(field)   .name = #field, .offset = offsetof(struct entry, field)
#define TEXT(field) OF(field), .room = sizeof(((struct entry *)0)->field)
#define TIME(field) OF(field), .must = 1, .least = 0, .most = (double)DAL_MAX_TIME

static const struct member ns_members[] = {
    {TIME(mean)}, {TIME(p10)}, {TIME(median)}, {TIME(p99)}, {0}};

static const struct member members[] = {
    {TEXT(process), .must = 1},
    {TEXT(on), .must = 1},
    {TEXT(type), .must = 1},
    {TEXT(key)},
    {OF(copies), .least = 1, .most = DAL_MAX_COPIES},
    {OF(items), .least = 1, .most = DAL_MAX_COPIES},
    {OF(firings), .least = 1, .most = MOST_FIRINGS},
    {.name = "ns", .must = 1, .inside = ns_members},
    {0},
};

static void read_members(struct dal_json *json, const struct member *table, struct entry *entry);

static void read_member(struct dal_json *json, const struct member *member, struct entry *entry)
{
    char *to = (char *)entry + member->offset;
    if (member->inside)
        read_members(json, member->inside, entry);
    else if (member->room)
        dal_json_string(json, to, member->room, member->name);
    else
        *(double *)(void *)to = dal_json_number(json, member->least, member->most, member->name);
}

/* Those that nobody knows are passed over. */
static void read_members(struct dal_json *json, const struct member *table, struct entry *entry)
{
    unsigned given = 0;
    char name[16];
    int i, count = 0;
    dal_json_begin(json, '{', table == members ? "an entry" : "ns");
    while (dal_json_next(json, '{', &count)) {
        dal_json_name(json, name, sizeof(name));
        for (i = 0; !json->wrong && table[i].name && strcmp(table[i].name, name) != 0;)
            i++;
        if (json->wrong)
            return;
        if (!table[i].name)
            dal_json_skip(json);
        else if (given & 1u << i)
            dal_json_refuse(json, "%s is given twice", name);
        else
            read_member(json, &table[i], entry);
        given |= table[i].name ? 1u << i : 0;
    }
    for (i = 0; table[i].name; i++)
        if (table[i].must && !(given & 1u << i))
            dal_json_refuse(json, "%s is missing", table[i].name);
}

/* What the members are worth together. */
static void check_entry(struct dal_json *json, const struct entry *entry)
{
    int core = strcmp(entry->type, "c") == 0;
    if (!core && strcmp(entry->type, "opencl") != 0)
        dal_json_refuse(json, "the type of an entry is \"c\" or \"opencl\"");
    if (core != (strcmp(entry->on, "core") == 0))
        dal_json_refuse(json, "type \"c\" is on \"core\", type \"opencl\" on a device");
    if (entry->p10 > entry->median || entry->median > entry->p99)
        dal_json_refuse(json, "p10, median and p99 of an entry do not ascend");
}

static int read_entry(struct dal_json *json, struct list *list)
{
    struct entry *entry;
    if (dal_grow(&list->entries, list->count, &list->room, sizeof(*entry)))
        return DAL_ERR_NOMEM;
    entry = &list->entries[list->count++];
    dal_json_skip_space(json);
    *entry = (struct entry){.copies = 1, .items = 1, .firings = 1, .place = json->place};
    read_members(json, members, entry);
    if (!json->wrong)
        check_entry(json, entry);
    return DAL_OK;
}

static int read_entries(struct dal_json *json, struct list *list)
{
    int count = 0, status = DAL_OK;
    dal_json_begin(json, '[', "times");
    while (!status && dal_json_next(json, '[', &count))
        status = read_entry(json, list);
    return status;
}

static void check_version(struct dal_json *json)
{
    double version = dal_json_number(json, 0, MOST_FIRINGS, "dal-times");
    if (!json->wrong && version != 2)
        dal_json_refuse(json, "version %.15g of a file of times is not known, only 2", version);
}

static int read_file(struct dal_json *json, struct list *list)
{
    int count = 0, versions = 0, lists = 0, status = DAL_OK;
    char name[16];
    dal_json_begin(json, '{', "the file");
    while (!status && dal_json_next(json, '{', &count)) {
        dal_json_name(json, name, sizeof(name));
        if (json->wrong)
            break;
        if (strcmp(name, "dal-times") == 0 && !versions++)
            check_version(json);
        else if (strcmp(name, "times") == 0 && !lists++)
            status = read_entries(json, list);
        else if (strcmp(name, "dal-times") == 0 || strcmp(name, "times") == 0)
            dal_json_refuse(json, "%s is given twice", name);
        else
            dal_json_skip(json);
    }
    if (!status && !lists)
        dal_json_refuse(json, "times is missing");
    dal_json_skip_space(json);
    if (!status && json->at != json->end)
        dal_json_refuse(json, "nothing may follow the object");
    return status;
}

/* ---- entries in order ------------------------------------------------------------------------ */

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

/* 0: both say how long the same thing takes. */
static int compare_meant(const struct entry *a, const struct entry *b)
{
    int order = strcmp(a->process, b->process);
    order = order ? order : strcmp(a->on, b->on);
    order = order ? order : strcmp(a->key, b->key);
    order = order ? order : compare_numbers(a->copies, b->copies);
    return order ? order : compare_numbers(a->items, b->items);
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *one = *(struct entry *const *)a, *other = *(struct entry *const *)b;
    int order = compare_meant(one, other);
    return order ? order : (one > other) - (one < other);
}

static int sort_entries(struct dal_json *json, struct list *list)
{
    size_t i;
    list->sorted = dal_calloc(list->count + 1, sizeof(struct entry *));
    if (!list->sorted)
        return DAL_ERR_NOMEM;
    for (i = 0; i < list->count; i++)
        list->sorted[i] = &list->entries[i];
    qsort(list->sorted, list->count, sizeof(struct entry *), compare_entries);
    for (i = 1; i < list->count; i++)
        if (compare_meant(list->sorted[i - 1], list->sorted[i]) == 0) {
            json->place = list->sorted[i]->place;
            dal_json_refuse(json, "another entry is of the same process, place, key and numbers");
        }
    return DAL_OK;
}

/* The first entry of a process. */
static size_t find_first(const struct list *list, const char *process)
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

static int is_of(const struct list *list, size_t i, const char *process)
{
    return i < list->count && strcmp(list->sorted[i]->process, process) == 0;
}

/* ---- which entry fits ------------------------------------------------------------------------ */

struct matching {
    struct dal_diags *diags;
    const struct dal_spec *spec;
    const struct list *list;
    struct dal_key_maker maker;
    size_t known; /* processes that the file names */
};

/* The process that is looked for, as an entry of one type would be of it. */
struct subject {
    const struct dal_spec_process *process;
    const struct dal_spec_binding *binding; /* NULL without a mapping */
    const struct dal_spec_source *source;   /* NULL: that is not known */
    char key[DAL_KEY_TEXT];
};

static int runs_on_device(const struct dal_spec_source *source)
{
    return source->type == DAL_SOURCE_OPENCL;
}

static int is_device_entry(const struct entry *entry)
{
    return strcmp(entry->type, "opencl") == 0;
}

/* White space in identifiers does not count. */
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

/* CPU_DEV1 stands for any device of its type. */
static int fits_device(const char *wanted, const char *device)
{
    if (strlen(wanted) > 4 && strncmp(wanted + 3, "_DEV", 4) == 0)
        return strncmp(wanted, device, 4) == 0;
    return is_same_identifier(wanted, device);
}

static int fits_binding(const struct dal_spec_binding *binding, const struct entry *entry)
{
    size_t i, k;
    if (is_device_entry(entry) != (binding->capability == DAL_CAPABILITY_OPENCL))
        return 0;
    for (i = 0; is_device_entry(entry) && i < binding->processor_count; i++) {
        const struct dal_spec_processor *processor = binding->processors[i];
        for (k = 0; k < processor->capability_count; k++)
            if (processor->capabilities[k].kind == DAL_CAPABILITY_OPENCL &&
                fits_device(processor->capabilities[k].identifier, entry->on))
                return 1;
    }
    return !is_device_entry(entry);
}

/* The first source that an entry of this type can be of. */
static const struct dal_spec_source *find_source(const struct dal_spec_process *process,
                                                 const struct entry *entry)
{
    enum dal_spec_source_type type = is_device_entry(entry) ? DAL_SOURCE_OPENCL : DAL_SOURCE_C;
    for (size_t i = 0; i < process->source_count; i++)
        if (process->sources[i].type == type || process->sources[i].type == DAL_SOURCE_PORTABLE)
            return &process->sources[i];
    return NULL;
}

static int fits(struct subject *subject, const struct entry *entry)
{
    if (subject->binding)
        return fits_binding(subject->binding, entry);
    subject->source = find_source(subject->process, entry);
    return subject->source || subject->process->source_count == 0;
}

static double ratio(double given, uint32_t wanted)
{
    if (!dal_spec_is_number(wanted))
        return 1;
    return given > wanted ? given / wanted : wanted / given;
}

/* How far S and I are away: 1 is what is wanted, or that is not known. Without a mapping a process
 * is taken as its first source has it. */
static double distance(const struct subject *subject, const struct entry *entry)
{
    const struct dal_spec_binding *binding = subject->binding;
    const struct dal_spec_process *process = subject->process;
    uint32_t copies = process->shadow_copies, items = 0;
    double far = 1;
    if (binding && binding->shadow_copies)
        copies = binding->shadow_copies;
    if (is_device_entry(entry)) {
        items = subject->source ? subject->source->work_items : 0;
        items = binding && binding->work_items ? binding->work_items : items;
    }
    if (!binding && process->source_count)
        far = is_device_entry(entry) == runs_on_device(process->sources) ? 1 : 1e12;
    return far * ratio(entry->copies, copies) * ratio(entry->items, items);
}

static int is_better(const struct subject *subject, const struct entry *entry,
                     const struct entry *best)
{
    double one = distance(subject, entry), other;
    if (!best)
        return 1;
    other = distance(subject, best);
    return one != other ? one < other : entry->firings > best->firings;
}

/* A file that does not say what was measured, as one by hand, is believed. */
static int is_stale(struct matching *m, struct subject *subject, const struct entry *entry,
                    int *stale)
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

static void set_time(struct dal_spec_process *process, const struct entry *entry)
{
    double units = entry->median + 0.5;
    process->execution_time = (struct dal_spec_execution_time){
        .is_given = 1,
        .is_measured = 1,
        .units = units < 1                      ? 1
                 : units > (double)DAL_MAX_TIME ? (uint64_t)DAL_MAX_TIME
                                                : (uint64_t)units,
        .mean_ns = entry->mean,
        .median_ns = entry->median};
    for (size_t i = 0; i < process->source_count; i++)
        process->sources[i].execution_time.is_given = 0;
}

/* Of one process: the entries of its own name, or else of its name without indices. */
static int find_time(struct matching *m, struct dal_spec_process *process)
{
    const struct dal_spec_mapping *mapping = &m->spec->mapping;
    struct subject subject = {.process = process};
    const struct entry *best = NULL, *stale = NULL;
    const char *name = process->name;
    size_t i = find_first(m->list, name);
    int status = DAL_OK;
    if (process->number < mapping->binding_count) {
        subject.binding = &mapping->bindings[process->number];
        subject.source = subject.binding->source;
    }
    if (!is_of(m->list, i, name))
        i = find_first(m->list, name = process->base);
    m->known += is_of(m->list, i, name);
    for (; !status && is_of(m->list, i, name); i++) {
        const struct entry *entry = m->list->sorted[i], **which;
        int is_old = 0;
        if (!fits(&subject, entry))
            continue;
        status = is_stale(m, &subject, entry, &is_old);
        which = is_old ? &stale : &best;
        if (is_better(&subject, entry, *which))
            *which = entry;
    }
    if (!status && best)
        set_time(process, best);
    else if (!status && stale)
        dal_warning(m->diags, stale->place, "stale-times",
                    "process '%s' was measured with another source, other options or other "
                    "ports; the time is not used",
                    process->name);
    return status;
}

static int find_times(struct dal_json *json, const struct list *list, struct dal_spec *spec)
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
    struct list list = {0};
    int status = read_file(json, &list);
    if (!status && !json->wrong)
        status = sort_entries(json, &list);
    if (!status && !json->wrong)
        status = find_times(json, &list, spec);
    dal_free(list.entries);
    dal_free(list.sorted);
    return status;
}

#include "spec/read/entries.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/model/model.h"
#include "spec/read/curve.h"
#include "spec/read/members.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FIRINGS 1e18

/* ---- the file ------------------------------------------------------------------------------- */

#define OF(field)   .name = #field, .offset = offsetof(struct dal_times_entry, field)
#define TEXT(field) OF(field), .room = sizeof(((struct dal_times_entry *)0)->field)
#define TIME(field) OF(field), .must = 1, .least = 0, .most = (double)DAL_MAX_TIME

static const struct dal_member ns_members[] = {
    {TIME(mean)}, {TIME(p10)}, {TIME(median)}, {TIME(p99)}, {0}};

static const struct dal_member members[] = {
    {TEXT(process), .must = 1},
    {TEXT(on), .must = 1},
    {TEXT(type), .must = 1},
    {TEXT(key)},
    {OF(copies), .least = 1, .most = DAL_MAX_COPIES},
    {OF(items), .least = 1, .most = DAL_MAX_COPIES},
    {OF(firings), .least = 1, .most = MOST_FIRINGS},
    {.name = "ns", .must = 1, .inside = ns_members},
    {OF(curve), .read = dal__curve_read},
    {0},
};

/* Checks that the members of an entry fit each other. */
static void check_entry(struct dal_json *json, const struct dal_times_entry *entry)
{
    int core = strcmp(entry->type, "c") == 0;
    if (dal_spec_find_times(entry->type) < 0)
        dal_json_refuse(json, "the type of an entry is \"c\", \"opencl\" or \"cuda\"");
    if (core != (strcmp(entry->on, "core") == 0))
        dal_json_refuse(json, "type \"c\" is on \"core\", the others on a device");
    if (entry->p10 > entry->median || entry->median > entry->p99)
        dal_json_refuse(json, "p10, median and p99 of an entry do not ascend");
}

static int read_entry(struct dal_json *json, struct dal_times_list *list)
{
    struct dal_times_entry *entry;
    if (dal_grow(&list->entries, list->count, &list->room, sizeof(*entry)))
        return DAL_ERR_NOMEM;
    entry = &list->entries[list->count++];
    dal_json_skip_space(json);
    *entry = (struct dal_times_entry){.copies = 1, .items = 1, .firings = 1, .place = json->place};
    entry->text = json->at;
    dal__members_read(json, members, entry, "an entry");
    entry->bytes = (size_t)(json->at - entry->text);
    if (!json->wrong)
        check_entry(json, entry);
    return DAL_OK;
}

static int read_entries(struct dal_json *json, struct dal_times_list *list)
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

static void read_machine(struct dal_json *json, struct dal_times_list *list)
{
    char name[16];
    int count = 0;
    dal_json_begin(json, '{', "machine");
    while (dal_json_next(json, '{', &count)) {
        dal_json_name(json, name, sizeof(name));
        if (strcmp(name, "cores") == 0)
            dal_json_string(json, list->cores, sizeof(list->cores), name);
        else
            dal_json_skip(json);
    }
}

static int read_file(struct dal_json *json, struct dal_times_list *list)
{
    int count = 0, versions = 0, lists = 0, machines = 0, status = DAL_OK;
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
        else if (strcmp(name, "machine") == 0 && !machines++)
            read_machine(json, list);
        else if (strcmp(name, "dal-times") == 0 || strcmp(name, "times") == 0 ||
                 strcmp(name, "machine") == 0)
            dal_json_refuse(json, "%s is given twice", name);
        else
            dal_json_skip(json);
    }
    if (!status && !versions)
        dal_json_refuse(json, "dal-times is missing: this is not what a program measured");
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

int dal__entry_compare(const struct dal_times_entry *a, const struct dal_times_entry *b)
{
    int order = strcmp(a->process, b->process);
    order = order ? order : strcmp(a->on, b->on);
    order = order ? order : strcmp(a->key, b->key);
    order = order ? order : compare_numbers(a->copies, b->copies);
    return order ? order : compare_numbers(a->items, b->items);
}

static int compare_entries(const void *a, const void *b)
{
    const struct dal_times_entry *one = *(struct dal_times_entry *const *)a,
                                 *other = *(struct dal_times_entry *const *)b;
    int order = dal__entry_compare(one, other);
    return order ? order : (one > other) - (one < other);
}

static int sort_entries(struct dal_json *json, struct dal_times_list *list)
{
    list->sorted = dal_calloc(list->count + 1, sizeof(struct dal_times_entry *));
    if (!list->sorted)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < list->count; i++)
        list->sorted[i] = &list->entries[i];
    qsort(list->sorted, list->count, sizeof(struct dal_times_entry *), compare_entries);
    for (size_t i = 1; i < list->count; i++)
        if (dal__entry_compare(list->sorted[i - 1], list->sorted[i]) == 0) {
            json->place = list->sorted[i]->place;
            dal_json_refuse(json, "another entry is of the same process, place, key and numbers");
        }
    return DAL_OK;
}

int dal__entries_read(struct dal_json *json, struct dal_times_list *list)
{
    int status = read_file(json, list);
    return status || json->wrong ? status : sort_entries(json, list);
}

void dal__entries_finish(struct dal_times_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        dal_free(list->entries[i].curve);
    dal_free_all(list->entries, list->sorted);
    *list = (struct dal_times_list){0};
}

#include "spec/read/times.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/limits.h"
#include "spec/base/names.h"
#include "spec/read/json.h"
#include "spec/read/measured.h"

#include <ctype.h>
#include <string.h>

#define MAX_BYTES ((size_t)1 << 26)
#define MAX_NAME  (DAL_MAX_NAME + 1)

struct entry {
    char name[MAX_NAME];
    uint64_t units;
    struct dal_spec_place place;
    int used;
};

struct entries {
    struct entry *list;
    size_t count, room;
};

static void read_name(struct dal_json *json, char *name)
{
    size_t length = 0;
    if (!dal_json_take(json, '"')) {
        dal_json_refuse(json, "a process's name in quotation marks must stand here");
        return;
    }
    while (json->at < json->end &&
           (isalnum((unsigned char)*json->at) || *json->at == '_' || *json->at == '.') &&
           length + 1 < MAX_NAME)
        name[length++] = *json->at++;
    name[length] = '\0';
    if (length == 0 || json->at == json->end || *json->at++ != '"')
        dal_json_refuse(json, "a process's name has letters, digits, _ and . only");
}

static uint64_t read_units(struct dal_json *json)
{
    const char *first;
    uint64_t units = 0;
    dal_json_skip_space(json);
    first = json->at;
    for (; json->at < json->end && isdigit((unsigned char)*json->at); json->at++)
        if (units <= DAL_MAX_TIME)
            units = 10 * units + (uint64_t)(*json->at - '0');
    if (json->at == first || (*first == '0' && json->at > first + 1) || units > DAL_MAX_TIME ||
        (json->at < json->end && strchr(".eE", *json->at) && *json->at))
        dal_json_refuse(json, "an execution time is an integer from 0 to 2^40");
    return units;
}

static int read_entry(struct dal_json *json, struct entries *entries)
{
    struct entry *entry;
    if (dal_grow(&entries->list, entries->count, &entries->room, sizeof(*entry)))
        return DAL_ERR_NOMEM;
    entry = &entries->list[entries->count++];
    *entry = (struct entry){0};
    read_name(json, entry->name);
    entry->place = json->place;
    if (!json->wrong && !dal_json_take(json, ':'))
        dal_json_refuse(json, "a colon must stand here");
    if (!json->wrong)
        entry->units = read_units(json);
    return DAL_OK;
}

static int read_object(struct dal_json *json, struct entries *entries)
{
    int status = DAL_OK;
    if (!dal_json_take(json, '{'))
        dal_json_refuse(json, "the file must be one object, {\"PROCESS\": UNITS, ...} or what "
                              "DAL_TIMES writes");
    if (!json->wrong && !dal_json_take(json, '}')) {
        do
            status = read_entry(json, entries);
        while (!status && !json->wrong && dal_json_take(json, ','));
        if (!status && !json->wrong && !dal_json_take(json, '}'))
            dal_json_refuse(json, "a comma or a closing brace must stand here");
    }
    dal_json_skip_space(json);
    if (!status && !json->wrong && json->at != json->end)
        dal_json_refuse(json, "nothing may follow the object");
    return status;
}

/* Applying them */

static int index_entries(struct dal_json *json, const struct entries *entries,
                         struct dal_names *names)
{
    for (size_t i = 0; i < entries->count; i++) {
        int status = dal_names_add(names, entries->list[i].name, i);
        if (status == DAL_ERR_NOMEM)
            return status;
        if (status)
            dal_error(json->diags, entries->list[i].place, "duplicate-name",
                      "process '%s' has a time already", entries->list[i].name);
        json->wrong |= status != DAL_OK;
    }
    return DAL_OK;
}

static void apply_times(struct dal_json *json, struct entries *entries,
                        const struct dal_names *names, struct dal_spec_network *network)
{
    for (size_t i = 0; i < network->process_count; i++) {
        struct dal_spec_process *process = &network->processes[i];
        size_t own = dal_names_find(names, process->name);
        size_t base = dal_names_find(names, process->base);
        size_t which = own != DAL_NAMES_NONE ? own : base;
        uint64_t units;
        if (base != DAL_NAMES_NONE)
            entries->list[base].used = 1;
        if (which == DAL_NAMES_NONE)
            continue;
        entries->list[which].used = 1;
        units = entries->list[which].units;
        dal__measured_set(
            process, &(struct dal_spec_execution_time){.units = units, .mean_ns = (double)units});
    }
    for (size_t i = 0; i < entries->count; i++)
        if (!entries->list[i].used)
            dal_error(json->diags, entries->list[i].place, "unknown-process",
                      "process network '%s' has no process '%s'", network->name,
                      entries->list[i].name);
}

static int read_plain(struct dal_json *json, struct dal_spec_network *network)
{
    struct entries entries = {0};
    struct dal_names names = {0};
    int status = read_object(json, &entries);
    if (!status && !json->wrong)
        status = index_entries(json, &entries, &names);
    if (!status && !json->wrong)
        apply_times(json, &entries, &names, network);
    dal_names_finish(&names);
    dal_free(entries.list);
    return status;
}

/* Is its first member the version? No process has such a name. */
static int has_version(struct dal_json json)
{
    static const char name[] = "\"dal-times\"";
    size_t length = strlen(name);
    if (!dal_json_take(&json, '{'))
        return 0;
    dal_json_skip_space(&json);
    return (size_t)(json.end - json.at) >= length && memcmp(json.at, name, length) == 0;
}

static int read_text(struct dal_diags *diags, const char *text, size_t length, const char *file,
                     struct dal_spec *spec)
{
    struct dal_json json = {
        .diags = diags, .place = {.file = file, .line = 1}, .at = text, .end = text + length};
    size_t errors = diags->errors;
    int status =
        has_version(json) ? dal__measured_read(&json, spec) : read_plain(&json, &spec->network);
    return status ? status : diags->errors > errors ? DAL_ERR_INVALID : DAL_OK;
}

int dal_times_load(struct dal_diags *diags, const char *file, char **text, size_t *length)
{
    struct dal_spec_place place = {.file = dal_diag_file(diags, file)};
    const char *why;
    int status = dal_file_read(file, MAX_BYTES, text, length, &why);
    if (status != DAL_ERR_LIMIT && status != DAL_ERR_IO)
        return status;
    return dal_error(diags, place, "file", "%s",
                     status == DAL_ERR_IO ? why : "more than 2^26 bytes");
}

int dal_times_read(struct dal_diags *diags, const char *file, struct dal_spec *spec)
{
    char *text;
    size_t length;
    int status = dal_times_load(diags, file, &text, &length);
    if (!status)
        status = read_text(diags, text, length, dal_diag_file(diags, file), spec);
    dal_free(text);
    return status;
}

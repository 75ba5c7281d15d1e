#include "spec/limits.h"
#include "spec/read/times.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/file.h"
#include "spec/read/names.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define MAX_BYTES ((size_t)1 << 26)
#define MAX_NAME  120

struct reader {
    struct dal_diags *diags;
    struct dal_spec_place place; /* of what is being read */
    const char *at, *end;
    int wrong;
};

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

static void report_wrong(struct reader *reader, const char *what)
{
    if (!reader->wrong)
        dal_error(reader->diags, reader->place, "bad-times", "%s", what);
    reader->wrong = 1;
}

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at) {
        reader->place.line += *reader->at == '\n';
        reader->at++;
    }
}

/* Takes a character if it comes next. */
static int take_char(struct reader *reader, char c)
{
    skip_space(reader);
    if (reader->at == reader->end || *reader->at != c)
        return 0;
    reader->at++;
    return 1;
}

static void read_name(struct reader *reader, char *name)
{
    size_t length = 0;
    if (!take_char(reader, '"')) {
        report_wrong(reader, "a process's name in quotation marks must stand here");
        return;
    }
    while (reader->at < reader->end &&
           (isalnum((unsigned char)*reader->at) || *reader->at == '_') && length + 1 < MAX_NAME)
        name[length++] = *reader->at++;
    name[length] = '\0';
    if (length == 0 || reader->at == reader->end || *reader->at++ != '"')
        report_wrong(reader, "a process's name has letters, digits and _ only");
}

static uint64_t read_units(struct reader *reader)
{
    const char *first;
    uint64_t units = 0;
    skip_space(reader);
    first = reader->at;
    for (; reader->at < reader->end && isdigit((unsigned char)*reader->at); reader->at++)
        if (units <= DAL_MAX_TIME)
            units = 10 * units + (uint64_t)(*reader->at - '0');
    if (reader->at == first || (*first == '0' && reader->at > first + 1) || units > DAL_MAX_TIME ||
        (reader->at < reader->end && strchr(".eE", *reader->at) && *reader->at))
        report_wrong(reader, "an execution time is an integer from 0 to 2^40");
    return units;
}

static int read_entry(struct reader *reader, struct entries *entries)
{
    struct entry *entry;
    if (dal_grow(&entries->list, entries->count, &entries->room, sizeof(*entry)))
        return DAL_ERR_NOMEM;
    entry = &entries->list[entries->count++];
    *entry = (struct entry){0};
    read_name(reader, entry->name);
    entry->place = reader->place;
    if (!reader->wrong && !take_char(reader, ':'))
        report_wrong(reader, "a colon must stand here");
    if (!reader->wrong)
        entry->units = read_units(reader);
    return DAL_OK;
}

static int read_object(struct reader *reader, struct entries *entries)
{
    int status = DAL_OK;
    if (!take_char(reader, '{'))
        report_wrong(reader, "the file must be one object, {\"PROCESS\": UNITS, ...}");
    if (!reader->wrong && !take_char(reader, '}')) {
        do
            status = read_entry(reader, entries);
        while (!status && !reader->wrong && take_char(reader, ','));
        if (!status && !reader->wrong && !take_char(reader, '}'))
            report_wrong(reader, "a comma or a closing brace must stand here");
    }
    skip_space(reader);
    if (!status && !reader->wrong && reader->at != reader->end)
        report_wrong(reader, "nothing may follow the object");
    return status;
}

/* Applying them */

static int index_entries(struct reader *reader, const struct entries *entries,
                         struct dal_names *names)
{
    for (size_t i = 0; i < entries->count; i++) {
        int status = dal_names_add(names, entries->list[i].name, i);
        if (status == DAL_ERR_NOMEM)
            return status;
        if (status)
            dal_error(reader->diags, entries->list[i].place, "duplicate-name",
                      "process '%s' has a time already", entries->list[i].name);
        reader->wrong |= status != DAL_OK;
    }
    return DAL_OK;
}

static void set_time(struct dal_spec_process *process, uint64_t units)
{
    process->execution_time =
        (struct dal_spec_execution_time){.is_given = 1, .is_measured = 1, .units = units};
    for (size_t i = 0; i < process->source_count; i++)
        process->sources[i].execution_time.is_given = 0;
}

static void apply_times(struct reader *reader, struct entries *entries,
                        const struct dal_names *names, struct dal_spec_network *network)
{
    for (size_t i = 0; i < network->process_count; i++) {
        struct dal_spec_process *process = &network->processes[i];
        size_t own = dal_names_find(names, process->name);
        size_t base = dal_names_find(names, process->base);
        size_t which = own != DAL_NAMES_NONE ? own : base;
        if (base != DAL_NAMES_NONE)
            entries->list[base].used = 1;
        if (which == DAL_NAMES_NONE)
            continue;
        entries->list[which].used = 1;
        set_time(process, entries->list[which].units);
    }
    for (size_t i = 0; i < entries->count; i++)
        if (!entries->list[i].used)
            dal_error(reader->diags, entries->list[i].place, "unknown-process",
                      "process network '%s' has no process '%s'", network->name,
                      entries->list[i].name);
}

static int read_text(struct dal_diags *diags, const char *text, size_t length, const char *file,
                     struct dal_spec_network *network)
{
    struct reader reader = {
        .diags = diags, .place = {.file = file, .line = 1}, .at = text, .end = text + length};
    struct entries entries = {0};
    struct dal_names names = {0};
    size_t errors = diags->errors;
    int status = read_object(&reader, &entries);
    if (!status && !reader.wrong)
        status = index_entries(&reader, &entries, &names);
    if (!status && !reader.wrong)
        apply_times(&reader, &entries, &names, network);
    dal_names_finish(&names);
    dal_free(entries.list);
    return status ? status : diags->errors > errors ? DAL_ERR_INVALID : DAL_OK;
}

int dal_times_read(struct dal_diags *diags, const char *file, struct dal_spec_network *network)
{
    struct dal_spec_place place = {.file = dal_diag_file(diags, file)};
    const char *why;
    char *text;
    size_t length;
    int status = dal_file_read(file, MAX_BYTES, &text, &length, &why);
    if (status == DAL_ERR_LIMIT || status == DAL_ERR_IO) {
        dal_error(diags, place, "file", "%s", status == DAL_ERR_IO ? why : "more than 2^26 bytes");
        status = DAL_ERR_INVALID;
    } else if (!status) {
        status = read_text(diags, text, length, place.file, network);
    }
    dal_free(text);
    return status;
}

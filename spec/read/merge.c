#include "spec/read/merge.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "spec/read/entries.h"
#include "spec/read/times.h"

#include <string.h>
#include <unistd.h>

struct source {
    char *text;
    struct dal_times_list list;
};

/* The caller finishes it either way. */
static int read_source(struct dal_diags *diags, const char *file, struct source *source)
{
    struct dal_json json = {.diags = diags,
                            .place = {.file = dal_diag_file(diags, file), .line = 1}};
    size_t length;
    int status = dal_times_load(diags, file, &source->text, &length);
    if (status)
        return status;
    json.at = source->text;
    json.end = json.at + length;
    status = dal__entries_read(&json, &source->list);
    return status ? status : json.wrong ? DAL_ERR_INVALID : DAL_OK;
}

static void finish_source(struct source *source)
{
    dal__entries_finish(&source->list);
    dal_free(source->text);
}

int dal_times_may_merge(struct dal_diags *diags, const char *file, const char *cores, int *is_there)
{
    struct dal_spec_place place = {.file = dal_diag_file(diags, file)};
    struct source old = {0};
    int status;
    *is_there = access(file, F_OK) == 0;
    if (!*is_there)
        return DAL_OK;
    status = read_source(diags, file, &old);
    if (!status && *old.list.cores && strcmp(old.list.cores, cores) != 0) {
        dal_error(diags, place, "bad-times",
                  "the times are those of other cores, '%s', and not of '%s': they need another "
                  "file",
                  old.list.cores, cores);
        status = DAL_ERR_INVALID;
    }
    finish_source(&old);
    return status;
}

static int is_in(const struct dal_times_list *list, const struct dal_times_entry *entry)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = dal__entry_compare(list->sorted[middle], entry);
        if (order == 0)
            return 1;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

static void print_entries(FILE *file, const struct dal_times_list *list,
                          const struct dal_times_list *but, int *count)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct dal_times_entry *entry = &list->entries[i];
        if (but && is_in(but, entry))
            continue;
        fputs((*count)++ ? ",\n  " : "", file);
        fwrite(entry->text, 1, entry->bytes, file);
    }
}

/* The text in front of the first entry is that of the new file. */
static int write_both(const char *file, const struct source *old, const struct source *new)
{
    struct dal_output out;
    int count = 0, status = dal_output_open(&out, "", file);
    if (status < 0)
        return status;
    fwrite(new->text, 1, (size_t)(new->list.entries[0].text - new->text), out.file);
    print_entries(out.file, &old->list, &new->list, &count);
    print_entries(out.file, &new->list, NULL, &count);
    fputs("\n]}\n", out.file);
    return dal_output_close(&out);
}

size_t dal_times_processes(const char *measured)
{
    struct dal_diags diags;
    struct source source = {0};
    size_t count = 0;
    dal_diags_init(&diags);
    if (!read_source(&diags, measured, &source))
        for (size_t i = 0; i < source.list.count; i++)
            count += i == 0 || strcmp(source.list.sorted[i]->process,
                                      source.list.sorted[i - 1]->process) != 0;
    finish_source(&source);
    dal_diags_finish(&diags);
    return count;
}

int dal_times_merge(struct dal_diags *diags, const char *file, const char *measured)
{
    struct source old = {0}, new = {0};
    int status = read_source(diags, measured, &new);
    if (!status && access(file, F_OK) == 0)
        status = read_source(diags, file, &old);
    if (!status && !new.list.count)
        status = dal_error(diags, (struct dal_spec_place){.file = dal_diag_file(diags, file)},
                           "unmeasured", "no process has fired in the run that finds times");
    if (!status)
        status = write_both(file, &old, &new);
    finish_source(&old);
    finish_source(&new);
    return status;
}

/* What all forms of a picture ask. */
#include "view/command/picture.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/limits.h"

#include <inttypes.h>
#include <string.h>

/* Returns a process's binding, or NULL. A network without a plan may have bindings, too. */
static const struct dal_spec_binding *binding_of(const struct dal_picture *picture,
                                                 const struct dal_spec_process *process)
{
    const struct dal_spec_mapping *mapping = &picture->analysis->spec->mapping;
    for (size_t i = 0; i < mapping->binding_count; i++)
        if (mapping->bindings[i].process && mapping->bindings[i].process->number == process->number)
            return &mapping->bindings[i];
    return NULL;
}

char *dal_picture_place(const struct dal_picture *picture, const struct dal_spec_process *process)
{
    const struct dal_spec_binding *binding = binding_of(picture, process);
    struct dal_text text = {0};
    dal_text_add(&text, "");
    for (size_t i = 0; binding && i < binding->processor_count; i++)
        dal_text_printf(&text, "%s%s", i ? "," : "", binding->processors[i]->name);
    return dal_text_take(&text);
}

uint64_t dal_picture_capacity(const struct dal_picture *picture,
                              const struct dal_spec_channel *channel)
{
    return picture->plan ? picture->plan->channels[channel->number].capacity : channel->capacity;
}

char *dal_picture_tokens(const struct dal_spec_channel *channel)
{
    return channel->token_type ? dal_spec_token_name(channel)
                               : dal_format("%" PRIu64 " bytes", dal_spec_token_bytes(channel));
}

const char *dal_picture_newest(const struct dal_spec_channel *channel,
                               char text[DAL_PICTURE_NEWEST])
{
    const struct dal_spec_newest *newest = &channel->newest;
    if (newest->age_ns)
        snprintf(text, DAL_PICTURE_NEWEST, "newest, at most %.6g ms old",
                 1e-6 * (double)newest->age_ns);
    else
        snprintf(text, DAL_PICTURE_NEWEST, "%s", newest->is_given ? "newest" : "");
    return text;
}

void dal_picture_rate(FILE *out, const struct dal_spec_port *port, uint64_t rate)
{
    enum { MOST_WRITTEN = 12 };

    if (port->dynamic)
        fputs("dynamic", out);
    else if (port->channel && port->channel->counted.most)
        fprintf(out, "0..%" PRIu64, port->channel->counted.most);
    else if (port->phases.count == 0)
        fprintf(out, "%" PRIu64, rate);
    else if (port->phases.count > MOST_WRITTEN)
        fprintf(out, "%" PRIu64 " in %zu", rate, port->phases.count);
    else
        for (size_t i = 0; i < port->phases.count; i++)
            fprintf(out, "%s%" PRIu64, i ? "," : "", port->phases.of[i]);
}

int dal_picture_is_witness(const struct dal_picture *picture,
                           const struct dal_spec_channel *channel)
{
    const struct dal_sdf_report *report = &picture->analysis->report;
    const struct dal_sdf_contradiction *rates = &report->contradiction;
    size_t count = report->consistent ? report->deadlock.cycle_count : rates->count;
    for (size_t i = 0; i < count; i++) {
        size_t number =
            report->consistent ? report->deadlock.cycle[i].channel : rates->steps[i].channel;
        if (report->graph.channels[number].origin == channel->number)
            return 1;
    }
    return 0;
}

int dal_picture_is_blocked(const struct dal_picture *picture,
                           const struct dal_spec_process *process)
{
    const struct dal_sdf_report *report = &picture->analysis->report;
    for (size_t i = 0; report->consistent && i < report->deadlock.blocked_count; i++)
        if (report->graph.processes[report->deadlock.blocked[i]].origin == process->number)
            return 1;
    return 0;
}

/* ---- parts ----------------------------------------------------------------------------------- */

size_t dal_picture_folded(const char *pattern, const char *name, size_t from)
{
    char part[4 * DAL_MAX_NAME + 1];
    for (size_t i = 0; pattern && name[i] && i < sizeof(part); i++) {
        part[i] = '\0';
        if (name[i] == '.' && i > from && dal_names_match(pattern, part))
            return i;
        part[i] = name[i];
    }
    return 0;
}

const char *dal_picture_crossing(const struct dal_spec_channel *channel, const char *part,
                                 int output, int *length)
{
    const char *found = NULL;
    size_t of_part = strlen(part), end;
    for (const char *line = channel->through; line && *line; line += end + 1) {
        end = strcspn(line, "\n");
        if (end <= of_part || line[of_part] != '.' || memcmp(line, part, of_part) != 0 ||
            memchr(line + of_part + 1, '.', end - of_part - 1) || (output && found))
            continue;
        found = line + of_part + 1;
        *length = (int)(end - of_part - 1);
    }
    return found;
}

/* ---- texts ----------------------------------------------------------------------------------- */

int dal_number_text(struct dal_numbered *table, const char *text, size_t *number)
{
    char *copy;
    *number = dal_names_find(&table->numbers, text);
    if (*number != DAL_NAMES_NONE)
        return DAL_OK;
    if (dal_grow(&table->texts, table->count, &table->room, sizeof(*table->texts)) < 0)
        return DAL_ERR_NOMEM;
    copy = dal_strdup(text);
    if (!copy)
        return DAL_ERR_NOMEM;
    *number = table->count;
    table->texts[table->count++] = copy;
    return dal_names_add(&table->numbers, copy, *number);
}

void dal_numbered_finish(struct dal_numbered *table)
{
    for (size_t i = 0; i < table->count; i++)
        dal_free(table->texts[i]);
    dal_free(table->texts);
    dal_names_finish(&table->numbers);
}

#include "rt/observe/observers.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "rt/base/setting.h"
#include "rt/observe/stats.h"
#include "rt/observe/timing.h"
#include "rt/steer/steer.h"

const struct dal_observer *const dal_observers[] = {
    &dal_observe_steer,  &dal_observe_live,  &dal_observe_progress, &dal_observe_levels,
    &dal_observe_timing, &dal_observe_table, &dal_observe_stats,    &dal_observe_times,
    &dal_observe_trace,  &dal_observe_page,  &dal_observe_record,   NULL};

static int is_wanted(const struct dal_observer *row)
{
    if (row->is_wanted)
        return row->is_wanted();
    if (row->file_name)
        return row->file_name() != NULL;
    return !row->variable || dal_setting_wanted(row->variable);
}

/* ---- before the run -------------------------------------------------------------------------- */

/* Checks that no row in front of this one writes the same file. */
static int check_earlier(const struct dal_observer *row, const char *file, const char *label)
{
    const struct dal_observer *const *other;
    int status = DAL_OK;
    for (other = dal_observers; status == DAL_OK && *other != row; other++) {
        char *name = NULL;
        if (!(*other)->file_name || !is_wanted(*other))
            continue;
        name = dal_trace_file((*other)->file_name(), label);
        status = name ? DAL_OK : DAL_ERR_NOMEM;
        if (name && dal_output_is_same(name, file)) {
            dal_log(DAL_LOG_ERROR, "%s%s and %s%s are one file", (*other)->variable, name,
                    row->variable, file);
            status = DAL_ERR_INVALID;
        }
        dal_free(name);
    }
    return status;
}

static int check_row(const struct dal_observer *row, const char *label)
{
    int status = row->check ? row->check(label) : DAL_OK;
    char *file;
    if (status < 0 || !row->file_name)
        return status;
    file = dal_trace_file(row->file_name(), label);
    status = file ? check_earlier(row, file, label) : DAL_ERR_NOMEM;
    if (status == DAL_OK && row->print)
        status = dal_output_check(row->variable, file);
    dal_free(file);
    return status;
}

int dal_observers_check(const char *label)
{
    const struct dal_observer *const *row;
    int status = DAL_OK;
    for (row = dal_observers; status == DAL_OK && *row; row++)
        if (is_wanted(*row))
            status = check_row(*row, label);
    return status;
}

int dal_observers_choose(struct dal_network *network, const struct dal_observer *const *rows)
{
    struct dal_observing *observing = &network->observing;
    size_t count = 0;
    while (rows[count])
        count++;
    observing->list = dal_calloc(count + 1, sizeof(*observing->list));
    if (!observing->list)
        return dal_no_memory();
    for (; *rows; rows++)
        if (is_wanted(*rows))
            observing->list[observing->count++].row = *rows;
    return DAL_OK;
}

int dal_observers_need(const struct dal_network *network, int needs)
{
    int all = 0;
    for (int i = 0; i < network->observing.count; i++)
        all |= network->observing.list[i].row->needs;
    return (all & needs) != 0;
}

int dal_observers_install(struct dal_network *network)
{
    const struct dal_observing *observing = &network->observing;
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < observing->count; i++)
        if (observing->list[i].row->install)
            status = observing->list[i].row->install(network, &observing->list[i].state);
    return status;
}

/* ---- the run --------------------------------------------------------------------------------- */

int dal_observers_start(struct dal_network *network)
{
    struct dal_observing *observing = &network->observing;
    int status = DAL_OK;
    while (status == DAL_OK && observing->started < observing->count) {
        struct dal_observed *next = &observing->list[observing->started];
        status = next->row->start ? next->row->start(network, &next->state) : DAL_OK;
        observing->started += status == DAL_OK;
    }
    return status;
}

int dal_observers_stop(struct dal_network *network)
{
    struct dal_observing *observing = &network->observing;
    int status = DAL_OK;
    while (observing->started > 0) {
        struct dal_observed *last = &observing->list[--observing->started];
        int stopped = last->row->stop ? last->row->stop(network, last->state) : DAL_OK;
        status = status < 0 ? status : stopped;
    }
    return status;
}

/* ---- behind the run -------------------------------------------------------------------------- */

void dal_observers_warn(const struct dal_network *network)
{
    const struct dal_observed *one = network->observing.list, *end = one + network->observing.count;
    for (; one < end; one++)
        if (one->row->warn)
            one->row->warn(network, one->state);
}

static int write_file(const struct dal_observer *row, const struct dal_reports *all)
{
    struct dal_output out;
    char *file = dal_trace_file(row->file_name(), all->label);
    int status = file ? dal_output_open(&out, row->variable, file) : DAL_ERR_NOMEM;
    if (status == DAL_OK) {
        status = row->print(out.file, all);
        if (status == DAL_OK)
            status = dal_output_close(&out);
        else
            dal_output_abandon(&out);
    }
    dal_free(file);
    return status;
}

int dal_observers_write(const struct dal_network *network, const struct dal_reports *all)
{
    int status = DAL_OK;
    for (int i = 0; i < network->observing.count; i++) {
        const struct dal_observer *row = network->observing.list[i].row;
        int written = row->print ? write_file(row, all) : row->write ? row->write(all) : DAL_OK;
        status = status < 0 ? status : written;
    }
    return status;
}

void dal_observers_destroy(struct dal_network *network)
{
    struct dal_observing *observing = &network->observing;
    while (observing->count-- > 0) {
        struct dal_observed *last = &observing->list[observing->count];
        if (last->state && last->row->destroy)
            last->row->destroy(last->state);
    }
    dal_free(observing->list);
    *observing = (struct dal_observing){0};
}

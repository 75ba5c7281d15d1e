#include "rt/observe/observers.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "rt/observe/levels.h"
#include "rt/observe/stats.h"
#include "rt/observe/timing.h"
#include "rt/steer/steer.h"

const struct dal_observer *const dal_observers[] = {&dal_observe_steer,
                                                    &dal_observe_live,
                                                    &dal_observe_progress,
                                                    &dal_observe_levels,
                                                    &dal_observe_timing,
                                                    &dal_observe_table,
                                                    &dal_observe_stats,
                                                    &dal_observe_times,
                                                    &dal_observe_trace,
                                                    &dal_observe_page,
                                                    NULL};

int dal_observer_is_wanted(const struct dal_observer *observer)
{
    if (observer->is_wanted)
        return observer->is_wanted();
    return !observer->file_name || observer->file_name();
}

int dal_observers_need(const struct dal_observer *const *rows, int needs)
{
    for (; *rows; rows++)
        if ((*rows)->needs & needs && dal_observer_is_wanted(*rows))
            return 1;
    return 0;
}

static int check_row(const struct dal_observer *row, const char *label)
{
    int status = row->check ? row->check(label) : DAL_OK;
    char *file;
    if (status < 0 || !row->print)
        return status;
    file = dal_trace_file(row->file_name(), label);
    status = file ? dal_output_check(row->variable, file) : DAL_ERR_NOMEM;
    dal_free(file);
    return status;
}

int dal_observers_check(const struct dal_observer *const *rows, const char *label)
{
    int status = DAL_OK;
    for (; status == DAL_OK && *rows; rows++)
        if (dal_observer_is_wanted(*rows))
            status = check_row(*rows, label);
    return status;
}

int dal_observers_install(struct dal_network *network)
{
    struct dal_observing *observers = &network->observers;
    int i, count = 0, status = DAL_OK;
    while (observers->rows[count])
        count++;
    observers->states = dal_calloc((size_t)count + 1, sizeof(*observers->states));
    if (!observers->states)
        return dal__no_memory();
    for (i = 0; status == DAL_OK && i < count; i++)
        if (observers->rows[i]->install && dal_observer_is_wanted(observers->rows[i]))
            status = observers->rows[i]->install(network, &observers->states[i]);
    return status;
}

int dal_observers_start(struct dal_network *network)
{
    struct dal_observing *observers = &network->observers;
    const struct dal_observer *row;
    int status = DAL_OK;
    while (status == DAL_OK && (row = observers->rows[observers->started])) {
        if (row->start && dal_observer_is_wanted(row))
            status = row->start(network, &observers->states[observers->started]);
        observers->started += status == DAL_OK;
    }
    if (status < 0)
        dal_observers_stop(network);
    return status;
}

int dal_observers_stop(struct dal_network *network)
{
    struct dal_observing *observers = &network->observers;
    int status = DAL_OK;
    while (observers->started > 0) {
        const struct dal_observer *row = observers->rows[--observers->started];
        int stopped = DAL_OK;
        if (row->stop && dal_observer_is_wanted(row))
            stopped = row->stop(network, observers->states[observers->started]);
        status = status < 0 ? status : stopped;
    }
    return status;
}

void dal_observers_warn(const struct dal_network *network)
{
    const struct dal_observing *observers = &network->observers;
    int i;
    for (i = 0; observers->rows[i]; i++)
        if (observers->rows[i]->warn && dal_observer_is_wanted(observers->rows[i]))
            observers->rows[i]->warn(network, observers->states[i]);
}

static int write_file(const struct dal_observer *row, const struct dal_told *told)
{
    struct dal_output out;
    char *file = dal_trace_file(row->file_name(), told->label);
    int status = file ? dal_output_open(&out, row->variable, file) : DAL_ERR_NOMEM;
    if (status == DAL_OK) {
        status = row->print(out.file, told);
        if (status == DAL_OK)
            status = dal_output_close(&out);
        else
            dal_output_abandon(&out);
    }
    dal_free(file);
    return status;
}

int dal_observers_write(const struct dal_observer *const *rows, const struct dal_told *told)
{
    int status = DAL_OK;
    for (; *rows; rows++) {
        int written = DAL_OK;
        if ((*rows)->print && dal_observer_is_wanted(*rows))
            written = write_file(*rows, told);
        else if ((*rows)->write && dal_observer_is_wanted(*rows))
            written = (*rows)->write(told);
        status = status < 0 ? status : written;
    }
    return status;
}

void dal_observers_destroy(struct dal_network *network)
{
    struct dal_observing *observers = &network->observers;
    int i = 0;
    if (!observers->states)
        return;
    while (observers->rows[i])
        i++;
    while (i-- > 0)
        if (observers->states[i] && observers->rows[i]->destroy)
            observers->rows[i]->destroy(observers->states[i]);
    dal_free(observers->states);
    observers->states = NULL;
}

#define _GNU_SOURCE
#include "rt/observe/stats.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/memory_stream.h"
#include "rt/observe/observers.h"

/* All sections, in the order of a report, with the observers that write them. */
static const struct {
    const struct dal_section *list;
    int end; /* the number of the section behind them */
    const struct dal_observer *const rows[3];
} kinds[] = {
    {dal__table_sections, DAL_STATS_FILE, {&dal_observe_table}},
    {dal__file_sections, DAL_STATS_TIMES, {&dal_observe_stats, &dal_observe_page}},
    {&dal__times_section, DAL_STATS_TRACE, {&dal_observe_times}},
    {&dal__trace_section, DAL_STATS_SECTIONS, {&dal_observe_trace, &dal_observe_page}},
};

/* Makes the text of a section; it is empty without `section`. */
static int make_text(const struct dal_network *network, const struct dal_section *section,
                     char **text, size_t *bytes)
{
    struct dal_memory_stream stream;
    dal_memory_open(&stream);
    if (stream.file && section)
        section->print(network, stream.file);
    *text = dal_memory_close(&stream);
    *bytes = stream.bytes;
    return *text ? DAL_OK : dal__no_memory();
}

int dal_stats_make(const struct dal_network *network, struct dal_stats_report *report)
{
    int i = 0, first, kind, status = DAL_OK;
    *report =
        (struct dal_stats_report){.network = network->whole->name, .wall_ns = network->wall_ns};
    for (kind = 0; i < DAL_STATS_SECTIONS; kind++) {
        int wanted = dal_observers_need(kinds[kind].rows, DAL_NEEDS_REPORT);
        for (first = i; status == DAL_OK && i < kinds[kind].end; i++)
            status = make_text(network, wanted ? &kinds[kind].list[i - first] : NULL,
                               &report->texts[i], &report->bytes[i]);
        if (status < 0)
            return status;
    }
    return DAL_OK;
}

void dal_stats_finish(struct dal_stats_report *report)
{
    int i;
    for (i = 0; i < DAL_STATS_SECTIONS; i++)
        free(report->texts[i]);
    *report = (struct dal_stats_report){0};
}

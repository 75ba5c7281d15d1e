/* Writes capacities that the analysis has found as the sizes of a mapping. */
#include "synth/command/analyze_print.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/plan/mapping.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Finds a point by its name in the table, or by its tokens; NULL without one. */
static const struct dal_sdf_buffers *find_point(const struct dal_sdf_report *report,
                                                const char *name)
{
    if (strcmp(name, "minimum") == 0)
        return report->minimum.found ? &report->minimum : NULL;
    if (strcmp(name, "fastest") == 0)
        return report->fastest.found ? &report->fastest : NULL;
    for (size_t i = 0; i < report->front.count; i++)
        if (report->front.points[i].total == strtoull(name, NULL, 10))
            return &report->front.points[i];
    return NULL;
}

static int refuse_point(struct dal_diags *diags, const struct dal_spec *spec,
                        const struct dal_sdf_report *report, const char *name)
{
    return dal_error(
        diags, spec->network.place, "no-sizes",
        "there are no capacities '%s'%s: the table of --analyze has those that there are", name,
        report->with_front && !report->front.complete
            ? ", or the time limit came before they were found"
            : "");
}

/* A port has one ring: where a channel that it feeds has no limit, none of them gets one. */
static void share_capacities(const struct dal_spec *spec, uint64_t *capacities)
{
    for (size_t i = 0; i < spec->network.channel_count; i++) {
        const struct dal_spec_port *port = spec->network.channels[i].producer_port;
        const struct dal_spec_channel *c;
        int limited = 1;
        if (!port || port->channel != &spec->network.channels[i])
            continue;
        for (c = port->channel; c; c = c->next_of_port)
            limited &= capacities[c->number] > 0;
        for (c = port->channel; c && !limited; c = c->next_of_port)
            capacities[c->number] = 0;
    }
}

/* Lists the point's capacities of channels without a size, by channel number; NULL without
 * memory. */
static uint64_t *list_capacities(const struct dal_spec *spec, const struct dal_sdf_report *report,
                                 const struct dal_sdf_buffers *point)
{
    uint64_t *capacities = dal_calloc(spec->network.channel_count + 1, sizeof(*capacities));
    for (size_t i = 0; capacities && i < report->graph.channel_count; i++)
        if (report->given[i] == DAL_SDF_UNLIMITED && point->capacity[i] != DAL_SDF_UNLIMITED)
            capacities[report->graph.channels[i].origin] = point->capacity[i];
    if (capacities)
        share_capacities(spec, capacities);
    return capacities;
}

static char *write_text(const struct dal_spec *spec, const struct dal_sdf_report *report,
                        const struct dal_sdf_buffers *point, const char *name)
{
    struct dal_spec sized = *spec;
    struct dal_text text = {0};
    uint64_t *capacities = list_capacities(spec, report, point);
    char *comment =
        dal_format("Sizes by dalsynth --analyze: %s, %" PRIu64 " tokens.", name, point->total);
    text.lost |= !comment || !capacities;
    if (!text.lost) {
        text.lost |= dal_spec_give_sizes(&sized, capacities) != DAL_OK;
        if (!text.lost)
            dal_mapping_write(&text, &sized, comment);
        dal_free(sized.mapping.overrides);
    }
    dal_free_all(capacities, comment);
    return dal_text_take(&text);
}

/* Refuses a point above a size that the user has given, since with that size it is another one. */
static int check_given(struct dal_diags *diags, const struct dal_spec *spec,
                       const struct dal_sdf_report *report, const struct dal_sdf_buffers *point,
                       const char *name)
{
    int status = DAL_OK;
    for (size_t i = 0; i < report->graph.channel_count; i++) {
        const struct dal_sdf_channel *of = &report->graph.channels[i];
        const struct dal_spec_channel *channel = &spec->network.channels[of->origin];
        if (!dal_sdf_is_loop(of) && report->given[i] < point->capacity[i] &&
            point->capacity[i] != DAL_SDF_UNLIMITED)
            status = dal_error(diags, channel->place, "no-sizes",
                               "channel '%s' has a size of %" PRIu64 " tokens, and %" PRIu64
                               " in the capacities '%s': leave its size out",
                               channel->name, report->given[i], point->capacity[i], name);
    }
    return status;
}

int dal_analyze_sizes(struct dal_diags *diags, const struct dal_spec *spec,
                      const struct dal_sdf_report *report, const char *name, const char *file)
{
    const struct dal_sdf_buffers *point = find_point(report, name);
    char *text;
    int status;
    if (!point)
        return refuse_point(diags, spec, report, name);
    status = check_given(diags, spec, report, point, name);
    if (status)
        return status;
    text = write_text(spec, report, point, name);
    status = text ? dal_text_write(text, "", file) : DAL_ERR_NOMEM;
    dal_free(text);
    return status;
}

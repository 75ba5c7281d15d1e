/* Capacities that the analysis has found, as the sizes of a mapping. */
#include "synth/analyze_print.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "synth/mapping.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* By its name in the table, or by its tokens; NULL where there is none. */
static const struct dal_sdf_buffers *find_point(const struct dal_sdf_report *report,
                                                const char *name)
{
    size_t i;

    if (strcmp(name, "minimum") == 0)
        return report->minimum.found ? &report->minimum : NULL;
    if (strcmp(name, "fastest") == 0)
        return report->fastest.found ? &report->fastest : NULL;
    for (i = 0; i < report->front.count; i++)
        if (report->front.points[i].total == strtoull(name, NULL, 10))
            return &report->front.points[i];
    return NULL;
}

static int refuse_point(struct dal_diags *diags, const struct dal_spec *spec,
                        const struct dal_sdf_report *report, const char *name)
{
    dal_error(diags, spec->network.place, "no-sizes",
              "there are no capacities '%s'%s: the table of --analyze has those that there are",
              name,
              report->with_front && !report->front.complete
                  ? ", or the time limit came before they were found"
                  : "");
    return DAL_ERR_INVALID;
}

static const struct dal_sdf_channel *find_channel(const struct dal_sdf_report *report,
                                                  size_t number, size_t *place)
{
    for (*place = 0; *place < report->graph.channel_count; ++*place)
        if (report->graph.channels[*place].origin == number)
            return &report->graph.channels[*place];
    return NULL;
}

/* Of a channel without a size that has a capacity there; else 0. */
static uint64_t size_of(const struct dal_sdf_report *report, const struct dal_sdf_buffers *point,
                        size_t number)
{
    size_t place;

    if (!find_channel(report, number, &place) || report->given[place] != DAL_SDF_UNLIMITED ||
        point->capacity[place] == DAL_SDF_UNLIMITED)
        return 0;
    return point->capacity[place];
}

/* Each behind what the mapping says of the channel. */
static size_t list_overrides(const struct dal_spec *spec, const struct dal_sdf_report *report,
                             const struct dal_sdf_buffers *point, struct dal_spec_override *all)
{
    const struct dal_spec_mapping *mapping = &spec->mapping;
    size_t i, k, count = 0;

    for (i = 0; i < spec->network.channel_count; i++) {
        struct dal_spec_channel *c = &spec->network.channels[i];
        uint64_t size = size_of(report, point, i);
        for (k = 0; k < mapping->override_count; k++)
            if (mapping->overrides[k].channel == c)
                all[count++] = mapping->overrides[k];
        if (size)
            all[count++] = (struct dal_spec_override){.channel = c, .capacity = size};
    }
    return count;
}

static char *write_text(const struct dal_spec *spec, const struct dal_sdf_report *report,
                        const struct dal_sdf_buffers *point, const char *name)
{
    struct dal_spec sized = *spec;
    struct dal_text text = {0};
    char *comment =
        dal_format("Sizes by dalsynth --analyze: %s, %" PRIu64 " tokens.", name, point->total);

    sized.mapping.overrides =
        dal_calloc(spec->mapping.override_count + spec->network.channel_count + 1,
                   sizeof(*sized.mapping.overrides));
    text.lost |= !comment || !sized.mapping.overrides;
    if (!text.lost) {
        sized.mapping.override_count = list_overrides(spec, report, point, sized.mapping.overrides);
        dal_mapping_write(&text, &sized, comment);
    }
    dal_free(sized.mapping.overrides);
    dal_free(comment);
    return dal_text_take(&text);
}

int dal_analyze_sizes(struct dal_diags *diags, const struct dal_spec *spec,
                      const struct dal_sdf_report *report, const char *name, const char *file)
{
    const struct dal_sdf_buffers *point = find_point(report, name);
    struct dal_output output;
    char *text;
    int status;

    if (!point)
        return refuse_point(diags, spec, report, name);
    text = write_text(spec, report, point, name);
    status = text ? dal_output_open(&output, "", file) : DAL_ERR_NOMEM;
    if (status == DAL_OK) {
        fputs(text, output.file);
        status = dal_output_close(&output);
    }
    dal_free(text);
    return status;
}

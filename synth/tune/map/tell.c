/* Tells people what was found and why. */
#include "synth/tune/map/job.h"

#include "rt/base/error.h"
#include "synth/tune/search/front.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- of one mapping -------------------------------------------------------------------------- */

static void tell_objective(const struct dal__map_job *job, struct dal_text *text)
{
    dal_text_printf(text,
                    "A mapping of %s to %s, written by dalmap.\n"
                    "Objective: ",
                    job->spec->network.name, job->spec->architecture.name);
    if (job->map->most_points)
        dal_text_add(text, "a point of a Pareto front; of the mappings and sizes that were tried, "
                           "none is as good in period, latency and bytes of channels and better "
                           "in one of them");
    else if (job->map->objective == DAL_SEARCH_MEMORY)
        dal_text_printf(text,
                        "the fewest bytes of channels, with a period at most %g %% longer than "
                        "the least",
                        100 * DAL_SEARCH_MARGIN);
    else if (job->map->objective == DAL_SEARCH_LATENCY)
        dal_text_add(text, "the least time of an iteration on its longest way, and no more "
                           "processors than it needs");
    else
        dal_text_add(text, "the least period, and no more processors than it needs");
    dal_text_printf(text, ". Times: %s.\n", dal_path_base(job->map->times_file));
    dal_text_add(text, job->map->note ? job->map->note : "");
}

static void tell_period(struct dal_text *text, const char *what, double period_ns)
{
    dal_text_printf(text, "%s: %s", what, dal_prediction_period(period_ns).text);
}

static void tell_end(const struct dal__map_job *job, size_t number, struct dal_text *text)
{
    static const char *const ends[] = {
        [DAL_SEARCH_NO_HELP] = "no change that was tried makes it better",
        [DAL_SEARCH_TOO_MANY] = "more were not tried",
        [DAL_SEARCH_TIME] = "the time limit ended the search",
        [DAL_SEARCH_INTERRUPTED] = "a signal ended the search",
    };
    const struct dal_search_result *r = &job->result;
    if (r->end == DAL_SEARCH_ALL && job->map->most_points)
        dal_text_printf(text,
                        "Tried: all %" PRIu64 " mappings that differ, each with %d choices of "
                        "sizes.\n",
                        r->possible, (int)DAL_SEARCH_LEVELS);
    else if (r->end == DAL_SEARCH_ALL)
        dal_text_printf(text,
                        "Tried: all %" PRIu64 " mappings that differ; %" PRIu64
                        " were predicted, the others are no better by their load alone.\n",
                        r->possible, r->tried);
    else
        dal_text_printf(text, "Tried: %" PRIu64 " mappings; %s.\n", r->tried, ends[r->end]);
    if (r->end != DAL_SEARCH_ALL && r->values[number].period_ns <= job->space.least_ns * 1.0001)
        dal_text_add(text, "No mapping has a shorter period: one process, or the load of all, "
                           "takes as long.\n");
}

static void tell_processor(const struct dal__map_job *job, size_t number, struct dal_text *text)
{
    const struct dal_plan *plan = job->planned.list[0].plan;
    const struct dal_plan_processor *processor = &plan->processors[number];
    size_t count = 0;
    dal_text_printf(text, "  %s, %.0f %% busy:", processor->processor->name,
                    100 * job->prediction.processors[number]);
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = &plan->processes[i];
        if (dal_plan_runs_on(p, processor))
            dal_text_printf(text, "%s %s", count++ ? "," : "", p->process->name);
    }
    dal_text_add(text, count ? "\n" : " fallbacks only\n");
    if (strncmp(processor->capability->identifier, "CPU_", 4) == 0)
        dal_text_add(text, "    This device is made of cores, and takes its time of theirs.\n");
}

/* Tells the promised latencies; all latencies if they are the objective. */
static void tell_latencies(const struct dal__map_job *job, struct dal_text *text)
{
    const struct dal_spec_network *network = &job->spec->network;
    for (size_t i = 0; i < job->prediction.path_count; i++) {
        const struct dal_prediction_path *path = &job->prediction.paths[i];
        if (!path->promise && !job->space.is_sized)
            continue;
        dal_text_printf(text, "Latency from %s to %s: %.4g ms at most",
                        network->processes[path->from].name, network->processes[path->to].name,
                        path->most_ns / 1e6);
        if (path->promise)
            dal_text_printf(text, "; promised: %.4g ms", (double)path->promise->max_ns / 1e6);
        dal_text_add(text, ".\n");
    }
}

/* Tells the sizes of a point of a front. */
static void tell_sizes(const struct dal_search_value *value, struct dal_text *text)
{
    if (value->most_firings)
        dal_text_printf(text, "Sizes: for at most %" PRIu64 " of a process's firings at once.\n",
                        value->most_firings);
    else
        dal_text_add(text, "Sizes: as dalsynth chooses them.\n");
}

static void tell_plan(const struct dal__map_job *job, struct dal_text *text)
{
    tell_latencies(job, text);
    for (size_t i = 0; i < job->planned.list[0].plan->processor_count; i++)
        tell_processor(job, i, text);
    dal_text_add(text, "Shadow copies, work-items and sizes that are not given are left to "
                       "dalsynth; with the same times it chooses the same.");
}

char *dal__map_comment(const struct dal__map_job *job, size_t number)
{
    const struct dal__finalist *f = &job->finalists[number];
    struct dal_text text = {0};
    tell_objective(job, &text);
    tell_period(&text, "Predicted", f->period_ns);
    dal_text_printf(&text, "; what limits it: %s.\n", f->limit ? f->limit : "");
    if (isinf(job->result.initial_ns))
        dal_text_add(&text, "The search began with a mapping that cannot run");
    else
        tell_period(&text, "The search began with", job->result.initial_ns);
    dal_text_printf(&text, ".\nChannels: %" PRIu64 " bytes.\n", job->result.values[number].bytes);
    if (job->map->most_points)
        tell_sizes(&job->result.values[number], &text);
    tell_end(job, number, &text);
    if (job->unplanned)
        dal_text_add(&text, "A signal came before the sources were read, which may change that.");
    else
        tell_plan(job, &text);
    return dal_text_take(&text);
}

char *dal__map_add_line(const char *text, const char *line)
{
    const char *predicted = strstr(text, "\n     Predicted: ");
    struct dal_text all = {0};
    if (predicted)
        dal_text_printf(&all, "%.*s\n     %s", (int)(predicted - text), text, line);
    dal_text_add(&all, predicted ? predicted : text);
    return dal_text_take(&all);
}

/* ---- of the best ----------------------------------------------------------------------------- */

/* The least and the most time of several runs. */
static void find_range(const struct dal_map_runs *runs, double *least, double *most)
{
    *least = *most = runs->ns[0];
    for (size_t i = 1; i < runs->count; i++) {
        *least = fmin(*least, runs->ns[i]);
        *most = fmax(*most, runs->ns[i]);
    }
}

/* Is any process at a place? */
static int is_used(const struct dal__map_job *job, size_t number, size_t place)
{
    size_t count = job->space.process_count, i = 0;
    const uint16_t *places = &job->result.places[number * count];
    while (i < count && places[i] != place)
        i++;
    return i < count;
}

/* Tells where the processes of a mapping are, each place once. */
static void tell_places(const struct dal__map_job *job, size_t number, struct dal_text *text)
{
    const char *between = "";
    for (size_t i = 0; i < job->space.place_count; i++) {
        const struct dal_search_place *place = &job->space.places[i];
        if (!is_used(job, number, i))
            continue;
        if (place->pool_count)
            dal_text_printf(text, "%sall of %zu cores", between, place->pool_count);
        else
            dal_text_printf(text, "%s%s", between, place->processor->name);
        between = ", ";
    }
}

static void tell_measured(const struct dal__finalist *f, struct dal_text *text)
{
    double least, most;
    if (!f->runs.count) {
        dal_text_add(text, "; not measured");
        return;
    }
    find_range(&f->runs, &least, &most);
    tell_period(text, "; measured", f->measured_ns);
    dal_text_printf(text, ", from %s", dal_predict_ns(least).text);
    dal_text_printf(text, " to %s", dal_predict_ns(most).text);
}

/* Tells the predicted times beside the measured ones. */
static void tell_runs(const struct dal__map_job *job, struct dal_text *text)
{
    dal_text_printf(
        text,
        "\nRun for %g s each, in %d parts, in turn. The medians, the best by prediction "
        "first. More devices,\nprocessors or copies are taken if a rank test of the "
        "parts says that they are faster:\n",
        job->map->run_seconds, DAL_MAP_RUNS);
    for (size_t i = 0; i < job->finalist_count; i++) {
        const struct dal__finalist *f = &job->finalists[i];
        dal_text_printf(text, "  %zu processor%s, ", f->processors, f->processors == 1 ? "" : "s");
        tell_period(text, "predicted", f->period_ns);
        tell_measured(f, text);
        dal_text_add(text, "; on ");
        tell_places(job, i, text);
        dal_text_add(text, i == job->best ? ": this mapping" : "");
        dal_text_add(text, i + 1 < job->finalist_count ? "\n" : "");
    }
    dal_text_add(text, job->interrupted ? "\nA signal ended the runs." : "");
    dal_text_add(text, job->late ? "\nThe time limit ended the runs." : "");
}

char *dal__map_told(const struct dal__map_job *job)
{
    struct dal_text text = {0};
    double least, most;
    if (job->map->run)
        dal_text_add(&text, "processors\vpredicted\vmeasured\vfrom\vto\v\n");
    for (size_t i = 0; job->map->run && i < job->finalist_count; i++) {
        const struct dal__finalist *f = &job->finalists[i];
        tell_places(job, i, &text);
        dal_text_printf(&text, "\v%s", dal_predict_ns(f->period_ns).text);
        find_range(&f->runs, &least, &most);
        dal_text_printf(&text, "\v%s", f->runs.count ? dal_predict_ns(f->measured_ns).text : "-");
        dal_text_printf(&text, "\v%s", f->runs.count ? dal_predict_ns(least).text : "-");
        dal_text_printf(&text, "\v%s", f->runs.count ? dal_predict_ns(most).text : "-");
        dal_text_add(&text, i == job->best ? "\vtaken\n" : "\v\n");
    }
    return dal_text_take(&text);
}

char *dal__map_summary(const struct dal__map_job *job)
{
    const struct dal__finalist *f = &job->finalists[job->best];
    struct dal_text text = {0};
    dal_text_printf(&text, "%" PRIu64 " mappings tried; ", job->result.tried);
    tell_period(&text, "predicted", f->period_ns);
    dal_text_printf(&text, "; what limits it: %s", f->limit);
    if (f->measured_ns > 0)
        tell_period(&text, "; measured", f->measured_ns);
    return dal_text_take(&text);
}

char *dal__map_text(struct dal__map_job *job)
{
    struct dal_text text = {0}, comment = {0};
    dal_text_add(&comment, job->finalists[job->best].comment);
    if (job->map->run)
        tell_runs(job, &comment);
    text.lost |= comment.lost || dal__map_write(job, job->best, &text, dal_text_get(&comment));
    dal_text_finish(&comment);
    return dal_text_take(&text);
}

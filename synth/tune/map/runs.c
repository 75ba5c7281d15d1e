/* Builds and runs the best few mappings: the measured time decides between predictions that are
 * alike. */
#include "synth/tune/map/job.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "synth/program/build.h"
#include "synth/program/measure.h"
#include "synth/program/profile.h"

/* Counts the devices and the copies of a mapping. */
static void count_uses(const struct dal__map_job *job, size_t number, struct dal__finalist *f)
{
    const struct dal_search_space *space = &job->space;
    const uint16_t *places = &job->result.places[number * space->process_count];
    for (size_t i = 0; i < space->process_count; i++) {
        const struct dal_search_place *place = &space->places[places[i]];
        size_t before = 0;
        while (before < i && places[before] != places[i])
            before++;
        f->devices += before == i && dal_spec_is_device(place->kind);
        f->copies += place->pool_count ? place->pool_count : 1;
    }
}

int dal__map_add_finalist(struct dal__map_job *job)
{
    size_t number = job->finalist_count++;
    struct dal__finalist *f = &job->finalists[number];
    f->period_ns = job->result.values[number].period_ns;
    f->processors = job->result.values[number].processors;
    f->simple = job->result.values[number].simple;
    if (!job->unplanned)
        f->period_ns = job->prediction.period_ns;
    count_uses(job, number, f);
    f->limit = dal_strdup(job->unplanned ? "not known" : job->prediction.limit);
    f->comment = dal__map_comment(job, number);
    return f->comment && f->limit ? DAL_OK : DAL_ERR_NOMEM;
}

/* Leaves out a mapping that cannot be built or run here. */
static int leave_out(struct dal__map_job *job, size_t number, int status)
{
    if (status != DAL_ERR_INVALID && status != DAL_ERR_BUILD)
        return status;
    dal_diags_print(&job->planning, stderr);
    dal_log(DAL_LOG_WARNING, "mapping %zu of the best is left out: it could not be run",
            number + 1);
    dal_free(job->finalists[number].path);
    job->finalists[number].path = NULL;
    return DAL_OK;
}

/* Is no time left for something that takes so long? */
static int is_late(struct dal__map_job *job, int64_t ns)
{
    const int64_t deadline_ns = job->map->deadline_ns;
    int late = deadline_ns && dal_now_ns() + ns > deadline_ns;
    job->late |= late;
    return late;
}

/* Builds the program of the last plan. */
static int build_finalist(struct dal__map_job *job)
{
    size_t number = job->finalist_count - 1;
    char *folder = dal_format("%s/mapping_%zu", job->folder, number + 1);
    int64_t began_ns = dal_now_ns();
    int status = DAL_ERR_NOMEM;
    dal_progress_show("building mapping %zu of %zu", number + 1, job->result.count);
    if (folder)
        status =
            dal_measure_build(&job->planning, &job->planned, folder, &job->finalists[number].path);
    dal_free(folder);
    if (dal_now_ns() - began_ns > job->build_ns)
        job->build_ns = dal_now_ns() - began_ns;
    return leave_out(job, number, status);
}

/* Plans and builds the next mapping. One that dalsynth refuses, for example for a kernel's source,
 * is left out after its error was reported. */
static int next_finalist(struct dal__map_job *job)
{
    int status = dal__map_plan(job, job->finalist_count), is_refused = status == DAL_ERR_INVALID;
    if (is_refused)
        dal_diags_print(&job->planning, stderr);
    job->unplanned = is_refused;
    if (!status || is_refused)
        status = dal__map_add_finalist(job);
    job->unplanned = 0;
    return status || is_refused ? status : build_finalist(job);
}

/* Leaves time for a run of each. */
static int build_finalists(struct dal__map_job *job, int64_t run_ns)
{
    int status = build_finalist(job);
    while (!status && job->finalist_count < job->result.count &&
           !is_late(job, job->build_ns + (int64_t)(job->finalist_count + 1) * run_ns))
        status = next_finalist(job);
    return status;
}

static int run_finalist(struct dal__map_job *job, size_t number)
{
    struct dal__finalist *f = &job->finalists[number];
    struct dal_profile_run run = {.program = f->path,
                                  .parameters = job->map->parameters,
                                  .parameter_count = job->map->parameter_count,
                                  .seconds = job->map->run_seconds / DAL_MAP_RUNS,
                                  .deadline_ns = job->map->deadline_ns};
    int status;
    if (!f->path)
        return DAL_OK;
    dal_diags_finish(&job->planning);
    dal_diags_init(&job->planning);
    dal_progress_show("run %zu of %d of mapping %zu of %zu", f->runs.count + 1, DAL_MAP_RUNS,
                      number + 1, job->finalist_count);
    status = dal_measure_run(&job->planning, &job->spec->network, &run, &f->runs.ns[f->runs.count]);
    if (status) /* one that never begins is no better than one that fails */
        return leave_out(job, number, status == DAL_ERR_SYSTEM ? DAL_ERR_BUILD : status);
    f->runs.count += f->runs.ns[f->runs.count] > 0;
    f->measured_ns = dal_map_runs_median(&f->runs);
    return DAL_OK;
}

/* Runs the finalists in turn, so that other work on the machine affects all of them alike. */
static int run_finalists(struct dal__map_job *job)
{
    int64_t run_ns = (int64_t)(1e9 * job->map->run_seconds / DAL_MAP_RUNS);
    int status = build_finalists(job, run_ns), round;
    for (round = 0; round < DAL_MAP_RUNS; round++)
        for (size_t i = 0; !status && i < job->finalist_count && !(round && is_late(job, run_ns));
             i++)
            status = run_finalist(job, i);
    if (status != DAL_ERR_INTERRUPTED)
        return status;
    job->interrupted = 1;
    return DAL_OK;
}

/* Takes one by the runs. Without any, takes the best by prediction when there was no time for runs,
 * and the simplest when they were too short. */
static int take_one(struct dal__map_job *job)
{
    size_t count = job->finalist_count;
    job->best = dal__map_pick(job->finalists, count);
    if (job->best < count)
        return DAL_OK;
    job->best = job->interrupted || job->late ? 0 : dal__map_simplest(job->finalists, count);
    if (job->best < count) {
        dal_log(DAL_LOG_WARNING, "%s to tell mappings apart: %s is taken",
                job->interrupted ? "it was interrupted too soon" : "no run is long enough",
                job->interrupted || job->late ? "the best by prediction" : "the simplest");
        return DAL_OK;
    }
    job->best = 0;
    dal_log(DAL_LOG_ERROR, "none of the best mappings could be run on this machine");
    return DAL_ERR_BUILD;
}

int dal__map_choose(struct dal__map_job *job)
{
    int status;
    job->finalists = dal_calloc(job->result.count + 1, sizeof(*job->finalists));
    status = job->finalists ? dal__map_add_finalist(job) : DAL_ERR_NOMEM;
    if (status || !job->map->run || job->interrupted)
        return status;
    if (dal_build_environment())
        return DAL_ERR_NOMEM;
    job->folder = dal_profile_folder();
    status = job->folder ? run_finalists(job) : DAL_ERR_SYSTEM;
    return status ? status : take_one(job);
}

void dal__map_forget_finalists(struct dal__map_job *job)
{
    for (size_t i = 0; i < job->finalist_count; i++) {
        dal_free_all(job->finalists[i].comment, job->finalists[i].limit, job->finalists[i].path);
    }
    dal_free(job->finalists);
    job->finalists = NULL;
    job->finalist_count = 0;
}

void dal__map_finish_runs(struct dal__map_job *job)
{
    dal__map_forget_finalists(job);
    if (job->folder)
        dal_build_remove(job->folder);
    dal_free(job->folder);
}

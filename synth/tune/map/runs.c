/* Builds and runs the best few mappings: the measured time decides between predictions that are
 * alike. */
#include "synth/tune/map/job.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/program/build.h"
#include "synth/program/measure.h"
#include "synth/program/profile.h"

int dal__map_add_finalist(struct dal__map_job *job)
{
    size_t number = job->finalist_count++;
    struct dal__finalist *f = &job->finalists[number];
    f->period_ns = job->result.values[number].period_ns;
    f->processors = job->result.values[number].processors;
    if (!job->unplanned)
        f->period_ns = job->prediction.period_ns;
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

/* Builds the program of the last plan. */
static int build_finalist(struct dal__map_job *job)
{
    size_t number = job->finalist_count - 1;
    char *folder = dal_format("%s/mapping_%zu", job->folder, number + 1);
    int status = DAL_ERR_NOMEM;
    if (folder)
        status =
            dal_measure_build(&job->planning, &job->planned, folder, &job->finalists[number].path);
    dal_free(folder);
    return leave_out(job, number, status);
}

/* Plans and builds the next mapping. One that dalsynth refuses, for example for a kernel's source,
 * is left out after its error was reported. */
static int next_finalist(struct dal__map_job *job)
{
    int status = dal__map_plan(job, job->finalist_count), is_refused = status == DAL_ERR_INVALID;
    job->unplanned = is_refused;
    if (!status || is_refused)
        status = dal__map_add_finalist(job);
    job->unplanned = 0;
    return status || is_refused ? status : build_finalist(job);
}

static int build_finalists(struct dal__map_job *job)
{
    int status = build_finalist(job);
    while (!status && job->finalist_count < job->result.count)
        status = next_finalist(job);
    return status;
}

/* Takes the shortest of several runs: the machine may have been busy in the others. */
static int run_finalist(struct dal__map_job *job, size_t number)
{
    struct dal__finalist *f = &job->finalists[number];
    struct dal_profile_run run = {.program = f->path,
                                  .parameters = job->map->parameters,
                                  .parameter_count = job->map->parameter_count,
                                  .seconds = job->map->run_seconds / DAL__MAP_RUNS};
    double period_ns;
    int status;
    if (!f->path)
        return DAL_OK;
    dal_diags_finish(&job->planning);
    dal_diags_init(&job->planning);
    status = dal_measure_run(&job->spec->network, &run, &period_ns);
    if (status)
        return leave_out(job, number, status);
    if (f->measured_ns <= 0 || period_ns < f->measured_ns)
        f->measured_ns = period_ns;
    return DAL_OK;
}

/* Runs the finalists in turn, so that other work on the machine affects all of them alike. */
static int run_finalists(struct dal__map_job *job)
{
    int status = build_finalists(job), round;
    for (round = 0; round < DAL__MAP_RUNS; round++)
        for (size_t i = 0; !status && i < job->finalist_count; i++)
            status = run_finalist(job, i);
    if (status != DAL_ERR_INTERRUPTED)
        return status;
    job->interrupted = 1;
    return DAL_OK;
}

static void find_fastest(struct dal__map_job *job)
{
    for (size_t i = 0; i < job->finalist_count; i++) {
        double ns = job->finalists[i].measured_ns, best_ns = job->finalists[job->best].measured_ns;
        if (ns > 0 && (best_ns <= 0 || ns < best_ns))
            job->best = i;
    }
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
    find_fastest(job);
    if (!status && !job->interrupted && job->finalists[job->best].measured_ns <= 0) {
        dal_log(DAL_LOG_ERROR, "none of the best mappings could be run on this machine");
        status = DAL_ERR_BUILD;
    }
    return status;
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

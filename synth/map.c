#define _GNU_SOURCE
#include "synth/map.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "synth/applications.h"
#include "synth/build.h"
#include "synth/costs.h"
#include "synth/measure.h"
#include "synth/predict/predict.h"
#include "synth/profile.h"
#include "synth/search/write.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* One of the best mappings, which may be built and run. */
struct finalist {
    char *comment, *limit;
    char *path;         /* of its program, or NULL */
    double period_ns;   /* predicted */
    double measured_ns; /* 0: not measured */
    size_t processors;
};

/* One search, from the files to the text. */
struct mapping_job {
    struct dal_diags *diags;
    const struct dal_map *map;
    struct dal_spec *spec;
    struct dal_search_space space;
    struct dal_search_result result;
    struct dal_applications planned; /* the best, read back as dalsynth reads it */
    struct dal_prediction prediction;
    struct dal_diags planning; /* of that */
    char *folder;              /* of the finalists' programs */
    struct finalist *finalists;
    size_t finalist_count, best; /* of them */
    int interrupted;             /* behind the search, */
    int unplanned;               /* and even before the best was planned */
};

/* Searches, at most, as long as the sources say something that changes the prediction. */
enum { MOST_ROUNDS = 3 };
/* Of each finalist. */
enum { RUNS = 3 };

/* ---- the search ------------------------------------------------------------------------------ */

static int look_up(void *context, uint64_t tried, double least_ns)
{
    const struct dal_map *map = context;

    if (map->progress)
        map->progress(tried, least_ns);
    return dal_child_interrupted() != 0;
}

/* It has ended the search, and is not to end what comes behind. */
static void forget_signal(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct timespec now = {0};
    sigset_t signals;
    size_t i;

    sigemptyset(&signals);
    for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        sigaddset(&signals, numbers[i]);
    while (sigtimedwait(&signals, NULL, &now) > 0)
        ;
}

static int run_search(struct mapping_job *job)
{
    const struct dal_map *map = job->map;
    double seconds = map->seconds > 0 ? map->seconds : DAL_MAP_SECONDS;
    struct dal_search search = {.space = &job->space,
                                .objective = map->objective,
                                .most_exact = map->most_exact,
                                .deadline_ns = dal_now_ns() + (int64_t)(seconds * 1e9),
                                .look = look_up,
                                .context = (void *)map};
    int error = dal_search_run(&search, map->run ? map->run : 1, &job->result);

    if (!error && job->result.end == DAL_SEARCH_INTERRUPTED)
        forget_signal();
    return error;
}

/* Why not even the first could run, if one was tried. */
static int refuse_all(struct mapping_job *job)
{
    const struct dal_spec_place place = job->spec->network.place;
    size_t errors = job->diags->errors;
    struct dal_search_value value;

    if (!job->result.tried) {
        dal_error(job->diags, place, "no-mapping",
                  "no mapping keeps all pins, bindings and free cores that are asked for");
        return DAL_ERR_INVALID;
    }
    if (dal_search_evaluate(job->diags, &job->space, job->result.places, &value))
        return DAL_ERR_NOMEM;
    if (job->diags->errors == errors)
        dal_error(job->diags, place, "no-mapping",
                  "none of the %" PRIu64 " mappings that were tried can run", job->result.tried);
    return DAL_ERR_INVALID;
}

/* ---- the best, as dalsynth has it ------------------------------------------------------------ */

/* In a file of its own, whose name the caller frees; NULL, logged, where there is none. */
static char *write_aside(const char *text)
{
    const char *parent = getenv("TMPDIR");
    char *name = dal_format("%s/dalmap-XXXXXX", parent && *parent ? parent : "/tmp");
    int file = name ? mkstemp(name) : -1;

    if (file >= 0 && dal_write_all(file, text, strlen(text)) == DAL_OK && close(file) == 0)
        return name;
    dal_log(DAL_LOG_ERROR, "cannot write %s", name ? name : "a file");
    if (file >= 0)
        unlink(name);
    dal_free(name);
    return NULL;
}

static int plan_file(struct mapping_job *job, struct dal_diags *diags, const char *file)
{
    const struct dal_map *map = job->map;
    struct dal_applications *all = &job->planned;
    int error =
        dal_applications_only(diags, all, map->network_file, file, map->defines, map->define_count);

    if (!error)
        error = dal_applications_load(diags, all, map->architecture_file, map->times_file);
    if (!error)
        error = dal_applications_place(diags, all, 0);
    if (!error)
        all->list[0].plan->memory = job->space.memory;
    if (!error)
        error = dal_applications_plan(diags, all);
    return error;
}

/* Warnings have been given, or come when the program is made. */
static int plan_best(struct mapping_job *job, const char *text)
{
    char *file = write_aside(text);
    int error = DAL_ERR_SYSTEM;

    if (!file)
        return error;
    dal_prediction_finish(&job->prediction);
    dal_applications_finish(&job->planned);
    dal_diags_finish(&job->planning);
    dal_diags_init(&job->planning);
    error = plan_file(job, &job->planning, file);
    if (error == DAL_ERR_INVALID)
        dal_diags_print(&job->planning, stderr);
    if (!error)
        error = dal_predict(job->planned.list[0].plan, &dal_predict_usual, &job->prediction);
    unlink(file);
    dal_free(file);
    return error;
}

/* One of the best, in the file that it would be. */
static int write_and_plan(struct mapping_job *job, size_t number)
{
    struct dal_text text = {0};
    int error = DAL_ERR_NOMEM;

    dal_search_bind(&job->space, &job->result.places[number * job->space.process_count]);
    dal_search_write(&text, job->spec, "");
    if (!text.lost)
        error = plan_best(job, dal_text_get(&text));
    dal_text_finish(&text);
    return error;
}

/* Sources may say of processes on a device that they are not launched as one. Then the search was
 * wrong about them. Returns whether it learns something. */
static int learn_apart(struct mapping_job *job)
{
    const struct dal_plan *plan = job->planned.list[0].plan;
    int learnt = 0;
    size_t i;

    if (job->prediction.period_ns <= job->result.values[0].period_ns * (1 + DAL_SEARCH_SAME))
        return 0;
    for (i = 0; i < plan->process_count; i++) {
        learnt |= plan->processes[i].stays_apart && !job->space.apart[i];
        job->space.apart[i] |= (unsigned char)(plan->processes[i].stays_apart != 0);
    }
    return learnt;
}

static int search_and_plan(struct mapping_job *job)
{
    int error, round = 0;

    do {
        dal_search_result_finish(&job->result);
        error = run_search(job);
        if (!error && !job->result.count)
            error = refuse_all(job);
        if (!error)
            error = write_and_plan(job, 0);
    } while (!error && ++round < MOST_ROUNDS && learn_apart(job));
    job->interrupted = job->unplanned = error == DAL_ERR_INTERRUPTED;
    return job->unplanned ? DAL_OK : error;
}

/* ---- what is said of it ---------------------------------------------------------------------- */

static void tell_objective(const struct mapping_job *job, struct dal_text *text)
{
    dal_text_printf(text,
                    "A mapping of %s to %s, written by dalmap.\n"
                    "Objective: ",
                    job->spec->network.name, job->spec->architecture.name);
    if (job->map->objective == DAL_SEARCH_MEMORY)
        dal_text_printf(text,
                        "the fewest bytes of channels, with a period at most %g %% longer than "
                        "the least",
                        100 * DAL_SEARCH_MARGIN);
    else
        dal_text_add(text, "the least period, and no more processors than it needs");
    dal_text_printf(text, ". Times: %s.\n", dal_path_base(job->map->times_file));
}

static void tell_period(struct dal_text *text, const char *what, double period_ns)
{
    char *period = dal_prediction_period(period_ns);

    dal_text_printf(text, "%s: %s", what, period ? period : "");
    text->lost |= !period;
    dal_free(period);
}

static void tell_end(const struct mapping_job *job, size_t number, struct dal_text *text)
{
    static const char *const ends[] = {
        [DAL_SEARCH_NO_HELP] = "no change that was tried makes it better",
        [DAL_SEARCH_TOO_MANY] = "more were not tried",
        [DAL_SEARCH_TIME] = "the time limit ended the search",
        [DAL_SEARCH_INTERRUPTED] = "a signal ended the search",
    };
    const struct dal_search_result *r = &job->result;

    if (r->end == DAL_SEARCH_ALL)
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

static void tell_processor(const struct mapping_job *job, size_t number, struct dal_text *text)
{
    const struct dal_plan *plan = job->planned.list[0].plan;
    const struct dal_plan_processor *processor = &plan->processors[number];
    size_t i, k, count = 0;

    dal_text_printf(text, "  %s, %.0f %% busy:", processor->processor->name,
                    100 * job->prediction.processors[number]);
    for (i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = &plan->processes[i];
        for (k = 0; k < p->processor_count; k++)
            if (p->processors[k] == processor)
                dal_text_printf(text, "%s %s", count++ ? "," : "", p->process->name);
    }
    dal_text_add(text, count ? "\n" : " fallbacks only\n");
    if (strncmp(processor->capability->identifier, "CPU_", 4) == 0)
        dal_text_add(text, "    This device is made of cores; what it takes of them is not in the "
                           "prediction.\n");
}

static void tell_plan(const struct mapping_job *job, struct dal_text *text)
{
    size_t i;

    for (i = 0; i < job->planned.list[0].plan->processor_count; i++)
        tell_processor(job, i, text);
    dal_text_add(text, "Shadow copies, work-items and sizes that are not given are left to "
                       "dalsynth; with the same times it chooses the same.");
}

static char *make_comment(const struct mapping_job *job, size_t number)
{
    const struct finalist *f = &job->finalists[number];
    struct dal_text text = {0};

    tell_objective(job, &text);
    tell_period(&text, "Predicted", f->period_ns);
    dal_text_printf(&text, "; what limits it: %s.\n", f->limit ? f->limit : "");
    tell_period(&text, "The search began with", job->result.beginning_ns);
    dal_text_printf(&text, ".\nChannels: %" PRIu64 " bytes.\n", job->result.values[number].bytes);
    tell_end(job, number, &text);
    if (job->unplanned)
        dal_text_add(&text, "A signal came before the sources were read, which may change that.");
    else
        tell_plan(job, &text);
    return dal_text_take(&text);
}

/* ---- the best of them, really run ------------------------------------------------------------ */

/* What has been planned last becomes the next finalist. */
static int add_finalist(struct mapping_job *job)
{
    size_t number = job->finalist_count++;
    struct finalist *f = &job->finalists[number];

    f->period_ns = job->result.values[number].period_ns;
    f->processors = job->result.values[number].processors;
    if (!job->unplanned)
        f->period_ns = job->prediction.period_ns;
    f->limit = dal_strdup(job->unplanned ? "not known" : job->prediction.limit);
    f->comment = make_comment(job, number);
    return f->comment && f->limit ? DAL_OK : DAL_ERR_NOMEM;
}

/* One that cannot be built or run here is left out. */
static int leave_out(struct mapping_job *job, size_t number, int error)
{
    if (error != DAL_ERR_INVALID && error != DAL_ERR_BUILD)
        return error;
    dal_diags_print(&job->planning, stderr);
    dal_log(DAL_LOG_WARNING, "mapping %zu of the best is left out: it could not be run",
            number + 1);
    dal_free(job->finalists[number].path);
    job->finalists[number].path = NULL;
    return DAL_OK;
}

/* Of what has been planned last. */
static int build_finalist(struct mapping_job *job)
{
    size_t number = job->finalist_count - 1;
    char *folder = dal_format("%s/mapping_%zu", job->folder, number + 1);
    int error = DAL_ERR_NOMEM;

    if (folder)
        error =
            dal_measure_build(&job->planning, &job->planned, folder, &job->finalists[number].path);
    dal_free(folder);
    return leave_out(job, number, error);
}

static int build_finalists(struct mapping_job *job)
{
    int error = build_finalist(job);

    while (!error && job->finalist_count < job->result.count) {
        error = write_and_plan(job, job->finalist_count);
        if (!error)
            error = add_finalist(job);
        if (!error)
            error = build_finalist(job);
    }
    return error;
}

/* The shortest of several runs counts: others may have been busy in the rest. */
static int run_finalist(struct mapping_job *job, size_t number)
{
    struct finalist *f = &job->finalists[number];
    double seconds = job->map->run_seconds / RUNS, period_ns;
    int error;

    if (!f->path)
        return DAL_OK;
    dal_diags_finish(&job->planning);
    dal_diags_init(&job->planning);
    error = dal_measure_run(&job->spec->network, f->path, seconds, &period_ns);
    if (error)
        return leave_out(job, number, error);
    if (f->measured_ns <= 0 || period_ns < f->measured_ns)
        f->measured_ns = period_ns;
    return DAL_OK;
}

/* In turn, so that what else the machine does is the same for all. */
static int run_finalists(struct mapping_job *job)
{
    int error = build_finalists(job), round;
    size_t i;

    for (round = 0; round < RUNS; round++)
        for (i = 0; !error && i < job->finalist_count; i++)
            error = run_finalist(job, i);
    if (error != DAL_ERR_INTERRUPTED)
        return error;
    job->interrupted = 1;
    return DAL_OK;
}

static void find_fastest(struct mapping_job *job)
{
    size_t i;

    for (i = 0; i < job->finalist_count; i++) {
        double ns = job->finalists[i].measured_ns, best_ns = job->finalists[job->best].measured_ns;
        if (ns > 0 && (best_ns <= 0 || ns < best_ns))
            job->best = i;
    }
}

static int choose_finalist(struct mapping_job *job)
{
    int error;

    job->finalists = dal_calloc(job->result.count + 1, sizeof(*job->finalists));
    error = job->finalists ? add_finalist(job) : DAL_ERR_NOMEM;
    if (error || !job->map->run || job->interrupted)
        return error;
    if (dal_build_environment())
        return DAL_ERR_NOMEM;
    job->folder = dal_profile_folder();
    error = job->folder ? run_finalists(job) : DAL_ERR_SYSTEM;
    find_fastest(job);
    if (!error && !job->interrupted && job->finalists[job->best].measured_ns <= 0) {
        dal_log(DAL_LOG_ERROR, "none of the best mappings could be run on this machine");
        error = DAL_ERR_BUILD;
    }
    return error;
}

static void finish_finalists(struct mapping_job *job)
{
    size_t i;

    for (i = 0; i < job->finalist_count; i++) {
        dal_free(job->finalists[i].comment);
        dal_free(job->finalists[i].limit);
        dal_free(job->finalists[i].path);
    }
    if (job->folder)
        dal_build_remove(job->folder);
    dal_free(job->folder);
    dal_free(job->finalists);
}

/* Predicted beside measured. */
static void tell_runs(const struct mapping_job *job, struct dal_text *text)
{
    size_t i;

    dal_text_printf(text,
                    "\nRun for %g s each, in %d parts of which the fastest counts; the best by "
                    "prediction first:\n",
                    job->map->run_seconds, RUNS);
    for (i = 0; i < job->finalist_count; i++) {
        const struct finalist *f = &job->finalists[i];
        dal_text_printf(text, "  %zu processors, ", f->processors);
        tell_period(text, "predicted", f->period_ns);
        if (f->measured_ns > 0)
            tell_period(text, "; measured", f->measured_ns);
        else
            dal_text_add(text, "; not measured");
        dal_text_add(text, i == job->best ? ": this mapping" : "");
        dal_text_add(text, i + 1 < job->finalist_count ? "\n" : "");
    }
    dal_text_add(text, job->interrupted ? "\nA signal ended the runs." : "");
}

/* ---- the text -------------------------------------------------------------------------------- */

static char *make_summary(const struct mapping_job *job)
{
    const struct finalist *f = &job->finalists[job->best];
    struct dal_text text = {0};

    dal_text_printf(&text, "%" PRIu64 " mappings tried; ", job->result.tried);
    tell_period(&text, "predicted", f->period_ns);
    dal_text_printf(&text, "; what limits it: %s", f->limit);
    if (f->measured_ns > 0)
        tell_period(&text, "; measured", f->measured_ns);
    return dal_text_take(&text);
}

static char *make_text(const struct mapping_job *job)
{
    struct dal_text text = {0}, comment = {0};

    dal_text_add(&comment, job->finalists[job->best].comment);
    if (job->map->run)
        tell_runs(job, &comment);
    dal_search_bind(&job->space, &job->result.places[job->best * job->space.process_count]);
    dal_search_write(&text, job->spec, dal_text_get(&comment));
    text.lost |= comment.lost;
    dal_text_finish(&comment);
    return dal_text_take(&text);
}

static int tell_all(struct mapping_job *job, struct dal_mapped *mapped)
{
    int error = choose_finalist(job);

    if (error)
        return error;
    mapped->text = make_text(job);
    mapped->summary = make_summary(job);
    mapped->period_ns = job->finalists[job->best].period_ns;
    mapped->interrupted = job->interrupted || job->result.end == DAL_SEARCH_INTERRUPTED;
    mapped->out_of_time = job->result.end == DAL_SEARCH_TIME;
    mapped->tried = job->result.tried;
    return mapped->text && mapped->summary ? DAL_OK : DAL_ERR_NOMEM;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int load_and_search(struct mapping_job *job)
{
    const struct dal_map *map = job->map;
    int error;

    job->spec = dal_spec_load_open(job->diags, map->network_file, map->architecture_file,
                                   map->keep_file, map->defines, map->define_count);
    if (!job->spec)
        return DAL_ERR_INVALID;
    error = dal_costs_check(job->diags, &job->spec->architecture.measured, (int64_t)time(NULL));
    if (!error)
        error = dal_search_space_make(job->diags, &job->space, job->spec, map->times_file,
                                      &map->wishes);
    return error ? error : search_and_plan(job);
}

int dal_map(struct dal_diags *diags, const struct dal_map *map, struct dal_mapped *mapped)
{
    struct mapping_job job = {.diags = diags, .map = map};
    int error;

    *mapped = (struct dal_mapped){0};
    dal_diags_init(&job.planning);
    error = load_and_search(&job);
    if (!error)
        error = tell_all(&job, mapped);
    finish_finalists(&job);
    dal_prediction_finish(&job.prediction);
    dal_applications_finish(&job.planned);
    dal_search_result_finish(&job.result);
    dal_search_space_finish(&job.space);
    dal_spec_destroy(job.spec);
    dal_diags_finish(&job.planning);
    return error;
}

void dal_mapped_finish(struct dal_mapped *mapped)
{
    dal_free(mapped->text);
    dal_free(mapped->summary);
    *mapped = (struct dal_mapped){0};
}

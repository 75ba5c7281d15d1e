/*
 * Verbs that check, plan and build: dal build, check, explain, run. The passes stand in one list,
 * below.
 */
#include "synth/command/commands.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"
#include "rt/base/program_options.h"
#include "rt/base/setting.h"
#include "spec/base/file.h"
#include "synth/command/found.h"
#include "synth/command/options.h"
#include "synth/program/applications.h"
#include "synth/program/build.h"
#include "synth/program/depends.h"
#include "synth/program/libraries.h"
#include "synth/program/profile.h"
#include "synth/program/program.h"
#include "synth/program/verify.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The results of the passes. */
struct job {
    struct dal_request *request;
    struct dal_files files; /* with those that were made */
    int no_times;           /* true when --profile makes the file of times */
    struct dal_found found; /* what the user did not give */
    struct dal_diags diags;
    struct dal_applications applications;
    struct dal_program program;
    struct dal_stats stats; /* of --measured */
    struct dal_text read;   /* paths of the files that were read, for --depends */
};

/* Checks that --profile finds what it needs. */
static int pass_prepare(struct job *job)
{
    int is_there, status;
    if (!job->request->build.profile)
        return DAL_OK;
    status = dal_profile_check(&job->diags, job->files.times, &is_there);
    job->no_times = !status && !is_there;
    return status;
}

/* Once, whatever is built. */
static int guard_children(void)
{
    static int guarded;
    if (!guarded && (dal_child_guard() || dal_build_environment()))
        return DAL_ERR_SYSTEM;
    guarded = 1;
    return DAL_OK;
}

static int pass_map(struct job *job)
{
    int status;
    if (job->files.fsm || (job->files.architecture && job->files.mapping))
        return DAL_OK;
    status = guard_children();
    return status ? status : dal_found_make(&job->diags, job->request, &job->files, &job->found);
}

static int pass_load(struct job *job)
{
    const struct dal_files *files = &job->files;
    const struct dal_defines *defines = &job->request->defines;
    int status = files->fsm ? dal_applications_of_fsm(&job->diags, &job->applications, files->fsm,
                                                      defines->list, defines->count)
                            : dal_applications_only(&job->diags, &job->applications, files->network,
                                                    files->mapping, defines->list, defines->count);
    if (!status && !files->fsm)
        job->applications.list[0].is_made = job->found.is_here;
    job->applications.guards = job->request->build.guards;
    job->applications.dump = job->request->build.dump;
    return status ? status
                  : dal_applications_load(&job->diags, &job->applications, files->architecture,
                                          job->no_times ? NULL : files->times);
}

/* Reads the statistics of a run of this network on this mapping. */
static int pass_measured(struct job *job)
{
    if (!job->request->measured.count)
        return DAL_OK;
    return dal_stats_read(&job->diags, job->request->measured.list[0],
                          job->applications.list[0].spec, &job->stats);
}

static int pass_place(struct job *job)
{
    return dal_applications_place(&job->diags, &job->applications, job->request->seconds);
}

static int pass_plan(struct job *job)
{
    return dal_applications_plan(&job->diags, &job->applications);
}

/* The file that names the program. */
static const char *first_file(const struct job *job)
{
    return job->files.fsm ? job->files.fsm : job->files.network;
}

static int pass_verify(struct job *job)
{
    if (guard_children())
        return DAL_ERR_SYSTEM;
    return dal_verify(&job->applications, first_file(job), job->request->build.verify, stdout);
}

static int pass_explain(struct job *job)
{
    const struct dal_request *request = job->request;
    struct dal_explain wishes = {.measured = request->measured.count ? &job->stats : NULL,
                                 .json = request->explain.json,
                                 .advises = request->explain.advises,
                                 .seconds = request->seconds > 0 ? request->seconds : 10,
                                 .advice_file = request->explain.advice_file};
    return request->build.explain ? dal_applications_explain(&job->applications, &wishes, stdout)
                                  : DAL_OK;
}

static int pass_emit(struct job *job)
{
    int status;
    if (guard_children())
        return DAL_ERR_SYSTEM;
    status = dal_program_emit(&job->diags, &job->program, &job->applications, first_file(job),
                              job->files.output, job->request->build.library);
    if (!status)
        status = dal_found_add(&job->found, &job->program.tree);
    return job->program.tree.lost ? DAL_ERR_NOMEM : status;
}

/* Checks that the files and names of a library are its own: a process may have a header of its
 * name, and libdal has names. */
static int check_library_name(struct job *job)
{
    const struct dal_plan *plan = job->program.emit.plan;
    const char *name = job->program.name, *wish = job->request->build.library;
    if (*wish && strcmp(wish, name))
        return dal_error(&job->diags, plan->spec->network.place, "bad-name",
                         "--library=%s: a target or a file of its folder has this name", wish);
    if (strcmp(name, "dal") == 0 || strncmp(name, "dal_", 4) == 0 || strncmp(name, "dal-", 4) == 0)
        return dal_error(&job->diags, plan->spec->network.place, "bad-name",
                         "--library: '%s' is a name of dal's own library", name);
    for (size_t i = 0; i < plan->unit_count; i++) {
        const char *header = plan->units[i].header;
        size_t length = header ? strlen(header) - strlen(".h") : 0;
        if (header && strlen(name) == length && strncmp(header, name, length) == 0)
            return dal_error(
                &job->diags, plan->units[i].process->place, "bad-name",
                "process '%s' has the name of the library, which has one header of that "
                "name",
                plan->units[i].process->name);
    }
    return DAL_OK;
}

/* In a program, which a library has beside it, a port is an option among others. */
static int check_port_names(struct job *job)
{
#define NAME(name, has_value, letter) name,
    static const char *const names[] = {DAL_PROGRAM_OPTIONS(NAME)};
#undef NAME
    const struct dal_plan *plan = job->program.emit.plan;
    for (size_t i = 0; i < plan->process_count; i++)
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
            if (dal_spec_is_port(plan->processes[i].process) &&
                strcmp(plan->processes[i].process->name, names[k]) == 0)
                return dal_error(&job->diags, plan->processes[i].process->place, "bad-name",
                                 "port '%s': every program has an option of this name", names[k]);
    return DAL_OK;
}

/* A library is of a network with ports. */
static int check_library(struct job *job)
{
    const struct dal_plan *plan = job->program.emit.plan;
    int status = check_port_names(job);
    if (status || !job->request->build.library)
        return status;
    for (size_t i = 0; i < plan->process_count; i++)
        if (dal_spec_is_port(plan->processes[i].process))
            return check_library_name(job);
    return dal_error(&job->diags, plan->spec->network.place, "open-port",
                     "--library: network '%s' has no open port, so that no program could use it",
                     plan->spec->network.name);
}

/* Checks that a program of several nodes can be linked, and need not be run. */
static int check_nodes(struct job *job)
{
    const struct dal_spec_mapping *mapping = &job->applications.list[0].spec->mapping;
    const struct dal_build_options *wishes = &job->request->build;
    if (mapping->node_count < 2)
        return DAL_OK;
    if (!DAL_HAS_MPI && !wishes->emit_only)
        dal_error(&job->diags, mapping->place, "unsupported-kind",
                  "the mapping uses the nodes '%s' and '%s', but dal was built without MPI (Debian "
                  "package: libopenmpi-dev)",
                  mapping->nodes[0], mapping->nodes[1]);
    else if (wishes->profile)
        dal_error(&job->diags, mapping->place, "unsupported-kind",
                  "--profile does not run a program of several nodes: start it with DAL_TIMES");
    else if (job->request->verb->runs)
        dal_error(&job->diags, mapping->place, "unsupported-kind",
                  "a program of several nodes is built by 'dal build', and started by mpirun");
    else
        return DAL_OK;
    return DAL_ERR_INVALID;
}

static int build_once(struct job *job)
{
    int status = check_nodes(job);
    if (!status)
        status = check_library(job);
    if (!status)
        status = dal_libraries_check(&job->diags, job->program.emit.plan);
    if (status)
        return status;
    return dal_build(&job->diags, &job->program.emit, &job->program.tree,
                     job->request->build.emit_only, job->request->build.strict);
}

/* A first signal behind a search of minutes does not lose what was found. */
static int pass_build(struct job *job)
{
    int status = build_once(job);
    if (status != DAL_ERR_INTERRUPTED || !job->request->map.tunes || job->found.mapped.interrupted)
        return status;
    dal_child_forget();
    dal_log(DAL_LOG_NOTE, "interrupted: the program of the best mapping is built all the same; "
                          "another signal ends that");
    return build_once(job);
}

static int pass_depend(struct job *job)
{
    const char *file = job->request->build.depends;
    return file ? dal_depends_write(&job->program, &job->read, job->files.output, job->found.folder,
                                    file)
                : DAL_OK;
}

static int pass_profile(struct job *job)
{
    char *program;
    struct dal_profile_run run = {.network = &job->applications.list[0].spec->network,
                                  .parameters = job->request->parameters.list,
                                  .parameter_count = job->request->parameters.count,
                                  .seconds = job->request->build.profile};
    int status;
    if (!run.seconds)
        return DAL_OK;
    run.program = program = dal_program_path(&job->program);
    status = program ? dal_profile(&job->diags, &run, job->files.times) : DAL_ERR_NOMEM;
    dal_free(program);
    return status;
}

static const struct pass {
    const char *name;
    int (*run)(struct job *job);
} passes[] = {
    {"prepare", pass_prepare},   /* --profile looks at its file */
    {"map", pass_map},           /* a mapping, where none is given */
    {"load", pass_load},         /* XML to model, checked; repetition vector */
    {"measured", pass_measured}, /* --measured */
    {"place", pass_place},       /* where every token lives */
    {"plan", pass_plan},         /* S and I, capacities, blocks, order, units */
    {"explain", pass_explain},   /* --explain prints */
    {"emit", pass_emit},         /* the output folder, in memory */
    {"build", pass_build},       /* to disk, made and checked */
    {"depend", pass_depend},     /* --depends says what it was made of */
    {"profile", pass_profile},   /* --profile runs it */
};

/* Passes that write nothing, and those with --verify. */
enum { PASSES = sizeof(passes) / sizeof(passes[0]), CHECKING = 7, VERIFYING = 4 };
static const struct pass verifying[VERIFYING] = {
    {"map", pass_map}, {"load", pass_load}, {"place", pass_place}, {"verify", pass_verify}};

static void finish_job(struct job *job)
{
    dal_program_finish(&job->program);
    dal_found_finish(&job->found);
    dal_applications_finish(&job->applications);
    dal_stats_finish(&job->stats);
    dal_text_finish(&job->read);
}

/* Runs passes, and takes the program's path where it is wanted. Returns an exit status. */
static int run_passes(struct dal_request *request, const struct pass *list, size_t count,
                      char **program)
{
    struct job job = {.request = request, .files = request->files};
    size_t i;
    int status, error = DAL_OK;
    dal_diags_init(&job.diags);
    dal_files_note(request->build.depends ? &job.read : NULL);
    for (i = 0; i < count && !error; i++)
        error = list[i].run(&job);
    dal_files_note(NULL);
    if (job.files.network)
        dal_found_rename(&job.found, &job.diags, job.files.network);
    status = dal_request_report(&job.diags, request->build.form, list[i - 1].name, error);
    if (!status && program)
        *program = dal_program_path(&job.program);
    finish_job(&job);
    request->build.signal = dal_child_interrupted();
    return status;
}

/* The tables of one plan are data, and nothing beside them. */
static int check_json(const struct dal_request *request)
{
    if (!request->explain.json ||
        (!request->build.is_fsm && !request->explain.advises && !request->measured.count))
        return 0;
    return dal_request_refuse(request, "--explain=json and %s exclude each other",
                              request->build.is_fsm      ? "--fsm"
                              : request->explain.advises ? "--advice"
                                                         : "--measured");
}

int dal_verb_check(struct dal_request *request)
{
    int refused = check_json(request);
    if (refused)
        return refused;
    if (request->build.verify)
        return run_passes(request, verifying, VERIFYING, NULL);
    return run_passes(request, passes, CHECKING, NULL);
}

int dal_verb_build(struct dal_request *request)
{
    int refused = check_json(request);
    if (refused)
        return refused;
    if (request->build.check || request->build.verify)
        return dal_verb_check(request);
    return run_passes(request, passes, PASSES, NULL);
}

int dal_build_program(struct dal_request *request, char **program)
{
    return run_passes(request, passes, PASSES, program);
}

int dal_verb_explain(struct dal_request *request)
{
    request->build.explain = 1;
    return dal_verb_check(request);
}

/* Becomes the program, in the environment of the start: building has changed it. Returns only where
 * that cannot be. */
static int become(const char *program, char **arguments)
{
    size_t count = 0;
    const char **argv;
    while (arguments && arguments[count])
        count++;
    argv = dal_calloc(count + 2, sizeof(*argv));
    if (!argv)
        return dal_request_lost();
    argv[0] = program;
    for (size_t i = 0; i < count; i++)
        argv[i + 1] = arguments[i];
    fflush(stdout);
    dal_child_release();
    execve(program, (char *const *)argv, dal_settings_all());
    dal_log(DAL_LOG_ERROR, "%s: %s", program, strerror(errno));
    dal_free(argv);
    return DAL_EXIT_BAD_INPUT;
}

int dal_verb_run(struct dal_request *request)
{
    char *program = NULL;
    int status;
    dal_settings_take();
    status = dal_build_program(request, &program);
    if (!status && !request->build.signal)
        status = program ? become(program, request->build.arguments) : dal_request_lost();
    dal_free(program);
    return status;
}

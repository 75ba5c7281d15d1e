#include "synth/program/profile.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/clock.h"
#include "rt/base/cores.h"
#include "rt/base/error.h"
#include "spec/base/temporary.h"
#include "spec/read/merge.h"
#include "synth/program/build.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND_NS ((int64_t)1000000000)
enum { MOST_TRIES = 5 };
/* No program needs more than that until its processes fire, but for kernels that are built. */
static const int64_t start_ns = SECOND_NS;
/* A program that was asked to end may take such a part of what is left for all, but so long at
 * least. */
static const int64_t end_ns = 2 * SECOND_NS;
enum { END_PART = 8 };

int dal_profile_check(struct dal_diags *diags, const char *times_file, int *is_there)
{
    struct dal_cores cores;
    int status = dal_cores_init(&cores);
    *is_there = 0;
    if (status)
        return status;
    status = dal_times_may_merge(diags, times_file, cores.model, is_there);
    dal_cores_finish(&cores);
    return status;
}

/* Says what is outside of the ports. Without memory the list ends, and the program refuses that a
 * port has no file. */
static void add_ports(const struct dal_spec_network *network, const char **arguments)
{
    for (size_t i = 0; network && i < network->process_count; i++) {
        const struct dal_spec_process *process = &network->processes[i];
        if (dal_spec_is_port(process))
            *arguments++ = dal_format("--%s=/dev/%s", process->name,
                                      process->ports[0].output ? "zero" : "null");
    }
}

/* NULL without memory. The texts are left to the end of this copy of the process. */
static const char **list_arguments(const struct dal_profile_run *run)
{
    size_t count = 0, more = 0, ports = run->network ? run->network->process_count : 0;
    const char **arguments;
    while (run->arguments && run->arguments[more])
        more++;
    arguments = dal_calloc(2 * run->parameter_count + more + ports + 3, sizeof(*arguments));
    if (!arguments)
        return NULL;
    arguments[count++] = run->program;
    if (run->strict)
        arguments[count++] = "--strict";
    for (size_t i = 0; i < run->parameter_count; i++) {
        arguments[count++] = "-p";
        arguments[count++] = run->parameters[i];
    }
    for (size_t i = 0; i < more; i++)
        arguments[count++] = run->arguments[i];
    add_ports(run->network, &arguments[count]);
    return arguments;
}

/* Runs in a copy of this process. */
static int become_program(const void *data)
{
    const struct dal_profile_run *run = data;
    const char **arguments = list_arguments(run);
    int nowhere = open("/dev/null", O_WRONLY);
    if (!arguments || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 ||
        setenv(run->variable, run->value, 1) ||
        (run->finds_times && setenv("DAL_LAUNCH_SIZES", "1", 0)))
        return 126;
    execv(run->program, (char *const *)arguments);
    dal_log(DAL_LOG_ERROR, "cannot run %s: %s", run->program, strerror(errno));
    return 127;
}

/* Returns how long a program may take to end. */
static int64_t time_to_end(const struct dal_profile_run *run, int64_t limit_ns)
{
    int64_t left_ns = (run->deadline_ns - dal_now_ns()) / END_PART;
    int64_t most_ns = limit_ns + 60 * SECOND_NS;
    if (run->deadline_ns && left_ns < most_ns)
        return left_ns < end_ns ? end_ns : left_ns;
    return most_ns;
}

static int run_for(const struct dal_profile_run *run, int64_t limit_ns, char **messages)
{
    const char *argv[] = {run->program, NULL};
    struct dal_child child = {.argv = argv,
                              .function = become_program,
                              .data = run,
                              .tells_signal = 1,
                              .ask_ns = limit_ns,
                              .limit_ns = limit_ns ? limit_ns + time_to_end(run, limit_ns) : 0};
    return dal_child_run(&child, messages);
}

static int has_all_times(const struct dal_profile_run *run)
{
    const struct dal_spec_network *network = run->network;
    size_t due = network ? 0 : 1;
    for (size_t i = 0; network && i < network->process_count; i++)
        due += !dal_spec_is_port(&network->processes[i]);
    return dal_times_processes(run->value) >= due;
}

/* Was the program interrupted before it ran, for example while it built kernels? It ends by that
 * signal then. Or before all had fired, in a run that is shorter than a start? */
static int was_too_short(const struct dal_profile_run *run, int64_t limit_ns, int status)
{
    return status == DAL_CHILD_SIGNAL + SIGINT ||
           (!status && run->finds_times && limit_ns < start_ns && !has_all_times(run));
}

/* A run that was too short is made again, with twice the time. */
static int run_long_enough(const struct dal_profile_run *run, char **messages)
{
    int64_t limit_ns = (int64_t)(run->seconds * (double)SECOND_NS), began_ns;
    int status, again, tries = 0;
    do {
        dal_free(*messages);
        *messages = NULL;
        began_ns = dal_now_ns();
        status = run_for(run, limit_ns, messages);
        again = limit_ns && dal_now_ns() - began_ns >= limit_ns &&
                was_too_short(run, limit_ns, status) &&
                (tries++ < MOST_TRIES || limit_ns < start_ns);
        limit_ns *= 2;
        if (again && status)
            dal_log(DAL_LOG_NOTE, "%s had not begun: again, for %.3g s", run->program,
                    (double)limit_ns / (double)SECOND_NS);
    } while (again);
    return status;
}

int dal_profile_run(const struct dal_profile_run *run)
{
    char *messages = NULL;
    int status = run_long_enough(run, &messages);
    if (status > 0)
        fputs(messages, stderr);
    dal_free(messages);
    if (status > DAL_CHILD_SIGNAL)
        dal_child_tell_signal(run->program, status - DAL_CHILD_SIGNAL);
    else if (status > 0)
        dal_log(DAL_LOG_ERROR, "%s ended with exit status %d", run->program, status);
    return status > 0 || status == DAL_ERR_LIMIT ? DAL_ERR_BUILD : status;
}

char *dal_profile_folder(void)
{
    char *name;
    if (dal_temporary_folder(&name) == DAL_OK)
        return name;
    if (name)
        dal_log(DAL_LOG_ERROR, "no folder %s: %s", name, strerror(errno));
    dal_free(name);
    return NULL;
}

static int run_and_merge(struct dal_diags *diags, const struct dal_profile_run *run,
                         const char *times_file)
{
    int status = dal_profile_run(run);
    if (status == DAL_ERR_BUILD)
        dal_log(DAL_LOG_ERROR, "--profile: no times are kept");
    return status ? status : dal_times_merge(diags, times_file, run->value);
}

int dal_profile(struct dal_diags *diags, const struct dal_profile_run *run, const char *times_file)
{
    char *folder = dal_profile_folder(),
         *times = folder ? dal_format("%s/times.json", folder) : NULL;
    struct dal_profile_run timed = *run;
    int status = DAL_ERR_SYSTEM;
    if (times) {
        timed.variable = "DAL_TIMES";
        timed.value = times;
        timed.finds_times = 1;
        status = run_and_merge(diags, &timed, times_file);
    }
    if (folder)
        dal_build_remove(folder);
    dal_free_all(folder, times);
    return status;
}

/*
 * dalsynth: three specifications in, a program out. The passes stand in one list, below.
 */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/model.h"
#include "spec/sdf.h"
#include "synth/build.h"
#include "synth/emit.h"
#include "synth/explain.h"
#include "synth/plan.h"
#include "synth/run.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_BAD_INPUT = 1, EXIT_USAGE = 2 };

struct job {
    /* the command line */
    const char *network_file, *architecture_file, *mapping_file;
    const char *output; /* -o, or NULL */
    struct dal_define *defines;
    size_t define_count, define_room;
    int check, emit_only, explain;
    /* what the passes make */
    struct dal_diags diags;
    struct dal_spec *spec;
    struct dal_plan *plan;
    struct dal_tree tree;
    struct dal_emit emit;
    char *program, *source_dir, *output_dir, *dal_cflags;
};

static int pass_load(struct job *job)
{
    job->spec = dal_spec_load(&job->diags, job->network_file, job->architecture_file,
                              job->mapping_file, job->defines, job->define_count);
    if (!job->spec)
        return DAL_ERR_INVALID;
    return dal_sdf_repetitions(&job->diags, &job->spec->network);
}

static int pass_place(struct job *job)
{
    job->plan = dal_plan_create(job->spec);
    return job->plan ? dal_plan_place(&job->diags, job->plan) : DAL_ERR_NOMEM;
}

static int pass_plan(struct job *job)
{
    int error = dal_plan_capacities(&job->diags, job->plan);

    if (!error)
        error = dal_plan_order(job->plan);
    return error ? error : dal_plan_units(&job->diags, job->plan);
}

static int pass_explain(struct job *job)
{
    return job->explain ? dal_explain(job->plan, stdout) : DAL_OK;
}

static char *find_source_dir(const char *network_file)
{
    const char *base = dal_path_base(network_file);
    char *folder = base == network_file
                       ? dal_strdup(".")
                       : dal_format("%.*s", (int)(base - network_file), network_file);
    char real[PATH_MAX];
    char *found = folder && realpath(folder, real) ? dal_strdup(real) : NULL;

    dal_free(folder);
    return found;
}

/* Absolute, without slashes at the end. The folder itself need not be there. */
static char *find_output_dir(const char *name)
{
    char here[PATH_MAX];
    size_t length = strlen(name);

    while (length > 1 && name[length - 1] == '/')
        length--;
    if (*name == '/')
        return dal_format("%.*s", (int)length, name);
    if (!getcwd(here, sizeof(here)))
        return NULL;
    return dal_format("%s/%.*s", strcmp(here, "/") ? here : "", (int)length, name);
}

static int pass_emit(struct job *job)
{
    if (job->check)
        return DAL_OK;
    if (dal_run_guard() || dal_build_environment())
        return DAL_ERR_SYSTEM;
    job->program = dal_emit_program(&job->spec->network);
    job->source_dir = find_source_dir(job->network_file);
    if (job->program)
        job->output_dir = find_output_dir(job->output ? job->output : job->program);
    job->dal_cflags = dal_build_cflags();
    if (!job->program || !job->source_dir || !job->output_dir || !job->dal_cflags)
        return DAL_ERR_SYSTEM;
    job->emit = (struct dal_emit){
        .plan = job->plan,
        .network_file = job->network_file,
        .architecture_file = job->architecture_file,
        .mapping_file = job->mapping_file,
        .program = job->program,
        .source_dir = job->source_dir,
        .output_dir = job->output_dir,
        .dal_cflags = job->dal_cflags,
    };
    return dal_emit(&job->emit, &job->tree);
}

static int pass_build(struct job *job)
{
    if (job->check)
        return DAL_OK;
    return dal_build(&job->diags, &job->emit, &job->tree, job->emit_only);
}

static const struct pass {
    const char *name;
    int (*run)(struct job *job);
} passes[] = {
    {"load", pass_load},       /* XML to model, checked; repetition vector */
    {"place", pass_place},     /* where every token lives */
    {"plan", pass_plan},       /* capacities, blocks, order, units */
    {"explain", pass_explain}, /* --explain prints */
    {"emit", pass_emit},       /* the output folder, in memory */
    {"build", pass_build},     /* to disk, made and checked */
};

static const char usage[] =
    "usage: dalsynth [options] NETWORK.xml ARCHITECTURE.xml MAPPING.xml\n"
    "\n"
    "Makes a program out of a process network, a machine and a mapping of one to the other.\n"
    "\n"
    "  -o, --output=DIR         folder for the program (the network's name)\n"
    "  -D, --define=VAR=N       gives a variable of the network another value\n"
    "      --check              only checks and plans; writes nothing\n"
    "      --emit-only          writes the sources but does not build them\n"
    "      --explain            prints what runs where, and why\n"
    "      --help               prints this\n"
    "      --version            prints the version\n"
    "\n"
    "Exit status: 0 success, 1 an error in the input or in building, 2 a wrong command line.\n";

enum { OPT_CHECK = 256, OPT_EMIT_ONLY, OPT_EXPLAIN, OPT_HELP, OPT_VERSION };

static const struct option options[] = {
    {"output", required_argument, NULL, 'o'},    {"define", required_argument, NULL, 'D'},
    {"check", no_argument, NULL, OPT_CHECK},     {"emit-only", no_argument, NULL, OPT_EMIT_ONLY},
    {"explain", no_argument, NULL, OPT_EXPLAIN}, {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION}, {0},
};

/* Splits the argument where it stands. */
static int add_define(struct job *job, char *text)
{
    char *equals = strchr(text, '='), *end;
    long long value;

    if (!equals || equals == text) {
        fprintf(stderr, "dalsynth: -D wants NAME=INTEGER, not '%s'\n", text);
        return EXIT_USAGE;
    }
    errno = 0;
    value = strtoll(equals + 1, &end, 10);
    if (errno || end == equals + 1 || *end) {
        fprintf(stderr, "dalsynth: -D wants NAME=INTEGER, not '%s'\n", text);
        return EXIT_USAGE;
    }
    *equals = '\0';
    if (dal_grow(&job->defines, job->define_count, &job->define_room, sizeof(*job->defines)))
        return EXIT_BAD_INPUT;
    job->defines[job->define_count++] = (struct dal_define){.name = text, .value = value};
    return 0;
}

static int done; /* --help or --version: nothing else to do */

static int take_option(struct job *job, int option)
{
    switch (option) {
    case 'o':
        job->output = optarg;
        return *optarg ? 0 : EXIT_USAGE;
    case 'D':
        return add_define(job, optarg);
    case OPT_CHECK:
        job->check = 1;
        return 0;
    case OPT_EMIT_ONLY:
        job->emit_only = 1;
        return 0;
    case OPT_EXPLAIN:
        job->explain = 1;
        return 0;
    case OPT_HELP:
        fputs(usage, stdout);
        done = 1;
        return 0;
    case OPT_VERSION:
        printf("dalsynth %s\n", DAL_VERSION);
        done = 1;
        return 0;
    default:
        return EXIT_USAGE;
    }
}

static int take_arguments(struct job *job, int argc, char **argv)
{
    int option, error = 0;

    while (!error && !done && (option = getopt_long(argc, argv, "o:D:", options, NULL)) != -1)
        error = take_option(job, option);
    if (!error && !done && argc - optind != 3) {
        fprintf(stderr, "dalsynth: three files are needed: network, architecture, mapping\n");
        error = EXIT_USAGE;
    }
    if (error == EXIT_USAGE)
        fprintf(stderr, "Try 'dalsynth --help'.\n");
    if (error || done)
        return error;
    job->network_file = argv[optind];
    job->architecture_file = argv[optind + 1];
    job->mapping_file = argv[optind + 2];
    return 0;
}

static void finish(struct job *job)
{
    dal_tree_finish(&job->tree);
    dal_plan_destroy(job->plan);
    dal_spec_destroy(job->spec);
    dal_diags_finish(&job->diags);
    dal_free(job->defines);
    dal_free(job->program);
    dal_free(job->source_dir);
    dal_free(job->output_dir);
    dal_free(job->dal_cflags);
}

static int run_passes(struct job *job)
{
    size_t i, told;
    int error = DAL_OK;

    dal_diags_init(&job->diags);
    for (i = 0; i < sizeof(passes) / sizeof(passes[0]) && !error; i++)
        error = passes[i].run(job);
    fflush(stdout);
    told = dal_diags_print(&job->diags, stderr);
    if (error && error != DAL_ERR_INVALID && error != DAL_ERR_BUILD && !told)
        dal_log(DAL_LOG_ERROR, "%s: %s", passes[i - 1].name, dal_strerror(error));
    return error || told ? EXIT_BAD_INPUT : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct job job = {0};
    int status, number;

    dal_log_program("dalsynth");
    status = take_arguments(&job, argc, argv);
    if (!status && !done)
        status = run_passes(&job);
    finish(&job);
    number = done ? 0 : dal_run_interrupted();
    if (number) {
        sigset_t one;
        signal(number, SIG_DFL);
        sigemptyset(&one);
        sigaddset(&one, number);
        sigprocmask(SIG_UNBLOCK, &one, NULL);
        raise(number);
    }
    return status;
}

#define _GNU_SOURCE
/*
 * dalview: a network as a page, a picture or data.
 */
#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"
#include "rt/base/memory_stream.h"
#include "rt/base/output.h"
#include "spec/base/file.h"
#include "spec/base/temporary.h"
#include "synth/codegen/c/type.h"
#include "synth/command/options.h"
#include "synth/program/applications.h"
#include "view/command/picture.h"
#include "view/command/trace.h"
#include "view/page/page.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Time for the searches of the analysis, the same as when a program is made. */
static const double search_seconds = 2;

struct form;

enum { MOST_RUNS = 2 };

struct job {
    const char *network_file, *architecture_file, *mapping_file, *times_file;
    const char *output;
    char *own_output; /* the name without -o; owned */
    const struct form *form;
    struct dal_spec_define *defines;
    size_t define_count, define_room;
    struct dal_run runs[MOST_RUNS];
    size_t run_count;
    const char *trace_files[MOST_RUNS];
    size_t trace_count;
    struct dal_text traces;             /* JSON objects, as the picture has them */
    struct dal_diags analysed, planned; /* messages, and the files that their places are in */
    struct dal_analysis analysis;
    struct dal_applications applications; /* of a planned network */
    struct dal_picture picture;
};

/* ---- forms --------------------------------------------------------------------------------------
 */

static int make_json(const struct job *job, struct dal_text *text)
{
    return dal_picture_json(&job->picture, text);
}

static int make_page(const struct job *job, struct dal_text *text)
{
    struct dal_text json = {0};
    struct dal_memory_stream stream;
    char *page;
    int error = dal_picture_json(&job->picture, &json);

    dal_memory_open(&stream);
    if (stream.file && !error)
        dal_page_write(stream.file, dal_text_get(&json));
    page = dal_memory_close(&stream);
    if (!error && !page)
        error = DAL_ERR_NOMEM;
    if (!error)
        dal_text_add_bytes(text, page, stream.bytes);
    free(page);
    dal_text_finish(&json);
    return error;
}

/* Runs Graphviz, which reads a file and prints the picture. */
static int run_dot(const char *name, struct dal_text *text)
{
    const char *const argv[] = {"dot", "-Tsvg", name, NULL};
    struct dal_child child = {.argv = argv, .most = 256 << 20};
    char *output = NULL;
    int status = dal_child_run(&child, &output);

    if (status == 0)
        dal_text_add(text, output);
    else
        dal_log(DAL_LOG_ERROR, "a picture wants the program dot, of the package graphviz%s%s",
                output && *output ? ", which says: " : "", output ? output : "");
    dal_free(output);
    return status == 0 ? DAL_OK : DAL_ERR_SYSTEM;
}

static int make_svg(const struct job *job, struct dal_text *text)
{
    struct dal_text dot = {0};
    char *name = NULL;
    int file, error;

    dal_picture_dot(&job->picture, &dot);
    file = dot.lost ? DAL_ERR_NOMEM : dal_temporary_file(&name);
    error = file < 0 ? file : dal_write_all(file, dal_text_get(&dot), dot.length);
    if (file >= 0)
        close(file);
    if (!error)
        error = run_dot(name, text);
    if (file >= 0)
        unlink(name);
    dal_free(name);
    dal_text_finish(&dot);
    return error;
}

static const struct form {
    const char *ending;
    int (*make)(const struct job *job, struct dal_text *text);
} forms[] = {{".html", make_page}, {".svg", make_svg}, {".json", make_json}};

static const struct form *find_form(const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        size_t ending = strlen(forms[i].ending);
        if (length > ending && strcmp(name + length - ending, forms[i].ending) == 0)
            return &forms[i];
    }
    return NULL;
}

/* ---- the command line ---------------------------------------------------------------------------
 */

static const char usage[] =
    "Usage: dalview [OPTION]... NETWORK.xml [ARCHITECTURE.xml MAPPING.xml]\n"
    "\n"
    "Draws a process network, or an SDF3 graph: what leads where, what runs where with an\n"
    "architecture and a mapping, and why it cannot run if it cannot.\n"
    "\n"
    "  -o, --output=FILE        what is written, by its ending: a page (.html) that needs nothing\n"
    "                           but a browser, a picture (.svg, by Graphviz), or data (.json);\n"
    "                           the network's name with .html in this folder without it\n"
    "  -D, --define=VAR=N       gives a variable of the network another value\n"
    "      --times=FILE         execution times, as for dalsynth\n"
    "      --measured=FILE      with an architecture and a mapping: a run of it in the page, who\n"
    "                           was busy, who waited, the bottleneck; what DAL_STATS=FILE of a\n"
    "                           program wrote. A second one is shown beside the first\n"
    "      --trace=FILE         a time line of a run, and what its channels held; what\n"
    "                           DAL_TRACE=FILE.json of a program wrote. Of two, the second one is\n"
    "                           of the second run\n"
    "  -h, --help               prints this\n"
    "      --version            prints the version\n"
    "\n"
    "Exit status: 0 success, 1 an error in the input, or a network that cannot run, which is "
    "drawn\n"
    "all the same; 2 a wrong command line.\n";

enum { OPT_TIMES = 256, OPT_MEASURED, OPT_TRACE, OPT_VERSION };

static const struct option options[] = {
    {"output", required_argument, NULL, 'o'},
    {"define", required_argument, NULL, 'D'},
    {"times", required_argument, NULL, OPT_TIMES},
    {"measured", required_argument, NULL, OPT_MEASURED},
    {"trace", required_argument, NULL, OPT_TRACE},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, OPT_VERSION},
    {0},
};

static int done; /* --help or --version: nothing else to do */

static int take_run(struct job *job, const char *file)
{
    if (job->run_count < MOST_RUNS) {
        job->runs[job->run_count++].file = file;
        return 0;
    }
    fprintf(stderr, "dalview: --measured is of one run, or of two\n");
    return DAL_EXIT_USAGE;
}

static int take_trace(struct job *job, const char *file)
{
    if (job->trace_count < MOST_RUNS) {
        job->trace_files[job->trace_count++] = file;
        return 0;
    }
    fprintf(stderr, "dalview: --trace is of one run, or of two\n");
    return DAL_EXIT_USAGE;
}

static int take_option(struct job *job, int option)
{
    switch (option) {
    case 'o':
        job->output = optarg;
        return 0;
    case 'D':
        return dal_option_define("dalview", optarg, &job->defines, &job->define_count,
                                 &job->define_room);
    case OPT_TIMES:
        job->times_file = optarg;
        return 0;
    case OPT_MEASURED:
        return take_run(job, optarg);
    case OPT_TRACE:
        return take_trace(job, optarg);
    case 'h':
        fputs(usage, stdout);
        done = 1;
        return 0;
    case OPT_VERSION:
        printf("dalview %s\n", DAL_VERSION);
        done = 1;
        return 0;
    default:
        return DAL_EXIT_USAGE;
    }
}

static int take_files(struct job *job, int count, char **files)
{
    if (count != 1 && count != 3) {
        fprintf(stderr,
                "dalview: a network is wanted, alone or with an architecture and a mapping\n");
        return DAL_EXIT_USAGE;
    }
    if (count == 1 && job->run_count) {
        fprintf(stderr, "dalview: --measured wants the architecture and the mapping of the run\n");
        return DAL_EXIT_USAGE;
    }
    job->network_file = files[0];
    job->architecture_file = count == 3 ? files[1] : NULL;
    job->mapping_file = count == 3 ? files[2] : NULL;
    if (!job->output) {
        const char *base = dal_path_base(job->network_file);
        const char *dot = strrchr(base, '.');
        job->own_output = dal_format(
            "%.*s.html", (int)(dot && dot > base ? (size_t)(dot - base) : strlen(base)), base);
        job->output = job->own_output ? job->own_output : "";
    }
    job->form = find_form(job->output);
    if (job->form)
        return 0;
    fprintf(stderr, "dalview: -o wants a name that ends in .html, .svg or .json, not '%s'\n",
            job->output);
    return DAL_EXIT_USAGE;
}

static int take_arguments(struct job *job, int argc, char **argv)
{
    int option, error = 0;

    while (!error && !done && (option = getopt_long(argc, argv, "o:D:h", options, NULL)) != -1)
        error = take_option(job, option);
    if (!error && !done)
        error = take_files(job, argc - optind, argv + optind);
    if (error == DAL_EXIT_USAGE)
        fprintf(stderr, "Try 'dalview --help'.\n");
    return error;
}

/* ---- the work -----------------------------------------------------------------------------------
 */

/* Plans the network as dalsynth would. The plan's messages replace those of the analysis. */
static int plan_network(struct job *job)
{
    struct dal_diags *diags = &job->planned;
    struct dal_applications *all = &job->applications;
    int error;

    job->picture.diags = diags;
    error = dal_applications_only(diags, all, job->network_file, job->mapping_file, job->defines,
                                  job->define_count);
    if (!error)
        error = dal_applications_load(diags, all, job->architecture_file, job->times_file);
    if (!error)
        error = dal_applications_place(diags, all, search_seconds);
    if (!error)
        error = dal_applications_plan(diags, all);
    if (!error)
        job->picture.plan = all->list[0].plan;
    return error;
}

static int load(struct job *job)
{
    struct dal_analyze wishes = {.network_file = job->network_file,
                                 .architecture_file = job->architecture_file,
                                 .mapping_file = job->mapping_file,
                                 .defines = job->defines,
                                 .define_count = job->define_count,
                                 .times_file = job->times_file,
                                 .seconds = search_seconds};

    return dal_analysis_make(&job->analysed, &wishes, &job->analysis);
}

static int read_runs(struct job *job)
{
    int error = DAL_OK;

    for (size_t i = 0; i < job->run_count && !error; i++)
        error = dal_stats_read(&job->planned, job->runs[i].file, job->analysis.spec,
                               &job->runs[i].stats);
    job->picture.runs = job->runs;
    job->picture.run_count = job->run_count;
    return error;
}

static int read_traces(struct job *job)
{
    struct dal_diags *diags = job->picture.diags == &job->planned ? &job->planned : &job->analysed;
    int error = DAL_OK;

    for (size_t i = 0; i < job->trace_count && !error; i++) {
        dal_text_add(&job->traces, i ? ",\n" : "\n");
        error = dal_trace_read(diags, job->trace_files[i], &job->traces);
    }
    if (!error && job->traces.lost)
        error = DAL_ERR_NOMEM;
    job->picture.traces = dal_text_get(&job->traces);
    return error;
}

static int write_picture(const struct job *job)
{
    struct dal_text text = {0};
    int error = job->form->make(job, &text);

    if (!error && text.lost)
        error = DAL_ERR_NOMEM;
    if (!error)
        error = dal_text_write(dal_text_get(&text), "", job->output);
    dal_text_finish(&text);
    if (!error && job->own_output)
        printf("%s\n", job->own_output);
    return error;
}

/* Draws the network, even if it cannot run. */
static int view(struct job *job)
{
    int error, refused = 0;
    size_t told;

    dal_diags_init(&job->analysed);
    dal_diags_init(&job->planned);
    job->picture.analysis = &job->analysis;
    job->picture.diags = &job->analysed;
    error = load(job);
    if (!error && dal_analysis_can_run(&job->analysis) && job->mapping_file)
        refused = plan_network(job);
    if (!error && !refused)
        error = read_runs(job);
    if (!error)
        error = read_traces(job);
    if (!error && (!refused || refused == DAL_ERR_INVALID))
        error = write_picture(job);
    told = dal_diags_print(job->picture.diags, stderr);
    if (!error)
        error = refused;
    if (error && !told)
        dal_log(DAL_LOG_ERROR, "%s", dal_strerror(error));
    return error || told ? DAL_EXIT_BAD_INPUT : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct job job = {0};
    int status;

    dal_log_program("dalview");
    dal_output_guard();
    dal_spec_ask_sizes(dal_source_type_size);
    status = take_arguments(&job, argc, argv);
    if (!status && !done) {
        status = view(&job);
        for (size_t i = 0; i < job.run_count; i++)
            dal_stats_finish(&job.runs[i].stats);
        dal_text_finish(&job.traces);
        dal_applications_finish(&job.applications);
        dal_analysis_finish(&job.analysis);
        dal_diags_finish(&job.analysed);
        dal_diags_finish(&job.planned);
    }
    dal_free(job.own_output);
    dal_free(job.defines);
    if (dal_output_finish() && !status)
        status = DAL_EXIT_BAD_INPUT;
    return status;
}

/* dalview: a network as a page, a picture or data. */
#define _GNU_SOURCE
#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"
#include "rt/base/memory_stream.h"
#include "rt/base/output.h"
#include "spec/base/file.h"
#include "spec/base/temporary.h"
#include "synth/command/verbs.h"
#include "synth/program/applications.h"
#include "view/command/picture.h"
#include "view/page/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Time for the searches of the analysis, the same as when a program is made. */
static const double search_seconds = 2;

struct form;

enum { MOST_RUNS = 2 };

struct job {
    const struct dal_request *request;
    char *own_output; /* the name without -o; owned */
    const char *output;
    const struct form *form;
    struct dal_run runs[MOST_RUNS];
    char *traces;                       /* JSON objects, as the picture has them; or NULL */
    struct dal_diags analysed, planned; /* messages, and the files that their places are in */
    struct dal_analysis analysis;
    struct dal_applications applications; /* of a planned network */
    struct dal_picture picture;
};

/* ---- forms --------------------------------------------------------------------------------------
 */

/* Makes a text of what is written; the caller frees it with free(). */
static int make_text(int (*write)(const struct job *job, FILE *out), const struct job *job,
                     char **text)
{
    struct dal_memory_stream stream;
    int status;
    dal_memory_open(&stream);
    status = stream.file ? write(job, stream.file) : DAL_ERR_NOMEM;
    *text = dal_memory_close(&stream);
    return status || *text ? status : DAL_ERR_NOMEM;
}

static int write_json(const struct job *job, FILE *out)
{
    dal_picture_json(&job->picture, out);
    return DAL_OK;
}

static int write_page(const struct job *job, FILE *out)
{
    char *json;
    int status = make_text(write_json, job, &json);
    if (!status)
        dal_page_write(out, json);
    free(json);
    return status;
}

/* Runs Graphviz, which reads a file and prints the picture. */
static int run_dot(const char *name, FILE *out)
{
    const char *const argv[] = {"dot", "-Tsvg", name, NULL};
    struct dal_child child = {.argv = argv, .most = 256 << 20};
    char *output = NULL;
    int status = dal_child_run(&child, &output);
    if (status == 0)
        fputs(output, out);
    else
        dal_log(DAL_LOG_ERROR, "a picture wants the program dot, of the package graphviz%s%s",
                output && *output ? ", which says: " : "", output ? output : "");
    dal_free(output);
    return status == 0 ? DAL_OK : DAL_ERR_SYSTEM;
}

static int write_dot(const struct job *job, FILE *out)
{
    return dal_picture_dot(&job->picture, out);
}

static int write_svg(const struct job *job, FILE *out)
{
    char *name = NULL, *dot;
    int file, status = make_text(write_dot, job, &dot);
    file = status ? status : dal_temporary_file(&name);
    status = file < 0 ? file : dal_write_all(file, dot, strlen(dot));
    if (file >= 0)
        close(file);
    if (!status)
        status = run_dot(name, out);
    if (file >= 0)
        unlink(name);
    dal_free(name);
    free(dot);
    return status;
}

static const struct form {
    const char *ending;
    int (*write)(const struct job *job, FILE *out);
} forms[] = {{".html", write_page}, {".svg", write_svg}, {".json", write_json}};

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

/* Checks the files, and finds the form of the output by its name. */
static int take_output(struct job *job)
{
    const struct dal_request *request = job->request;
    const char *base = dal_path_base(request->files.network), *dot = strrchr(base, '.');
    if (!request->files.mapping && request->measured.count)
        return dal_request_refuse(request,
                                  "--measured wants the architecture and the mapping of the run");
    if (!request->files.output)
        job->own_output = dal_format(
            "%.*s.html", (int)(dot && dot > base ? (size_t)(dot - base) : strlen(base)), base);
    job->output = request->files.output ? request->files.output
                  : job->own_output     ? job->own_output
                                        : "";
    job->form = find_form(job->output);
    if (job->form)
        return 0;
    return dal_request_refuse(
        request, "-o wants a name that ends in .html, .svg or .json, not '%s'", job->output);
}

/* ---- the work -----------------------------------------------------------------------------------
 */

/* Plans the network as dalsynth would. The plan's messages replace those of the analysis. */
static int plan_network(struct job *job)
{
    struct dal_diags *diags = &job->planned;
    struct dal_applications *all = &job->applications;
    const struct dal_files *files = &job->request->files;
    int status;
    job->picture.diags = diags;
    status = dal_applications_only(diags, all, files->network, files->mapping,
                                   job->request->defines.list, job->request->defines.count);
    if (!status)
        status = dal_applications_load(diags, all, files->architecture, files->times);
    if (!status)
        status = dal_applications_place(diags, all, job->request->seconds);
    if (!status)
        status = dal_applications_plan(diags, all);
    if (!status)
        job->picture.plan = all->list[0].plan;
    return status;
}

static int read_runs(struct job *job)
{
    int status = DAL_OK;
    for (size_t i = 0; i < job->request->measured.count && !status; i++) {
        job->runs[i].file = job->request->measured.list[i];
        status = dal_stats_read(&job->planned, job->runs[i].file, job->analysis.spec,
                                &job->runs[i].stats);
    }
    job->picture.runs = job->runs;
    job->picture.run_count = job->request->measured.count;
    return status;
}

/* The messages that the picture has. */
static struct dal_diags *messages(struct job *job)
{
    return job->picture.diags == &job->planned ? &job->planned : &job->analysed;
}

static int read_traces(struct job *job)
{
    struct dal_diags *diags = messages(job);
    struct dal_memory_stream stream;
    int status;
    dal_memory_open(&stream);
    status = stream.file ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; i < job->request->traces.count && !status; i++) {
        fputs(i ? ",\n" : "\n", stream.file);
        status = dal_trace_read(diags, job->request->traces.list[i], stream.file);
    }
    job->picture.traces = job->traces = dal_memory_close(&stream);
    return status || job->traces ? status : DAL_ERR_NOMEM;
}

static int write_picture(const struct job *job)
{
    char *text;
    int status = make_text(job->form->write, job, &text);
    if (!status)
        status = dal_text_write(text, "", job->output);
    free(text);
    if (!status && job->own_output)
        printf("%s\n", job->own_output);
    return status;
}

/* Returns whether any part fits the pattern of --fold, if there is one. */
static int folds_any(const struct job *job)
{
    const struct dal_spec_network *network = &job->analysis.spec->network;
    const char *pattern = job->request->fold;
    size_t i = 0;
    if (!pattern || strcmp(pattern, "*") == 0)
        return 1;
    while (i < network->process_count &&
           !dal_picture_folded(pattern, network->processes[i].name, 0))
        i++;
    return i < network->process_count;
}

/* Draws the network, even if it cannot run. */
static int draw(struct job *job)
{
    int status, refused = 0;
    job->picture.analysis = &job->analysis;
    job->picture.fold = job->request->fold;
    job->picture.diags = &job->analysed;
    status = dal_analysis_make(&job->analysed, job->request, &job->analysis);
    if (!status && !folds_any(job))
        return dal_request_refuse(job->request, "--fold=%s: no part has such a name",
                                  job->request->fold);
    if (!status && dal_analysis_can_run(&job->analysis) && job->request->files.mapping)
        refused = plan_network(job);
    if (!status && !refused)
        status = read_runs(job);
    if (!status)
        status = read_traces(job);
    if (!status && (!refused || refused == DAL_ERR_INVALID))
        status = write_picture(job);
    return dal_request_end(messages(job), "view", status ? status : refused);
}

static int view(struct dal_request *request)
{
    struct job job = {.request = request};
    int status = take_output(&job);
    request->seconds = search_seconds;
    if (!status) {
        status = draw(&job);
        for (size_t i = 0; i < request->measured.count; i++)
            dal_stats_finish(&job.runs[i].stats);
        free(job.traces);
        dal_applications_finish(&job.applications);
        dal_analysis_finish(&job.analysis);
        dal_diags_finish(&job.analysed);
        dal_diags_finish(&job.planned);
    }
    dal_free(job.own_output);
    return status;
}

int main(int argc, char **argv)
{
    struct dal_request request = {.table = &dal_commands,
                                  .verb = &dal_commands.verbs[DAL_VERB_VIEW],
                                  .run = view,
                                  .said = "dalview"};
    if (argc > 0 && strncmp(argv[0], "dal ", 4) == 0)
        request.said = argv[0];
    return dal_request_main(&request, argc, argv);
}

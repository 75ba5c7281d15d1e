#include "synth/command/analyze.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "spec/analyse/graph.h"
#include "spec/dialects/sdf3/sdf3.h"
#include "spec/load/load.h"
#include "spec/read/times.h"
#include "synth/codegen/c/source.h"
#include "synth/command/analyze_print.h"
#include "synth/command/options.h"

static int64_t start_ns; /* of the analysis, one at a time */

static void show_progress(struct dal_sdf_budget *budget, const char *what)
{
    (void)budget;
    if (dal_progress_is_due())
        dal_progress_show("%s: %.0f s", what, (double)(dal_now_ns() - start_ns) / 1e9);
}

/* Without a mapping, a process is taken to run its first source. */
static const struct dal_spec_source *source_of(const struct dal_spec_process *process,
                                               const struct dal_spec_binding *binding)
{
    if (binding && binding->source)
        return binding->source;
    return process->source_count ? process->sources : NULL;
}

static int may_keep_state(const struct dal_spec_process *process,
                          const struct dal_spec_source *source)
{
    return !process->kpn && (!source || source->type == DAL_SOURCE_C);
}

static struct dal_sdf_overlap overlap_of(const struct dal_spec_binding *binding, int keeps)
{
    if (keeps > 0)
        return (struct dal_sdf_overlap){.at_once = 1, .why = DAL_SDF_STATE};
    if (binding && binding->source && dal_plan_shadow_copies(binding))
        return (struct dal_sdf_overlap){.at_once = dal_plan_shadow_copies(binding),
                                        .why = DAL_SDF_MAPPING};
    return (struct dal_sdf_overlap){.why = keeps < 0 ? DAL_SDF_UNREAD : DAL_SDF_FREE};
}

static const struct dal_spec_binding *binding_of(const struct dal_spec *spec, size_t process)
{
    return process < spec->mapping.binding_count ? &spec->mapping.bindings[process] : NULL;
}

static int fill_overlaps(const struct dal_spec *spec, const struct dal_spec_source **sources,
                         int *keeps, struct dal_sdf_overlap *overlap)
{
    const struct dal_spec_process *processes = spec->network.processes;
    size_t count = spec->network.process_count;
    int status;
    for (size_t i = 0; i < count; i++) {
        const struct dal_spec_source *source = source_of(&processes[i], binding_of(spec, i));
        sources[i] = may_keep_state(&processes[i], source) ? source : NULL;
    }
    status = dal_source_keep_state(sources, count, keeps);
    for (size_t i = 0; i < count && !status; i++) {
        const struct dal_spec_source *source = source_of(&processes[i], binding_of(spec, i));
        if (!may_keep_state(&processes[i], source) ||
            (keeps[i] < 0 && processes[i].stateless == DAL_STATELESS_YES))
            keeps[i] = 0;
        if (!processes[i].kpn)
            overlap[i] = overlap_of(binding_of(spec, i), keeps[i]);
    }
    return status;
}

/* Finds how often each process may fire at once, by process number. NULL without memory. */
static struct dal_sdf_overlap *find_overlaps(const struct dal_spec *spec)
{
    size_t count = spec->network.process_count;
    struct dal_sdf_overlap *overlap = dal_calloc(count + 1, sizeof(*overlap));
    const struct dal_spec_source **sources = dal_calloc(count + 1, sizeof(*sources));
    int *keeps = dal_calloc(count + 1, sizeof(*keeps));
    if (!overlap || !sources || !keeps || fill_overlaps(spec, sources, keeps, overlap)) {
        dal_free(overlap);
        overlap = NULL;
    }
    dal_free_all(sources, keeps);
    return overlap;
}

static struct dal_spec *load_network(struct dal_diags *diags, const struct dal_request *request)
{
    const struct dal_files *files = &request->files;
    const char *processor = request->analyze.processor;
    const char *no = files->architecture      ? "an architecture and a mapping"
                     : request->defines.count ? "-D"
                                              : NULL;
    int is_graph = dal_sdf3_is(files->network);
    struct dal_spec_place place = {.file = dal_diag_file(diags, files->network)};
    if (!is_graph && processor)
        dal_error(diags, place, "sdf3", "--processor is for graphs of SDF3, and this is none");
    else if (is_graph && no)
        dal_error(diags, place, "sdf3", "a graph of SDF3 is analysed by itself, without %s", no);
    else if (is_graph)
        return dal_sdf3_read(diags, files->network, processor);
    else
        return dal_spec_load_unchecked(diags, files->network, files->architecture, files->mapping,
                                       request->defines.list, request->defines.count);
    return NULL;
}

static int report_network(struct dal_diags *diags, const struct dal_request *request,
                          struct dal_analysis *analysis)
{
    struct dal_sdf_wishes search = {.pareto = request->analyze.pareto,
                                    .seconds = request->seconds,
                                    .by_cycles = request->analyze.sizes != NULL,
                                    .periods_alone = analysis->spec->has_begun,
                                    .progress = show_progress};
    const struct dal_spec *spec = analysis->spec;
    size_t missing;
    int status;
    if (search.by_cycles && dal_spec_choose_phases(&analysis->spec->network))
        return DAL_ERR_NOMEM;
    if (dal_source_prove_alone(analysis->spec, 0))
        return DAL_ERR_NOMEM;
    analysis->overlap = find_overlaps(spec);
    analysis->times = dal_spec_times(spec, &missing);
    if (!analysis->overlap || !analysis->times)
        return DAL_ERR_NOMEM;
    if (missing)
        dal_warning(diags, spec->network.place, "no-times",
                    "%zu of %zu processes have no executiontime; a firing of these is taken to "
                    "need 1 time unit",
                    missing, spec->network.process_count - dal_analyze_open(&spec->network));
    if (spec->has_begun)
        dal_warning(diags, spec->network.place, "sdf3",
                    "the graph has initial phases: tokens and sequences are those behind them, "
                    "periods those of the cycles; no capacities and no latency are looked for");
    search.overlap = analysis->overlap;
    start_ns = dal_now_ns();
    dal_progress_begin();
    analysis->has_report = 1;
    status = dal_spec_report(diags, spec, analysis->times, &search, &analysis->report);
    dal_progress_end();
    return status;
}

int dal_analysis_make(struct dal_diags *diags, const struct dal_request *request,
                      struct dal_analysis *analysis)
{
    int status;
    *analysis = (struct dal_analysis){.spec = load_network(diags, request)};
    status = analysis->spec ? DAL_OK : DAL_ERR_INVALID;
    if (!status && request->files.times)
        status = dal_times_read(diags, request->files.times, analysis->spec);
    if (!status)
        status = report_network(diags, request, analysis);
    return status;
}

int dal_analysis_can_run(const struct dal_analysis *analysis)
{
    return analysis->report.consistent && !analysis->report.deadlock.dead;
}

void dal_analysis_finish(struct dal_analysis *analysis)
{
    if (analysis->has_report)
        dal_sdf_report_finish(&analysis->report);
    dal_free_all(analysis->times, analysis->overlap);
    dal_spec_destroy(analysis->spec);
}

static int print_analysis(struct dal_diags *diags, const struct dal_request *request,
                          const struct dal_analysis *analysis)
{
    const struct dal_analyze_options *wishes = &request->analyze;
    int status = wishes->json ? dal_analyze_json(analysis->spec, &analysis->report, stdout)
                              : dal_analyze_table(analysis->spec, &analysis->report, stdout);
    if (!status && !dal_analysis_can_run(analysis))
        status = DAL_ERR_INVALID;
    if (!status && wishes->sizes)
        status = dal_analyze_sizes(diags, analysis->spec, &analysis->report, wishes->sizes,
                                   request->files.output);
    return status;
}

int dal_verb_analyze(struct dal_request *request)
{
    struct dal_analysis analysis;
    struct dal_diags diags;
    int status;
    if (request->analyze.sizes && !request->files.mapping)
        return dal_request_refuse(request,
                                  "--sizes wants three files: network, architecture, mapping");
    dal_diags_init(&diags);
    status = dal_analysis_make(&diags, request, &analysis);
    if (!status)
        status = print_analysis(&diags, request, &analysis);
    dal_analysis_finish(&analysis);
    return dal_request_end(&diags, "analyze", status);
}

#include "synth/analyze.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "spec/times.h"
#include "synth/analyze_print.h"

#include <unistd.h>

/* Nanoseconds between two progress lines. */
#define PROGRESS_NS ((int64_t)200000000)

static int64_t progress_start, progress_last; /* one analysis at a time */

/* A line on a terminal that the next one, or its end, wipes out. */
static void show_progress(struct dal_sdf_budget *budget, const char *what)
{
    int64_t now = dal_now_ns();

    (void)budget;
    if (now - progress_last < PROGRESS_NS)
        return;
    progress_last = now;
    fprintf(stderr, "\r\033[K%s: %.0f s", what, (double)(now - progress_start) / 1e9);
    fflush(stderr);
}

static void begin_progress(struct dal_sdf_wishes *wishes)
{
    if (!isatty(STDERR_FILENO))
        return;
    progress_start = progress_last = dal_now_ns();
    wishes->progress = show_progress;
}

static void end_progress(const struct dal_sdf_wishes *wishes)
{
    if (wishes->progress && progress_last != progress_start)
        fputs("\r\033[K", stderr);
}

static int print(const struct dal_analyze *wishes, const struct dal_sdf_report *report, FILE *out)
{
    if (wishes->json)
        return dal_analyze_json(report, out);
    return dal_analyze_table(report, out);
}

static int analyze(struct dal_diags *diags, const struct dal_analyze *wishes, struct dal_spec *spec,
                   FILE *out)
{
    struct dal_sdf_wishes search = {.pareto = wishes->pareto, .seconds = wishes->seconds};
    struct dal_sdf_report report;
    size_t missing;
    uint64_t *times = dal_sdf_times(spec, &missing);
    int status;

    if (!times)
        return DAL_ERR_NOMEM;
    if (missing)
        dal_warning(diags, spec->network.place, "no-times",
                    "%zu of %zu processes have no executiontime; a firing of these is taken to "
                    "need 1 time unit",
                    missing, spec->network.process_count);
    search.times = times;
    begin_progress(&search);
    status = dal_sdf_report_make(diags, spec, &search, &report);
    end_progress(&search);
    if (!status)
        status = print(wishes, &report, out);
    if (!status && (!report.consistent || report.deadlock.dead))
        status = DAL_ERR_INVALID;
    dal_sdf_report_finish(&report);
    dal_free(times);
    return status;
}

int dal_analyze(struct dal_diags *diags, const struct dal_analyze *wishes, FILE *out)
{
    struct dal_spec *spec =
        dal_spec_load_unchecked(diags, wishes->network_file, wishes->architecture_file,
                                wishes->mapping_file, wishes->defines, wishes->define_count);
    int status = spec ? DAL_OK : DAL_ERR_INVALID;

    if (!status && wishes->times_file)
        status = dal_times_read(diags, wishes->times_file, &spec->network);
    if (!status)
        status = analyze(diags, wishes, spec, out);
    dal_spec_destroy(spec);
    return status;
}

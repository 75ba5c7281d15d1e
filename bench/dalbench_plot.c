/* Draws the figures by gnuplot: a script with its data in one file each, as SVG and as PNG. Without
 * gnuplot the scripts stay in their folder, to be run elsewhere. */
#include "bench/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/output.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { COLOURS = 8 }; /* of gnuplot; beyond these, lines are dashed */

/* One figure with a line for each case. */
struct figure {
    const char *file, *title, *x_label, *y_label;
    const char *settings;          /* more settings of gnuplot */
    const char *experiment, *unit; /* of its records */
    double (*x)(const struct bench *bench, const struct bench_record *record);
    double (*y)(const struct bench *bench, const struct bench_record *record);
    int limits; /* True: a dashed line for each limit. */
    /* Writes the line that a record belongs to; NULL: a line for each case. */
    void (*line)(const struct bench_record *record, char *text);
};

static double param(const struct bench *bench, const struct bench_record *r)
{
    (void)bench;
    return r->param;
}

static double value(const struct bench *bench, const struct bench_record *r)
{
    (void)bench;
    return r->value;
}

static double ratio(const struct bench *bench, const struct bench_record *r)
{
    (void)bench;
    return r->ratio;
}

/* Turns us a token of the limit into tokens a second. */
static double frequency(const struct bench *bench, const struct bench_record *r)
{
    (void)bench;
    return 1e6 / r->limit;
}

/* Turns us a token into tokens a second. */
static double rate(const struct bench *bench, const struct bench_record *r)
{
    (void)bench;
    return 1e6 / r->value;
}

/* C has neither: it is drawn at 1. */
static double copies(const struct bench *bench, const struct bench_record *r)
{
    (void)bench;
    return r->copies ? (double)r->copies : 1;
}

static double items(const struct bench *bench, const struct bench_record *r)
{
    (void)bench;
    return r->items ? (double)r->items : 1;
}

/* Returns the rate over that of kernels on one core, with one work-item. */
static double over_baseline(const struct bench *bench, const struct bench_record *r)
{
    for (size_t i = 0; i < bench->record_count; i++) {
        const struct bench_record *other = &bench->records[i];
        if (strcmp(other->name, "kernels, one core, S=1 I=1") == 0)
            return r->value / other->value;
    }
    return NAN;
}

/* Leaves the work-items out of a case's name. */
static void line_of_copies(const struct bench_record *r, char *text)
{
    snprintf(text, BENCH_NAME, "%s", r->name);
    if (strstr(text, " I="))
        *strstr(text, " I=") = 0;
}

/* Leaves the shadow copies out of a case's name. */
static void line_of_items(const struct bench_record *r, char *text)
{
    const char *copies = strstr(r->name, "S="), *items = strstr(r->name, "I=");
    if (copies && items)
        snprintf(text, BENCH_NAME, "%.*s%s", (int)(copies - r->name), r->name, items);
    else
        snprintf(text, BENCH_NAME, "%s", r->name);
}

/* Returns the time of unoptimised C for the same work. */
static double unoptimised(const struct bench *bench, const struct bench_record *r)
{
    for (size_t i = 0; i < bench->record_count; i++) {
        const struct bench_record *other = &bench->records[i];
        if (strcmp(other->experiment, r->experiment) == 0 && strcmp(other->name, "C -O0") == 0 &&
            other->param == r->param)
            return other->value;
    }
    return 0;
}

static double speed_up(const struct bench *bench, const struct bench_record *r)
{
    return unoptimised(bench, r) / r->value;
}

#define FROM_1 "set logscale x 2\nset xtics (1, 2, 4, 8, 16, 24, 32)\n"
#define FROM_4                                                                                     \
    "set logscale x 2\nset xtics ('4' 4, '64' 64, '1 Ki' 1024, '4 Ki' 4096, '64 Ki' 65536, "       \
    "'1 Mi' 1048576)\n"
#define FROM_512                                                                                   \
    "set logscale x 2\nset xtics ('512' 512, '4 Ki' 4096, '16 Ki' 16384, '64 Ki' 65536, "          \
    "'256 Ki' 262144, '1 Mi' 1048576, '4 Mi' 4194304)\n"

static const struct figure figures[] = {
    {.file = "firing",
     .title = "Source, 8 x Identity, Sink: the cost of a firing",
     .x_label = "bytes of a token",
     .y_label = "ns a firing",
     .settings = FROM_4 "set logscale y\nset key top left\n",
     .experiment = "firing",
     .unit = "ns/firing",
     .x = param,
     .y = value,
     .limits = 1},
    {.file = "channel",
     .title = "Data transfer rate from Producer to Consumer",
     .x_label = "bytes of a token",
     .y_label = "GB/s",
     .settings = FROM_512 "set logscale y\nset key outside right top\n",
     .experiment = "channel",
     .unit = "GB/s",
     .x = param,
     .y = value},
    {.file = "channel-ratio",
     .title = "Data transfer rate, relative to the limit",
     .x_label = "bytes of a token",
     .y_label = "rate / limit",
     .settings = FROM_512 "set logscale y 2\nset key outside right top\n",
     .experiment = "channel",
     .unit = "GB/s",
     .x = param,
     .y = ratio},
    {.file = "activation",
     .title = "Task queue relative to callbacks that launch the next kernel",
     .x_label = "tokens a second with callbacks",
     .y_label = "speed-up of the task queue",
     .settings = "set logscale xy\nset format x '10^{%T}'\nset key top right\n",
     .experiment = "activation",
     .unit = "us/token",
     .x = frequency,
     .y = ratio},
    {.file = "group",
     .title = "A chain of eight kernels: the cost of a firing",
     .x_label = "bytes of a token",
     .y_label = "ns a firing",
     .settings = FROM_4 "set logscale y\nset key outside right top\n",
     .experiment = "group",
     .unit = "ns/firing",
     .x = param,
     .y = value,
     .limits = 1},
    {.file = "overhead",
     .title = "OpenCL and optimised C relative to C without optimisation",
     .x_label = "us a token, C -O0",
     .y_label = "speed-up",
     .settings = "set logscale xy\nset key outside right top\n",
     .experiment = "overhead",
     .unit = "us/token",
     .x = unoptimised,
     .y = speed_up},
    {.file = "video-items",
     .title = "MJPEG over work-items",
     .x_label = "work-items of a frame (I)",
     .y_label = "frames/s",
     .settings = "set logscale xy 2\nset key outside right top\n",
     .experiment = "video",
     .unit = "frames/s",
     .x = items,
     .y = value,
     .line = line_of_copies},
    {.file = "video-copies",
     .title = "MJPEG over shadow copies",
     .x_label = "shadow copies (S)",
     .y_label = "speed-up over kernels on one core, S=1 I=1",
     .settings = "set logscale xy 2\nset key outside right top\n",
     .experiment = "video",
     .unit = "frames/s",
     .x = copies,
     .y = over_baseline,
     .line = line_of_items},
    {.file = "scale",
     .title = "Cost of a firing over the size of the network",
     .x_label = "processes",
     .y_label = "ns a firing",
     .settings = "set logscale x\nset yrange [0:*]\n",
     .experiment = "scale",
     .unit = "ns/firing",
     .x = param,
     .y = value,
     .limits = 1},
    {.file = "nodes",
     .title = "A channel between two ranks, relative to MPI alone",
     .x_label = "bytes of a token",
     .y_label = "rate / limit",
     .settings = FROM_4 "set logscale y\nset key outside right top\n",
     .experiment = "nodes",
     .unit = "GB/s",
     .x = param,
     .y = ratio},
    {.file = "cores",
     .title = "A chain of eight processes on more cores",
     .x_label = "cores",
     .y_label = "tokens a second",
     .settings = FROM_1 "set logscale y\nset format y '10^{%T}'\nset key outside right top\n",
     .experiment = "cores",
     .unit = "us/token",
     .x = param,
     .y = rate},
    {.file = "cores-metg",
     .title = "The least task that keeps half of the cores busy",
     .x_label = "cores",
     .y_label = "us",
     .settings = FROM_1 "set logscale y\nset key outside right top\n",
     .experiment = "cores",
     .unit = "us",
     .x = param,
     .y = value,
     .limits = 1},
    {.file = "cores-drawn",
     .title = "Networks drawn by chance on more cores",
     .x_label = "cores",
     .y_label = "tokens a second",
     .settings = FROM_1 "set logscale y 2\nset key top left\n",
     .experiment = "cores",
     .unit = "tokens/s",
     .x = param,
     .y = value},
    {.file = "scale-time",
     .title = "Synthesis and start over the size of the network",
     .x_label = "processes",
     .y_label = "s",
     .settings = "set logscale xy\nset key top left\n",
     .experiment = "scale",
     .unit = "s",
     .x = param,
     .y = value},
};

static int is_of_figure(const struct figure *figure, const struct bench_record *record)
{
    return strcmp(record->experiment, figure->experiment) == 0 &&
           strcmp(record->unit, figure->unit) == 0;
}

static void name_line(const struct figure *figure, const struct bench_record *r, char *text)
{
    if (figure->line)
        figure->line(r, text);
    else
        snprintf(text, BENCH_NAME, "%s", r->name);
}

/* Returns whether two records are of one line, or, with `any`, of one but for the limits. */
static int same_line(const struct figure *figure, const struct bench_record *a,
                     const struct bench_record *b, int any)
{
    const char *x = a->against ? a->against : "", *y = b->against ? b->against : "";
    char of_a[BENCH_NAME], of_b[BENCH_NAME];
    name_line(figure, a, of_a);
    name_line(figure, b, of_b);
    return strcmp(of_a, of_b) == 0 && (any || strcmp(x, y) == 0);
}

/* Returns whether a record is the first of its line, or, with `any`, of all lines of that case. */
static int is_first(const struct bench *bench, const struct figure *figure, size_t i, int any)
{
    const struct bench_record *r = &bench->records[i];
    if (!is_of_figure(figure, r))
        return 0;
    for (size_t k = 0; k < i; k++) {
        const struct bench_record *other = &bench->records[k];
        if (is_of_figure(figure, other) && same_line(figure, other, r, any))
            return 0;
    }
    return 1;
}

/* Writes x, y and limit of one case. */
static void write_data(const struct bench *bench, const struct figure *figure, size_t first,
                       FILE *file)
{
    fprintf(file, "$case%zu << END\n", first);
    for (size_t i = first; i < bench->record_count; i++) {
        const struct bench_record *r = &bench->records[i];
        if (is_of_figure(figure, r) && same_line(figure, r, &bench->records[first], 0))
            fprintf(file, "%g %g %g\n", figure->x(bench, r), figure->y(bench, r), r->limit);
    }
    fprintf(file, "END\n");
}

static void write_head(FILE *file, const char *title, const char *x, const char *y)
{
    fprintf(file,
            "set encoding utf8\nset title '%s'\nset xlabel '%s'\nset ylabel '%s'\n"
            "set grid lt 1 lw 0.5 lc rgb '#cccccc'\nset border 3\nset tics nomirror\nset key "
            "spacing 1.2\n"
            "set datafile missing 'nan'\n",
            title, x, y);
}

/* These draw what was set up, in both formats. */
static const char draw_svg[] = "set terminal svg size 900,560 font 'sans,13' background 'white'\n"
                               "set output '%s.svg'\n";
static const char draw_png[] = "set terminal pngcairo size 1200,750 font 'sans,13'\n"
                               "set output '%s.png'\n";

static void write_lines(const struct bench *bench, const struct figure *figure, FILE *file)
{
    char name[BENCH_NAME];
    int line = 0;
    fprintf(file, "plot 1/0 notitle");
    for (size_t i = 0; i < bench->record_count; i++) {
        const struct bench_record *r = &bench->records[i];
        if (!is_first(bench, figure, i, 0))
            continue;
        line++;
        name_line(figure, r, name);
        if (is_first(bench, figure, i, 1))
            fprintf(file,
                    ", \\\n  $case%zu using 1:2 with linespoints lc %d lw 2 dt %d pt %d title '%s'",
                    i, line, line > COLOURS ? 4 : 1, 4 + line, name);
        if (figure->limits && r->has_limit)
            fprintf(file, ", \\\n  $case%zu using 1:3 with lines lc %d lw 1.5 dt 2 title '%s: %s'",
                    i, line, name, r->against ? r->against : "limit");
    }
    if (figure->y == ratio)
        fprintf(file, ", \\\n  1 with lines lc rgb '#666666' dt 2 title '%s'",
                figure->x == frequency ? "callbacks" : "limit");
    fprintf(file, "\n");
}

static int has_records(const struct bench *bench, const struct figure *figure)
{
    for (size_t i = 0; i < bench->record_count; i++)
        if (is_of_figure(figure, &bench->records[i]))
            return 1;
    return 0;
}

static void write_figure(const struct bench *bench, const struct figure *figure, FILE *file)
{
    write_head(file, figure->title, figure->x_label, figure->y_label);
    fputs(figure->settings, file);
    for (size_t i = 0; i < bench->record_count; i++)
        if (is_first(bench, figure, i, 0))
            write_data(bench, figure, i, file);
    fprintf(file, draw_svg, figure->file);
    write_lines(bench, figure, file);
    fprintf(file, draw_png, figure->file);
    write_lines(bench, figure, file);
}

/* ---- bars ------------------------------------------------------------------------------------ */

static const struct figure bars = {.file = "mjpeg",
                                   .title = "MJPEG: frames per second",
                                   .x_label = "",
                                   .y_label = "frames/s",
                                   .experiment = "mjpeg",
                                   .unit = "frames/s"};

/* The bars of a case: the network, and its limits. */
static const struct {
    const char *title, *against; /* NULL: the only limit of a case */
} limits[] = {
    {"by hand, C", NULL},
    {"by hand, OpenCL", "OpenCL by hand"},
    {"decoding alone", "decoding alone"},
    {"filters alone", "filters alone"},
};
enum { LIMITS = sizeof(limits) / sizeof(limits[0]) };

static void write_bar(const struct bench *bench, const struct bench_record *first, FILE *file)
{
    fprintf(file, "\"%s\" %g", first->name, first->value);
    for (size_t k = 0; k < LIMITS; k++) {
        double found = 0;
        for (size_t i = 0; i < bench->record_count; i++) {
            const struct bench_record *r = &bench->records[i];
            if (!is_of_figure(&bars, r) || strcmp(r->name, first->name) != 0)
                continue;
            if (!r->against ? !limits[k].against
                            : limits[k].against && strcmp(r->against, limits[k].against) == 0)
                found = r->limit;
        }
        fprintf(file, found > 0 ? " %g" : " nan", found);
    }
    fprintf(file, "\n");
}

static void plot_bars(FILE *file)
{
    fprintf(file, "plot $bars using 2:xtic(1) title 'network' lc 1");
    for (size_t k = 0; k < LIMITS; k++)
        fprintf(file, ", '' using %zu title '%s' lc %zu", 3 + k, limits[k].title, 2 + k);
    fprintf(file, "\n");
}

static void write_bars(const struct bench *bench, FILE *file)
{
    write_head(file, bars.title, bars.x_label, bars.y_label);
    fprintf(file, "set style data histograms\nset style histogram clustered gap 1\n"
                  "set style fill solid 0.8\nset boxwidth 0.9\nset yrange [0:*]\n"
                  "set xtics rotate by -25\nset rmargin 14\nset key top left\n$bars << END\n");
    for (size_t i = 0; i < bench->record_count; i++)
        if (is_first(bench, &bars, i, 1))
            write_bar(bench, &bench->records[i], file);
    fprintf(file, "END\n");
    fprintf(file, draw_svg, bars.file);
    plot_bars(file);
    fprintf(file, draw_png, bars.file);
    plot_bars(file);
}

/* ---- all ------------------------------------------------------------------------------------- */

static int draw_figure(struct bench *bench, const struct figure *figure, const char *folder)
{
    char *script = dal_format("%s/%s.gnuplot", folder, figure->file);
    char *name = dal_format("%s.gnuplot", figure->file);
    const char *argv[] = {"gnuplot", name, NULL};
    struct bench_run run = {0};
    struct dal_output out;
    int status = script && name ? dal_output_open(&out, "", script) : DAL_ERR_NOMEM;
    if (!status) {
        if (figure == &bars)
            write_bars(bench, out.file);
        else
            write_figure(bench, figure, out.file);
        status = dal_output_close(&out);
    }
    if (!status && bench->gnuplot)
        status = bench_execute(bench, folder, argv, &run);
    dal_free(run.output);
    dal_free(script);
    dal_free(name);
    return status;
}

static int has_gnuplot(void)
{
    const char *argv[] = {"gnuplot", "--version", NULL};
    char *output;
    int status = dal_child_run(&(struct dal_child){.argv = argv}, &output);
    dal_free(output);
    return status == 0;
}

int bench_make_folder(const char *folder)
{
    char *file = dal_format("%s/figure", folder);
    int status = file ? DAL_OK : DAL_ERR_NOMEM;
    if (!status && mkdir(folder, 0777) != 0 && errno != EEXIST) {
        dal_log(DAL_LOG_ERROR, "cannot make %s: %s", folder, strerror(errno));
        status = DAL_ERR_IO;
    }
    if (!status)
        status = dal_output_check("", file);
    dal_free(file);
    return status;
}

int bench_plot(struct bench *bench, const char *folder)
{
    int status = DAL_OK;
    bench->gnuplot = has_gnuplot();
    if (!bench->gnuplot)
        bench_say("no gnuplot: its scripts are left in %s", folder);
    for (size_t i = 0; !status && i < sizeof(figures) / sizeof(figures[0]); i++)
        if (has_records(bench, &figures[i]))
            status = draw_figure(bench, &figures[i], folder);
    if (!status && has_records(bench, &bars))
        status = draw_figure(bench, &bars, folder);
    return status;
}

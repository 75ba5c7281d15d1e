/* The page of dalbench thesis: HTML that needs no other file. */
#include "bench/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/* A figure or table of the thesis. */
static const struct section {
    const char *figure, *title, *text;
    const char *picture;    /* of bench_plot(); NULL for a table */
    const char *experiment; /* of its records */
} sections[] = {
    {"table 6.1", "Evaluation setup 1",
     "The thesis: Intel Core i7-2600K, AMD Radeon HD 7750, NVIDIA GeForce GTX 670, Arch Linux. "
     "This "
     "machine:",
     NULL, NULL},
    {"table 6.2", "Evaluation setup 2",
     "The thesis: Intel Core i7-2720QM, NVIDIA Quadro 2000M, Ubuntu 12.04. The same machine as "
     "above "
     "stands for it here.",
     NULL, NULL},
    {"6.2", "Data transfer rate",
     "Producer sends tokens of 512 bytes to 4 MB through 32 MB of channel to Consumer, which reads "
     "every byte. S is the number of compute units for all curves, of the naive channel too. "
     "Between "
     "core and device, every byte is written and read.",
     "channel", "channel"},
    {"6.4", "Task activation",
     "One firing a launch, both kernels on the processor as a device. Speed-up of the task queue "
     "over "
     "callbacks that launch the next kernel, over the frequency of the callbacks. The runtime has "
     "no "
     "such policy here: the callbacks are a program written by hand.",
     "activation", "activation"},
    {"6.6", "OpenCL beside C",
     "One firing a launch, S=1, a channel of two tokens. Speed-up over C with -O0, over its "
     "period. C "
     "and kernel have one order of loops: all words of a round, then the next round.",
     "overhead", "overhead"},
    {"6.8", "The video network over work-items",
     "Gauss, Sobel and Opticalflow as C or as kernels on one core, on all, on a GPU; the rest is C "
     "on "
     "the cores. \"One core\" confines the whole program, the threads of its device too.",
     "video-items", "video"},
    {"6.9", "The video network over shadow copies",
     "The thesis repeats figure 6.8 on its second machine. Here the figures are the same, as "
     "speed-up "
     "over the baseline, kernels on one core with S=1 and I=1, and its own sentences are compared.",
     "video-copies", "video"},
};
enum { SECTIONS = sizeof(sections) / sizeof(sections[0]) };

static const struct {
    const char *word, *style;
} verdicts[] = {
    [THESIS_AGREES] = {"agrees", "agrees"},
    [THESIS_DIFFERS] = {"differs", "differs"},
    [THESIS_UNDECIDED] = {"not decided", "open"},
    [THESIS_MISSING] = {"not compared", "open"},
};

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<title>The thesis, measured here</title>\n<style>\n"
    "body{font:15px/1.45 sans-serif;max-width:62em;margin:2em auto;padding:0 1em;color:#222}\n"
    "table{border-collapse:collapse;margin:.7em 0;width:100%}\n"
    "th,td{border-bottom:1px solid #ddd;padding:.3em .6em;text-align:left;vertical-align:top}\n"
    "h2{margin:2.2em 0 .4em}svg{width:100%;height:auto}summary{cursor:pointer}\n"
    ".agrees{color:#17692f}.differs{color:#a32020}.open{color:#75560a}\n"
    "td.name{white-space:nowrap}td.number{text-align:right;font-variant-numeric:tabular-nums}\n"
    "</style></head><body>\n<h1>The thesis, measured here</h1>\n"
    "<p>Scherer 2013, <em>Executing Process Networks on Heterogeneous Platforms using OpenCL</em>, "
    "chapter 6, beside what <code>dalbench thesis</code> found on this machine. Each sentence "
    "of the thesis is a rule: a number of this run, and the threshold it is compared with. A "
    "number has a "
    "range, from the least to the most that repetitions allow. The rule is decided only where the "
    "whole range is on one side, and its ends are less than a factor of 3 apart. A fixed loop runs "
    "beside every number: where it took longer than at its best, something else was running, and "
    "the "
    "range is as many times wider.</p>\n";

/* Writes text with what HTML would take for its own replaced. */
static void put(FILE *file, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        default:
            fputc(*text, file);
        }
}

/* Writes a figure's name: "Figure 6.2", or "Table 6.1". */
static void put_name(FILE *file, const char *figure)
{
    int is_table = strncmp(figure, "table", 5) == 0;
    fprintf(file, "%s %s", is_table ? "Table" : "Figure", is_table ? figure + 6 : figure);
}

/* Writes the verdict of a figure, with the reasons for what differs. */
static void put_verdict(FILE *file, const struct thesis_run *run, const char *figure)
{
    enum thesis_verdict verdict = thesis_judge_figure(run, figure);
    const char *before = " because ";
    fprintf(file, "<strong class=\"%s\">%s</strong>", verdicts[verdict].style,
            verdicts[verdict].word);
    for (size_t i = 0; i < thesis_rule_count; i++) {
        const struct thesis_rule *rule = &thesis_rules[i];
        struct thesis_range range;
        char text[600];
        const char *why;
        if (strcmp(rule->figure, figure) != 0 || thesis_judge(run, rule, &range) != verdict)
            continue;
        thesis_sentence(run, rule, text, sizeof(text));
        why = strstr(text, "because ");
        if (verdict == THESIS_UNDECIDED || verdict == THESIS_MISSING)
            why = strchr(text, ':');
        if (!why)
            continue;
        fputs(verdict == THESIS_DIFFERS ? before : ": ", file);
        put(file, why + (verdict == THESIS_DIFFERS ? 8 : 2));
        before = "; and because ";
        if (verdict != THESIS_DIFFERS)
            return;
    }
}

static void put_threshold(FILE *file, const struct thesis_rule *rule)
{
    if (isinf(rule->most))
        fprintf(file, "at least %g", rule->least);
    else if (rule->least > 0)
        fprintf(file, "%g to %g", rule->least, rule->most);
    else
        fprintf(file, "at most %g", rule->most);
}

static void put_rules(FILE *file, const struct thesis_run *run, const char *figure)
{
    fputs("<table><tr><th>compared<th>the thesis<th>it agrees<th>this run\n", file);
    for (size_t i = 0; i < thesis_rule_count; i++) {
        const struct thesis_rule *rule = &thesis_rules[i];
        struct thesis_range range;
        char text[600];
        if (strcmp(rule->figure, figure) != 0)
            continue;
        fputs("<tr><td>", file);
        put(file, rule->compared);
        fputs("<td>", file);
        put(file, rule->thesis);
        fputs("<td>", file);
        put_threshold(file, rule);
        fprintf(file, "<td class=\"%s\">", verdicts[thesis_judge(run, rule, &range)].style);
        thesis_sentence(run, rule, text, sizeof(text));
        put(file, text);
        fputc('\n', file);
    }
    fputs("</table>\n", file);
}

static void put_machine(FILE *file, const struct bench *bench)
{
    struct utsname system;
    fprintf(file, "<table><tr><th>CPU<td>");
    put(file, bench->cores.model);
    fprintf(file, ", %zu cores\n", bench->cores.count);
    for (size_t i = 0; i < bench->devices.count; i++) {
        const struct dal_device_info *info = &bench->devices.info[i];
        fprintf(file, "<tr><th>%s<td>", info->type == DAL_DEVICE_CPU ? "CPU as a device" : "GPU");
        put(file, info->name);
        fprintf(file, ", %u compute units; driver: ", info->compute_units);
        put(file, info->platform);
        fputc(' ', file);
        put(file, info->driver);
        fputc('\n', file);
    }
    if (uname(&system) == 0) {
        fputs("<tr><th>Operating system<td>", file);
        put(file, system.sysname);
        fputc(' ', file);
        put(file, system.release);
        fputc(' ', file);
        put(file, system.machine);
    }
    fprintf(file, "<tr><th>dal<td>%s\n</table>\n", PACKAGE_VERSION);
}

/* Puts a picture into the page. Without gnuplot there is none: a line marks its place, for
 * `bench/figures --draw`. */
static void put_picture(FILE *file, const char *pictures, const char *name)
{
    char *path = dal_format("%s/%s.svg", pictures, name), line[4096];
    FILE *picture = path ? fopen(path, "r") : NULL;
    int begun = 0;
    if (!picture)
        fprintf(file, "<!-- picture %s -->\n", name);
    while (picture && fgets(line, sizeof(line), picture)) {
        begun |= strncmp(line, "<svg", 4) == 0; /* what comes before is of a file by itself */
        if (begun)
            fputs(line, file);
    }
    if (picture)
        fclose(picture);
    dal_free(path);
}

static void put_numbers(FILE *file, const struct bench *bench, const char *experiment)
{
    char name[2 * BENCH_NAME];
    fputs("<details><summary>Numbers</summary><table><tr><th>case<th>swept<th>median<th>least to "
          "most<th>unit<th>beside it, median<th>least to most\n",
          file);
    for (size_t i = 0; i < bench->record_count; i++) {
        const struct bench_record *r = &bench->records[i];
        if (strcmp(r->experiment, experiment) != 0)
            continue;
        bench_name(r, name, sizeof(name));
        fprintf(file,
                "<tr><td>%s<td class=\"number\">%g<td class=\"number\">%.4g<td class=\"number\">"
                "%.4g to %.4g<td>%s",
                name, r->param, r->value, r->value_min, r->value_max, r->unit);
        if (r->has_limit)
            fprintf(file, "<td class=\"number\">%.4g<td class=\"number\">%.4g to %.4g", r->limit,
                    r->limit_min, r->limit_max);
        fputc('\n', file);
    }
    fputs("</table></details>\n", file);
}

static void put_effort(FILE *file, const struct bench *bench)
{
    fprintf(file,
            "<p>Each number is the median of %d runs; of the video network, of %ld frames each, of "
            "more where S is above 16, and of fewer where that takes long. One S of the row has "
            "all I, and one I has all S.</p>\n",
            bench->effort.repetitions, bench->effort.frames);
}

int bench_write_page(const struct bench *bench, const struct thesis_run *run, const char *pictures,
                     const char *name)
{
    struct dal_output out;
    int status = dal_output_open(&out, "", name);
    if (status)
        return status;
    fputs(head, out.file);
    put_effort(out.file, bench);
    fputs("<table>\n", out.file);
    for (int i = 0; i < SECTIONS; i++) {
        fprintf(out.file, "<tr><td class=\"name\"><a href=\"#s%d\">", i);
        put_name(out.file, sections[i].figure);
        fprintf(out.file, "</a><td>%s<td>", sections[i].title);
        put_verdict(out.file, run, sections[i].figure);
        fputc('\n', out.file);
    }
    fputs("</table>\n", out.file);
    for (int i = 0; i < SECTIONS; i++) {
        const struct section *section = &sections[i];
        fprintf(out.file, "<h2 id=\"s%d\">", i);
        put_name(out.file, section->figure);
        fprintf(out.file, ": %s</h2>\n<p>", section->title);
        put_verdict(out.file, run, section->figure);
        fprintf(out.file, ".</p>\n<p>%s</p>\n", section->text);
        if (i == 0)
            put_machine(out.file, bench);
        if (section->picture)
            put_picture(out.file, pictures, section->picture);
        put_rules(out.file, run, section->figure);
        if (section->experiment)
            put_numbers(out.file, bench, section->experiment);
    }
    fputs("</body></html>\n", out.file);
    return dal_output_close(&out);
}

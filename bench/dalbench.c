/*
 * dalbench compares networks with what the machine can do.
 *
 *     dalbench [--json FILE] [--plot FOLDER] [--quick] [--device ID] [--device2 ID] EXPERIMENT...
 *
 * Exit status: 0; 1 after an error or if a network's result was not that of the hand-written
 * program; 2 for a wrong command line.
 */
#define _GNU_SOURCE
#include "bench/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/clock.h"
#include "rt/base/output.h"
#include "rt/devices/devices.h"
#include "rt/ocl/backend.h"

#include <ftw.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct experiment {
    const char *name, *meaning;
    int (*run)(struct bench *bench);
    int needs_device;
    int quick_s; /* seconds of the quick form, on two cores that have nothing else to do */
} experiments[] = {
    {"firing", "a chain of C processes: nanoseconds a firing, on one core and on two", bench_firing,
     0, 26},
    {"channel", "two processes on devices and cores: GB/s through a channel", bench_channel, 1, 70},
    {"activation", "the task queue beside callbacks that launch the next kernel; its policies",
     bench_activation, 1, 45},
    {"group", "a chain of kernels as one launch: nanoseconds a firing", bench_group, 1, 20},
    {"overhead", "C and OpenCL over the work of a firing", bench_overhead, 0, 40},
    {"mjpeg", "frames/s of the video network", bench_mjpeg, 0, 45},
    {"scale", "networks of 10 to 10,000 processes", bench_scale, 0, 6},
    {"nodes", "channels between ranks of MPI: GB/s, us, and what waiting costs", bench_nodes, 0,
     18},
    {"cores", "networks on 1, 2, 4 cores and more, beside OpenMP and oneTBB", bench_cores, 0, 28},
    {"parts", "installed parts beside loops by hand: nanoseconds a sample", bench_parts, 0, 20},
};
enum { EXPERIMENTS = sizeof(experiments) / sizeof(experiments[0]) };
#define THESIS "thesis" /* all that it has, in the form of Scherer 2013 */

struct command_line {
    const char *json, *plot, *device[2], *apps;
    int quick, tiny, thesis;
    int chosen[EXPERIMENTS];
};

enum {
    GO_ON = -1,
    USAGE = 2,
    OPT_JSON = 256,
    OPT_PLOT,
    OPT_DEVICE,
    OPT_DEVICE2,
    OPT_QUICK,
    OPT_TINY,
    OPT_APPS
};

static const char *said = "dalbench"; /* what messages call the program */

static void print_help(FILE *out)
{
    fprintf(out,
            "Usage: %s [OPTION]... EXPERIMENT...\n"
            "Measures networks beside hand-written programs that do the same.\n\n"
            "      --json=FILE     write the figures to FILE as well\n"
            "      --plot=FOLDER   draw them there, with gnuplot\n"
            "      --quick         fewer sizes, shorter runs\n"
            "      --device=ID     the OpenCL device, as dalinfo names it (the first)\n"
            "      --device2=ID    another one, for what crosses devices (the second)\n"
            "      --apps=FOLDER   where synthetic/ and mjpeg/ are\n"
            "  -h, --help          print this text\n\nExperiments, or all:\n",
            said);
    for (size_t i = 0; i < EXPERIMENTS; i++)
        fprintf(out, "  %-12s %s\n", experiments[i].name, experiments[i].meaning);
    fprintf(out, "  %-12s %s\n", THESIS,
            "by itself: the figures of Scherer 2013 and whether they agree, as thesis.html");
}

static int choose_experiment(struct command_line *line, const char *name)
{
    int hits = strcmp(name, THESIS) == 0;
    line->thesis |= hits;
    for (int i = 0; i < EXPERIMENTS; i++) {
        if (strcmp(name, "all") != 0 && strcmp(name, experiments[i].name) != 0)
            continue;
        line->chosen[i] = 1;
        hits++;
    }
    if (!hits)
        dal_log(DAL_LOG_ERROR, "no experiment '%s'", name);
    return hits ? GO_ON : USAGE;
}

static int take_option(struct command_line *line, int option)
{
    switch (option) {
    case OPT_JSON:
        line->json = optarg;
        return GO_ON;
    case OPT_PLOT:
        line->plot = optarg;
        return GO_ON;
    case OPT_DEVICE:
    case OPT_DEVICE2:
        line->device[option - OPT_DEVICE] = optarg;
        return GO_ON;
    case OPT_QUICK:
        line->quick = 1;
        return GO_ON;
    case OPT_TINY:
        line->tiny = line->quick = 1;
        return GO_ON;
    case OPT_APPS:
        line->apps = optarg;
        return GO_ON;
    case 'h':
        print_help(stdout);
        return 0;
    default:
        return USAGE;
    }
}

/* Returns GO_ON, or the exit status. */
static int parse_arguments(struct command_line *line, int argc, char **argv)
{
    static const struct option options[] = {
        {"json", required_argument, NULL, OPT_JSON},
        {"plot", required_argument, NULL, OPT_PLOT},
        {"device", required_argument, NULL, OPT_DEVICE},
        {"device2", required_argument, NULL, OPT_DEVICE2},
        {"quick", no_argument, NULL, OPT_QUICK},
        {"tiny", no_argument, NULL, OPT_TINY}, /* for tests: hardly measures at all */
        {"apps", required_argument, NULL, OPT_APPS},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option, status = GO_ON;
    while (status == GO_ON && (option = getopt_long(argc, argv, "h", options, NULL)) != -1)
        status = take_option(line, option);
    if (status == GO_ON && optind == argc) {
        dal_log(DAL_LOG_ERROR, "which experiment?");
        status = USAGE;
    }
    for (int i = optind; status == GO_ON && i < argc; i++)
        status = choose_experiment(line, argv[i]);
    if (status == GO_ON && line->thesis && optind + 1 < argc) {
        dal_log(DAL_LOG_ERROR, "'" THESIS "' is measured by itself");
        status = USAGE;
    }
    if (status == USAGE)
        fprintf(stderr, "Try '%s --help'.\n", said);
    return status;
}

/* ---- setting up ------------------------------------------------------------------------------ */

static const struct bench_effort efforts[] = {
    {.repetitions = 5, .run_ns = 80000000, .fine = 1},
    {.repetitions = 3, .run_ns = 60000000}, /* --quick */
    {.repetitions = 1, .run_ns = 1000000},  /* --tiny */
};

/* Those of the thesis: 5,000 frames in all, or 1,500, or next to none. */
static const struct bench_effort thesis_efforts[] = {
    {.repetitions = 3, .run_ns = 60000000, .thesis = 1, .frames = 1667},
    {.repetitions = 3, .run_ns = 30000000, .thesis = 1, .frames = 500},
    {.repetitions = 1, .run_ns = 1000000, .thesis = 1, .frames = 60},
};

char *bench_find(const char *const *names, int mode)
{
    char path[PATH_MAX] = "";
    char *slash, *found = NULL;
    if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0 || !(slash = strrchr(path, '/')))
        return NULL;
    slash[1] = '\0';
    for (; !found && *names; names++) {
        found = dal_format("%s%s", **names == '/' ? "" : path, *names);
        if (found && access(found, mode) != 0) {
            dal_free(found);
            found = NULL;
        }
    }
    return found;
}

/* Finds dalsynth of the same build or installation, or else in PATH. */
static int find_dalsynth(struct bench *bench)
{
    char *found = bench_find((const char *const[]){"../synth/dalsynth", "dalsynth", NULL}, X_OK);
    bench->dalsynth = found ? found : dal_strdup("dalsynth");
    return bench->dalsynth ? DAL_OK : DAL_ERR_NOMEM;
}

/* Returns the folder of apps: that of the sources if the program is not installed, else the
 * installed examples. The caller frees it. */
static char *usual_apps(void)
{
    char line[PATH_MAX];
    char *mark = bench_find((const char *const[]){"../dal-uninstalled.pc", NULL}, R_OK);
    char *apps = NULL;
    FILE *file = mark ? fopen(mark, "r") : NULL;
    while (file && !apps && fgets(line, sizeof(line), file))
        if (strncmp(line, "includedir=", 11) == 0)
            apps = dal_format("%.*s/../apps", (int)strcspn(line + 11, "\n"), line + 11);
    if (file)
        fclose(file);
    dal_free(mark);
    if (!apps)
        apps = bench_find((const char *const[]){"../share/dal/examples", NULL}, R_OK);
    return apps ? apps : dal_strdup(DALBENCH_APPS);
}

static int find_apps(struct bench *bench, const char *wish)
{
    char *file;
    int found;
    bench->apps = wish ? dal_strdup(wish) : usual_apps();
    if (!bench->apps)
        return DAL_ERR_NOMEM;
    file = dal_format("%s/synthetic/firing.xml", bench->apps);
    found = file && access(file, R_OK) == 0;
    dal_free(file);
    if (!found)
        dal_log(DAL_LOG_ERROR, "no networks in %s (--apps=FOLDER)", bench->apps);
    return found ? DAL_OK : DAL_ERR_IO;
}

static int matches_device(const struct dal_device_info *info, const char *wish)
{
    return strcmp(info->identifier, wish) == 0 || strcmp(info->wildcard, wish) == 0;
}

/* Returns whether a device is one to take unasked: the first two of all. The thesis has a GPU, then
 * the processor. */
static int is_usual(const struct bench *bench, int number, const struct dal_device_info *info)
{
    int is_gpu = info->type != DAL_DEVICE_CPU, gpus = 0;
    for (size_t i = 0; i < bench->devices.count; i++)
        gpus += bench->devices.info[i].type != DAL_DEVICE_CPU;
    if (number == 1 && info == bench->device[0])
        return 0;
    return !bench->effort.thesis || (number == 0 ? is_gpu || !gpus : !is_gpu);
}

static int choose_device(struct bench *bench, int number, const char *wish)
{
    for (size_t i = 0; i < bench->devices.count; i++) {
        const struct dal_device_info *info = &bench->devices.info[i];
        if (wish ? !matches_device(info, wish) : !is_usual(bench, number, info))
            continue;
        bench->device[number] = info;
        return DAL_OK;
    }
    if (!wish)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "no device %s; dalinfo lists those there are", wish);
    return DAL_ERR_NODEVICE;
}

static int make_folder(struct bench *bench)
{
    const char *parent = getenv("TMPDIR");
    bench->folder = dal_format("%s/dalbench.XXXXXX", parent ? parent : "/tmp");
    if (!bench->folder || !mkdtemp(bench->folder)) {
        dal_log(DAL_LOG_ERROR, "cannot make a temporary folder");
        dal_free(bench->folder);
        bench->folder = NULL;
        return DAL_ERR_IO;
    }
    return DAL_OK;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    remove(path);
    return 0;
}

/* Checks, before hours of measuring, that the outputs can be written. */
static int check_outputs(const struct command_line *line)
{
    int status = line->json ? dal_output_check("", line->json) : DAL_OK;
    if (!status && line->thesis && !line->plot)
        status = dal_output_check("", "thesis.html");
    return !status && line->plot ? bench_make_folder(line->plot) : status;
}

static int set_up(struct bench *bench, const struct command_line *line)
{
    int status = find_dalsynth(bench);
    if (!status)
        status = check_outputs(line);
    bench->effort = (line->thesis ? thesis_efforts : efforts)[line->tiny ? 2 : line->quick];
    if (!status)
        status = find_apps(bench, line->apps);
    if (!status)
        status = dal_cores_init(&bench->cores);
    if (!status)
        status = dal_backend_opencl.list(&bench->devices, DAL_LOG_ERROR);
    if (!status)
        status = choose_device(bench, 0, line->device[0]);
    if (!status)
        status = choose_device(bench, 1, line->device[1]);
    if (!status)
        status = make_folder(bench);
    if (!status)
        status = bench_write_architecture(bench);
    return status ? status : bench_write_cluster(bench);
}

static void tear_down(struct bench *bench)
{
    if (bench->folder)
        nftw(bench->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    dal_free(bench->folder);
    dal_free(bench->architecture);
    dal_free(bench->cluster);
    dal_free((char *)bench->dalsynth);
    dal_free((char *)bench->apps);
    dal_free(bench->records);
    dal_backend_opencl.list_finish(&bench->devices);
    dal_cores_finish(&bench->cores);
}

/* ---- the experiments, in turn ---------------------------------------------------------------- */

/* The chosen experiments from one on: how many they are, and their seconds as planned. */
struct plan {
    int count, seconds;
};

static int is_possible(const struct bench *bench, const struct experiment *experiment)
{
    return !experiment->needs_device || bench->device[0];
}

static struct plan plan_from(const struct bench *bench, const struct command_line *line, int from)
{
    struct plan plan = {0};
    for (int i = from; i < EXPERIMENTS; i++) {
        plan.count += line->chosen[i];
        if (line->chosen[i] && is_possible(bench, &experiments[i]))
            plan.seconds += experiments[i].quick_s;
    }
    return plan;
}

/* Writes ", about 40 s left". At first that is known of the quick form alone, later by the pace. */
static void estimate(char *text, size_t size, const struct command_line *line, int64_t spent_ns,
                     struct plan all, struct plan left)
{
    int done = all.seconds - left.seconds;
    double pace = done ? 1e-9 * (double)spent_ns / done : line->quick && !line->tiny;
    double seconds = pace * left.seconds;
    *text = '\0';
    if (seconds >= 90)
        snprintf(text, size, ", about %.0f min left", seconds / 60);
    else if (seconds > 0)
        snprintf(text, size, ", about %.0f s left", ceil(seconds));
}

static int run_experiment(struct bench *bench, const struct experiment *experiment)
{
    int64_t begin_ns = dal_now_ns();
    int failed = 0;
    bench->cut = 0;
    if (!is_possible(bench, experiment))
        bench_say("%s: no OpenCL device, nothing to measure", experiment->name);
    else
        failed = experiment->run(bench) != DAL_OK;
    if (bench->cut)
        bench_say("%s: the time was up, %d cases were run fewer times than %d", experiment->name,
                  bench->cut, bench->effort.repetitions);
    bench_say("%s: %.0f s", experiment->name, 1e-9 * (double)(dal_now_ns() - begin_ns));
    return failed;
}

static int run_experiments(struct bench *bench, const struct command_line *line)
{
    struct plan all = plan_from(bench, line, 0), left;
    int64_t begin_ns = dal_now_ns();
    int failed = 0;
    char text[BENCH_NAME];
    for (int i = 0; i < EXPERIMENTS; i++) {
        if (!line->chosen[i])
            continue;
        left = plan_from(bench, line, i);
        estimate(text, sizeof(text), line, dal_now_ns() - begin_ns, all, left);
        bench_say("experiment %d of %d%s", all.count - left.count + 1, all.count, text);
        bench_say("%s: %s", experiments[i].name, experiments[i].meaning);
        left = plan_from(bench, line, i + 1);
        if (line->quick)
            bench->end_ns = begin_ns + (int64_t)(all.seconds - left.seconds) * 1000000000;
        failed |= run_experiment(bench, &experiments[i]);
        if (line->json) /* keeps the records if it ends early */
            failed |= bench_write_json(bench, line->json) != DAL_OK;
    }
    bench_print(bench);
    if (line->plot)
        failed |= bench_plot(bench, line->plot) != DAL_OK;
    return failed || bench->differences > 0;
}

static int run_thesis(struct bench *bench, const struct command_line *line)
{
    int failed = bench_thesis(bench, line->plot) != DAL_OK;
    if (line->json)
        failed |= bench_write_json(bench, line->json) != DAL_OK;
    return failed || bench->differences > 0;
}

int main(int argc, char **argv)
{
    struct command_line line = {0};
    struct bench bench = {0};
    int status;
    if (strncmp(argv[0], "dal ", 4) == 0)
        said = argv[0];
    dal_log_program(said);
    dal_output_guard();
    status = parse_arguments(&line, argc, argv);
    if (status != GO_ON)
        return dal_output_finish() && !status ? 1 : status;
    status = dal_child_guard();
    if (!status)
        status = set_up(&bench, &line);
    if (!status)
        status = (line.thesis ? run_thesis : run_experiments)(&bench, &line);
    tear_down(&bench);
    return dal_output_finish() || status;
}

/*
 * dalmap: finds a mapping for a network, a machine and measured times.
 */
#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "synth/codegen/c/type.h"
#include "synth/command/options.h"
#include "synth/tune/map/map.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_BAD_INPUT = DAL_EXIT_BAD_INPUT, EXIT_USAGE = DAL_EXIT_USAGE };
/* Most points of a front without --most. */
enum { MOST_POINTS = 16 };

struct job {
    struct dal_map map;
    const char *output; /* -o, or NULL */
    int front;          /* --objective=front */
    size_t most;        /* --most, or 0 */
    struct dal_spec_define *defines;
    size_t define_room;
    struct dal_search_pin *pins;
    size_t pin_room;
    struct dal_parameters parameters;
};

static const char usage[] =
    "usage: dalmap [options] --times=FILE NETWORK.xml ARCHITECTURE.xml\n"
    "\n"
    "Searches a mapping of a process network to a machine, by what dalsynth --explain predicts.\n"
    "Writes it as a file for dalsynth, with comments that say what to expect of it.\n"
    "\n"
    "      --times=FILE         execution times: what 'dalsynth --profile' or DAL_TIMES=FILE of a\n"
    "                           program wrote, or {\"PROCESS\": NANOSECONDS, ...} in JSON\n"
    "      --profile=SECONDS    first finds times: of all processes on the cores, and of all\n"
    "                           kernels on each device, in runs of so many seconds, which are\n"
    "                           merged into the file of --times\n"
    "  -p, --parameter=PROCESS.NAME=VALUE\n"
    "                           of the programs that --profile and --run run\n"
    "  -o, --output=MAPPING.xml the file to write (standard output); with --objective=front a new\n"
    "                           folder\n"
    "  -D, --define=VAR=N       gives a variable of the network another value\n"
    "      --objective=throughput\n"
    "                           the least period (as without), and then the fewest processors\n"
    "      --objective=memory   the fewest bytes of channels among the mappings whose period is\n"
    "                           at most 5 % longer than the least\n"
    "      --objective=latency  the least time of an iteration on its longest way, with one\n"
    "                           firing at once; the mapping has sizes for that\n"
    "      --objective=front    mappings that no other beats in period, latency and bytes at "
    "once,\n"
    "                           with sizes: the folder of -o gets 1.xml, 2.xml, ... and front.txt\n"
    "      --most=N             so many of them at most, from 3 on (16)\n"
    "      --keep=MAPPING.xml   a mapping that binds some of the processes: it stays\n"
    "      --pin=PROCESS=PROCESSOR\n"
    "                           only there; both may be patterns, as in --pin='Dec_*=core_[01]'\n"
    "      --one-core           no process on all cores of a node, only on one of them\n"
    "      --leave=N            leaves N cores of each node free\n"
    "      --exact=N            tries all mappings where no more than N differ (2000)\n"
    "      --time-limit=SECONDS for the search (60); then the best so far is written\n"
    "      --run=K              builds and runs the K best by prediction, and takes the fastest\n"
    "      --run-time=SECONDS   for each of them (3)\n"
    "  -h, --help               prints this\n"
    "      --version            prints the version\n"
    "\n"
    "A signal (SIGINT, SIGTERM) ends the search, and the best so far is written, too.\n"
    "Exit status: 0 success, 1 an error in the input, 2 a wrong command line.\n";

enum {
    OPT_TIMES = 256,
    OPT_OBJECTIVE,
    OPT_KEEP,
    OPT_PIN,
    OPT_LEAVE,
    OPT_ONE_CORE,
    OPT_EXACT,
    OPT_TIME_LIMIT,
    OPT_RUN,
    OPT_RUN_TIME,
    OPT_MOST,
    OPT_PROFILE,
    OPT_VERSION
};

static const struct option options[] = {
    {"times", required_argument, NULL, OPT_TIMES},
    {"output", required_argument, NULL, 'o'},
    {"define", required_argument, NULL, 'D'},
    {"objective", required_argument, NULL, OPT_OBJECTIVE},
    {"keep", required_argument, NULL, OPT_KEEP},
    {"pin", required_argument, NULL, OPT_PIN},
    {"leave", required_argument, NULL, OPT_LEAVE},
    {"one-core", no_argument, NULL, OPT_ONE_CORE},
    {"exact", required_argument, NULL, OPT_EXACT},
    {"time-limit", required_argument, NULL, OPT_TIME_LIMIT},
    {"run", required_argument, NULL, OPT_RUN},
    {"run-time", required_argument, NULL, OPT_RUN_TIME},
    {"most", required_argument, NULL, OPT_MOST},
    {"profile", required_argument, NULL, OPT_PROFILE},
    {"parameter", required_argument, NULL, 'p'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, OPT_VERSION},
    {0},
};

static int done; /* --help or --version: nothing else to do */

/* ---- the command line ------------------------------------------------------------------------ */

static int take_objective(struct job *job, const char *text)
{
    static const char *const names[] = {[DAL_SEARCH_THROUGHPUT] = "throughput",
                                        [DAL_SEARCH_MEMORY] = "memory",
                                        [DAL_SEARCH_LATENCY] = "latency"};
    size_t i;

    job->front = strcmp(text, "front") == 0;
    if (job->front)
        return 0;
    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], text) == 0) {
            job->map.objective = (enum dal_search_objective)i;
            return 0;
        }
    fprintf(stderr, "dalmap: --objective is throughput, memory, latency or front, not '%s'\n",
            text);
    return EXIT_USAGE;
}

/* Adds a pin; splits the argument in place. */
static int add_pin(struct job *job, char *text)
{
    char *equals = strchr(text, '=');

    if (!equals || equals == text || !equals[1]) {
        fprintf(stderr, "dalmap: --pin wants PROCESS=PROCESSOR, not '%s'\n", text);
        return EXIT_USAGE;
    }
    if (dal_grow(&job->pins, job->map.wishes.pin_count, &job->pin_room, sizeof(*job->pins)))
        return EXIT_BAD_INPUT;
    *equals = '\0';
    job->pins[job->map.wishes.pin_count++] =
        (struct dal_search_pin){.process = text, .processor = equals + 1};
    job->map.wishes.pins = job->pins;
    return 0;
}

static int add_define(struct job *job, char *text)
{
    int status =
        dal_option_define("dalmap", text, &job->defines, &job->map.define_count, &job->define_room);

    job->map.defines = job->defines;
    return status;
}

static int add_parameter(struct job *job, const char *text)
{
    int status = dal_option_parameter("dalmap", text, &job->parameters);

    job->map.parameters = job->parameters.list;
    job->map.parameter_count = job->parameters.count;
    return status;
}

static int take_count(const char *option, const char *text, uint64_t most, uint64_t *count)
{
    char *end;
    unsigned long long value;

    errno = 0;
    value = strtoull(text, &end, 10);
    *count = value;
    if (!errno && end > text && !*end && *text != '-' && value <= most)
        return 0;
    fprintf(stderr, "dalmap: %s wants a number from 0 to %" PRIu64 ", not '%s'\n", option, most,
            text);
    return EXIT_USAGE;
}

static int take_leave(struct job *job, const char *text)
{
    uint64_t count;
    int status = take_count("--leave", text, 1000000, &count);

    job->map.wishes.leave = (size_t)count;
    return status;
}

static int take_run(struct job *job, const char *text)
{
    uint64_t count;
    int status = take_count("--run", text, 100, &count);

    job->map.run = (size_t)count;
    return status;
}

static int take_most(struct job *job, const char *text)
{
    uint64_t count;
    int status = take_count("--most", text, 1000, &count);

    job->most = (size_t)count;
    if (status || count >= 3)
        return status;
    fprintf(stderr, "dalmap: --most wants 3 or more: the best period, latency and bytes\n");
    return EXIT_USAGE;
}

static int take_option(struct job *job, int option)
{
    switch (option) {
    case OPT_TIMES:
        job->map.times_file = optarg;
        return 0;
    case 'o':
        job->output = optarg;
        return *optarg ? 0 : EXIT_USAGE;
    case 'D':
        return add_define(job, optarg);
    case OPT_OBJECTIVE:
        return take_objective(job, optarg);
    case OPT_KEEP:
        job->map.keep_file = optarg;
        return 0;
    case OPT_PIN:
        return add_pin(job, optarg);
    case OPT_LEAVE:
        return take_leave(job, optarg);
    case OPT_ONE_CORE:
        job->map.wishes.pools = 0;
        return 0;
    case OPT_EXACT:
        return take_count("--exact", optarg, DAL_SEARCH_MOST_TRIED, &job->map.most_exact);
    case OPT_TIME_LIMIT:
        return dal_option_seconds("dalmap", "--time-limit", optarg, &job->map.seconds);
    case OPT_RUN:
        return take_run(job, optarg);
    case OPT_MOST:
        return take_most(job, optarg);
    case OPT_RUN_TIME:
        return dal_option_seconds("dalmap", "--run-time", optarg, &job->map.run_seconds);
    case OPT_PROFILE:
        return dal_option_seconds("dalmap", "--profile", optarg, &job->map.profile_seconds);
    case 'p':
        return add_parameter(job, optarg);
    case 'h':
        fputs(usage, stdout);
        done = 1;
        return 0;
    case OPT_VERSION:
        printf("dalmap %s\n", DAL_VERSION);
        done = 1;
        return 0;
    default:
        return EXIT_USAGE;
    }
}

static int check_files(struct job *job, int count, char **files)
{
    if (count != 2)
        fprintf(stderr, "dalmap: two files are needed: network, architecture\n");
    else if (!job->map.times_file)
        fprintf(stderr, "dalmap: --times=FILE is needed; with --profile=SECONDS it is written\n");
    else if (job->parameters.count && !job->map.run && !(job->map.profile_seconds > 0))
        fprintf(stderr, "dalmap: -p is for --profile and --run\n");
    else {
        job->map.network_file = files[0];
        job->map.architecture_file = files[1];
        return 0;
    }
    return EXIT_USAGE;
}

/* Checks that the options fit a front, or a single mapping. */
static int check_front(struct job *job)
{
    if (!job->front && job->most)
        fprintf(stderr, "dalmap: --most is for --objective=front\n");
    else if (job->front && !job->output)
        fprintf(stderr, "dalmap: --objective=front needs -o FOLDER\n");
    else if (job->front && job->map.run)
        fprintf(stderr, "dalmap: --run is not for --objective=front: run the points you choose\n");
    else {
        job->map.most_points = !job->front ? 0 : job->most ? job->most : MOST_POINTS;
        return 0;
    }
    return EXIT_USAGE;
}

static int take_arguments(struct job *job, int argc, char **argv)
{
    int option, error = 0;

    while (!error && !done && (option = getopt_long(argc, argv, "o:D:p:h", options, NULL)) != -1)
        error = take_option(job, option);
    if (!error && !done)
        error = check_files(job, argc - optind, argv + optind);
    if (!error && !done)
        error = check_front(job);
    if (error == EXIT_USAGE)
        fprintf(stderr, "Try 'dalmap --help'.\n");
    return error;
}

/* ---- the work -------------------------------------------------------------------------------- */

#define PROGRESS_NS INT64_C(200000000)

static int told; /* a line of progress stands on the terminal */

static void show_progress(uint64_t tried, double least_ns)
{
    static int64_t next_ns;
    int64_t now_ns = dal_now_ns();

    if (now_ns < next_ns)
        return;
    told |= next_ns != 0;
    if (told)
        fprintf(stderr, "\r%" PRIu64 " mappings, least period %.4g us\033[K", tried,
                least_ns / 1000);
    next_ns = now_ns + PROGRESS_NS;
}

static void end_progress(void)
{
    if (told)
        fputs("\r\033[K", stderr);
}

static int write_mapping(const struct job *job, const struct dal_mapped *mapped)
{
    if (job->output)
        return dal_text_write(mapped->text, "", job->output);
    return fputs(mapped->text, stdout) < 0 ? DAL_ERR_IO : DAL_OK;
}

static void tell_end(const char *what, int interrupted, int out_of_time)
{
    if (interrupted)
        dal_log(DAL_LOG_NOTE, "interrupted: the best %s so far is written", what);
    if (out_of_time)
        dal_log(DAL_LOG_NOTE, "the time limit has ended the search: the best %s so far is written",
                what);
}

/* Reports the problems of the input, before the results are written. */
static int tell_problems(const struct dal_diags *diags, int error)
{
    end_progress();
    return dal_diags_print(diags, stderr) ? DAL_ERR_INVALID : error;
}

static int write_one(const struct job *job, const struct dal_mapped *mapped)
{
    int error = write_mapping(job, mapped);

    if (error)
        return error;
    tell_end("mapping", mapped->interrupted, mapped->out_of_time);
    if (job->output)
        printf("%s\n", mapped->summary);
    return DAL_OK;
}

static int map_one(const struct job *job, struct dal_diags *diags)
{
    struct dal_mapped mapped;
    int error = tell_problems(diags, dal_map(diags, &job->map, &mapped));

    if (!error)
        error = write_one(job, &mapped);
    dal_mapped_finish(&mapped);
    return error;
}

static int write_front(const struct job *job, const struct dal_mapped_front *front)
{
    int error = dal_mapped_folder_write(front, job->output);

    if (error)
        return error;
    tell_end("front", front->interrupted, front->out_of_time);
    printf("%" PRIu64 " mappings with sizes tried; %zu point%s in %s\n\n", front->tried,
           front->count, front->count == 1 ? "" : "s", job->output);
    return dal_mapped_front_print(front, stdout);
}

static int map_front(const struct job *job, struct dal_diags *diags)
{
    struct dal_mapped_front front;
    int error = tell_problems(diags, dal_map_front(diags, &job->map, &front));

    if (!error)
        error = write_front(job, &front);
    dal_mapped_front_finish(&front);
    return error;
}

static int check_output(const struct job *job)
{
    if (job->front)
        return dal_mapped_folder_check(job->output);
    return job->output ? dal_output_check("", job->output) : DAL_OK;
}

static int map_network(struct job *job)
{
    struct dal_diags diags;
    int error = check_output(job);

    dal_diags_init(&diags);
    if (!error)
        error = dal_child_guard();
    if (!error) {
        job->map.progress = isatty(STDERR_FILENO) ? show_progress : NULL;
        error = job->front ? map_front(job, &diags) : map_one(job, &diags);
        if (error && error != DAL_ERR_INVALID && error != DAL_ERR_IO && error != DAL_ERR_BUILD)
            dal_log(DAL_LOG_ERROR, "%s", dal_strerror(error));
    }
    dal_diags_finish(&diags);
    return error ? EXIT_BAD_INPUT : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct job job = {
        .map = {.most_exact = DAL_SEARCH_EXACT, .run_seconds = 3, .wishes = {.pools = 1}}};
    int status;

    dal_log_program("dalmap");
    dal_output_guard();
    dal_spec_ask_sizes(dal_source_type_size);
    status = take_arguments(&job, argc, argv);
    if (!status && !done)
        status = map_network(&job);
    dal_free(job.defines);
    dal_free(job.pins);
    dal_free(job.parameters.list);
    if (dal_output_finish() && !status)
        status = EXIT_BAD_INPUT;
    return status;
}

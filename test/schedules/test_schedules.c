/*
 * Protocols and random networks under the scheduler of rt/base/schedule.h.
 *
 *     test_schedules [OPTION]...
 *       --networks N     random networks (20)
 *       --seed S         of the first network (1)
 *       --schedules K    of each network and protocol (10)
 *       --first K        number of the first schedule (0)
 *       --policy walk    or pct, or cores: no scheduler, but the machine's; otherwise walk and pct
 *                        by turns
 *       --depth D        of pct: points where priorities change, and one; otherwise drawn
 *       --protocol NAME  that one and no network; "all": each, which is also done without it
 *       --seconds T      begins no more networks after so many
 *       --until-failure  ends with the first
 *       --steps N        of a schedule at most: more are a failure, which tells where all are
 *       --print          prints the interleavings
 *       --hash           prints a line for each schedule: steps, switches and a hash
 *
 * A failure is a line with the options that repeat it, behind what was said. The exit status is
 * then 1.
 */
#define _GNU_SOURCE
#include "rt/base/schedule.h"
#include "test/schedules/schedules.h"

#include <getopt.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { HANGS_S = 600, MOST_BLIND = 2000 };

static struct {
    long networks, schedules, first, depth, seconds, steps;
    uint64_t seed;
    const char *policy, *protocol;
    int print, hash, until_failure;
} options = {.networks = 20, .schedules = 10, .seed = 1};

static long runs, failures;

/* What is under test: a protocol, or else the network of a seed. */
struct subject {
    const struct protocol *protocol;
    uint64_t seed;
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t z = a * 0x9e3779b97f4a7c15u + b;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static enum dal_schedule_policy policy_of(long schedule)
{
    if (options.policy)
        return strcmp(options.policy, "pct") == 0 ? DAL_SCHEDULE_PCT : DAL_SCHEDULE_WALK;
    return schedule % 2 ? DAL_SCHEDULE_PCT : DAL_SCHEDULE_WALK;
}

/* The machine's own scheduler; a schedule is then another run, and its time is the world's. */
static int is_on_cores(void)
{
    return options.policy && strcmp(options.policy, "cores") == 0;
}

/* One thread runs at a time: where all have one core the next one has the baton soonest. */
static void stay_on_core(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    sched_setaffinity(0, sizeof(one), &one);
}

/* In a process of its own. */
static void run_schedule(const struct subject *subject, long schedule)
{
    uint64_t seed = mix(subject->seed, (uint64_t)schedule);
    struct dal_schedule_options under = {.seed = seed,
                                         .policy = policy_of(schedule),
                                         .depth = options.depth ? (int)options.depth
                                                                : 1 + (int)(mix(seed, 1) % 6),
                                         .most_steps = (uint64_t)options.steps,
                                         .print = options.print};
    struct dal_schedule_summary summary = {0};
    alarm(HANGS_S);
    if (!is_on_cores()) {
        stay_on_core();
        dal_schedule_begin(&under);
    }
    if (subject->protocol)
        subject->protocol->run();
    else
        network_run(mix(seed, 2));
    if (!is_on_cores())
        dal_schedule_end(&summary);
    if (options.hash)
        printf("%s %" PRIu64 " schedule %ld: %" PRIu64 " steps, %" PRIu64 " switches, %016" PRIx64
               "\n",
               subject->protocol ? subject->protocol->name : "network", subject->seed, schedule,
               summary.steps, summary.switches, summary.hash);
    fflush(stdout);
    _exit(0);
}

/* All that was said; the caller's. */
static char *read_said(FILE *said)
{
    long bytes = ftell(said);
    char *text = calloc(1, (size_t)(bytes > 0 ? bytes : 0) + 1);
    rewind(said);
    if (text && fread(text, 1, (size_t)bytes, said) != (size_t)bytes)
        *text = '\0';
    return text;
}

/* The line that says what is wrong; the first, if the scheduler has not seen it. */
static const char *line_of(const char *said)
{
    const char *line = strstr(said, "schedule: ");
    return line ? line : said;
}

static void tell_failure(const struct subject *subject, long schedule, int status, const char *said)
{
    fputs(said, stdout);
    if (WIFSIGNALED(status))
        printf("ended by signal %d\n", WTERMSIG(status));
    if (!subject->protocol)
        network_describe();
    printf("FAIL: test_schedules --seed %" PRIu64 " --first %ld --schedules 1", subject->seed,
           schedule);
    if (subject->protocol)
        printf(" --protocol %s", subject->protocol->name);
    else
        printf(" --networks 1");
    if (options.policy)
        printf(" --policy %s", options.policy);
    if (options.depth)
        printf(" --depth %ld", options.depth);
    /* Once more where it is seen: what was said may be long. */
    if (WIFSIGNALED(status))
        printf("\n  signal %d\n", WTERMSIG(status));
    else
        printf("\n  %.*s\n", (int)strcspn(line_of(said), "\n"), line_of(said));
    failures++;
    if (options.until_failure) {
        fflush(stdout);
        exit(1);
    }
}

/* Runs it in a process of its own. Returns that one's status, and what it said: the caller's. */
static int run_apart(const struct subject *subject, long schedule, char **said)
{
    FILE *file = tmpfile();
    int status = -1;
    pid_t child;
    fflush(stdout);
    child = file ? fork() : -1;
    if (child == 0) {
        dup2(fileno(file), STDERR_FILENO);
        run_schedule(subject, schedule);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || fseek(file, 0, SEEK_END) < 0 ||
        !(*said = read_said(file))) {
        perror("test_schedules");
        exit(2);
    }
    fclose(file);
    runs++;
    return status;
}

/* Up to the first schedule that is wrong. */
static void try_schedules(const struct subject *subject)
{
    long last = options.first + options.schedules;
    int status = 0;
    for (long k = options.first; status == 0 && k < last; k++) {
        char *said;
        status = run_apart(subject, k, &said);
        if (status != 0)
            tell_failure(subject, k, status, said);
        else if (options.print)
            fputs(said, stdout);
        free(said);
    }
}

/* Up to the first schedule that finds the fault; there has to be one among so many. */
static void try_broken(const struct protocol *protocol)
{
    const struct subject subject = {protocol, options.seed};
    int found = 0;
    long k;
    for (k = 0; !found && k < MOST_BLIND; k++) {
        char *said;
        found = run_apart(&subject, k, &said) != 0;
        if (found && !strstr(said, protocol->fault))
            tell_failure(&subject, k, 0, said);
        free(said);
    }
    if (options.hash)
        printf("broken %s: found by schedule %ld\n", protocol->name, k - 1);
    if (!found)
        printf("FAIL: the fault of %s is not found\n", protocol->name);
    failures += !found;
}

static void try_protocols(void)
{
    const char *name = options.protocol ? options.protocol : "all";
    int found = 0;
    for (int i = 0; strcmp(name, "all") == 0 && i < broken_count; i++)
        try_broken(&broken[i]);
    for (int i = 0; i < broken_count; i++)
        if (strcmp(name, broken[i].name) == 0) {
            try_schedules(&(struct subject){&broken[i], options.seed});
            found = 1;
        }
    for (int i = 0; i < protocol_count; i++)
        if (strcmp(name, "all") == 0 || strcmp(name, protocols[i].name) == 0) {
            try_schedules(&(struct subject){&protocols[i], options.seed});
            found = 1;
        }
    if (!found) {
        fprintf(stderr, "test_schedules: no protocol %s\n", name);
        exit(2);
    }
}

/* In a process of its own, so that one network leaves nothing to the next. */
static void try_network(uint64_t seed)
{
    struct subject subject = {.seed = seed};
    network_draw(seed);
    if (options.hash || options.print)
        network_describe();
    try_schedules(&subject);
}

static void try_networks(void)
{
    time_t begin = time(NULL);
    long i;
    for (i = 0; i < options.networks; i++) {
        if (options.seconds && time(NULL) - begin >= options.seconds)
            break;
        try_network(options.seed + (uint64_t)i);
    }
    printf("%ld networks\n", i);
}

static void read_options(int argc, char **argv)
{
    static const struct option known[] = {
        {"networks", 1, NULL, 'n'}, {"seed", 1, NULL, 's'},     {"schedules", 1, NULL, 'k'},
        {"first", 1, NULL, 'f'},    {"policy", 1, NULL, 'p'},   {"depth", 1, NULL, 'd'},
        {"print", 0, NULL, 'P'},    {"protocol", 1, NULL, 'o'}, {"hash", 0, NULL, 'h'},
        {"seconds", 1, NULL, 't'},  {"steps", 1, NULL, 'm'},    {"until-failure", 0, NULL, 'u'},
        {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "", known, NULL)) >= 0)
        switch (option) {
        case 'n':
            options.networks = atol(optarg);
            break;
        case 's':
            options.seed = strtoull(optarg, NULL, 10);
            break;
        case 'k':
            options.schedules = atol(optarg);
            break;
        case 'f':
            options.first = atol(optarg);
            break;
        case 'p':
            options.policy = optarg;
            break;
        case 'd':
            options.depth = atol(optarg);
            break;
        case 'P':
            options.print = 1;
            break;
        case 'o':
            options.protocol = optarg;
            break;
        case 'h':
            options.hash = 1;
            break;
        case 't':
            options.seconds = atol(optarg);
            break;
        case 'u':
            options.until_failure = 1;
            break;
        case 'm':
            options.steps = atol(optarg);
            break;
        default:
            exit(2);
        }
    if (optind < argc ||
        (options.policy && strcmp(options.policy, "pct") != 0 &&
         strcmp(options.policy, "walk") != 0 && strcmp(options.policy, "cores") != 0)) {
        fprintf(stderr, "test_schedules: see the head of test/schedules/test_schedules.c\n");
        exit(2);
    }
}

int main(int argc, char **argv)
{
    read_options(argc, argv);
    if (options.protocol || (options.first == 0 && !is_on_cores()))
        try_protocols();
    if (!options.protocol)
        try_networks();
    printf("%ld runs, %ld failures\n", runs, failures);
    return failures > 0;
}

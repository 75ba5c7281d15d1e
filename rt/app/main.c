/* The command line of a synthesised program, of one network or of several applications. */
#include "rt/app/controller.h"
#include "rt/app/interrupt.h"
#include "rt/app/names.h"
#include "rt/app/outside.h"
#include "rt/app/places.h"
#include "rt/backend/backend.h"
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "rt/base/program_options.h"
#include "rt/base/setting.h"
#include "rt/base/signals.h"
#include "rt/base/thread.h"
#include "rt/base/value.h"
#include "rt/network/network.h"
#include "rt/nodes/end.h"
#include "rt/nodes/meet.h"
#include "rt/observe/observers.h"
#include "rt/run/run.h"
#include "rt/run/taps.h"
#include "rt/watch/monitor.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* A program has one network or several applications; the other is NULL. */
struct program {
    const struct dal_net *net;
    const struct dal_fsm *fsm;
};

struct command_line {
    struct dal_network_options options;
    struct dal_monitor_limits limits;
    size_t event_queue; /* for several applications; 0 when not given */
    const char **overrides;
    struct dal_outside outside;
    uint64_t stack_bytes; /* of each thread */
    int check;            /* True: install, build the kernels, do not run. */
};

enum { GO_ON = -1, USAGE = 2 };

enum { MOST_EVENTS = 1 << 24 };

static void print_parameters(const struct dal_net *net, const char *application)
{
    for (int i = 0; i < net->process_count; i++)
        for (int k = 0; k < net->processes[i].parameter_count; k++)
            printf("  %s%s%s.%s=%s\n", application, *application ? "." : "", net->processes[i].name,
                   net->processes[i].parameters[k].name, net->processes[i].parameters[k].value);
}

/* Prints the channels because of which two runs may differ. */
static void print_newest(const struct dal_net *net)
{
    for (int i = 0; i < net->channel_count; i++)
        if (net->channels[i].kind == DAL_CHANNEL_NEWEST)
            printf(
                "not deterministic but with DAL_REPLAY: channel %s of network %s keeps the newest "
                "token alone\n",
                net->channels[i].name, net->name);
}

/* Prints a line for each thing that the program was made from. dalsynth --verify reads them. */
static void print_version(const struct program *program, const char *path)
{
    const struct dal_made_desc *made = program->fsm ? program->fsm->made : program->net->made;
    int count = program->fsm ? program->fsm->made_count : program->net->made_count;
    printf("%s (dal " PACKAGE_VERSION ")\n%s %s, made from:\n", dal_program_base(path),
           program->fsm ? "state machine" : "network",
           program->fsm ? program->fsm->name : program->net->name);
    for (int i = 0; i < count; i++)
        printf("  %s  %s:%s%s\n", made[i].digest, made[i].what, *made[i].file ? " " : "",
               made[i].file);
    for (int i = 0; program->fsm && i < program->fsm->application_count; i++)
        print_newest(program->fsm->applications[i].net);
    if (program->net)
        print_newest(program->net);
}

static void print_help_fsm(const struct dal_fsm *fsm, const char *program)
{
    printf(
        "Usage: %s [-p APPLICATION.PROCESS.PARAMETER=VALUE]... [--strict] [--check]\n"
        "       [--event-queue=EVENTS] [--stall-timeout=SECONDS] [--device-timeout=SECONDS]\n"
        "       [--link-timeout=SECONDS] [--io-timeout=SECONDS] [--max-memory=BYTES]\n"
        "       [--stack=BYTES] [--all-cores]\n\n"
        "Runs the applications of the state machine %s to its end.\n\n"
        "  -p, --parameter A.P.N=V  set parameter N of process P (or of all P_0, P_1, ...) of\n"
        "                           application A\n"
        "      --event-queue=N      events that may wait (usual: 1024); one more is an error\n"
        "      --strict             fail when a device is missing, instead of using another\n"
        "      --check              install every application and build its kernels, but do\n"
        "                           not run\n"
        "      --stall-timeout=S    end the program when no token has moved for S seconds in an\n"
        "                           application that is not paused, even if a process runs on\n"
        "                           a core that is not of type io; 0: never. Without the\n"
        "                           option: after 10 seconds in which no process runs either\n"
        "      --device-timeout=S   end the program when launches are in flight and none has\n"
        "                           completed for S seconds; 0: never (usual: 120)\n"
        "      --link-timeout=S     the same of messages between nodes (usual: 600)\n"
        "      --io-timeout=S       end the program when a firing of a process of type io does\n"
        "                           not return for S seconds; 0: never (usual: 0)\n"
        "      --max-memory=N       bytes (K, M or G may follow) that the channels of each\n"
        "                           application may grow by (usual: 1G)\n"
        "      --stack=N            bytes (K, M or G may follow) of stack that each thread has\n"
        "                           (usual: 8M)\n"
        "      --all-cores          use all cores of a binding, also where fewer are as fast\n"
        "  -h, --help               print this text\n"
        "      --version            print what it was made from, with digests\n\n"
        "SIGINT and SIGTERM end the sources and drain all applications; a second one aborts.\n",
        program, fsm->name);
    printf("\nParameters:\n");
    for (int i = 0; i < fsm->application_count; i++)
        print_parameters(fsm->applications[i].net, fsm->applications[i].name);
}

static void print_help(const struct dal_net *net, const char *program)
{
    printf(
        "Usage: %s [-p PROCESS.PARAMETER=VALUE]... [--strict] [--check]\n"
        "       [--stall-timeout=SECONDS] [--device-timeout=SECONDS]\n"
        "       [--link-timeout=SECONDS] [--io-timeout=SECONDS] [--max-memory=BYTES]\n"
        "       [--stack=BYTES] [--all-cores]\n\n"
        "Runs the process network %s to its end.\n\n"
        "  -p, --parameter P.N=V  set parameter N of process P (or of all P_0, P_1, ...)\n"
        "      --strict           fail when a device is missing, instead of using another\n"
        "      --check            install the network and build its kernels, but do not run\n"
        "      --stall-timeout=S  end the program when no token has moved for S seconds, even\n"
        "                         if a process runs on a core that is not of type io; 0: never.\n"
        "                         Without the option: after 10 seconds in which no process\n"
        "                         runs either\n"
        "      --device-timeout=S end the program when launches are in flight and none has\n"
        "                         completed for S seconds; 0: never (usual: 120)\n"
        "      --link-timeout=S   the same of messages between nodes (usual: 600)\n"
        "      --io-timeout=S     end the program when a firing of a process of type io does\n"
        "                         not return for S seconds; 0: never (usual: 0)\n"
        "      --max-memory=N     bytes (K, M or G may follow) that channels may grow by when\n"
        "                         KPN processes wait for each other (usual: 1G)\n"
        "      --stack=N          bytes (K, M or G may follow) of stack that each thread has\n"
        "                         (usual: 8M)\n"
        "      --all-cores        use all cores of a binding, also where fewer are as fast\n"
        "  -h, --help             print this text\n"
        "      --version          print what it was made from, with digests\n\n"
        "SIGINT and SIGTERM end the sources and drain the network; a second one aborts.\n",
        program, net->name);
    dal_outside_print(net);
    printf("\nParameters:\n");
    print_parameters(net, "");
}

static int take_event_queue(struct command_line *line, const struct program *program,
                            const char *name)
{
    char *rest;
    long number = strtol(optarg, &rest, 10);
    line->event_queue = (size_t)number;
    if (program->fsm && rest > optarg && !*rest && number > 0 && number <= MOST_EVENTS)
        return GO_ON;
    if (program->fsm)
        fprintf(stderr, "%s: --event-queue=%s: a number from 1 to %d is needed\n", name, optarg,
                MOST_EVENTS);
    else
        fprintf(stderr, "%s: --event-queue is for several applications (see --help)\n", name);
    return USAGE;
}

static int bad_value(const char *program, const char *option)
{
    fprintf(stderr, "%s: --%s=%s: %s\n", program, option, optarg, "expected a number (see --help)");
    return USAGE;
}

static int parse_seconds(int64_t *time_ns, const char *program, const char *option)
{
    char *rest;
    double seconds = strtod(optarg, &rest);
    if (rest == optarg || *rest || !(seconds >= 0 && seconds <= 1e9))
        return bad_value(program, option);
    *time_ns = (int64_t)(1e9 * seconds);
    *time_ns += *time_ns == 0 && seconds > 0; /* 0 is no limit */
    return GO_ON;
}

static int parse_memory(uint64_t *memory, const char *program, const char *option)
{
    double bytes = dal_value_bytes(optarg);
    if (!(bytes >= 0 && bytes <= 1e18))
        return bad_value(program, option);
    *memory = (uint64_t)bytes;
    return GO_ON;
}

static int parse_limit(struct command_line *line, int option, const char *program)
{
    struct dal_monitor_limits *limits = &line->limits;
    switch (option) {
    case 'm':
        return parse_memory(&limits->growth_bytes, program, "max-memory");
    case 'k':
        return parse_memory(&line->stack_bytes, program, "stack");
    case 'd':
        return parse_seconds(&limits->device_ns, program, "device-timeout");
    case 'l':
        return parse_seconds(&limits->link_ns, program, "link-timeout");
    case 'i':
        return parse_seconds(&limits->io_ns, program, "io-timeout");
    case 'a':
        limits->all_cores = 1;
        return GO_ON;
    case 't':
        limits->runs_too = 1;
        return parse_seconds(&limits->stall_ns, program, "stall-timeout");
    default:
        return USAGE;
    }
}

#define OPTION(name, has_value, letter) {name, has_value, NULL, letter},
static const struct option options[] = {DAL_PROGRAM_OPTIONS(OPTION){NULL, 0, NULL, 0}};
#undef OPTION

/* Takes an option that is not of a port. Returns GO_ON, or the exit status. */
static int take_option(struct command_line *line, const struct program *program, int option,
                       char **argv)
{
    switch (option) {
    case 'p':
        line->overrides[line->options.override_count++] = optarg;
        return GO_ON;
    case 's':
        line->options.strict = 1;
        return GO_ON;
    case 'c':
        line->check = 1;
        dal_backend_want_warnings(1);
        return GO_ON;
    case 'e':
        return take_event_queue(line, program, argv[0]);
    case 'h':
        if (program->fsm)
            print_help_fsm(program->fsm, argv[0]);
        else
            print_help(program->net, argv[0]);
        return 0;
    case 'v':
        print_version(program, argv[0]);
        return 0;
    default:
        return parse_limit(line, option, argv[0]);
    }
}

/* Fills in `line`. Returns GO_ON, or the exit status. */
static int parse_arguments(struct command_line *line, const struct program *program, int argc,
                           char **argv)
{
    int option, status = GO_ON;
    if (dal_outside_begin(&line->outside, program->net, options) < 0)
        return 1;
    while (status == GO_ON &&
           (option = getopt_long(argc, argv, "p:h", line->outside.options, NULL)) != -1) {
        if (option >= DAL_OUTSIDE_FIRST)
            line->outside.files[option - DAL_OUTSIDE_FIRST] = optarg;
        else
            status = take_option(line, program, option, argv);
    }
    if (status != GO_ON || optind == argc)
        return status;
    fprintf(stderr, "%s: unexpected argument %s (see --help)\n", argv[0], argv[optind]);
    return USAGE;
}

/* ---- networks and applications --------------------------------------------------------------- */

static int exit_status(int status)
{
    return status == DAL_ERR_INVALID ? USAGE : status < 0;
}

/* Runs a network to its end, and reports. Returns the first error. */
static int run_to_end(struct dal_run *run)
{
    int status;
    dal_interrupt_control(&run->network->control);
    status = dal_network_run(run->network);
    dal_interrupt_control(NULL);
    dal_output_settle(); /* the program may end within its report */
    status = dal__run_finish(run, status, dal_network_report(run->network), dal_interrupt_places);
    dal_interrupt_told();
    return status;
}

/* Installs and runs a network. With `nodes`, other ranks always learn how it ends. */
static int run_installed(const struct dal_net *net, const struct command_line *line,
                         struct dal_nodes *nodes)
{
    struct dal_network_options options = line->options;
    struct dal_run *run = dal__run_make(net);
    int status = run ? dal_reports_check(nodes, options.label) : dal_no_memory();
    options.nodes = nodes;
    if (nodes)
        options.part = &nodes->part.net;
    if (status == DAL_OK)
        status = dal__run_install(run, &options, line->outside.files);
    if (nodes)
        status = dal_nodes_ready(nodes, status);
    if (status == DAL_OK)
        status = run_to_end(run);
    dal_nodes_leave(nodes, status);
    dal__run_destroy(run);
    return status;
}

/* Runs one rank of several, each a program of its own. Messages and tables name the node. */
static int run_node(const struct dal_net *net, const struct command_line *line, const char *path)
{
    struct dal_nodes *nodes;
    char *name;
    int status = dal_nodes_join(&nodes, net, NULL, path);
    if (status < 0)
        return status;
    name = dal_program_on(path, dal_nodes_name(nodes));
    status = dal_nodes_verdict(nodes, run_installed(net, line, nodes));
    dal_nodes_destroy(nodes);
    dal_log_program(dal_program_base(path));
    dal_free(name);
    return status;
}

static void live_on(int number)
{
    (void)number;
}

/* Who goes away at the other side of a port ends no program, whoever writes to standard output.
 * What a process starts ends by it: that ignores what is ignored here, but does not keep a handler.
 */
static void ignore_pipes(const struct dal_net *net)
{
    struct sigaction action = {.sa_handler = live_on, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < net->process_count; i++)
        if (net->processes[i].open && sigaction(SIGPIPE, NULL, &before) == 0 &&
            before.sa_handler == SIG_DFL)
            sigaction(SIGPIPE, &action, NULL);
}

static int run_network(const struct dal_net *net, const struct command_line *line, const char *path)
{
    if (line->check)
        return exit_status(dal_network_try(net, &line->options));
    ignore_pipes(net);
    return exit_status(net->node_count < 2 ? run_installed(net, line, NULL)
                                           : run_node(net, line, path));
}

/* Checks the files of each application's first run; later ones differ in a number. */
static int check_files(const struct dal_fsm *fsm)
{
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < fsm->application_count; i++) {
        char *label = dal_format("%s-1", fsm->applications[i].name);
        status = label ? dal_reports_check(NULL, label) : dal_no_memory();
        dal_free(label);
    }
    return status;
}

static int run_fsm(const struct dal_fsm *fsm, const struct command_line *line, const char *path)
{
    const struct dal_controller_options options = {.strict = line->options.strict,
                                                   .overrides = line->options.overrides,
                                                   .override_count = line->options.override_count,
                                                   .limits = &line->limits,
                                                   .event_queue = line->event_queue,
                                                   .program = path};
    struct dal_controller *controller;
    int status;
    status = line->check ? DAL_OK : check_files(fsm);
    if (status < 0)
        return exit_status(status);
    if (!line->check && fsm->application_count > 0) /* none of them has taps */
        dal__taps_warn(fsm->applications[0].net);
    status = dal_controller_create(&controller, fsm, &options);
    if (status < 0)
        return exit_status(status);
    if (line->check) {
        status = dal_controller_check(controller);
    } else {
        dal_interrupt_controller(controller);
        status = dal_controller_run(controller);
        dal_interrupt_told();
        dal_interrupt_controller(NULL);
    }
    dal_controller_destroy(controller);
    return status < 0;
}

static int run_program(const struct program *program, int argc, char **argv)
{
    struct command_line line = {.limits = dal_monitor_usual, .stack_bytes = DAL_STACK_USUAL};
    int status;
    line.overrides = dal_calloc((size_t)argc, sizeof(*line.overrides));
    if (!line.overrides) {
        dal_no_memory();
        return 1;
    }
    line.options.overrides = line.overrides;
    line.options.limits = &line.limits;
    status = parse_arguments(&line, program, argc, argv);
    if (status == GO_ON && dal_threads_have(line.stack_bytes) < 0)
        status = USAGE;
    if (status == GO_ON) {
        dal_interrupt_begin();
        dal_places_tell();
    }
    if (status == GO_ON && program->fsm)
        status = run_fsm(program->fsm, &line, argv[0]);
    else if (status == GO_ON)
        status = run_network(program->net, &line, argv[0]);
    dal_outside_finish(&line.outside);
    dal_free(line.overrides);
    return dal_output_finish() < 0 && !status ? 1 : status;
}

static int run_main(const struct program *program, int version, const char *name, int argc,
                    char **argv)
{
    dal_output_guard();
    dal_settings_take();
    dal_signals_begin();
    dal_thread_begin();
    dal_log_program(dal_program_base(argv[0]));
    if (version == DAL_NET_VERSION)
        return run_program(program, argc, argv);
    dal_log(DAL_LOG_ERROR,
            "network %s is of version %d, this library of version %d; synthesise it again", name,
            version, DAL_NET_VERSION);
    return 1;
}

int dal_main(const struct dal_net *net, int argc, char **argv)
{
    return run_main(&(struct program){.net = net}, net->version, net->name, argc, argv);
}

int dal_main_fsm(const struct dal_fsm *fsm, int argc, char **argv)
{
    return run_main(&(struct program){.fsm = fsm}, fsm->version, fsm->name, argc, argv);
}

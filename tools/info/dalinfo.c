/* dalinfo shows the cores and devices of this machine, or of all machines that mpirun starts it on,
 * and what they cost. It writes for people, or an architecture file. */
#include "rt/base/alloc.h"
#include "rt/base/cores.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "rt/devices/devices.h"
#include "tools/info/dalinfo_architecture.h"
#include "tools/info/dalinfo_measure.h"
#include "tools/info/dalinfo_nodes.h"

#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* The command line. */
struct wishes {
    int architecture, nodes, measure;
    int on_cores;       /* cores are parts of OpenCL's device, too */
    size_t parts;       /* of each device that has any; 0: whole ones */
    double seconds;     /* for measuring; 0: not given */
    const char *output; /* file, or NULL */
};

enum { USUAL_SECONDS = 10, MOST_SECONDS = 86400 };

/* Prints "512 KiB", "1.5 GiB": two or three digits are enough to choose a device. */
static void print_bytes(FILE *out, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0])) {
        value /= 1024;
        unit++;
    }
    fprintf(out, value < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

/* The name in a line. */
#define FIELD "  %-18s"

static void print_cores(FILE *out, const struct dal_cores *cores)
{
    fprintf(out, "Cores: %zu (%s)\n", cores->count, cores->model);
    fprintf(out, FIELD, "numbers");
    for (size_t i = 0; i < cores->count; i++)
        fprintf(out, "%s%d", i ? " " : "", cores->numbers[i]);
    fputc('\n', out);
    fprintf(out, FIELD, "first-level cache");
    print_bytes(out, cores->l1_bytes);
    fputc('\n', out);
}

static void print_memory(FILE *out, const struct dal_device_info *info)
{
    fprintf(out, FIELD, "memory");
    print_bytes(out, info->limits.global_bytes);
    fprintf(out, ", %s%s; at most ", info->traits.unified ? "unified with the host" : "its own",
            info->traits.fine_svm  ? ", fine-grained sharing"
            : info->traits.unified ? ", by maps"
                                   : "");
    print_bytes(out, info->limits.alloc_bytes);
    fprintf(out, " in one piece\n");
    fprintf(out, FIELD, "local memory");
    print_bytes(out, info->limits.local_bytes);
    fprintf(out, " a work-group\n");
}

static void print_device(FILE *out, const struct dal_device_list *devices, size_t i)
{
    const struct dal_device_info *info = &devices->info[i], *same = same_device(devices, i);
    fprintf(out, "\n%s device %zu: %s\n", info->backend->name, device_number(devices, i),
            info->name);
    if (same)
        fprintf(out, FIELD "%s device %zu\n", "the same as", same->backend->name,
                device_number(devices, (size_t)(same - devices->info)));
    fprintf(out, FIELD "%s\n", "identifier", info->identifier);
    fprintf(out, FIELD "%s\n", "wildcard", info->wildcard);
    fprintf(out, FIELD "%s\n", "vendor", info->vendor);
    fprintf(out, FIELD "%s\n", "platform", info->platform);
    fprintf(out, FIELD "%s, driver %s\n", "version", info->version, info->driver);
    fprintf(out, FIELD "%u\n", "compute units", info->compute_units);
    fprintf(out, FIELD "at most %zu work-items\n", "work-group", info->limits.work_group);
    print_memory(out, info);
    fprintf(out, FIELD "%s\n", "division, sqrt",
            info->traits.rounds_division ? "of float correctly rounded"
                                         : "of float not correctly rounded");
    if (info->sub_devices)
        fprintf(out, FIELD "%s_SUB1 to _SUB%u\n", "sub-devices", info->identifier,
                info->sub_devices);
    else
        fprintf(out, FIELD "none\n", "sub-devices");
}

static void print_machine(FILE *out, const struct machine *machine)
{
    print_cores(out, &machine->cores);
    for (size_t i = 0; i < machine->devices.count; i++)
        print_device(out, &machine->devices, i);
    for (int i = 0; dal_backends[i]; i++)
        if (machine->lists[i].count == 0)
            fprintf(out, "\n%s devices: none\n", dal_backends[i]->name);
}

static void lists_finish(struct machine *machine)
{
    for (int i = 0; machine->lists && dal_backends[i]; i++)
        dal_backends[i]->list_finish(&machine->lists[i]);
    dal_free(machine->lists);
    dal_free(machine->devices.info);
    dal_free(machine->parts);
}

static int lists_init(struct machine *machine, const struct wishes *wishes)
{
    int error = DAL_OK, count = 0;
    while (dal_backends[count])
        count++;
    machine->lists = dal_calloc((size_t)count + 1, sizeof(*machine->lists));
    if (!machine->lists)
        error = DAL_ERR_NOMEM;
    for (int i = 0; error == DAL_OK && i < count; i++) {
        error = dal_backends[i]->list(&machine->lists[i], DAL_LOG_WARNING);
        if (error != DAL_OK)
            dal_log(error == DAL_ERR_DEVICE ? DAL_LOG_WARNING : DAL_LOG_ERROR,
                    "cannot list the %s devices: %s", dal_backends[i]->name, dal_strerror(error));
        if (error == DAL_ERR_DEVICE) /* there are cores, and devices of others */
            error = DAL_OK;
    }
    return error == DAL_OK ? list_devices(machine, wishes->parts, wishes->on_cores) : error;
}

static int machine_init(struct machine *machine, const struct wishes *wishes)
{
    int error;
    *machine = (struct machine){.measured = NULL};
    error = dal_cores_init(&machine->cores);
    if (error != DAL_OK) {
        dal_log(DAL_LOG_ERROR, "cannot list the cores: %s", dal_strerror(error));
        return error;
    }
    error = lists_init(machine, wishes);
    if (error == DAL_OK)
        return DAL_OK;
    lists_finish(machine);
    dal_cores_finish(&machine->cores);
    return error;
}

static void machine_finish(struct machine *machine)
{
    measure_free(machine->measured);
    lists_finish(machine);
    dal_cores_finish(&machine->cores);
}

/* Writes all nodes in the first rank, and nothing in the others. */
static int show_cluster(const struct machine *machine, const char *name)
{
    struct dal_output output = {.file = stdout};
    struct nodes nodes;
    int error = nodes_meet(&nodes, write_node, machine);
    if (error == DAL_OK && nodes.count > 0) {
        if (name)
            error = dal_output_open(&output, "", name);
        if (error == DAL_OK)
            write_cluster(output.file, (const char *const *)nodes.texts, nodes.count);
        if (name && error == DAL_OK)
            error = dal_output_close(&output);
    }
    nodes_finish(&nodes);
    return error;
}

static int show_this(const struct machine *machine, int architecture, const char *name)
{
    struct dal_output output = {.file = stdout};
    int error = name ? dal_output_open(&output, "", name) : DAL_OK;
    if (error == DAL_OK && architecture)
        write_architecture(output.file, machine);
    else if (error == DAL_OK)
        print_machine(output.file, machine);
    return name && error == DAL_OK ? dal_output_close(&output) : error;
}

/* Shows this machine. A signal ends the measuring: then *number is its number, and nothing is
 * written. */
static int show_machine(const struct wishes *wishes, int *number)
{
    struct machine machine;
    int error = DAL_OK;
    if (wishes->measure)
        measure_guard();
    if (wishes->output)
        error = dal_output_check("", wishes->output);
    if (error == DAL_OK)
        error = machine_init(&machine, wishes);
    if (error != DAL_OK)
        return error;
    if (wishes->measure)
        error = measure_machine(&machine.measured, &machine.cores, &machine.devices,
                                wishes->seconds > 0 ? wishes->seconds : USUAL_SECONDS, number);
    if (error == DAL_OK)
        error = wishes->nodes ? show_cluster(&machine, wishes->output)
                              : show_this(&machine, wishes->architecture, wishes->output);
    machine_finish(&machine);
    return error;
}

static const char *said = "dalinfo"; /* what messages call the program */

static void usage(FILE *out)
{
    fprintf(
        out,
        "usage: %s [--architecture [OPTION]...] [-o FILE]\n"
        "Lists the cores and the devices of this machine.\n"
        "\n"
        "  -a, --architecture  write an architecture file for dalsynth instead\n"
        "      --sub-devices=N     with N sub-devices of one compute unit in place of each device\n"
        "                      that has any\n"
        "      --opencl-on-cores   each core is a sub-device for OpenCL as well, in place of the\n"
        "                      device that is made of the cores\n"
        "  -n, --nodes         of all nodes that mpirun has started it on, as node_0, node_1..\n"
        "  -m, --measure       with what this machine costs: activations, wake-ups, tokens, "
        "copies,\n"
        "                      launches, transfers; the machine should have nothing else to do\n"
        "      --time-limit=SECONDS  for measuring, at most (10)\n"
        "  -o, --output=FILE   write to FILE instead of standard output\n"
        "  -h, --help          print this text and exit\n"
        "  -V, --version       print the version and exit\n",
        said);
}

/* Returns the exit status, once standard output has been written. */
static int exit_status(int error)
{
    int lost = dal_output_finish();
    return error != DAL_OK || lost != DAL_OK;
}

static int take_seconds(struct wishes *wishes, const char *text)
{
    char *end;
    wishes->seconds = strtod(text, &end);
    if (end > text && !*end && wishes->seconds > 0 && wishes->seconds <= MOST_SECONDS)
        return 0;
    dal_log(DAL_LOG_ERROR, "--time-limit wants seconds, at most %d, not '%s'", MOST_SECONDS, text);
    return 2;
}

static int take_parts(struct wishes *wishes, const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);
    wishes->parts = end > text && !*end && number > 0 ? (size_t)number : 0;
    if (wishes->parts)
        return 0;
    dal_log(DAL_LOG_ERROR, "--sub-devices wants a number, at least 1, not '%s'", text);
    return 2;
}

/* Refuses options that exclude each other. Returns 0 or 2. */
static int check_wishes(const struct wishes *wishes)
{
    if (wishes->nodes && !wishes->architecture)
        dal_log(DAL_LOG_ERROR, "--nodes is for --architecture");
    else if (wishes->measure && !wishes->architecture)
        dal_log(DAL_LOG_ERROR, "--measure is for --architecture");
    else if ((wishes->parts || wishes->on_cores) && !wishes->architecture)
        dal_log(DAL_LOG_ERROR, "--sub-devices and --opencl-on-cores are for --architecture");
    else if ((wishes->parts || wishes->on_cores) && wishes->measure)
        dal_log(DAL_LOG_ERROR, "--measure is of whole devices, not with --sub-devices or "
                               "--opencl-on-cores");
    else if (wishes->measure && wishes->nodes)
        dal_log(DAL_LOG_ERROR, "--measure is of this machine alone, not with --nodes");
    else if (wishes->seconds > 0 && !wishes->measure)
        dal_log(DAL_LOG_ERROR, "--time-limit is for --measure");
    else
        return 0;
    return 2;
}

static int done; /* --help or --version: nothing else to do */

static int take_option(struct wishes *wishes, int option)
{
    switch (option) {
    case 'a':
        wishes->architecture = 1;
        return 0;
    case 'n':
        wishes->nodes = 1;
        return 0;
    case 'm':
        wishes->measure = 1;
        return 0;
    case 's':
        return take_parts(wishes, optarg);
    case 'c':
        wishes->on_cores = 1;
        return 0;
    case 't':
        return take_seconds(wishes, optarg);
    case 'o':
        wishes->output = optarg;
        return 0;
    case 'h':
        usage(stdout);
        done = 1;
        return 0;
    case 'V':
        printf("%s %s\n", said, PACKAGE_VERSION);
        done = 1;
        return 0;
    default:
        usage(stderr);
        return 2;
    }
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {.name = "architecture", .val = 'a'},
        {.name = "nodes", .val = 'n'},
        {.name = "measure", .val = 'm'},
        {.name = "sub-devices", .has_arg = required_argument, .val = 's'},
        {.name = "opencl-on-cores", .val = 'c'},
        {.name = "time-limit", .has_arg = required_argument, .val = 't'},
        {.name = "output", .has_arg = required_argument, .val = 'o'},
        {.name = "help", .val = 'h'},
        {.name = "version", .val = 'V'},
        {.name = NULL},
    };
    struct wishes wishes = {.output = NULL};
    int option, status, number = 0;
    if (strncmp(argv[0], "dal ", 4) == 0)
        said = argv[0];
    dal_log_program(said);
    dal_output_guard();
    while ((option = getopt_long(argc, argv, "anmo:hV", options, NULL)) != -1) {
        status = take_option(&wishes, option);
        if (status != 0 || done)
            return status != 0 ? status : exit_status(DAL_OK);
    }
    if (optind < argc) {
        dal_log(DAL_LOG_ERROR, "unexpected argument '%s'", argv[optind]);
        usage(stderr);
        return 2;
    }
    if (check_wishes(&wishes))
        return 2;
    status = exit_status(show_machine(&wishes, &number));
    if (number)
        raise(number);
    return status;
}

/* dalinfo shows the cores and devices of this machine, or of all machines that mpirun starts it on,
 * and what they cost. It writes for people, or an architecture file. */
#include "rt/base/alloc.h"
#include "rt/base/cores.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "rt/devices/devices.h"
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

struct machine {
    struct dal_cores cores;
    struct dal_device_list devices; /* of all backends; they point into `lists` */
    struct dal_device_list *lists;  /* one for each backend */
    struct measured *measured;      /* NULL: not measured */
};

/* The command line. */
struct wishes {
    int architecture, nodes, measure;
    double seconds;     /* for measuring; 0: not given */
    const char *output; /* file, or NULL */
};

enum { USUAL_SECONDS = 10, MOST_SECONDS = 86400 };

static const char *type_name(enum dal_device_type type)
{
    return type == DAL_DEVICE_GPU ? "GPU" : type == DAL_DEVICE_CPU ? "CPU" : "ACC";
}

static const char *memory_name(const struct dal_device_info *info)
{
    if (!info->traits.unified)
        return "own";
    return info->traits.fine_svm ? "unified" : "mapped";
}

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

/* Returns the device in front of the i-th that another backend gives the same identifier: maker,
 * name and number. NULL without one. */
static const struct dal_device_info *find_same(const struct dal_device_list *devices, size_t i)
{
    const struct dal_device_info *info = &devices->info[i];
    for (size_t k = 0; k < i; k++)
        if (devices->info[k].backend != info->backend &&
            strcmp(devices->info[k].identifier, info->identifier) == 0)
            return &devices->info[k];
    return NULL;
}

static void print_device(FILE *out, const struct dal_device_list *devices, size_t i)
{
    const struct dal_device_info *info = &devices->info[i], *same = find_same(devices, i);
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

static void print_escaped(FILE *out, const char *text)
{
    static const char special[] = "&<>\"";
    static const char *const names[] = {"amp", "lt", "gt", "quot"};
    for (; *text; text++) {
        const char *found = strchr(special, *text);
        if (found)
            fprintf(out, "&%s;", names[found - special]);
        else /* control characters are not XML, not even escaped */
            fputc((unsigned char)*text < 0x20 ? '?' : *text, out);
    }
}

static void write_shared(FILE *out, size_t ports)
{
    fprintf(out, "  <shared name=\"localhost\">\n");
    for (size_t i = 1; i <= ports; i++)
        fprintf(out, "    <port name=\"port%zu\"/>\n", i);
    fprintf(out, "  </shared>\n\n");
}

/* Begins a processor. On one of several nodes, its name has the node in front, and it has no
 * link. */
static void open_processor(FILE *out, const char *node, const char *kind, size_t number,
                           const char *type, size_t id)
{
    fprintf(out, "  <processor name=\"%s%s_%zu\" type=\"%s\"", node, kind, number, type);
    if (*node)
        fprintf(out, ">\n");
    else
        fprintf(out, " id=\"%zu\">\n    <port name=\"port1\"/>\n", id);
}

static void write_core(FILE *out, const char *node, size_t number, int core)
{
    open_processor(out, node, "core", number, "RISC", number + 1);
    fprintf(out,
            "    <capability name=\"POSIX\" identifier=\"%d\"/>\n"
            "  </processor>\n",
            core);
}

static void write_device(FILE *out, const char *node, const struct dal_device_list *devices,
                         size_t i, size_t id)
{
    const struct dal_device_info *info = &devices->info[i], *same = find_same(devices, i);
    if (same)
        fprintf(out, "  <!-- The same device as %s_%zu. -->\n", device_kind(same),
                device_number(devices, (size_t)(same - devices->info)));
    open_processor(out, node, device_kind(info), device_number(devices, i), type_name(info->type),
                   id);
    fprintf(out, "    <capability name=\"%s\" identifier=\"", info->backend->capability);
    print_escaped(out, info->identifier);
    fprintf(out, "\"\n                platform=\"");
    print_escaped(out, info->platform);
    fprintf(out,
            "\" memory=\"%s\"\n"
            "                computeunits=\"%u\" workgroup=\"%zu\" buffer=\"%" PRIu64 "\"/>\n"
            "  </processor>\n",
            memory_name(info), info->compute_units, info->limits.work_group,
            info->limits.alloc_bytes);
}

static void write_link(FILE *out, size_t id, const char *kind, size_t number)
{
    fprintf(out,
            "  <link name=\"link_%zu\">\n"
            "    <end_point_1 name=\"%s_%zu\"><port name=\"port1\"/></end_point_1>\n"
            "    <end_point_2 name=\"localhost\"><port name=\"port%zu\"/></end_point_2>\n"
            "  </link>\n",
            id, kind, number, id);
}

static void write_processors(FILE *out, const char *node, const struct machine *machine)
{
    size_t cores = machine->cores.count;
    for (size_t i = 0; i < cores; i++)
        write_core(out, node, i, machine->cores.numbers[i]);
    for (size_t i = 0; i < machine->devices.count; i++)
        write_device(out, node, &machine->devices, i, cores + i + 1);
}

static void write_architecture(FILE *out, const struct machine *machine)
{
    size_t cores = machine->cores.count, devices = machine->devices.count;
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<architecture name=\"this_machine\">\n");
    write_shared(out, cores + devices);
    write_processors(out, "", machine);
    fputc('\n', out);
    for (size_t i = 0; i < cores; i++)
        write_link(out, i + 1, "core", i);
    for (size_t i = 0; i < devices; i++)
        write_link(out, cores + i + 1, device_kind(&machine->devices.info[i]),
                   device_number(&machine->devices, i));
    if (machine->measured)
        measure_write(out, machine->measured);
    fprintf(out, "</architecture>\n");
}

static void write_node(FILE *out, int node, const void *context)
{
    const struct machine *machine = context;
    char host[65] = "", prefix[32];
    gethostname(host, sizeof(host) - 1);
    snprintf(prefix, sizeof(prefix), "node_%d/", node);
    fprintf(out, "\n  <!-- node_%d: ", node);
    print_escaped(out, host[0] && !strstr(host, "--") ? host : "a machine");
    fprintf(out, " -->\n");
    write_processors(out, prefix, machine);
}

static void write_cluster(FILE *out, const char *const *nodes, int count)
{
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<architecture name=\"cluster\">\n");
    for (int i = 0; i < count; i++)
        fprintf(out, "  <shared name=\"node_%d\"/>\n", i);
    for (int i = 0; i < count; i++)
        fputs(nodes[i], out);
    fprintf(out, "</architecture>\n");
}

static void lists_finish(struct machine *machine)
{
    for (int i = 0; machine->lists && dal_backends[i]; i++)
        dal_backends[i]->list_finish(&machine->lists[i]);
    dal_free(machine->lists);
    dal_free(machine->devices.info);
}

/* Joins the devices of all backends into one list. */
static int join_lists(struct machine *machine)
{
    size_t count = 0;
    for (int i = 0; dal_backends[i]; i++)
        count += machine->lists[i].count;
    machine->devices.info = dal_calloc(count + 1, sizeof(*machine->devices.info));
    if (!machine->devices.info)
        return DAL_ERR_NOMEM;
    for (int i = 0; dal_backends[i]; i++)
        for (size_t k = 0; k < machine->lists[i].count; k++)
            machine->devices.info[machine->devices.count++] = machine->lists[i].info[k];
    return DAL_OK;
}

static int lists_init(struct machine *machine)
{
    int error = DAL_OK, count = 0;
    while (dal_backends[count])
        count++;
    machine->lists = dal_calloc((size_t)count + 1, sizeof(*machine->lists));
    if (!machine->lists)
        error = DAL_ERR_NOMEM;
    for (int i = 0; error == DAL_OK && i < count; i++) {
        error = dal_backends[i]->list(&machine->lists[i], DAL_LOG_ERROR);
        if (error != DAL_OK)
            dal_log(DAL_LOG_ERROR, "cannot list the %s devices: %s", dal_backends[i]->name,
                    dal_strerror(error));
    }
    return error == DAL_OK ? join_lists(machine) : error;
}

static int machine_init(struct machine *machine)
{
    int error;
    *machine = (struct machine){.measured = NULL};
    error = dal_cores_init(&machine->cores);
    if (error != DAL_OK) {
        dal_log(DAL_LOG_ERROR, "cannot list the cores: %s", dal_strerror(error));
        return error;
    }
    error = lists_init(machine);
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
        error = machine_init(&machine);
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
        "usage: %s [--architecture [--nodes | --measure]] [-o FILE]\n"
        "Lists the cores and the devices of this machine.\n"
        "\n"
        "  -a, --architecture  write an architecture file for dalsynth instead\n"
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

/* Refuses options that exclude each other. Returns 0 or 2. */
static int check_wishes(const struct wishes *wishes)
{
    if (wishes->nodes && !wishes->architecture)
        dal_log(DAL_LOG_ERROR, "--nodes is for --architecture");
    else if (wishes->measure && !wishes->architecture)
        dal_log(DAL_LOG_ERROR, "--measure is for --architecture");
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

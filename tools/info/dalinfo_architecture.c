/* Writes architecture files, and chooses which parts of devices are in them. */
#include "tools/info/dalinfo_architecture.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "rt/devices/devices.h"
#include "tools/info/dalinfo_measure.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* ---- parts of devices ------------------------------------------------------------------------ */

/* Refuses a device that has fewer parts than are wanted. */
static int check_parts(const char *option, const struct dal_device_info *info, size_t wanted)
{
    if (info->sub_devices >= wanted)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "%s: %s has %u sub-devices, not %zu", option, info->identifier,
            info->sub_devices, wanted);
    return DAL_ERR_INVALID;
}

/* Chooses the first device that is made of the cores. A single core has all of it. */
static int choose_on_cores(struct machine *machine)
{
    size_t cores = machine->cores.count;
    for (int i = 0; dal_backends[i]; i++)
        for (size_t k = 0; k < machine->lists[i].count && !machine->on_cores; k++)
            if (machine->lists[i].info[k].type == DAL_DEVICE_CPU)
                machine->on_cores = &machine->lists[i].info[k];
    if (machine->on_cores)
        return cores == 1 ? DAL_OK : check_parts("--opencl-on-cores", machine->on_cores, cores);
    dal_log(DAL_LOG_ERROR, "--opencl-on-cores: no OpenCL device of this machine is its cores");
    return DAL_ERR_INVALID;
}

/* Adds a device, or so many parts of it. There is room. */
static int add_parts(struct machine *machine, const struct dal_device_info *info, size_t parts)
{
    struct dal_device_list *list = &machine->devices;
    size_t m = parts > 0;
    int status = parts ? check_parts("--sub-devices", info, parts) : DAL_OK;
    for (; m <= parts && status == DAL_OK; m++) {
        machine->parts[list->count] = (unsigned)m;
        list->info[list->count++] = *info;
    }
    return status;
}

static int list_parts(struct machine *machine, size_t parts)
{
    int status = DAL_OK, some = 0;
    for (int i = 0; dal_backends[i]; i++)
        for (size_t k = 0; k < machine->lists[i].count && status == DAL_OK; k++) {
            const struct dal_device_info *info = &machine->lists[i].info[k];
            int parted = parts && info->sub_devices > 0 && info != machine->on_cores;
            some |= parted;
            if (info != machine->on_cores)
                status = add_parts(machine, info, parted ? parts : 0);
        }
    if (status < 0 || some || !parts)
        return status;
    dal_log(DAL_LOG_ERROR, "--sub-devices: no %sdevice of this machine has any",
            machine->on_cores ? "other " : "");
    return DAL_ERR_INVALID;
}

int list_devices(struct machine *machine, size_t parts, int cores_too)
{
    size_t most = 1;
    int status;
    for (int i = 0; dal_backends[i]; i++)
        for (size_t k = 0; k < machine->lists[i].count; k++)
            most += 1 + dal_least(parts, machine->lists[i].info[k].sub_devices);
    machine->devices.info = dal_calloc(most, sizeof(*machine->devices.info));
    machine->parts = dal_calloc(most, sizeof(*machine->parts));
    if (!machine->devices.info || !machine->parts)
        return dal_no_memory();
    status = cores_too ? choose_on_cores(machine) : DAL_OK;
    return status == DAL_OK ? list_parts(machine, parts) : status;
}

/* ---- writing --------------------------------------------------------------------------------- */

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

/* Returns the device in front of the i-th that another backend gives the same identifier: maker,
 * name and number. NULL without one. */
const struct dal_device_info *same_device(const struct dal_device_list *devices, size_t i)
{
    const struct dal_device_info *info = &devices->info[i];
    for (size_t k = 0; k < i; k++)
        if (devices->info[k].backend != info->backend &&
            strcmp(devices->info[k].identifier, info->identifier) == 0)
            return &devices->info[k];
    return NULL;
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

/* Writes what a device is for the system, or its part m, which has one compute unit. */
static void write_capability(FILE *out, const struct dal_device_info *info, size_t m)
{
    fprintf(out, "    <capability name=\"%s\" identifier=\"", info->backend->capability);
    print_escaped(out, info->identifier);
    if (m)
        fprintf(out, "_SUB%zu", m);
    fprintf(out, "\"\n                platform=\"");
    print_escaped(out, info->platform);
    fprintf(out,
            "\" memory=\"%s\"\n"
            "                computeunits=\"%u\" workgroup=\"%zu\" buffer=\"%" PRIu64 "\"/>\n",
            memory_name(info), m ? 1 : info->compute_units, info->limits.work_group,
            info->limits.alloc_bytes);
}

static void write_core(FILE *out, const char *node, const struct machine *machine, size_t number)
{
    open_processor(out, node, "core", number, "RISC", number + 1);
    fprintf(out, "    <capability name=\"POSIX\" identifier=\"%d\"/>\n",
            machine->cores.numbers[number]);
    if (machine->on_cores)
        write_capability(out, machine->on_cores, machine->cores.count > 1 ? number + 1 : 0);
    fprintf(out, "  </processor>\n");
}

static void write_device(FILE *out, const char *node, const struct machine *machine, size_t i)
{
    const struct dal_device_list *devices = &machine->devices;
    const struct dal_device_info *info = &devices->info[i], *same = same_device(devices, i);
    if (same)
        fprintf(out, "  <!-- The same device as %s_%zu. -->\n", device_kind(same),
                device_number(devices, (size_t)(same - devices->info)));
    open_processor(out, node, device_kind(info), device_number(devices, i), type_name(info->type),
                   machine->cores.count + i + 1);
    write_capability(out, info, machine->parts[i]);
    fprintf(out, "  </processor>\n");
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
    for (size_t i = 0; i < machine->cores.count; i++)
        write_core(out, node, machine, i);
    for (size_t i = 0; i < machine->devices.count; i++)
        write_device(out, node, machine, i);
}

void write_architecture(FILE *out, const struct machine *machine)
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

void write_node(FILE *out, int node, const void *context)
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

void write_cluster(FILE *out, const char *const *nodes, int count)
{
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<architecture name=\"cluster\">\n");
    for (int i = 0; i < count; i++)
        fprintf(out, "  <shared name=\"node_%d\"/>\n", i);
    for (int i = 0; i < count; i++)
        fputs(nodes[i], out);
    fprintf(out, "</architecture>\n");
}

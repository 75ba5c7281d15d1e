#include "synth/command/commands.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "spec/dialects/sdf3/sdf3.h"
#include "spec/load/load.h"
#include "spec/read/times.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char burn_head[] = "#include \"dal.h\"\n"
                                "\n"
                                "#include <time.h>\n"
                                "\n"
                                "struct _local_states {\n"
                                "    long firings; /* still to come */\n"
                                "};\n"
                                "\n"
                                "static int64_t now(void)\n"
                                "{\n"
                                "    struct timespec at;\n"
                                "\n"
                                "    clock_gettime(CLOCK_MONOTONIC, &at);\n"
                                "    return (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;\n"
                                "}\n"
                                "\n";

/* Writes one statement a port, in front of the spending of time. */
static void write_begins(const struct dal_spec_process *process, FILE *out)
{
    for (size_t i = 0; i < process->port_count; i++) {
        const char *name = process->ports[i].name;
        if (process->ports[i].output)
            fprintf(out,
                    "    void *port%zu = DAL_write_begin(PORT_%s, TOKEN_%s_SIZE, TOKEN_%s_RATE, "
                    "TOKEN_%s_RATE, 0, p);\n",
                    i, name, name, name, name);
        else
            fprintf(out,
                    "    void *port%zu = DAL_read_begin(PORT_%s, TOKEN_%s_SIZE, TOKEN_%s_RATE, "
                    "p);\n",
                    i, name, name, name);
    }
}

static void write_check(const struct dal_spec_process *process, FILE *out)
{
    for (size_t i = 0; i < process->port_count; i++)
        fprintf(out, "    if (!port%zu)\n        return 1;\n", i);
}

static void write_ends(const struct dal_spec_process *process, FILE *out)
{
    for (size_t i = 0; i < process->port_count; i++) {
        const char *name = process->ports[i].name;
        if (process->ports[i].output)
            fprintf(out,
                    "    memset(port%zu, 0, (size_t)TOKEN_%s_SIZE * TOKEN_%s_RATE);\n"
                    "    DAL_write_end(PORT_%s, port%zu, p);\n",
                    i, name, name, name, i);
        else
            fprintf(out, "    DAL_read_end(PORT_%s, port%zu, p);\n", name, i);
    }
}

/* Writes the times of the phases, or one time of all firings. */
static void write_burnt_times(const struct dal_spec_process *process, FILE *out)
{
    uint64_t phases = process->phases > 1 ? process->phases : 1;
    uint64_t each = process->execution_time.units / phases;
    fputs("static const int64_t time_units[] = {", out);
    for (uint64_t i = 0; i < (process->times.count ? phases : 1); i++)
        fprintf(out, "%sINT64_C(%" PRIu64 ")", i ? ", " : "",
                process->times.count ? process->times.of[i % process->times.count] : each);
    fputs("};\n\n", out);
}

static int write_source(const struct dal_spec_process *process, FILE *out)
{
    const char *name = process->name;
    fprintf(out, "/* %s: spends %" PRIu64 " time units a %s and writes zeros. */\n%s", name,
            process->execution_time.units, process->phases > 1 ? "cycle of phases" : "firing",
            burn_head);
    write_burnt_times(process, out);
    fprintf(out,
            "void %s_init(DALProcess *p)\n"
            "{\n"
            "    DAL_getParameterInt(\"firings\", &p->local->firings, p);\n"
            "}\n"
            "\n"
            "int %s_fire(DALProcess *p)\n"
            "{\n"
            "    int64_t end = now() + time_units[%s] * VAR_nanoseconds;\n",
            name, name, process->times.count ? "DAL_PHASE" : "0");
    write_begins(process, out);
    fputc('\n', out);
    write_check(process, out);
    fputs("    while (now() < end)\n        ;\n", out);
    write_ends(process, out);
    fputs("    return --p->local->firings <= 0;\n}\n", out);
    return ferror(out) ? DAL_ERR_IO : DAL_OK;
}

/* A file in a folder: `process` NULL stands for the network. */
struct target {
    const char *directory;
    const struct dal_spec_network *network;
    const struct dal_spec_process *process;
    int burn;
};

static int write_to(const struct target *target, FILE *out)
{
    return target->process ? write_source(target->process, out)
                           : dal_network_write(target->network, target->burn, out);
}

static int write_file(const struct target *target)
{
    char *path = target->process
                     ? dal_format("%s/%s.c", target->directory, target->process->name)
                     : dal_format("%s/%s.xml", target->directory, target->network->name);
    FILE *out = path ? fopen(path, "wx") : NULL;
    int status = !path ? DAL_ERR_NOMEM : out ? write_to(target, out) : DAL_ERR_IO;
    if (out && fclose(out) && !status)
        status = DAL_ERR_IO;
    if (status == DAL_ERR_IO)
        dal_log(DAL_LOG_ERROR, "%s: %s", path, strerror(errno));
    if (out && status)
        unlink(path);
    dal_free(path);
    return status;
}

static int write_folder(struct target *target)
{
    int status;
    if (mkdir(target->directory, 0777) && errno != EEXIST) {
        dal_log(DAL_LOG_ERROR, "%s: %s", target->directory, strerror(errno));
        return DAL_ERR_IO;
    }
    status = write_file(target);
    for (size_t i = 0; target->burn && i < target->network->process_count && !status; i++) {
        target->process = &target->network->processes[i];
        status = write_file(target);
    }
    return status;
}

/* A network, and a graph that is written, would begin behind the initial phases. */
static int refuse_begun(struct dal_diags *diags, const struct dal_spec *spec)
{
    if (!spec->has_begun)
        return DAL_OK;
    dal_error(diags, spec->network.place, "sdf3",
              "the graph has initial phases, in front of a ';': it can be analysed, but not be "
              "written, since the phases of a network repeat from the first firing on");
    return DAL_ERR_INVALID;
}

int dal_sdf3_import(struct dal_diags *diags, const struct dal_request *request)
{
    struct dal_spec *spec =
        dal_sdf3_read(diags, request->files.network, request->analyze.processor);
    struct target target = {.directory = request->files.output, .burn = request->analyze.burn};
    int status = spec ? refuse_begun(diags, spec) : DAL_ERR_INVALID;
    if (!status && target.burn)
        status = dal_spec_repetitions(diags, &spec->network);
    if (!status) {
        target.network = &spec->network;
        status = target.directory ? write_folder(&target) : write_to(&target, stdout);
    }
    dal_spec_destroy(spec);
    return status;
}

/* Refuses dynamic rates, and channels that keep the newest token alone: SDF3's graphs have fixed
 * rates. */
static int refuse_dynamic(struct dal_diags *diags, const struct dal_spec_network *network)
{
    int status = DAL_OK;
    for (size_t i = 0; i < network->channel_count; i++) {
        const struct dal_spec_channel *channel = &network->channels[i];
        if (!channel->dynamic_in && !channel->dynamic_out && !channel->newest.is_given)
            continue;
        dal_error(diags, channel->place, "sdf3",
                  "sw_channel '%s' %s, which an SDF3 graph cannot have", channel->name,
                  channel->newest.is_given ? "keeps the newest token alone (newest)"
                                           : "has a dynamic rate");
        status = DAL_ERR_INVALID;
    }
    return status;
}

int dal_sdf3_export(struct dal_diags *diags, const struct dal_request *request)
{
    const struct dal_files *files = &request->files;
    struct dal_spec *spec =
        dal_sdf3_is(files->network)
            ? dal_sdf3_read(diags, files->network, request->analyze.processor)
            : dal_spec_load_unchecked(diags, files->network, NULL, NULL, request->defines.list,
                                      request->defines.count);
    size_t missing;
    uint64_t *times = NULL;
    int status = spec ? refuse_dynamic(diags, &spec->network) : DAL_ERR_INVALID;
    if (!status)
        status = refuse_begun(diags, spec);
    if (!status && files->times)
        status = dal_times_read(diags, files->times, spec);
    if (!status) {
        times = dal_spec_times(spec, &missing);
        status = times ? dal_sdf3_write(&spec->network, times, stdout) : DAL_ERR_NOMEM;
    }
    dal_free(times);
    dal_spec_destroy(spec);
    return status;
}

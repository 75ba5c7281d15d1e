#include "synth/map_job.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/build.h"
#include "synth/measure.h"
#include "synth/profile.h"

#include <string.h>
#include <unistd.h>

/* Times are of a sort of processor: those of all cores, and of each sort of device, are found by a
 * run with all that can be there. */
static int has_kind(const struct dal_spec_processor *processor, enum dal_spec_capability_kind kind)
{
    return dal_spec_capability(processor, kind) != NULL;
}

/* "GPU_.._DEV1" and "GPU_.._DEV2" are of one sort. */
static int is_alike(const struct dal_spec_processor *a, const struct dal_spec_processor *b)
{
    const char *one = dal_spec_capability(a, DAL_CAPABILITY_OPENCL)->identifier;
    const char *other = dal_spec_capability(b, DAL_CAPABILITY_OPENCL)->identifier;
    const char *end = strrchr(one, '_');
    size_t length = end ? (size_t)(end - one) : strlen(one);

    return strncmp(one, other, length) == 0 && strrchr(other, '_') == (end ? other + length : NULL);
}

/* Is it the first device of its sort? */
static int is_first(const struct dal_spec_architecture *architecture, size_t number)
{
    const struct dal_spec_processor *all = architecture->processors;
    size_t i;

    if (!has_kind(&all[number], DAL_CAPABILITY_OPENCL))
        return 0;
    for (i = 0; i < number; i++)
        if (has_kind(&all[i], DAL_CAPABILITY_OPENCL) && is_alike(&all[i], &all[number]))
            return 0;
    return 1;
}

static const struct dal_spec_processor *first_device(const struct dal_spec_architecture *a)
{
    size_t i;

    for (i = 0; i < a->processor_count; i++)
        if (has_kind(&a->processors[i], DAL_CAPABILITY_OPENCL))
            return &a->processors[i];
    return NULL;
}

/* ---- a mapping ------------------------------------------------------------------------------- */

/* A portable source runs on both. */
static const struct dal_spec_source *find_source(const struct dal_spec_process *process,
                                                 enum dal_spec_source_type type)
{
    size_t i;

    for (i = 0; i < process->source_count; i++)
        if (process->sources[i].type == type || process->sources[i].type == DAL_SOURCE_PORTABLE)
            return &process->sources[i];
    return NULL;
}

static void add_cores(struct dal_text *text, const struct dal_spec_architecture *architecture)
{
    size_t i;

    for (i = 0; i < architecture->processor_count; i++)
        if (has_kind(&architecture->processors[i], DAL_CAPABILITY_POSIX))
            dal_text_printf(text, "<processor name=\"%s\"/>", architecture->processors[i].name);
}

/* On the device if it can be there; what has no C source is on some device always. */
static void add_binding(struct dal_text *text, const struct dal_spec *spec,
                        const struct dal_spec_process *process,
                        const struct dal_spec_processor *device)
{
    const struct dal_spec_source *kernel = find_source(process, DAL_SOURCE_OPENCL);
    const struct dal_spec_source *source = find_source(process, DAL_SOURCE_C);

    if (!source && !device)
        device = first_device(&spec->architecture);
    source = device && kernel && !process->kpn ? kernel : source;
    if (!source)
        return;
    dal_text_printf(text, "<binding name=\"%s\"><process name=\"%s\" sourceid=\"%d\"/>",
                    process->name, process->name, source->id);
    if (source == kernel && device)
        dal_text_printf(text, "<processor name=\"%s\"/>", device->name);
    else
        add_cores(text, &spec->architecture);
    dal_text_add(text, "</binding>\n");
}

static char *write_mapping(const struct dal_spec *spec, const struct dal_spec_processor *device)
{
    struct dal_text text = {0};
    size_t i;

    dal_text_printf(&text, "<mapping name=\"profile\" processnetwork=\"%s\">\n",
                    spec->network.name);
    for (i = 0; i < spec->network.process_count; i++)
        add_binding(&text, spec, &spec->network.processes[i], device);
    dal_text_add(&text, "</mapping>\n");
    return dal_text_take(&text);
}

/* ---- its run --------------------------------------------------------------------------------- */

static int build_and_run(struct dal__map_job *job, const char *mapping, const char *folder)
{
    const struct dal_map *map = job->map;
    struct dal_profile_run run = {.parameters = map->parameters,
                                  .parameter_count = map->parameter_count,
                                  .strict = 1,
                                  .seconds = map->profile_seconds};
    char *path = NULL;
    int error = dal__map_plan_text(job, mapping, NULL);

    if (!error)
        error = dal_measure_build(&job->planning, &job->planned, folder, &path);
    run.program = path;
    if (!error)
        error = dal_profile(job->diags, &run, map->times_file);
    dal_free(path);
    return error;
}

/* A device that is not here, or a kernel that does not build, is left out. */
static int profile_way(struct dal__map_job *job, const struct dal_spec_processor *device,
                       const char *parent)
{
    char *mapping = write_mapping(job->spec, device);
    char *folder = dal_format("%s/%s", parent, device ? device->name : "cores");
    char *slash = folder ? strchr(folder + strlen(parent) + 1, '/') : NULL;
    int error = DAL_ERR_NOMEM;

    if (slash)
        *slash = '-'; /* between node and device */
    if (mapping && folder) {
        dal_log(DAL_LOG_NOTE, "times of all processes on %s", device ? device->name : "cores");
        error = build_and_run(job, mapping, folder);
    }
    dal_free(mapping);
    dal_free(folder);
    if (error == DAL_ERR_INVALID || error == DAL_ERR_BUILD)
        dal_diags_print(&job->planning, stderr);
    if (device && (error == DAL_ERR_INVALID || error == DAL_ERR_BUILD) && !job->diags->errors) {
        dal_log(DAL_LOG_WARNING, "%s is left out: no program could be run there", device->name);
        error = DAL_OK;
    }
    return error;
}

static int has_kernels(const struct dal_spec_network *network)
{
    size_t i;

    for (i = 0; i < network->process_count; i++)
        if (find_source(&network->processes[i], DAL_SOURCE_OPENCL))
            return 1;
    return 0;
}

static int profile_all(struct dal__map_job *job, const char *parent)
{
    const struct dal_spec_architecture *architecture = &job->spec->architecture;
    int error = profile_way(job, NULL, parent);
    size_t i;

    for (i = 0; !error && has_kernels(&job->spec->network) && i < architecture->processor_count;
         i++)
        if (is_first(architecture, i))
            error = profile_way(job, &architecture->processors[i], parent);
    return error;
}

int dal__map_profile(struct dal__map_job *job)
{
    int is_there, error = dal_profile_check(job->diags, job->map->times_file, &is_there);
    char *parent;

    if (error)
        return error;
    if (dal_build_environment())
        return DAL_ERR_NOMEM;
    parent = dal_profile_folder();
    if (!parent)
        return DAL_ERR_SYSTEM;
    error = profile_all(job, parent);
    dal_build_remove(parent);
    dal_free(parent);
    return error;
}

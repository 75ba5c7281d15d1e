/* Finds the times of sources on each processor: runs them if the files of times lack them. */
#include "spec/base/names.h"
#include "synth/tune/map/job.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/model/key.h"
#include "synth/plan/mapping.h"
#include "synth/program/build.h"
#include "synth/program/measure.h"
#include "synth/program/profile.h"

#include <string.h>

static struct dal_spec_processor *first_device(const struct dal_spec_architecture *architecture)
{
    for (size_t i = 0; i < architecture->processor_count; i++)
        if (dal_spec_device(&architecture->processors[i]))
            return &architecture->processors[i];
    return NULL;
}

/* Returns the first source that the processor runs as a device; NULL without one. */
static struct dal_spec_source *find_kernel(const struct dal_spec_process *process,
                                           const struct dal_spec_processor *processor)
{
    for (size_t i = 0; i < process->source_count; i++) {
        const struct dal_spec_capability *runner =
            dal_spec_runner(processor, process->sources[i].type);
        if (runner && dal_spec_is_device(runner->kind))
            return &process->sources[i];
    }
    return NULL;
}

/* ---- a mapping ------------------------------------------------------------------------------- */

/* All cores, each once, and a binding for each process. */
struct way {
    struct dal_spec spec; /* another mapping of the job's */
    struct dal_spec_processor **cores, *device;
    size_t core_count;
};

static void list_cores(struct way *way)
{
    const struct dal_spec_architecture *architecture = &way->spec.architecture;
    for (size_t i = 0; i < architecture->processor_count; i++)
        if (dal_spec_capability(&architecture->processors[i], DAL_PROCESSOR_CORE))
            way->cores[way->core_count++] = &architecture->processors[i];
}

/* Binds a process to the way's device if it can be there. A process without a C source is always on
 * some device. */
static void bind_process(struct way *way, struct dal_spec_process *process,
                         struct dal_spec_processor **devices)
{
    struct dal_spec_source *kernel = *devices ? find_kernel(process, *devices) : NULL;
    struct dal_spec_source *source = dal_spec_source_for(process, DAL_PROCESSOR_CORE);
    struct dal_spec_mapping *mapping = &way->spec.mapping;
    int on_device = kernel && !process->kpn && (way->device || !source);
    if ((!on_device && !source) || dal_spec_is_open(process))
        return;
    mapping->bindings[mapping->binding_count++] =
        (struct dal_spec_binding){.process = process,
                                  .source = on_device ? kernel : source,
                                  .processors = on_device ? devices : way->cores,
                                  .processor_count = on_device ? 1 : way->core_count};
}

/* Writes the mapping with the bindings. NULL without memory. */
static char *write_mapping(const struct dal_spec *spec, struct dal_spec_processor *device)
{
    struct way way = {.spec = *spec, .device = device};
    struct dal_spec_processor *devices = device ? device : first_device(&spec->architecture);
    struct dal_text text = {0};
    size_t count = spec->network.process_count;
    way.spec.mapping = (struct dal_spec_mapping){
        .name = (char[]){"profile"},
        .bindings = dal_calloc(count + 1, sizeof(*spec->mapping.bindings))};
    way.cores =
        dal_calloc(spec->architecture.processor_count + 1, sizeof(struct dal_spec_processor *));
    if (way.cores && way.spec.mapping.bindings) {
        list_cores(&way);
        for (size_t i = 0; i < count; i++)
            bind_process(&way, &spec->network.processes[i], &devices);
        dal_mapping_write(&text, &way.spec, "");
    }
    dal_free_all(way.spec.mapping.bindings, way.cores);
    return dal_text_take(&text);
}

/* ---- its run --------------------------------------------------------------------------------- */

static int build_and_run(struct dal__map_job *job, const char *mapping, const char *folder)
{
    const struct dal_map *map = job->map;
    struct dal_profile_run run = {.network = &job->spec->network,
                                  .parameters = map->parameters,
                                  .parameter_count = map->parameter_count,
                                  .strict = 1,
                                  .seconds = map->profile_seconds,
                                  .deadline_ns = map->deadline_ns};
    char *path = NULL;
    int status = dal__map_plan_text(job, mapping, NULL);
    if (!status)
        status = dal_measure_build(&job->planning, &job->planned, folder, &path);
    run.program = path;
    if (!status)
        status = dal_profile(job->diags, &run, map->times_file);
    dal_free(path);
    return status;
}

/* Profiles one way. A device that is not here, or a kernel that does not build, is left out. */
static int profile_way(struct dal__map_job *job, struct dal_spec_processor *device,
                       const char *parent)
{
    char *mapping = write_mapping(job->spec, device);
    char *folder = dal_format("%s/%s", parent, device ? device->name : "cores");
    char *slash = folder ? strchr(folder + strlen(parent) + 1, '/') : NULL;
    int status = DAL_ERR_NOMEM;
    if (slash)
        *slash = '-'; /* between node and device */
    if (mapping && folder) {
        dal_log(DAL_LOG_NOTE, "times of all processes on %s", device ? device->name : "cores");
        status = build_and_run(job, mapping, folder);
    }
    dal_free_all(mapping, folder);
    if (status == DAL_ERR_INVALID || status == DAL_ERR_BUILD)
        dal_diags_print(&job->planning, stderr);
    if (device && (status == DAL_ERR_INVALID || status == DAL_ERR_BUILD) && !job->diags->errors) {
        dal_log(DAL_LOG_WARNING, "%s is left out: no program could be run there", device->name);
        status = DAL_OK;
    }
    return status;
}

/* ---- what needs no run again ----------------------------------------------------------------- */

static int is_noted(const struct dal_map_timed *timed, const char *kernel)
{
    return dal__named(timed->kernels, timed->count, sizeof(*timed->kernels), 0, kernel) != NULL;
}

/* Notes a kernel; owns the text from then on. */
static int note_kernel(struct dal_map_timed *timed, char *kernel)
{
    char **kernels = dal_realloc(timed->kernels, timed->count + 1, sizeof(*kernels));
    if (!kernels) {
        dal_free(kernel);
        return DAL_ERR_NOMEM;
    }
    timed->kernels = kernels;
    kernels[timed->count++] = kernel;
    return DAL_OK;
}

/* Notes the kernels that a run on the device times; *more is set if one is new. */
static int note_kernels(struct dal__map_job *job, const struct dal_spec_processor *device,
                        int *more)
{
    struct dal_map_timed *timed = job->map->timed;
    const struct dal_spec_network *network = &job->spec->network;
    struct dal_key_maker maker = {0};
    char key[DAL_KEY_TEXT];
    int status = DAL_OK;
    for (size_t i = 0; i < network->process_count && !status; i++) {
        const struct dal_spec_process *process = &network->processes[i];
        const struct dal_spec_source *source = find_kernel(process, device);
        char *kernel = NULL;
        if (!source || process->kpn)
            continue;
        status = dal_key_make(&maker, network, process, source, key);
        if (!status)
            kernel = dal_format("%s %s %s", device->name, process->base, key);
        if (!status && !kernel)
            status = DAL_ERR_NOMEM;
        if (status || is_noted(timed, kernel)) {
            dal_free(kernel);
            continue;
        }
        *more = 1;
        status = note_kernel(timed, kernel);
    }
    dal_key_maker_finish(&maker);
    return status;
}

static int profile_device(struct dal__map_job *job, struct dal_spec_processor *device,
                          const char *parent)
{
    int more = 0, status;
    if (!job->map->timed)
        return profile_way(job, device, parent);
    status = note_kernels(job, device, &more);
    return status || !more ? status : profile_way(job, device, parent);
}

static int has_kernels(const struct dal_spec_network *network,
                       const struct dal_spec_processor *device)
{
    for (size_t i = 0; i < network->process_count; i++)
        if (find_kernel(&network->processes[i], device))
            return 1;
    return 0;
}

/* Profiles the cores once for all, and each device by itself. A signal ends that, and the search,
 * which looks for it, goes by the times that there are. */
static int profile_all(struct dal__map_job *job, const char *parent)
{
    const struct dal_spec_architecture *architecture = &job->spec->architecture;
    int status = profile_way(job, NULL, parent);
    if (status)
        return status;
    for (size_t i = 0; !status && i < architecture->processor_count; i++)
        if (has_kernels(&job->spec->network, &architecture->processors[i]))
            status = profile_device(job, &architecture->processors[i], parent);
    return status == DAL_ERR_INTERRUPTED ? DAL_OK : status;
}

int dal__map_profile(struct dal__map_job *job)
{
    int is_there, status = dal_profile_check(job->diags, job->map->times_file, &is_there);
    char *parent;
    if (status)
        return status;
    if (dal_build_environment())
        return DAL_ERR_NOMEM;
    parent = dal_profile_folder();
    if (!parent)
        return DAL_ERR_SYSTEM;
    status = profile_all(job, parent);
    dal_build_remove(parent);
    dal_free(parent);
    return status;
}

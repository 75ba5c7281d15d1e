/* Traits of capabilities and of types of sources, in two tables. */
#include "spec/base/names.h"
#include "spec/model/model.h"

#include <string.h>
#include <strings.h>

static const struct dal_spec_capability_traits capabilities[DAL_PROCESSOR_KINDS] = {
    [DAL_PROCESSOR_CORE] = {.times = "c"},
    [DAL_PROCESSOR_OPENCL] = {.times = "opencl",
                              .backend = "OpenCL",
                              .form = "<CPU|GPU|ACC>_<vendor id>_<name>_DEV<n>[_SUB<m>] or "
                                      "CPU_DEV1",
                              .is_device = 1,
                              .types = "CPU_ GPU_ ACC_",
                              .has_parts = 1,
                              .shares_memory = 1},
    [DAL_PROCESSOR_CUDA] = {.times = "cuda",
                            .backend = "CUDA",
                            .form = "GPU_<vendor id>_<name>_DEV<n> or GPU_DEV1",
                            .is_device = 1,
                            .types = "GPU_"},
};

#define ON(kind) (1u << DAL_PROCESSOR_##kind)

static const struct dal_spec_source_traits sources[DAL_SOURCES] = {
    [DAL_SOURCE_C] = {"c", "C", "POSIX", ON(CORE)},
    [DAL_SOURCE_OPENCL] = {"opencl", "OpenCL C", "OPENCL or CUDA", ON(OPENCL) | ON(CUDA)},
    [DAL_SOURCE_PORTABLE] = {"portable", "portable", "POSIX, OPENCL or CUDA",
                             ON(CORE) | ON(OPENCL) | ON(CUDA)},
    [DAL_SOURCE_CUDA] = {"cuda", "CUDA C++", "CUDA", ON(CUDA)},
    [DAL_SOURCE_OPEN] = {"open port", "an open port", "POSIX", ON(CORE)},
};

const struct dal_spec_capability_traits *dal_spec_capability_traits(enum dal_processor_kind kind)
{
    return &capabilities[kind];
}

const struct dal_spec_source_traits *dal_spec_source_traits(enum dal_spec_source_type type)
{
    return &sources[type];
}

const char *dal_spec_source_kind(const struct dal_spec_source *source)
{
    return source->cxx ? "c++" : source->python ? "python" : sources[source->type].name;
}

int dal_spec_is_device(enum dal_processor_kind kind)
{
    return capabilities[kind].is_device;
}

int dal_spec_find_capability(const char *name)
{
    for (int i = 0; i < DAL_PROCESSOR_KINDS; i++)
        if (strcasecmp(dal_processor_traits(i)->capability, name) == 0)
            return i;
    return -1;
}

int dal_spec_find_times(const char *type)
{
    const struct dal_spec_capability_traits *found = DAL_NAMED_IN(capabilities, times, type);
    return found ? (int)(found - capabilities) : -1;
}

int dal_spec_find_source(const char *name)
{
    const struct dal_spec_source_traits *found = DAL_NAMED_IN(sources, name, name);
    return found ? (int)(found - sources) : -1;
}

int dal_spec_runs(enum dal_processor_kind kind, enum dal_spec_source_type type)
{
    return (sources[type].capabilities >> kind & 1) != 0;
}

int dal_spec_blocks(enum dal_spec_source_type type)
{
    return type == DAL_SOURCE_C || type == DAL_SOURCE_OPEN;
}

const struct dal_spec_capability *dal_spec_capability(const struct dal_spec_processor *processor,
                                                      enum dal_processor_kind kind)
{
    for (size_t i = 0; i < processor->capability_count; i++)
        if (processor->capabilities[i].kind == kind)
            return &processor->capabilities[i];
    return NULL;
}

const struct dal_spec_capability *dal_spec_device(const struct dal_spec_processor *processor)
{
    for (size_t i = 0; i < processor->capability_count; i++)
        if (dal_spec_is_device(processor->capabilities[i].kind))
            return &processor->capabilities[i];
    return NULL;
}

const struct dal_spec_capability *dal_spec_runner(const struct dal_spec_processor *processor,
                                                  enum dal_spec_source_type type)
{
    const struct dal_spec_capability *core = dal_spec_capability(processor, DAL_PROCESSOR_CORE);
    if (core && dal_spec_runs(DAL_PROCESSOR_CORE, type))
        return core;
    for (size_t i = 0; i < processor->capability_count; i++)
        if (dal_spec_runs(processor->capabilities[i].kind, type))
            return &processor->capabilities[i];
    return NULL;
}

struct dal_spec_source *dal_spec_source_for(const struct dal_spec_process *process,
                                            enum dal_processor_kind kind)
{
    for (size_t i = 0; i < process->source_count; i++)
        if (dal_spec_runs(kind, process->sources[i].type))
            return &process->sources[i];
    return NULL;
}

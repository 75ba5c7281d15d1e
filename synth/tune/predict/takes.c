/* Devices that are made of cores, and what they take of these. */
#include "synth/tune/predict/model.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/plan/choose.h"

static uint64_t count_cores(const struct dal_spec_architecture *architecture, size_t node)
{
    uint64_t count = 0;
    for (size_t i = 0; i < architecture->processor_count; i++)
        count += architecture->processors[i].node_number == node &&
                 dal_spec_capability(&architecture->processors[i], DAL_PROCESSOR_CORE) != NULL;
    return count;
}

/* Returns the part of each core that a device made of cores takes: it spreads over all cores of its
 * node. One thread of it, which launches and copies, takes the part `alone` of that. */
static double *find_takes(const struct dal_model *m, const struct dal_plan_processor *processor,
                          double *alone)
{
    size_t node = processor->processor->node_number;
    uint64_t units = dal_plan_device_of(m->plan, processor).compute_units;
    uint64_t cores = count_cores(&m->plan->spec->architecture, node);
    double *takes = dal_calloc(m->server_count + 1, sizeof(*takes));
    *alone = 1 / (double)(units < cores ? units : cores ? cores : 1);
    for (size_t i = 0; takes && i < m->plan->processor_count; i++)
        if (m->plan->processors[i].capability->kind == DAL_PROCESSOR_CORE &&
            m->plan->processors[i].processor->node_number == node)
            takes[i] = units < cores ? (double)units / (double)cores : 1;
    return takes;
}

int dal__model_takes(struct dal_model *m)
{
    m->takes = dal_calloc(m->plan->processor_count + 1, sizeof(*m->takes));
    m->alone = dal_calloc(m->plan->processor_count + 1, sizeof(*m->alone));
    for (size_t i = 0; m->takes && m->alone && i < m->plan->processor_count; i++) {
        const struct dal_plan_processor *processor = &m->plan->processors[i];
        if (!dal_spec_is_device(processor->capability->kind) ||
            !dal_plan_device_of(m->plan, processor).is_cpu)
            continue;
        m->takes[i] = find_takes(m, processor, &m->alone[i]);
        if (!m->takes[i])
            return DAL_ERR_NOMEM;
    }
    return m->takes && m->alone ? DAL_OK : DAL_ERR_NOMEM;
}

#include "synth/program/measure.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/read/stats.h"
#include "synth/program/build.h"
#include "synth/program/profile.h"
#include "synth/program/program.h"

#include <math.h>

/* Computes how long an iteration took, from the process that has made the fewest. */
static double find_period(const struct dal_spec_network *network, const struct dal_stats *stats)
{
    double iterations = INFINITY, period_ns;
    for (size_t i = 0; i < network->process_count; i++) {
        const struct dal_spec_process *process = &network->processes[i];
        if (!dal_spec_is_open(process)) /* else it waits for what is inside */
            iterations =
                fmin(iterations, stats->processes[i].firings / (double)process->repetitions);
    }
    period_ns = stats->wall_ns / iterations;
    return isfinite(period_ns) ? period_ns : 0;
}

static int read_period(struct dal_diags *diags, const struct dal_spec_network *network,
                       const char *file, double *period_ns)
{
    const struct dal_spec spec = {.network = *network}; /* no mapping to compare with */
    struct dal_stats stats = {0};
    int status = dal_stats_read(diags, file, &spec, &stats);
    if (!status)
        *period_ns = find_period(network, &stats);
    dal_stats_finish(&stats);
    return status;
}

int dal_measure_run(struct dal_diags *diags, const struct dal_spec_network *network,
                    const struct dal_profile_run *run, double *period_ns)
{
    char *file = dal_format("%s.stats.json", run->program);
    struct dal_profile_run counted = *run;
    int status = DAL_ERR_NOMEM;
    counted.network = network;
    counted.variable = "DAL_STATS";
    counted.value = file;
    counted.strict = 1;
    if (file)
        status = dal_profile_run(&counted);
    if (!status)
        status = read_period(diags, network, file, period_ns);
    dal_free(file);
    return status;
}

static int check_nodes(struct dal_diags *diags, const struct dal_spec_mapping *mapping)
{
    if (mapping->node_count < 2)
        return DAL_OK;
    return dal_error(diags, mapping->place, "unsupported-kind",
                     "a program of several nodes is not run here: '%s' and '%s'", mapping->nodes[0],
                     mapping->nodes[1]);
}

int dal_measure_build(struct dal_diags *diags, const struct dal_applications *planned,
                      const char *folder, char **path)
{
    const struct dal_application *only = &planned->list[0];
    struct dal_program program = {0};
    int status = check_nodes(diags, &only->spec->mapping);
    *path = NULL;
    if (!status)
        status = dal_program_emit(diags, &program, planned, only->network_file, folder, NULL);
    if (!status)
        status = dal_build(diags, &program.emit, &program.tree, 0, 1);
    if (!status && !(*path = dal_program_path(&program)))
        status = DAL_ERR_NOMEM;
    dal_program_finish(&program);
    return status;
}

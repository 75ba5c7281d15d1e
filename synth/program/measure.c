#include "synth/program/measure.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/program/build.h"
#include "synth/program/profile.h"
#include "synth/program/program.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A row of the table of DAL_STATS: firings, launches, wall ms, wall %, us a firing. More columns
 * follow. */
struct row {
    uint64_t firings, launches;
    double wall_ms, wall_percent, firing_us;
};

/* Finds the last row of a process: the network's own output comes before the table. */
static int find_row(const char *table, const char *process, struct row *row)
{
    size_t length = strlen(process);
    int found = 0;
    for (; table; table = strchr(table, '\n')) {
        struct row here;
        table += *table == '\n';
        if (strncmp(table, process, length) != 0 || table[length] != ' ' ||
            sscanf(table + length, " %" SCNu64 " %" SCNu64 " %lf %lf %lf", &here.firings,
                   &here.launches, &here.wall_ms, &here.wall_percent, &here.firing_us) != 5)
            continue;
        *row = here;
        found = 1;
    }
    return found;
}

/* Computes the duration of the run from the process that fires longest, where it is known best. */
static int read_table(const struct dal_spec_network *network, const char *table, double *period_ns)
{
    double iterations = INFINITY, most_percent = 0, wall_ns = 0;
    for (size_t i = 0; i < network->process_count; i++) {
        const struct dal_spec_process *process = &network->processes[i];
        struct row row;
        if (dal_spec_is_open(process))
            continue; /* it waits for what is inside */
        if (!find_row(table, process->name, &row))
            return DAL_ERR_BUILD;
        iterations = fmin(iterations, (double)row.firings / (double)process->repetitions);
        if (row.wall_percent <= most_percent)
            continue;
        most_percent = row.wall_percent;
        wall_ns = 1e6 * row.wall_ms * 100 / row.wall_percent;
    }
    *period_ns = wall_ns / iterations;
    if (!isfinite(*period_ns))
        *period_ns = 0;
    return DAL_OK;
}

int dal_measure_run(const struct dal_spec_network *network, const struct dal_profile_run *run,
                    double *period_ns)
{
    struct dal_profile_run counted = *run;
    char *messages = NULL;
    int status;
    counted.network = network;
    counted.variable = "DAL_STATS";
    counted.value = "1";
    counted.strict = 1;
    status = dal_profile_run(&counted, &messages);

    if (!status) {
        status = read_table(network, messages, period_ns);
        if (status)
            dal_log(DAL_LOG_ERROR, "%s has not told what it has done", run->program);
    }
    dal_free(messages);
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

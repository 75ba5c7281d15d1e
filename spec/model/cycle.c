/* Sums up the rates and times of one cycle of a cyclo-static process. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "spec/model/complete.h"

#include <inttypes.h>

/* Returns the least common multiple of the lengths so far and one more; 0 if it is too large. */
static uint64_t combine_lengths(uint64_t phases, size_t count)
{
    if (count == 0 || phases == 0)
        return phases;
    phases *= count / dal_gcd(phases, count);
    return phases > DAL_MAX_PHASES ? 0 : phases;
}

/* Counts the phases. Times count as well: a process may take longer every other firing. */
static uint64_t count_phases(const struct dal_spec_process *process)
{
    uint64_t phases = combine_lengths(1, process->times.count);
    for (size_t i = 0; i < process->port_count; i++)
        phases = combine_lengths(phases, process->ports[i].phases.count);
    for (size_t i = 0; i < process->source_count; i++)
        phases = combine_lengths(phases, process->sources[i].times.count);
    return phases;
}

/* Gives a port its rate in a cycle. */
static int complete_port(struct dal_diags *diags, const struct dal_spec_process *process,
                         struct dal_spec_port *port)
{
    if (port->phases.count == 0) {
        port->phases.of = dal_calloc(1, sizeof(*port->phases.of));
        if (!port->phases.of)
            return DAL_ERR_NOMEM;
        port->phases.of[0] = port->rate;
        port->phases.count = 1;
    }
    if (!__builtin_mul_overflow(port->rate, process->phases / port->phases.count, &port->rate) &&
        port->rate <= DAL_MAX_RATE)
        return DAL_OK;
    dal_error(diags, port->place, "size-too-large",
              "port '%s' of process '%s': the tokens of a cycle of %" PRIu64
              " firings are more than 2^31",
              port->name, process->name, process->phases);
    port->rate = 1;
    return DAL_ERR_INVALID;
}

/* No overflow: there are at most 2^40 units a firing, and 2^12 firings. */
static void complete_time(const struct dal_spec_process *process,
                          struct dal_spec_execution_time *time, const struct dal_spec_phases *times)
{
    time->units *= process->phases / (times->count ? times->count : 1);
}

int dal__make_cycle(struct dal_diags *diags, struct dal_spec_process *process)
{
    uint64_t phases = count_phases(process);
    int result = DAL_OK;
    process->phases = phases ? phases : 1;
    if (phases == 0)
        return dal_error(
            diags, process->place, "bad-sequence",
            "process '%s': the sequences at its ports come together again only after more "
            "than %d firings",
            process->name, DAL_MAX_PHASES);
    if (phases == 1)
        return DAL_OK;
    for (size_t i = 0; i < process->port_count && result != DAL_ERR_NOMEM; i++) {
        int status = complete_port(diags, process, &process->ports[i]);
        result = status ? status : result;
    }
    complete_time(process, &process->execution_time, &process->times);
    for (size_t i = 0; i < process->source_count; i++)
        complete_time(process, &process->sources[i].execution_time, &process->sources[i].times);
    return result;
}

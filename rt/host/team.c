#include "rt/host/team.h"

#include "rt/base/alloc.h"
#include "rt/base/cores.h"
#include "rt/host/firing.h"

/* Lists the process's cores that this machine has, the worker's own first. Without that one, no
 * other core is listed. */
static int list_cores(int *cores, int core, const struct dal_process_desc *desc)
{
    int count = 0;
    cores[count++] = core;
    for (int i = 0; dal_core_is_usable(core) && i + 1 < desc->threads; i++)
        if (dal_core_is_usable(desc->team[i]))
            cores[count++] = desc->team[i];
    return count;
}

int dal_team_take(struct dal_team *team, const struct dal_openmp *openmp, int core,
                  struct dal_process *process)
{
    const struct dal_process_desc *desc = process->desc;
    int *cores = dal_calloc((size_t)desc->threads, sizeof(*cores));
    int count;
    if (!cores)
        return DAL_ERR_NOMEM;
    count = list_cores(cores, core, desc);
    if (count < desc->threads)
        dal_log(DAL_LOG_WARNING,
                "process %s: a team of %d thread%s, not %d: this machine lacks cores of it",
                desc->name, count, count == 1 ? "" : "s", desc->threads);
    process->host.openmp = team->openmp = openmp;
    process->host.threads = count;
    process->host.own.odd |= DAL_OWN_TEAM;
    if (count > team->count) {
        int *smaller = team->cores;
        team->cores = cores;
        team->count = count;
        cores = smaller;
    }
    dal_free(cores);
    return DAL_OK;
}

void dal_team_finish(struct dal_team *team)
{
    dal_free(team->cores);
    *team = (struct dal_team){0};
}

/* Binds a thread of the team, and marks it as one. Runs in that thread. */
static void bind_member(void *argument, int number)
{
    const struct dal_team *team = argument;
    dal_here()->of_team = number > 0;
    if (number > 0 && number < team->count)
        dal_core_pin(team->cores[number]);
}

void dal_team_bind(const struct dal_team *team)
{
    dal_cores_pin(team->cores, team->count);
    team->openmp->set(team->count);
    team->openmp->all(bind_member, (void *)team);
}

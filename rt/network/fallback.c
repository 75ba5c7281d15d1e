/* Fallback: a process leaves a device that is missing or lacks what it needs, and runs as C. */
#include "rt/network/install.h"

#include "rt/device/launcher.h"

int dal__may_fall_back(const struct dal_process *process, int strict)
{
    return !strict && process->desc->fallback != NULL;
}

/* Finishes a launcher; the last one moves to its place. */
void dal__remove_launcher(struct dal_handler *handler, struct dal_launcher *launcher)
{
    struct dal_launcher *last = &handler->launchers[--handler->launcher_count];
    dal_launcher_finish(launcher);
    if (launcher == last)
        return;
    *launcher = *last;
    dal_launcher_moved(launcher);
    *last = (struct dal_launcher){0};
}

/* Removes a process's launcher; the other processes of its group are then launched by
 * themselves. */
static int leave_group(struct dal_network *network, struct dal_launcher *launcher,
                       const struct dal_process *who)
{
    const struct dal_group_desc *group = launcher->group;
    int i, status = DAL_OK;
    dal_log(DAL_LOG_NOTE, "group %s: its processes are launched by themselves", group->name);
    dal__remove_launcher(&network->handler, launcher);
    for (i = 0; status == DAL_OK && i < group->member_count; i++) {
        struct dal_process *process = &network->processes[group->members[i].process];
        if (process != who)
            status = dal__make_launcher(network, process, 0);
    }
    return status;
}

int dal__fall_back(struct dal_network *network, struct dal_process *process, int reason)
{
    const struct dal_processor_desc *processors = network->net->processors;
    const struct dal_process_desc *fallback = process->desc->fallback;
    const struct dal_processor_desc *device = &processors[process->desc->processors[0]];
    if (process->launcher)
        dal__remove_launcher(&network->handler, process->launcher);
    dal_log(DAL_LOG_WARNING, "process %s cannot run on %s (%s): %s; it runs as C on %s instead",
            process->desc->name, device->name, device->identifier, dal_strerror(reason),
            processors[fallback->processors[0]].name);
    return dal_process_fall_back(process, &dal_process_c) < 0 ? dal__no_memory() : DAL_OK;
}

struct dal_process *dal__find_movable(const struct dal_network *network, int first, int strict)
{
    const struct dal_channel_desc *table = network->net->channels;
    struct dal_process *process = &network->processes[table[first].producer];
    int i = first;
    if (dal__may_fall_back(process, strict))
        return process;
    do {
        process = &network->processes[table[i].consumer];
        if (dal__may_fall_back(process, strict))
            return process;
        i = table[i].next_of_port;
    } while (i);
    return NULL;
}

int dal__leave_device(struct dal_network *network, struct dal_process *process, int reason)
{
    int i, status = DAL_OK;
    for (i = 0; i < network->net->channel_count; i++) {
        dal_channel_destroy(network->channels[i]);
        network->channels[i] = NULL;
    }
    if (process->launcher && process->launcher->group)
        status = leave_group(network, process->launcher, process);
    return status < 0 ? status : dal__fall_back(network, process, reason);
}

#include "rt/host/overlay.h"

#include "rt/base/alloc.h"
#include "rt/base/number.h"
#include "rt/base/overlay.h"
#include "rt/host/group.h"

#include <string.h>

/* Copies share no page. */
enum { PAGE = 4096 };

/* Returns the port of a process that an end belongs to. */
static int port_of(const struct dal_process *process, const struct dal_end *end)
{
    int k = 0;
    while (process->ends[k] != end)
        k++;
    return k;
}

/* Lists the channels from one process of the group to another, in the order of producers. */
static void list_between(struct dal_group *group, const struct dal_process_list *all)
{
    for (int i = 0; i < group->actor.count; i++) {
        const struct dal_process *process = dal__member(group, i);
        for (int k = 0; k < process->desc->port_count; k++) {
            struct dal_channel *channel = process->ends[k]->channel;
            const struct dal_process *reader = &all->processes[channel->desc->consumer];
            if (!process->ends[k]->output || process->ends[k]->readers > 1 ||
                reader->host.group != group)
                continue;
            group->overlays.between[group->overlays.count++] =
                (struct dal_between){.channel = channel,
                                     .from = i,
                                     .to = reader->host.number,
                                     .output = k,
                                     .input = port_of(reader, &channel->consumer)};
        }
    }
}

static int place_between(struct dal_group *group)
{
    struct dal_overlay_user *users = dal_calloc((size_t)group->overlays.count + 1, sizeof(*users));
    int status;
    if (!users)
        return DAL_ERR_NOMEM;
    for (int i = 0; i < group->overlays.count; i++) {
        const struct dal_between *between = &group->overlays.between[i];
        users[i] =
            (struct dal_overlay_user){.from = between->from,
                                      .to = between->to,
                                      .firing_bytes = between->channel->consumer.firing_bytes};
    }
    status = dal_overlays_place(users, group->overlays.count, group->block, &group->overlays.bytes);
    for (int i = 0; i < group->overlays.count; i++)
        group->overlays.between[i].place = users[i].place;
    dal_free(users);
    return status;
}

static struct dal_window *window_of(const struct dal_group *group, int number, int process,
                                    int port)
{
    return &dal__member(group, process)->host.copies[number].activation.windows[port];
}

static void open_windows(struct dal_group *group, int number)
{
    unsigned char *overlays = group->overlays.memory + (size_t)number * group->overlays.stride;
    struct dal_window **windows = group->copies[number].windows + group->actor.end_count;
    for (int i = 0; i < group->overlays.count; i++) {
        const struct dal_between *between = &group->overlays.between[i];
        *windows++ = window_of(group, number, between->from, between->output);
        *windows++ = window_of(group, number, between->to, between->input);
        windows[-2]->firing = windows[-1]->firing = overlays + between->place;
    }
}

int dal__overlays_init(struct dal_group *group, const struct dal_process_list *all)
{
    struct dal_overlays *overlays = &group->overlays;
    size_t most = 1, bytes;
    int status;
    for (int i = 0; i < group->actor.count; i++)
        most += (size_t)dal__member(group, i)->desc->port_count;
    overlays->between = dal_calloc(most, sizeof(*overlays->between));
    if (!overlays->between)
        return DAL_ERR_NOMEM;
    list_between(group, all);
    status = place_between(group);
    if (status < 0)
        return status;
    overlays->stride = overlays->bytes;
    if (group->copy_count > 1)
        overlays->stride = (overlays->bytes + PAGE - 1) / PAGE * PAGE;
    bytes = (size_t)group->copy_count * overlays->stride;
    overlays->memory = dal_alloc_pages(bytes);
    if (!overlays->memory)
        return DAL_ERR_NOMEM;
    dal_ask_huge_pages(overlays->memory, bytes);
    for (int i = 0; i < group->copy_count; i++)
        open_windows(group, i);
    return DAL_OK;
}

void dal__overlays_finish(struct dal_group *group)
{
    struct dal_overlays *overlays = &group->overlays;
    dal_free_pages(overlays->memory, (size_t)group->copy_count * overlays->stride);
    dal_free(overlays->between);
}

void dal__overlays_pass(const struct dal_overlays *overlays, uint64_t firings)
{
    for (int i = 0; i < overlays->count; i++) {
        struct dal_channel *channel = overlays->between[i].channel;
        dal_channel_pass(channel, firings * channel->consumer.rate);
    }
}

/* Copies the tokens in between to the rings' start. The producer may be ahead and may have written
 * a firing that is not done: its last (dal.h). The consumer's tokens move as well, so that both
 * begin at the start. */
void dal__overlays_leave(const struct dal_group *group, const struct dal_group_copy *copy)
{
    struct dal_window **windows = copy->windows + group->actor.end_count;
    for (int i = 0; i < group->overlays.count; i++, windows += 2) {
        const struct dal_between *between = &group->overlays.between[i];
        struct dal_end *producer = between->channel->producer;
        uint64_t firings = copy->steps[between->from].done + (between->from == copy->last);
        firings = dal_least(firings, group->block - copy->into);
        memcpy(producer->ring.base, windows[0]->firing, firings * producer->firing_bytes);
        producer->position = between->channel->consumer.position = 0;
        windows[0]->firing = windows[1]->firing = producer->ring.base;
    }
}

#include "rt/nodes/flow.h"

#include "rt/base/alloc.h"
#include "rt/base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of one message. The next message is on its way while this one is read. */
enum { MOST_BYTES = 1 << 20 };

/* Returns the tokens of one message: at most half of the ring, or less if the plan knows the
 * link. */
static uint64_t message_tokens(const struct dal_flow *flow)
{
    const struct dal_channel_desc *desc = flow->end->channel->desc;
    uint64_t most = desc->message ? desc->message : MOST_BYTES / desc->token_bytes;
    most = dal_least(most, (desc->capacity + 1) / 2);
    return most > 0 ? most : 1;
}

static size_t token_bytes(const struct dal_flow *flow)
{
    return flow->end->channel->desc->token_bytes;
}

static int say_number(struct dal_flow *flow, struct dal_link *link, struct dal_note *note,
                      enum dal_say say, uint64_t number)
{
    return dal__note_send(note, link, flow->desc.node, dal__tag(flow->desc.number, say), number);
}

/* Begins the next load: a message of `bytes`, with up to two windows of `tokens` in all. The end
 * has as many. */
static struct dal_flow_load *begin_load(struct dal_flow *flow, uint64_t tokens, size_t bytes)
{
    struct dal_flow_load *load = &flow->loads[(flow->head + flow->count) % DAL_FLOW_ROOM];
    *load = (struct dal_flow_load){.bytes = bytes};
    flow->bytes += bytes;
    for (int i = 0; i < 2 && tokens > 0; i++) {
        uint64_t part = dal_end_ready(flow->end, tokens);
        load->windows[i] = dal_end_acquire(flow->end, part);
        load->tokens[i] = part;
        tokens -= part;
    }
    flow->count++;
    return load;
}

static void release_load(struct dal_flow *flow, struct dal_flow_load *load)
{
    unsigned char *from = load->bounce;
    for (int i = 0; i < 2 && load->tokens[i]; i++) {
        size_t bytes = load->tokens[i] * token_bytes(flow);
        if (from)
            memcpy(load->windows[i], from, bytes);
        from += from ? bytes : 0;
        dal_end_release(flow->end, load->windows[i], load->tokens[i]);
        dal_count_add(flow->process->firings, load->tokens[i]);
    }
    dal_free(load->bounce);
    load->bounce = NULL;
    flow->process->launches++;
}

/* Releases the loads that are done, in order, as windows must be. */
static int release_loads(struct dal_flow *flow)
{
    int released = 0;
    while (flow->count > 0 && flow->loads[flow->head].transfer.done) {
        release_load(flow, &flow->loads[flow->head]);
        flow->head = (flow->head + 1) % DAL_FLOW_ROOM;
        flow->count--;
        released = 1;
    }
    return released;
}

static void close_process(struct dal_flow *flow)
{
    if (!atomic_load_explicit(&flow->process->ended, memory_order_relaxed))
        dal_process_close(flow->process);
}

/* ---- the producer's node --------------------------------------------------------------------- */

static int send_tokens(struct dal_flow *flow, struct dal_link *link)
{
    uint64_t most = dal_least(flow->granted - flow->moved, message_tokens(flow));
    uint64_t tokens = most > 0 && dal__flow_has_room(flow) ? dal_end_ready(flow->end, most) : 0;
    struct dal_flow_load *load;
    size_t bytes = tokens * token_bytes(flow);
    int status;
    if (tokens == 0)
        return 0;
    load = begin_load(flow, tokens, bytes);
    status = link->transport->send(link, flow->desc.node, dal__tag(flow->desc.number, DAL_SAY_DATA),
                                   load->windows[0], bytes, &load->transfer);
    flow->moved += tokens;
    return status < 0 ? status : 1;
}

static int step_outgoing(struct dal_flow *flow, struct dal_link *link)
{
    int moved = release_loads(flow), status;
    if (flow->ended)
        return moved;
    status = flow->closed ? 0 : send_tokens(flow, link);
    if (status != 0)
        return status;
    if (flow->count > 0 || (!flow->closed && !dal_end_finished(flow->end)))
        return moved;
    flow->ended = 1;
    status = say_number(flow, link, &flow->closing, DAL_SAY_END, flow->moved);
    close_process(flow);
    return status < 0 ? status : 1;
}

/* ---- the readers' node ----------------------------------------------------------------------- */

static int give_credit(struct dal_flow *flow, struct dal_link *link)
{
    uint64_t room = dal_end_available(flow->end);
    uint64_t granted = flow->end->taken - flow->end->first + room;
    uint64_t step = dal_least(flow->end->credit / 4, message_tokens(flow));
    int status;
    if (granted == flow->granted || !dal__note_is_free(&flow->credit) ||
        (flow->granted > flow->moved && granted - flow->granted < step))
        return 0;
    flow->granted = granted;
    status = say_number(flow, link, &flow->credit, DAL_SAY_CREDIT, granted);
    return status < 0 ? status : 1;
}

static int tell_closed(struct dal_flow *flow, struct dal_link *link)
{
    int status;
    flow->closed = 1;
    status = say_number(flow, link, &flow->closing, DAL_SAY_CLOSED, flow->moved);
    return status < 0 ? status : 1;
}

static int step_incoming(struct dal_flow *flow, struct dal_link *link)
{
    int moved = release_loads(flow);
    if (flow->ended && flow->moved == flow->total && flow->count == 0)
        close_process(flow);
    if (flow->ended || flow->closed)
        return moved;
    if (dal_end_finished(flow->end))
        return tell_closed(flow, link);
    return moved ? moved : give_credit(flow, link);
}

/* Returns whether somebody reads the tokens. Others are received into memory of their own. */
static int is_wanted(const struct dal_flow *flow)
{
    return !flow->closed && !atomic_load_explicit(&flow->process->ended, memory_order_relaxed);
}

int dal__flow_receive(struct dal_flow *flow, struct dal_link *link,
                      const struct dal_message *message)
{
    uint64_t tokens = message->bytes / token_bytes(flow);
    struct dal_flow_load *load;
    flow->moved += tokens;
    if (is_wanted(flow) && dal_end_available(flow->end) < tokens) {
        snprintf(link->why, sizeof(link->why),
                 "channel %s: more tokens came than there is room for",
                 flow->end->channel->desc->name);
        return DAL_ERR_NODE;
    }
    load = begin_load(flow, is_wanted(flow) ? tokens : 0, message->bytes);
    if (load->tokens[0] < tokens) {
        load->bounce = dal_alloc(message->bytes);
        if (!load->bounce) {
            snprintf(link->why, sizeof(link->why), "no memory for a message");
            return DAL_ERR_NOMEM;
        }
    }
    return link->transport->receive(link, message, load->bounce ? load->bounce : load->windows[0],
                                    &load->transfer);
}

/* ---- both ------------------------------------------------------------------------------------ */

static int compare_flow(const void *number, const void *flow)
{
    return *(const int *)number - ((const struct dal_flow *)flow)->desc.number;
}

struct dal_flow *dal__flow_find(struct dal_flow *flows, int count, int number)
{
    if (number < 0 || !flows)
        return NULL;
    return bsearch(&number, flows, (size_t)count, sizeof(*flows), compare_flow);
}

int dal__flow_step(struct dal_flow *flow, struct dal_link *link)
{
    return flow->desc.output ? step_incoming(flow, link) : step_outgoing(flow, link);
}

void dal__flow_hear(struct dal_flow *flow, enum dal_say say, uint64_t number)
{
    if (say == DAL_SAY_CREDIT && number > flow->granted)
        flow->granted = number;
    if (say == DAL_SAY_CLOSED)
        flow->closed = 1;
    if (say == DAL_SAY_END) {
        flow->ended = 1;
        flow->total = number;
    }
}

int dal__flow_rests(const struct dal_flow *flow)
{
    return flow->count == 0 && dal__note_is_free(&flow->credit) &&
           dal__note_is_free(&flow->closing);
}

int dal__flow_is_over(const struct dal_flow *flow)
{
    return flow->ended && (!flow->desc.output || flow->moved == flow->total) &&
           dal__flow_rests(flow);
}

void dal__flow_tell(const struct dal_flow *flow, const char *node, int64_t time_ns)
{
    const struct dal_flow_load *load = &flow->loads[flow->head];
    dal_log(DAL_LOG_WARNING,
            "channel %s: %d message%s under way %s node %s, the first of %zu bytes, and none has "
            "come through for %.3g s",
            flow->end->channel->desc->name, flow->count, flow->count == 1 ? " is" : "s are",
            flow->desc.output ? "from" : "to", node, load->bytes, 1e-9 * (double)time_ns);
}

void dal__flow_finish(struct dal_flow *flow)
{
    for (int i = 0; i < DAL_FLOW_ROOM; i++)
        dal_free(flow->loads[i].bounce);
}

const struct dal_process_ops dal_process_proxy = {.is_proxy = 1};

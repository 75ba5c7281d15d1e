/*
 * A flow between two nodes by itself: a writer, two proxies and a reader, each a thread. A message
 * wakes whom it is for, and nobody sleeps for a time: so what is not told in time is a deadlock.
 * Of what proxies do around rt/nodes/flow.c, as rt/nodes/step.c does it, something may be wrong.
 */
#include "rt/nodes/flow.h"
#include "rt/nodes/transport.h"
#include "test/schedules/protocols.h"
#include "test/schedules/schedules.h"

#include <string.h>

enum { ROOM = 64, OUT_RING = 4, IN_RING = 6, EARLY = 7 };

enum fault {
    FAULTLESS,
    NO_LOOK,     /* none between the intention to sleep and sleep */
    WOKEN_EARLY, /* before the message is there */
    CREDIT_LATE, /* told when a message has come, and not when there is room */
    CREDIT_LOST, /* one that comes while tokens are under way is not heard */
};

struct letter {
    int tag;
    size_t bytes;
    const void *where;
    struct dal_transfer *transfer;
};

/* One node. */
struct station {
    struct dal_link link; /* first member */
    struct dal_flow flow;
    struct dal_process process;
    struct dal_end *ends[1];
    struct dal_wake *wake, *wakes[1];
    struct dal_pool pool;
    /* With the lock held: */
    struct letter box[ROOM];
    struct dal_transfer *finished[ROOM]; /* to be done at the next poll */
    int count, finished_count;
};

static struct station stations[2]; /* of the writer, of the reader */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int over;
static enum fault fault;

/* ---- the transport --------------------------------------------------------------------------- */

static int send_letter(struct dal_link *link, int rank, int tag, const void *bytes, size_t count,
                       struct dal_transfer *transfer)
{
    struct station *to = &stations[rank];
    (void)link;
    if (fault == WOKEN_EARLY)
        dal_wake_signal(to->wake);
    pthread_mutex_lock(&lock);
    protocol_expect(to->count < ROOM, "too many messages are under way");
    transfer->done = 0;
    to->box[to->count++] = (struct letter){tag, count, bytes, transfer};
    pthread_mutex_unlock(&lock);
    if (fault != WOKEN_EARLY)
        dal_wake_signal(to->wake);
    return DAL_OK;
}

static int poll_letters(struct dal_link *link, struct dal_message *message)
{
    struct station *here = (struct station *)link;
    int found;
    pthread_mutex_lock(&lock);
    while (here->finished_count > 0)
        here->finished[--here->finished_count]->done = 1;
    found = here->count > 0;
    if (found)
        *message = (struct dal_message){
            .from = !link->rank, .tag = here->box[0].tag, .bytes = here->box[0].bytes};
    pthread_mutex_unlock(&lock);
    return found;
}

static int receive_letter(struct dal_link *link, const struct dal_message *message, void *to,
                          struct dal_transfer *transfer)
{
    struct station *here = (struct station *)link, *there = &stations[message->from];
    struct letter letter;
    pthread_mutex_lock(&lock);
    letter = here->box[0];
    memmove(&here->box[0], &here->box[1], (size_t)--here->count * sizeof(letter));
    memcpy(to, letter.where, letter.bytes);
    transfer->done = 0;
    here->finished[here->finished_count++] = transfer;
    there->finished[there->finished_count++] = letter.transfer;
    pthread_mutex_unlock(&lock);
    dal_wake_signal(there->wake);
    return DAL_OK;
}

static const struct dal_transport transport = {
    .name = "letters", .send = send_letter, .poll = poll_letters, .receive = receive_letter};

/* ---- a proxy ------------------------------------------------------------------------------- */

/* Returns whether there was one, and room for it. */
static int take_letter(struct station *here)
{
    struct dal_flow *flow = &here->flow;
    struct dal_transfer transfer;
    struct dal_message message;
    enum dal_say say;
    uint64_t number;
    if (!poll_letters(&here->link, &message))
        return 0;
    say = dal__tag_say(message.tag);
    if (say == DAL_SAY_DATA) {
        if (!dal__flow_has_room(flow))
            return 0;
        protocol_expect(dal__flow_receive(flow, &here->link, &message) == DAL_OK,
                        "more tokens came than there is room for");
        return 1;
    }
    receive_letter(&here->link, &message, &number, &transfer);
    while (!transfer.done && poll_letters(&here->link, &message) >= 0)
        ;
    if (fault != CREDIT_LOST || say != DAL_SAY_CREDIT || flow->count == 0)
        dal__flow_hear(flow, say, number);
    return 1;
}

static int step_once(struct station *here)
{
    int moved = take_letter(here), status = 0;
    if (fault != CREDIT_LATE || moved || !here->flow.desc.output || !here->flow.granted ||
        here->flow.count)
        status = dal__flow_step(&here->flow, &here->link);
    protocol_expect(status >= 0, "a step has failed");
    return moved || status;
}

/* Until both are: the other one may still have something to say. */
static void *carry(void *argument)
{
    struct station *here = argument;
    int told = 0;
    while (atomic_load(&over) < 2) {
        uint32_t sequence;
        if (!told && dal__flow_is_over(&here->flow)) {
            told = 1;
            atomic_fetch_add(&over, 1);
            dal_wake_signal(stations[!here->link.rank].wake);
        }
        if (step_once(here))
            continue;
        sequence = dal_wake_prepare(here->wake);
        if ((fault != NO_LOOK && step_once(here)) || atomic_load(&over) == 2 ||
            (!told && dal__flow_is_over(&here->flow)))
            dal_wake_cancel(here->wake);
        else
            dal_wake_wait(here->wake, sequence, -1);
    }
    return NULL;
}

/* At that side of the pipe. */
static void make_station(int rank, struct side *side)
{
    static const struct dal_port_desc port = {.name = "port", .rate = 1};
    static const struct dal_process_desc desc = {
        .name = "proxy", .kind = DAL_PROCESS_PROXY, .ports = &port, .port_count = 1};
    struct station *here = &stations[rank];
    *here = (struct station){.link = {.transport = &transport, .rank = rank, .count = 2},
                             .wake = &side->wake};
    here->ends[0] = side->end;
    here->wakes[0] = &side->wake;
    here->pool = (struct dal_pool){.wakes = here->wakes, .count = 1};
    here->process = (struct dal_process){
        .desc = &desc, .ops = &dal_process_proxy, .ends = here->ends, .pool = &here->pool};
    here->flow = (struct dal_flow){
        .desc = {.node = !rank, .output = rank}, .process = &here->process, .end = side->end};
}

static void run_flow(enum fault planted, uint64_t wanted)
{
    static struct pipe pipes[2];
    pthread_t threads[4];
    fault = planted;
    protocol_make_pipe(&pipes[0], 1, OUT_RING, 1);
    protocol_make_pipe(&pipes[1], 1, IN_RING, 1);
    make_station(0, &pipes[0].readers[0]);
    make_station(1, &pipes[1].writer);
    pipes[1].readers[0].tokens = wanted;
    pipes[1].readers[0].stops = 1;
    threads[0] = protocol_start(carry, &stations[0]);
    threads[1] = protocol_start(carry, &stations[1]);
    threads[2] = protocol_start(protocol_write, &pipes[0].writer);
    threads[3] = protocol_start(protocol_read, &pipes[1].readers[0]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    protocol_expect(pipes[1].readers[0].next >= wanted, "tokens are missing");
    for (int i = 0; i < 2; i++) {
        dal__flow_finish(&stations[i].flow);
        protocol_destroy_pipe(&pipes[i]);
    }
}

void flow_of_all(void)
{
    run_flow(FAULTLESS, TOKENS);
}

void flow_that_is_closed(void)
{
    run_flow(FAULTLESS, EARLY);
}

void flow_without_look(void)
{
    run_flow(NO_LOOK, TOKENS);
}

void flow_woken_early(void)
{
    run_flow(WOKEN_EARLY, TOKENS);
}

void flow_credit_late(void)
{
    run_flow(CREDIT_LATE, TOKENS);
}

void flow_credit_lost(void)
{
    run_flow(CREDIT_LOST, TOKENS);
}

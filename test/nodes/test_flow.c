/*
 * When a flow tells its credit, and how many tokens go in one message: either end by itself, on a
 * transport that notes what is sent. Messages are done when the test says so.
 */
#include "channels/port.h"
#include "rt/nodes/flow.h"

#include "test/suite.h"

#include <string.h>

enum { RING = 16, MOST_NOTED = 32 };

/* ---- the transport --------------------------------------------------------------------------- */

static struct noted {
    enum dal_say say;
    uint64_t tokens; /* in the message, or what its number says */
    struct dal_transfer *transfer;
} sent[MOST_NOTED];
static int sent_count;

static int note_message(struct dal_link *link, int rank, int tag, const void *bytes, size_t count,
                        struct dal_transfer *transfer)
{
    struct noted *noted = &sent[sent_count++];
    (void)link, (void)rank;
    CU_ASSERT_FATAL(sent_count < MOST_NOTED);
    *noted = (struct noted){dal__tag_say(tag), count / sizeof(uint64_t), transfer};
    if (noted->say != DAL_SAY_DATA)
        memcpy(&noted->tokens, bytes, sizeof(noted->tokens));
    transfer->done = noted->say != DAL_SAY_DATA;
    return DAL_OK;
}

static int receive_at_once(struct dal_link *link, const struct dal_message *message, void *to,
                           struct dal_transfer *transfer)
{
    (void)link;
    memset(to, 0, message->bytes);
    transfer->done = 1;
    return DAL_OK;
}

static const struct dal_transport transport = {
    .name = "noted", .send = note_message, .receive = receive_at_once};
static struct dal_link two = {.transport = &transport, .count = 2};

/* ---- a flow ---------------------------------------------------------------------------------- */

static const struct dal_port_desc port = {.name = "port", .rate = 1};
static const struct dal_process_desc proxy_desc = {
    .name = "proxy", .kind = DAL_PROCESS_PROXY, .ports = &port, .port_count = 1};
static struct dal_channel_desc desc;
static struct dal_channel *channel;
static struct dal_process proxy;
static struct dal_end *ends[1];
static struct dal_flow flow;

/* A ring of RING tokens at the node of the reader, or of the writer. */
static void begin_flow(int is_reader, uint64_t message)
{
    const struct dal_end_config config = {.core = -1};
    const struct dal_channel_desc *descs[] = {&desc};
    desc = (struct dal_channel_desc){.name = "c",
                                     .kind = DAL_CHANNEL_CORES,
                                     .consumer = 1,
                                     .capacity = RING,
                                     .message = message,
                                     .token_bytes = sizeof(uint64_t),
                                     .rate_in = 1,
                                     .rate_out = 1};
    CU_ASSERT_EQUAL_FATAL(dal_port_create(&channel, descs, 1, &config, &config), DAL_OK);
    ends[0] = is_reader ? channel->producer : &channel->consumer;
    memset(&proxy, 0, sizeof(proxy));
    proxy.desc = &proxy_desc;
    proxy.ops = &dal_process_proxy;
    proxy.ends = ends;
    flow = (struct dal_flow){
        .desc = {.node = 1, .output = is_reader}, .process = &proxy, .end = ends[0]};
    sent_count = 0;
}

static void end(void)
{
    dal__flow_finish(&flow);
    dal_channel_destroy(channel);
}

/* The process at the other end of the ring writes, or reads, so many tokens. */
static void move_tokens(struct dal_end *of, uint64_t tokens)
{
    while (tokens-- > 0)
        dal_end_release(of, dal_end_acquire(of, 1), 1);
}

static void come(uint64_t tokens)
{
    const struct dal_message message = {
        .from = 1, .tag = dal__tag(0, DAL_SAY_DATA), .bytes = tokens * sizeof(uint64_t)};
    CU_ASSERT_EQUAL_FATAL(dal__flow_receive(&flow, &two, &message), DAL_OK);
}

/* Steps until nothing moves. The number of the last message, if any was sent; else 0. */
static uint64_t step(enum dal_say say)
{
    int status = 1, before = sent_count;
    for (int i = 0; status == 1 && i < MOST_NOTED; i++)
        status = dal__flow_step(&flow, &two);
    CU_ASSERT_EQUAL(status, 0);
    if (sent_count == before)
        return 0;
    CU_ASSERT_EQUAL(sent[sent_count - 1].say, say);
    return sent[sent_count - 1].tokens;
}

/* ---- credit ---------------------------------------------------------------------------------- */

/* As soon as a quarter of the ring is free again, while the writer still has some: so it never has
 * to wait for a message to go there and back. Not for each token. */
static void quarter_is_free(void)
{
    begin_flow(1, 0);
    CU_ASSERT_EQUAL(step(DAL_SAY_CREDIT), RING);
    come(RING / 2);
    CU_ASSERT_EQUAL(step(DAL_SAY_CREDIT), 0);
    move_tokens(&channel->consumer, RING / 4 - 1);
    CU_ASSERT_EQUAL(step(DAL_SAY_CREDIT), 0);
    move_tokens(&channel->consumer, 1);
    CU_ASSERT_EQUAL(step(DAL_SAY_CREDIT), RING + RING / 4);
    end();
}

/* Where messages are smaller than that, as soon as one more would find room. */
static void message_finds_room(void)
{
    begin_flow(1, 2);
    CU_ASSERT_EQUAL(step(DAL_SAY_CREDIT), RING);
    come(2);
    come(2);
    CU_ASSERT_EQUAL(step(DAL_SAY_CREDIT), 0);
    move_tokens(&channel->consumer, 1);
    CU_ASSERT_EQUAL(step(DAL_SAY_CREDIT), 0);
    move_tokens(&channel->consumer, 1);
    CU_ASSERT_EQUAL(step(DAL_SAY_CREDIT), RING + 2);
    end();
}

/* To a writer that has none left each token is told. */
static void used_up(void)
{
    begin_flow(1, 0);
    CU_ASSERT_EQUAL(step(DAL_SAY_CREDIT), RING);
    come(RING / 2);
    come(RING / 2);
    CU_ASSERT_EQUAL(step(DAL_SAY_CREDIT), 0);
    move_tokens(&channel->consumer, 1);
    CU_ASSERT_EQUAL(step(DAL_SAY_CREDIT), RING + 1);
    end();
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Half of the ring goes in one message, so that the writer has the other half meanwhile. */
static void half_of_the_ring(void)
{
    begin_flow(0, 0);
    dal__flow_hear(&flow, DAL_SAY_CREDIT, 100);
    move_tokens(channel->producer, RING);
    CU_ASSERT_EQUAL(step(DAL_SAY_DATA), RING / 2);
    CU_ASSERT_EQUAL(sent_count, 2);
    CU_ASSERT_EQUAL(sent[0].tokens, RING / 2);
    CU_ASSERT_EQUAL(dal_end_available(channel->producer), 0);
    sent[0].transfer->done = 1;
    CU_ASSERT_EQUAL(step(DAL_SAY_DATA), 0);
    CU_ASSERT_EQUAL(dal_end_available(channel->producer), RING / 2);
    end();
}

/* As many as the plan says, and no more than there is credit for. */
static void as_planned(void)
{
    begin_flow(0, 3);
    dal__flow_hear(&flow, DAL_SAY_CREDIT, 8);
    move_tokens(channel->producer, RING);
    CU_ASSERT_EQUAL(step(DAL_SAY_DATA), 2);
    CU_ASSERT_EQUAL(sent_count, 3);
    CU_ASSERT_EQUAL(sent[0].tokens, 3);
    CU_ASSERT_EQUAL(sent[1].tokens, 3);
    dal__flow_hear(&flow, DAL_SAY_CREDIT, 9);
    CU_ASSERT_EQUAL(step(DAL_SAY_DATA), 1);
    end();
}

/* What is there goes at once, also if it is less than a message; several are under way. */
static void at_once(void)
{
    begin_flow(0, 3);
    dal__flow_hear(&flow, DAL_SAY_CREDIT, 100);
    move_tokens(channel->producer, 1);
    CU_ASSERT_EQUAL(step(DAL_SAY_DATA), 1);
    move_tokens(channel->producer, 2);
    CU_ASSERT_EQUAL(step(DAL_SAY_DATA), 2);
    CU_ASSERT_EQUAL(sent_count, 2);
    end();
}

int main(void)
{
    static const struct test tests[] = {
        {"credit when a quarter of the ring is free", quarter_is_free},
        {"credit when a message finds room", message_finds_room},
        {"credit when it is used up", used_up},
        {"half of the ring in one message", half_of_the_ring},
        {"messages as planned", as_planned},
        {"tokens go at once", at_once},
    };
    return run_suite("flow", tests, sizeof(tests) / sizeof(tests[0]));
}

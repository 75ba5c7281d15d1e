/*
 * Networks over several nodes on a transport of threads: every rank is a thread of this program.
 * The transport delays messages by chance, lets those of different tags overtake each other, and
 * reads some of what is sent only when it is received. So it shows what is given back too early.
 *
 *   DAL_TEST_ROUNDS=N    random networks (60)
 *   DAL_TEST_TOKENS=N    tokens in each (3000)
 */
#include "rt/base/alloc.h"
#include "rt/network/network.h"
#include "rt/nodes/nodes.h"

#include "test/suite.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, STAGES = 5, PROCESSES = STAGES + 1 };

/* ---- the transport --------------------------------------------------------------------------- */

struct mail {
    struct mail *next;
    int from, tag, wait; /* looks that do not find it yet */
    size_t bytes;
    const void *where;             /* of the sender; NULL: `copy` has it */
    struct dal_transfer *transfer; /* of the sender, to be done when it is received */
    int taken;
    unsigned char copy[];
};

/* A transfer that will be done at a later poll of its owner. */
struct finish {
    struct finish *next;
    struct dal_transfer *transfer;
    int wait;
};

struct fake_link {
    struct dal_link link; /* first member */
    struct mail *box;     /* the first came first */
    struct finish *finishing;
    int closed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fake_link links[RANKS];
static int rank_count, opened, armed;
static unsigned chance;
static unsigned long calls, fail_at;

static unsigned draw_chance(unsigned most)
{
    chance = chance * 1103515245u + 12345u;
    return (chance >> 16) % most;
}

static int is_failing(struct dal_link *link)
{
    if (!armed || ++calls != fail_at)
        return 0;
    snprintf(link->why, sizeof(link->why), "as it was told to");
    return 1;
}

static int open_fake(struct dal_link **link, char *why)
{
    (void)why;
    pthread_mutex_lock(&lock);
    links[opened].link = (struct dal_link){.rank = opened, .count = rank_count};
    links[opened].closed = 0;
    *link = &links[opened++].link;
    pthread_mutex_unlock(&lock);
    return DAL_OK;
}

static void finish_later(struct fake_link *link, struct dal_transfer *transfer)
{
    struct finish *finish = calloc(1, sizeof(*finish));
    *finish = (struct finish){link->finishing, transfer, (int)draw_chance(4)};
    link->finishing = finish;
}

static int send_fake(struct dal_link *link, int rank, int tag, const void *bytes, size_t count,
                     struct dal_transfer *transfer)
{
    struct mail *mail = calloc(1, sizeof(*mail) + count), **last;
    int status = DAL_ERR_NODE;
    pthread_mutex_lock(&lock);
    if (!is_failing(link)) {
        *mail = (struct mail){
            .from = link->rank, .tag = tag, .wait = (int)draw_chance(6), .bytes = count};
        transfer->done = 0;
        if (draw_chance(2)) {
            mail->where = bytes;
            mail->transfer = transfer;
        } else {
            memcpy(mail->copy, bytes, count);
            finish_later((struct fake_link *)link, transfer);
        }
        for (last = &links[rank].box; *last; last = &(*last)->next)
            ;
        *last = mail;
        mail = NULL;
        status = DAL_OK;
    }
    pthread_mutex_unlock(&lock);
    free(mail);
    return status;
}

static void finish_due(struct fake_link *link)
{
    struct finish **at = &link->finishing;
    while (*at) {
        struct finish *finish = *at;
        if (finish->wait-- > 0) {
            at = &finish->next;
            continue;
        }
        finish->transfer->done = 1;
        *at = finish->next;
        free(finish);
    }
}

/* Is a message in front of this one that it may not overtake? */
static int is_behind(const struct mail *first, const struct mail *mail)
{
    for (; first != mail; first = first->next)
        if (!first->taken && first->from == mail->from &&
            (first->tag == mail->tag || mail->tag < DAL_TRANSPORT_ORDERED))
            return 1;
    return 0;
}

static int poll_fake(struct dal_link *link, struct dal_message *message)
{
    struct fake_link *own = (struct fake_link *)link;
    struct mail *mail;
    int found = 0;
    pthread_mutex_lock(&lock);
    finish_due(own);
    if (is_failing(link))
        found = DAL_ERR_NODE;
    for (mail = own->box; message && found == 0 && mail; mail = mail->next) {
        if (mail->taken || mail->wait-- > 0 || is_behind(own->box, mail))
            continue;
        mail->taken = found = 1;
        *message = (struct dal_message){mail->from, mail->tag, mail->bytes, mail};
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static int receive_fake(struct dal_link *link, const struct dal_message *message, void *to,
                        struct dal_transfer *transfer)
{
    struct fake_link *own = (struct fake_link *)link;
    struct mail *mail = message->handle, **at = &own->box;
    int status = DAL_OK;
    pthread_mutex_lock(&lock);
    while (*at != mail)
        at = &(*at)->next;
    *at = mail->next;
    transfer->done = 0;
    if (is_failing(link)) {
        status = DAL_ERR_NODE;
    } else {
        memcpy(to, mail->where ? mail->where : mail->copy, mail->bytes);
        finish_later(own, transfer);
        if (mail->transfer)
            finish_later(&links[mail->from], mail->transfer);
    }
    pthread_mutex_unlock(&lock);
    free(mail);
    return status;
}

/* What was under way is forgotten: its bytes may be gone. */
static int close_fake(struct dal_link *link, int orderly)
{
    struct fake_link *own = (struct fake_link *)link;
    struct mail *mail;
    int i;
    pthread_mutex_lock(&lock);
    CU_ASSERT(!orderly || !own->finishing);
    CU_ASSERT(!orderly || !own->box);
    for (i = 0; i < RANKS; i++)
        for (mail = links[i].box; mail; mail = mail->next) {
            mail->where = mail->from == link->rank ? NULL : mail->where;
            mail->transfer = mail->from == link->rank ? NULL : mail->transfer;
        }
    while (own->finishing) {
        struct finish *finish = own->finishing;
        own->finishing = finish->next;
        free(finish);
    }
    own->closed = 1;
    pthread_mutex_unlock(&lock);
    return DAL_OK;
}

static void forget_all(void)
{
    int i;
    for (i = 0; i < RANKS; i++) {
        while (links[i].box) {
            struct mail *mail = links[i].box;
            links[i].box = mail->next;
            free(mail);
        }
        while (links[i].finishing) {
            struct finish *finish = links[i].finishing;
            links[i].finishing = finish->next;
            free(finish);
        }
    }
    opened = armed = 0;
    calls = 0;
}

static const struct dal_transport fake = {"threads", "threads -n", open_fake, send_fake,
                                          poll_fake, receive_fake, close_fake};

/* ---- the network: a chain, and a reader of the source with initial tokens ---------------------
 */

struct _local_states {
    uint64_t next;
};

static const struct dal_state state = {sizeof(struct _local_states),
                                       _Alignof(struct _local_states)};
static uint64_t wanted = 3000, received, read_aside, wrong, enough;
static int failing;

/* Of several threads. */
static void count_wrong(int is_wrong)
{
    __atomic_fetch_add(&wrong, (uint64_t)is_wrong, __ATOMIC_RELAXED);
}

static int source_fire(DALProcess *p)
{
    uint64_t number = p->local->next++;
    DAL_write("out", &number, sizeof(number), p);
    return p->local->next == wanted;
}

static int stage_fire(DALProcess *p)
{
    uint64_t number;
    DAL_read("in", &number, sizeof(number), p);
    number++;
    DAL_write("out", &number, sizeof(number), p);
    if (failing && number == 100)
        DAL_fail(p, "as it was told to");
    return 0;
}

static int sink_fire(DALProcess *p)
{
    uint64_t number;
    DAL_read("in", &number, sizeof(number), p);
    count_wrong(number != p->local->next++ + STAGES - 2);
    received++;
    return p->local->next == enough;
}

/* The first two are zeros. */
static int reader_fire(DALProcess *p)
{
    uint64_t number;
    DAL_read("in", &number, sizeof(number), p);
    count_wrong(number != (p->local->next < 2 ? 0 : p->local->next - 2));
    p->local->next++;
    read_aside++;
    return p->local->next == enough;
}

static const struct dal_code source = {.state = &state, .fire = source_fire};
static const struct dal_code stage = {.fire = stage_fire};
static const struct dal_code sink = {.state = &state, .fire = sink_fire};
static const struct dal_code reader = {.state = &state, .fire = reader_fire};
static const char *const node_names[RANKS] = {"a", "b", "c", "d"};
static const char *const process_names[PROCESSES] = {"source", "one",  "two",
                                                     "three",  "sink", "reader"};

static struct dal_processor_desc processors[RANKS];
static struct dal_process_desc processes[PROCESSES];
static struct dal_channel_desc channels[PROCESSES - 1];
static struct dal_port_desc ports[PROCESSES][2];
static int places[PROCESSES][1];
static struct dal_net whole;

static void describe_process(int i)
{
    int n = 0;
    if (i > 0)
        ports[i][n++] = (struct dal_port_desc){
            .name = "in", .channel = i < STAGES ? i - 1 : STAGES - 1, .rate = 1};
    if (i < STAGES - 1)
        ports[i][n++] = (struct dal_port_desc){.name = "out", .output = 1, .channel = i, .rate = 1};
    processes[i] =
        (struct dal_process_desc){.name = process_names[i],
                                  .base = process_names[i],
                                  .kind = draw_chance(3) ? DAL_PROCESS_C : DAL_PROCESS_KPN,
                                  .processors = places[i],
                                  .processor_count = 1,
                                  .code = i == 0            ? &source
                                          : i == STAGES - 1 ? &sink
                                          : i == STAGES     ? &reader
                                                            : &stage,
                                  .shadow_copies = 1,
                                  .block = 1 + draw_chance(8),
                                  .ports = ports[i],
                                  .port_count = n};
}

static void describe_channel(int i, uint64_t capacity)
{
    int from = i < STAGES - 1 ? i : 0, to = i + 1;
    channels[i] = (struct dal_channel_desc){
        .name = process_names[to],
        .kind = places[from][0] == places[to][0] ? DAL_CHANNEL_CORES : DAL_CHANNEL_REMOTE,
        .producer = from,
        .consumer = to,
        .capacity = capacity,
        .token_bytes = 8,
        .rate_in = 1,
        .rate_out = 1,
        .initial_tokens = i == STAGES - 1 ? 2 : 0};
}

/* Of so many ranks, all of which have a process. */
static void describe_net(int ranks)
{
    uint64_t shared = 2 + draw_chance(20);
    int i;
    for (i = 0; i < PROCESSES; i++)
        places[i][0] = i < ranks ? i : (int)draw_chance((unsigned)ranks);
    for (i = 0; i < PROCESSES; i++)
        describe_process(i);
    for (i = 0; i < PROCESSES - 1; i++)
        describe_channel(i, i == 0 || i == STAGES - 1 ? shared : 1 + draw_chance(20));
    channels[0].next_of_port = STAGES - 1;
    for (i = 0; i < ranks; i++)
        processors[i] = (struct dal_processor_desc){
            .name = node_names[i], .kind = DAL_PROCESSOR_CORE, .core = -1, .node = i};
    whole = (struct dal_net){.version = DAL_NET_VERSION,
                             .name = "chain",
                             .processors = processors,
                             .processor_count = ranks,
                             .processes = processes,
                             .process_count = PROCESSES,
                             .channels = channels,
                             .channel_count = PROCESSES - 1,
                             .queue_depth = 4,
                             .policy = "fcfs",
                             .nodes = node_names,
                             .node_count = ranks,
                             .transport = &fake};
    rank_count = ranks;
    received = read_aside = wrong = enough = 0;
    failing = 0;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t joined;
static int results[RANKS];
static unsigned long fail_allocation;

static int install_rank(struct dal_network **network, struct dal_nodes *nodes)
{
    struct dal_network_options options = {.nodes = nodes, .part = &nodes->part.net};
    int status;
    pthread_mutex_lock(&installing);
    status = dal_network_create(network, &whole, &options);
    pthread_mutex_unlock(&installing);
    return dal_nodes_ready(nodes, status);
}

/* As rt/app/main.c. */
static void *run_rank(void *argument)
{
    struct dal_network *network = NULL;
    struct dal_nodes *nodes;
    int status = dal_nodes_join(&nodes, &whole, "test");
    (void)argument;
    if (status < 0) /* nothing of it fails */
        abort();
    pthread_barrier_wait(&joined);
    if (nodes->link->rank == 0) {
        pthread_mutex_lock(&lock);
        armed = 1;
        pthread_mutex_unlock(&lock);
        dal_alloc_fail_at(fail_allocation);
    }
    pthread_barrier_wait(&joined);
    status = install_rank(&network, nodes);
    if (status == DAL_OK)
        status = dal_network_run(network);
    results[nodes->link->rank] = status;
    dal_nodes_leave(nodes, status);
    pthread_mutex_lock(&installing);
    dal_network_destroy(network);
    pthread_mutex_unlock(&installing);
    dal_nodes_destroy(nodes);
    return NULL;
}

static void run_ranks(void)
{
    pthread_t threads[RANKS];
    int i;
    pthread_barrier_init(&joined, NULL, (unsigned)rank_count);
    for (i = 0; i < rank_count; i++)
        pthread_create(&threads[i], NULL, run_rank, NULL);
    for (i = 0; i < rank_count; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&joined);
    dal_alloc_fail_at(0);
    forget_all();
}

static int all_are(int status)
{
    int i;
    for (i = 0; i < rank_count && results[i] == status; i++)
        ;
    return i == rank_count;
}

static long from_environment(const char *name, long usual)
{
    const char *text = getenv(name);
    return text ? atol(text) : usual;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_part(void)
{
    struct dal_part part;
    chance = 1;
    describe_net(2); /* source on a, one on b */
    places[2][0] = places[3][0] = places[4][0] = places[5][0] = 1;
    CU_ASSERT_EQUAL(dal_part_make(&part, &whole, 0), DAL_OK);
    CU_ASSERT_EQUAL(part.net.process_count, 2);
    CU_ASSERT_EQUAL(part.net.channel_count, 1); /* once for two readers */
    CU_ASSERT_STRING_EQUAL(part.net.processes[1].name, "one@b");
    CU_ASSERT_EQUAL(part.net.channels[0].initial_tokens, 0);
    CU_ASSERT_EQUAL(part.flow_count, 1);
    dal_part_finish(&part);
    CU_ASSERT_EQUAL(dal_part_make(&part, &whole, 1), DAL_OK);
    CU_ASSERT_EQUAL(part.net.process_count, 6);
    CU_ASSERT_EQUAL(part.net.channel_count, 5);
    CU_ASSERT_STRING_EQUAL(part.net.processes[5].name, "source@a");
    CU_ASSERT_EQUAL(part.net.channels[0].producer, 5);
    CU_ASSERT_EQUAL(part.net.channels[0].next_of_port, 1);
    CU_ASSERT_EQUAL(part.net.channels[1].initial_tokens, 2);
    CU_ASSERT_EQUAL(part.net.channels[1].consumer, 4);
    CU_ASSERT(part.flows[0].output && part.flows[0].courier == 5 && part.flows[0].node == 0);
    dal_part_finish(&part);
}

static void test_streams(void)
{
    long round, rounds = from_environment("DAL_TEST_ROUNDS", 60);
    for (round = 0; round < rounds; round++) {
        chance = (unsigned)round;
        describe_net(2 + (int)draw_chance(RANKS - 1));
        run_ranks();
        CU_ASSERT(all_are(DAL_OK));
        if (received != wanted || read_aside != wanted + 2 || wrong)
            printf("round %ld: %llu and %llu of %llu tokens, %llu wrong\n", round,
                   (unsigned long long)received, (unsigned long long)read_aside,
                   (unsigned long long)wanted, (unsigned long long)wrong);
        CU_ASSERT(received == wanted && read_aside == wanted + 2 && wrong == 0);
    }
}

/* Nobody reads any more: all nodes end, and in order. */
static void test_early_end(void)
{
    unsigned round;
    for (round = 0; round < 10; round++) {
        chance = round;
        describe_net(2 + (int)(round % (RANKS - 1)));
        enough = 50;
        run_ranks();
        CU_ASSERT(all_are(DAL_OK));
        CU_ASSERT(received == 50 && read_aside == 50 && wrong == 0);
    }
}

static void test_failing_process(void)
{
    unsigned round;
    int i;
    for (round = 0; round < 10; round++) {
        chance = round;
        describe_net(RANKS);
        failing = 1;
        run_ranks();
        for (i = 0; i < rank_count; i++)
            CU_ASSERT(results[i] == DAL_ERR_PROCESS || results[i] == DAL_ERR_NODE);
        CU_ASSERT(!all_are(DAL_ERR_NODE));
        CU_ASSERT_EQUAL(wrong, 0);
    }
}

/* All end, and either all are right or somebody says why not. */
static int run_fault(unsigned round)
{
    int i, failed = 0;
    chance = round;
    describe_net(2 + (int)(round % 2));
    for (i = 0; i < rank_count; i++)
        results[i] = DAL_ERR_NODE;
    run_ranks();
    for (i = 0; i < rank_count; i++)
        failed |= results[i] < 0;
    CU_ASSERT(failed || (received == wanted && wrong == 0));
    return failed;
}

static void test_failing_calls(void)
{
    uint64_t tokens = wanted;
    unsigned long n;
    int failed = 0;
    wanted = 200;
    for (n = 1; n < 3000; n += 1 + n / 6) {
        fail_at = n;
        failed += run_fault((unsigned)n);
    }
    CU_ASSERT(failed > 10);
    fail_at = 0;
    wanted = tokens;
}

static void test_failing_allocations(void)
{
    uint64_t tokens = wanted;
    unsigned long n;
    int failed = 0;
    wanted = 200;
    for (n = 1; n < 120; n += 1 + n / 16) {
        fail_allocation = n;
        failed += run_fault((unsigned)n);
    }
    CU_ASSERT(failed > 5);
    fail_allocation = 0;
    wanted = tokens;
}

int main(void)
{
    static const struct test tests[] = {
        {"a node's part", test_part},
        {"streams over nodes", test_streams},
        {"nobody reads any more", test_early_end},
        {"a process fails", test_failing_process},
        {"a call of the transport fails", test_failing_calls},
        {"memory runs out", test_failing_allocations},
    };
    wanted = (uint64_t)from_environment("DAL_TEST_TOKENS", 3000);
    return run_suite("nodes", tests, sizeof(tests) / sizeof(tests[0]));
}

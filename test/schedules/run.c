/*
 * Runs the network of random.c: paused, resumed, stopped and steered by another thread while it
 * runs, with those who look at it. Its devices are those of device.h. Over nodes, each rank is a
 * thread, on the transport of test/nodes/threads.h; how that delays and reorders is drawn with all
 * else.
 */
#include "rt/devices/devices.h"
#include "rt/nodes/end.h"
#include "rt/nodes/meet.h"
#include "rt/steer/steer.h"
#include "test/schedules/device.h"
#include "test/schedules/random.h"
#include "test/schedules/schedules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A rank; of a network on one node, the only one. */
struct member {
    struct run *run;
    struct dal_network *network;
    struct dal_nodes *nodes; /* NULL: it is the only one */
    struct random_dice dice;
    pthread_t thread;
    int status;
    _Atomic int over;
};

/* One of the networks that run at once, with its own numbers of processes. */
struct run {
    struct dal_net net;
    struct dal_process_desc processes[NODES];
    int indices[NODES][2];
    struct dal_kernel kernels[NODES];
    char kernel_names[NODES][NAME];
    struct dal_devices *devices;
    struct member members[RANKS];
    int number, stopped;
};

/* ---- what is done to it ---------------------------------------------------------------------- */

/* Proxies go on while all rest. */
static uint64_t sum_of_firings(const struct dal_network *network)
{
    uint64_t sum = 0;
    for (int i = 0; i < network->net->process_count; i++)
        if (!network->processes[i].ops->is_proxy)
            sum += dal_count_get(network->processes[i].firings);
    return sum;
}

/* Up to some milliseconds of the scheduler's time, mostly less. */
static void sleep_a_while(struct member *member)
{
    const struct timespec time = {
        .tv_nsec = 1 + random_below(&member->dice, 1 << random_below(&member->dice, 22))};
    nanosleep(&time, NULL);
}

static int await_still(struct member *member)
{
    const struct timespec nap = {.tv_nsec = 10000};
    while (!dal_control_still(&member->network->control)) {
        if (atomic_load(&member->over))
            return 0;
        nanosleep(&nap, NULL);
    }
    return 1;
}

static void pause_once(struct member *member)
{
    struct dal_control *control = &member->network->control;
    dal_control_pause(control);
    if (await_still(member)) {
        uint64_t fired = sum_of_firings(member->network);
        sleep_a_while(member);
        if (sum_of_firings(member->network) != fired)
            dal_schedule_fail("a process fires while all rest");
    }
    dal_control_resume(control);
}

/* A live parameter, as a page or a socket sets it. */
static void steer_once(struct member *member, int value)
{
    const struct dal_net *net = member->network->net;
    char line[64], answer[200];
    snprintf(line, sizeof(line), "%s.live=%d",
             net->processes[random_below(&member->dice, net->process_count)].name, value);
    dal__steer_line(member->network, line, answer, sizeof(answer));
}

/* As a controller does it, and a user. */
static void *disturb(void *argument)
{
    struct member *member = argument;
    int i, times = random_below(&member->dice, 8);
    for (i = 1; i <= times && !atomic_load(&member->over); i++) {
        sleep_a_while(member);
        if (random_once(&member->dice, 2))
            pause_once(member);
        else
            steer_once(member, i);
    }
    if (member->run->stopped && random_once(&member->dice, 2)) {
        sleep_a_while(member);
        dal_control_stop(&member->network->control);
    }
    return NULL;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static int is_used(int processor)
{
    for (int i = 0; i < net.process_count; i++)
        for (int k = 0; k < nodes[i].core_count; k++)
            if (nodes[i].cores[k] == processor)
                return 1;
    return 0;
}

/* The network takes them as if they had been kept from another. */
static int open_devices(struct run *run)
{
    struct dal_device_wish wishes[LATE_DEVICES];
    int count = 0;
    run->devices = NULL;
    for (int i = 0; i < net.processor_count; i++)
        if (net.processors[i].kind == DAL_PROCESSOR_OPENCL && is_used(i))
            wishes[count++] = (struct dal_device_wish){&late_backend, net.processors[i].identifier,
                                                       net.processors[i].name};
    return count ? dal_devices_open(&run->devices, wishes, count, 1, DAL_LOG_ERROR) : DAL_OK;
}

static int create_network(struct member *member)
{
    static const struct dal_monitor_limits limits = {.stall_ns = INT64_C(100000000000),
                                                     .device_ns = INT64_C(4000000000),
                                                     .runs_too = 1,
                                                     .growth_bytes = 1 << 30};
    struct dal_nodes *nodes = member->nodes;
    struct run *run = member->run;
    const struct dal_network_options options = {.limits = &limits,
                                                .nodes = nodes,
                                                .part = nodes ? &nodes->part.net : NULL,
                                                .devices = nodes ? NULL : &run->devices};
    int status = nodes ? DAL_OK : open_devices(run);
    return status < 0 ? status : dal_network_create(&member->network, &run->net, &options);
}

static int install_member(struct member *member)
{
    static pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;
    int status;
    pthread_mutex_lock(&installing);
    status = create_network(member);
    /* Where devices call back, the handler needs no look by itself. */
    if (status == DAL_OK && member->run->devices && traits.calls_back &&
        random_once(&member->dice, 2))
        dal_schedule_plant(DAL_SCHEDULE_FOR_EVER, &member->network->handler.wake->sequence, 0);
    pthread_mutex_unlock(&installing);
    return member->nodes ? dal_nodes_ready(member->nodes, status) : status;
}

static int run_installed(struct member *member)
{
    pthread_t disturber;
    int status;
    if (pthread_create(&disturber, NULL, disturb, member))
        dal_schedule_fail("no thread");
    status = dal_network_run(member->network);
    atomic_store(&member->over, 1);
    pthread_join(disturber, NULL);
    return status == DAL_OK ? dal_network_report(member->network) : status;
}

/* As rt/app/main.c. */
static void *run_member(void *argument)
{
    struct member *member = argument;
    int status = DAL_OK;
    if (rank_count > 1)
        status = dal_nodes_join(&member->nodes, &member->run->net, NULL, "random");
    if (status == DAL_OK)
        status = install_member(member);
    if (status == DAL_OK)
        status = run_installed(member);
    dal_nodes_leave(member->nodes, status);
    member->status = dal_nodes_verdict(member->nodes, status);
    return NULL;
}

static void check_node(const struct run *run, const struct node *node)
{
    const struct record *record = &records[run->number][node->index];
    char text[128];
    if (!node_is_recorded(node))
        return;
    for (uint64_t i = 0; i < record->count && i < FIRINGS; i++)
        if (i >= node->count || record->hashes[i] != node->expected[i]) {
            snprintf(text, sizeof(text), "process %s: firing %" PRIu64 " has read other tokens",
                     node->name, i);
            dal_schedule_fail(text);
        }
    if (!run->stopped && node->is_sink && record->count != node->count) {
        snprintf(text, sizeof(text), "process %s: %" PRIu64 " firings instead of %" PRIu64,
                 node->name, record->count, node->count);
        dal_schedule_fail(text);
    }
}

static void finish_run(struct run *run)
{
    char text[64];
    for (int i = 0; i < rank_count; i++)
        if (run->members[i].status < 0) {
            snprintf(text, sizeof(text), "the run ended with error %d", run->members[i].status);
            dal_schedule_fail(text);
        }
    for (int i = 0; i < net.process_count; i++)
        check_node(run, &nodes[i]);
    for (int i = 0; i < rank_count; i++) {
        dal_network_destroy(run->members[i].network);
        dal_nodes_destroy(run->members[i].nodes);
    }
    dal_devices_close(run->devices);
    if (left_behind || torn)
        dal_schedule_fail("a link was closed with messages under way");
}

static void prepare_run(struct run *run, int number, uint64_t of)
{
    run->net = net;
    run->net.processes = run->processes;
    run->number = number;
    for (int i = 0; i < rank_count; i++) {
        run->members[i].run = run;
        random_seed(&run->members[i].dice, of + (uint64_t)(number + 2 * i));
    }
    run->stopped = random_once(&run->members[0].dice, 6);
    nap_ms[number] = random_once(&run->members[0].dice, 8) ? 4500 : 0;
    for (int i = 0; i < net.process_count; i++) {
        run->indices[i][0] = i;
        run->indices[i][1] = number;
        run->processes[i] = net.processes[i];
        run->processes[i].index = run->indices[i];
        snprintf(run->kernel_names[i], NAME, "%d %d", i, number);
        run->kernels[i] = (struct dal_kernel){.name = run->kernel_names[i], .file = "random"};
        run->processes[i].kernel = nodes[i].on_device ? &run->kernels[i] : NULL;
    }
}

/* Statistics, times, a trace with levels, lines of progress: each now and then. */
static void draw_observers(uint64_t of)
{
    static const char *const settings[][2] = {{"DAL_STATS", "/dev/null"},
                                              {"DAL_TIMES", "/dev/null"},
                                              {"DAL_TRACE", "/dev/null"},
                                              {"DAL_PROGRESS", "0.01"}};
    struct random_dice dice;
    random_seed(&dice, of);
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
        if (random_once(&dice, 4))
            setenv(settings[i][0], settings[i][1], 1);
        else
            unsetenv(settings[i][0]);
}

/* Two networks at once only on one node: the transport has one. */
void network_run(uint64_t of)
{
    static struct run runs[RECORDED_HERE];
    int count = rank_count == 1 && of % 8 == 0 ? 2 : 1;
    chance = (unsigned)of;
    slowest = of % 3 ? 0 : 1u << (of / 3 % 12);
    draw_observers(of);
    late_draw(&traits, of);
    for (int i = 0; i < count; i++)
        prepare_run(&runs[i], i, of);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rank_count; k++)
            if (pthread_create(&runs[i].members[k].thread, NULL, run_member, &runs[i].members[k]))
                dal_schedule_fail("no thread");
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rank_count; k++)
            pthread_join(runs[i].members[k].thread, NULL);
    for (int i = 0; i < count; i++)
        finish_run(&runs[i]);
}

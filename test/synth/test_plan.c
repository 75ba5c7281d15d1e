/*
 * Choices of a plan that no expected tree shows: which processes of a device are launched as one,
 * and how many firings a size that is given leaves to a launch. A chain of kernels is loaded, and
 * one thing of its mapping is made otherwise.
 */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "spec/analyse/graph.h"
#include "spec/load/load.h"
#include "synth/plan/choose.h"
#include "synth/plan/plan.h"
#include "test/analyze/sdf_build.h"
#include "test/suite.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static struct dal_diags diags;
static struct dal_spec *spec;
static struct dal_plan *plan;

static void load(void)
{
    static const char *const files[] = {"chain.xml", "rack.xml", "spread.xml"};
    const char *root = getenv("DAL_SRCDIR");
    char paths[3][PATH_MAX];
    for (int i = 0; i < 3; i++)
        snprintf(paths[i], PATH_MAX, "%s/test/synth/golden/%s", root ? root : ".", files[i]);
    dal_diags_init(&diags);
    spec = dal_spec_load(&diags, paths[0], paths[1], paths[2], NULL, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(spec);
}

static void make_plan(void)
{
    plan = dal_plan_create(spec);
    CU_ASSERT_FATAL(plan && !dal_plan_place(&diags, plan) && !dal_plan_choose(&diags, plan) &&
                    !dal_plan_order(plan) && !dal_plan_groups(plan));
}

static void finish(void)
{
    dal_plan_destroy(plan);
    dal_spec_destroy(spec);
    dal_diags_finish(&diags);
}

static struct dal_spec_process *process_of(const char *name)
{
    for (size_t i = 0; i < spec->network.process_count; i++)
        if (strcmp(spec->network.processes[i].name, name) == 0)
            return &spec->network.processes[i];
    CU_FAIL_FATAL("no such process");
    return NULL;
}

static struct dal_plan_process *planned(const char *name)
{
    return &plan->processes[process_of(name)->number];
}

/* The first two kernels are on one device. Why the second is in no group, or "". */
static const char *apart(void)
{
    const char *reason = planned("Kernel_1")->apart;
    CU_ASSERT_EQUAL(plan->device_group_count, reason == NULL);
    return reason ? reason : "";
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void together(void)
{
    load();
    make_plan();
    CU_ASSERT_STRING_EQUAL(apart(), "");
    CU_ASSERT_PTR_EQUAL(planned("Kernel_0")->group, planned("Kernel_1")->group);
    CU_ASSERT_PTR_NULL(planned("Kernel_2")->group);
    finish();
}

/* The task queue could not serve one before the other. */
static void priorities(void)
{
    load();
    process_of("Kernel_1")->priority = 5;
    make_plan();
    CU_ASSERT_STRING_EQUAL(apart(), "Kernel_0 has another priority");
    finish();
}

static void effects(void)
{
    load();
    process_of("Kernel_1")->io = 1;
    make_plan();
    CU_ASSERT_STRING_EQUAL(apart(), "Kernel_1 has effects outside of the network");
    finish();
}

/* ---- kinds of channels ----------------------------------------------------------------------- */

/* Binds a kernel to two devices, which take turns with blocks of 16 firings. */
static void spread(struct dal_spec_binding *b)
{
    struct dal_spec_processor **both = dal_calloc(2, sizeof(struct dal_spec_processor *));
    CU_ASSERT_PTR_NOT_NULL_FATAL(both);
    both[0] = &spec->architecture.processors[3];
    both[1] = &spec->architecture.processors[4];
    dal_free(b->processors);
    b->processors = both;
    b->processor_count = 2;
}

static enum dal_channel_kind kind_between(uint64_t initial_tokens)
{
    enum dal_channel_kind kind;
    struct dal_spec_channel *into;
    load();
    into = process_of("Kernel_4")->ports[0].channel;
    into->initial_tokens = initial_tokens;
    spread(&spec->mapping.bindings[process_of("Kernel_3")->number]);
    spread(&spec->mapping.bindings[process_of("Kernel_4")->number]);
    plan = dal_plan_create(spec);
    CU_ASSERT_FATAL(plan && !dal_plan_place(&diags, plan));
    CU_ASSERT_EQUAL(planned("Kernel_3")->shadow_copies, 16);
    kind = plan->channels[into->number].kind;
    finish();
    return kind;
}

/* Initial tokens shift what is in a block to the next device. A whole block may go there, and no
 * more. */
static void shifted_blocks(void)
{
    CU_ASSERT_EQUAL(kind_between(0), DAL_CHANNEL_DEVICE);
    CU_ASSERT_EQUAL(kind_between(16), DAL_CHANNEL_DEVICE);
    CU_ASSERT_EQUAL(kind_between(17), DAL_CHANNEL_STAGED);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Of a given size a launch gets a quarter, so that a core can fill the next ones meanwhile; between
 * two processes of a device all of it. */
static void given_size(void)
{
    struct dal_plan_work work;
    load();
    process_of("Kernel_0")->ports[0].channel->capacity = 64;
    make_plan();
    work = dal_plan_work_of(plan, planned("Kernel_0"));
    CU_ASSERT_EQUAL(work.most, 64 / 4);
    CU_ASSERT_STRING_EQUAL(work.limit, "into_0");
    finish();
    load();
    process_of("Kernel_1")->ports[0].channel->capacity = 64;
    plan = dal_plan_create(spec);
    CU_ASSERT_FATAL(plan && !dal_plan_place(&diags, plan));
    work = dal_plan_work_of(plan, planned("Kernel_1"));
    CU_ASSERT_EQUAL(work.most, 64);
    CU_ASSERT_STRING_EQUAL(work.limit, "into_1");
    finish();
}

/* What a core moves at once. */
static uint64_t block_of(const struct dal_plan_process *p)
{
    return dal_least(DAL_PLAN_BLOCK_BYTES / dal_plan_window_bytes(p->process),
                     DAL_PLAN_BLOCK_FIRINGS);
}

/* Of the channel from the last kernel to a core: tokens that both ends move. */
static uint64_t moved_at_end(const struct dal_plan_channel *ch)
{
    return 2 * dal_plan_launch_firings(planned("Kernel_4")) * ch->channel->rate_in +
           block_of(planned("Last")) * ch->channel->rate_out;
}

static const struct dal_plan_channel *plan_end(void)
{
    make_plan();
    CU_ASSERT_EQUAL_FATAL(dal_plan_capacities(&diags, plan), DAL_OK);
    return &plan->channels[process_of("Last")->ports[0].channel->number];
}

/* A device has a launch in flight and the next one being filled. */
static void open_size(void)
{
    const struct dal_plan_channel *ch;
    load();
    ch = plan_end();
    CU_ASSERT_EQUAL(ch->fastest, 0);
    CU_ASSERT_EQUAL(ch->capacity, dal_spec_least_capacity(ch->channel) + moved_at_end(ch));
    finish();
}

/* What the least period needs has one firing at each end in it. */
static void open_size_with_times(void)
{
    const struct dal_plan_channel *ch;
    load();
    for (size_t i = 0; i < spec->network.process_count; i++)
        spec->network.processes[i].execution_time = (struct dal_spec_execution_time){
            .is_given = 1, .is_measured = 1, .units = 5000, .mean_ns = 5000};
    ch = plan_end();
    CU_ASSERT(ch->fastest > 0);
    CU_ASSERT_EQUAL(ch->capacity + ch->channel->rate_in + ch->channel->rate_out,
                    ch->fastest + moved_at_end(ch));
    finish();
}

/* ---- networks of nothing but rates ----------------------------------------------------------- */

/* Compares the priorities that a policy gives to processes of devices. Trees, and a cycle
 * that leads to a process in C:
 *
 *     0 -> 1 -> 2    0 -> 3    4 -> 5    4 -> 7    6 -> 7 -> 6    6 -> 8
 */
static void check_priorities(const char *policy, const int *wanted)
{
    static const struct edge edges[] = {{6, 7, 1, 1, 0}, {7, 6, 1, 1, 1}, {1, 2, 1, 1, 0},
                                        {0, 1, 1, 1, 0}, {0, 3, 1, 1, 0}, {4, 5, 1, 1, 0},
                                        {6, 8, 1, 1, 0}, {4, 7, 1, 1, 0}};
    static const struct {
        int process;
        uint64_t deadline_ns;
    } periodic[] = {{2, 4000000}, {3, 1000000}, {4, 2000000}, {8, 5000000}};
    struct dal_spec *rates = build_spec(9, edges, 8);
    struct dal_plan_process processes[9] = {{0}};
    struct dal_plan small = {
        .spec = rates, .processes = processes, .process_count = 9, .policy = policy};
    for (int i = 0; i < 4; i++)
        rates->network.processes[periodic[i].process].periodic = (struct dal_spec_period){
            .period_ns = 10000000, .deadline_ns = periodic[i].deadline_ns, .repetitions = 1};
    for (int i = 0; i < 9; i++)
        processes[i] = (struct dal_plan_process){
            .process = &rates->network.processes[i], .device = i != 8, .priority = 3};
    CU_ASSERT_EQUAL(repetitions(rates), DAL_OK);
    CU_ASSERT_EQUAL_FATAL(dal_plan_order(&small), DAL_OK);
    CU_ASSERT_EQUAL(dal_plan_priorities(&small), DAL_OK);
    for (int i = 0; i < 9; i++)
        CU_ASSERT_EQUAL(processes[i].priority, wanted[i]);
    dal_free(small.order);
    dal_spec_destroy(rates);
}

/* C has no place in the task queue: the last one keeps its number. */
static void priorities_given(void)
{
    static const int wanted[] = {3, 3, 3, 3, 3, 3, 3, 3, 3};
    check_priorities("priority", wanted);
    check_priorities("fcfs", wanted);
}

/* The way to the end that is longest: the more is behind a process, the sooner it is served. */
static void priorities_by_level(void)
{
    static const int wanted[] = {2, 1, 0, 0, 1, 0, 1, 0, 3};
    check_priorities("level", wanted);
}

/* Microseconds, the least of those that a process leads to. Without one, that of where its tokens
 * come from. */
static void priorities_by_deadline(void)
{
    static const int wanted[] = {-1000, -4000, -4000, -1000, -2000, -2000, -5000, -5000, 3};
    check_priorities("deadline", wanted);
}

/* In a cycle nobody is without an edge to it: the first process of the network is looked at first.
 */
static void order_in_cycle(void)
{
    static const struct edge edges[] = {{0, 1, 1, 2, 1}, {1, 0, 2, 1, 1}};
    struct dal_spec *rates = build_spec(2, edges, 2);
    struct dal_plan small = {.spec = rates, .process_count = 2};
    CU_ASSERT_EQUAL(repetitions(rates), DAL_OK);
    CU_ASSERT_EQUAL_FATAL(dal_plan_order(&small), DAL_OK);
    CU_ASSERT_EQUAL(small.order[0], 0);
    CU_ASSERT_EQUAL(small.order[1], 1);
    dal_free(small.order);
    dal_spec_destroy(rates);
}

/* The way by the second process holds 3/2 + 1 iterations, the channel beside it one of 3 tokens: it
 * lacks 4.5 tokens, and gets 5. */
static void room_beside_longer_way(void)
{
    static const struct edge edges[] = {{0, 1, 2, 2, 0}, {1, 2, 2, 2, 0}, {0, 2, 3, 3, 0}};
    static const uint64_t capacities[] = {3, 2, 3}, balanced[] = {3, 2, 8};
    struct dal_spec *rates = build_spec(3, edges, 3);
    struct dal_plan_process processes[3] = {{0}};
    struct dal_plan_channel channels[3] = {{0}};
    struct dal_plan small = {.spec = rates,
                             .processes = processes,
                             .process_count = 3,
                             .channels = channels,
                             .channel_count = 3};
    CU_ASSERT_EQUAL(repetitions(rates), DAL_OK);
    for (size_t i = 0; i < 3; i++) {
        processes[i].process = &rates->network.processes[i];
        channels[i].channel = &rates->network.channels[i];
        channels[i].capacity = capacities[i];
        channels[i].capacity_reason = dal_strdup("given");
    }
    CU_ASSERT_EQUAL(dal_plan_balance(&small), DAL_OK);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(channels[i].capacity, balanced[i]);
        dal_free(channels[i].capacity_reason);
    }
    dal_spec_destroy(rates);
}

int main(void)
{
    static const struct test tests[] = {
        {"two kernels of a device are launched as one", together},
        {"not of different priority", priorities},
        {"not with effects outside", effects},
        {"a block of initial tokens between devices", shifted_blocks},
        {"a quarter of a given size", given_size},
        {"a size for two launches", open_size},
        {"a size where times are known", open_size_with_times},
        {"priorities that are given stay", priorities_given},
        {"priorities by the level of the graph", priorities_by_level},
        {"priorities by deadlines", priorities_by_deadline},
        {"the first of a cycle is first", order_in_cycle},
        {"room for what is on a longer way, rounded up", room_beside_longer_way},
    };
    return run_suite("plan", tests, sizeof(tests) / sizeof(tests[0]));
}

/* The device and each one behind it in the list: what two devices of a backend do together. */
#include "test/backend/bench.h"

#include <string.h>

static const char text[] = "__kernel void twice(__global int *to, __global const int *from)\n"
                           "{ int i = (int)get_global_id(0); to[i] = 2 * from[i] + 1; }\n";

enum { COUNT = 512, BYTES = COUNT * sizeof(int) };

/* A kernel of the second reads what the first has, where it is. */
static void read_there(struct rig *rig)
{
    int out[COUNT], in[COUNT], wrong = 0;
    dal_memory there, here = NULL;
    dal_function function;
    there = new_memory(rig, BYTES);
    for (int i = 0; i < COUNT; i++)
        out[i] = 11 * i;
    write_now(rig, there, 0, out, BYTES);
    rig->device = rig->devices[1];
    rig->commands = rig->queues[1];
    here = new_memory(rig, BYTES);
    function = new_function(rig, text, "twice");
    CU_ASSERT(bench.backend->set_memory(function, &loud, 0, here) == DAL_OK);
    CU_ASSERT(bench.backend->set_memory(function, &loud, 1, there) == DAL_OK);
    launch_1(rig, function, COUNT, 64);
    read_now(rig, here, 0, in, BYTES);
    for (int i = 0; i < COUNT; i++)
        wrong += in[i] != 22 * i + 1;
    CU_ASSERT(wrong == 0);
    bench.backend->function_free(function);
    free_memory(rig, here);
    rig->device = rig->devices[0];
    rig->commands = rig->queues[0];
    free_memory(rig, there);
}

/* The same bytes go from one to the other and back, through the host; one event each way. */
static void hand_over(struct rig *rig)
{
    int out[COUNT], in[COUNT], between[COUNT];
    dal_memory memory[2];
    fill((unsigned char *)out, BYTES, 5);
    for (int i = 0; i < 2; i++) {
        rig->device = rig->devices[i];
        memory[i] = new_memory(rig, BYTES);
    }
    write_now(rig, memory[0], 0, out, BYTES);
    read_now(rig, memory[0], 0, between, BYTES);
    rig->commands = rig->queues[1];
    write_now(rig, memory[1], 0, between, BYTES);
    read_now(rig, memory[1], 0, in, BYTES);
    CU_ASSERT(memcmp(in, out, BYTES) == 0);
    for (int i = 0; i < 2; i++) {
        rig->device = rig->devices[i];
        rig->commands = rig->queues[i];
        free_memory(rig, memory[i]);
    }
    rig->device = rig->devices[0];
    rig->commands = rig->queues[0];
}

/* A copy of the first waits for a kernel of the second, round after round. */
static void wait_there(struct rig *rig)
{
    enum { ROUNDS = 40 };
    const struct dal_launch launch = {1, {COUNT, 1, 1}, {64, 1, 1}};
    static int in[ROUNDS][COUNT];
    int out[COUNT] = {0}, wrong = 0;
    dal_memory a = new_memory(rig, BYTES), b = new_memory(rig, BYTES);
    dal_function function;
    dal_event done, back;
    write_now(rig, a, 0, out, BYTES);
    rig->device = rig->devices[1];
    function = new_function(rig, text, "twice");
    rig->device = rig->devices[0];
    CU_ASSERT(bench.backend->set_memory(function, &loud, 0, b) == DAL_OK);
    CU_ASSERT(bench.backend->set_memory(function, &loud, 1, a) == DAL_OK);
    for (int r = 0; r < ROUNDS; r++) {
        CU_ASSERT_FATAL(bench.backend->launch(rig->queues[1], &loud, function, &launch, NULL, 0,
                                              &done) == DAL_OK);
        CU_ASSERT(bench.backend->flush(rig->queues[1], &loud) == DAL_OK);
        CU_ASSERT(bench.backend->barrier(rig->queues[0], &loud, &done, 1) == DAL_OK);
        CU_ASSERT(bench.backend->copy(rig->queues[0], &loud, b, 0, a, 0, BYTES, NULL) == DAL_OK);
        CU_ASSERT(bench.backend->read(rig->queues[0], &loud, a, 0, in[r], BYTES, NULL, 0, NULL) ==
                  DAL_OK);
        CU_ASSERT_FATAL(bench.backend->marker(rig->queues[0], &loud, &back) == DAL_OK);
        CU_ASSERT(bench.backend->flush(rig->queues[0], &loud) == DAL_OK);
        CU_ASSERT(bench.backend->barrier(rig->queues[1], &loud, &back, 1) == DAL_OK);
        bench.backend->release(done);
        bench.backend->release(back);
    }
    bench.backend->finish(rig->queues[0], &loud);
    bench.backend->finish(rig->queues[1], &loud);
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < COUNT; i++)
            wrong += in[r][i] != (int)((2u << (unsigned)r % 32) - 1) && r < 30;
    CU_ASSERT(wrong == 0);
    bench.backend->function_free(function);
    free_memory(rig, a);
    free_memory(rig, b);
}

static void test_pairs(void)
{
    for (int other = bench.number; other < (int)bench.list->count; other++) {
        const int numbers[] = {bench.number, other};
        struct rig rig;
        int shared;
        rig_begin_with(&rig, numbers, 2, 0);
        shared = bench.backend->share_memory(rig.devices[0], rig.devices[1]);
        CU_ASSERT(shared == bench.backend->share_memory(rig.devices[1], rig.devices[0]));
        CU_ASSERT(shared == dal_device_share_memory(rig.devices[0], rig.devices[1]));
        hand_over(&rig);
        if (shared)
            read_there(&rig);
        if (shared && rig.devices[0]->context == rig.devices[1]->context &&
            rig.devices[0]->info.traits.foreign_events &&
            rig.devices[1]->info.traits.foreign_events)
            wait_there(&rig);
        rig_end(&rig);
    }
}

const struct test pair_tests[] = {{"pairs of devices", test_pairs}, {0}};

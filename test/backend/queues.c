/* Queues, events and times. */
#include "test/backend/bench.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

static const char steps[] =
    "__kernel void onwards(__global int *to, __global const int *from, int n)\n"
    "{ int i = (int)get_global_id(0); to[i] = from[i] * 3 + n; }\n";

enum { COUNT = 64, BYTES = COUNT * sizeof(int) };

static void set_step(dal_function function, dal_memory to, dal_memory from, int n)
{
    CU_ASSERT(bench.backend->set_memory(function, &loud, 0, to) == DAL_OK);
    CU_ASSERT(bench.backend->set_memory(function, &loud, 1, from) == DAL_OK);
    CU_ASSERT(bench.backend->set_value(function, &loud, 2, sizeof(n), &n) == DAL_OK);
}

/* Each command needs what the one before it left; arguments are those of the time of the launch. */
static void test_in_order(void)
{
    enum { ROUNDS = 150 };
    static int uploads[ROUNDS][COUNT], downloads[ROUNDS][COUNT];
    int expected[COUNT] = {0}, wrong = 0;
    struct rig rig;
    dal_memory a, b;
    dal_function function;
    rig_begin(&rig, 0);
    a = new_memory(&rig, BYTES);
    b = new_memory(&rig, BYTES);
    function = new_function(&rig, steps, "onwards");
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; r % 10 == 0 && i < COUNT; i++)
            uploads[r][i] = r + i;
        if (r % 10 == 0)
            CU_ASSERT(bench.backend->write(rig.commands, &loud, a, 0, uploads[r], BYTES, 0, NULL) ==
                      DAL_OK);
        set_step(function, b, a, r);
        launch_1(&rig, function, COUNT, 16);
        CU_ASSERT(bench.backend->copy(rig.commands, &loud, b, 0, a, 0, BYTES, NULL) == DAL_OK);
        CU_ASSERT(bench.backend->read(rig.commands, &loud, a, 0, downloads[r], BYTES, NULL, 0,
                                      NULL) == DAL_OK);
        if (r % 17 == 0)
            CU_ASSERT(bench.backend->flush(rig.commands, &loud) == DAL_OK);
    }
    CU_ASSERT(bench.backend->finish(rig.commands, &loud) == DAL_OK);
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < COUNT; i++) {
            expected[i] =
                (int)((unsigned)(r % 10 == 0 ? uploads[r][i] : expected[i]) * 3u + (unsigned)r);
            wrong += downloads[r][i] != expected[i];
        }
    CU_ASSERT(wrong == 0);
    bench.backend->function_free(function);
    free_memory(&rig, a);
    free_memory(&rig, b);
    rig_end(&rig);
}

/* The same commands again and again, with another value now and then: a backend may have recorded
 * them. */
static void test_again(void)
{
    enum { ROUNDS = 40, STEPS = 18 };
    unsigned expected[COUNT], in[COUNT];
    struct rig rig;
    dal_memory memory[2];
    dal_function function;
    rig_begin(&rig, 0);
    for (int i = 0; i < 2; i++)
        memory[i] = new_memory(&rig, BYTES);
    function = new_function(&rig, steps, "onwards");
    for (unsigned i = 0; i < COUNT; i++)
        expected[i] = i;
    write_now(&rig, memory[0], 0, expected, BYTES);
    for (int r = 0; r < ROUNDS; r++) {
        int n = r % 5 == 4 ? r : 1;
        for (int step = 0; step < STEPS; step++) {
            set_step(function, memory[1 - step % 2], memory[step % 2], n);
            launch_1(&rig, function, COUNT, r % 7 == 6 ? 8 : 16);
        }
        CU_ASSERT(bench.backend->copy(rig.commands, &loud, memory[0], 0, memory[1], 0, BYTES,
                                      NULL) == DAL_OK);
        CU_ASSERT(bench.backend->flush(rig.commands, &loud) == DAL_OK);
        for (unsigned i = 0; i < STEPS * COUNT; i++)
            expected[i % COUNT] = expected[i % COUNT] * 3 + (unsigned)n;
        if (r % 3)
            continue;
        read_now(&rig, memory[1], 0, in, BYTES);
        CU_ASSERT(memcmp(in, expected, BYTES) == 0);
    }
    bench.backend->function_free(function);
    for (int i = 0; i < 2; i++)
        free_memory(&rig, memory[i]);
    rig_end(&rig);
}

static void wait_for(dal_event event)
{
    enum dal_event_state state = DAL_EVENT_PENDING;
    while (state != DAL_EVENT_COMPLETE)
        CU_ASSERT_FATAL(bench.backend->state(event, &loud, &state) == DAL_OK);
}

static void test_markers(void)
{
    int out[COUNT], in[COUNT];
    struct rig rig;
    dal_memory memory;
    dal_event event, empty;
    enum dal_event_state state;
    rig_begin(&rig, 0);
    memory = new_memory(&rig, BYTES);
    CU_ASSERT_FATAL(bench.backend->marker(rig.commands, &loud, &empty) == DAL_OK);
    for (int r = 0; r < 50; r++) {
        fill((unsigned char *)out, BYTES, (unsigned)r);
        CU_ASSERT(bench.backend->write(rig.commands, &loud, memory, 0, out, BYTES, 0, NULL) ==
                  DAL_OK);
        CU_ASSERT(bench.backend->read(rig.commands, &loud, memory, 0, in, BYTES, NULL, 0, NULL) ==
                  DAL_OK);
        CU_ASSERT_FATAL(bench.backend->marker(rig.commands, &loud, &event) == DAL_OK);
        bench.backend->retain(event);
        CU_ASSERT(bench.backend->flush(rig.commands, &loud) == DAL_OK);
        wait_for(event);
        CU_ASSERT(memcmp(in, out, BYTES) == 0);
        bench.backend->release(event);
        CU_ASSERT(bench.backend->state(event, &loud, &state) == DAL_OK);
        CU_ASSERT(state == DAL_EVENT_COMPLETE);
        bench.backend->release(event);
    }
    wait_for(empty);
    bench.backend->release(empty);
    free_memory(&rig, memory);
    rig_end(&rig);
}

/* How a command of the other queue waits. */
enum wait { WAIT_LAUNCH, WAIT_BARRIER, WAIT_READ, WAITS };

/* A round: the first queue writes and computes, the second computes on and reads. */
static void cross(struct rig *rig, dal_function *functions, dal_memory *memory, enum wait wait,
                  int round, const int *out, int *in)
{
    const struct dal_launch launch = {1, {COUNT, 1, 1}, {16, 1, 1}};
    dal_event first, second;
    int launches = wait == WAIT_LAUNCH, reads = wait == WAIT_READ;
    CU_ASSERT(bench.backend->write(rig->queues[0], &loud, memory[0], 0, out, BYTES, 0, NULL) ==
              DAL_OK);
    set_step(functions[0], memory[1], memory[0], round);
    CU_ASSERT_FATAL(bench.backend->launch(rig->queues[0], &loud, functions[0], &launch, NULL, 0,
                                          &first) == DAL_OK);
    CU_ASSERT(bench.backend->flush(rig->queues[0], &loud) == DAL_OK);
    if (wait == WAIT_BARRIER)
        CU_ASSERT(bench.backend->barrier(rig->queues[1], &loud, &first, 1) == DAL_OK);
    if (!reads) {
        set_step(functions[1], memory[0], memory[1], round);
        CU_ASSERT(bench.backend->launch(rig->queues[1], &loud, functions[1], &launch,
                                        launches ? &first : NULL, (unsigned)launches,
                                        NULL) == DAL_OK);
    }
    CU_ASSERT(bench.backend->read(rig->queues[1], &loud, memory[reads], 0, in, BYTES,
                                  reads ? &first : NULL, (unsigned)reads, NULL) == DAL_OK);
    CU_ASSERT_FATAL(bench.backend->marker(rig->queues[1], &loud, &second) == DAL_OK);
    CU_ASSERT(bench.backend->flush(rig->queues[1], &loud) == DAL_OK);
    CU_ASSERT(bench.backend->barrier(rig->queues[0], &loud, &second, 1) == DAL_OK);
    bench.backend->release(first);
    bench.backend->release(second);
}

/* Rounds in which two queues go on in turns; nothing else keeps them in order. Events are released
 * while commands wait for them. */
static void check_crossings(const int *numbers, enum wait wait)
{
    enum { ROUNDS = 60 };
    static int out[ROUNDS][COUNT], in[ROUNDS][COUNT];
    int wrong = 0;
    struct rig rig;
    dal_function functions[2];
    dal_memory memory[2];
    rig_begin_with(&rig, numbers, 2, 0);
    for (int i = 0; i < 2; i++) {
        memory[i] = new_memory(&rig, BYTES);
        rig.device = rig.devices[i];
        functions[i] = new_function(&rig, steps, "onwards");
        rig.device = rig.devices[0];
    }
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < COUNT; i++)
            out[r][i] = 5 * r + i;
        cross(&rig, functions, memory, wait, r, out[r], in[r]);
    }
    CU_ASSERT(bench.backend->finish(rig.queues[0], &loud) == DAL_OK);
    CU_ASSERT(bench.backend->finish(rig.queues[1], &loud) == DAL_OK);
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < COUNT; i++) {
            int once = (5 * r + i) * 3 + r;
            wrong += in[r][i] != (wait == WAIT_READ ? once : once * 3 + r);
        }
    CU_ASSERT(wrong == 0);
    for (int i = 0; i < 2; i++) {
        bench.backend->function_free(functions[i]);
        free_memory(&rig, memory[i]);
    }
    rig_end(&rig);
}

static void test_crossings(void)
{
    const int numbers[] = {bench.number, bench.number};
    for (enum wait wait = 0; bench.info->traits.foreign_events && wait < WAITS; wait++)
        check_crossings(numbers, wait);
}

static void count_call(void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
}

/* Each call has its own data, however many there are. */
static void test_callbacks(void)
{
    enum { ROUNDS = 20 };
    atomic_int called[2] = {0};
    int out[COUNT] = {1};
    struct rig rig;
    dal_memory memory;
    dal_event event;
    rig_begin(&rig, 0);
    memory = new_memory(&rig, BYTES);
    for (int r = 0; bench.info->traits.calls_back && r < ROUNDS; r++) {
        CU_ASSERT(bench.backend->write(rig.commands, &loud, memory, 0, out, BYTES, 0, NULL) ==
                  DAL_OK);
        CU_ASSERT_FATAL(bench.backend->marker(rig.commands, &loud, &event) == DAL_OK);
        CU_ASSERT(bench.backend->flush(rig.commands, &loud) == DAL_OK);
        CU_ASSERT(bench.backend->call_back(event, &loud, count_call, &called[r / 2 % 2]) == DAL_OK);
        while (r % 2 && atomic_load(&called[0]) + atomic_load(&called[1]) <= r)
            sched_yield();
        bench.backend->release(event);
    }
    while (bench.info->traits.calls_back &&
           atomic_load(&called[0]) + atomic_load(&called[1]) < ROUNDS)
        sched_yield();
    for (int i = 0; i < 2; i++)
        CU_ASSERT(atomic_load(&called[i]) == (bench.info->traits.calls_back ? ROUNDS / 2 : 0));
    free_memory(&rig, memory);
    rig_end(&rig);
}

static void test_times(void)
{
    enum { ROUNDS = 30 };
    const struct dal_launch launch = {1, {COUNT, 1, 1}, {16, 1, 1}};
    struct dal_event_times times, last = {0};
    struct rig rig;
    dal_memory memory;
    dal_event events[ROUNDS];
    dal_function function;
    rig_begin(&rig, 1);
    memory = new_memory(&rig, BYTES);
    write_now(&rig, memory, 0, (int[COUNT]){0}, BYTES);
    function = new_function(&rig, steps, "onwards");
    set_step(function, memory, memory, 1);
    for (int r = 0; r < ROUNDS; r++) {
        CU_ASSERT_FATAL(bench.backend->launch(rig.commands, &loud, function, &launch, NULL, 0,
                                              &events[r]) == DAL_OK);
        if (r % 7 == 0)
            CU_ASSERT(bench.backend->flush(rig.commands, &loud) == DAL_OK);
    }
    CU_ASSERT(bench.backend->finish(rig.commands, &loud) == DAL_OK);
    for (int r = 0; r < ROUNDS; r++) {
        CU_ASSERT(bench.backend->times(events[r], &times) == DAL_OK);
        CU_ASSERT(times.queued <= times.begin && times.begin <= times.end);
        CU_ASSERT(r == 0 || (last.begin <= times.begin && last.end <= times.end));
        last = times;
        bench.backend->release(events[r]);
    }
    bench.backend->function_free(function);
    free_memory(&rig, memory);
    rig_end(&rig);
}

const struct test queue_tests[] = {
    {"queues: in order", test_in_order},
    {"queues: the same again", test_again},
    {"queues: markers", test_markers},
    {"queues: crossings", test_crossings},
    {"queues: callbacks", test_callbacks},
    {"queues: times", test_times},
    {0},
};

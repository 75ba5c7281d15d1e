/*
 * Every call of the backend fails once in turn, and so does every allocation: the operation says
 * so, what was made is given back, and nothing else goes wrong. Then the device disappears at each
 * call.
 */
#include "rt/base/alloc.h"
#include "test/backend/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 32, BYTES = COUNT * sizeof(int), MOST = 1000 };

static const char text[] = "__kernel void next(__global int *a, int n)\n"
                           "{ a[get_global_id(0)] += n; }\n";

/* All that a run makes. */
struct made {
    struct dal_device_list list;
    void *opened;
    struct dal_device *device;
    dal_commands commands[2];
    dal_memory memory;
    dal_function function;
    dal_event launched, marked;
    void *pinned, *handle;
    int in[COUNT];
};

static int open_all(struct made *made)
{
    struct dal_device_request request = {.number = bench.number, .processor = "p"};
    const struct dal_backend *backend = bench.backend;
    int status = backend->list(&made->list, DAL_LOG_NOTHING);
    if (status == DAL_OK && made->list.count <= (size_t)bench.number)
        status = DAL_ERR_NODEVICE;
    if (status == DAL_OK)
        status = backend->open(&made->opened, &made->list, &request, 1, DAL_LOG_NOTHING);
    made->device = request.device;
    for (int i = 0; status == DAL_OK && i < 2; i++)
        status = backend->commands(made->device, i, &made->commands[i]);
    return status;
}

static int make_all(struct made *made)
{
    const struct dal_backend *backend = bench.backend;
    char *whole = kernel_text(text);
    const struct dal_function_source source = {"conformance.cl", whole, "", "next"};
    size_t most;
    uint64_t local;
    int status =
        backend->memory(made->device, &quiet, DAL_MEMORY_PLAIN, BYTES, NULL, &made->memory);
    if (status == DAL_OK)
        status = backend->pinned(made->device, &quiet, made->commands[0], BYTES, &made->pinned,
                                 &made->handle);
    if (status == DAL_OK)
        status = backend->function(made->device, &quiet, &source, &made->function);
    if (status == DAL_OK)
        status = backend->function_limits(made->device, &quiet, made->function, &most, &local);
    if (status == DAL_OK)
        status = backend->set_memory(made->function, &quiet, 0, made->memory);
    if (status == DAL_OK)
        status = backend->set_value(made->function, &quiet, 1, sizeof(int), &(int){7});
    free(whole);
    return status;
}

static int use_events(struct made *made)
{
    const struct dal_backend *backend = bench.backend;
    struct dal_event_times times;
    enum dal_event_state state = DAL_EVENT_PENDING;
    int status = DAL_OK;
    while (status == DAL_OK && state != DAL_EVENT_COMPLETE)
        status = backend->state(made->marked, &quiet, &state);
    if (status == DAL_OK)
        status = backend->finish(made->commands[1], &quiet);
    if (status == DAL_OK)
        status = backend->times(made->launched, &times);
    return status;
}

static int run_all(struct made *made)
{
    const struct dal_launch launch = {1, {COUNT, 1, 1}, {16, 1, 1}};
    const struct dal_backend *backend = bench.backend;
    dal_commands one = made->commands[0], other = made->commands[1];
    unsigned waits = bench.info->traits.foreign_events ? 1 : 0;
    int status;
    memset(made->pinned, 0, BYTES);
    status = backend->write(one, &quiet, made->memory, 0, made->pinned, BYTES, 0, NULL);
    if (status == DAL_OK)
        status = backend->marker(one, &quiet, &made->marked);
    if (status == DAL_OK)
        status = waits ? backend->flush(one, &quiet) : backend->finish(one, &quiet);
    if (status == DAL_OK)
        status = backend->launch(other, &quiet, made->function, &launch,
                                 waits ? &made->marked : NULL, waits, &made->launched);
    if (status == DAL_OK && waits)
        status = backend->barrier(other, &quiet, &made->marked, 1);
    if (status == DAL_OK)
        status =
            backend->copy(other, &quiet, made->memory, 0, made->memory, BYTES / 2, BYTES / 2, NULL);
    if (status == DAL_OK)
        status = backend->read(other, &quiet, made->memory, 0, made->in, BYTES, NULL, 0, NULL);
    if (status == DAL_OK)
        status = backend->flush(other, &quiet);
    return status == DAL_OK ? use_events(made) : status;
}

static void free_all(struct made *made)
{
    const struct dal_backend *backend = bench.backend;
    for (int i = 0; i < 2; i++)
        if (made->commands[i])
            backend->finish(made->commands[i], NULL);
    if (made->launched)
        backend->release(made->launched);
    if (made->marked)
        backend->release(made->marked);
    if (made->function)
        backend->function_free(made->function);
    if (made->pinned)
        backend->pinned_free(made->device, made->commands[0], made->pinned, made->handle);
    if (made->memory)
        backend->memory_free(made->device, made->memory);
    for (int i = 0; i < 2; i++)
        if (made->commands[i])
            backend->commands_free(made->device, made->commands[i]);
    if (made->opened)
        backend->close(made->opened);
    backend->list_finish(&made->list);
}

static int run_once(int *right)
{
    static struct made made;
    int status;
    memset(&made, 0, sizeof(made));
    status = open_all(&made);
    if (status == DAL_OK)
        status = make_all(&made);
    if (status == DAL_OK)
        status = run_all(&made);
    *right = 1;
    for (int i = 0; i < COUNT; i++)
        *right &= made.in[i] == 7;
    free_all(&made);
    dal_backend_fail_with(0, 0, 0);
    dal_alloc_fail_at(0);
    check_driver();
    return status;
}

/* Calls that may fail and are made up for: the run is right all the same. */
static void check_faults(int forever)
{
    unsigned long n = 0, failed = 0;
    const char *call = "";
    int status, right;
    while (call && n < MOST) {
        dal_backend_fail_with(++n, bench.fault, forever);
        status = run_once(&right);
        call = dal_backend_failed();
        CU_ASSERT(call || status == DAL_OK);
        CU_ASSERT(status < 0 || right);
        if (status == DAL_OK && !right)
            fprintf(stderr, "call %lu, %s: no error, and wrong\n", n, call ? call : "none");
        failed += status < 0;
    }
    CU_ASSERT(n < MOST);
    CU_ASSERT(failed > 10 && failed <= n);
    printf("%lu calls, %lu errors; ", n - 1, failed);
}

/* They are of the backend, whatever the device. */
static int first_device(void)
{
    if (bench.number > 0)
        printf("tried on the first device; ");
    return bench.number == 0;
}

static void test_faults(void)
{
    if (first_device())
        check_faults(0);
}

static void test_gone(void)
{
    if (first_device())
        check_faults(1);
}

static void test_allocations(void)
{
    unsigned long n = 0, failed = 0, in_a_row = 0;
    int right;
    if (!first_device())
        return;
    while (in_a_row < 20 && n < MOST) {
        int status;
        dal_alloc_fail_at(++n);
        status = run_once(&right);
        CU_ASSERT(status < 0 || right);
        failed += status < 0;
        in_a_row = status < 0 ? 0 : in_a_row + 1;
    }
    CU_ASSERT(n < MOST && failed > 0);
    printf("%lu allocations; ", n - in_a_row);
}

const struct test fault_tests[] = {
    {"faults: each call", test_faults},
    {"faults: the device disappears", test_gone},
    {"faults: each allocation", test_allocations},
    {0},
};

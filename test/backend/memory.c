/* Memory, transfers and copies. */
#include "test/backend/bench.h"

#include <stdlib.h>
#include <string.h>

static const size_t sizes[] = {1, 3, 7, 64, 255, 257, 4097, 65537};

enum { MOST = 65537 };

static void write_pieces(struct rig *rig, dal_memory memory, const unsigned char *out, size_t bytes)
{
    for (size_t at = 0, part = 1; at < bytes; at += part, part = part * 3 + 2) {
        part = part < bytes - at ? part : bytes - at;
        write_now(rig, memory, at, out + at, part);
    }
}

static void read_pieces(struct rig *rig, dal_memory memory, unsigned char *in, size_t bytes)
{
    for (size_t at = 0, part = 1; at < bytes; at += part, part = part * 2 + 1) {
        part = part < bytes - at ? part : bytes - at;
        CU_ASSERT(bench.backend->read(rig->commands, &loud, memory, at, in + at, part, NULL, 0,
                                      NULL) == DAL_OK);
    }
    CU_ASSERT(bench.backend->finish(rig->commands, &loud) == DAL_OK);
}

/* Written in pieces of odd sizes at odd places, read in others. Of memory for kernels, that is of a
 * copy: the host only writes it. */
static void check_size(struct rig *rig, size_t bytes)
{
    static unsigned char out[MOST], in[MOST];
    dal_memory plain = new_memory(rig, bytes), kernels = NULL;
    CU_ASSERT_FATAL(bench.backend->memory(rig->device, &loud, DAL_MEMORY_KERNELS, bytes, NULL,
                                          &kernels) == DAL_OK);
    fill(out, bytes, (unsigned)bytes);
    memset(in, 0, bytes);
    write_pieces(rig, plain, out, bytes);
    read_pieces(rig, plain, in, bytes);
    CU_ASSERT(memcmp(in, out, bytes) == 0);
    fill(out, bytes, (unsigned)bytes + 1);
    write_pieces(rig, kernels, out, bytes);
    CU_ASSERT(bench.backend->copy(rig->commands, &loud, kernels, 0, plain, 0, bytes, NULL) ==
              DAL_OK);
    read_pieces(rig, plain, in, bytes);
    CU_ASSERT(memcmp(in, out, bytes) == 0);
    free_memory(rig, plain);
    free_memory(rig, kernels);
}

static void test_sizes(void)
{
    struct rig rig;
    rig_begin(&rig, 0);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        check_size(&rig, sizes[i]);
    rig_end(&rig);
}

/* The host's memory is used until the command has completed, and then is free. */
static void test_write_later(void)
{
    enum { COUNT = 20, BYTES = 1000 };
    static unsigned char out[COUNT][BYTES], in[COUNT][BYTES];
    struct rig rig;
    dal_memory memory;
    dal_event events[COUNT];
    enum dal_event_state state;
    rig_begin(&rig, 0);
    memory = new_memory(&rig, sizeof(out));
    for (int i = 0; i < COUNT; i++) {
        fill(out[i], BYTES, (unsigned)i);
        CU_ASSERT(bench.backend->write(rig.commands, &loud, memory, (size_t)i * BYTES, out[i],
                                       BYTES, 0, &events[i]) == DAL_OK);
    }
    CU_ASSERT(bench.backend->flush(rig.commands, &loud) == DAL_OK);
    for (int i = COUNT - 1; i >= 0; i--) {
        do {
            CU_ASSERT_FATAL(bench.backend->state(events[i], &loud, &state) == DAL_OK);
        } while (state != DAL_EVENT_COMPLETE);
        bench.backend->release(events[i]);
    }
    read_now(&rig, memory, 0, in, sizeof(in));
    CU_ASSERT(memcmp(in, out, sizeof(out)) == 0);
    free_memory(&rig, memory);
    rig_end(&rig);
}

static const struct {
    size_t from, to, bytes;
} copies[] = {{0, 500, 500}, {1, 777, 101}, {900, 3, 1},
              {513, 0, 487}, {255, 256, 1}, {0, 333, 333}};

static void check_copies(struct rig *rig, dal_memory from, dal_memory to, unsigned char *expected,
                         const unsigned char *source)
{
    unsigned char in[1000];
    for (size_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++) {
        CU_ASSERT(bench.backend->copy(rig->commands, &loud, from, copies[i].from, to, copies[i].to,
                                      copies[i].bytes, NULL) == DAL_OK);
        memcpy(expected + copies[i].to, source + copies[i].from, copies[i].bytes);
    }
    read_now(rig, to, 0, in, sizeof(in));
    CU_ASSERT(memcmp(in, expected, sizeof(in)) == 0);
}

static void test_copies(void)
{
    unsigned char one[1000], other[1000];
    struct rig rig;
    dal_memory a, b;
    rig_begin(&rig, 0);
    a = new_memory(&rig, sizeof(one));
    b = new_memory(&rig, sizeof(other));
    fill(one, sizeof(one), 1);
    fill(other, sizeof(other), 2);
    write_now(&rig, a, 0, one, sizeof(one));
    write_now(&rig, b, 0, other, sizeof(other));
    check_copies(&rig, a, b, other, one);
    check_copies(&rig, a, a, one, one);
    free_memory(&rig, a);
    free_memory(&rig, b);
    rig_end(&rig);
}

static void test_pinned(void)
{
    enum { BYTES = 12345 };
    unsigned char expected[BYTES];
    struct rig rig;
    void *hosts[2], *handles[2];
    dal_memory memory;
    rig_begin(&rig, 0);
    memory = new_memory(&rig, BYTES);
    for (int i = 0; i < 2; i++)
        CU_ASSERT_FATAL(bench.backend->pinned(rig.device, &loud, rig.commands, BYTES, &hosts[i],
                                              &handles[i]) == DAL_OK);
    fill(expected, BYTES, 4);
    memcpy(hosts[0], expected, BYTES);
    memset(hosts[1], 0, BYTES);
    CU_ASSERT(bench.backend->write(rig.commands, &loud, memory, 0, hosts[0], BYTES, 0, NULL) ==
              DAL_OK);
    read_now(&rig, memory, 0, hosts[1], BYTES);
    CU_ASSERT(memcmp(hosts[1], expected, BYTES) == 0);
    for (int i = 0; i < 2; i++)
        bench.backend->pinned_free(rig.device, rig.commands, hosts[i], handles[i]);
    free_memory(&rig, memory);
    rig_end(&rig);
}

/* ---- what only some devices have ---------------------------------------------------------------
 */

static const char increment[] = "__kernel void increment(__global int *a)\n"
                                "{ a[get_global_id(0)] += 1; }\n";

enum { COUNT = 1024 };

static void check_incremented(const int *numbers, int by)
{
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += numbers[i] != 3 * i + by;
    CU_ASSERT(wrong == 0);
}

static void init_numbers(int *numbers)
{
    for (int i = 0; i < COUNT; i++)
        numbers[i] = 3 * i;
}

static void test_shared(void)
{
    struct rig rig;
    void *host;
    dal_memory memory;
    dal_function function;
    rig_begin(&rig, 0);
    if (bench.info->traits.fine_svm) {
        CU_ASSERT_FATAL(bench.backend->shared_memory(rig.device, &loud, COUNT * sizeof(int), &host,
                                                     &memory) == DAL_OK);
        function = new_function(&rig, increment, "increment");
        init_numbers(host);
        CU_ASSERT(bench.backend->set_memory(function, &loud, 0, memory) == DAL_OK);
        for (int i = 1; i <= 3; i++) {
            launch_1(&rig, function, COUNT, 0);
            CU_ASSERT(bench.backend->finish(rig.commands, &loud) == DAL_OK);
            check_incremented(host, i);
        }
        bench.backend->function_free(function);
        bench.backend->shared_memory_free(rig.device, host, memory);
    }
    rig_end(&rig);
}

static void test_mapped(void)
{
    struct rig rig;
    void *host = NULL, *mapped;
    dal_memory memory;
    dal_function function;
    rig_begin(&rig, 0);
    if (bench.info->traits.unified) {
        CU_ASSERT_FATAL(posix_memalign(&host, 4096, COUNT * sizeof(int)) == 0);
        CU_ASSERT_FATAL(bench.backend->memory(rig.device, &loud, DAL_MEMORY_OVER_HOST,
                                              COUNT * sizeof(int), host, &memory) == DAL_OK);
        function = new_function(&rig, increment, "increment");
        CU_ASSERT(bench.backend->set_memory(function, &loud, 0, memory) == DAL_OK);
        CU_ASSERT_FATAL(bench.backend->map(rig.commands, &loud, memory, COUNT * sizeof(int),
                                           DAL_MAP_OVERWRITE, 1, &mapped) == DAL_OK);
        init_numbers(mapped);
        for (int i = 1; i <= 3; i++) {
            CU_ASSERT(bench.backend->unmap(rig.commands, &loud, memory, mapped) == DAL_OK);
            launch_1(&rig, function, COUNT, 0);
            CU_ASSERT_FATAL(bench.backend->map(rig.commands, &loud, memory, COUNT * sizeof(int),
                                               DAL_MAP_READ_WRITE, i % 2, &mapped) == DAL_OK);
            CU_ASSERT(bench.backend->finish(rig.commands, &loud) == DAL_OK);
            check_incremented(mapped, i);
        }
        CU_ASSERT(bench.backend->unmap(rig.commands, NULL, memory, mapped) == DAL_OK);
        bench.backend->function_free(function);
        free_memory(&rig, memory);
        free(host);
    }
    rig_end(&rig);
}

/* More than there is: refused, whenever it is found. */
static void test_too_much(void)
{
    struct rig rig;
    dal_memory memory = NULL;
    rig_begin(&rig, 0);
    CU_ASSERT(bench.backend->memory(rig.device, &quiet, DAL_MEMORY_PLAIN, (size_t)1 << 60, NULL,
                                    &memory) < 0);
    CU_ASSERT_PTR_NULL(memory);
    rig_end(&rig);
}

const struct test memory_tests[] = {
    {"memory: odd sizes and places", test_sizes},
    {"memory: written later", test_write_later},
    {"memory: copies", test_copies},
    {"memory: pinned", test_pinned},
    {"memory: shared with the host", test_shared},
    {"memory: mapped", test_mapped},
    {"memory: too much", test_too_much},
    {0},
};

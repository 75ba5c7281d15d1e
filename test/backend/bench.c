#include "test/backend/bench.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench bench;

const struct dal_subject loud = {"conformance", DAL_LOG_ERROR},
                         quiet = {"conformance", DAL_LOG_NOTHING};

const char kernel_words[] = "#ifndef DAL_LOCAL_VARIABLE\n"
                            "#define DAL_LOCAL_VARIABLE __local\n"
                            "#define DAL_CONSTANT_VARIABLE __constant\n"
                            "#endif\n"
                            "#line 1 \"conformance.cl\"\n";

void rig_begin_with(struct rig *rig, const int *numbers, int count, int timed)
{
    static const char *const names[MOST_RIG] = {"p", "q", "r"};
    struct dal_device_request requests[MOST_RIG] = {0};
    *rig = (struct rig){.backend = bench.backend, .count = count};
    for (int i = 0; i < count; i++)
        requests[i] = (struct dal_device_request){.number = numbers[i], .processor = names[i]};
    CU_ASSERT_FATAL(bench.backend->open(&rig->opened, bench.list, requests, count, DAL_LOG_ERROR) ==
                    DAL_OK);
    for (int i = 0; i < count; i++) {
        rig->devices[i] = requests[i].device;
        CU_ASSERT_FATAL(bench.backend->commands(rig->devices[i], timed, &rig->queues[i]) == DAL_OK);
    }
    rig->device = rig->devices[0];
    rig->commands = rig->queues[0];
}

void rig_begin(struct rig *rig, int timed)
{
    rig_begin_with(rig, &bench.number, 1, timed);
}

void rig_end(struct rig *rig)
{
    for (int i = 0; i < rig->count; i++) {
        CU_ASSERT(rig->backend->finish(rig->queues[i], &loud) == DAL_OK);
        rig->backend->commands_free(rig->devices[i], rig->queues[i]);
    }
    rig->backend->close(rig->opened);
    check_driver();
}

dal_memory new_memory(struct rig *rig, size_t bytes)
{
    dal_memory memory = NULL;
    CU_ASSERT_FATAL(
        rig->backend->memory(rig->device, &loud, DAL_MEMORY_PLAIN, bytes, NULL, &memory) == DAL_OK);
    return memory;
}

void free_memory(struct rig *rig, dal_memory memory)
{
    rig->backend->finish(rig->commands, &loud);
    rig->backend->memory_free(rig->device, memory);
}

char *kernel_text(const char *text)
{
    size_t bytes = strlen(kernel_words) + strlen(text) + 1;
    char *whole = malloc(bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(whole);
    snprintf(whole, bytes, "%s%s", kernel_words, text);
    return whole;
}

dal_function new_function(struct rig *rig, const char *text, const char *name)
{
    char *whole = kernel_text(text);
    const struct dal_function_source source = {"conformance.cl", whole, "", name};
    dal_function function = NULL;
    int status = rig->backend->function(rig->device, &loud, &source, &function);
    free(whole);
    CU_ASSERT_FATAL(status == DAL_OK);
    return function;
}

void write_now(struct rig *rig, dal_memory memory, size_t at, const void *from, size_t bytes)
{
    CU_ASSERT_FATAL(rig->backend->write(rig->commands, &loud, memory, at, from, bytes, 1, NULL) ==
                    DAL_OK);
}

void read_now(struct rig *rig, dal_memory memory, size_t at, void *to, size_t bytes)
{
    CU_ASSERT_FATAL(
        rig->backend->read(rig->commands, &loud, memory, at, to, bytes, NULL, 0, NULL) == DAL_OK);
    CU_ASSERT_FATAL(rig->backend->finish(rig->commands, &loud) == DAL_OK);
}

static size_t divisor_of(size_t global)
{
    for (size_t n = global < 64 ? global : 64; n > 1; n--)
        if (global % n == 0)
            return n;
    return 1;
}

void launch_1(struct rig *rig, dal_function function, size_t global, size_t local)
{
    const struct dal_launch launch = {
        1, {global, 1, 1}, {local ? local : divisor_of(global), 1, 1}};
    CU_ASSERT_FATAL(rig->backend->launch(rig->commands, &loud, function, &launch, NULL, 0, NULL) ==
                    DAL_OK);
}

void fill(unsigned char *bytes, size_t count, unsigned seed)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)((i * 7 + i / 256 * 13 + seed * 101 + 1) % 251);
}

/* Of the stand-in, which is loaded when the CUDA backend has been; NULL of other drivers. */
static void *symbol_of_driver(const char *name)
{
    const char *driver = getenv("DAL_CUDA_DRIVER");
    void *library = driver ? dlopen(driver, RTLD_NOW | RTLD_NOLOAD) : NULL;
    void *symbol = library ? dlsym(library, name) : NULL;
    if (library)
        dlclose(library);
    return symbol;
}

void check_driver(void)
{
    static unsigned seen;
    void *symbols[] = {symbol_of_driver("dal_standin_left"),
                       symbol_of_driver("dal_standin_misused")};
    const char *(*left)(void);
    unsigned (*misused)(void), count;
    if (!symbols[0] || !symbols[1])
        return;
    memcpy(&left, &symbols[0], sizeof(left));
    memcpy(&misused, &symbols[1], sizeof(misused));
    CU_ASSERT_STRING_EQUAL(left(), "");
    if (*left())
        fprintf(stderr, "left: %s\n", left());
    count = misused();
    CU_ASSERT(count == seen);
    seen = count;
}

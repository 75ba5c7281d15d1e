/*
 * What every backend must do, tried on each device of each (test_backend.c). Here is what the parts
 * of the suite share: the device that is tried, and short forms of what they do with it.
 *
 * Kernels are OpenCL C, with DAL_LOCAL_VARIABLE and DAL_CONSTANT_VARIABLE where a kernel declares
 * variables in such memory: a backend whose language has other words defines these.
 */
#pragma once

#include "rt/backend/backend.h"
#include "test/suite.h"

/* The device that is tried, one of its backend's list. */
struct bench {
    const struct dal_backend *backend;
    const struct dal_device_list *list;
    const struct dal_device_info *info;
    int number;
    int fault; /* a code of its calls, for faults */
};
extern struct bench bench;

extern const struct dal_subject loud, quiet; /* whose failures are errors, and nothing at all */

/* What a test uses: open devices, and a queue of each. The first one's are `device`, `commands`. */
enum { MOST_RIG = 3 };
struct rig {
    const struct dal_backend *backend;
    void *opened;
    int count;
    struct dal_device *devices[MOST_RIG], *device;
    dal_commands queues[MOST_RIG], commands;
};

/* Opens the device that is tried, or several of the list; queues are timed or not. Ends the test
 * when that fails. rig_end() checks that nothing is left. */
void rig_begin(struct rig *rig, int timed);
void rig_begin_with(struct rig *rig, const int *numbers, int count, int timed);
void rig_end(struct rig *rig);

/* In front of each kernel's text. */
extern const char kernel_words[];

/* All end the test when they fail. The text has kernel_words in front of it. */
dal_memory new_memory(struct rig *rig, size_t bytes);
dal_function new_function(struct rig *rig, const char *text, const char *name);
void write_now(struct rig *rig, dal_memory memory, size_t at, const void *from, size_t bytes);
void read_now(struct rig *rig, dal_memory memory, size_t at, void *to, size_t bytes);
/* One dimension; `local` 0: a divisor of `global` that is not 1, where there is one. */
void launch_1(struct rig *rig, dal_function function, size_t global, size_t local);
void free_memory(struct rig *rig, dal_memory memory);

/* A text with kernel_words in front, new. */
char *kernel_text(const char *text);

/* Bytes that differ from their neighbours and from those of other seeds. */
void fill(unsigned char *bytes, size_t count, unsigned seed);

/* Whether the driver, where it is a stand-in, has nothing left and has seen no misuse. */
void check_driver(void);

/* The tests of a part, ended by one without a name. */
extern const struct test device_tests[], memory_tests[], queue_tests[], kernel_tests[],
    math_tests[], limit_tests[], pair_tests[], fault_tests[];

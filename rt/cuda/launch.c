/* Arguments and launches. */
#include "rt/cuda/device.h"
#include "rt/cuda/graph.h"

#include <string.h>

/* ---- arguments --------------------------------------------------------------------------------
 */

static int refuse_argument(const struct dal_subject *subject, unsigned number, const char *reason)
{
    dal_log(subject->failures, "%s: argument %u of the kernel: %s", subject->name, number, reason);
    return DAL_ERR_DEVICE;
}

/* Adds an argument of which the driver has not told. Its first value has its size. */
static int add_argument(dal_function function, const struct dal_subject *subject, unsigned number,
                        size_t bytes)
{
    struct dal_cuda_argument *argument = &function->arguments[number];
    if (function->known)
        return refuse_argument(subject, number, "there is none");
    if (function->used_bytes + bytes + 8 > DAL_CUDA_MOST_ARGUMENT_BYTES)
        return refuse_argument(subject, number, "arguments are 4096 bytes at most");
    argument->at = (unsigned short)function->used_bytes;
    argument->bytes = (unsigned short)bytes;
    function->used_bytes += ((unsigned)bytes + 7) & ~7u;
    if (function->count <= number)
        function->count = number + 1;
    return DAL_OK;
}

int dal__cuda_set_value(dal_function function, const struct dal_subject *subject, unsigned number,
                        size_t bytes, const void *value)
{
    int code = dal_backend_fault("cuLaunchKernel's argument"), status = DAL_OK;
    struct dal_cuda_argument *argument;
    if (code)
        return dal__cuda_check(subject, "cuLaunchKernel's argument", code);
    if (number >= DAL_CUDA_MOST_ARGUMENTS || bytes == 0)
        return refuse_argument(subject, number, "there is none");
    argument = &function->arguments[number];
    if (argument->bytes == 0)
        status = add_argument(function, subject, number, bytes);
    if (status < 0)
        return status;
    if (argument->bytes != bytes)
        return refuse_argument(subject, number, "a value of another size");
    memcpy(function->values + argument->at, value, bytes);
    function->set_count += !argument->is_set;
    argument->is_set = 1;
    return DAL_OK;
}

int dal__cuda_set_memory(dal_function function, const struct dal_subject *subject, unsigned number,
                         dal_memory memory)
{
    CUdeviceptr pointer = memory ? memory->pointer : 0;
    return dal__cuda_set_value(function, subject, number, sizeof(pointer), &pointer);
}

/* ---- launches ---------------------------------------------------------------------------------
 */

/* Sets the blocks of a launch, and the threads of each. */
static int shape_step(struct dal_cuda_step *step, const struct dal_subject *subject,
                      const struct dal_launch *launch)
{
    for (unsigned i = 0; i < 3; i++) {
        size_t global = i < launch->dimensions ? launch->global[i] : 1;
        size_t local = i < launch->dimensions ? launch->local[i] : 1;
        if (local == 0 || global == 0 || global % local != 0 || global / local > INT32_MAX ||
            local > INT32_MAX) {
            dal_log(subject->failures, "%s: %zu work-items are not work-groups of %zu",
                    subject->name, global, local);
            return DAL_ERR_DEVICE;
        }
        step->grid[i] = (unsigned)(global / local);
        step->block[i] = (unsigned)local;
    }
    return DAL_OK;
}

static int refuse_unset(const struct dal_subject *subject, const struct dal__function *function)
{
    unsigned number = 0;
    while (function->arguments[number].is_set)
        number++;
    return refuse_argument(subject, number, "it was never set");
}

int dal__cuda_step(dal_commands commands, const struct dal_subject *subject,
                   const struct dal_cuda_step *step, dal_event *done)
{
    dal_event event;
    int status = dal__cuda_event_begin(commands, subject, done, &event);
    if (status == DAL_OK)
        status = dal__cuda_run_add(commands, subject, step);
    if (status == DAL_OK && done)
        status = dal__cuda_run_issue(commands, subject);
    return dal__cuda_event_end(commands, subject, status, event, done);
}

int dal__cuda_launch(dal_commands commands, const struct dal_subject *subject,
                     dal_function function, const struct dal_launch *launch,
                     const dal_event *events, unsigned count, dal_event *done)
{
    struct dal_cuda_step step = {.function = function};
    int status = shape_step(&step, subject, launch);
    if (done)
        *done = NULL;
    if (status == DAL_OK && function->set_count < function->count)
        status = refuse_unset(subject, function);
    if (status == DAL_OK)
        status = dal__cuda_await(commands, subject, events, count);
    if (status == DAL_OK)
        status = dal__cuda_step(commands, subject, &step, done);
    return status;
}

/* Devices by hand, with launches of Producer and Consumer on them. */
#include "bench/dalbench.h"
#include "rt/devices/devices.h"
#include "rt/ocl/backend.h"

#include "rt/base/alloc.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TEXT = 1 << 20 };

/* Returns a file of the apps folder as text, or NULL. The caller frees it with dal_free(). */
static char *read_text(struct bench *bench, const char *name)
{
    char *path = dal_format("%s/%s", bench->apps, name);
    char *text = dal_calloc(1, MOST_TEXT);
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file || !text || fread(text, 1, MOST_TEXT - 1, file) == 0) {
        dal_log(DAL_LOG_ERROR, "cannot read %s: %s", path ? path : name, strerror(errno));
        dal_free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    dal_free(path);
    return text;
}

/* The name in messages of drivers. */
static const struct dal_subject dalbench = {"dalbench", DAL_LOG_ERROR};

/* ---- a device -------------------------------------------------------------------------------- */

int bench_make_queue(const struct bench_device *cl, cl_command_queue *queue)
{
    dal_commands commands = NULL;
    int status = dal_backend_opencl.commands(&cl->device->device, 0, &commands);
    *queue = dal_ocl_queue(commands);
    return status;
}

int bench_device_open(struct bench *bench, struct bench_device *cl, int number)
{
    const struct dal_device_wish wish = {&dal_backend_opencl, bench->device[number]->identifier,
                                         "device"};
    int status = dal_devices_open(&cl->opened, &wish, 1, 1, DAL_LOG_ERROR);
    if (status)
        return status;
    cl->device = dal_ocl_device(dal_devices_get(cl->opened, 0));
    return bench_make_queue(cl, &cl->queue);
}

/* Frees in reverse, since views come after their buffers. */
void bench_device_close(struct bench_device *cl)
{
    for (size_t i = 0; i < cl->memory_count; i++)
        if (cl->memories[i].mapped)
            clEnqueueUnmapMemObject(cl->queue, cl->memories[i].memory, cl->memories[i].mapped, 0,
                                    NULL, NULL);
    if (cl->queue)
        clFinish(cl->queue);
    while (cl->memory_count)
        clReleaseMemObject(cl->memories[--cl->memory_count].memory);
    while (cl->kernel_count)
        clReleaseKernel(cl->kernels[--cl->kernel_count]);
    if (cl->queue)
        clReleaseCommandQueue(cl->queue);
    dal_devices_close(cl->opened);
    *cl = (struct bench_device){0};
}

static int keep_memory(struct bench_device *cl, int status, cl_mem memory)
{
    assert(cl->memory_count < BENCH_MEMORIES);
    if (!status)
        cl->memories[cl->memory_count++].memory = memory;
    return status;
}

int bench_make_buffer(struct bench_device *cl, size_t bytes, cl_mem *memory)
{
    int status = DAL_CL_NEW(&dalbench, *memory, clCreateBuffer,
                            (cl->device->context, CL_MEM_READ_WRITE, bytes, NULL, &error));
    return keep_memory(cl, status, *memory);
}

int bench_make_view(struct bench_device *cl, cl_mem of, size_t origin, size_t bytes, cl_mem *view)
{
    cl_buffer_region region = {.origin = origin, .size = bytes};
    int status = DAL_CL_NEW(&dalbench, *view, clCreateSubBuffer,
                            (of, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    return keep_memory(cl, status, *view);
}

int bench_make_pinned(struct bench_device *cl, size_t bytes, unsigned char **pinned)
{
    cl_mem memory = NULL;
    int status = DAL_CL_NEW(
        &dalbench, memory, clCreateBuffer,
        (cl->device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &error));
    status = keep_memory(cl, status, memory);
    if (!status)
        status = DAL_CL_NEW(&dalbench, *pinned, clEnqueueMapBuffer,
                            (cl->queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                             NULL, NULL, &error));
    if (status)
        return status;
    cl->memories[cl->memory_count - 1].mapped = *pinned;
    memset(*pinned, 0, bytes);
    return DAL_OK;
}

int bench_make_kernel(struct bench *bench, struct bench_device *cl, const char *file,
                      const char *name, const char *options, cl_kernel *kernel)
{
    const struct dal_subject subject = {name, DAL_LOG_ERROR};
    char *text = read_text(bench, file);
    const struct dal_function_source source = {
        .file = file, .text = text, .options = options, .name = name};
    dal_function function = NULL;
    int status =
        text ? dal_backend_opencl.function(&cl->device->device, &subject, &source, &function)
             : DAL_ERR_IO;
    assert(cl->kernel_count < BENCH_KERNELS);
    *kernel = dal_ocl_kernel(function);
    if (!status)
        cl->kernels[cl->kernel_count++] = *kernel;
    dal_free(text);
    return status;
}

int bench_set_buffer(cl_kernel kernel, cl_uint index, const cl_mem *memory)
{
    return DAL_CL("dalbench", clSetKernelArg, (kernel, index, sizeof(cl_mem), memory));
}

int bench_launch(const struct bench_device *cl, cl_kernel kernel, long items, long groups,
                 cl_event *event)
{
    size_t local = (size_t)items, global = local * (size_t)groups;
    return DAL_CL("dalbench", clEnqueueNDRangeKernel,
                  (cl->queue, kernel, 1, NULL, &global, &local, 0, NULL, event));
}

/* ---- Producer and Consumer ------------------------------------------------------------------- */

static int set_arguments(struct bench_pair *pair)
{
    int status = bench_set_buffer(pair->producer, 2, &pair->data);
    if (!status)
        status = bench_set_buffer(pair->consumer, 0, &pair->data);
    return status ? status : bench_set_buffer(pair->consumer, 1, &pair->results);
}

int bench_pair_reset(struct bench_pair *pair)
{
    cl_uint zero = 0;
    pair->turn = 0;
    return DAL_CL("dalbench", clEnqueueFillBuffer,
                  (pair->cl.queue, pair->state[0], &zero, sizeof(zero), 0,
                   sizeof(zero) * (size_t)pair->shape.tokens, 0, NULL, NULL));
}

static int make_kernels(struct bench *bench, struct bench_pair *pair)
{
    char *options = dal_format("-DTOKEN_out_SIZE=%ld -DTOKEN_in_SIZE=%ld -DVAR_items=%ld "
                               "-DVAR_lanes=%ld -DVAR_work=%ld",
                               pair->shape.token_bytes, pair->shape.token_bytes, pair->shape.items,
                               pair->shape.lanes, pair->shape.work);
    int status = options ? bench_make_kernel(bench, &pair->cl, "synthetic/producer.cl", "Producer",
                                             options, &pair->producer)
                         : DAL_ERR_NOMEM;
    if (!status)
        status = bench_make_kernel(bench, &pair->cl, "synthetic/consumer.cl", "Consumer", options,
                                   &pair->consumer);
    dal_free(options);
    return status;
}

int bench_pair_init(struct bench *bench, struct bench_pair *pair, int device,
                    const struct bench_shape *shape)
{
    size_t tokens = (size_t)shape->tokens;
    int status;
    *pair = (struct bench_pair){.shape = *shape};
    pair->found = dal_calloc(tokens, sizeof(*pair->found));
    status = pair->found ? bench_device_open(bench, &pair->cl, device) : DAL_ERR_NOMEM;
    if (!status)
        status = make_kernels(bench, pair);
    if (!status)
        status = bench_make_buffer(&pair->cl, 4 * tokens, &pair->state[0]);
    if (!status)
        status = bench_make_buffer(&pair->cl, 4 * tokens, &pair->state[1]);
    if (!status)
        status = bench_make_buffer(&pair->cl, (size_t)shape->token_bytes * tokens, &pair->data);
    if (!status)
        status = bench_make_buffer(&pair->cl, 4 * tokens, &pair->results);
    if (!status)
        status = set_arguments(pair);
    return status ? status : bench_pair_reset(pair);
}

void bench_pair_finish(struct bench_pair *pair)
{
    bench_device_close(&pair->cl);
    dal_free(pair->found);
    *pair = (struct bench_pair){0};
}

int bench_pair_turn(struct bench_pair *pair)
{
    int status = bench_set_buffer(pair->producer, 0, &pair->state[pair->turn]);
    pair->turn = !pair->turn;
    return status ? status : bench_set_buffer(pair->producer, 1, &pair->state[pair->turn]);
}

int bench_pair_produce(struct bench_pair *pair, long tokens)
{
    int status = bench_pair_turn(pair);
    return status ? status
                  : bench_launch(&pair->cl, pair->producer, pair->shape.items, tokens, NULL);
}

int bench_pair_consume(struct bench_pair *pair, long tokens)
{
    return bench_launch(&pair->cl, pair->consumer, pair->shape.items, tokens, NULL);
}

int bench_pair_read(struct bench_pair *pair)
{
    return DAL_CL("dalbench", clEnqueueReadBuffer,
                  (pair->cl.queue, pair->results, CL_TRUE, 0, 4 * (size_t)pair->shape.tokens,
                   pair->found, 0, NULL, NULL));
}

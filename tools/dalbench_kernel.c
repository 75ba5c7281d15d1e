/* Producer and Consumer launched by hand. */
#include "tools/dalbench.h"

#include "rt/base/alloc.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TEXT = 1 << 20 };

char *bench_read(struct bench *bench, const char *name)
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

static int make_kernel(struct bench *bench, struct bench_pair *pair, const char *file,
                       const char *name, cl_kernel *kernel)
{
    char *text = bench_read(bench, file);
    char *options = dal_format("-DTOKEN_out_SIZE=%ld -DTOKEN_in_SIZE=%ld -DVAR_items=%ld "
                               "-DVAR_lanes=%ld -DVAR_work=%ld",
                               pair->shape.token_bytes, pair->shape.token_bytes, pair->shape.items,
                               pair->shape.lanes, pair->shape.work);
    int status = DAL_ERR_NOMEM;

    if (text && options)
        status = dal_ocl_kernel(pair->device, name, file, text, options, name, kernel);
    dal_free(text);
    dal_free(options);
    return status;
}

int bench_make_buffer(struct bench_pair *pair, long bytes, cl_mem *memory)
{
    return DAL_CL_NEW("dalbench", *memory, clCreateBuffer,
                      (pair->device->context, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &error));
}

int bench_set_buffer(cl_kernel kernel, cl_uint index, const cl_mem *memory)
{
    return DAL_CL("dalbench", clSetKernelArg, (kernel, index, sizeof(cl_mem), memory));
}

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
                  (pair->queue, pair->state[0], &zero, sizeof(zero), 0,
                   sizeof(zero) * (size_t)pair->shape.tokens, 0, NULL, NULL));
}

int bench_pair_init(struct bench *bench, struct bench_pair *pair, int device,
                    const struct bench_shape *shape)
{
    const char *identifier = bench->device[device]->identifier, *name = "device";
    int status;

    *pair = (struct bench_pair){.shape = *shape};
    pair->found = dal_calloc((size_t)shape->tokens, sizeof(*pair->found));
    status = pair->found ? dal_ocl_open(&pair->ocl, &identifier, &name, 1, 1) : DAL_ERR_NOMEM;
    if (status)
        return status;
    pair->device = dal_ocl_device(pair->ocl, 0);
    status = dal_ocl_queue(pair->device, 0, &pair->queue);
    if (!status)
        status = make_kernel(bench, pair, "synthetic/producer.cl", "Producer", &pair->producer);
    if (!status)
        status = make_kernel(bench, pair, "synthetic/consumer.cl", "Consumer", &pair->consumer);
    if (!status)
        status = bench_make_buffer(pair, 4 * shape->tokens, &pair->state[0]);
    if (!status)
        status = bench_make_buffer(pair, 4 * shape->tokens, &pair->state[1]);
    if (!status)
        status = bench_make_buffer(pair, shape->token_bytes * shape->tokens, &pair->data);
    if (!status)
        status = bench_make_buffer(pair, 4 * shape->tokens, &pair->results);
    if (!status)
        status = set_arguments(pair);
    return status ? status : bench_pair_reset(pair);
}

void bench_pair_finish(struct bench_pair *pair)
{
    cl_mem memories[] = {pair->state[0], pair->state[1], pair->data, pair->results};
    size_t i;

    if (pair->queue)
        clFinish(pair->queue);
    for (i = 0; i < sizeof(memories) / sizeof(memories[0]); i++)
        if (memories[i])
            clReleaseMemObject(memories[i]);
    if (pair->producer)
        clReleaseKernel(pair->producer);
    if (pair->consumer)
        clReleaseKernel(pair->consumer);
    if (pair->queue)
        clReleaseCommandQueue(pair->queue);
    dal_ocl_destroy(pair->ocl);
    dal_free(pair->found);
    *pair = (struct bench_pair){0};
}

static int launch(struct bench_pair *pair, cl_kernel kernel, long tokens)
{
    size_t local = (size_t)pair->shape.items, global = local * (size_t)tokens;

    return DAL_CL("dalbench", clEnqueueNDRangeKernel,
                  (pair->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
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

    return status ? status : launch(pair, pair->producer, tokens);
}

int bench_pair_consume(struct bench_pair *pair, long tokens)
{
    return launch(pair, pair->consumer, tokens);
}

/*
 * OpenCL's maps as a driver may make them that cannot use the host's memory in place: a buffer with
 * CL_MEM_USE_HOST_PTR has memory of its own. A map copies it to the host's, an unmap copies that
 * back and spoils it. Who uses a buffer before it is unmapped, or the host's memory when it is not
 * mapped, has wrong bytes. Linked into a program, or loaded before one (LD_PRELOAD).
 *
 * Whole buffers are mapped, on in-order queues, and released once.
 */
#define _GNU_SOURCE
#include "rt/ocl/ocl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SPOILT = 0xA5, MOST_BUFFERS = 4096 };

static struct buffer {
    cl_mem memory;
    void *host;
    size_t bytes;
    unsigned char *spoilt; /* so many bytes */
} buffers[MOST_BUFFERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The driver's function of that name. */
#define DRIVER(function) ((__typeof__(&(function)))(uintptr_t)dlsym(RTLD_NEXT, #function))

/* That of NULL is free. */
static struct buffer *buffer_of(cl_mem memory)
{
    for (int i = 0; i < MOST_BUFFERS; i++)
        if (buffers[i].memory == memory)
            return &buffers[i];
    return NULL;
}

static struct buffer *find_buffer(cl_mem memory)
{
    struct buffer *found;
    pthread_mutex_lock(&lock);
    found = buffer_of(memory);
    pthread_mutex_unlock(&lock);
    return found;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                      cl_int *error)
{
    struct buffer *buffer;
    cl_mem memory;
    if (!(flags & CL_MEM_USE_HOST_PTR))
        return DRIVER(clCreateBuffer)(context, flags, bytes, host, error);
    flags = (flags & ~(cl_mem_flags)CL_MEM_USE_HOST_PTR) | CL_MEM_COPY_HOST_PTR;
    memory = DRIVER(clCreateBuffer)(context, flags, bytes, host, error);
    if (!memory)
        return NULL;
    pthread_mutex_lock(&lock);
    buffer = buffer_of(NULL);
    if (!buffer)
        abort();
    *buffer = (struct buffer){memory, host, bytes, malloc(bytes)};
    memset(buffer->spoilt, SPOILT, bytes);
    memset(host, SPOILT, bytes);
    pthread_mutex_unlock(&lock);
    return memory;
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool wait, cl_map_flags flags,
                         size_t offset, size_t bytes, cl_uint count, const cl_event *events,
                         cl_event *event, cl_int *error)
{
    const struct buffer *buffer = find_buffer(memory);
    if (!buffer)
        return DRIVER(clEnqueueMapBuffer)(queue, memory, wait, flags, offset, bytes, count, events,
                                          event, error);
    if (offset != 0 || bytes != buffer->bytes)
        abort();
    if (flags & CL_MAP_WRITE_INVALIDATE_REGION)
        *error = clEnqueueMarkerWithWaitList(queue, count, events, event);
    else
        *error =
            clEnqueueReadBuffer(queue, memory, wait, 0, bytes, buffer->host, count, events, event);
    return *error ? NULL : buffer->host;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *mapped, cl_uint count,
                               const cl_event *events, cl_event *event)
{
    const struct buffer *buffer = find_buffer(memory);
    cl_int error;
    if (!buffer)
        return DRIVER(clEnqueueUnmapMemObject)(queue, memory, mapped, count, events, event);
    if (mapped != buffer->host)
        return CL_INVALID_VALUE;
    error =
        clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, buffer->bytes, mapped, count, events, NULL);
    memcpy(buffer->host, buffer->spoilt, buffer->bytes);
    return error ? error : clEnqueueMarkerWithWaitList(queue, 0, NULL, event);
}

cl_int clReleaseMemObject(cl_mem memory)
{
    struct buffer *buffer = find_buffer(memory);
    if (buffer) {
        pthread_mutex_lock(&lock);
        free(buffer->spoilt);
        *buffer = (struct buffer){0};
        pthread_mutex_unlock(&lock);
    }
    return DRIVER(clReleaseMemObject)(memory);
}

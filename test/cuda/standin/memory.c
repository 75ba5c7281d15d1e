/* Memory of devices, between pages that nobody may touch, and pinned memory of the host. */
#include "test/cuda/standin/standin.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGN = 256, GARBAGE = 0xcd, ZONE = 0xb5 };

#define PAGE ((size_t)4096)

struct pinned {
    struct standin_object object;
    void *host;
    size_t bytes;
};

static size_t allocated[STANDIN_MOST_DEVICES];
static int opened = -1; /* the device whose memory is open, and that of its peers */

struct standin_memory *standin_memory_of(const void *address)
{
    struct standin_memory *memory;
    const unsigned char *at = address;
    for (unsigned n = 0; (memory = standin_at(STANDIN_MEMORY, n)); n++)
        if (at >= memory->pages && at < memory->pages + memory->page_bytes)
            return memory;
    return NULL;
}

static int peer_of(int device, int other)
{
    struct standin_context *context = standin_context(device);
    return device == other || (context && context->peers & 1u << other);
}

static void protect(struct standin_memory *memory, int open)
{
    if (memory->open == open || memory->object.dead)
        return;
    mprotect(memory->pages + PAGE, memory->page_bytes - 2 * PAGE,
             open ? PROT_READ | PROT_WRITE : PROT_NONE);
    memory->open = open;
}

void standin_open(int device)
{
    struct standin_memory *memory;
    if (opened == device)
        return;
    for (unsigned n = 0; (memory = standin_at(STANDIN_MEMORY, n)); n++)
        protect(memory, device >= 0 && peer_of(device, memory->object.device));
    opened = device;
}

int standin_reaches(int device, CUdeviceptr at, size_t bytes, const char *call)
{
    const unsigned char *address = (const unsigned char *)(uintptr_t)at;
    struct standin_memory *memory = standin_memory_of(address);
    const char *wrong = NULL;
    if (!memory)
        wrong = "no memory of a device";
    else if (memory->object.dead)
        wrong = "memory that was freed";
    else if (address < memory->bytes || address + bytes > memory->bytes + memory->count)
        wrong = "outside of a piece of memory";
    else if (!peer_of(device, memory->object.device))
        wrong = "memory of a device that is no peer";
    if (wrong)
        standin_misuse("%s: device %d, %zu bytes: %s", call, device, bytes, wrong);
    return !wrong;
}

/* 1 when all are ZONE; else puts them back. */
static int untouched(unsigned char *zone, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (zone[i] != ZONE) {
            memset(zone, ZONE, bytes);
            return 0;
        }
    return 1;
}

static int intact(struct standin_memory *memory)
{
    unsigned char *first = memory->pages + PAGE, *last = memory->pages + memory->page_bytes - PAGE,
                  *end = memory->bytes + memory->count;
    int before = untouched(first, (size_t)(memory->bytes - first)),
        after = untouched(end, (size_t)(last - end));
    return before && after;
}

int standin_zones(int device, const char *by)
{
    struct standin_memory *memory;
    int good = 1;
    for (unsigned n = 0; (memory = standin_at(STANDIN_MEMORY, n)); n++) {
        if (memory->object.dead || !memory->open || intact(memory))
            continue;
        standin_misuse("%s on device %d writes beside memory %u, of %zu bytes", by, device, n,
                       memory->count);
        good = 0;
    }
    return good;
}

/* As far as possible at the end of its pages, so that reading behind it is found, too. */
static struct standin_memory *new_memory(int device, size_t bytes)
{
    size_t whole = (bytes + ALIGN - 1) / ALIGN * ALIGN,
           pages = (whole + PAGE - 1) / PAGE * PAGE + 2 * PAGE;
    void *at = mmap(NULL, pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct standin_memory *memory;
    if (at == MAP_FAILED)
        return NULL;
    memory = standin_new(STANDIN_MEMORY, device, sizeof(*memory));
    memory->pages = at;
    memory->page_bytes = pages;
    memory->bytes = memory->pages + pages - PAGE - whole;
    memory->count = bytes;
    protect(memory, 1);
    memset(memory->pages + PAGE, ZONE, pages - 2 * PAGE);
    memset(memory->bytes, GARBAGE, bytes);
    protect(memory, 0);
    allocated[device] += bytes;
    return memory;
}

int cuMemAlloc_v2(CUdeviceptr *at, size_t bytes)
{
    int result = standin_enter(), device = -1;
    struct standin_memory *memory = NULL;
    *at = 0;
    if (result == CUDA_SUCCESS && standin_refuses(__func__))
        result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    else if (result == CUDA_SUCCESS && bytes == 0)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        device = standin_current()->object.device;
        standin_open(-1);
        if (bytes <= standin_limits.memory_bytes - allocated[device])
            memory = new_memory(device, bytes);
        result = memory ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (memory)
        *at = (CUdeviceptr)(uintptr_t)memory->bytes;
    return standin_leave(result, __func__, "device=%d bytes=%zu memory=%d", device, bytes,
                         memory ? (int)memory->object.number : -1);
}

/* The address is not given to another piece, so that who uses it still is found. */
static void end_memory(struct standin_memory *memory)
{
    if (standin_in_use(memory->bytes, memory->count))
        standin_misuse("memory %u is freed while commands use it", memory->object.number);
    protect(memory, 1);
    if (!intact(memory))
        standin_misuse("beside memory %u was written", memory->object.number);
    protect(memory, 0);
    madvise(memory->pages, memory->page_bytes, MADV_DONTNEED);
    allocated[memory->object.device] -= memory->count;
    standin_kill(memory);
}

int cuMemFree_v2(CUdeviceptr at)
{
    int result = standin_enter();
    struct standin_memory *memory = standin_memory_of((void *)(uintptr_t)at);
    if (!at)
        ;
    else if (!memory || memory->object.dead || memory->bytes != (void *)(uintptr_t)at) {
        standin_misuse("what is freed is no memory, or it was freed before");
        result = CUDA_ERROR_INVALID_VALUE;
    } else {
        end_memory(memory);
    }
    return standin_leave(result, __func__, "memory=%d", memory ? (int)memory->object.number : -1);
}

int cuMemHostAlloc(void **host, size_t bytes, unsigned flags)
{
    int result = standin_enter();
    struct pinned *pinned = NULL;
    *host = NULL;
    if (result == CUDA_SUCCESS && standin_refuses(__func__))
        result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    else if (result == CUDA_SUCCESS && (bytes == 0 || flags & ~7u))
        result = CUDA_ERROR_INVALID_VALUE;
    else if (result == CUDA_SUCCESS && posix_memalign(host, PAGE, bytes) != 0)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS) {
        pinned = standin_new(STANDIN_PINNED, standin_current()->object.device, sizeof(*pinned));
        pinned->host = *host;
        pinned->bytes = bytes;
        memset(*host, GARBAGE, bytes);
    }
    return standin_leave(result, __func__, "bytes=%zu flags=%u pinned=%d", bytes, flags,
                         pinned ? (int)pinned->object.number : -1);
}

int cuMemFreeHost(void *host)
{
    int result = standin_enter();
    struct pinned *pinned;
    unsigned n = 0;
    while ((pinned = standin_at(STANDIN_PINNED, n)) &&
           (pinned->object.dead || pinned->host != host))
        n++;
    if (!pinned) {
        standin_misuse("what is freed is no pinned memory, or it was freed before");
        result = CUDA_ERROR_INVALID_VALUE;
    } else {
        if (standin_in_use(pinned->host, pinned->bytes))
            standin_misuse("pinned memory %u is freed while commands use it", n);
        free(pinned->host);
        standin_kill(pinned);
    }
    return standin_leave(result, __func__, "pinned=%d", pinned ? (int)n : -1);
}

#define _GNU_SOURCE
#include "rt/base/alloc.h"

#include "rt/base/error.h"
#include "rt/base/sync.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CACHE_LINE = 64 };
/* Bytes of a huge page on nearly all systems; an allocation of so many is large. */
static const size_t huge_page = 2u << 20;
static _Atomic size_t pages_held;

static _Thread_local unsigned long asked;

/* Allocations left until one fails, 0 for never. */
static _Atomic unsigned long fail_at;

void dal_alloc_fail_at(unsigned long n)
{
    atomic_store_explicit(&fail_at, n, memory_order_relaxed);
}

unsigned long dal_alloc_count(void)
{
    return asked;
}

void dal_alloc_recount(unsigned long count)
{
    asked = count;
}

static int fail_next(void)
{
    unsigned long left = atomic_load_explicit(&fail_at, memory_order_relaxed);
    asked++;
    while (left > 0) {
        if (atomic_compare_exchange_weak_explicit(&fail_at, &left, left - 1, memory_order_relaxed,
                                                  memory_order_relaxed))
            return left == 1;
    }
    return 0;
}

void *dal_alloc(size_t bytes)
{
    return fail_next() ? NULL : malloc(bytes ? bytes : 1);
}

void *dal_calloc(size_t count, size_t bytes)
{
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total) || fail_next())
        return NULL;
    return calloc(1, total ? total : 1);
}

void *dal_realloc(void *old, size_t count, size_t bytes)
{
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total) || fail_next())
        return NULL;
    return realloc(old, total ? total : 1);
}

void *dal_alloc_aligned(size_t alignment, size_t bytes)
{
    void *memory;
    size_t rounded = (bytes + alignment - 1) & ~(alignment - 1);
    if (rounded < bytes || fail_next())
        return NULL;
    if (alignment < sizeof(void *))
        alignment = sizeof(void *);
    if (posix_memalign(&memory, alignment, rounded ? rounded : alignment) != 0)
        return NULL;
    return memory;
}

void *dal_calloc_apart(size_t count, size_t bytes)
{
    size_t total;
    void *memory;
    if (__builtin_mul_overflow(count, bytes, &total))
        return NULL;
    memory = dal_alloc_aligned(CACHE_LINE, total);
    return memory ? memset(memory, 0, total) : NULL;
}

static size_t round_to_pages(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

/* Maps pages from a multiple of `alignment` on. Maps more than is wanted, and unmaps the pages
 * around. */
static void *map_aligned(size_t bytes, size_t alignment)
{
    size_t room = bytes + alignment, before;
    unsigned char *base =
        mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    before = (alignment - (uintptr_t)base % alignment) % alignment;
    if (before)
        munmap(base, before);
    if (room - before > bytes)
        munmap(base + before + bytes, room - before - bytes);
    return base + before;
}

void *dal_alloc_pages(size_t bytes)
{
    size_t rounded = round_to_pages(bytes);
    void *memory = NULL;
    if (rounded < bytes || rounded > SIZE_MAX / 2 || fail_next())
        return NULL;
    if (rounded > 0)
        memory = map_aligned(rounded, rounded < huge_page ? round_to_pages(1) : huge_page);
    if (memory)
        atomic_fetch_add_explicit(&pages_held, rounded, memory_order_relaxed);
    return memory;
}

void dal_free_pages(void *memory, size_t bytes)
{
    if (!memory)
        return;
    munmap(memory, round_to_pages(bytes));
    atomic_fetch_sub_explicit(&pages_held, round_to_pages(bytes), memory_order_relaxed);
}

void dal_ask_huge_pages(void *memory, size_t bytes)
{
    size_t page = round_to_pages(1), within = (uintptr_t)memory % page;
#ifdef MADV_HUGEPAGE
    if (bytes > 0)
        madvise((unsigned char *)memory - within, round_to_pages(within + bytes), MADV_HUGEPAGE);
#endif
}

size_t dal_pages_held(void)
{
    return atomic_load_explicit(&pages_held, memory_order_relaxed);
}

void dal_free(void *memory)
{
    free(memory);
}

void dal__free_list(void *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dal_free(list[i]);
}

char *dal_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = dal_alloc(bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

char *dal_format(const char *format, ...)
{
    char *text;
    va_list list;
    int n;
    if (fail_next())
        return NULL;
    va_start(list, format);
    n = vasprintf(&text, format, list);
    va_end(list);
    return n < 0 ? NULL : text;
}

int dal_grow(void *array, size_t count, size_t *room, size_t bytes)
{
    void *old, *new;
    size_t wanted;
    if (count < *room)
        return DAL_OK;
    if (__builtin_mul_overflow(*room, (size_t)2, &wanted))
        return DAL_ERR_NOMEM;
    if (wanted < 8)
        wanted = 8;
    memcpy(&old, array, sizeof(old));
    new = dal_realloc(old, wanted, bytes);
    if (!new)
        return DAL_ERR_NOMEM;
    memcpy(array, &new, sizeof(new));
    *room = wanted;
    return DAL_OK;
}

int dal_extend(void *array, size_t count, size_t bytes)
{
    void **block = array, *larger;
    if (count & (count - 1))
        return DAL_OK;
    larger = dal_realloc(*block, count ? 2 * count : 1, bytes);
    if (!larger)
        return DAL_ERR_NOMEM;
    *block = larger;
    return DAL_OK;
}

/*
 * The functions __tsan_...(), which the compiler calls for atomic operations and accesses to memory
 * with -fsanitize=thread. Names and arguments are those of gcc's and clang's own runtime.
 */
#include "test/schedules/scheduler/schedule_own.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HERE ((uintptr_t)__builtin_return_address(0))

enum { OBJECTS = 1 << 16, PAGES = 1 << 16, PAGE = 4096, GRAIN = 8, CELLS = 4, MOST_RUNS = 255 };
enum { IS_WRITE = 1, IS_ATOMIC = 2 };

static struct dal__schedule *const all = &dal__schedule;

/* ---- objects --------------------------------------------------------------------------------- */

/* Objects by hash of their address. Places of earlier runs are free. */
static struct dal__object objects[OBJECTS];

static size_t hash_of(uintptr_t key, size_t size)
{
    return (size_t)((key * 0x9e3779b97f4a7c15u) >> 40) % size;
}

struct dal__object *dal__object(uintptr_t address)
{
    size_t at = hash_of(address, OBJECTS), left;
    for (left = OBJECTS; left > 0; left--, at = (at + 1) % OBJECTS) {
        struct dal__object *object = &objects[at];
        if (object->run == all->run && object->address == address)
            return object;
        if (object->run == all->run)
            continue;
        *object = (struct dal__object){.address = address, .run = all->run};
        return object;
    }
    dal__fail("too many atomic objects for the scheduler", NULL, 0);
}

void dal__join(struct dal__clock *clock, const struct dal__clock *other)
{
    for (int i = 0; i < all->count; i++)
        if (other->of[i] > clock->of[i])
            clock->of[i] = other->of[i];
}

/* ---- races ----------------------------------------------------------------------------------- */

/* An access to some bytes of a grain of 8. */
struct cell {
    uint32_t clock, pc;
    uint8_t thread, mask, flags, run;
};

struct page {
    uintptr_t number; /* address / PAGE; 0: none */
    struct cell cells[PAGE / GRAIN][CELLS];
};

static struct page *pages[PAGES], *last_page;

void dal__memory_begin(void)
{
    if (all->run % MOST_RUNS)
        return;
    for (size_t i = 0; i < PAGES; i++)
        if (pages[i])
            memset(pages[i]->cells, 0, sizeof(pages[i]->cells));
}

static uint8_t run_number(void)
{
    return (uint8_t)(all->run % MOST_RUNS + 1);
}

static struct page *make_page(uintptr_t number)
{
    struct page *page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (page == MAP_FAILED)
        dal__fail("no memory for the scheduler", NULL, 0);
    page->number = number;
    return page;
}

static struct page *find_page(uintptr_t number, int makes)
{
    size_t at = hash_of(number, PAGES), left;
    if (last_page && last_page->number == number)
        return last_page;
    for (left = PAGES; left > 0 && pages[at] && pages[at]->number != number; left--)
        at = (at + 1) % PAGES;
    if (left == 0)
        dal__fail("too much memory for the scheduler", NULL, 0);
    if (!pages[at] && makes)
        pages[at] = make_page(number);
    if (pages[at])
        last_page = pages[at];
    return pages[at];
}

static void forget_cell(struct cell *cells)
{
    for (int i = 0; i < CELLS; i++)
        cells[i].run = 0;
}

void dal__forget(uintptr_t address, size_t bytes)
{
    uintptr_t at = address / GRAIN * GRAIN, end = address + bytes;
    while (at < end) {
        struct page *page = find_page(at / PAGE, 0);
        if (page)
            forget_cell(page->cells[at % PAGE / GRAIN]);
        at = page ? at + GRAIN : (at / PAGE + 1) * PAGE;
    }
}

/* Reports a race of two accesses to one place. */
static void fail_race(const struct cell *now, const struct cell *before)
{
    const uintptr_t pcs[] = {now->pc, before->pc};
    char what[128];
    snprintf(what, sizeof(what),
             "race: nothing orders this %s of thread %d and that %s of thread %d",
             now->flags & IS_WRITE ? "write" : "read", now->thread,
             before->flags & IS_WRITE ? "write" : "read", before->thread);
    dal__fail(what, pcs, 2);
}

static int is_race(const struct dal__thread *me, const struct cell *cell, const struct cell *now)
{
    return cell->run == now->run && (cell->mask & now->mask) && cell->thread != now->thread &&
           ((cell->flags | now->flags) & IS_WRITE) && !(cell->flags & now->flags & IS_ATOMIC) &&
           cell->clock > me->clock.of[cell->thread];
}

/* Does the new access tell all that the old one tells? */
static int replaces(const struct cell *cell, const struct cell *now)
{
    return cell->thread == now->thread && cell->mask == now->mask &&
           (cell->flags == now->flags || ((now->flags & IS_WRITE) && !(now->flags & IS_ATOMIC)));
}

static void look_at_grain(const struct dal__thread *me, struct cell *cells, const struct cell *now)
{
    struct cell *place = NULL;
    for (int i = 0; i < CELLS; i++) {
        struct cell *cell = &cells[i];
        if (is_race(me, cell, now))
            fail_race(now, cell);
        if (cell->run != now->run || replaces(cell, now))
            place = place && place->run == now->run && place->thread == now->thread ? place : cell;
    }
    if (!place)
        place = &cells[(now->clock + now->pc) % CELLS];
    *place = *now;
}

static void touch(struct dal__thread *me, uintptr_t address, size_t bytes, int flags, uintptr_t pc)
{
    extern const char __executable_start[];
    struct cell now = {.clock = me->clock.of[me->number],
                       .pc = (uint32_t)(pc - (uintptr_t)__executable_start),
                       .thread = (uint8_t)me->number,
                       .flags = (uint8_t)flags,
                       .run = run_number()};
    uintptr_t at = address, end = address + bytes;
    while (at < end) {
        uintptr_t next = (at / GRAIN + 1) * GRAIN;
        size_t count = (next < end ? next : end) - at;
        now.mask = (uint8_t)(((1u << count) - 1) << at % GRAIN);
        look_at_grain(me, find_page(at / PAGE, 1)->cells[at % PAGE / GRAIN], &now);
        at = next;
    }
}

/* ---- store buffers --------------------------------------------------------------------------- */

static uint64_t load_bytes(uintptr_t address, int bytes)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)address, (size_t)bytes);
    return value;
}

static void store_bytes(uintptr_t address, uint64_t value, int bytes)
{
    if (load_bytes(address, bytes) != value)
        all->version++;
    memcpy((void *)address, &value, (size_t)bytes);
}

static void drain(struct dal__thread *thread, int index)
{
    const struct dal__pending *pending = &thread->pending[index];
    struct dal__object *object = dal__object(pending->address);
    store_bytes(pending->address, pending->value, pending->bytes);
    if (pending->releases)
        object->clock = pending->clock;
    else
        memset(&object->clock, 0, sizeof(object->clock));
    thread->pending_count--;
    memmove(&thread->pending[index], &thread->pending[index + 1],
            (size_t)(thread->pending_count - index) * sizeof(*pending));
}

void dal__flush(struct dal__thread *thread)
{
    while (thread->pending_count > 0)
        drain(thread, 0);
}

/* May a store reach memory before those in front of it? A relaxed one may pass stores to other
 * places. */
static int may_pass(const struct dal__thread *thread, int index)
{
    if (thread->pending[index].releases)
        return index == 0;
    for (int i = 0; i < index; i++)
        if (thread->pending[i].address == thread->pending[index].address)
            return 0;
    return 1;
}

static void drain_some(struct dal__thread *thread)
{
    int index = 0;
    if (all->habits.overtakes)
        index = (int)dal__draw((uint64_t)thread->pending_count);
    drain(thread, may_pass(thread, index) ? index : 0);
}

void dal__drift(void)
{
    for (int i = 0; i < all->count; i++) {
        struct dal__thread *thread = &all->threads[i];
        if (thread->pending_count == 0)
            continue;
        if (thread->pending[0].step + DAL__OLD < all->steps)
            drain(thread, 0);
        else if (dal__draw((uint64_t)all->habits.drain) == 0)
            drain_some(thread);
    }
}

static const struct dal__pending *newest_of(const struct dal__thread *me, uintptr_t address)
{
    for (int i = me->pending_count - 1; i >= 0; i--)
        if (me->pending[i].address == address)
            return &me->pending[i];
    return NULL;
}

/* Flushes the thread's own buffer before a plain access to bytes that wait in it. */
static void flush_if_own(struct dal__thread *me, uintptr_t address, size_t bytes)
{
    for (int i = 0; i < me->pending_count; i++)
        if (me->pending[i].address < address + bytes &&
            address < me->pending[i].address + (uintptr_t)me->pending[i].bytes) {
            dal__flush(me);
            return;
        }
}

/* ---- operations ------------------------------------------------------------------------------ */

static int acquires(int order)
{
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order >= __ATOMIC_ACQ_REL;
}

static int releases(int order)
{
    return order >= __ATOMIC_RELEASE;
}

static uint64_t load(uintptr_t address, int bytes, int order, uintptr_t pc)
{
    struct dal__thread *me = dal__thread();
    const struct dal__pending *own;
    dal__point(me, DAL__LOAD, address, pc);
    touch(me, address, (size_t)bytes, IS_ATOMIC, pc);
    own = newest_of(me, address);
    if (own)
        return own->value;
    if (acquires(order))
        dal__join(&me->clock, &dal__object(address)->clock);
    return load_bytes(address, bytes);
}

/* A variable of a frame of its own is gone when the function returns, and the compiler then uses
 * the place without a call to here: no store to it may wait. */
static int is_on_stack(const struct dal__thread *me, uintptr_t address)
{
    return address < me->stack && address > (uintptr_t)__builtin_frame_address(0);
}

static void store(uintptr_t address, uint64_t value, int bytes, int order, uintptr_t pc)
{
    struct dal__thread *me = dal__thread();
    const struct dal__pending *own;
    dal__point(me, DAL__STORE, address, pc);
    touch(me, address, (size_t)bytes, IS_ATOMIC | IS_WRITE, pc);
    if (dal__is_planted(DAL_SCHEDULE_LOST, address, value))
        return;
    own = newest_of(me, address);
    if ((own ? own->value : load_bytes(address, bytes)) != value)
        me->quiet = 0;
    if (me->pending_count == DAL__PENDING)
        dal__flush(me);
    me->pending[me->pending_count++] = (struct dal__pending){.address = address,
                                                             .value = value,
                                                             .bytes = bytes,
                                                             .releases = releases(order),
                                                             .step = all->steps,
                                                             .clock = me->clock};
    if (releases(order))
        me->clock.of[me->number]++;
    if (order == __ATOMIC_SEQ_CST || is_on_stack(me, address))
        dal__flush(me);
}

/* Begins a locked instruction, which happens within the thread's turn. */
static struct dal__object *begin_exchange(uintptr_t address, int bytes, uintptr_t pc)
{
    struct dal__thread *me = dal__thread();
    dal__point(me, DAL__EXCHANGE, address, pc);
    dal__flush(me);
    touch(me, address, (size_t)bytes, IS_ATOMIC | IS_WRITE, pc);
    return dal__object(address);
}

static void end_exchange(struct dal__object *object, uint64_t value, int bytes, int order)
{
    struct dal__thread *me = dal__thread();
    if (load_bytes(object->address, bytes) != value)
        me->quiet = 0;
    store_bytes(object->address, value, bytes);
    if (acquires(order))
        dal__join(&me->clock, &object->clock);
    if (releases(order)) {
        dal__join(&object->clock, &me->clock);
        me->clock.of[me->number]++;
    }
}

static int compare(uintptr_t address, void *expected, uint64_t value, int bytes, int order,
                   int failure, uintptr_t pc)
{
    struct dal__thread *me = dal__thread();
    struct dal__object *object = begin_exchange(address, bytes, pc);
    if (memcmp((const void *)address, expected, (size_t)bytes) == 0) {
        end_exchange(object, value, bytes, order);
        return 1;
    }
    if (acquires(failure))
        dal__join(&me->clock, &object->clock);
    memcpy(expected, (const void *)address, (size_t)bytes);
    return 0;
}

static void access(const volatile void *address, size_t bytes, int flags, uintptr_t pc)
{
    struct dal__thread *me = dal__thread();
    if (!me)
        return;
    flush_if_own(me, (uintptr_t)address, bytes);
    touch(me, (uintptr_t)address, bytes, flags, pc);
}

/* ---- what the compiler calls ----------------------------------------------------------------- */

#define ATOMIC_UPDATE(bits, name, builtin, new_value)                                              \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *a, uint##bits##_t v,      \
                                                int order);                                        \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *a, uint##bits##_t v,      \
                                                int order)                                         \
    {                                                                                              \
        struct dal__object *object;                                                                \
        uint##bits##_t old;                                                                        \
        if (!dal__thread())                                                                        \
            return builtin(a, v, __ATOMIC_SEQ_CST);                                                \
        if (dal__is_planted(DAL_SCHEDULE_WEAK, (uintptr_t)a, v)) {                                 \
            old = (uint##bits##_t)load((uintptr_t)a, bits / 8, __ATOMIC_RELAXED, HERE);            \
            store((uintptr_t)a, v, bits / 8, __ATOMIC_RELEASE, HERE);                              \
            return old;                                                                            \
        }                                                                                          \
        object = begin_exchange((uintptr_t)a, bits / 8, HERE);                                     \
        old = *a;                                                                                  \
        end_exchange(object, (uint##bits##_t)(new_value), bits / 8, order);                        \
        return old;                                                                                \
    }

#define ATOMIC_COMPARE(bits, name)                                                                 \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile uint##bits##_t *a,                  \
                                                      uint##bits##_t *expected, uint##bits##_t v,  \
                                                      int order, int failure);                     \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile uint##bits##_t *a,                  \
                                                      uint##bits##_t *expected, uint##bits##_t v,  \
                                                      int order, int failure)                      \
    {                                                                                              \
        if (!dal__thread())                                                                        \
            return __atomic_compare_exchange_n(a, expected, v, 0, __ATOMIC_SEQ_CST,                \
                                               __ATOMIC_SEQ_CST);                                  \
        return compare((uintptr_t)a, expected, v, bits / 8, order, failure, HERE);                 \
    }

#define ATOMIC(bits)                                                                               \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *a, int order);        \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *a, int order)         \
    {                                                                                              \
        if (!dal__thread())                                                                        \
            return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                           \
        return (uint##bits##_t)load((uintptr_t)a, bits / 8, order, HERE);                          \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *a, uint##bits##_t v, int order);     \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *a, uint##bits##_t v, int order)      \
    {                                                                                              \
        if (!dal__thread())                                                                        \
            __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                              \
        else                                                                                       \
            store((uintptr_t)a, v, bits / 8, order, HERE);                                         \
    }                                                                                              \
    ATOMIC_UPDATE(bits, exchange, __atomic_exchange_n, v)                                          \
    ATOMIC_UPDATE(bits, fetch_add, __atomic_fetch_add, old + v)                                    \
    ATOMIC_UPDATE(bits, fetch_sub, __atomic_fetch_sub, old - v)                                    \
    ATOMIC_UPDATE(bits, fetch_and, __atomic_fetch_and, old &v)                                     \
    ATOMIC_UPDATE(bits, fetch_or, __atomic_fetch_or, old | v)                                      \
    ATOMIC_UPDATE(bits, fetch_xor, __atomic_fetch_xor, old ^ v)                                    \
    ATOMIC_COMPARE(bits, strong)                                                                   \
    ATOMIC_COMPARE(bits, weak)

ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)

/* Our code has no fences; what they order is not modelled. */
void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (dal__thread())
        dal__flush(dal__thread());
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}

#define ACCESS(name, bytes, flags)                                                                 \
    void __tsan_##name(void *address);                                                             \
    void __tsan_##name(void *address)                                                              \
    {                                                                                              \
        access(address, bytes, flags, HERE);                                                       \
    }

#define ACCESSES(bytes)                                                                            \
    ACCESS(read##bytes, bytes, 0)                                                                  \
    ACCESS(write##bytes, bytes, IS_WRITE)                                                          \
    ACCESS(unaligned_read##bytes, bytes, 0)                                                        \
    ACCESS(unaligned_write##bytes, bytes, IS_WRITE)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *address, size_t bytes);
void __tsan_read_range(void *address, size_t bytes)
{
    access(address, bytes, 0, HERE);
}

void __tsan_write_range(void *address, size_t bytes);
void __tsan_write_range(void *address, size_t bytes)
{
    access(address, bytes, IS_WRITE, HERE);
}

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *pc);
void __tsan_func_entry(void *pc)
{
    (void)pc;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

/* ---- in place of the C library's ------------------------------------------------------------- */

void *dal_schedule_memcpy(void *to, const void *from, size_t bytes)
{
    access(from, bytes, 0, HERE);
    access(to, bytes, IS_WRITE, HERE);
    return memcpy(to, from, bytes);
}

void *dal_schedule_memmove(void *to, const void *from, size_t bytes)
{
    access(from, bytes, 0, HERE);
    access(to, bytes, IS_WRITE, HERE);
    return memmove(to, from, bytes);
}

void *dal_schedule_memset(void *to, int byte, size_t bytes)
{
    access(to, bytes, IS_WRITE, HERE);
    return memset(to, byte, bytes);
}

static void give_back(void *memory, size_t bytes, uintptr_t pc)
{
    struct dal__thread *me = dal__thread();
    if (!me || !memory)
        return;
    dal__flush(me);
    touch(me, (uintptr_t)memory, bytes, IS_WRITE, pc);
    dal__forget((uintptr_t)memory, bytes);
}

static void *take_anew(void *memory, size_t bytes)
{
    if (dal__thread() && memory)
        dal__forget((uintptr_t)memory, bytes);
    return memory;
}

/* A block may be larger than was asked for, and its end was somebody else's before. */
static void *take_block(void *memory)
{
    return take_anew(memory, malloc_usable_size(memory));
}

void *dal_schedule_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    void *memory = mmap(at, bytes, protection, flags, file, offset);
    return memory == MAP_FAILED ? memory : take_anew(memory, bytes);
}

int dal_schedule_munmap(void *memory, size_t bytes)
{
    give_back(memory, bytes, HERE);
    return munmap(memory, bytes);
}

void *dal_schedule_malloc(size_t bytes)
{
    return take_block(malloc(bytes));
}

void *dal_schedule_calloc(size_t count, size_t bytes)
{
    return take_block(calloc(count, bytes));
}

int dal_schedule_posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    int error = posix_memalign(memory, alignment, bytes);
    if (!error)
        take_block(*memory);
    return error;
}

void *dal_schedule_realloc(void *old, size_t bytes)
{
    give_back(old, malloc_usable_size(old), HERE);
    return take_block(realloc(old, bytes));
}

void dal_schedule_free(void *memory)
{
    give_back(memory, malloc_usable_size(memory), HERE);
    free(memory);
}

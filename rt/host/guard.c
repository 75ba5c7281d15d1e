#include "rt/host/guard.h"

#include "channels/port.h"
#include "rt/base/alloc.h"
#include "rt/base/line.h"
#include "rt/base/number.h"
#include "rt/base/poison.h"
#include "rt/base/sync.h"
#include "rt/host/firing.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes that nobody can touch, bytes of pattern that are looked at before a window, and the largest
 * alignment of a window that is kept. */
enum { BEYOND = 1 << 20, BEFORE = 4096, ALIGNED = 64 };

/* A copy of a window lies as far to the end of its room as its alignment lets it. */
struct slot {
    unsigned char *begin, *end; /* the room */
    unsigned char *at;          /* the window that was handed out last */
    size_t bytes;
    uint64_t look; /* the number of the next look then */
    int pattern;
};

struct dal_guard_port {
    struct slot slots[2];
    unsigned char *memory; /* NULL: nothing was handed out yet */
    size_t room;           /* of a slot */
    unsigned char *ring;   /* the window that the slot `turn` is a copy of; NULL: none */
    int turn;
};

/* All guards, for handlers of signals, which take no lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct dal_guard *_Atomic all;

/* ---- messages -------------------------------------------------------------------------------- */

static const struct {
    const char *before, *behind; /* the distance */
} words[] = {
    [DAL_BEHIND_WINDOW] = {"", " bytes behind the end of its window of "},
    [DAL_BEFORE_WINDOW] = {"", " bytes before its window of "},
    [DAL_IN_INPUT] = {"an input, at byte ", " of its window of "},
    [DAL_IN_ENDED] = {"after the end call, at byte ", " of its window of "},
    [DAL_IN_KEPT] = {"by a pointer that it has kept, at byte ", " of an earlier window of "}};

void dal_guard_describe(struct dal_line *line, const struct dal_process_desc *desc, uint64_t firing,
                        const struct dal_beside *b)
{
    dal_line_add(line, "process ");
    dal_line_add(line, desc->name);
    dal_line_add(line, ": firing ");
    dal_line_add_number(line, firing, 10);
    dal_line_add(line, b->writes < 0 ? " uses port "
                       : b->writes   ? " writes to port "
                                     : " reads port ");
    dal_line_add(line, desc->ports[b->port].name);
    dal_line_add(line, ", ");
    dal_line_add(line, words[b->wrong].before);
    dal_line_add_number(line, b->distance, 10);
    dal_line_add(line, words[b->wrong].behind);
    dal_line_add_number(line, b->window_bytes, 10);
    dal_line_add(line, " bytes");
}

static uint64_t firing_of(const struct dal_guard *guard)
{
    uint64_t least, most;
    dal_here_firing(guard->activation->process, &least, &most);
    return least;
}

static void report_write(struct dal_guard *guard, int index, const struct slot *slot,
                         enum dal_wrong wrong, size_t distance)
{
    const struct dal_process *process = guard->activation->process;
    struct dal_line line = {.used = 0};
    guard->activation->failed = 1;
    dal_guard_describe(&line, process->desc, firing_of(guard),
                       &(struct dal_beside){index, wrong, distance, slot->bytes, 1});
    dal_log(DAL_LOG_ERROR, "%s (%s:%d)", line.text, process->desc->origin.file,
            process->desc->origin.line);
    dal_control_break(process->control, DAL_ERR_PROCESS);
}

/* ---- looks ----------------------------------------------------------------------------------- */

/* Returns the first byte that is looked at. */
static unsigned char *first_of(const struct slot *slot)
{
    return slot->at - dal_least(BEFORE, (size_t)(slot->at - slot->begin));
}

/* Reports the byte that is the farthest from the window, in bytes of which some were written. */
static void refuse_damage(struct dal_guard *guard, int index, const struct slot *slot)
{
    const unsigned char *behind = slot->at + slot->bytes, *last = slot->end - 1;
    const unsigned char *first = first_of(slot);
    while (*first == slot->pattern)
        first++;
    while (*last == slot->pattern)
        last--;
    if (last >= behind)
        report_write(guard, index, slot, DAL_BEHIND_WINDOW, (size_t)(last - behind) + 1);
    else if (first < slot->at)
        report_write(guard, index, slot, DAL_BEFORE_WINDOW, (size_t)(slot->at - first));
    else
        report_write(guard, index, slot, slot->look == guard->looks ? DAL_IN_ENDED : DAL_IN_KEPT,
                     (size_t)(first - slot->at) + 1);
}

static void refuse_input(struct dal_guard *guard, int index, const struct slot *slot,
                         const unsigned char *ring)
{
    size_t i = 0;
    while (slot->at[i] == ring[i])
        i++;
    report_write(guard, index, slot, DAL_IN_INPUT, i + 1);
}

/* Looks at a slot that is pattern, from a byte to its end. It is poison then. */
static void look_at(struct dal_guard *guard, int index, const struct slot *slot,
                    const unsigned char *from)
{
    const size_t room = (size_t)(slot->end - slot->begin);
    dal_unpoison(slot->begin, room);
    if (!dal_is_pattern(from, (size_t)(slot->end - from), slot->pattern))
        refuse_damage(guard, index, slot);
    dal_poison(slot->begin, room);
}

/* Ends what was handed out: moves it to the ring, and makes it pattern. What is changed in place is
 * there already. */
static void take_back(struct dal_guard *guard, int index)
{
    const struct dal_end *end = guard->activation->process->ends[index];
    struct dal_guard_port *port = &guard->ports[index];
    const struct slot *slot = &port->slots[port->turn];
    unsigned char *ring = port->ring;
    port->ring = NULL;
    if (end->output && !dal_end_is_inplace(end))
        memcpy(ring, slot->at, slot->bytes);
    else if (!end->output && memcmp(ring, slot->at, slot->bytes) != 0)
        refuse_input(guard, index, slot, ring);
    memset(slot->at, slot->pattern, slot->bytes);
    look_at(guard, index, slot, first_of(slot));
}

static void look_at_all(struct dal_guard *guard)
{
    for (int i = 0; i < guard->activation->process->desc->port_count; i++) {
        const struct dal_guard_port *port = &guard->ports[i];
        if (!port->memory)
            continue;
        if (port->ring)
            take_back(guard, i);
        for (int k = 0; k < 2 && !guard->activation->failed; k++)
            look_at(guard, i, &port->slots[k], port->slots[k].at);
    }
    guard->looks++;
}

/* ---- windows --------------------------------------------------------------------------------- */

static void set_slot(struct slot *slot, unsigned char *begin, size_t room, int pattern)
{
    *slot = (struct slot){.begin = begin, .end = begin + room, .at = begin, .pattern = pattern};
    memset(begin, pattern, room);
    dal_poison(begin, room);
}

static size_t all_bytes(size_t room)
{
    return 3 * (size_t)BEYOND + 2 * room;
}

static void free_room(const struct dal_guard_port *port)
{
    dal_unpoison(port->memory, all_bytes(port->room));
    dal_free_pages(port->memory, all_bytes(port->room));
}

/* Makes slots for so many bytes. Returns whether there was memory. */
static int make_room(struct dal_guard_port *port, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (bytes + page - 1) / page * page;
    unsigned char *memory;
    if (bytes <= port->room)
        return 1;
    memory = dal_alloc_pages(all_bytes(room));
    if (!memory)
        return 0;
    free_room(port);
    port->memory = memory;
    port->room = room;
    for (size_t i = 0; i < 3; i++)
        mprotect(memory + i * (BEYOND + room), BEYOND, PROT_NONE);
    set_slot(&port->slots[0], memory + BEYOND, room, 0xC9);
    set_slot(&port->slots[1], memory + 2 * (size_t)BEYOND + room, room, 0x36);
    return 1;
}

/* Returns the alignment that a window at this place has in each firing. */
static size_t alignment_of(const struct dal_window *window, const unsigned char *at, size_t bytes)
{
    size_t bits = (size_t)at | (window->waits ? bytes : window->bytes) | ALIGNED;
    return bits & (~bits + 1);
}

static unsigned char *hand_out(struct dal_guard *guard, int index, unsigned char *at, size_t bytes)
{
    struct dal_process *process = guard->activation->process;
    const struct dal_window *window = &guard->activation->windows[index];
    struct dal_guard_port *port = &guard->ports[index];
    struct slot *slot = &port->slots[port->turn];
    if (port->ring == at && slot->bytes == bytes)
        return slot->at;
    if (port->ring)
        take_back(guard, index);
    if (!make_room(port, bytes > window->bytes || window->waits ? bytes : window->bytes)) {
        dal_log(DAL_LOG_ERROR, "process %s: no memory to guard a window of %zu bytes",
                process->desc->name, bytes);
        dal_control_break(process->control, DAL_ERR_NOMEM);
        return at;
    }
    port->turn = !port->turn;
    slot = &port->slots[port->turn];
    if (slot->bytes > 0 && slot->look == guard->looks)
        look_at(guard, index, slot, slot->at);
    slot->at = slot->end - bytes;
    slot->at -= (size_t)slot->at % alignment_of(window, at, bytes);
    slot->bytes = bytes;
    slot->look = guard->looks;
    port->ring = at;
    dal_unpoison(slot->at, bytes);
    if (!process->ends[index]->output || dal_end_is_inplace(process->ends[index]))
        memcpy(slot->at, at, bytes);
    return slot->at;
}

void *dal_window_lend(struct dal_guard *guard, int index, void *at, size_t bytes)
{
    const struct dal_process *process = guard->activation->process;
    int home = dal_end_home(process->ends, index);
    const struct dal_window *window = &guard->activation->windows[home];
    if (!at || bytes == 0)
        return at;
    if (!dal_end_is_inplace(process->ends[home]))
        return hand_out(guard, index, at, bytes);
    return hand_out(guard, home, window->firing, window->bytes) +
           ((unsigned char *)at - window->firing);
}

/* What is changed in place may be read behind the end call of the output. */
void dal_window_settle(struct dal_guard *guard, int index)
{
    const struct dal_end *end = guard->activation->process->ends[index];
    const struct dal_window *window = &guard->activation->windows[index];
    const struct dal_guard_port *port = &guard->ports[index];
    if (port->ring && !dal_end_is_inplace(end))
        take_back(guard, index);
    else if (port->ring)
        memcpy(window->firing + window->from, port->slots[port->turn].at + window->from,
               window->held);
}

/* ---- signals --------------------------------------------------------------------------------- */

static int is_near(const struct slot *slot, const unsigned char *address)
{
    return address >= slot->begin - BEYOND && address < slot->end + BEYOND;
}

/* Returns the slot of a port that an address is near to: better the one that is handed out. */
static const struct slot *find_slot(const struct dal_guard_port *port, const unsigned char *address)
{
    for (int k = 0; port->memory && k < 2; k++) {
        const struct slot *slot = &port->slots[k ^ port->turn];
        if (is_near(slot, address))
            return slot;
    }
    return NULL;
}

static void tell(const struct dal_guard *guard, int index, const struct slot *slot,
                 const unsigned char *address, int writes)
{
    const struct dal_process_desc *desc = guard->activation->process->desc;
    const unsigned char *end = slot->at + slot->bytes;
    struct dal_beside b = {index, DAL_BEFORE_WINDOW, (size_t)(slot->at - address), slot->bytes,
                           writes};
    struct dal_line line = {.used = 0};
    if (address >= end) {
        b.wrong = DAL_BEHIND_WINDOW;
        b.distance = (size_t)(address - end) + 1;
    } else if (address >= slot->at) {
        b.wrong = slot->look == guard->looks ? DAL_IN_ENDED : DAL_IN_KEPT;
        b.distance = (size_t)(address - slot->at) + 1;
    }
    dal_guard_describe(&line, desc, firing_of(guard), &b);
    dal_line_tell_at(&line, desc->origin.file, desc->origin.line);
}

/* Of copies that are wrong at once, one tells, and the others wait for it: who returns ends the
 * program. `told` pairs with itself in other threads. */
static void tell_once(const struct dal_guard *guard, int index, const struct slot *slot,
                      const unsigned char *address, int writes)
{
    enum { NOBODY, SOMEBODY, ALL, LONGEST_MS = 1000 };
    static _Atomic int told;
    int found = NOBODY;
    if (atomic_compare_exchange_strong(&told, &found, SOMEBODY)) {
        tell(guard, index, slot, address, writes);
        atomic_store(&told, ALL);
    }
    for (int ms = 0; ms < LONGEST_MS && atomic_load(&told) != ALL; ms++)
        nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
}

int dal_guard_tell(const void *address, int writes)
{
    for (const struct dal_guard *guard = atomic_load(&all); guard; guard = guard->next)
        for (int i = 0; i < guard->activation->process->desc->port_count; i++) {
            const struct slot *slot = find_slot(&guard->ports[i], address);
            if (slot) {
                tell_once(guard, i, slot, address, writes);
                return 1;
            }
        }
    return 0;
}

/* AddressSanitizer has told the line. */
static void tell_poison(void)
{
    int writes;
    const void *address = dal_poison_touched(&writes);
    if (address)
        dal_guard_tell(address, writes);
}

/* ---- guards ---------------------------------------------------------------------------------- */

struct dal_guard *dal_guard_create(struct dal_activation *activation)
{
    size_t ports = (size_t)activation->process->desc->port_count + 1;
    struct dal_guard *guard = dal_calloc(1, sizeof(*guard));
    struct dal_guard_port *all_ports = dal_calloc(ports, sizeof(*all_ports));
    if (!guard || !all_ports) {
        dal_free_all(guard, all_ports);
        return NULL;
    }
    *guard = (struct dal_guard){.look = look_at_all, .activation = activation, .ports = all_ports};
    pthread_mutex_lock(&lock);
    dal_poison_watch(tell_poison);
    guard->next = atomic_load(&all);
    atomic_store(&all, guard);
    pthread_mutex_unlock(&lock);
    return guard;
}

static void unlist(const struct dal_guard *guard)
{
    struct dal_guard *at;
    pthread_mutex_lock(&lock);
    at = atomic_load(&all);
    if (at == guard)
        atomic_store(&all, guard->next);
    for (; at; at = at->next)
        if (at->next == guard)
            at->next = guard->next;
    pthread_mutex_unlock(&lock);
}

void dal_guard_destroy(struct dal_guard *guard)
{
    if (!guard)
        return;
    unlist(guard);
    for (int i = 0; i < guard->activation->process->desc->port_count; i++)
        free_room(&guard->ports[i]);
    dal_free_all(guard->ports, guard);
}

#include "rt/host/kpn.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/number.h"
#include "rt/host/changes.h"
#include "rt/host/firing.h"
#include "rt/host/team.h"
#include "rt/host/waiter.h"

#include <string.h>

/* Looks before sleeping. The peer is often about to move, and waking a sleeper costs some 30 us. */
enum { LOOKS = 64 };
/* The most vain questions in a row, and the most windows written to spent ports. */
enum { MOST_VAIN = 100000 };

static struct dal_window *window_of(struct dal_process *process, int port)
{
    return &process->copies[0].activation.windows[port];
}

static size_t token_bytes(const struct dal_end *end)
{
    return end->channel->desc->token_bytes;
}

static int init_kpn(struct dal_process *process)
{
    int i;
    process->kpn = dal_calloc(1, sizeof(*process->kpn));
    if (!process->kpn)
        return DAL_ERR_NOMEM;
    process->kpn->ports =
        dal_calloc((size_t)process->desc->port_count + 1, sizeof(*process->kpn->ports));
    process->kpn->empty =
        dal_calloc((size_t)process->desc->port_count + 1, sizeof(*process->kpn->empty));
    if (!process->kpn->ports || !process->kpn->empty)
        return DAL_ERR_NOMEM;
    process->kpn->leave.name = process->desc->name;
    dal_leave_prepare();
    for (i = 0; i < process->desc->port_count; i++)
        window_of(process, i)->waits = 1;
    return DAL_OK;
}

static void finish_kpn(struct dal_process *process)
{
    int i;
    if (!process->kpn)
        return;
    for (i = 0; process->kpn->ports && i < process->desc->port_count; i++) {
        dal_free(process->kpn->ports[i].memory);
        dal_free(process->kpn->ports[i].scrap);
    }
    dal_free(process->kpn->ports);
    dal_free(process->kpn->empty);
    dal_free(process->kpn);
    process->kpn = NULL;
}

/* ---- between windows and rings --------------------------------------------------------------- */

static void settle(struct dal_process *process, int port);

static const struct dal_counted *counted_at(const struct dal_process *process, int port)
{
    const struct dal_counted *counted = &process->desc->ports[port].counted;
    return counted->most ? counted : NULL;
}

/* Gives a packet back once it has been read. The window of a counted port lies in one packet. */
static void send_packet(struct dal_process *process, int port)
{
    struct dal_end *end = process->ends[port];
    struct dal_window *window = window_of(process, port);
    struct dal_kpn_port *own = &process->kpn->ports[port];
    if (!own->opened || own->lent || window->begun || window->done < window->bytes)
        return;
    process->kpn->sent += token_bytes(end);
    dal_end_move(end, dal_end_window(end), 1);
    own->opened = 0;
    window->bytes = window->done = 0;
}

/* Gives the peers the whole tokens that were read and written. A begun token stays. */
static void send_all(struct dal_process *process)
{
    int i;
    for (i = 0; i < process->desc->port_count; i++) {
        struct dal_end *end = process->ends[i];
        struct dal_window *window = window_of(process, i);
        uint64_t tokens;
        size_t bytes;
        settle(process, i);
        if (counted_at(process, i)) {
            send_packet(process, i);
            continue;
        }
        tokens = process->kpn->ports[i].lent ? 0 : window->done / token_bytes(end);
        bytes = tokens * token_bytes(end);
        if (tokens == 0)
            continue;
        process->kpn->sent += bytes;
        dal_end_move(end, window->firing, tokens);
        window->firing += bytes;
        window->bytes -= bytes;
        window->done -= bytes;
    }
}

/* Returns the space that readers make, or left when they ended. A spent port has endless space. */
static uint64_t tokens_left(const struct dal_process *process, int port)
{
    struct dal_end *end = process->ends[port];
    return end->output && !process->kpn->ports[port].spent ? dal_end_left(end) : UINT64_MAX;
}

static void leave_fire(struct dal_process *process, int error);

/* Moves the window to the next packet that has tokens. Returns 0 if there is none. */
static int refill_packet(struct dal_process *process, int port)
{
    const struct dal_counted *counted = counted_at(process, port);
    struct dal_end *end = process->ends[port];
    struct dal_window *window = window_of(process, port);
    while (window->bytes == window->done && dal_end_ready(end, 1)) {
        const unsigned char *packet = dal_end_window(end);
        uint32_t header[DAL_PACKET_WRONG + 1];
        memcpy(header, packet, sizeof(header));
        if (header[DAL_PACKET_COUNT] > counted->most || header[DAL_PACKET_WRONG]) {
            dal_refuse_packet(port, packet, process);
            leave_fire(process, DAL_ERR_PROCESS);
        }
        dal_count_tokens(port, header[DAL_PACKET_COUNT], process);
        window->firing = dal_end_window(end) + counted->header_bytes;
        window->bytes = header[DAL_PACKET_COUNT] * counted->token_bytes;
        window->done = 0;
        process->kpn->ports[port].opened = 1;
        send_packet(process, port);
    }
    return window->bytes > window->done;
}

/* Extends the window over the tokens or the space up to the ring's end. Returns 0 if there are
 * none. */
static int refill(struct dal_process *process, int port)
{
    struct dal_end *end = process->ends[port];
    struct dal_window *window = window_of(process, port);
    uint64_t tokens;
    if (counted_at(process, port))
        return refill_packet(process, port);
    tokens = dal_end_ready(end, UINT64_MAX / 2);
    window->bytes = dal_least(tokens, tokens_left(process, port)) * token_bytes(end);
    window->firing = dal_end_window(end);
    return window->bytes > window->done;
}

/* Returns whether waiting would never end: the network broke, or no more tokens come. */
static int is_over(struct dal_process *process, struct dal_end *end)
{
    if (dal_control_broken(process->control))
        return 1;
    return !end->output && dal_end_finished(end);
}

/* Returns whether it has outputs and all are spent. Never so for a process with effects outside
 * (`wanted`). */
static int is_spent(const struct dal_process *process)
{
    int i;
    for (i = 0; i < process->desc->port_count; i++) {
        const struct dal_end *end = process->ends[i];
        if (end->output && !dal_end_is_loop(end) && !process->kpn->ports[i].spent)
            return 0;
    }
    return process->wanted != NULL;
}

/* Marks a port as spent: no write fits any more. Returns whether the process goes on. */
static int spend(struct dal_process *process, int port)
{
    process->kpn->ports[port].spent = 1;
    return !is_spent(process) && refill(process, port);
}

/* Returns whether it keeps writing to a spent port that nobody reads. */
static int is_in_vain(struct dal_process *process, int port)
{
    return process->kpn->ports[port].spent && dal_process_is_unread(process) &&
           ++process->kpn->dropped >= MOST_VAIN;
}

/* Rests during a pause, with nothing half done at a channel. A firing may never end, so it must
 * rest here too. */
static void rest_while_paused(struct dal_process *process)
{
    while (dal_control_paused(process->control) && !dal_control_broken(process->control))
        dal_control_rest(process->control, process->wakes[0]);
}

/* ---- init, in turn --------------------------------------------------------------------------- */

static int is_turn(const struct dal_process *process, unsigned turn)
{
    return atomic_load_explicit(&process->control->inits, memory_order_seq_cst) >= turn ||
           dal_control_broken(process->control);
}

static void wait_for_turn(struct dal_process *process, unsigned turn)
{
    struct dal_wake *wake = process->wakes[0];
    while (!is_turn(process, turn)) {
        uint32_t sequence;
        rest_while_paused(process);
        sequence = dal_wake_prepare(wake);
        if (is_turn(process, turn) || dal_control_paused(process->control))
            dal_wake_cancel(wake);
        else
            dal_wake_wait(wake, sequence, -1);
    }
}

/* Gives the turn to the next init; the last one wakes all sleepers, so that they fire. */
static void pass_turn(struct dal_process *process)
{
    struct dal_control *control = process->control;
    size_t i;
    if (process->kpn->passed)
        return;
    process->kpn->passed = 1;
    atomic_fetch_add_explicit(&control->inits, 1, memory_order_seq_cst);
    if (process->kpn->follower)
        dal_wake_signal(process->kpn->follower->wakes[0]);
    for (i = 0; !process->kpn->follower && i < control->sleeper_count; i++)
        dal_wake_signal(control->sleepers[i]);
}

static void before_init(struct dal_process *process)
{
    wait_for_turn(process, process->kpn->turn);
}

static void after_init(struct dal_process *process)
{
    pass_turn(process);
    wait_for_turn(process, process->kpn->turns);
}

void dal_kpn_line_up(struct dal_process *processes, int count)
{
    struct dal_process *last = NULL;
    unsigned turns = 0;
    int i;
    for (i = 0; i < count; i++) {
        if (!processes[i].kpn)
            continue;
        processes[i].kpn->turn = turns++;
        if (last)
            last->kpn->follower = &processes[i];
        last = &processes[i];
    }
    for (i = 0; i < count; i++)
        if (processes[i].kpn)
            processes[i].kpn->turns = turns;
}

static void sleep_at(struct dal_process *process, struct dal_end *end)
{
    struct dal_wake *wake = process->wakes[0];
    uint32_t sequence = dal_wake_prepare(wake);
    if (dal_end_available(end) > 0 || is_over(process, end) ||
        dal_control_paused(process->control)) {
        dal_wake_cancel(wake);
        return;
    }
    atomic_store_explicit(&process->kpn->blocked, end, memory_order_release);
    dal_meter_close(&dal_here()->meter);
    dal_wake_wait(wake, sequence, -1);
    atomic_store_explicit(&process->kpn->blocked, NULL, memory_order_release);
}

/* Ends a time of work in the meter: it began with fire, or after the last wait. */
static void add_to_meter(struct dal_process *process, int64_t now_ns)
{
    int64_t since_ns = process->kpn->since_ns;
    if (since_ns)
        process->copies[0].lengthy = dal_meter_end(&dal_here()->meter, process, since_ns, now_ns);
}

static void go_on_meter(struct dal_process *process, int64_t now_ns)
{
    if (!process->kpn->since_ns)
        return;
    process->kpn->since_ns = now_ns;
    dal_meter_begin(&dal_here()->meter, now_ns, process->copies[0].lengthy);
}

static void begin_wait(struct dal_process *process, struct dal_waits *waits, int64_t now_ns)
{
    add_to_meter(process, now_ns);
    atomic_store_explicit(&waits->since_ns, now_ns, memory_order_relaxed);
}

static void end_wait(struct dal_process *process, struct dal_waits *waits, int64_t now_ns)
{
    process->kpn->waited_ns += now_ns - dal_count_get(waits->since_ns);
    go_on_meter(process, now_ns);
    dal_count_add(waits->count, 1);
    dal_waits_end(waits, now_ns);
}

/* Waits until the end has a token or space for one. Returns 1, or 0 when it never will. */
static int wait_at(struct dal_process *process, struct dal_end *end)
{
    struct dal_waits *waits = &dal_end_channel(end)->waits[end->output];
    int looks = 0, over = 0;
    if (process->timed)
        begin_wait(process, waits, dal_now_ns());
    while (!over && dal_end_available(end) == 0) {
        rest_while_paused(process);
        over = is_over(process, end);
        pass_turn(process);
        if (!over && looks++ >= LOOKS)
            sleep_at(process, end);
    }
    if (process->timed)
        end_wait(process, waits, dal_now_ns());
    return !over;
}

static void leave_fire(struct dal_process *process, int error)
{
    dal_control_break(process->control, error);
    dal__kpn_leave(process);
}

/* Refuses a call while a window is open: it would be lost when the ring grows. */
static void refuse_open(struct dal_process *process, int port)
{
    if (window_of(process, port)->begun) {
        dal_log(DAL_LOG_ERROR,
                "process %s: port %s is used again before its window is ended (%s:%d)",
                process->desc->name, process->desc->ports[port].name, process->desc->origin.file,
                process->desc->origin.line);
        leave_fire(process, DAL_ERR_PROCESS);
    }
    settle(process, port);
}

/* Tells the monitor that this firing does not hang, however long it takes. */
static void move_on(struct dal_process *process)
{
    unsigned calls = atomic_load_explicit(&process->kpn->calls, memory_order_relaxed);
    atomic_store_explicit(&process->kpn->calls, calls + 1, memory_order_relaxed);
}

/* Makes the window hold at least one byte more. Returns 0 when it never will. */
static int advance(struct dal_process *process, int port)
{
    struct dal_end *end = process->ends[port];
    refuse_open(process, port);
    move_on(process);
    send_all(process);
    rest_while_paused(process);
    if (end->output && (is_over(process, end) || is_in_vain(process, port)))
        return 0;
    while (!refill(process, port)) { /* looks again after packets that are empty */
        if (!wait_at(process, end))
            return 0;
        if (!refill(process, port) && !counted_at(process, port))
            return end->output && spend(process, port);
    }
    return 1;
}

static void advance_or_leave(struct dal_process *process, int port)
{
    if (!advance(process, port))
        dal__kpn_leave(process);
}

/* Returns the next piece of a window, of up to `most` bytes, with its size in *piece. */
static unsigned char *take_piece(struct dal_process *process, int port, size_t most, size_t *piece)
{
    struct dal_window *window = window_of(process, port);
    unsigned char *at;
    if (window->bytes == window->done)
        advance_or_leave(process, port);
    *piece = dal_least(most, window->bytes - window->done);
    at = window->firing + window->done;
    window->done += *piece;
    return at;
}

static void read_bytes(struct dal_process *process, int port, unsigned char *to, size_t left)
{
    size_t piece;
    for (; left > 0; left -= piece, to += piece) {
        const unsigned char *from = take_piece(process, port, left, &piece);
        memcpy(to, from, piece);
    }
}

static void write_bytes(struct dal_process *process, int port, const unsigned char *from,
                        size_t left)
{
    size_t piece;
    for (; left > 0; left -= piece, from += piece) {
        unsigned char *to = take_piece(process, port, left, &piece);
        memcpy(to, from, piece);
    }
}

int dal_kpn_read(struct dal_process *process, int port, void *buf, int len)
{
    if (dal__kpn_is_left(process)) {
        memset(buf, 0, (size_t)len);
        return -1;
    }
    read_bytes(process, port, buf, (size_t)len);
    return len;
}

int dal_kpn_write(struct dal_process *process, int port, const void *buf, int len)
{
    if (dal__kpn_is_left(process))
        return -1;
    write_bytes(process, port, buf, (size_t)len);
    return len;
}

/* ---- windows --------------------------------------------------------------------------------- */

static unsigned char *room_for(struct dal_process *process, int port, size_t bytes)
{
    struct dal_kpn_port *own = &process->kpn->ports[port];
    if (bytes > own->room) {
        unsigned char *memory = dal_alloc(bytes);
        if (!memory) {
            dal_log(DAL_LOG_ERROR, "process %s: no memory for a window of %zu bytes of port %s",
                    process->desc->name, bytes, process->desc->ports[port].name);
            leave_fire(process, DAL_ERR_NOMEM);
        }
        dal_free(own->memory);
        own->memory = memory;
        own->room = bytes;
    }
    return own->memory;
}

static int has(const struct dal_window *window, size_t bytes)
{
    return bytes <= window->bytes - window->done;
}

/* Puts the ring's window back once the window in lent memory has ended. */
static void settle(struct dal_process *process, int port)
{
    struct dal_kpn_port *own = &process->kpn->ports[port];
    struct dal_window *window = window_of(process, port);
    size_t bytes = own->lent;
    if (bytes == 0 || window->begun)
        return;
    own->lent = 0;
    *window = own->ring;
    if (process->ends[port]->output)
        write_bytes(process, port, own->memory, bytes);
}

static void *begin_window(struct dal_window *window, size_t bytes)
{
    window->held = bytes;
    window->from = window->done;
    window->begun = 1;
    return window->firing + window->done;
}

/* Closes the windows, so that the next call at any port comes here and settles lent memory. */
static void close_windows(struct dal_process *process)
{
    int i;
    for (i = 0; i < process->desc->port_count; i++)
        if (!window_of(process, i)->begun && !process->kpn->ports[i].lent)
            window_of(process, i)->bytes = window_of(process, i)->done;
}

static void *lend(struct dal_process *process, int port, size_t bytes)
{
    struct dal_kpn_port *own = &process->kpn->ports[port];
    struct dal_window *window = window_of(process, port);
    if (process->ends[port]->output)
        close_windows(process);
    own->ring = *window;
    own->lent = bytes;
    *window = (struct dal_window){.firing = own->memory, .bytes = bytes, .waits = 1};
    return begin_window(window, bytes);
}

/* Returns a window in place if that is possible, else a copy in lent memory. */
void *dal_kpn_begin(struct dal_process *process, int port, size_t bytes)
{
    struct dal_window *window = window_of(process, port);
    const struct dal_counted *counted = counted_at(process, port);
    size_t token = counted ? counted->token_bytes : token_bytes(process->ends[port]);
    unsigned char *memory;
    if (dal__kpn_is_left(process))
        return dal__kpn_begin_left(process, port, bytes);
    refuse_open(process, port);
    if (!has(window, bytes))
        advance_or_leave(process, port);
    if (has(window, bytes) && (token > 1 || !dal__is_unaligned(window, bytes)))
        return begin_window(window, bytes);
    memory = room_for(process, port, bytes);
    if (!process->ends[port]->output)
        read_bytes(process, port, memory, bytes);
    return lend(process, port, bytes);
}

int dal_kpn_at_end(struct dal_process *process, int port)
{
    if (dal__kpn_is_left(process))
        return 1;
    if (has(window_of(process, port), 1) || advance(process, port))
        return 0;
    if (dal_control_broken(process->control))
        dal__kpn_leave(process);
    return 1;
}

/* Tells whether one token is there. More is not known without the packets behind the next one. */
static int test_packet(struct dal_process *process, int port, size_t bytes)
{
    const struct dal_window *window = window_of(process, port);
    int closed = dal_end_peer_closed(process->ends[port]);
    if (window->bytes > window->done || bytes > counted_at(process, port)->token_bytes) {
        dal_log(DAL_LOG_ERROR,
                "process %s: port %s is counted: it can be asked for one whole token, and not for "
                "%zu bytes (%s:%d)",
                process->desc->name, process->desc->ports[port].name, bytes,
                process->desc->origin.file, process->desc->origin.line);
        leave_fire(process, DAL_ERR_PROCESS);
    }
    return refill(process, port) ? 1 : closed ? -1 : 0;
}

int dal_kpn_test(struct dal_process *process, int port, size_t bytes)
{
    struct dal_end *end = process->ends[port];
    struct dal_window *window = window_of(process, port);
    int closed, there;
    if (dal__kpn_is_left(process))
        return -1;
    refuse_open(process, port);
    if (has(window, bytes))
        return 1;
    move_on(process);
    send_all(process);
    pass_turn(process);
    rest_while_paused(process);
    if (counted_at(process, port))
        return test_packet(process, port, bytes);
    closed = dal_end_peer_closed(end);
    bytes += window->done;
    there =
        bytes <= dal_least(dal_end_available(end), tokens_left(process, port)) * token_bytes(end);
    refill(process, port); /* the ring may have been replaced */
    return there ? 1 : closed ? -1 : 0;
}

void dal_kpn_leave(struct dal_process *process)
{
    if (!dal__kpn_is_left(process))
        dal__kpn_leave(process);
}

void dal_kpn_in_vain(struct dal_process *process)
{
    struct dal_kpn *kpn = process->kpn;
    uint64_t moved = kpn->sent;
    int i;
    for (i = 0; i < process->desc->port_count; i++)
        moved += window_of(process, i)->done;
    kpn->vain = kpn->vain_at == moved ? kpn->vain + 1 : 0;
    kpn->vain_at = moved;
    if (kpn->vain == MOST_VAIN)
        dal__kpn_leave(process);
}

/* ---- firing ---------------------------------------------------------------------------------- */

static int fire_once(struct dal_process *process, DALProcess *dal)
{
    int status = process->desc->code->fire(dal);
    if (dal__kpn_come_back(process))
        return 1;
    send_all(process);
    return status | process->copies[0].activation.detached;
}

/* Returns fire's result, or 1 when fire was left. Finished tokens are sent even when it waits. */
static int fire_or_leave(struct dal_process *process)
{
    DALProcess *dal = &process->copies[0].dal;
    int status;
    dal_here()->process = process;
    dal_firing = dal;
    dal_team_use(process);
    dal_own_enter(&process->own);
    process->kpn->leave.frame = DAL_LEAVE_FRAME;
    if (setjmp(process->kpn->leave.out))
        status = dal__kpn_come_back(process);
    else
        status = fire_once(process, dal);
    dal_own_leave(process, &process->own, "fire");
    dal_firing = NULL;
    dal_here()->process = NULL;
    return status;
}

void dal_kpn_call_init(struct dal_process *process, void (*function)(DALProcess *))
{
    DALProcess *dal = &process->copies[0].dal;
    dal_firing = dal;
    process->kpn->leave.frame = DAL_LEAVE_FRAME;
    if (!setjmp(process->kpn->leave.out))
        function(dal);
    if (dal__kpn_come_back(process))
        process->copies[0].activation.detached = 1;
    else
        send_all(process);
    dal_firing = NULL;
}

static int fire_timed(struct dal_process *process, struct dal_trace_row *row)
{
    struct dal_trace_event event = {.name = process->desc->name, .firings = 1};
    struct dal_histogram *times = process->copies[0].times;
    int64_t wall_ns;
    int status;
    process->kpn->waited_ns = 0;
    dal_here()->tokens = dal_here()->made = 0;
    event.begin_ns = process->kpn->since_ns = dal_now_ns();
    dal_meter_begin(&dal_here()->meter, event.begin_ns, process->copies[0].lengthy);
    status = fire_or_leave(process);
    event.end_ns = dal_now_ns();
    event.tokens = dal_here()->tokens;
    event.made = dal_here()->made;
    add_to_meter(process, event.end_ns);
    process->kpn->since_ns = 0;
    wall_ns = event.end_ns - event.begin_ns - process->kpn->waited_ns;
    dal_count_add(process->wall_ns, wall_ns);
    dal_span_add(&process->copies[0].span, event.begin_ns, event.end_ns);
    if (times)
        dal_histogram_add(times, (double)wall_ns, 1);
    dal_trace_add(row, event);
    return status;
}

/* Warns of a token that was begun and never finished: it is not sent. */
static void complain_begun(struct dal_process *process)
{
    int i;
    for (i = 0; i < process->desc->port_count; i++)
        if (process->ends[i]->output && window_of(process, i)->done > 0)
            dal_log(DAL_LOG_WARNING,
                    "process %s: the last token of port %s has only %zu of %zu bytes and is lost",
                    process->desc->name, process->desc->ports[i].name, window_of(process, i)->done,
                    token_bytes(process->ends[i]));
}

static int activate_kpn(struct dal_process *process, struct dal_trace_row *row)
{
    struct dal_copy *copy = &process->copies[0];
    int status = 1;
    if (atomic_load_explicit(&process->ended, memory_order_relaxed))
        return 0;
    if (!dal_process_stopped(process)) {
        if (!dal__process_start(process))
            return 0;
        if (process->changes)
            dal_changes_make(process, 1);
        dal_copy_turn(copy);
        if (!copy->activation.detached)
            status = process->timed ? fire_timed(process, row) : fire_or_leave(process);
        dal_copy_turn(copy);
        dal_count_add(process->firings, 1);
        process->launches++;
        if (dal_control_broken(process->control))
            return 0;
    }
    if (status != 0) {
        complain_begun(process);
        dal__process_end(process);
    }
    return 1;
}

/* ---- what the monitor asks ------------------------------------------------------------------- */

static const struct dal_end *sleeps_at(const struct dal_process *process)
{
    return atomic_load_explicit(&process->kpn->blocked, memory_order_acquire);
}

static unsigned progress(const struct dal_process *process)
{
    return atomic_load_explicit(&process->kpn->calls, memory_order_relaxed);
}

const struct dal_process_ops dal_process_kpn = {.has_thread = 1,
                                                .init = init_kpn,
                                                .finish = finish_kpn,
                                                .activate = activate_kpn,
                                                .before_init = before_init,
                                                .after_init = after_init,
                                                .sleeps_at = sleeps_at,
                                                .progress = progress};

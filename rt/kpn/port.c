/* The ports of a KPN process: windows over what lies in the rings, and waits for more. */
#include "rt/base/alloc.h"
#include "rt/base/number.h"
#include "rt/host/firing.h"
#include "rt/host/waiter.h"
#include "rt/kpn/kpn.h"

#include <string.h>

/* Looks before sleeping. The peer is often about to move, and waking a sleeper costs some 30 us. */
enum { LOOKS = 64 };

static size_t token_bytes(const struct dal_kpn_port *port)
{
    return port->end->channel->desc->token_bytes;
}

static const char *name_of(const struct dal_kpn_port *port)
{
    return port->process->desc->ports[dal__kpn_number(port)].name;
}

static struct dal_kpn_port *port_of(const struct dal_process *process, const char *name, int output)
{
    return &process->host.kpn->ports[dal_port_index(name, output, process)];
}

/* ---- between windows and rings --------------------------------------------------------------- */

static void settle(struct dal_kpn_port *port);

/* Gives a packet back once it has been read. The window of a counted port lies in one packet. */
static void send_packet(struct dal_kpn_port *port)
{
    struct dal_window *window = port->window;
    if (!port->opened || port->lent || window->begun || window->done < window->bytes)
        return;
    port->process->host.kpn->sent += token_bytes(port);
    dal_end_move(port->end, dal_end_window(port->end), 1);
    port->opened = 0;
    window->bytes = window->done = 0;
}

/* Gives the peers the whole tokens that were read or written. A begun token stays. */
static void send_tokens(struct dal_kpn_port *port)
{
    struct dal_window *window = port->window;
    uint64_t tokens = port->lent ? 0 : window->done / token_bytes(port);
    size_t bytes = tokens * token_bytes(port);
    if (tokens == 0)
        return;
    port->process->host.kpn->sent += bytes;
    dal_end_move(port->end, window->firing, tokens);
    window->firing += bytes;
    window->bytes -= bytes;
    window->done -= bytes;
}

void dal__kpn_send(struct dal_process *process)
{
    for (int i = 0; i < process->desc->port_count; i++) {
        struct dal_kpn_port *port = &process->host.kpn->ports[i];
        settle(port);
        (port->counted ? send_packet : send_tokens)(port);
    }
}

/* Returns the space that readers make, or left when they ended. A spent port has endless space. */
static uint64_t tokens_left(const struct dal_kpn_port *port)
{
    return port->end->output && !port->spent ? dal_end_left(port->end) : UINT64_MAX;
}

/* Moves the window to the next packet that has tokens. Returns 0 if there is none. */
static int refill_packet(struct dal_kpn_port *port)
{
    const struct dal_counted *counted = port->counted;
    struct dal_process *process = port->process;
    struct dal_window *window = port->window;
    int number = (int)(port - process->host.kpn->ports);
    while (window->bytes == window->done && dal_end_ready(port->end, 1)) {
        const unsigned char *packet = dal_end_window(port->end);
        uint32_t header[DAL_PACKET_WRONG + 1];
        memcpy(header, packet, sizeof(header));
        if (header[DAL_PACKET_COUNT] > counted->most || header[DAL_PACKET_WRONG]) {
            dal_refuse_packet(number, packet, process);
            dal__kpn_leave(process);
        }
        dal_count_tokens(number, header[DAL_PACKET_COUNT], process);
        window->firing = dal_end_window(port->end) + counted->header_bytes;
        window->bytes = header[DAL_PACKET_COUNT] * counted->token_bytes;
        window->done = 0;
        port->opened = 1;
        send_packet(port);
    }
    return window->bytes > window->done;
}

/* Extends the window over the tokens or the space up to the ring's end. Returns 0 if there are
 * none. */
static int refill(struct dal_kpn_port *port)
{
    uint64_t tokens;
    if (port->counted)
        return refill_packet(port);
    tokens = dal_end_ready(port->end, UINT64_MAX / 2);
    port->window->bytes = dal_least(tokens, tokens_left(port)) * token_bytes(port);
    port->window->firing = dal_end_window(port->end);
    return port->window->bytes > port->window->done;
}

/* Returns whether waiting would never end: the network broke, or no more tokens come. */
static int is_over(const struct dal_kpn_port *port)
{
    return dal_control_broken(port->process->control) ||
           (!port->end->output && dal_end_finished(port->end));
}

/* Returns whether it has outputs and all are spent. Never so for a process with effects outside
 * (`wanted`). */
static int is_spent(const struct dal_process *process)
{
    for (int i = 0; i < process->desc->port_count; i++) {
        const struct dal_kpn_port *port = &process->host.kpn->ports[i];
        if (port->end->output && !dal_end_is_loop(port->end) && !port->spent)
            return 0;
    }
    return process->wanted != NULL;
}

/* Marks a port as spent: no write fits any more. Returns whether the process goes on. */
static int spend(struct dal_kpn_port *port)
{
    port->spent = 1;
    return !is_spent(port->process) && refill(port);
}

/* Returns whether it keeps writing to a spent port that nobody reads. */
static int is_in_vain(const struct dal_kpn_port *port)
{
    return port->spent && dal_process_is_unread(port->process) &&
           ++port->process->host.kpn->dropped >= DAL_KPN_MOST_VAIN;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Returns how long a wait may last: negative without a limit, 0 when it is over. */
static int64_t time_left(const struct dal_kpn *kpn)
{
    int64_t left_ns;
    if (kpn->until_ns == INT64_MAX)
        return -1;
    left_ns = kpn->until_ns - dal_now_ns();
    return left_ns > 0 ? left_ns : 0;
}

int dal__kpn_is_ready(const struct dal_kpn_port *port)
{
    return dal_end_available(port->end) > 0 || is_over(port);
}

static void sleep_at(const struct dal_kpn_port *port, int64_t left_ns)
{
    struct dal_process *process = port->process;
    struct dal_wake *wake = process->pool->wakes[0];
    uint32_t sequence = dal_wake_prepare(wake);
    if (dal__kpn_is_ready(port) || dal_control_paused(process->control)) {
        dal_wake_cancel(wake);
        return;
    }
    /* A wait for a token that ends by itself holds nobody up. A wait for space may be what makes
     * the ring grow, for other readers of it. */
    if (left_ns < 0 || port->end->output)
        atomic_store_explicit(&process->host.kpn->blocked, port->end, memory_order_release);
    dal_meter_close(&dal_here()->meter);
    dal_wake_wait(wake, sequence, left_ns);
    atomic_store_explicit(&process->host.kpn->blocked, NULL, memory_order_release);
}

/* Waits until the end has a token or space for one. Returns 1, or 0 when it never will, or did not
 * in time. */
static int wait_until_moved(const struct dal_kpn_port *port)
{
    struct dal_kpn *kpn = port->process->host.kpn;
    int looks = 0, over = 0;
    kpn->is_late = 0;
    while (!over && dal_end_available(port->end) == 0) {
        int64_t left_ns = time_left(kpn);
        dal__kpn_rest(port->process);
        over = is_over(port);
        dal__kpn_pass_turn(port->process);
        kpn->is_late = !over && left_ns == 0;
        if (!over && left_ns && looks++ >= LOOKS)
            sleep_at(port, left_ns);
        over |= kpn->is_late;
    }
    return !over;
}

/* The same, and measures it. A wait does not count for the time of a firing. */
static int wait_at(const struct dal_kpn_port *port)
{
    struct dal_process *process = port->process;
    struct dal_copy *copy = process->host.copies;
    struct dal_waiter waiter;
    struct dal_here *here;
    int64_t now_ns;
    int fires, moved;
    if (!process->time.is_kept)
        return wait_until_moved(port);
    here = dal_here();
    fires = dal_meter_runs(&here->meter);
    now_ns = dal_now_ns();
    if (fires)
        copy->lengthy = dal_meter_end(&here->meter, process, now_ns);
    dal_waiter_begin(&waiter, &dal_end_channel(port->end)->waits[port->end->output], now_ns);
    moved = wait_until_moved(port);
    now_ns = dal_now_ns();
    here->waited_ns += dal_waits_end(waiter.at, now_ns);
    if (fires)
        dal_meter_begin(&here->meter, now_ns, copy->lengthy);
    return moved;
}

/* Refuses a call while a window is open: it would be lost when the ring grows. */
void dal__kpn_refuse_open(struct dal_kpn_port *port)
{
    if (port->window->begun) {
        dal_process_refuse(port->process, "port %s is used again before its window is ended",
                           name_of(port));
        dal__kpn_leave(port->process);
    }
    settle(port);
}

/* Sends what is finished, and tells the monitor that this firing does not hang, however long it
 * takes. */
static void move_on(struct dal_process *process)
{
    dal_count_add(process->host.kpn->calls, 1);
    dal__kpn_send(process);
}

void dal__kpn_look(struct dal_kpn_port *port)
{
    move_on(port->process);
    refill(port);
}

int dal__kpn_advance(struct dal_kpn_port *port)
{
    dal__kpn_refuse_open(port);
    move_on(port->process);
    dal__kpn_rest(port->process);
    if (port->end->output && (is_over(port) || is_in_vain(port)))
        return 0;
    while (!refill(port)) { /* looks again after packets that are empty */
        if (!wait_at(port))
            return 0;
        if (!refill(port) && !port->counted)
            return port->end->output && spend(port);
    }
    return 1;
}

static void advance_or_leave(struct dal_kpn_port *port)
{
    if (!dal__kpn_advance(port))
        dal__kpn_leave(port->process);
}

/* ---- reading and writing --------------------------------------------------------------------- */

/* Returns the next piece of a window, of up to `most` bytes, with its size in *piece. */
static unsigned char *take_piece(struct dal_kpn_port *port, size_t most, size_t *piece)
{
    struct dal_window *window = port->window;
    unsigned char *at;
    if (window->bytes == window->done)
        advance_or_leave(port);
    *piece = dal_least(most, window->bytes - window->done);
    at = window->firing + window->done;
    window->done += *piece;
    return at;
}

void *dal__kpn_piece(struct dal_process *process, int port, size_t *bytes)
{
    void *at = take_piece(&process->host.kpn->ports[port], SIZE_MAX, bytes);
    process->host.kpn->ports[port].window->done -= *bytes;
    return at;
}

void dal__kpn_use(struct dal_process *process, int port, size_t bytes)
{
    process->host.kpn->ports[port].window->done += bytes;
}

static void read_bytes(struct dal_kpn_port *port, unsigned char *to, size_t left)
{
    size_t piece;
    for (; left > 0; left -= piece, to += piece) {
        const unsigned char *from = take_piece(port, left, &piece);
        memcpy(to, from, piece);
    }
}

static void write_bytes(struct dal_kpn_port *port, const unsigned char *from, size_t left)
{
    size_t piece;
    for (; left > 0; left -= piece, from += piece) {
        unsigned char *to = take_piece(port, left, &piece);
        memcpy(to, from, piece);
    }
}

int dal_window_read(const char *port, void *buf, int len, struct dal_process *process)
{
    if (dal__kpn_is_left(process)) {
        memset(buf, 0, (size_t)len);
        return -1;
    }
    read_bytes(port_of(process, port, 0), buf, (size_t)len);
    return len;
}

int dal_window_write(const char *port, const void *buf, int len, struct dal_process *process)
{
    if (dal__kpn_is_left(process))
        return -1;
    write_bytes(port_of(process, port, 1), buf, (size_t)len);
    return len;
}

/* ---- windows --------------------------------------------------------------------------------- */

static unsigned char *room_for(struct dal_kpn_port *port, size_t bytes)
{
    if (bytes > port->room) {
        unsigned char *memory = dal_alloc(bytes);
        if (!memory) {
            dal_log(DAL_LOG_ERROR, "process %s: no memory for a window of %zu bytes of port %s",
                    port->process->desc->name, bytes, name_of(port));
            dal_control_break(port->process->control, DAL_ERR_NOMEM);
            dal__kpn_leave(port->process);
        }
        dal_free(port->memory);
        port->memory = memory;
        port->room = bytes;
    }
    return port->memory;
}

static int has(const struct dal_window *window, size_t bytes)
{
    return bytes <= window->bytes - window->done;
}

/* Puts the ring's window back once the window in lent memory has ended. */
static void settle(struct dal_kpn_port *port)
{
    size_t bytes = port->lent;
    if (bytes == 0 || port->window->begun)
        return;
    port->lent = 0;
    *port->window = port->ring;
    if (port->end->output)
        write_bytes(port, port->memory, bytes);
}

static void *begin_window(struct dal_window *window, size_t bytes)
{
    window->held = bytes;
    window->from = window->done;
    window->begun = 1;
    return window->firing + window->done;
}

/* Closes the windows, so that the next call at any port comes here and settles lent memory. */
static void close_windows(const struct dal_process *process)
{
    for (int i = 0; i < process->desc->port_count; i++) {
        const struct dal_kpn_port *port = &process->host.kpn->ports[i];
        if (!port->window->begun && !port->lent)
            port->window->bytes = port->window->done;
    }
}

static void *lend(struct dal_kpn_port *port, size_t bytes)
{
    if (port->end->output)
        close_windows(port->process);
    port->ring = *port->window;
    port->lent = bytes;
    *port->window = (struct dal_window){.firing = port->memory, .bytes = bytes, .waits = 1};
    return begin_window(port->window, bytes);
}

/* Returns a window in place if that is possible, else a copy in lent memory. */
static void *begin_at(struct dal_kpn_port *port, size_t bytes)
{
    struct dal_window *window = port->window;
    size_t token = port->counted ? port->counted->token_bytes : token_bytes(port);
    unsigned char *memory;
    if (dal__kpn_is_left(port->process))
        return dal__kpn_begin_left(port, bytes);
    dal__kpn_refuse_open(port);
    if (!has(window, bytes))
        advance_or_leave(port);
    if (has(window, bytes) && (token > 1 || !dal__is_unaligned(window, bytes)))
        return begin_window(window, bytes);
    memory = room_for(port, bytes);
    if (!port->end->output)
        read_bytes(port, memory, bytes);
    return lend(port, bytes);
}

void *dal_window_begin_read(const char *port, size_t bytes, struct dal_process *process)
{
    return begin_at(port_of(process, port, 0), bytes);
}

void *dal_window_begin_write(const char *port, size_t bytes, struct dal_process *process)
{
    return begin_at(port_of(process, port, 1), bytes);
}

/* ---- questions ------------------------------------------------------------------------------- */

int dal_window_at_end(const char *name, struct dal_process *process)
{
    struct dal_kpn_port *port = port_of(process, name, 0);
    if (dal__kpn_is_left(process))
        return 1;
    if (has(port->window, 1) || dal__kpn_advance(port))
        return 0;
    if (dal_control_broken(process->control))
        dal__kpn_leave(process);
    return 1;
}

/* Returns what a question is answered. While others may still move a port, it is not in vain yet.
 */
static int answer_of(struct dal_kpn_port *port, int there, int closed)
{
    if (!there && !closed && !dal_end_is_loop(port->end))
        port->process->host.kpn->vain.hopes = 1;
    return there ? 1 : closed ? -1 : 0;
}

/* Tells whether one token is there. More is not known without the packets behind the next one. */
static int test_packet(struct dal_kpn_port *port, size_t bytes)
{
    const struct dal_window *window = port->window;
    int closed = dal_end_peer_closed(port->end);
    if (window->bytes > window->done || bytes > port->counted->token_bytes) {
        dal_process_refuse(port->process,
                           "port %s is counted: it can be asked for one whole token, and not for "
                           "%zu bytes",
                           name_of(port), bytes);
        dal__kpn_leave(port->process);
    }
    return answer_of(port, refill(port), closed);
}

int dal_window_test(const char *name, int output, int len, struct dal_process *process)
{
    struct dal_kpn_port *port = port_of(process, name, output);
    size_t bytes = (size_t)len;
    int closed, there;
    if (dal__kpn_is_left(process))
        return -1;
    dal__kpn_refuse_open(port);
    if (has(port->window, bytes))
        return 1;
    move_on(process);
    dal__kpn_pass_turn(process);
    dal__kpn_rest(process);
    if (dal_control_broken(process->control))
        dal__kpn_leave(process);
    if (port->counted)
        return test_packet(port, bytes);
    closed = dal_end_peer_closed(port->end);
    bytes += port->window->done;
    there = bytes <= dal_least(dal_end_available(port->end), tokens_left(port)) * token_bytes(port);
    refill(port); /* the ring may have been replaced */
    return answer_of(port, there, closed);
}

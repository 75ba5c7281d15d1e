#include "synth/tune/predict/execute.h"

#include "rt/base/alloc.h"
#include "rt/base/number.h"

#include <math.h>

/* A server looks again after such a part of the time that it has been free. */
enum { LOOK_PART = 8 };

static const size_t NO_SERVER = SIZE_MAX, NONE = SIZE_MAX;

/* ---- events ---------------------------------------------------------------------------------- */

static int is_before(const struct dal__sim_event *a, const struct dal__sim_event *b)
{
    return a->at_ns < b->at_ns || (a->at_ns == b->at_ns && a->order < b->order);
}

static void add_event(struct dal__sim_state *s, struct dal__sim_event event)
{
    size_t i = s->heap_count;
    if (s->lost || dal_grow(&s->heap, s->heap_count, &s->heap_room, sizeof(*s->heap))) {
        s->lost = 1;
        return;
    }
    event.order = s->made++;
    s->heap_count++;
    for (; i > 0 && is_before(&event, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = event;
}

static struct dal__sim_event take_event(struct dal__sim_state *s)
{
    struct dal__sim_event first = s->heap[0], last = s->heap[--s->heap_count];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < s->heap_count) {
        child += child + 1 < s->heap_count && is_before(&s->heap[child + 1], &s->heap[child]);
        if (!is_before(&s->heap[child], &last))
            break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = last;
    s->seen++;
    return first;
}

/* ---- releases -------------------------------------------------------------------------------- */

static void await_release(struct dal__sim_state *s, size_t number)
{
    struct dal__sim_actor *actor = &s->actors[number];
    actor->left = s->sim->actors[number].periodic.firings;
    if (actor->release_ns > s->now_ns)
        add_event(
            s, (struct dal__sim_event){actor->release_ns, 0, EVENT_RELEASE, number, NO_SERVER, 0});
}

static void begin_releases(struct dal__sim_state *s, size_t number)
{
    const struct dal_sim_period *periodic = &s->sim->actors[number].periodic;
    if (periodic->period_ns <= 0)
        return;
    s->actors[number].release_ns = periodic->phase_ns;
    await_release(s, number);
}

static double next_release(const struct dal__sim_state *s, const struct dal_sim_period *periodic,
                           double release_ns)
{
    double next_ns = release_ns + periodic->period_ns, late_ns = s->now_ns - next_ns;
    if (late_ns <= 0 || periodic->overrun == DAL_OVERRUN_CATCHUP)
        return next_ns;
    if (periodic->overrun == DAL_OVERRUN_DELAY)
        return s->now_ns;
    return next_ns + ceil(late_ns / periodic->period_ns) * periodic->period_ns;
}

/* Ends a release if the firings that have ended were its last. */
static void end_release(struct dal__sim_state *s, size_t number)
{
    const struct dal_sim_period *periodic = &s->sim->actors[number].periodic;
    struct dal__sim_actor *actor = &s->actors[number];
    if (periodic->period_ns <= 0 || actor->left > 0)
        return;
    actor->releases++;
    actor->misses += s->now_ns > actor->release_ns + periodic->deadline_ns;
    actor->release_ns = next_release(s, periodic, actor->release_ns);
    await_release(s, number);
}

static uint64_t count_released(const struct dal__sim_state *s, size_t number)
{
    const struct dal_sim_actor *a = &s->sim->actors[number];
    const struct dal__sim_actor *actor = &s->actors[number];
    if (a->periodic.period_ns <= 0)
        return a->most;
    return s->now_ns < actor->release_ns ? 0 : dal_least(a->most, actor->left);
}

/* ---- activations ----------------------------------------------------------------------------- */

/* Does an output need space of its own? */
static int claims_space(const struct dal__sim_state *s, const struct dal_sdf_end *end)
{
    return end->output && !s->sim->graph->channels[end->channel].continues;
}

/* Returns how many of `most` firings fit up to the end of a ring. One firing always does. */
static uint64_t count_fitting(const struct dal_sdf_end *end, const struct dal_sim_ring *ring,
                              uint64_t most)
{
    uint64_t fitting;
    if (ring->slots == 0 || most <= 1)
        return most;
    fitting = (ring->slots - (end->output ? ring->write_at : ring->read_at)) / end->rate;
    return dal_least(most, fitting ? fitting : 1);
}

static void move_window(const struct dal_sdf_end *end, struct dal_sim_ring *ring, uint64_t tokens)
{
    uint64_t *at = end->output ? &ring->write_at : &ring->read_at;
    if (ring->slots)
        *at = (*at + tokens) % ring->slots;
}

static uint64_t count_firings(const struct dal__sim_state *s, size_t number)
{
    const struct dal_sdf_process *process = &s->sim->graph->processes[number];
    uint64_t most = count_released(s, number);
    for (size_t i = 0; i < process->count; i++) {
        const struct dal_sdf_end *end = &s->sim->graph->ends[process->first + i];
        const struct dal__sim_channel *channel = &s->channels[end->channel];
        if (!end->output || claims_space(s, end))
            most = dal_least(most, (end->output ? channel->space : channel->tokens) / end->rate);
        most = count_fitting(end, &channel->ring, most);
    }
    return most;
}

void dal__sim_hold(struct dal__sim_state *s, struct dal__sim_channel *channel, int64_t tokens)
{
    channel->filled += (double)channel->held * (s->now_ns - channel->changed_ns);
    channel->changed_ns = s->now_ns;
    channel->held += (uint64_t)tokens;
}

static int sleeps(const struct dal__sim_state *s, size_t server)
{
    return s->sim->wakes && s->sim->wakes[server] > 0 &&
           s->now_ns - s->servers[server].since_ns > s->sim->patience_ns;
}

/* Returns the time until a free server sees that there is something to do: half of the time between
 * two looks. */
static double look_delay(const struct dal__sim_state *s, size_t server)
{
    double looks_ns;
    if (!s->sim->wakes || s->sim->wakes[server] <= 0)
        return 0;
    if (sleeps(s, server))
        return s->sim->wakes[server];
    looks_ns = (s->now_ns - s->servers[server].since_ns) / LOOK_PART;
    return (looks_ns < s->sim->look_ns ? looks_ns : s->sim->look_ns) / 2;
}

static double begin_delay(const struct dal__sim_state *s, size_t server)
{
    double taken_ns;
    if (server == NO_SERVER)
        return 0;
    taken_ns = s->servers[server].taken_ns - s->now_ns;
    return look_delay(s, server) + (taken_ns > 0 ? taken_ns : 0);
}

/* Takes time of other servers, as firings begin that use them. */
static void take_time(struct dal__sim_state *s, const double *takes, double lasts_ns)
{
    for (size_t i = 0; takes && i < s->sim->server_count; i++) {
        struct dal__sim_server *server = &s->servers[i];
        double taken_ns = takes[i] * lasts_ns;
        server->busy_ns += taken_ns;
        if (server->busy)
            server->debt_ns += taken_ns;
        else
            server->taken_ns =
                (server->taken_ns > s->now_ns ? server->taken_ns : s->now_ns) + taken_ns;
    }
}

void dal__sim_take_space(struct dal__sim_state *s, struct dal__sim_channel *channel,
                         uint64_t tokens)
{
    channel->space -= tokens;
    dal__sim_hold(s, channel, (int64_t)tokens);
}

/* Begins an activation of an actor. Returns 0 when it cannot. */
static int begin_activation(struct dal__sim_state *s, size_t number, size_t server)
{
    const struct dal_sdf_process *process = &s->sim->graph->processes[number];
    const struct dal_sim_actor *a = &s->sim->actors[number];
    struct dal__sim_actor *actor = &s->actors[number];
    uint64_t firings = actor->active < a->copies ? count_firings(s, number) : 0;
    double lasts_ns, delay_ns, end_ns;
    if (firings == 0)
        return 0;
    lasts_ns = dal__sim_lasts_ns(s, a, firings);
    if (server != NO_SERVER)
        lasts_ns += dal__sim_stall_ns(s, lasts_ns);
    delay_ns = begin_delay(s, server);
    end_ns = s->now_ns + delay_ns + lasts_ns;
    for (size_t i = 0; i < process->count; i++) {
        const struct dal_sdf_end *end = &s->sim->graph->ends[process->first + i];
        move_window(end, &s->channels[end->channel].ring, firings * end->rate);
        if (!end->output)
            s->channels[end->channel].tokens -= firings * end->rate;
        else if (claims_space(s, end))
            dal__sim_take_space(s, &s->channels[end->channel], firings * end->rate);
    }
    dal__sim_begun(s, number, firings, s->now_ns + delay_ns);
    actor->left -= actor->left ? firings : 0;
    actor->active++;
    actor->busy_ns += lasts_ns;
    actor->ended_ns = end_ns > actor->ended_ns ? end_ns : actor->ended_ns;
    if (server != NO_SERVER) {
        s->servers[server].busy = 1;
        s->servers[server].busy_ns += lasts_ns;
    }
    take_time(s, a->takes,
              dal__sim_work_ns(a, firings) * a->firing_counts + a->fixed_ns * a->fixed_counts);
    add_event(s, (struct dal__sim_event){actor->ended_ns, 0, EVENT_END, number, server, firings});
    return 1;
}

/* Returns which of the actors that want a server is looked at first. */
static size_t choose_first(struct dal__sim_state *s, const struct dal__sim_server *server)
{
    if (s->sim->order == DAL_SIM_CHANCE)
        return (size_t)(dal_spread_chance(&s->chance) * (double)server->count);
    return s->sim->order == DAL_SIM_AHEAD ? 0 : server->next;
}

/* Serves the first that can begin. */
static void serve(struct dal__sim_state *s, size_t number)
{
    struct dal__sim_server *server = &s->servers[number];
    size_t next = choose_first(s, server);
    for (size_t i = 0; i < server->count && !server->busy; i++) {
        size_t actor = s->wanted[server->first + (next + i) % server->count];
        if (begin_activation(s, actor, number))
            server->next = (next + i + 1) % server->count;
    }
}

/* Asks the free servers of an actor: those that sleep, those that do not, or both. They take turns
 * at its activations. */
enum asked { ASK_AWAKE, ASK_ASLEEP, ASK_ALL };

static void ask_servers(struct dal__sim_state *s, size_t number, enum asked asked)
{
    const struct dal_sim_actor *a = &s->sim->actors[number];
    struct dal__sim_actor *actor = &s->actors[number];
    size_t first = actor->next;
    for (size_t i = 0; i < a->server_count; i++) {
        size_t server = a->servers[(first + i) % a->server_count];
        uint64_t begun = actor->begun;
        if (!s->servers[server].busy &&
            (asked == ASK_ALL || sleeps(s, server) == (asked == ASK_ASLEEP)))
            serve(s, server);
        if (actor->begun > begun)
            actor->next = (first + i + 1) % a->server_count;
    }
}

/* Tries to fire an actor for which something has changed. Copies belong to servers, in turn; a
 * single one goes to the server that looks first. */
static void try_actor(struct dal__sim_state *s, size_t number)
{
    const struct dal_sim_actor *a = &s->sim->actors[number];
    if (!a->servers)
        while (!s->lost && begin_activation(s, number, NO_SERVER))
            ;
    if (a->copies > 1) {
        ask_servers(s, number, ASK_ALL);
    } else {
        ask_servers(s, number, ASK_AWAKE);
        ask_servers(s, number, ASK_ASLEEP);
    }
}

/* Returns the actor that what comes to a channel is for. */
static size_t whose(const struct dal__sim_state *s, enum dal__sim_event_kind kind, size_t channel)
{
    const struct dal_sdf_channel *ends = &s->sim->graph->channels[channel];
    return kind == EVENT_TOKENS ? ends->consumer : ends->producer;
}

static void add_count(struct dal__sim_state *s, enum dal__sim_event_kind kind, size_t channel,
                      uint64_t count)
{
    *(kind == EVENT_TOKENS ? &s->channels[channel].tokens : &s->channels[channel].space) += count;
}

/* Does an actor go to the server that looks first, and may that be this one? */
static int is_served_by(const struct dal__sim_state *s, size_t number, size_t server)
{
    const struct dal_sim_actor *a = &s->sim->actors[number];
    for (size_t i = 0; a->copies == 1 && a->servers && i < a->server_count; i++)
        if (a->servers[i] == server)
            return 1;
    return 0;
}

/* Passes tokens or space on to the other end, from a server that is still busy. What it may use
 * itself it sees at once, and before the others: it looks first, in end_activation(). */
static void pass_on(struct dal__sim_state *s, enum dal__sim_event_kind kind, size_t channel,
                    uint64_t count, size_t server)
{
    double delay_ns = s->sim->graph->channels[channel].delay_ns;
    size_t number = whose(s, kind, channel);
    int looks_first = is_served_by(s, number, server);
    if (delay_ns > 0 && !looks_first) {
        add_event(
            s, (struct dal__sim_event){s->now_ns + delay_ns, 0, kind, channel, NO_SERVER, count});
        return;
    }
    add_count(s, kind, channel, count);
    if (!looks_first)
        try_actor(s, number);
}

/* Hands the space of tokens that have been read back to the writer. */
static void free_space(struct dal__sim_state *s, size_t channel, uint64_t tokens, size_t server)
{
    size_t frees = s->channels[channel].frees;
    if (frees == NONE)
        return;
    dal__sim_hold(s, &s->channels[frees], -(int64_t)tokens);
    pass_on(s, EVENT_SPACE, frees, tokens, server);
}

/* Lets the other servers look at what a server was the first to see, and has not begun itself. */
static void try_others(struct dal__sim_state *s, const struct dal_sdf_process *process,
                       size_t server)
{
    const struct dal_sdf_end *ends = &s->sim->graph->ends[process->first];
    for (size_t i = 0; i < process->count; i++) {
        size_t channel = ends[i].output ? ends[i].channel : s->channels[ends[i].channel].frees;
        size_t number;
        if (channel == NONE)
            continue;
        number = whose(s, ends[i].output ? EVENT_TOKENS : EVENT_SPACE, channel);
        if (is_served_by(s, number, server))
            try_actor(s, number);
    }
}

static void note_iterations(struct dal__sim_actor *actor, uint64_t ended, double now_ns)
{
    if (ended == actor->last)
        return;
    actor->last = ended;
    actor->last_ns = now_ns;
    if (actor->first_ns < 0) {
        actor->first_ns = now_ns;
        actor->first = ended;
    }
}

static void end_activation(struct dal__sim_state *s, const struct dal__sim_event *event)
{
    const struct dal_sdf_process *process = &s->sim->graph->processes[event->which];
    const struct dal_sdf_end *ends = &s->sim->graph->ends[process->first];
    struct dal__sim_actor *actor = &s->actors[event->which];
    actor->active--;
    actor->activations++;
    dal__sim_ended(s, event->which,
                   (actor->fired + event->count) / process->repetitions -
                       actor->fired / process->repetitions);
    actor->fired += event->count;
    end_release(s, event->which);
    note_iterations(actor, actor->fired / process->repetitions, s->now_ns);
    for (size_t i = 0; i < process->count; i++)
        if (!ends[i].output)
            free_space(s, ends[i].channel, event->count * ends[i].rate, event->server);
    for (size_t i = 0; i < process->count; i++)
        if (ends[i].output)
            pass_on(s, EVENT_TOKENS, ends[i].channel, event->count * ends[i].rate, event->server);
    if (event->server != NO_SERVER) {
        s->servers[event->server].busy = 0;
        s->servers[event->server].since_ns = s->now_ns;
        serve(s, event->server);
    }
    try_others(s, process, event->server);
    try_actor(s, event->which);
}

/* Puts the end of an activation off by the time that others have taken of its server. Returns 0
 * when they took none. */
static int put_off(struct dal__sim_state *s, struct dal__sim_event event)
{
    struct dal__sim_actor *actor = &s->actors[event.which];
    double debt_ns = event.server != NO_SERVER ? s->servers[event.server].debt_ns : 0;
    if (debt_ns <= 0)
        return 0;
    s->servers[event.server].debt_ns = 0;
    event.at_ns += debt_ns;
    actor->ended_ns = event.at_ns > actor->ended_ns ? event.at_ns : actor->ended_ns;
    add_event(s, event);
    return 1;
}

static void heed(struct dal__sim_state *s, const struct dal__sim_event *event)
{
    s->now_ns = event->at_ns;
    if (event->kind == EVENT_END && put_off(s, *event))
        return;
    if (event->kind == EVENT_END)
        end_activation(s, event);
    else if (event->kind == EVENT_RELEASE)
        try_actor(s, event->which);
    else {
        add_count(s, event->kind, event->which, event->count);
        try_actor(s, whose(s, event->kind, event->which));
    }
}

void dal__sim_execute(struct dal__sim_state *s, uint64_t count)
{
    while (count-- > 0 && s->heap_count > 0 && !s->lost) {
        struct dal__sim_event event = take_event(s);
        heed(s, &event);
    }
}

void dal__sim_begin(struct dal__sim_state *s)
{
    for (size_t i = 0; i < s->sim->graph->process_count; i++)
        begin_releases(s, i);
    for (size_t i = 0; i < s->sim->graph->process_count; i++)
        try_actor(s, i);
}

#include "channels/newest.h"

#include "channels/port.h"
#include "rt/base/clock.h"

#include <inttypes.h>

enum { FRESH = DAL_NEWEST_SLOTS }; /* beside a slot's number */
enum { READER, WRITER };           /* in `waits` */
enum { MOST_WAITING = 2 };         /* named tokens of a replay */

struct dal_newest *dal__newest_create(void)
{
    struct dal_newest *newest = dal_calloc_apart(1, sizeof(*newest));
    if (!newest)
        return NULL;
    atomic_init(&newest->middle, 1);
    newest->read_slot = 2;
    return newest;
}

void dal__newest_destroy(struct dal_newest *newest)
{
    if (newest && newest->replay)
        dal_free(newest->replay->reads);
    if (newest)
        dal_free(newest->replay);
    dal_free(newest);
}

static uint64_t own_visible(const struct dal_end *end)
{
    return atomic_load_explicit(&end->visible, memory_order_relaxed);
}

/* ---- replay ---------------------------------------------------------------------------------- */

static uint64_t load(const _Atomic uint64_t *count)
{
    return atomic_load_explicit(count, memory_order_acquire);
}

/* Is token `token`, which is next, named by the record? */
static int is_named(const struct dal_newest *newest, uint64_t token)
{
    uint64_t next = atomic_load_explicit(&newest->published, memory_order_relaxed);
    return next < newest->replay->count && newest->replay->reads[next].token == token;
}

/* Returns how many named tokens wait. */
static uint64_t named_waiting(const struct dal_newest *newest)
{
    uint64_t taken = load(&newest->taken);
    return load(&newest->published) - taken;
}

/* The reader has found a token, and takes it next. */
static void end_reader_wait(struct dal_newest *newest)
{
    atomic_store_explicit(&newest->waits[READER], 0, memory_order_relaxed);
}

/* Takes the token that the record has for the next read. Returns whether the reader has it. */
static int take_named(const struct dal_end *end, struct dal_newest *newest)
{
    const struct dal_newest_replay *replay = newest->replay;
    uint64_t taken = atomic_load_explicit(&newest->taken, memory_order_relaxed);
    if (end->taken >= replay->end)
        return 0;
    if (taken >= replay->count || end->taken < replay->reads[taken].first)
        return 1;
    if (load(&newest->published) == taken)
        return 0;
    newest->read_slot = (unsigned)(taken % DAL_NEWEST_SLOTS);
    end_reader_wait(newest);
    atomic_store_explicit(&newest->taken, taken + 1, memory_order_seq_cst);
    if (end->listener)
        end->listener->notify(end->listener);
    return 1;
}

static void publish_named(struct dal_newest *newest)
{
    uint64_t next = atomic_load_explicit(&newest->published, memory_order_relaxed) + 1;
    atomic_store_explicit(&newest->published, next, memory_order_seq_cst);
    newest->write_slot = (unsigned)(next % DAL_NEWEST_SLOTS);
}

/* ---- the two ends ---------------------------------------------------------------------------- */

static int is_fresh(const struct dal_newest *newest)
{
    return (atomic_load_explicit(&newest->middle, memory_order_acquire) & FRESH) != 0;
}

/* Takes a fresh token, if there is one. */
static void take_fresh(const struct dal_end *end, struct dal_newest *newest)
{
    if (!is_fresh(newest))
        return;
    end_reader_wait(newest);
    newest->read_slot =
        atomic_exchange_explicit(&newest->middle, newest->read_slot, memory_order_acq_rel) % FRESH;
    newest->since = end->taken;
}

/* Returns whether the reader has a token for a firing. `closed` was read before the last look for a
 * fresh one: the writer publishes none after it has closed. */
static int may_read(const struct dal_end *end, const struct dal_newest *newest, int closed)
{
    const struct dal_channel_desc *desc = end->channel->desc;
    if (newest->slots[newest->read_slot].number == 0)
        return 0;
    if (end->taken != newest->since && (closed || !desc->repeat))
        return 0;
    return !desc->age_ns ||
           dal_now_ns() - newest->slots[newest->read_slot].written_ns <= desc->age_ns;
}

static int look_as_reader(const struct dal_end *end, struct dal_newest *newest)
{
    int closed = dal__end_is_closed(end->peer);
    if (newest->replay)
        return take_named(end, newest);
    take_fresh(end, newest);
    return may_read(end, newest, closed);
}

/* Is its window open, or the token of it on its way to the host? A port of this kind has no more
 * than one publication. */
static int is_open(const struct dal_end *end)
{
    const struct dal_publication *publication = end->output ? end->port->publications : NULL;
    return end->taken != own_visible(end) ||
           (publication && publication->end.taken != own_visible(&publication->end));
}

void dal__newest_look(struct dal_end *end)
{
    struct dal_newest *newest = end->port->newest;
    int has;
    end->seen = end->taken;
    if (is_open(end))
        return;
    if (end->output)
        has = !newest->replay || !is_named(newest, end->taken) ||
              named_waiting(newest) < MOST_WAITING || dal__end_is_closed(end->peer);
    else
        has = look_as_reader(end, newest);
    atomic_store_explicit(&newest->waits[end->output], !has, memory_order_relaxed);
    end->position =
        (end->output ? newest->write_slot : newest->read_slot) * (size_t)end->firing_bytes;
    end->seen += (uint64_t)has;
}

void dal__newest_publish(struct dal_end *end)
{
    struct dal_newest *newest = end->port->newest;
    unsigned slot = newest->write_slot;
    uint64_t token = own_visible(end);
    newest->slots[slot].number = token + 1;
    newest->slots[slot].written_ns = dal_now_ns();
    if (!newest->replay)
        newest->write_slot =
            atomic_exchange_explicit(&newest->middle, slot | FRESH, memory_order_seq_cst) % FRESH;
    else if (is_named(newest, token))
        publish_named(newest);
}

int dal_newest_refresh(struct dal_end *end)
{
    dal__newest_look(end);
    return end->seen != end->taken;
}

int dal__newest_is_over(struct dal_end *end)
{
    const struct dal_newest_replay *replay = end->port->newest->replay;
    int over = dal__end_is_closed(end->peer) || (replay && end->taken >= replay->end);
    return over && !dal_newest_refresh(end);
}

/* ---- what is counted and recorded ------------------------------------------------------------ */

void dal_newest_begin(struct dal_end *end)
{
    struct dal_newest *newest = end->port->newest;
    uint64_t number = newest->slots[newest->read_slot].number;
    int64_t age_ns = dal_now_ns() - newest->slots[newest->read_slot].written_ns;
    newest->begun = end->taken + 1;
    dal_count_add(newest->counts.age_ns, age_ns);
    if (age_ns > dal_count_get(newest->counts.oldest_ns))
        atomic_store_explicit(&newest->counts.oldest_ns, age_ns, memory_order_relaxed);
    if (number == newest->latest)
        return;
    newest->latest = number;
    dal_count_add(newest->counts.distinct, 1);
    if (newest->record)
        fprintf(newest->record, "%" PRIu64 " %s %" PRIu64 "\n", end->taken,
                end->channel->desc->name, number - 1);
}

void dal_newest_record_end(const struct dal_channel *channel)
{
    const struct dal_newest *newest = channel->port->newest;
    if (newest->record)
        fprintf(newest->record, "%" PRIu64 " %s end\n", newest->begun, channel->desc->name);
}

/* What an end waits for is loaded before whether it waits: a wait that is over is not seen. */
void dal_newest_see(const struct dal_channel *channel, uint64_t *written, uint64_t *read,
                    uint64_t *capacity)
{
    const struct dal_newest *newest = channel->port->newest;
    uint64_t named = 0;
    int fill, stops;
    *written = dal__end_visible(channel->consumer.peer);
    if (newest->replay)
        named = named_waiting(newest);
    fill = newest->replay ? named > 0 : is_fresh(newest);
    fill |= !atomic_load_explicit(&newest->waits[READER], memory_order_relaxed);
    stops =
        named >= MOST_WAITING && atomic_load_explicit(&newest->waits[WRITER], memory_order_relaxed);
    fill = fill && *written;
    *read = *written - (uint64_t)fill;
    *capacity = (uint64_t)fill + !stops;
}

uint64_t dal_newest_lost(const struct dal_channel *channel)
{
    const struct dal_newest *newest = channel->port->newest;
    uint64_t distinct = dal_count_get(newest->counts.distinct);
    const struct dal_end *reader = &channel->consumer;
    uint64_t written =
        dal__end_visible(dal__end_is_closed(reader) ? channel->producer : reader->peer);
    uint64_t fresh = !newest->replay && is_fresh(newest);
    return written > distinct + fresh ? written - distinct - fresh : 0;
}

uint64_t dal_newest_repeated(const struct dal_channel *channel)
{
    uint64_t distinct = dal_count_get(channel->port->newest->counts.distinct);
    uint64_t reads = dal__end_visible(&channel->consumer);
    return reads > distinct ? reads - distinct : 0;
}

/* ---- reading a record ------------------------------------------------------------------------ */

/* Does a line follow from those before? Without repeats, each read has a token of its own. */
static int follows(const struct dal_newest_replay *replay, uint64_t first, const uint64_t *token,
                   int repeats)
{
    const struct dal_newest_read *last = &replay->reads[replay->count ? replay->count - 1 : 0];
    if (replay->is_whole)
        return 0;
    if (replay->count == 0)
        return first == 0;
    return (repeats ? first > last->first : first == last->first + 1) &&
           (!token || *token > last->token);
}

int dal_newest_replay_init(struct dal_channel *channel)
{
    struct dal_newest *newest = channel->port->newest;
    newest->replay = dal__port_alloc(channel->port, 1, sizeof(*newest->replay));
    return newest->replay ? DAL_OK : DAL_ERR_NOMEM;
}

uint64_t dal_newest_left(const struct dal_channel *channel)
{
    const struct dal_newest *newest = channel->port->newest;
    return newest->replay ? newest->replay->end - newest->begun : 0;
}

int dal_newest_replay(struct dal_channel *channel, uint64_t first, const uint64_t *token)
{
    struct dal_newest *newest = channel->port->newest;
    struct dal_newest_replay *replay = newest->replay;
    if (!follows(replay, first, token, channel->desc->repeat))
        return DAL_ERR_INVALID;
    replay->is_whole = !token;
    replay->end = first + (token != NULL);
    if (!token)
        return DAL_OK;
    if (dal_grow(&replay->reads, replay->count, &replay->room, sizeof(*replay->reads)))
        return DAL_ERR_NOMEM;
    replay->reads[replay->count++] = (struct dal_newest_read){first, *token};
    return DAL_OK;
}

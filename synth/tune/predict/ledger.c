#include "synth/tune/predict/ledger.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "spec/base/table.h"
#include "synth/plan/ring.h"

#include <string.h>

/* Counts how often each byte of a channel is moved: from the producer's device, to the consumer's,
 * and to another node. */
struct way {
    double down, up, sent;
};

static int shares_memory(const struct dal_plan_process *p)
{
    return dal_plan_is_unified(p->processors[0]->capability);
}

/* Does a process work in the host's ring? */
static int works_on_host(const struct dal_plan_process *p)
{
    return shares_memory(p) && p->processors[0]->capability->memory != DAL_MEMORY_MAPPED;
}

static int is_one_context(const struct dal_plan_process *a, const struct dal_plan_process *b)
{
    const char *one = a->processors[0]->capability->platform;
    return a->processors[0] == b->processors[0] ||
           dal_text_same(one ? one : "", b->processors[0]->capability->platform);
}

/* Returns the copies between two devices that share no memory. A device that shares the host's
 * memory works in the ring that the other's transfers reach (channels/create_layout.c). */
static struct way cross_devices(const struct dal_plan_process *from,
                                const struct dal_plan_process *to)
{
    struct way way = {1, 1, 0};
    if (from->processor_count > 1 || to->processor_count > 1 ||
        (is_one_context(from, to) && (shares_memory(from) == shares_memory(to))))
        return way;
    if (works_on_host(from))
        way.down = 0;
    else if (works_on_host(to))
        way.up = 0;
    return way;
}

/* Finds the way of a channel as if its reader were alone at the port. */
static struct way find_way(const struct dal_plan *plan, const struct dal_plan_channel *ch)
{
    const struct dal_plan_process *from = dal_plan_producer(plan, ch->channel);
    const struct dal_plan_process *to = dal_plan_consumer(plan, ch->channel);
    if (ch->kind == DAL_CHANNEL_NAIVE)
        return (struct way){from->device ? 2 : 0, to->device ? 2 : 0, 0};
    if (ch->kind == DAL_CHANNEL_REMOTE)
        return (struct way){from->device && !shares_memory(from), to->device && !shares_memory(to),
                            1};
    if (ch->kind != DAL_CHANNEL_STAGED)
        return (struct way){0};
    if (from->device && to->device)
        return cross_devices(from, to);
    return (struct way){from->device, to->device, 0};
}

static const char *node_of(const struct dal_plan_process *p)
{
    const char *node = p->processors[0]->processor->node;
    return node ? node : "";
}

/* Are two readers' windows in one ring? */
static int share_ring(const struct dal_plan *plan, const struct dal_plan_channel *a,
                      const struct dal_plan_channel *b)
{
    return a->kind == b->kind && dal_plan_is_bound_alike(dal_plan_consumer(plan, a->channel),
                                                         dal_plan_consumer(plan, b->channel));
}

/* Finds the way without what an earlier reader of the port needs as well: that is moved once for
 * both. */
static struct way find_own_way(const struct dal_plan *plan, const struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel->producer_port->channel;
    struct way way = find_way(plan, ch);
    for (; c && c != ch->channel; c = dal_port_next(ch->channel->producer_port, c)) {
        const struct dal_plan_channel *before = &plan->channels[c->number];
        struct way other = find_way(plan, before);
        if (other.down > 0)
            way.down = 0;
        if (other.up > 0 && share_ring(plan, ch, before))
            way.up = 0;
        if (other.sent > 0 && strcmp(node_of(dal_plan_consumer(plan, c)),
                                     node_of(dal_plan_consumer(plan, ch->channel))) == 0)
            way.sent = 0;
    }
    return way;
}

/* Does the host get all tokens of its port, for another reader? */
static int is_downloaded(const struct dal_plan *plan, const struct dal_plan_channel *ch)
{
    const struct dal_spec_port *port = ch->channel->producer_port;
    const struct dal_spec_channel *c = port->channel;
    while (c && find_way(plan, &plan->channels[c->number]).down <= 0)
        c = dal_port_next(port, c);
    return c != NULL;
}

/* Returns how often a byte is moved for a halo. Where a channel stays on each of several devices
 * in turn, its initial tokens go through the host, once a block: there and back, or only back where
 * the host has them for another reader. */
static double halo_of(const struct dal_plan *plan, const struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel;
    const struct dal_plan_process *from = dal_plan_producer(plan, c);
    double block = (double)from->shadow_copies * (double)c->rate_in;
    if (ch->kind != DAL_CHANNEL_DEVICE || !from->device || from->processor_count < 2 || block <= 0)
        return 0;
    return (is_downloaded(plan, ch) ? 1 : 2) * (double)c->initial_tokens / block;
}

/* ---- copies within a ring -------------------------------------------------------------------- */

/* Returns which part of a port's tokens lies in the tail of its ring, and so is copied within it
 * (rt/base/shape.h); 0 where capacities are not known yet. `readers` has room for all readers. */
static double tail_of(const struct dal_plan *plan, const struct dal_plan_channel *ch,
                      struct dal_windows *readers)
{
    struct dal_shape shape = dal_plan_ring(plan, ch, readers);
    if (shape.slots == 0)
        return 0;
    return (double)dal_least(shape.tail, shape.slots) / (double)shape.slots;
}

/* Is this the first channel whose reader is in the ring of its producer, on one device? */
static int is_mirrored(const struct dal_plan *plan, const struct dal_plan_channel *ch)
{
    const struct dal_plan_process *from = dal_plan_producer(plan, ch->channel);
    const struct dal_spec_channel *c = ch->channel->producer_port->channel;
    while (c != ch->channel && find_way(plan, &plan->channels[c->number]).down > 0)
        c = c->next_of_port;
    return from->device && from->processor_count == 1 && c == ch->channel &&
           ch->kind != DAL_CHANNEL_GROUP && ch->kind != DAL_CHANNEL_REMOTE &&
           find_way(plan, ch).down <= 0;
}

static struct dal_ledger_entry count_channel(const struct dal_plan *plan,
                                             const struct dal_plan_channel *ch,
                                             struct dal_windows *readers)
{
    const struct dal_spec_channel *c = ch->channel;
    struct way way = find_own_way(plan, ch);
    struct dal_ledger_entry entry = {.is_known = dal_spec_is_static(c)};
    if (!entry.is_known)
        return entry;
    entry.bytes = (double)c->producer->repetitions * (double)c->rate_in * (double)c->token_bytes;
    if (is_mirrored(plan, ch))
        entry.mirrored = entry.bytes * tail_of(plan, ch, readers);
    entry.copied = entry.bytes * (way.down + way.up + halo_of(plan, ch)) + entry.mirrored;
    entry.in_place = entry.copied < entry.bytes ? entry.bytes - entry.copied : 0;
    entry.sent = entry.bytes * way.sent;
    return entry;
}

int dal_ledger_make(const struct dal_plan *plan, struct dal_ledger *ledger)
{
    struct dal_windows *readers = dal_calloc(plan->channel_count + 1, sizeof(*readers));
    *ledger = (struct dal_ledger){0};
    ledger->channels = dal_calloc(plan->channel_count + 1, sizeof(*ledger->channels));
    for (size_t i = 0; readers && ledger->channels && i < plan->channel_count; i++) {
        struct dal_ledger_entry *entry = &ledger->channels[i];
        *entry = count_channel(plan, &plan->channels[i], readers);
        ledger->all.bytes += entry->bytes;
        ledger->all.copied += entry->copied;
        ledger->all.mirrored += entry->mirrored;
        ledger->all.in_place += entry->in_place;
        ledger->all.sent += entry->sent;
    }
    dal_free(readers);
    return readers && ledger->channels ? DAL_OK : DAL_ERR_NOMEM;
}

void dal_ledger_finish(struct dal_ledger *ledger)
{
    dal_free(ledger->channels);
    *ledger = (struct dal_ledger){0};
}

/* ---- for people ------------------------------------------------------------------------------ */

static const char tail_reason[] = "; windows cross its ring's end, and what lies there is copied";

static struct dal_cell write_bytes(const struct dal_ledger_entry *entry, double bytes)
{
    return entry->is_known ? dal_cell_format("%.0f", bytes) : dal_cell_format("?");
}

int dal_ledger_print(const struct dal_plan *plan, const struct dal_ledger *ledger, FILE *out)
{
    const struct dal_ledger_entry *all = &ledger->all;
    struct dal_text t = {0};
    dal_text_add(&t, "channel\vkind\vbytes*\vcopied\vin place\vto other nodes\vwhy\n");
    for (size_t i = 0; i < plan->channel_count; i++) {
        const struct dal_plan_channel *ch = &plan->channels[i];
        const struct dal_ledger_entry *entry = &ledger->channels[i];
        int moves = entry->copied > 0 || entry->sent > 0;
        dal_text_printf(&t, "%s\v%s\v%s\v%s\v%s\v%s\v%s%s\n", ch->channel->name,
                        dal_channel_traits(ch->kind)->name, write_bytes(entry, entry->bytes).text,
                        write_bytes(entry, entry->copied).text,
                        write_bytes(entry, entry->in_place).text,
                        write_bytes(entry, entry->sent).text, moves ? ch->reason : "-",
                        entry->mirrored > 0 ? tail_reason : "");
    }
    if (dal_table_print(&t, out))
        return DAL_ERR_NOMEM;
    fprintf(
        out,
        "\n* in one iteration; of %.0f bytes %.0f are in place, %.0f are copied, %.0f are sent to "
        "other nodes\n",
        all->bytes, all->in_place, all->copied, all->sent);
    return DAL_OK;
}

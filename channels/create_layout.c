/* Decides how a port is made, before anything of it is. */
#include "channels/create.h"
#include "channels/newest.h"
#include "rt/base/alloc.h"
#include "rt/base/number.h"

/* A ring takes at most this part of a device's largest allocation. */
enum { ALLOCATION_PART = 8 };

static enum dal_channel_kind kind_at(const struct dal_port_request *of, int i)
{
    return of->port->channels[i]->kind;
}

static int count_kind(const struct dal_port_request *of, enum dal_channel_kind kind)
{
    int count = 0;
    for (int i = 0; i < of->count; i++)
        count += kind_at(of, i) == kind;
    return count;
}

/* ---- the kinds of a port's channels, fitted to each other ------------------------------------ */

/* Returns true where all readers are in the producer's group. If only some are, these read from the
 * ring that the others have. */
static int find_counted(const struct dal_port_request *of)
{
    int i, counted = count_kind(of, DAL_CHANNEL_GROUP) == of->count;
    for (i = 0; i < of->count && !counted; i++)
        if (kind_at(of, i) == DAL_CHANNEL_GROUP)
            of->port->channels[i]->kind = DAL_CHANNEL_DEVICE;
    return counted;
}

/* Is the channel to reader i STAGED, between two devices that share no memory? Transfers then go
 * through a ring of the host. A device that shares the host's memory has its kernels work in that
 * ring, and needs none of its own. */
static int is_across(const struct dal_port_request *of, int i)
{
    const struct dal_queue *to = of->consumers[i].queue;
    return of->producer->queue && to && kind_at(of, i) == DAL_CHANNEL_STAGED &&
           !dal__is_distributed(of->producer) && !dal__is_distributed(&of->consumers[i]) &&
           !dal_device_share_memory(of->producer->queue->device, to->device);
}

/* Returns the queue in whose context the producer's ring is shared memory: the first that asks; or
 * NULL. */
static const struct dal_queue *own_shared_by(const struct dal_port_request *of)
{
    const struct dal_queue *found = NULL;
    for (int i = 0; i < of->count; i++)
        if (kind_at(of, i) == DAL_CHANNEL_UNIFIED)
            return of->producer->queue ? of->producer->queue : of->consumers[i].queue;
    for (int i = 0; i < of->count; i++) {
        if (kind_at(of, i) == DAL_CHANNEL_CONTEXT &&
            !of->consumers[i].queue->device->info.traits.fine_svm)
            return NULL;
        if (is_across(of, i) && dal__works_on_host(of->producer->queue))
            found = of->producer->queue;
    }
    return found;
}

/* Returns the same for the host's ring. */
static const struct dal_queue *host_shared_by(const struct dal_port_request *of)
{
    for (int i = 0; i < of->count; i++)
        if (is_across(of, i) && dal__works_on_host(of->consumers[i].queue))
            return of->consumers[i].queue;
    return NULL;
}

static int same_context(const struct dal_queue *a, const struct dal_queue *b)
{
    return a->device->context == b->device->context;
}

/* Makes readers STAGED that cannot work in the shared memory of the producer's ring. */
static void stage_strangers(const struct dal_port_request *of, const struct dal_queue *shared_by)
{
    for (int i = 0; shared_by && i < of->count; i++) {
        const struct dal_queue *queue = of->consumers[i].queue;
        const char *why = NULL;
        if (!queue || !dal_channel_traits(kind_at(of, i))->in_place)
            continue;
        if (!same_context(queue, shared_by))
            why = "is of another context than the ring";
        else if (!queue->device->info.traits.fine_svm)
            why = "has no fine-grained shared virtual memory, where the ring is";
        if (why)
            of->port->channels[i]->kind =
                dal__kind_staged(of->descs[i], queue->device->info.name, why);
    }
}

/* Refuses a channel that is changed in place where its two ends do not share one ring. */
static int check_inplace(const struct dal_port_request *of, int counted)
{
    const struct dal_channel *inplace = of->port->inplace;
    int distributed = dal__is_distributed(of->producer);
    if (!inplace || (dal_channel_traits(inplace->kind)->in_place && !counted && !distributed))
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "channel %s: its tokens cannot be changed in place: kind %s%s",
            inplace->desc->name, dal_channel_traits(inplace->kind)->name,
            distributed ? ", on several devices" : "");
    return DAL_ERR_UNSUPPORTED;
}

/* ---- shape ----------------------------------------------------------------------------------- */

static uint64_t most_ring_bytes(const struct dal_port_request *of)
{
    uint64_t most = DAL_SHAPE_MOST_BYTES;
    for (int i = -1; i < of->count; i++) {
        const struct dal_end_config *config = i < 0 ? of->producer : &of->consumers[i];
        for (int k = 0; config->queue && k < dal__replica_count(config); k++)
            most = dal_least(most, dal__replica_queue(config, k)->device->info.limits.alloc_bytes /
                                       ALLOCATION_PART);
    }
    return most;
}

/* `config` is NULL for an end on the host. */
static struct dal_windows windows_of(const struct dal_end_config *config, int counted,
                                     uint64_t rate, uint64_t initial)
{
    return (struct dal_windows){.rate = config ? dal__window_rate(counted, config, rate) : rate,
                                .initial = initial,
                                .firings = config ? config->firings : 0};
}

/* Returns the shape of a port's rings; `readers` has room for all. Without configurations, all ends
 * are on the host. */
static struct dal_shape find_shape(const struct dal_port_request *of, int counted,
                                   uint64_t most_bytes, struct dal_windows *readers)
{
    const struct dal_channel_desc *first = of->descs[0];
    struct dal_windows producer = windows_of(of->producer, counted, first->rate_in, 0);
    int inplace = 0;
    for (int i = 0; i < of->count; i++) {
        const struct dal_channel_desc *desc = of->descs[i];
        readers[i] = windows_of(of->consumers ? &of->consumers[i] : NULL, counted, desc->rate_out,
                                desc->initial_tokens);
        inplace |= desc->inplace;
    }
    if (counted)
        return (struct dal_shape){.slots = first->capacity};
    if (first->kind == DAL_CHANNEL_NEWEST)
        return (struct dal_shape){.slots = DAL_NEWEST_SLOTS};
    if (inplace)
        return dal_shape_exactly(producer, readers, of->count, first->capacity);
    return dal_shape_for(producer, readers, of->count, first->capacity,
                         most_bytes / first->token_bytes);
}

static int choose_shape(const struct dal_port_request *of, int counted)
{
    struct dal_windows *readers = dal__port_alloc(of->port, (size_t)of->count, sizeof(*readers));
    if (!readers)
        return DAL_ERR_NOMEM;
    of->port->shape = find_shape(of, counted, most_ring_bytes(of), readers);
    dal_free(readers);
    return DAL_OK;
}

size_t dal_port_region_bytes(const struct dal_channel_desc *const *descs, int count)
{
    const struct dal_port_request of = {.descs = descs, .count = count};
    struct dal_windows *readers = dal_calloc((size_t)count, sizeof(*readers));
    size_t bytes = 0;
    struct dal_shape shape;
    if (!readers)
        return 0;
    shape = find_shape(&of, 0, DAL_SHAPE_MOST_BYTES, readers);
    dal_free(readers);
    if (shape.tail == 0 && __builtin_mul_overflow(shape.slots, descs[0]->token_bytes, &bytes))
        return SIZE_MAX;
    return bytes > SIZE_MAX / 2 ? SIZE_MAX : dal_region_share(bytes);
}

/* ---- blocks of a mapped ring ----------------------------------------------------------------- */

/* The end of a port that borrows blocks: the producer's, or the last reader's on a device. */
struct borrower {
    const struct dal_end_config *config;
    uint64_t rate, first; /* of its window, and the first token there */
    int alone;            /* true if the host leaves alone what it borrows */
    int rivals;           /* true if others must work on a device in the ring */
};

static struct borrower find_borrower(const struct dal_port_request *of, uint64_t initial)
{
    struct borrower found = {of->producer, of->descs[0]->rate_in, initial, 1,
                             count_kind(of, DAL_CHANNEL_MAPPED) < of->count};
    int devices = 0;
    for (int i = 0; i < of->count && !of->producer->queue; i++)
        if (of->consumers[i].queue)
            found = (struct borrower){&of->consumers[i], of->descs[i]->rate_out,
                                      initial - of->descs[i]->initial_tokens, of->count == 1,
                                      devices++ > 0};
    return found;
}

/* Chooses the blocks of a mapped ring, or makes its channels STAGED where it cannot be mapped. */
static struct dal_lending choose_blocks(const struct dal_port_request *of, uint64_t initial)
{
    struct borrower borrower;
    uint64_t rate, firings;
    const char *why;
    if (count_kind(of, DAL_CHANNEL_MAPPED) == 0)
        return (struct dal_lending){0};
    borrower = find_borrower(of, initial);
    rate = dal__window_rate(0, borrower.config, borrower.rate);
    firings = dal__block_firings(&of->port->shape, rate, borrower.first, borrower.config->firings);
    why = of->port->inplace ? "its tokens are changed in place"
          : borrower.rivals ? "other readers are on devices"
          : firings == 0    ? "its windows do not lie in blocks that could be mapped"
                            : NULL;
    for (int i = 0; why && i < of->count; i++)
        if (kind_at(of, i) == DAL_CHANNEL_MAPPED)
            of->port->channels[i]->kind = dal__kind_staged(of->descs[i], "", why);
    if (why)
        return (struct dal_lending){0};
    return (struct dal_lending){.queue = borrower.config->queue,
                                .block_bytes = firings * rate * of->descs[0]->token_bytes,
                                .all = firings == 1 && borrower.alone};
}

/* ---- halos ----------------------------------------------------------------------------------- */

uint64_t dal__reader_halo(const struct dal_port_request *of, int reader)
{
    return kind_at(of, reader) == DAL_CHANNEL_DEVICE
               ? dal__find_halo(of->descs[reader], of->producer, &of->consumers[reader])
               : 0;
}

/* Returns the halo of all readers that have one. A block has one place in front of it, so a reader
 * with another halo becomes STAGED. */
static uint64_t choose_halo(const struct dal_port_request *of)
{
    uint64_t found = 0;
    for (int i = 0; i < of->count; i++) {
        uint64_t halo = dal__reader_halo(of, i);
        if (found && halo && halo != found)
            of->port->channels[i]->kind =
                dal__kind_staged(of->descs[i], "", "another reader has other initial tokens");
        else if (halo)
            found = halo;
    }
    return found;
}

/* ---- the rings ------------------------------------------------------------------------------- */

/* Returns the producer's queue, or that of a staged reader, to make pinned memory with. It prefers
 * a device with its own memory. */
static const struct dal_queue *find_pinning(const struct dal_port_request *of)
{
    const struct dal_queue *found = of->producer->queue;
    for (int i = 0; i < of->count; i++)
        if (of->consumers[i].queue && kind_at(of, i) == DAL_CHANNEL_STAGED &&
            (!found || found->device->info.traits.unified))
            found = of->consumers[i].queue;
    return found;
}

/* Returns the sort of a ring on the host from which tokens are moved, or to which. */
static struct dal_ring_memory moving_memory(const struct dal_port_request *of, uint64_t halo)
{
    if (halo || count_kind(of, DAL_CHANNEL_STAGED) > 0)
        return (struct dal_ring_memory){DAL_STORAGE_PINNED, find_pinning(of)};
    return (struct dal_ring_memory){DAL_STORAGE_PLAIN, NULL};
}

/* Returns the sort of a ring whose ends are all on the host. A double mapping would need whole
 * pages in place. */
static enum dal_storage_sort cores_memory(const struct dal_port *port)
{
    if (port->shape.tail == 0)
        return DAL_STORAGE_REGION;
    return port->inplace ? DAL_STORAGE_PLAIN : DAL_STORAGE_TWICE;
}

/* Chooses the sorts of memory: the first row that holds, `own` on the left and `host` on the right.
 *
 *     all readers are counted           none            none
 *     a device shares the own ring      SHARED          none
 *     a device borrows blocks of it     PAGES           none
 *     the producer is on a device       DEVICE          where a window is moved: SHARED with a
 *                                                       reader's device, or as below
 *     windows are moved from the host   PINNED, PLAIN   none
 *     all ends are on cores             cores_memory()  none */
static void choose_memory(const struct dal_port_request *of, const struct dal_queue *shared_by,
                          struct dal_port_layout *layout)
{
    int moved = layout->halo > 0;
    for (int i = 0; i < of->count; i++)
        moved |= !dal_channel_traits(kind_at(of, i))->in_place;
    layout->own.sort = cores_memory(of->port);
    if (layout->counted)
        layout->own.sort = DAL_STORAGE_NONE;
    else if (shared_by)
        layout->own = (struct dal_ring_memory){DAL_STORAGE_SHARED, shared_by};
    else if (layout->lending.queue)
        layout->own.sort = DAL_STORAGE_PAGES;
    else if (of->producer->queue)
        layout->own.sort = DAL_STORAGE_DEVICE;
    else if (moved)
        layout->own = moving_memory(of, layout->halo);
    if (layout->own.sort == DAL_STORAGE_TWICE)
        of->port->shape.tail = 0; /* the double mapping does it */
    if (!of->producer->queue || !moved || shared_by)
        return;
    shared_by = host_shared_by(of);
    layout->host = shared_by ? (struct dal_ring_memory){DAL_STORAGE_SHARED, shared_by}
                             : moving_memory(of, layout->halo);
}

/* Are all readers other processes on the producer's core? */
static int is_rewound(const struct dal_port_request *of)
{
    int loops = 0;
    for (int i = 0; i < of->count; i++)
        loops += of->descs[i]->producer == of->descs[i]->consumer;
    return loops == 0 && count_kind(of, DAL_CHANNEL_CORE) == of->count;
}

static uint64_t most_initial(const struct dal_port_request *of)
{
    uint64_t most = 0;
    for (int i = 0; i < of->count; i++)
        if (of->descs[i]->initial_tokens > most)
            most = of->descs[i]->initial_tokens;
    return most;
}

int dal__port_layout(const struct dal_port_request *of, struct dal_port_layout *layout)
{
    const struct dal_queue *shared_by;
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < of->count; i++)
        status = dal__kind_choose(&of->port->channels[i]->kind, of->descs[i], of->producer,
                                  &of->consumers[i]);
    if (status < 0)
        return status;
    *layout = (struct dal_port_layout){
        .of = of, .counted = find_counted(of), .initial = most_initial(of)};
    shared_by = own_shared_by(of);
    stage_strangers(of, shared_by);
    status = check_inplace(of, layout->counted);
    if (status == DAL_OK)
        status = choose_shape(of, layout->counted);
    if (status < 0)
        return status;
    layout->lending = choose_blocks(of, layout->initial);
    layout->halo = choose_halo(of);
    choose_memory(of, shared_by, layout);
    of->port->rewinds = is_rewound(of);
    return DAL_OK;
}

enum dal_reader_ring dal__reader_ring(const struct dal_port_layout *layout, int reader)
{
    const struct dal_port_request *of = layout->of;
    const struct dal_queue *queue = of->consumers[reader].queue;
    if (dal_channel_traits(kind_at(of, reader))->in_place)
        return DAL_RING_OWN;
    if (!queue)
        return DAL_RING_HOST;
    return layout->host.sort == DAL_STORAGE_SHARED && is_across(of, reader) &&
                   dal__works_on_host(queue) && same_context(layout->host.queue, queue)
               ? DAL_RING_HOST
               : DAL_RING_DEVICE;
}

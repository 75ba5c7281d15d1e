/* Chooses how many firings a launch has, and how many work-items a firing. */
#include "synth/plan/choose.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "spec/base/limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- devices --------------------------------------------------------------------------------- */

/* Values for what an architecture file does not say. A sub-device is one compute unit. */
static const struct {
    const char *prefix;
    uint64_t compute_units, work_group, buffer_bytes;
} usual[] = {
    {"CPU_", 4, 1024, UINT64_C(1) << 30},
    {"GPU_", 32, 256, UINT64_C(1) << 28},
    {"", 8, 256, UINT64_C(1) << 28},
};

static uint64_t or_usual(uint64_t said, uint64_t otherwise)
{
    return said ? said : otherwise;
}

/* Channels with an end on a device. */
static uint64_t count_rings(const struct dal_plan *plan, const struct dal_plan_processor *device)
{
    uint64_t count = 0;
    for (size_t i = 0; i < plan->channel_count; i++) {
        const struct dal_spec_channel *c = plan->channels[i].channel;
        count += dal_plan_producer(plan, c)->processors[0] == device ||
                 dal_plan_consumer(plan, c)->processors[0] == device;
    }
    return count ? count : 1;
}

struct dal_plan_device dal_plan_device_of(const struct dal_plan *plan,
                                          const struct dal_plan_processor *processor)
{
    const struct dal_spec_capability *said = processor->capability;
    int is_part = said->identifier[dal_plan_whole_length(said->identifier)] != '\0';
    size_t i = 0;
    while (strncmp(said->identifier, usual[i].prefix, strlen(usual[i].prefix)) != 0)
        i++;
    return (struct dal_plan_device){
        .name = processor->processor->name,
        .is_cpu = i == 0,
        .is_known = said->compute_units > 0 || is_part,
        .compute_units = is_part ? 1 : or_usual(said->compute_units, usual[i].compute_units),
        .work_group = or_usual(said->work_group, usual[i].work_group),
        .buffer_bytes = or_usual(said->buffer_bytes, usual[i].buffer_bytes),
        .rings = count_rings(plan, processor),
    };
}

/* ---- work ------------------------------------------------------------------------------------ */

static uint64_t bytes_of(uint64_t rate, uint64_t token_bytes)
{
    uint64_t bytes;
    return __builtin_mul_overflow(rate, token_bytes, &bytes) ? UINT64_MAX : bytes;
}

/* Returns the firings that find room in a channel of a given size. A core fills or empties it
 * meanwhile, so a launch gets a quarter. Between two processes of a device, a launch gets all of
 * it. */
static uint64_t given_firings(const struct dal_plan_channel *ch, uint64_t rate)
{
    uint64_t capacity = ch->size ? ch->size->capacity : ch->channel->capacity;
    uint64_t firings = capacity / rate / (ch->kind == DAL_CHANNEL_DEVICE ? 1 : 4);
    return firings ? firings : 1;
}

static void limit_work(struct dal_plan_work *work, uint64_t firings, const char *channel)
{
    if (firings >= work->most)
        return;
    work->most = firings;
    work->limit = channel;
}

/* A channel of the process to itself feeds as many firings at once as it has initial tokens for. */
static void add_channel(struct dal_plan_work *work, const struct dal_plan_channel *ch,
                        const struct dal_spec_port *port)
{
    const struct dal_spec_channel *c = ch->channel;
    uint64_t loop = c->initial_tokens / c->rate_out;
    if (!dal_plan_is_open(ch))
        limit_work(work, given_firings(ch, port->rate), c->name);
    if (c->producer == c->consumer)
        limit_work(work, loop ? loop : 1, c->name);
}

struct dal_plan_work dal_plan_work_of(const struct dal_plan *plan, const struct dal_plan_process *p)
{
    const struct dal_spec_execution_time *time = dal_plan_time(p);
    struct dal_plan_work work = {.window_bytes = dal_plan_window_bytes(p->process),
                                 .time_ns = time->is_measured ? time->units : 0,
                                 .most = UINT64_MAX,
                                 .curve = time->curve};
    uint64_t blocks = 1;
    for (size_t i = 0; i < p->process->port_count; i++) {
        const struct dal_spec_port *port = &p->process->ports[i];
        const struct dal_spec_channel *c;
        uint64_t bytes = bytes_of(port->rate, port->channel->token_bytes);
        work.port_bytes = bytes > work.port_bytes ? bytes : work.port_bytes;
        blocks = port->blocks > blocks ? port->blocks : blocks;
        for (c = port->channel; c; c = dal_port_next(port, c))
            add_channel(&work, &plan->channels[c->number], port);
    }
    work.items = p->source->type == DAL_SOURCE_PORTABLE ? blocks : work.port_bytes / 4;
    return work;
}

/* ---- the predictor --------------------------------------------------------------------------- */

static uint64_t wide_copies(const struct dal_plan_device *device)
{
    return device->compute_units *
           (device->is_cpu ? DAL_PLAN_CPU_FIRINGS_A_UNIT : DAL_PLAN_FIRINGS_A_UNIT);
}

static uint64_t launch_bytes(const struct dal_plan_device *device)
{
    return device->is_cpu ? DAL_PLAN_CPU_LAUNCH_BYTES : DAL_PLAN_LAUNCH_BYTES;
}

/* Returns the wished number of copies, before memory and capacities limit it: the largest of a few.
 * Writes the reason. */
static uint64_t wish_copies(const struct dal_plan_work *work, const struct dal_plan_device *device,
                            struct dal_plan_choice *choice)
{
    uint64_t units = device->compute_units, wide = wide_copies(device);
    uint64_t bytes = work->window_bytes ? 1 + (launch_bytes(device) - 1) / work->window_bytes : 1;
    uint64_t quick = dal_plan_quick_copies(work, units), slow = dal_plan_slow_copies(work, units);
    uint64_t most = bytes > quick ? bytes : quick;
    const char *why = device->is_cpu ? "S for 512 KB a launch" : "S for 1 MB a launch";
    most = most > wide ? most : wide;
    if (most == wide)
        why = device->is_cpu ? "S for 2 firings a compute unit" : "S for 4 firings a compute unit";
    else if (most == quick)
        why = "S for 0.1 ms a launch";
    if (slow < most) {
        most = slow;
        why = "S for 10 ms a launch at most";
    }
    snprintf(choice->copies_reason, sizeof(choice->copies_reason),
             "%s: %" PRIu64 " %s of %s, %" PRIu64 " bytes a firing", why, units,
             units == 1 ? "unit" : "units", device->name, work->window_bytes);
    if (work->time_ns)
        snprintf(choice->copies_reason + strlen(choice->copies_reason), 40,
                 ", %" PRIu64 " ns measured", work->time_ns);
    /* whole rounds of all units */
    return most > units ? (most + units - 1) / units * units : most;
}

/* Firings whose tokens fit into a ring of so many bytes, with two launches at each end. */
static uint64_t firings_in(uint64_t bytes, const struct dal_plan_work *work)
{
    uint64_t firings = work->port_bytes ? bytes / 4 / work->port_bytes : UINT64_MAX;
    return firings ? firings : 1;
}

static uint64_t limit_by_memory(const struct dal_plan_work *work,
                                const struct dal_plan_device *device, uint64_t copies)
{
    uint64_t most = dal_least(device->buffer_bytes / 8, DAL_PLAN_MOST_RING_BYTES);
    uint64_t usual_bytes = device->is_cpu ? DAL_PLAN_CPU_RING_BYTES : DAL_PLAN_RING_BYTES;
    uint64_t wide;
    most = dal_least(most, device->buffer_bytes / 2 / device->rings);
    wide = firings_in(dal_least(usual_bytes, most), work);
    if (wide < device->compute_units)
        wide = device->compute_units;
    return dal_least(copies, dal_least(wide, firings_in(most, work)));
}

static void add_reason(struct dal_plan_choice *choice, const char *more, const char *name)
{
    size_t used = strlen(choice->copies_reason);
    snprintf(choice->copies_reason + used, sizeof(choice->copies_reason) - used, "%s%.60s", more,
             name);
}

/* A power of two, so that whole warps have work. */
static void choose_items(const struct dal_plan_work *work, const struct dal_plan_device *device,
                         struct dal_plan_choice *choice)
{
    uint64_t most = device->is_cpu ? DAL_PLAN_CPU_ITEMS : DAL_PLAN_GPU_ITEMS;
    most = dal_least(dal_least(most, device->work_group), work->items);
    choice->items = 1;
    while (2 * (uint64_t)choice->items <= most)
        choice->items *= 2;
    if (device->is_cpu)
        snprintf(choice->items_reason, sizeof(choice->items_reason),
                 "I: a CPU's unit is one thread");
    else
        snprintf(choice->items_reason, sizeof(choice->items_reason),
                 "I: a firing has work for %" PRIu64 ", at most %d are taken", work->items,
                 DAL_PLAN_GPU_ITEMS);
}

void dal_plan_suggest(const struct dal_plan_work *work, const struct dal_plan_device *device,
                      struct dal_plan_choice *choice)
{
    uint64_t copies = wish_copies(work, device, choice);
    uint64_t fits = limit_by_memory(work, device, copies);
    choice->most = dal_least(limit_by_memory(work, device, DAL_MAX_COPIES), work->most);
    if (fits < copies)
        add_reason(choice, "; less, for rings that are not too large", "");
    if (work->most < fits)
        add_reason(choice, "; less, for channel ", work->limit);
    choice->copies = dal_least(dal_least(fits, work->most), DAL_MAX_COPIES);
    choice->least = dal_least(wide_copies(device), choice->copies);
    choose_items(work, device, choice);
}

unsigned dal_plan_idle(const struct dal_plan_device *device, uint64_t copies)
{
    if (copies >= device->compute_units)
        return 0;
    return (unsigned)((100 * (device->compute_units - copies) + device->compute_units / 2) /
                      device->compute_units);
}

/* ---- connected processes of a device --------------------------------------------------------- */

/* Processes that move the same number of tokens in a launch, so each has the same number of
 * iterations in it. */
struct component {
    size_t *root; /* by process: another one of the component, or itself */
    struct dal_plan_choice *choices;
    struct dal_plan *plan;
};

static int is_open(const struct dal_plan_process *p)
{
    return p->device && p->copies_open;
}

static size_t find_root(const struct component *all, size_t process)
{
    while (all->root[process] != process)
        process = all->root[process] = all->root[all->root[process]];
    return process;
}

static void join_processes(struct component *all)
{
    const struct dal_plan *plan = all->plan;
    for (size_t i = 0; i < plan->process_count; i++)
        all->root[i] = i;
    for (size_t i = 0; i < plan->channel_count; i++) {
        const struct dal_spec_channel *c = plan->channels[i].channel;
        const struct dal_plan_process *from = dal_plan_producer(plan, c),
                                      *to = dal_plan_consumer(plan, c);
        if (is_open(from) && is_open(to) && from->processors[0] == to->processors[0])
            all->root[find_root(all, from->process->number)] = find_root(all, to->process->number);
    }
}

static int is_of(const struct component *all, size_t process, size_t root)
{
    return is_open(&all->plan->processes[process]) && find_root(all, process) == root;
}

/* Returns a process's firings in an iteration, divided by `divisor`. */
static uint64_t share_of(const struct component *all, size_t process, uint64_t divisor)
{
    uint64_t share = all->plan->processes[process].process->repetitions / divisor;
    return share ? share : 1;
}

static uint64_t divisor_of(const struct component *all, size_t root)
{
    uint64_t divisor = 0;
    for (size_t i = 0; i < all->plan->process_count; i++)
        if (is_of(all, i, root))
            divisor = dal_gcd(all->plan->processes[i].process->repetitions, divisor);
    return divisor ? divisor : 1;
}

/* The cost of a launch must be small beside its work on the average. So a process of small tokens
 * may stand beside one of large tokens. */
struct iterations {
    uint64_t wish, least, most, launches;
    uint64_t launch_bytes; /* bytes that a launch should move */
    double bytes;          /* bytes of an iteration, over all processes */
};

static void add_wishes(const struct component *all, size_t process, uint64_t share,
                       struct iterations *n)
{
    const struct dal_plan_choice *choice = &all->choices[process];
    uint64_t wish = (choice->copies + share - 1) / share;
    uint64_t least = (choice->least + share - 1) / share;
    n->wish = wish > n->wish ? wish : n->wish;
    n->least = least > n->least ? least : n->least;
    n->most = dal_least(n->most, choice->most / share);
    n->launches++;
    n->bytes +=
        (double)share * (double)dal_plan_window_bytes(all->plan->processes[process].process);
}

static uint64_t count_iterations(const struct iterations *n)
{
    double average = (double)n->launches * (double)n->launch_bytes;
    uint64_t count = n->wish;
    if (average < (double)count * n->bytes) {
        count = (uint64_t)(average / n->bytes);
        count += (double)count * n->bytes < average;
    }

    return dal_least(count > n->least ? count : n->least, n->most);
}

/* Gives all processes of a component the same number of iterations a launch. Where no number suits
 * all, each keeps its own wish. */
static void match_component(struct component *all, size_t root)
{
    const struct dal_plan_device device =
        dal_plan_device_of(all->plan, all->plan->processes[root].processors[0]);
    struct iterations n = {.most = UINT64_MAX, .launch_bytes = launch_bytes(&device)};
    uint64_t divisor = divisor_of(all, root), count;
    for (size_t i = 0; i < all->plan->process_count; i++)
        if (is_of(all, i, root))
            add_wishes(all, i, share_of(all, i, divisor), &n);
    count = n.launches > 1 ? count_iterations(&n) : 0;
    for (size_t i = 0; count && i < all->plan->process_count; i++) {
        uint64_t copies = count * share_of(all, i, divisor);
        if (!is_of(all, i, root) || all->choices[i].copies == copies)
            continue;
        all->choices[i].copies = copies;
        add_reason(&all->choices[i], "; made to match its neighbours on the device", "");
    }
}

static void match_processes(struct component *all)
{
    join_processes(all);
    for (size_t i = 0; i < all->plan->process_count; i++)
        if (is_open(&all->plan->processes[i]) && find_root(all, i) == i)
            match_component(all, i);
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* Tells where S is given, and how much of the device it leaves idle. */
static char *explain_given(const struct dal_plan_process *p, const struct dal_plan_device *device)
{
    struct dal_spec_place place = p->binding->shadow_copies ? p->binding->place : p->process->place;
    unsigned idle = device && device->is_known ? dal_plan_idle(device, p->shadow_copies) : 0;
    if (idle > 50)
        return dal_format("S given in %s:%d; leaves %u %% of %s idle", dal_path_base(place.file),
                          place.line, idle, device->name);
    return dal_format("S given in %s:%d", dal_path_base(place.file), place.line);
}

/* Warns of an S that could be better. Processes of one binding or one iterator are told of once. */
static void warn_idle(struct dal_diags *diags, const struct dal_plan *plan,
                      const struct dal_plan_process *p, const struct dal_plan_device *device,
                      const struct dal_plan_choice *choice)
{
    struct dal_spec_place place = p->binding->shadow_copies ? p->binding->place : p->process->place;
    const struct dal_plan_process *before = p > plan->processes ? p - 1 : NULL;
    unsigned idle = dal_plan_idle(device, p->shadow_copies);
    if (!device->is_known || idle <= 50 || choice->most / 2 < p->shadow_copies ||
        (before && before->device && strcmp(before->process->base, p->process->base) == 0))
        return;
    dal_warning(diags, place, "idle-device",
                "process '%s': S = %" PRIu32 " leaves %u %% of %s idle; \"auto\" is %" PRIu64,
                p->process->name, p->shadow_copies, idle, device->name, choice->copies);
}

/* Settles I and returns its reason. Any I is right for a portable source; dal_source_units() sees
 * about a kernel's. */
static char *settle_items(struct dal_plan_process *p, const struct dal_plan_choice *choice)
{
    struct dal_spec_place place = p->binding->work_items ? p->binding->place : p->source->place;
    if (p->items_open == DAL_ITEMS_GIVEN)
        return dal_format("I given in %s:%d", dal_path_base(place.file), place.line);
    p->work_items = choice->items;
    if (p->source->type == DAL_SOURCE_PORTABLE)
        p->items_open = DAL_ITEMS_GIVEN;
    return dal_strdup(choice->items_reason);
}

static int settle_process(struct dal_diags *diags, const struct dal_plan *plan,
                          struct dal_plan_process *p, const struct dal_plan_choice *choice)
{
    struct dal_plan_device device = dal_plan_device_of(plan, p->processors[0]);
    if (p->copies_open && plan->most_firings && plan->most_firings < choice->copies) {
        p->shadow_copies = (uint32_t)plan->most_firings;
        p->copies_reason = dal_strdup("S: no more, so that latencies are kept");
    } else if (p->copies_open) {
        p->shadow_copies = (uint32_t)choice->copies;
        p->copies_reason = dal_strdup(choice->copies_reason);
    } else {
        p->copies_reason = explain_given(p, &device);
        warn_idle(diags, plan, p, &device, choice);
    }
    p->items_reason = settle_items(p, choice);
    return p->copies_reason && p->items_reason ? DAL_OK : DAL_ERR_NOMEM;
}

/* Limits copies to the firings at once that initial tokens of channels to itself allow. */
static uint32_t most_in_loops(const struct dal_plan_process *p, uint32_t copies)
{
    const struct dal_spec_channel *c;
    for (size_t i = 0; i < p->process->port_count; i++)
        for (c = p->process->ports[i].channel; c; c = dal_port_next(&p->process->ports[i], c))
            if (c->producer == c->consumer)
                copies = (uint32_t)dal_least(copies, c->initial_tokens / c->rate_out);
    return copies ? copies : 1;
}

/* Tells why a process of cores has as many copies as it has. */
static char *explain_copies(const struct dal_plan_process *p)
{
    uint32_t given = dal_plan_given_copies(p->binding);
    if (p->copies_open)
        return dal_format("S: %s, on %zu cores",
                          p->process->stateless == DAL_STATELESS_YES ? "stateless"
                                                                     : "its source keeps nothing",
                          p->processor_count);
    return p->shadow_copies < given
               ? dal_format("S: of %u given, on %zu cores", given, p->processor_count)
               : dal_strdup("S given");
}

/* Only for C, whose source has been asked since the plan was made. */
static int settle_cores(struct dal_plan_process *p)
{
    int said = p->process->stateless == DAL_STATELESS_YES;
    uint32_t copies = p->shadow_copies = dal_plan_shadow_copies(p->binding);
    if (copies == 1)
        return DAL_OK;
    if (p->copies_open || !said)
        p->shadow_copies = most_in_loops(p, copies);
    p->copies_reason =
        p->shadow_copies > 1
            ? explain_copies(p)
            : dal_strdup("one firing at a time: a channel to itself has tokens for no more");
    return p->copies_reason ? DAL_OK : DAL_ERR_NOMEM;
}

static void predict_all(const struct dal_plan *plan, struct dal_plan_choice *choices)
{
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = &plan->processes[i];
        struct dal_plan_device device;
        struct dal_plan_work work;
        if (!p->device)
            continue;
        device = dal_plan_device_of(plan, p->processors[0]);
        work = dal_plan_work_of(plan, p);
        dal_plan_suggest(&work, &device, &choices[i]);
    }
}

int dal_plan_choose(struct dal_diags *diags, struct dal_plan *plan)
{
    struct component all = {
        .plan = plan,
        .root = dal_calloc(plan->process_count + 1, sizeof(*all.root)),
        .choices = dal_calloc(plan->process_count + 1, sizeof(*all.choices)),
    };
    int status = all.root && all.choices ? DAL_OK : DAL_ERR_NOMEM;
    if (!status) {
        predict_all(plan, all.choices);
        match_processes(&all);
    }
    for (size_t i = 0; i < plan->process_count && !status; i++) {
        struct dal_plan_process *p = &plan->processes[i];
        status = p->device ? settle_process(diags, plan, p, &all.choices[i]) : settle_cores(p);
    }
    dal_free_all(all.root, all.choices);
    return status;
}

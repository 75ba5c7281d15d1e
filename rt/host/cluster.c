#include "rt/host/cluster.h"

#include "channels/fanout.h"
#include "rt/base/alloc.h"
#include "rt/host/firing.h"

#include <string.h>

/* Blocks of an activation, at most; and how long processes and the channels in between may show old
 * counts. To bring them up to date takes a cluster as long as some ten blocks of few bytes. */
enum { MOST_BLOCKS = 64, COUNTED_NS = 20 * 1000 * 1000 };

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- which processes ------------------------------------------------------------------------- */

/* The i-th process at the other side of an end; NULL behind the last. */
static struct dal_process *neighbour(const struct dal_process_list *all, const struct dal_end *end,
                                     int i)
{
    const struct dal_channel_desc *desc = end->channel->desc;
    if (end->fanout && i < end->fanout->count)
        return &all->processes[end->fanout->channels[i]->desc->consumer];
    if (end->fanout || i > 0)
        return NULL;
    return &all->processes[end->output ? desc->consumer : desc->producer];
}

/* Does an end of a process lead to one in the cluster, or back to itself? */
static int leads_in(const struct dal_process_list *all, const struct dal_cluster *cluster,
                    const struct dal_process *process, const struct dal_end *end)
{
    const struct dal_process *other;
    int i;
    for (i = 0; (other = neighbour(all, end, i)); i++)
        if (other == process || other->cluster == cluster)
            return 1;
    return 0;
}

static int same_cores(const struct dal_process_desc *a, const struct dal_process_desc *b)
{
    return a->processor_count == b->processor_count &&
           memcmp(a->processors, b->processors,
                  (size_t)a->processor_count * sizeof(*a->processors)) == 0;
}

/* Can both ends of a channel move as one, with room for the blocks of all copies and nothing left
 * behind them? */
static int is_plain(const struct dal_channel *channel, const struct dal_process *process)
{
    const struct dal_channel_desc *desc = channel->desc;
    return channel->kind <= DAL_CHANNEL_CORES && !channel->fanout &&
           desc->producer != desc->consumer && desc->initial_tokens == 0 &&
           desc->rate_in == desc->rate_out &&
           (uint64_t)process->copy_count * process->desc->block <= desc->capacity / desc->rate_in;
}

/* May a process be in a cluster with others? What several cores share without a copy for each is
 * better spread over them. */
static int is_sociable(const struct dal_process *process)
{
    return process->desc->kind == DAL_PROCESS_C &&
           process->copy_count == process->desc->processor_count;
}

static int joins(const struct dal_process_list *all, const struct dal_cluster *cluster,
                 const struct dal_process *process)
{
    int i, fed = 0;
    if (!is_sociable(process) || process->copy_count != cluster->processes[0]->copy_count)
        return 0;
    for (i = 0; i < process->desc->port_count; i++) {
        const struct dal_end *end = process->ends[i];
        if (!leads_in(all, cluster, process, end))
            continue;
        if (!is_plain(end->channel, process))
            return 0;
        fed |= !end->output;
    }
    return fed;
}

static void add(struct dal_cluster *cluster, struct dal_process *process)
{
    cluster->processes[cluster->count++] = process;
    process->cluster = cluster;
}

/* A process, and of those behind it that the same cores fire all that can join, up to the first
 * that cannot. */
static void gather(const struct dal_process_list *all, struct dal_cluster *cluster, int first)
{
    struct dal_process *process = &all->processes[first];
    int i, open;
    add(cluster, process);
    cluster->claim.shared = process->claim.shared;
    cluster->timed = process->timed;
    open = is_sociable(process);
    for (i = 0; open && i < process->desc->port_count; i++)
        open = !leads_in(all, cluster, process, process->ends[i]);
    for (i = first + 1; open && i < all->count; i++) {
        struct dal_process *other = &all->processes[i];
        if (other->desc->kind != DAL_PROCESS_C || !same_cores(process->desc, other->desc))
            continue;
        open = joins(all, cluster, other);
        if (open)
            add(cluster, other);
    }
}

/* Processes outside a cluster that have been met, and those to go on from. */
struct search {
    struct dal_process **stack;
    int depth;
    unsigned char *met;
};

/* Meets the processes at the other side of an end; returns whether one had been met before. */
static int meet(const struct dal_process_list *all, const struct dal_cluster *cluster,
                const struct dal_end *end, struct search *search)
{
    struct dal_process *other;
    int i, again = 0;
    for (i = 0; (other = neighbour(all, end, i)); i++) {
        unsigned char *met = &search->met[other - all->processes];
        if (other->cluster == cluster)
            continue;
        again |= *met;
        if (!*met)
            search->stack[search->depth++] = other;
        *met = 1;
    }
    return again;
}

/* Do two ends of a cluster lead to processes that are connected without it? */
static int is_bypassed(const struct dal_process_list *all, const struct dal_cluster *cluster,
                       struct search *search)
{
    int i, k, n;
    memset(search->met, 0, (size_t)all->count);
    for (i = 0; i < cluster->count; i++) {
        const struct dal_process *process = cluster->processes[i];
        for (k = 0; k < process->desc->port_count; k++) {
            if (meet(all, cluster, process->ends[k], search))
                return 1;
            while (search->depth > 0) {
                const struct dal_process *outside = search->stack[--search->depth];
                for (n = 0; n < outside->desc->port_count; n++)
                    meet(all, cluster, outside->ends[n], search);
            }
        }
    }
    return 0;
}

/* ---- ends and copies ------------------------------------------------------------------------- */

/* Of a channel that leads out, a quarter at once: the other side works at the rest meanwhile. */
static uint64_t most_at_once(const struct dal_cluster *cluster, const struct dal_end *end)
{
    uint64_t share = 4 * (uint64_t)cluster->copy_count;
    uint64_t firings = end->channel->desc->capacity / end->rate / share;
    return firings ? firings : 1;
}

/* Copies work side by side in the memory of the channels in between, each in a place of its own. */
static size_t place_of(const struct dal_cluster *cluster, const struct dal_end *end, int number)
{
    return (size_t)number * cluster->block * end->firing_bytes;
}

/* Adds the ends that lead in, or those that do not. */
static void add_ends(const struct dal_process_list *all, struct dal_cluster *cluster, int inner)
{
    int i, k, n;
    for (i = 0; i < cluster->count; i++) {
        struct dal_process *process = cluster->processes[i];
        for (k = 0; k < process->desc->port_count; k++) {
            struct dal_end *end = process->ends[k];
            if (leads_in(all, cluster, process, end) != inner)
                continue;
            for (n = 0; n < cluster->copy_count; n++) {
                struct dal_window *window = &process->copies[n].activation.windows[k];
                cluster->copies[n].windows[cluster->end_count] = window;
                if (inner)
                    window->firing = end->base + place_of(cluster, end, n);
            }
            if (!inner)
                cluster->pace.most = least_of(cluster->pace.most, most_at_once(cluster, end));
            cluster->ends[cluster->end_count++] = end;
        }
    }
    if (!inner)
        cluster->outer_count = cluster->end_count;
}

static int make_copy(const struct dal_cluster *cluster, struct dal_cluster_copy *copy, int number,
                     size_t ends)
{
    int i;
    copy->windows = dal_calloc(ends, sizeof(struct dal_window *));
    copy->steps = dal_calloc((size_t)cluster->count, sizeof(*copy->steps));
    if (!copy->windows || !copy->steps)
        return DAL_ERR_NOMEM;
    for (i = 0; i < cluster->count; i++) {
        struct dal_process *process = cluster->processes[i];
        copy->steps[i] = (struct dal_cluster_step){process->run, &process->copies[number], 0};
    }
    return DAL_OK;
}

static int make_copies(struct dal_cluster *cluster, size_t ends)
{
    int i, status = DAL_OK;
    cluster->copy_count = cluster->processes[0]->copy_count;
    cluster->copies = dal_calloc_apart((size_t)cluster->copy_count, sizeof(*cluster->copies));
    cluster->order = dal_calloc((size_t)cluster->copy_count, sizeof(*cluster->order));
    cluster->ends = dal_calloc(ends, sizeof(struct dal_end *));
    if (!cluster->copies || !cluster->order || !cluster->ends)
        return DAL_ERR_NOMEM;
    for (i = 0; status == DAL_OK && i < cluster->copy_count; i++)
        status = make_copy(cluster, &cluster->copies[i], i, ends);
    return status;
}

/* What firing as one needs. */
static int complete(const struct dal_process_list *all, struct dal_cluster *cluster)
{
    size_t ends = 1;
    int i;
    cluster->block = UINT64_MAX;
    for (i = 0; i < cluster->count; i++) {
        ends += (size_t)cluster->processes[i]->desc->port_count;
        cluster->block = least_of(cluster->block, cluster->processes[i]->desc->block);
    }
    if (make_copies(cluster, ends) < 0)
        return DAL_ERR_NOMEM;
    cluster->pace = (struct dal_pace){1, MOST_BLOCKS * cluster->block, 0};
    add_ends(all, cluster, 0);
    add_ends(all, cluster, 1);
    return DAL_OK;
}

static int find_clusters(const struct dal_process_list *all, struct dal_clusters *clusters,
                         struct search *search)
{
    struct dal_process **members = clusters->list[0].processes;
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < all->count; i++) {
        struct dal_cluster *cluster = &clusters->list[clusters->count];
        if (all->processes[i].desc->kind == DAL_PROCESS_OPENCL || all->processes[i].cluster)
            continue;
        cluster->processes = members;
        gather(all, cluster, i);
        members += cluster->count;
        clusters->count++;
        search->depth = 0;
        if (cluster->count == 1 || is_bypassed(all, cluster, search))
            atomic_store_explicit(&cluster->apart, 1, memory_order_relaxed);
        else
            status = complete(all, cluster);
    }
    return status;
}

int dal_clusters_find(struct dal_clusters *clusters, const struct dal_process_list *all)
{
    size_t count = (size_t)all->count + 1;
    struct search search = {.stack = dal_calloc(count, sizeof(struct dal_process *)),
                            .met = dal_calloc(count, 1)};
    int status = DAL_ERR_NOMEM;
    clusters->list = dal_calloc_apart(count, sizeof(*clusters->list));
    if (clusters->list)
        clusters->list->processes = dal_calloc(count, sizeof(struct dal_process *));
    if (clusters->list && clusters->list->processes && search.stack && search.met)
        status = find_clusters(all, clusters, &search);
    dal_free(search.stack);
    dal_free(search.met);
    return status;
}

void dal_clusters_finish(struct dal_clusters *clusters)
{
    int i, k;
    if (!clusters->list)
        return;
    dal_free(clusters->list->processes); /* those of all */
    for (i = 0; i < clusters->count; i++) {
        struct dal_cluster *cluster = &clusters->list[i];
        for (k = 0; cluster->copies && k < cluster->copy_count; k++) {
            dal_free(cluster->copies[k].windows);
            dal_free(cluster->copies[k].steps);
        }
        dal_free(cluster->copies);
        dal_free(cluster->order);
        dal_free(cluster->ends);
    }
    dal_free(clusters->list);
    *clusters = (struct dal_clusters){0};
}

/* ---- firing ---------------------------------------------------------------------------------- */

/* The copy of an activation that has begun. */
static struct dal_cluster_copy *copy_of(struct dal_cluster *cluster, uint64_t number)
{
    return &cluster->copies[cluster->order[number % (uint64_t)cluster->copy_count]];
}

static int is_unwanted(struct dal_cluster *cluster)
{
    int i;
    for (i = 0; i < cluster->count; i++)
        if (dal_process_unwanted(cluster->processes[i]))
            return 1;
    return 0;
}

/* Is a process about to end? */
static int is_over(struct dal_cluster *cluster)
{
    int i;
    for (i = 0; i < cluster->count; i++)
        if (dal_process_starved(cluster->processes[i]))
            return 1;
    return is_unwanted(cluster);
}

static uint64_t ready(struct dal_cluster *cluster)
{
    uint64_t firings = cluster->pace.firings;
    int i;
    for (i = 0; firings > 0 && i < cluster->outer_count; i++)
        firings = dal_end_ready(cluster->ends[i], firings);
    return firings;
}

static int number_of(const struct dal_cluster *cluster, const struct dal_cluster_copy *copy)
{
    return (int)(copy - cluster->copies);
}

/* Brings processes and the channels in between up to date. */
static void count(struct dal_cluster *cluster)
{
    int i;
    if (cluster->uncounted == 0)
        return;
    for (i = cluster->outer_count; i < cluster->end_count; i++)
        if (cluster->ends[i]->output)
            dal_channel_pass(cluster->ends[i]->channel,
                             cluster->uncounted * cluster->ends[i]->rate);
    for (i = 0; i < cluster->count; i++) {
        cluster->processes[i]->firings += cluster->uncounted;
        cluster->processes[i]->launches += cluster->uncounted_blocks;
    }
    cluster->uncounted = cluster->uncounted_blocks = 0;
}

/* From now on its processes are fired one by one. */
static void come_apart(struct dal_cluster *cluster)
{
    count(cluster);
    atomic_store_explicit(&cluster->apart, 1, memory_order_release);
}

/* Takes the windows that lead out; before the first time every process starts. */
static int begin(struct dal_cluster *cluster, struct dal_cluster_copy *copy, uint64_t firings)
{
    int i;
    atomic_store_explicit(&cluster->at_work, 1, memory_order_relaxed);
    for (i = 0; cluster->begun == 0 && i < cluster->count; i++)
        if (!dal__process_start(cluster->processes[i]))
            return 0;
    for (i = 0; i < cluster->outer_count; i++)
        copy->windows[i]->firing = dal_end_acquire(cluster->ends[i], firings);
    copy->asked = copy->goal = firings;
    copy->done = copy->blocks = 0;
    copy->last = -1;
    copy->begun = copy->running = 1;
    cluster->order[cluster->begun++ % (uint64_t)cluster->copy_count] = number_of(cluster, copy);
    return 1;
}

/* Goes on with a parked activation; where nobody wants more, the oldest one ends the cluster. */
static int go_on(struct dal_cluster *cluster, struct dal_cluster_copy *copy)
{
    if (copy->ragged == 0 && copy == copy_of(cluster, cluster->done) && is_unwanted(cluster)) {
        cluster->ending = 1;
        return 0;
    }
    copy->goal = least_of(copy->asked, copy->done + cluster->pace.firings);
    copy->running = 1;
    return 1;
}

/* Begins an activation in a copy and returns whether there is one; if not, *active tells whether
 * the cluster has come apart instead. Claimed. */
static int begin_next(struct dal_cluster *cluster, struct dal_cluster_copy *copy, int *active)
{
    uint64_t firings;
    if (cluster->ending || (copy->begun && !copy->parked))
        return 0;
    if (copy->parked) {
        *active = 1;
        return go_on(cluster, copy);
    }
    firings = ready(cluster);
    if (firings == 0 || is_unwanted(cluster)) {
        *active = cluster->begun == cluster->done && is_over(cluster);
        if (*active)
            come_apart(cluster);
        return 0;
    }
    *active = 1;
    return begin(cluster, copy, firings);
}

/* Fires a process; returns whether it did so often. */
static inline __attribute__((always_inline)) int fire(const struct dal_cluster *cluster,
                                                      const struct dal_cluster_step *step,
                                                      uint64_t firings, struct dal_trace_row *row)
{
    struct dal_copy *copy = step->copy;
    copy->activation.firings = firings;
    dal_copy_turn(copy);
    if (cluster->timed)
        dal__process_run_timed(copy->activation.process, copy, row);
    else
        step->run(&copy->dal, &copy->activation);
    dal_copy_turn(copy);
    return copy->activation.fired == firings;
}

/* Fires a block of each process; returns the number of one that did not go through it, or of the
 * next one where the network broke meanwhile, or -1. */
static int fire_block(const struct dal_cluster *cluster, const struct dal_cluster_step *step,
                      uint64_t firings, struct dal_trace_row *row)
{
    struct dal_control *control = cluster->processes[0]->control;
    int i;
    for (i = 0; i < cluster->count; i++, step++)
        if (dal_control_broken(control) || !fire(cluster, step, firings, row))
            return i;
    return -1;
}

/* The windows of a process go to where it is in the block, or back. */
static void shift(const struct dal_cluster_step *step, uint64_t firings, int back)
{
    const struct dal_activation *activation = &step->copy->activation;
    int i;
    for (i = 0; i < activation->process->desc->port_count; i++) {
        size_t bytes = firings * activation->windows[i].bytes;
        activation->windows[i].firing += back ? 0 - bytes : bytes;
    }
}

/* Of a block that was cut short, each process from number `i` on, which is not the first, does what
 * the one before it has done, but no more than `most` firings. Returns as fire_block() does. */
static int catch_up(const struct dal_cluster *cluster, struct dal_cluster_copy *copy, int i,
                    uint64_t most, struct dal_trace_row *row)
{
    struct dal_control *control = cluster->processes[0]->control;
    for (; i < cluster->count; i++) {
        struct dal_cluster_step *step = &copy->steps[i];
        const struct dal_activation *activation = &step->copy->activation;
        uint64_t before = step->done, firings = least_of(most, step[-1].done - before);
        int through;
        if (dal_control_broken(control))
            return i;
        if (firings == 0)
            continue;
        shift(step, before, 0);
        through = fire(cluster, step, firings, row);
        shift(step, before, 1);
        step->done += activation->fired;
        if (!through && !activation->early)
            return i;
        copy->early |= !through;
    }
    return -1;
}

/* So many firings more have gone through all processes, windows that lead out follow. */
static void pass(const struct dal_cluster *cluster, struct dal_cluster_copy *copy, uint64_t firings)
{
    int i;
    for (i = 0; i < cluster->outer_count; i++)
        copy->windows[i]->firing += firings * cluster->ends[i]->firing_bytes;
    copy->done += firings;
}

/* Windows in between follow, or are back where the block began. */
static void pass_between(const struct dal_cluster *cluster, struct dal_cluster_copy *copy,
                         uint64_t firings)
{
    uint64_t back = copy->into + firings;
    int i, whole = copy->ragged == firings;
    for (i = cluster->outer_count; i < cluster->end_count; i++) {
        struct dal_window *window = copy->windows[i];
        window->firing += firings * window->bytes;
        window->firing -= whole ? back * window->bytes : 0;
    }
    copy->into = whole ? 0 : back;
}

/* In a block that was cut short, what the last process has done all others have as well. */
static void pass_ragged(const struct dal_cluster *cluster, struct dal_cluster_copy *copy)
{
    uint64_t firings = copy->steps[cluster->count - 1].done;
    int i;
    pass(cluster, copy, firings);
    pass_between(cluster, copy, firings);
    for (i = 0; i < cluster->count; i++)
        copy->steps[i].done -= firings;
    copy->ragged -= firings;
    copy->blocks += copy->ragged == 0;
}

/* Process `number` did not go through a block of so many firings, those before it did. If it was
 * asked to end early the others do as much as they can; where it is the first, that is the block.
 */
static void cut_short(const struct dal_cluster *cluster, struct dal_cluster_copy *copy, int number,
                      uint64_t firings, struct dal_trace_row *row)
{
    const struct dal_activation *activation = &copy->steps[number].copy->activation;
    int i;
    for (i = 0; i < cluster->count; i++)
        copy->steps[i].done = i < number ? firings : i == number ? activation->fired : 0;
    copy->last = number;
    if (!activation->early)
        return;
    copy->early = 1;
    copy->ragged = copy->steps[0].done;
    copy->last = catch_up(cluster, copy, number + 1, firings, row);
    if (copy->last < 0)
        pass_ragged(cluster, copy);
}

static void run_ragged(const struct dal_cluster *cluster, struct dal_cluster_copy *copy,
                       struct dal_trace_row *row)
{
    copy->last = catch_up(cluster, copy, 1, copy->goal - copy->done, row);
    if (copy->last < 0)
        pass_ragged(cluster, copy);
}

static void run(struct dal_cluster *cluster, struct dal_cluster_copy *copy,
                struct dal_trace_row *row)
{
    copy->early = 0;
    if (copy->ragged > 0) {
        run_ragged(cluster, copy, row);
        return;
    }
    while (copy->done < copy->goal) {
        uint64_t firings = least_of(cluster->block, copy->goal - copy->done);
        int number = fire_block(cluster, copy->steps, firings, row);
        if (number >= 0) {
            cut_short(cluster, copy, number, firings, row);
            return;
        }
        pass(cluster, copy, firings);
        copy->blocks++;
    }
}

/* The same, said to be here (rt/host/firing.h). */
static void run_here(struct dal_cluster *cluster, struct dal_cluster_copy *copy,
                     struct dal_trace_row *row)
{
    struct dal_here *here = dal_here();
    here->copy = copy;
    here->steps = cluster->count;
    run(cluster, copy, row);
    here->copy = NULL;
}

/* Side by side with others: claimed only to begin and to release. */
static void run_unclaimed(struct dal_cluster *cluster, struct dal_cluster_copy *copy,
                          struct dal_trace_row *row)
{
    struct dal_listener *listener = &cluster->processes[0]->listener;
    dal_claim_give_up(&cluster->claim);
    listener->notify(listener); /* there may be work for another copy */
    run_here(cluster, copy, row);
    dal_claim_wait(&cluster->claim);
}

/* What a worker has spent in the processes of a copy. */
static void add_times(struct dal_cluster *cluster, int number)
{
    int i;
    for (i = 0; i < cluster->count; i++) {
        struct dal_process *process = cluster->processes[i];
        process->busy_ns += process->copies[number].busy_ns;
        process->copies[number].busy_ns = 0;
    }
}

/* Releases what all processes have gone through. */
static void release(struct dal_cluster *cluster, struct dal_cluster_copy *copy)
{
    int i;
    cluster->uncounted += copy->done;
    cluster->uncounted_blocks += copy->blocks;
    for (i = 0; i < cluster->outer_count; i++) {
        struct dal_end *end = cluster->ends[i];
        dal_end_release(end, copy->windows[i]->firing - copy->done * end->firing_bytes, copy->done);
    }
    copy->asked -= copy->done;
    copy->done = copy->blocks = 0;
    if (cluster->timed)
        add_times(cluster, number_of(cluster, copy));
}

/* What it takes from a channel in between has been written since the cluster last counted. */
static void look_again(struct dal_process *process)
{
    int i;
    for (i = 0; i < process->desc->port_count; i++) {
        struct dal_end *end = process->ends[i];
        if (!end->output)
            end->seen = atomic_load_explicit(&end->peer->visible, memory_order_acquire);
    }
}

/* Releases what a process did in a block that others have not gone through. */
static void hand_over(struct dal_cluster *cluster, struct dal_cluster_copy *copy, int i)
{
    struct dal_process *process = cluster->processes[i];
    int number = number_of(cluster, copy);
    struct dal_copy *own = &process->copies[number];
    struct dal_activation *activation = &own->activation;
    uint64_t fired = copy->steps[i].done, rest = 0;
    if (i == copy->last)
        rest = activation->firings - activation->fired;
    else
        activation->firings = activation->fired = fired;
    process->begun = process->done = (uint64_t)number;
    look_again(process);
    dal__process_take(process, own, fired + rest);
    own->fired = fired;
    own->left = 0;
    dal__process_release(process);
}

/* One process did not go through its block, or nobody wants another one. What has been begun since
 * is as if it had not been, and what processes did beyond the last one is released as if they had
 * fired by themselves. */
static void break_off(struct dal_cluster *cluster)
{
    struct dal_cluster_copy *copy = copy_of(cluster, cluster->done);
    int number = number_of(cluster, copy), i;
    uint64_t n;
    for (i = 0; i < cluster->outer_count; i++) {
        for (n = cluster->done; n < cluster->begun; n++)
            dal_end_give_back(cluster->ends[i], copy_of(cluster, n)->asked);
        dal_end_acquire(cluster->ends[i], copy->done);
    }
    for (; i < cluster->end_count; i++) /* what is in between stays where it is */
        cluster->ends[i]->position = place_of(cluster, cluster->ends[i], number) +
                                     copy->into * cluster->ends[i]->firing_bytes;
    release(cluster, copy);
    count(cluster);
    for (i = 0; i < cluster->count; i++)
        if (copy->steps[i].done > 0 || i == copy->last)
            hand_over(cluster, copy, i);
    cluster->done = cluster->begun;
    come_apart(cluster);
}

static int any_running(const struct dal_cluster *cluster)
{
    int i, any = 0;
    for (i = 0; i < cluster->copy_count; i++)
        any |= cluster->copies[i].running;
    return any;
}

/* Releases what has been run, in order. */
static void release_all(struct dal_cluster *cluster)
{
    int64_t now_ns = dal_tick_ns();
    while (!cluster->ending && cluster->done < cluster->begun &&
           !copy_of(cluster, cluster->done)->running) {
        struct dal_cluster_copy *copy = copy_of(cluster, cluster->done);
        cluster->ending = copy->last >= 0;
        if (cluster->ending)
            break;
        release(cluster, copy);
        if (copy->asked > 0)
            break; /* it is parked */
        copy->begun = 0;
        cluster->done++;
    }
    if (cluster->ending && !any_running(cluster))
        break_off(cluster);
    else if (now_ns - cluster->counted_ns >= COUNTED_NS) {
        count(cluster);
        cluster->counted_ns = now_ns;
    }
    if (cluster->done == cluster->begun)
        atomic_store_explicit(&cluster->at_work, 0, memory_order_release);
}

/* A parked activation is its own worker's to go on with: that one does not pass by. */
static int claim(struct dal_cluster *cluster, const struct dal_cluster_copy *copy)
{
    if (!copy->parked || !cluster->claim.shared)
        return dal_claim_try(&cluster->claim);
    dal_claim_wait(&cluster->claim);
    return 1;
}

int dal_cluster_activate(struct dal_cluster *cluster, int number, struct dal_trace_row *row)
{
    struct dal_cluster_copy *copy = &cluster->copies[number];
    struct dal_control *control = cluster->processes[0]->control;
    int active = 0;
    if (!claim(cluster, copy))
        return 0;
    if (!dal_cluster_is_apart(cluster) && begin_next(cluster, copy, &active)) {
        int64_t begin_ns = dal_pace_begin(&cluster->pace);
        if (cluster->copy_count > 1)
            run_unclaimed(cluster, copy, row);
        else
            run_here(cluster, copy, row);
        /* A block of each may take as long as it would by itself; all of more, as one process. */
        dal_pace_end(&cluster->pace, begin_ns, copy->goal <= cluster->block ? cluster->count : 1,
                     copy->early);
        copy->running = 0;
        copy->parked = copy->last < 0 && copy->done < copy->asked;
    }
    if (active && !dal_cluster_is_apart(cluster) && !dal_control_broken(control))
        release_all(cluster);
    dal_claim_give_up(&cluster->claim);
    return active;
}

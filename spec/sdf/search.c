#include "spec/sdf/search.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

/* Most bytes of vectors that are kept. */
#define MAX_BYTES ((size_t)1 << 28)

struct node {
    uint64_t total;
    size_t number; /* in the order of making */
    uint64_t vector[];
};

struct frontier {
    struct node **nodes; /* all that were made */
    size_t count, room, bytes;
    size_t *heap; /* of those not looked at */
    size_t heap_count, heap_room;
    size_t *slots; /* hash table: number + 1, 0 for free */
    size_t slot_count;
    size_t size;
    int full;
};

static int comes_before(const struct frontier *f, size_t a, size_t b)
{
    const struct node *x = f->nodes[a], *y = f->nodes[b];
    return x->total < y->total || (x->total == y->total && a < b);
}

static void swap_entries(size_t *a, size_t *b)
{
    size_t kept = *a;
    *a = *b;
    *b = kept;
}

static int push_heap(struct frontier *f, size_t number)
{
    size_t at = f->heap_count;
    if (dal_grow(&f->heap, f->heap_count, &f->heap_room, sizeof(*f->heap)))
        return DAL_ERR_NOMEM;
    f->heap[f->heap_count++] = number;
    for (; at > 0 && comes_before(f, f->heap[at], f->heap[(at - 1) / 2]); at = (at - 1) / 2)
        swap_entries(&f->heap[at], &f->heap[(at - 1) / 2]);
    return DAL_OK;
}

static const struct node *pop_heap(struct frontier *f)
{
    size_t number = f->heap[0], at = 0;
    f->heap[0] = f->heap[--f->heap_count];
    for (size_t child = 1; child < f->heap_count; child = 2 * at + 1) {
        if (child + 1 < f->heap_count && comes_before(f, f->heap[child + 1], f->heap[child]))
            child++;
        if (!comes_before(f, f->heap[child], f->heap[at]))
            break;
        swap_entries(&f->heap[child], &f->heap[at]);
        at = child;
    }
    return f->nodes[number];
}

/* FNV-1a over the entries. */
static size_t hash_vector(const uint64_t *vector, size_t size)
{
    uint64_t value = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++) {
        value = (value ^ vector[i]) * UINT64_C(1099511628211);
        value ^= value >> 29;
    }
    return (size_t)value;
}

/* Returns the slot of a vector, or the free one where it would be. */
static size_t *find_slot(const struct frontier *f, const uint64_t *vector)
{
    size_t at = hash_vector(vector, f->size) & (f->slot_count - 1);
    while (f->slots[at] &&
           memcmp(f->nodes[f->slots[at] - 1]->vector, vector, f->size * sizeof(*vector)) != 0)
        at = (at + 1) & (f->slot_count - 1);
    return &f->slots[at];
}

static int grow_slots(struct frontier *f)
{
    size_t *old = f->slots;
    f->slots = dal_calloc(f->slot_count ? 2 * f->slot_count : 64, sizeof(*f->slots));
    if (!f->slots) {
        f->slots = old;
        return DAL_ERR_NOMEM;
    }
    f->slot_count = f->slot_count ? 2 * f->slot_count : 64;
    for (size_t i = 0; i < f->count; i++)
        *find_slot(f, f->nodes[i]->vector) = i + 1;
    dal_free(old);
    return DAL_OK;
}

/* Enters a vector unless it has been there. */
static int enter_vector(struct frontier *f, const uint64_t *vector, uint64_t total)
{
    size_t bytes = f->size * sizeof(*vector);
    struct node *node;
    size_t *slot;
    if (2 * f->count >= f->slot_count && grow_slots(f))
        return DAL_ERR_NOMEM;
    slot = find_slot(f, vector);
    if (*slot)
        return DAL_OK;
    if (f->bytes + bytes > MAX_BYTES) {
        f->full = 1;
        return DAL_OK;
    }
    if (dal_grow(&f->nodes, f->count, &f->room, sizeof(*f->nodes)))
        return DAL_ERR_NOMEM;
    node = dal_alloc(sizeof(*node) + bytes);
    if (!node)
        return DAL_ERR_NOMEM;
    node->total = total;
    node->number = f->count;
    if (bytes)
        memcpy(node->vector, vector, bytes);
    f->nodes[f->count++] = node;
    f->bytes += bytes + sizeof(*node);
    *slot = f->count;
    return push_heap(f, node->number);
}

static void frontier_finish(struct frontier *f)
{
    for (size_t i = 0; i < f->count; i++)
        dal_free(f->nodes[i]);
    dal_free_all(f->nodes, f->heap, f->slots);
}

static int expand_node(struct dal__search *search, struct frontier *f, const struct node *node,
                       const struct dal__branch *branches, size_t count, uint64_t *vector)
{
    int status = DAL_OK;
    memcpy(vector, node->vector, search->size * sizeof(*vector));
    for (size_t i = 0; i < count && !status; i++) {
        size_t at = branches[i].at;
        uint64_t kept = vector[at], cost, total;
        if (__builtin_mul_overflow(branches[i].more, search->weight[at], &cost) ||
            __builtin_add_overflow(node->total, cost, &total) || total >= search->limit ||
            __builtin_add_overflow(kept, branches[i].more, &vector[at])) {
            vector[at] = kept;
            continue;
        }
        status = enter_vector(f, vector, total);
        vector[at] = kept;
    }
    return status;
}

static int search_frontier(struct dal__search *search, struct frontier *f,
                           struct dal__branch *branches, uint64_t *vector)
{
    int status = DAL_OK;
    while (f->heap_count > 0 && !f->full) {
        const struct node *node = pop_heap(f);
        size_t count = 0;
        search->reached = node->total;
        status = search->look(search->context, node->vector, node->total, branches, &count);
        if (status || !dal_sdf_spend(search->budget, 16))
            return status;
        status = expand_node(search, f, node, branches, count, vector);
        if (status)
            return status;
    }
    if (!f->full) {
        search->reached = UINT64_MAX;
        search->complete = 1;
    }
    return status;
}

int dal__search_run(struct dal__search *search, const uint64_t *start, uint64_t total)
{
    struct frontier frontier = {.size = search->size};
    struct dal__branch *branches = dal_calloc(2 * search->size + 1, sizeof(*branches));
    uint64_t *vector = dal_calloc(search->size + 1, sizeof(*vector));
    int status = branches && vector ? enter_vector(&frontier, start, total) : DAL_ERR_NOMEM;
    search->reached = total;
    search->complete = 0;
    if (!status)
        status = search_frontier(search, &frontier, branches, vector);
    if (status == 1)
        search->complete = 1;
    frontier_finish(&frontier);
    dal_free_all(branches, vector);
    return status;
}

/* The geometry of rings: no window crosses the end, or the tail has it. */
#include "channels/shape.h"

#include "rt/base/gcd.h"
#include "test/suite.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10000, CASES = 2000, MOST_CONSUMERS = 4 };

static uint64_t some(uint64_t most)
{
    return 1 + (uint64_t)rand() % most;
}

struct side {
    uint64_t window, at, count;
};

/* A ring of token numbers, with a tail. */
struct ring {
    struct dal_shape shape;
    uint64_t *slots;
};

static void push(struct ring *ring, struct side *producer)
{
    struct dal_move moves[2];
    uint64_t i;
    int k, n;
    for (i = 0; i < producer->window; i++)
        ring->slots[producer->at + i] = producer->count + i;
    n = dal_shape_moves(&ring->shape, producer->at, producer->window, moves);
    for (k = 0; k < n; k++)
        memcpy(ring->slots + moves[k].to, ring->slots + moves[k].from,
               moves[k].count * sizeof(*ring->slots));
    producer->at = (producer->at + producer->window) % ring->shape.slots;
    producer->count += producer->window;
}

static int pop(struct ring *ring, struct side *consumer)
{
    uint64_t i, wrong = 0;
    for (i = 0; i < consumer->window; i++)
        wrong += ring->slots[consumer->at + i] != consumer->count + i;
    consumer->at = (consumer->at + consumer->window) % ring->shape.slots;
    consumer->count += consumer->window;
    return wrong == 0;
}

static int inside(const struct ring *ring, const struct side *side)
{
    return side->at + side->window <= ring->shape.slots + ring->shape.tail;
}

/* The next window: up to `most` firings of so many tokens that are there, as many as fit. */
static uint64_t choose(const struct ring *ring, struct side *side, uint64_t rate, uint64_t most,
                       uint64_t there)
{
    uint64_t firings = some(most);
    if (firings > there / rate)
        firings = there / rate;
    for (side->window = firings * rate; firings > 1 && !inside(ring, side); firings--)
        side->window -= rate;
    return firings;
}

static uint64_t slowest(const struct side *consumers, int count)
{
    uint64_t least = consumers[0].count;
    int i;
    for (i = 1; i < count; i++)
        least = consumers[i].count < least ? consumers[i].count : least;
    return least;
}

/* Pushes and pops at random, within the capacity, windows of up to so many firings; 1 when every
 * token arrives in its place at each of the consumers. */
static int run(struct dal_shape shape, uint64_t p, const uint64_t *rates, int count, uint64_t d,
               uint64_t capacity, struct dal_windows windows)
{
    struct ring ring = {.shape = shape};
    uint64_t slots = ring.shape.slots, i;
    struct side producer = {p, (ring.shape.start + d) % slots, d};
    struct side consumers[MOST_CONSUMERS];
    int round, k, good = 1;
    for (k = 0; k < count; k++)
        consumers[k] = (struct side){rates[k], ring.shape.start, 0};
    ring.slots = calloc(slots + ring.shape.tail, sizeof(*ring.slots));
    for (i = 0; i < d; i++)
        ring.slots[(ring.shape.start + i) % slots] = i;
    for (i = 0; i < ring.shape.tail && i < slots; i++)
        ring.slots[slots + i] = ring.slots[i];
    for (round = 0; good && round < ROUNDS / 10; round++) {
        int which = rand() % count;
        struct side *consumer = &consumers[which];
        uint64_t space = capacity - (producer.count - slowest(consumers, count));
        uint64_t fill = producer.count - consumer->count;
        if (rand() % 2 && choose(&ring, &producer, p, windows.producer, space)) {
            good = inside(&ring, &producer);
            push(&ring, &producer);
        } else if (choose(&ring, consumer, rates[which], windows.consumer, fill)) {
            good = inside(&ring, consumer) && pop(&ring, consumer);
        }
    }
    free(ring.slots);
    return good;
}

static void random_rings(void)
{
    int i;
    for (i = 0; i < CASES; i++) {
        uint64_t p = some(12), c = some(12), d = (uint64_t)rand() % 20, g = dal_gcd(p, c);
        uint64_t least = p + c - g + d % g;
        uint64_t capacity = (least > d ? least : d) + (uint64_t)rand() % 10;
        struct dal_windows windows = {some(6), some(6), i % 3 ? 4000 : 0};
        if (i % 2)
            windows.producer = windows.consumer = 1;
        if (!run(dal_shape_elastic(p, c, d, capacity, windows), p, &c, 1, d, capacity, windows)) {
            printf("p %llu c %llu d %llu capacity %llu\n", (unsigned long long)p,
                   (unsigned long long)c, (unsigned long long)d, (unsigned long long)capacity);
            CU_FAIL("a token was not where its window is");
            return;
        }
    }
    CU_PASS("all windows hold their tokens");
}

static void shared_rings(void)
{
    const struct dal_windows one = {1, 1, 0};
    int i, k, aligned = 0;
    for (i = 0; i < CASES; i++) {
        uint64_t p = some(8), d = (uint64_t)rand() % 12, capacity = d, rates[MOST_CONSUMERS];
        int count = (int)some(MOST_CONSUMERS);
        struct dal_shape shape;
        for (k = 0; k < count; k++) {
            uint64_t c = rates[k] = some(8), g = dal_gcd(p, c), least = p + c - g + d % g;
            capacity = least > capacity ? least : capacity;
        }
        capacity += (uint64_t)rand() % 40;
        shape = dal_shape_for_all(p, rates, count, d, capacity);
        aligned += shape.tail == 0;
        if (!run(shape, p, rates, count, d, capacity, one)) {
            printf("p %llu d %llu capacity %llu, %d consumers\n", (unsigned long long)p,
                   (unsigned long long)d, (unsigned long long)capacity, count);
            CU_FAIL("a token was not where its window is");
            return;
        }
    }
    CU_ASSERT_TRUE(aligned > CASES / 10 && aligned < CASES);
}

/* Windows of whole launches are not cut short, whatever the initial tokens. */
static void large_windows(void)
{
    const struct dal_windows windows = {64, 64, 10000}, few = {64, 64, 600};
    struct dal_shape aligned = dal_shape_elastic(16, 1, 0, 160, windows);
    struct dal_shape behind = dal_shape_elastic(1, 1, 1, 129, windows);
    struct dal_shape cut = dal_shape_elastic(1, 1, 1, 129, (struct dal_windows){64, 64, 500});
    CU_ASSERT_EQUAL(aligned.tail, 0);
    CU_ASSERT_EQUAL(dal_shape_elastic(16, 1, 0, 160, (struct dal_windows){0, 64, 200}).slots, 192);
    CU_ASSERT_EQUAL(dal_shape_elastic(16, 1, 0, 160, (struct dal_windows){0, 64, 0}).slots, 160);
    CU_ASSERT_EQUAL(behind.tail, 63);
    CU_ASSERT_EQUAL(behind.slots, 504);
    CU_ASSERT_EQUAL(dal_shape_elastic(1, 1, 1, 129, few).slots, 504);
    CU_ASSERT_EQUAL(cut.tail, 0);
    CU_ASSERT_EQUAL(cut.slots, 129);
}

static void known_shapes(void)
{
    struct dal_shape plain = dal_shape_for(1, 1, 0, 5);
    struct dal_shape aligned = dal_shape_for(3, 2, 2, 6);
    struct dal_shape crossing = dal_shape_for(4, 2, 1, 8);
    struct dal_shape wide = dal_shape_for(1000, 999, 0, 2000);
    CU_ASSERT_EQUAL(plain.slots, 5);
    CU_ASSERT_EQUAL(plain.tail, 0);
    CU_ASSERT_EQUAL(aligned.slots, 6);
    CU_ASSERT_EQUAL(aligned.tail, 0);
    CU_ASSERT_EQUAL(aligned.start % 2, 0);
    CU_ASSERT_EQUAL((aligned.start + 2) % 3, 0);
    CU_ASSERT_EQUAL(crossing.tail, 3);
    CU_ASSERT_EQUAL(wide.slots, 2000);
    CU_ASSERT_EQUAL(wide.tail, 999);
}

int main(void)
{
    static const struct test tests[] = {
        {"known shapes", known_shapes},
        {"random rings", random_rings},
        {"rings of several consumers", shared_rings},
        {"large windows", large_windows},
    };
    srand(1);
    return run_suite("shape", tests, sizeof(tests) / sizeof(tests[0]));
}

/* The geometry of rings: no window crosses the end, or the tail has it. */
#include "rt/base/shape.h"

#include "rt/base/number.h"
#include "test/suite.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10000, CASES = 2000, MOST_READERS = 4 };

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
    int n;
    for (uint64_t i = 0; i < producer->window; i++)
        ring->slots[producer->at + i] = producer->count + i;
    n = dal_shape_moves(&ring->shape, producer->at, producer->window, moves);
    for (int k = 0; k < n; k++)
        memcpy(ring->slots + moves[k].to, ring->slots + moves[k].from,
               moves[k].count * sizeof(*ring->slots));
    producer->at = (producer->at + producer->window) % ring->shape.slots;
    producer->count += producer->window;
}

static int pop(struct ring *ring, struct side *reader)
{
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < reader->window; i++)
        wrong += ring->slots[reader->at + i] != reader->count + i;
    reader->at = (reader->at + reader->window) % ring->shape.slots;
    reader->count += reader->window;
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

static uint64_t slowest(const struct side *readers, int count)
{
    uint64_t least = readers[0].count;
    for (int i = 1; i < count; i++)
        least = readers[i].count < least ? readers[i].count : least;
    return least;
}

/* A ring's ends: what its readers move, each with its own initial tokens. */
struct ends {
    struct dal_windows producer, readers[MOST_READERS];
    uint64_t capacity, initial; /* the largest of the readers' */
    int count;
};

static struct dal_shape shape_of(const struct ends *ends, uint64_t most_slots)
{
    return dal_shape_for(ends->producer, ends->readers, ends->count, ends->capacity, most_slots);
}

static void fill_ring(struct ring *ring, uint64_t d)
{
    uint64_t slots = ring->shape.slots;
    ring->slots = calloc(slots + ring->shape.tail, sizeof(*ring->slots));
    for (uint64_t i = 0; i < d; i++)
        ring->slots[(ring->shape.start + i) % slots] = i;
    for (uint64_t i = 0; i < ring->shape.tail && i < slots; i++)
        ring->slots[slots + i] = ring->slots[i];
}

/* Pushes and pops at random, within the capacity; 1 when every token arrives in its place at each
 * of the readers. */
static int run_case(struct dal_shape shape, const struct ends *ends)
{
    struct ring ring = {.shape = shape};
    struct side producer = {0, (shape.start + ends->initial) % shape.slots, ends->initial};
    struct side readers[MOST_READERS];
    int good = 1;
    for (int k = 0; k < ends->count; k++) {
        uint64_t first = ends->initial - ends->readers[k].initial;
        readers[k] = (struct side){0, (shape.start + first) % shape.slots, first};
    }
    fill_ring(&ring, ends->initial);
    for (int round = 0; good && round < ROUNDS / 10; round++) {
        int which = rand() % ends->count;
        struct side *reader = &readers[which];
        const struct dal_windows *moves = &ends->readers[which], *p = &ends->producer;
        uint64_t space = ends->capacity - (producer.count - slowest(readers, ends->count));
        uint64_t fill = producer.count - reader->count;
        if (rand() % 2 && choose(&ring, &producer, p->rate, p->firings, space)) {
            good = inside(&ring, &producer);
            push(&ring, &producer);
        } else if (choose(&ring, reader, moves->rate, moves->firings, fill)) {
            good = inside(&ring, reader) && pop(&ring, reader);
        }
    }
    free(ring.slots);
    return good;
}

static struct ends draw_ends(int count, uint64_t most_rate, uint64_t most_firings)
{
    struct ends ends = {.producer = {some(most_rate), 0, some(most_firings)}, .count = count};
    uint64_t p = ends.producer.rate;
    for (int k = 0; k < count; k++) {
        uint64_t c = some(most_rate), d = (uint64_t)rand() % 20, g = dal_gcd(p, c);
        uint64_t least = p + c - g + d % g;
        ends.readers[k] = (struct dal_windows){c, d, some(most_firings)};
        ends.initial = d > ends.initial ? d : ends.initial;
        ends.capacity = least > ends.capacity ? least : ends.capacity;
    }
    ends.capacity = ends.initial > ends.capacity ? ends.initial : ends.capacity;
    ends.capacity += (uint64_t)rand() % 40;
    return ends;
}

static void describe(const struct ends *ends)
{
    printf("p %llu capacity %llu\n", (unsigned long long)ends->producer.rate,
           (unsigned long long)ends->capacity);
    for (int k = 0; k < ends->count; k++)
        printf("    c %llu d %llu firings %llu\n", (unsigned long long)ends->readers[k].rate,
               (unsigned long long)ends->readers[k].initial,
               (unsigned long long)ends->readers[k].firings);
}

/* Random rings of so many readers; returns how many of them have no tail. */
static int try_rings(int count, uint64_t most_rate, uint64_t most_firings, uint64_t most_slots)
{
    int aligned = 0;
    for (int i = 0; i < CASES; i++) {
        struct ends ends =
            draw_ends(count ? count : (int)some(MOST_READERS), most_rate, i % 2 ? 1 : most_firings);
        struct dal_shape shape = shape_of(&ends, i % 3 ? most_slots : 0);
        aligned += shape.tail == 0;
        if (!run_case(shape, &ends)) {
            describe(&ends);
            CU_FAIL("a token was not where its window is");
            return -1;
        }
    }
    return aligned;
}

static void random_rings(void)
{
    int aligned = try_rings(1, 12, 6, 4000);
    CU_ASSERT(aligned > CASES / 10 && aligned < CASES);
}

static void shared_rings(void)
{
    int aligned = try_rings(0, 8, 1, 0);
    CU_ASSERT(aligned > CASES / 10 && aligned < CASES);
    aligned = try_rings(0, 4, 6, 4000);
    CU_ASSERT(aligned > CASES / 10 && aligned < CASES);
}

static struct dal_shape one_reader(struct dal_windows p, struct dal_windows c, uint64_t capacity,
                                   uint64_t most_slots)
{
    return dal_shape_for(p, &c, 1, capacity, most_slots);
}

#define WINDOWS(...) ((struct dal_windows){__VA_ARGS__})

/* Windows of whole launches are not cut short, whatever the initial tokens. */
static void large_windows(void)
{
    const struct dal_windows one = {1, 0, 64}, late = {1, 1, 64}, both[] = {one, late};
    struct dal_shape aligned = one_reader(WINDOWS(16, 0, 64), one, 160, 10000);
    struct dal_shape behind = one_reader(one, late, 129, 10000);
    struct dal_shape cut = one_reader(one, late, 129, 500);
    CU_ASSERT_EQUAL(aligned.tail, 0);
    CU_ASSERT_EQUAL(one_reader(WINDOWS(16, 0, 0), one, 160, 200).slots, 192);
    CU_ASSERT_EQUAL(one_reader(WINDOWS(16, 0, 0), one, 160, 0).slots, 160);
    CU_ASSERT_EQUAL(behind.tail, 63);
    CU_ASSERT_EQUAL(behind.slots, 504);
    CU_ASSERT_EQUAL(one_reader(one, late, 129, 600).slots, 504);
    CU_ASSERT_EQUAL(cut.tail, 0);
    CU_ASSERT_EQUAL(cut.slots, 129);
    behind = dal_shape_for(one, both, 2, 129, 10000);
    CU_ASSERT_EQUAL(behind.tail, 63);
    CU_ASSERT_EQUAL(behind.slots, 504);
}

static void known_shapes(void)
{
    const struct dal_windows differ[] = {{2, 2, 1}, {3, 1, 1}};
    struct dal_shape plain = one_reader(WINDOWS(1, 0, 1), WINDOWS(1, 0, 1), 5, 0);
    struct dal_shape aligned = one_reader(WINDOWS(3, 0, 1), WINDOWS(2, 2, 1), 6, 0);
    struct dal_shape crossing = one_reader(WINDOWS(4, 0, 1), WINDOWS(2, 1, 1), 8, 0);
    struct dal_shape wide = one_reader(WINDOWS(1000, 0, 1), WINDOWS(999, 0, 1), 2000, 0);
    struct dal_shape two = dal_shape_for(WINDOWS(1, 0, 1), differ, 2, 6, 0);
    CU_ASSERT_EQUAL(plain.slots, 5);
    CU_ASSERT_EQUAL(plain.tail, 0);
    CU_ASSERT_EQUAL(aligned.slots, 6);
    CU_ASSERT_EQUAL(aligned.tail, 0);
    CU_ASSERT_EQUAL(aligned.start % 2, 0);
    CU_ASSERT_EQUAL((aligned.start + 2) % 3, 0);
    CU_ASSERT_EQUAL(crossing.tail, 3);
    CU_ASSERT_EQUAL(wide.slots, 2000);
    CU_ASSERT_EQUAL(wide.tail, 999);
    CU_ASSERT_EQUAL(two.tail, 0);
    CU_ASSERT_EQUAL(two.start % 2, 0);
    CU_ASSERT_EQUAL((two.start + 1) % 3, 0);
}

/* Two firings of one window: the second one, all of which lies in the tail, has its own tokens
 * copied alone. */
static void test_moves_in_tail(void)
{
    const struct dal_shape shape = {.slots = 40, .tail = 5};
    struct dal_move moves[2];
    CU_ASSERT_EQUAL(dal_shape_moves(&shape, 38, 3, moves), 1);
    CU_ASSERT(moves[0].from == 40 && moves[0].to == 0 && moves[0].count == 1);
    CU_ASSERT_EQUAL(dal_shape_moves(&shape, 41, 3, moves), 1);
    CU_ASSERT(moves[0].from == 41 && moves[0].to == 1 && moves[0].count == 3);
}

int main(void)
{
    static const struct test tests[] = {
        {"what is written in the tail alone", test_moves_in_tail},
        {"known shapes", known_shapes},
        {"random rings", random_rings},
        {"rings of several readers", shared_rings},
        {"large windows", large_windows},
    };
    srand(1);
    return run_suite("shape", tests, sizeof(tests) / sizeof(tests[0]));
}

#include "rt/base/shape.h"

#include "rt/base/number.h"

#include <assert.h>

/* A ring with a tail that only large windows need is at least this many times as long as the tail.
 * So few of its tokens are copied. */
enum { SLOTS_A_TAIL = 8 };

/* The x in [0, m) with a * x == 1 (mod m), for coprime a and m below 2^63. */
static uint64_t inverse(uint64_t a, uint64_t m)
{
    int64_t t = 0, t_next = 1, r = (int64_t)m, r_next = (int64_t)(a % m);
    while (r_next) {
        int64_t q = r / r_next, swap;
        swap = t - q * t_next, t = t_next, t_next = swap;
        swap = r - q * r_next, r = r_next, r_next = swap;
    }
    return (uint64_t)(t < 0 ? t + (int64_t)m : t);
}

/* The numbers x with x == rest (mod multiple). */
struct places {
    uint64_t rest, multiple;
};

/* Keeps those of them with x == rest (mod c). Returns 0 if there are none, or their multiple is
 * above `most`. */
static int meet(struct places *x, uint64_t rest, uint64_t c, uint64_t most)
{
    uint64_t g = dal_gcd(x->multiple, c), m = c / g, both;
    uint64_t distance = (rest % c + c - x->rest % c) % c;
    if (distance % g != 0 || m > UINT32_MAX || __builtin_mul_overflow(x->multiple, m, &both) ||
        both > most)
        return 0;
    if (m > 1)
        x->rest += x->multiple * (distance / g * inverse(x->multiple / g % m, m) % m);
    x->multiple = both;
    return 1;
}

/* Returns the tokens of the largest window of up to `most` firings that fits the capacity. */
static uint64_t window(struct dal_windows end, uint64_t capacity, uint64_t most)
{
    uint64_t firings = end.firings < most ? end.firings : most;
    if (firings <= 1)
        return end.rate;
    return (capacity / end.rate < firings ? capacity / end.rate : firings) * end.rate;
}

/* Returns the shape for windows of up to `most` firings. */
static struct dal_shape shape_for(struct dal_windows producer, const struct dal_windows *readers,
                                  int count, uint64_t capacity, uint64_t most)
{
    uint64_t largest = window(producer, capacity, most), initial = 0;
    struct places at = {0, largest}; /* of the producer's first window */
    struct dal_shape shape = {.slots = capacity};
    int fits = 1;
    for (int i = 0; i < count; i++) {
        uint64_t size = window(readers[i], capacity, most);
        assert(capacity >= size && capacity >= readers[i].initial);
        fits = fits && meet(&at, readers[i].initial, size, 2 * capacity);
        largest = size > largest ? size : largest;
        initial = readers[i].initial > initial ? readers[i].initial : initial;
    }
    shape.tail = largest - 1;
    if (fits) {
        uint64_t slots = (capacity + at.multiple - 1) / at.multiple * at.multiple;
        uint64_t start = (at.rest + at.multiple - initial % at.multiple) % at.multiple;
        if (slots <= 2 * capacity)
            shape = (struct dal_shape){.slots = slots, .start = start};
    }
    return shape;
}

struct dal_shape dal_shape_for(struct dal_windows producer, const struct dal_windows *readers,
                               int count, uint64_t capacity, uint64_t most_slots)
{
    struct dal_shape exact = shape_for(producer, readers, count, capacity, 1);
    struct dal_shape wide = shape_for(producer, readers, count, capacity, UINT64_MAX);
    if (wide.tail > exact.tail && wide.slots < SLOTS_A_TAIL * wide.tail)
        wide.slots = SLOTS_A_TAIL * wide.tail;
    return wide.slots <= exact.slots || wide.slots <= most_slots ? wide : exact;
}

struct dal_shape dal_shape_exactly(struct dal_windows producer, const struct dal_windows *readers,
                                   int count, uint64_t capacity)
{
    struct dal_shape shape = shape_for(producer, readers, count, capacity, 1);
    uint64_t largest = 1;
    if (shape.slots == capacity)
        return shape;
    for (int i = 0; i < count; i++)
        largest = readers[i].rate > largest ? readers[i].rate : largest;
    return (struct dal_shape){.slots = capacity, .tail = largest - 1};
}

int dal_shape_moves(const struct dal_shape *shape, uint64_t at, uint64_t count,
                    struct dal_move moves[2])
{
    uint64_t end = at + count, behind = at > shape->slots ? at : shape->slots, mirrored;
    int n = 0;
    if (shape->tail == 0 || count == 0)
        return 0;
    if (end > shape->slots)
        moves[n++] = (struct dal_move){behind, behind - shape->slots, end - behind};
    mirrored = end < shape->tail ? end : shape->tail;
    if (mirrored > shape->slots)
        mirrored = shape->slots;
    if (at < mirrored)
        moves[n++] = (struct dal_move){at, shape->slots + at, mirrored - at};
    return n;
}

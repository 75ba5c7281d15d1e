#include "channels/shape.h"

#include "rt/base/gcd.h"

#include <assert.h>

/* A ring is made so many times as long as a tail that is there for large windows alone, so that
 * little of what passes is copied. */
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

/* The smallest multiple of c that becomes a multiple of p when d is added; gcd(p, c) divides d. */
static uint64_t aligned_start(uint64_t p, uint64_t c, uint64_t d)
{
    uint64_t g = dal_gcd(p, c), m = p / g;
    uint64_t wanted = (m - (d / g) % m) % m;
    if (m == 1)
        return 0;
    return c * (wanted * inverse(c / g, m) % m);
}

struct dal_shape dal_shape_for(uint64_t p, uint64_t c, uint64_t d, uint64_t capacity)
{
    uint64_t g = dal_gcd(p, c), multiple, slots;
    struct dal_shape shape = {.slots = capacity, .tail = (p > c ? p : c) - 1};
    assert(p && c && capacity >= p && capacity >= c && capacity >= d);
    if (d % g == 0 && !__builtin_mul_overflow(p / g, c, &multiple) && multiple <= 2 * capacity) {
        slots = (capacity + multiple - 1) / multiple * multiple;
        if (slots <= 2 * capacity) {
            shape.slots = slots;
            shape.tail = 0;
            shape.start = aligned_start(p, c, d);
        }
    }
    return shape;
}

/* The ring of one consumer whose windows are the least common multiple of all, when it has no tail:
 * none of the smaller windows crosses its end then. */
struct dal_shape dal_shape_for_all(uint64_t p, const uint64_t *rates, int count, uint64_t d,
                                   uint64_t capacity)
{
    struct dal_shape shape = {.slots = capacity, .tail = p - 1};
    uint64_t common = 1;
    int i, fits = 1;
    for (i = 0; i < count; i++) {
        if (rates[i] > shape.tail)
            shape.tail = rates[i] - 1;
        fits = fits &&
               !__builtin_mul_overflow(common, rates[i] / dal_gcd(common, rates[i]), &common) &&
               common <= capacity;
    }
    if (fits) {
        struct dal_shape aligned = dal_shape_for(p, common, d, capacity);
        if (aligned.tail == 0)
            return aligned;
    }
    return shape;
}

/* Tokens of a window of up to `firings` firings that the capacity has room for. */
static uint64_t window(uint64_t rate, uint64_t firings, uint64_t capacity)
{
    if (firings <= 1)
        return rate;
    return capacity / rate < firings ? capacity / rate * rate : firings * rate;
}

struct dal_shape dal_shape_elastic(uint64_t p, uint64_t c, uint64_t d, uint64_t capacity,
                                   struct dal_windows windows)
{
    struct dal_shape exact = dal_shape_for(p, c, d, capacity), wide;
    if (windows.producer <= 1 && windows.consumer <= 1)
        return exact;
    wide = dal_shape_for(window(p, windows.producer, capacity),
                         window(c, windows.consumer, capacity), d, capacity);
    if (wide.tail > 0 && wide.slots < SLOTS_A_TAIL * wide.tail)
        wide.slots = SLOTS_A_TAIL * wide.tail;
    return wide.slots <= exact.slots || wide.slots <= windows.most_slots ? wide : exact;
}

int dal_shape_moves(const struct dal_shape *shape, uint64_t at, uint64_t count,
                    struct dal_move moves[2])
{
    uint64_t end = at + count, mirrored;
    int n = 0;
    if (shape->tail == 0 || count == 0)
        return 0;
    if (end > shape->slots)
        moves[n++] = (struct dal_move){shape->slots, 0, end - shape->slots};
    mirrored = end < shape->tail ? end : shape->tail;
    if (mirrored > shape->slots)
        mirrored = shape->slots;
    if (at < mirrored)
        moves[n++] = (struct dal_move){at, shape->slots + at, mirrored - at};
    return n;
}

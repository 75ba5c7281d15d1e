#include "rt/host/throttle.h"

/* Gaps before comparisons with fewer: at the beginning, after the first ones, and the longest. Each
 * is twice as long as the one before. Then the gap before those with more. */
static const int64_t FIRST_NS = 50000000, GAP_NS = 500000000, LONGEST_NS = 32000000000,
                     MORE_NS = 1000000000;

/* The longest window: firings of some milliseconds are not slower with more workers. And the
 * longest one without any firing while not all workers are in use: those may wait for something. */
static const int64_t GIVE_UP_NS = 50000000, NOTHING_NS = 20000000;

/* What fewer workers may lose, in their worse window against the better one of those in use. What
 * more must gain, of both windows together. So more stay in use on a machine whose speed changes.
 */
static const double MAY_LOSE = 0.99, MUST_GAIN = 1.02;

/* One window suffices to see so much less. If half of the workers do so much less, three quarters
 * are not tried. */
static const double FAR_LESS = 0.9, NEARLY_HALF = 0.75;

/* Two windows with the same workers tell something if they are alike. A rate between comparisons
 * is another one if it differs so much. */
static const double ALIKE = 0.85, OTHER = 0.7;

/* What is compared with the workers in use, in quarters of them: first fewer, then more. */
static const int quarters[] = {2, 3, 6, 8};
enum { HALF, MORE = 2, TRIES = sizeof(quarters) / sizeof(quarters[0]) };

/* Returns the workers in this window. */
static int used_now(const struct dal_throttle *throttle)
{
    return throttle->step % 2 ? throttle->tried : throttle->in_use;
}

static void wait_before(struct dal_throttle *throttle)
{
    int64_t left_ns = throttle->fewer_ns;
    if (throttle->in_use < throttle->most && left_ns > MORE_NS)
        left_ns = MORE_NS;
    throttle->left_ns = left_ns;
    throttle->usual = 0;
    throttle->strange = throttle->step = throttle->next = 0;
}

static void use_all(struct dal_throttle *throttle)
{
    throttle->in_use = throttle->most;
    throttle->gap_ns = GAP_NS;
    throttle->fewer_ns = FIRST_NS;
    wait_before(throttle);
}

void dal_throttle_begin(struct dal_throttle *throttle, int workers)
{
    *throttle = (struct dal_throttle){.most = workers};
    use_all(throttle);
}

/* Begins the next comparison, or waits if there is none. */
static void compare_next(struct dal_throttle *throttle)
{
    throttle->step = 0;
    for (; throttle->next < TRIES; throttle->next++) {
        int other = (throttle->in_use * quarters[throttle->next] + 2) / 4;
        throttle->tried = other < throttle->most ? other : throttle->most;
        if (other >= 1 && throttle->tried != throttle->in_use)
            return;
    }
    wait_before(throttle);
}

/* Begins the comparisons that are due. */
static void compare_first(struct dal_throttle *throttle)
{
    throttle->left_ns = 0;
    throttle->next = MORE;
    if (throttle->fewer_ns <= 0) {
        throttle->next = HALF;
        throttle->fewer_ns = throttle->gap_ns;
        if (throttle->gap_ns < LONGEST_NS)
            throttle->gap_ns *= 2;
    }
    compare_next(throttle);
}

static double less(double a, double b)
{
    return a < b ? a : b;
}

static double more(double a, double b)
{
    return a > b ? a : b;
}

static int differ(double a, double b, double alike)
{
    return less(a, b) < alike * more(a, b);
}

/* Should the workers that were tried be in use from now on? */
static int is_better(const struct dal_throttle *throttle)
{
    const double *rates = throttle->rates;
    if (differ(rates[0], rates[2], ALIKE) || differ(rates[1], rates[3], ALIKE))
        return 0;
    if (throttle->tried > throttle->in_use)
        return rates[1] + rates[3] >= MUST_GAIN * (rates[0] + rates[2]);
    return less(rates[1], rates[3]) >= MAY_LOSE * more(rates[0], rates[2]);
}

/* Takes the rate of the next step of a comparison. */
static void compare(struct dal_throttle *throttle, double rate)
{
    double half = NEARLY_HALF * throttle->rates[0];
    int far_less = throttle->step == 1 && rate < FAR_LESS * throttle->rates[0];
    throttle->rates[throttle->step++] = rate;
    if (throttle->step < 4 && !far_less)
        return;
    if (far_less) {
        throttle->next += throttle->next == HALF && rate < half ? 2 : 1;
    } else if (is_better(throttle)) {
        throttle->next = throttle->tried > throttle->in_use ? MORE : HALF;
        throttle->in_use = throttle->tried;
    } else {
        throttle->next++;
    }
    compare_next(throttle);
}

/* Between comparisons: looks whether the rate changes by itself. */
static void watch_rate(struct dal_throttle *throttle, double rate)
{
    if (throttle->usual == 0)
        throttle->usual = rate;
    throttle->strange = differ(rate, throttle->usual, OTHER) ? throttle->strange + 1 : 0;
    throttle->left_ns -= throttle->time_ns;
    throttle->fewer_ns -= throttle->time_ns;
    if (throttle->strange > 1 && throttle->in_use < throttle->most) {
        use_all(throttle);
    } else if (throttle->left_ns <= 0) {
        compare_first(throttle);
    } else if (throttle->strange > 1) {
        throttle->usual = rate;
    }
}

/* Returns whether a window with too few firings goes on. */
static int goes_on(const struct dal_throttle *throttle)
{
    if (throttle->firings == 0 && used_now(throttle) < throttle->most)
        return throttle->time_ns < NOTHING_NS;
    return throttle->time_ns < GIVE_UP_NS;
}

int dal_throttle_go_on(struct dal_throttle *throttle, uint64_t firings, int64_t time_ns)
{
    uint64_t least = (uint64_t)DAL_THROTTLE_FIRINGS * (uint64_t)throttle->most;
    double rate;
    throttle->firings += firings;
    throttle->time_ns += time_ns;
    rate = 1e9 * (double)throttle->firings / (double)throttle->time_ns;
    if (throttle->time_ns < DAL_THROTTLE_WINDOW_NS ||
        (throttle->firings < least && goes_on(throttle)))
        return used_now(throttle);
    if (throttle->firings < least)
        use_all(throttle);
    else if (throttle->left_ns > 0)
        watch_rate(throttle, rate);
    else
        compare(throttle, rate);
    throttle->firings = 0;
    throttle->time_ns = 0;
    return used_now(throttle);
}

/* Who is given the next block, by choices and by simulated devices; how long things take is made up
 * here. */
#include "rt/device/share.h"
#include "test/suite.h"

enum { DEVICES = 3, BLOCKS = 40000, PARTS = 16, ROOM = 4 * PARTS };

/* ---- single choices -------------------------------------------------------------------------- */

static void expect_next(const struct dal_share *devices, int count, int device, uint64_t blocks)
{
    struct dal_portion next = dal_share_next(devices, count, PARTS, ROOM);
    CU_ASSERT_EQUAL(next.device, device);
    CU_ASSERT_EQUAL(next.blocks, blocks);
}

/* Nothing is known: each is tried with one block, and has no other before it is done. */
static void unknown_speeds(void)
{
    struct dal_share devices[2] = {{0}};
    expect_next(devices, 2, 0, 1);
    devices[0].open = 1;
    expect_next(devices, 2, 1, 1);
    devices[1].open = 1;
    expect_next(devices, 2, -1, 0);
    devices[0] = (struct dal_share){.block_ns = 100};
    expect_next(devices, 2, 0, PARTS);
}

/* Two portions at most, and who ends first has the next one. */
static void ends_first(void)
{
    struct dal_share devices[2] = {{.block_ns = 100, .open = 16}, {.block_ns = 110}};
    expect_next(devices, 2, 1, PARTS);
    devices[1].open = 16;
    expect_next(devices, 2, 0, PARTS);
    devices[0].open = 32;
    expect_next(devices, 2, 1, PARTS);
    devices[1].open = 32;
    expect_next(devices, 2, -1, 0);
    devices[0].open = 16;
    devices[0].full = 1;
    expect_next(devices, 2, -1, 0);
}

/* No more than a block a launch: twice as slow is of use, ten times is not. But once in a while it
 * is tried. */
static void room_for_little(void)
{
    struct dal_share devices[2] = {{.block_ns = 100, .open = 1}, {.block_ns = 200}};
    CU_ASSERT_EQUAL(dal_share_next(devices, 2, 1, 5).device, 1);
    devices[1].block_ns = 1000;
    CU_ASSERT_EQUAL(dal_share_next(devices, 2, 1, 5).device, 0);
    devices[1].passed = 1101;
    CU_ASSERT_EQUAL(dal_share_next(devices, 2, 1, 5).device, 1);
    devices[1].open = 1;
    CU_ASSERT_EQUAL(dal_share_next(devices, 2, 1, 5).device, 0);
}

/* ---- simulated devices ----------------------------------------------------------------------- */

struct simulated {
    int64_t now, until; /* of the block being done */
    int busy;
    uint64_t open, done; /* blocks */
    int64_t block_ns;    /* as long as it takes */
};

struct simulation {
    struct simulated devices[DEVICES];
    struct dal_share shares[DEVICES];
    int count;
    int owners[BLOCKS];
    char done[BLOCKS];
    uint64_t next[DEVICES]; /* block that a device does next */
    uint64_t dealt, released;
    int64_t now;
};

static void deal(struct simulation *s, uint64_t until)
{
    for (;;) {
        struct dal_portion next = dal_share_next(s->shares, s->count, PARTS, ROOM);
        if (next.device < 0)
            return;
        if (s->dealt + next.blocks > until || s->dealt + next.blocks - s->released > ROOM)
            return; /* no tokens, or no room for them */
        for (int i = 0; i < s->count; i++)
            s->shares[i].passed += i == next.device ? 0 : (double)next.blocks;
        s->shares[next.device].passed = 0;
        s->shares[next.device].open += (double)next.blocks;
        while (next.blocks-- > 0)
            s->owners[s->dealt++] = next.device;
    }
}

/* Begins the next block of a device that has one and does nothing. */
static void begin_block(struct simulation *s, int i)
{
    uint64_t *at = &s->next[i];
    while (*at < s->dealt && s->owners[*at] != i)
        ++*at;
    if (s->devices[i].busy || *at == s->dealt)
        return;
    s->devices[i].busy = 1;
    s->devices[i].until = s->now + s->devices[i].block_ns;
}

static int ends_next(const struct simulation *s)
{
    int found = -1;
    for (int i = 0; i < s->count; i++)
        if (s->devices[i].busy && (found < 0 || s->devices[i].until < s->devices[found].until))
            found = i;
    return found;
}

/* Goes on until all blocks before `until` are done. Sets what each device has done of these. */
static void go_on(struct simulation *s, uint64_t until, uint64_t *done)
{
    memset(done, 0, DEVICES * sizeof(*done));
    while (s->released + PARTS < until) {
        int i;
        deal(s, until);
        for (i = 0; i < s->count; i++)
            begin_block(s, i);
        i = ends_next(s);
        CU_ASSERT_FATAL(i >= 0);
        s->now = s->devices[i].until;
        s->devices[i].busy = 0;
        s->done[s->next[i]++] = 1;
        s->shares[i].open--;
        s->shares[i].block_ns = (double)s->devices[i].block_ns;
        done[i]++;
        while (s->released < s->dealt && s->done[s->released])
            s->released++;
    }
}

/* Time of a block on each device, and what they have to do of a thousand blocks. */
static const struct {
    const char *name;
    int64_t block_ns[DEVICES];
    double least[DEVICES], most[DEVICES];
    double speed; /* at least, of the best device alone */
} cases[] = {
    {"equal", {100, 100}, {490, 490}, {510, 510}, 1.95},
    {"three equal", {100, 100, 100}, {320, 320, 320}, {345, 345, 345}, 2.9},
    {"nearly", {100, 110}, {510, 460}, {540, 490}, 1.8},
    {"half", {100, 200}, {650, 320}, {680, 350}, 1.42},
    {"ten times", {100, 1000}, {900, 80}, {920, 100}, 1.05},
    {"forty times", {100, 4000}, {970, 15}, {985, 30}, 1.0},
    {"hundred times", {100, 10000}, {999, 0.05}, {1000, 1}, 0.99},
    {"thousand times", {100, 100000}, {1000, 0}, {1000, 0}, 1.0},
    {"the second", {3000, 100}, {20, 960}, {35, 980}, 1.0},
};

static void shares(void)
{
    static struct simulation s;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        uint64_t done[DEVICES];
        double speed;
        int64_t best = cases[c].block_ns[0], begin_ns;
        memset(&s, 0, sizeof(s));
        for (int i = 0; i < DEVICES && cases[c].block_ns[i]; i++, s.count++) {
            s.devices[i].block_ns = cases[c].block_ns[i];
            best = s.devices[i].block_ns < best ? s.devices[i].block_ns : best;
        }
        go_on(&s, BLOCKS / 4, done); /* speeds are known from now on */
        begin_ns = s.now;
        go_on(&s, BLOCKS, done);
        for (int i = 0; i < s.count; i++) {
            double share = (double)done[i] * 1000 / (BLOCKS * 3 / 4);
            if (share < cases[c].least[i] || share > cases[c].most[i]) {
                printf("%s: device %d has %g of 1000; ", cases[c].name, i, share);
                CU_FAIL("another share");
            }
        }
        speed = (double)best * BLOCKS * 3 / 4 / (double)(s.now - begin_ns);
        if (speed < cases[c].speed) {
            printf("%s: %g times the best; ", cases[c].name, speed);
            CU_FAIL("too slow");
        }
    }
}

/* One slows down so that it is of no use, and is tried until it is as before. */
static void slows_down(void)
{
    static struct simulation s = {.count = 2};
    uint64_t done[DEVICES];
    s.devices[0].block_ns = s.devices[1].block_ns = 100;
    go_on(&s, 5000, done);
    CU_ASSERT(done[1] > 2400);
    s.devices[1].block_ns = 10000;
    go_on(&s, 10000, done);
    CU_ASSERT(done[1] < 100 && done[1] > 0);
    s.devices[1].block_ns = 100;
    go_on(&s, BLOCKS * 3 / 4, done);
    go_on(&s, BLOCKS, done);
    CU_ASSERT(done[1] > 2000);
}

int main(void)
{
    static const struct test tests[] = {
        {"speeds are unknown", unknown_speeds},       {"who ends first", ends_first},
        {"room for little", room_for_little},         {"shares of simulated devices", shares},
        {"one slows down, and recovers", slows_down},
    };
    return run_suite("shares", tests, sizeof(tests) / sizeof(tests[0]));
}

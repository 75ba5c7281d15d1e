/*
 * Networks in somebody else's program (include/dal_run.h), from hand-written tables.
 *
 *   DAL_TEST_TOKENS=N    tokens in each run (20000)
 *   DAL_TEST_OPENS=N     runs that are opened and closed (300)
 */
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/sync.h"

#include "test/capture.h"
#include "test/left.h"
#include "test/run/adding.h"
#include "test/suite.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>

enum { MOST = 4096 };

static long tokens_wanted = 20000;

/* ---- from end to end ------------------------------------------------------------------------- */

struct feed {
    struct dal_run *run;
    pthread_t thread;
    uint64_t sent;
    int by_windows;
};

/* Writes one token of a window, or all. */
static int64_t write_window(struct feed *feed, uint64_t next)
{
    uint64_t *at = NULL, count;
    int64_t space = dal_run_window(feed->run, IN, (void **)&at, DAL_FOREVER);
    if (space <= 0)
        return space;
    count = next % 3 ? (uint64_t)space : 1;
    if (count > (uint64_t)tokens_wanted - next)
        count = (uint64_t)tokens_wanted - next;
    for (uint64_t i = 0; i < count; i++)
        at[i] = next + i;
    return dal_run_advance(feed->run, IN, count) < 0 ? -1 : (int64_t)count;
}

/* Writes 1, 2, 3, ... tokens a call. */
static int64_t write_some(struct feed *feed, uint64_t next)
{
    uint64_t numbers[50], count = 1 + next % 50;
    if (count > (uint64_t)tokens_wanted - next)
        count = (uint64_t)tokens_wanted - next;
    for (uint64_t i = 0; i < count; i++)
        numbers[i] = next + i;
    return dal_run_write(feed->run, IN, numbers, count, DAL_FOREVER);
}

static void *feed_all(void *argument)
{
    struct feed *feed = argument;
    int64_t count = 1;
    while (count > 0 && feed->sent < (uint64_t)tokens_wanted) {
        count = (feed->by_windows ? write_window : write_some)(feed, feed->sent);
        feed->sent += count > 0 ? (uint64_t)count : 0;
    }
    dal_run_end(feed->run, IN);
    return NULL;
}

/* Reads to the end. Returns how many tokens were as they must be, one behind the other. */
static uint64_t read_all(struct dal_run *run, int by_windows)
{
    uint64_t numbers[70], good = 0, *at = numbers;
    int64_t count;
    for (;;) {
        count = by_windows ? dal_run_window(run, OUT, (void **)&at, DAL_FOREVER)
                           : dal_run_read(run, OUT, numbers, 1 + good % 70, DAL_FOREVER);
        for (int64_t i = 0; i < count; i++)
            good += at[i] == good + 1;
        if (by_windows && count > 0)
            dal_run_advance(run, OUT, (size_t)count);
        if (count <= 0)
            return good;
    }
}

static void pass_through(const struct dal_net *net, int by_windows)
{
    struct feed feed = {.by_windows = by_windows};
    uint64_t whole = (uint64_t)tokens_wanted / RATE * RATE;
    CU_ASSERT_EQUAL_FATAL(dal_run_open(&feed.run, net, NULL), DAL_OK);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&feed.thread, NULL, feed_all, &feed), 0);
    CU_ASSERT_EQUAL(read_all(feed.run, by_windows), whole);
    pthread_join(feed.thread, NULL);
    CU_ASSERT_EQUAL(feed.sent, (uint64_t)tokens_wanted);
    CU_ASSERT_EQUAL(dal_run_is_over(feed.run, OUT), 1);
    CU_ASSERT_EQUAL(dal_run_close(feed.run), DAL_OK);
}

static void all_arrive(void)
{
    for (int i = 0; i < 2 * NETS; i++)
        pass_through(&nets[i / 2], i % 2);
}

/* ---- one thread, waits that end
 * ------------------------------------------------------------------
 */

static void waits_end(void)
{
    uint64_t numbers[MOST] = {0}, *at = NULL;
    struct dal_run *run;
    int64_t full = 0, count;
    for (int i = 0; i < NETS; i++) {
        numbers[0] = 7;
        CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[i], NULL), DAL_OK);
        CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, 1, 0), 0);
        CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, 1, 2 * DAL_MS), 0);
        CU_ASSERT_EQUAL(dal_run_window(run, OUT, (void **)&at, 0), 0);
        CU_ASSERT_EQUAL(dal_run_write(run, IN, numbers, 3, 0), 3);
        CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, 1, 2 * DAL_MS), 0);
        CU_ASSERT_EQUAL(dal_run_write(run, IN, numbers, 1, 0), 1);
        CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, RATE, DAL_FOREVER), RATE);
        CU_ASSERT_EQUAL(numbers[0], 8);
        for (full = 0; (count = dal_run_write(run, IN, numbers, MOST, 20 * DAL_MS)) > 0;)
            full += count;
        CU_ASSERT_EQUAL(count, 0);
        CU_ASSERT_TRUE(full >= 64 && full < MOST); /* both rings, and what the stage holds */
        CU_ASSERT_EQUAL(dal_run_is_over(run, IN), 0);
        CU_ASSERT_EQUAL(dal_run_end(run, IN), DAL_OK);
        CU_ASSERT_EQUAL(dal_run_is_over(run, IN), 1);
        CU_ASSERT_EQUAL(dal_run_write(run, IN, numbers, 1, DAL_FOREVER), 0);
        CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, MOST, DAL_FOREVER), full / RATE * RATE);
        CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);
    }
}

/* A port that takes nothing more says so in each call, however much space there is. */
static void expect_no_write(struct dal_run *run, int code)
{
    static uint64_t numbers[MOST];
    void *at = NULL;
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(dal_run_write(run, IN, numbers, 1, 0), code);
        CU_ASSERT_EQUAL(dal_run_window(run, IN, &at, DAL_FOREVER), code);
        CU_ASSERT_EQUAL(dal_run_write(run, IN, numbers, MOST, DAL_FOREVER), code);
    }
    CU_ASSERT_EQUAL(dal_run_advance(run, IN, 1), DAL_ERR_INVALID);
    CU_ASSERT_EQUAL(dal_run_is_over(run, IN), 1);
}

static void nothing_goes_in(void)
{
    const struct dal_run_options failing = {.parameters = "Stage.fail=1"};
    uint64_t numbers[RATE] = {1, 2, 3, 4};
    struct dal_run *run;
    for (int i = 0; i < NETS; i++) {
        CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[i], NULL), DAL_OK);
        CU_ASSERT_EQUAL(dal_run_write(run, IN, numbers, RATE, DAL_FOREVER), RATE);
        CU_ASSERT_EQUAL(dal_run_end(run, IN), DAL_OK);
        expect_no_write(run, 0);
        CU_ASSERT_EQUAL(read_all(run, 0), 0); /* 2, 3, 4, 5 */
        CU_ASSERT_EQUAL(dal_run_wait(run, DAL_FOREVER), 1);
        expect_no_write(run, 0);
        CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);

        CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[i], NULL), DAL_OK);
        CU_ASSERT_EQUAL(dal_run_end(run, OUT), DAL_OK);
        while (dal_run_write(run, IN, numbers, RATE, DAL_FOREVER) > 0)
            ;
        expect_no_write(run, 0);
        CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);

        CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[i], &failing), DAL_OK);
        CU_ASSERT_EQUAL(dal_run_write(run, IN, numbers, RATE, DAL_FOREVER), RATE);
        CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, RATE, DAL_FOREVER), DAL_ERR_PROCESS);
        expect_no_write(run, DAL_ERR_PROCESS);
        CU_ASSERT_EQUAL(dal_run_close(run), DAL_ERR_PROCESS);
    }
}

/* A run is closed with tokens in it, before any, or when only the reader has ended. */
static void closed_early(void)
{
    uint64_t numbers[8] = {0};
    struct dal_run *run;
    for (int i = 0; i < 4 * NETS; i++) {
        CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[i / 4], NULL), DAL_OK);
        if (i % 4 > 0)
            CU_ASSERT_EQUAL(dal_run_write(run, IN, numbers, 7, DAL_FOREVER), 7);
        if (i % 4 > 1)
            CU_ASSERT_EQUAL(dal_run_end(run, OUT), DAL_OK);
        if (i % 4 > 2)
            while (dal_run_write(run, IN, numbers, 7, DAL_FOREVER) > 0)
                ;
        CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);
    }
    CU_ASSERT_EQUAL(dal_run_close(NULL), DAL_OK);
}

static void *break_soon(void *run)
{
    const struct timespec nap = {.tv_nsec = 5000000};
    nanosleep(&nap, NULL);
    dal_run_break(run);
    return NULL;
}

/* While a broken network ends, its message does not change under who reads it. */
static void broken(void)
{
    char copy[1024];
    const char *early;
    uint64_t number;
    struct dal_run *run;
    pthread_t thread;
    CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[0], NULL), DAL_OK);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, break_soon, run), 0);
    CU_ASSERT_EQUAL(dal_run_read(run, OUT, &number, 1, DAL_FOREVER), DAL_ERR_INTERRUPTED);
    early = dal_run_message(run);
    snprintf(copy, sizeof(copy), "%s", early);
    CU_ASSERT_EQUAL(dal_run_wait(run, DAL_FOREVER), DAL_ERR_INTERRUPTED);
    CU_ASSERT_STRING_EQUAL(early, copy);
    CU_ASSERT_PTR_NOT_NULL(strstr(dal_run_message(run), "interrupted"));
    pthread_join(thread, NULL);
    CU_ASSERT_EQUAL(dal_run_close(run), DAL_ERR_INTERRUPTED);
    CU_ASSERT_TRUE(*dal_run_message(NULL) != 0);
}

/* ---- descriptors ------------------------------------------------------------------------------
 */

static int is_shown(int file)
{
    struct pollfd poll_of = {.fd = file, .events = POLLIN};
    return poll(&poll_of, 1, 0) == 1 && poll_of.revents == POLLIN;
}

/* Waits for one of several. Under the scheduler no thread may wait outside of it. */
static int wait_for_files(int loop, struct epoll_event *events)
{
#ifdef DAL_SCHEDULES
    const struct timespec nap = {.tv_nsec = 1000000};
    int count;
    while ((count = epoll_wait(loop, events, 2, 0)) == 0)
        nanosleep(&nap, NULL);
    return count;
#else
    return epoll_wait(loop, events, 2, -1);
#endif
}

static void poll_port(int loop, struct dal_run *run, int port)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = port};
    int file = dal_run_fd(run, port);
    CU_ASSERT_EQUAL(dal_run_fd(run, port), file);
    CU_ASSERT_EQUAL_FATAL(epoll_ctl(loop, EPOLL_CTL_ADD, file, &event), 0);
}

/* A thread that moves tokens in and out, and waits for descriptors alone. */
struct loop {
    struct dal_run *run;
    uint64_t sent, got, good;
    uint64_t vain; /* events without tokens */
    int64_t error;
    int file, over;
};

static int64_t send_some(struct loop *loop, uint64_t wanted)
{
    uint64_t numbers[50], count = 1 + loop->sent % 50;
    if (count > wanted - loop->sent)
        count = wanted - loop->sent;
    for (uint64_t i = 0; i < count; i++)
        numbers[i] = loop->sent + i;
    return dal_run_write(loop->run, IN, numbers, count, 0);
}

static void on_input(struct loop *loop, uint64_t wanted)
{
    int64_t count = send_some(loop, wanted);
    loop->sent += count > 0 ? (uint64_t)count : 0;
    loop->vain += count == 0;
    if (count >= 0 && loop->sent < wanted && !dal_run_is_over(loop->run, IN))
        return;
    CU_ASSERT_EQUAL(epoll_ctl(loop->file, EPOLL_CTL_DEL, dal_run_fd(loop->run, IN), NULL), 0);
    dal_run_end(loop->run, IN);
    CU_ASSERT_TRUE(is_shown(dal_run_fd(loop->run, IN)));
}

/* By windows and by copies. */
static void on_output(struct loop *loop)
{
    uint64_t numbers[70], *at = numbers;
    int64_t count = loop->got % 2 ? dal_run_window(loop->run, OUT, (void **)&at, 0)
                                  : dal_run_read(loop->run, OUT, numbers, 1 + loop->got % 70, 0);
    for (int64_t i = 0; i < count; i++)
        loop->good += at[i] == ++loop->got;
    if (count > 0 && at != numbers)
        CU_ASSERT_EQUAL(dal_run_advance(loop->run, OUT, (size_t)count), DAL_OK);
    loop->error = count < 0 ? count : 0;
    loop->over = count < 0 || dal_run_is_over(loop->run, OUT);
    loop->vain += count == 0 && !loop->over;
}

/* A run that has come to its end stays readable, whatever is called. */
static void stays_shown(struct dal_run *run)
{
    uint64_t number;
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_TRUE(is_shown(dal_run_fd(run, OUT)));
        CU_ASSERT_TRUE(dal_run_read(run, OUT, &number, 1, 0) <= 0);
    }
}

static void poll_through(const struct dal_net *net, const struct dal_run_options *options,
                         struct loop *loop, uint64_t wanted)
{
    struct epoll_event events[2];
    *loop = (struct loop){.file = epoll_create1(EPOLL_CLOEXEC)};
    CU_ASSERT_EQUAL_FATAL(dal_run_open(&loop->run, net, options), DAL_OK);
    poll_port(loop->file, loop->run, IN);
    poll_port(loop->file, loop->run, OUT);
    while (!loop->over) {
        int count = wait_for_files(loop->file, events);
        for (int i = 0; i < count; i++)
            if (events[i].data.fd == IN)
                on_input(loop, wanted);
            else
                on_output(loop);
    }
    stays_shown(loop->run);
    close(loop->file);
}

/* A vain event has a signal that another thread made: there are fewer than moves of tokens. */
static void polled(void)
{
    uint64_t wanted = 5 * (uint64_t)tokens_wanted;
    struct loop loop;
    for (int i = 0; i < NETS; i++) {
        poll_through(&nets[i], NULL, &loop, wanted);
        CU_ASSERT_EQUAL(loop.sent, wanted);
        CU_ASSERT_EQUAL(loop.got, wanted / RATE * RATE);
        CU_ASSERT_EQUAL(loop.good, loop.got);
        CU_ASSERT_TRUE(loop.vain < wanted);
        CU_ASSERT_EQUAL(dal_run_close(loop.run), DAL_OK);
    }
}

static void polled_to_failure(void)
{
    const struct dal_run_options failing = {.parameters = "Stage.fail=100"};
    struct loop loop;
    for (int i = 0; i < NETS; i++) {
        poll_through(&nets[i], &failing, &loop, (uint64_t)tokens_wanted);
        CU_ASSERT_TRUE(loop.good == loop.got && loop.got < (uint64_t)tokens_wanted);
        CU_ASSERT_TRUE(loop.error == DAL_ERR_PROCESS || loop.error == 0);
        CU_ASSERT_EQUAL(dal_run_close(loop.run), DAL_ERR_PROCESS);
    }
}

/* Moves tokens one by one, without waiting, until the descriptor says that nothing is there.
 * Returns how many. A signal that is late may show it in vain. */
static int64_t move_all(struct dal_run *run, int port)
{
    enum { MOST_VAIN = 1000 };
    uint64_t number = 1;
    int64_t all = 0, count;
    int vain = 0;
    do {
        count = port == IN ? dal_run_write(run, IN, &number, 1, 0)
                           : dal_run_read(run, OUT, &number, 1, 0);
        all += count;
        vain += count == 0;
    } while (vain < MOST_VAIN && is_shown(dal_run_fd(run, port)));
    CU_ASSERT_TRUE(vain < MOST_VAIN);
    return all;
}

static void polled_to_break(void)
{
    struct epoll_event events[2];
    uint64_t number;
    int64_t count;
    struct dal_run *run;
    pthread_t thread;
    int loop = epoll_create1(EPOLL_CLOEXEC);
    CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[0], NULL), DAL_OK);
    poll_port(loop, run, OUT);
    CU_ASSERT_EQUAL(move_all(run, OUT), 0);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, break_soon, run), 0);
    do {
        CU_ASSERT_EQUAL(wait_for_files(loop, events), 1);
    } while ((count = dal_run_read(run, OUT, &number, 1, 0)) == 0);
    CU_ASSERT_EQUAL(count, DAL_ERR_INTERRUPTED);
    pthread_join(thread, NULL);
    stays_shown(run);
    CU_ASSERT_TRUE(is_shown(dal_run_fd(run, IN)));
    CU_ASSERT_EQUAL(dal_run_close(run), DAL_ERR_INTERRUPTED);
    close(loop);
}

/* What a descriptor says behind each call, when nobody else moves. */
static void shown_and_cleared(void)
{
    uint64_t numbers[MOST] = {0}, *at = NULL;
    struct dal_run *run;
    int in, out;
    CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[0], NULL), DAL_OK);
    in = dal_run_fd(run, IN);
    out = dal_run_fd(run, OUT);
    CU_ASSERT_TRUE(is_shown(in));
    CU_ASSERT_EQUAL(move_all(run, OUT), 0);
    CU_ASSERT_EQUAL(dal_run_window(run, IN, (void **)&at, 0), 32);
    CU_ASSERT_TRUE(is_shown(in));
    CU_ASSERT_EQUAL(dal_run_advance(run, IN, 0), DAL_OK);
    CU_ASSERT_EQUAL(dal_run_write(run, IN, numbers, RATE, DAL_FOREVER), RATE);
    CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, RATE - 1, DAL_FOREVER), RATE - 1);
    CU_ASSERT_TRUE(is_shown(out));
    CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, 1, 0), 1);
    CU_ASSERT_EQUAL(move_all(run, OUT), 0);
    CU_ASSERT_TRUE(move_all(run, IN) >= 32);
    CU_ASSERT_TRUE(dal_run_read(run, OUT, numbers, 32, DAL_FOREVER) > 0);
    CU_ASSERT_TRUE(dal_run_write(run, IN, numbers, 1, DAL_FOREVER) > 0);
    CU_ASSERT_EQUAL(dal_run_end(run, OUT), DAL_OK);
    CU_ASSERT_TRUE(is_shown(out));
    CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);
}

/* Reads more from one port than both have room for, and then the same from the other. */
static int greedy_fire(DALProcess *p)
{
    enum { MUCH = 40 };
    uint64_t early[MUCH], late[MUCH];
    DAL_read("early", early, sizeof(early), p);
    DAL_read("late", late, sizeof(late), p);
    for (int i = 0; i < MUCH; i++)
        early[i] += late[i];
    DAL_write("out", early, sizeof(early), p);
    return 0;
}

/* A wait for space at a descriptor makes the ring grow that holds the others up. */
static void polled_ring_grows(void)
{
    static const struct dal_code greedy = {.state = &state, .fire = greedy_fire};
    static const struct dal_port_desc greedy_ports[] = {
        {.name = "early", .channel = 0, .rate = 1},
        {.name = "late", .channel = 1, .rate = 1},
        {.name = "out", .output = 1, .channel = 2, .rate = 1}};
    static const struct dal_port_desc last_ports[] = {{.name = "in", .channel = 2, .rate = 1}};
    struct dal_process_desc processes[] = {OPEN("numbers", in_ports),
                                           ADDING(DAL_PROCESS_KPN, &greedy, 1, NULL),
                                           OPEN("sums", last_ports)};
    struct dal_channel_desc rings[] = {CHANNEL("early", IN, STAGE, 1, 1),
                                       CHANNEL("late", IN, STAGE, 1, 1),
                                       CHANNEL("out", STAGE, OUT, 1, 1)};
    struct dal_net net = NET(processes, rings);
    struct loop loop;
    net.channel_count = 3;
    rings[0].next_of_port = 1;
    processes[STAGE].ports = greedy_ports;
    processes[STAGE].port_count = 3;
    poll_through(&net, NULL, &loop, 400);
    CU_ASSERT_EQUAL(loop.got, 400);
    CU_ASSERT_EQUAL(dal_run_close(loop.run), DAL_OK);
}

static void no_descriptor_left(void)
{
    struct rlimit usual, none;
    struct dal_run *run;
    CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[0], NULL), DAL_OK);
    CU_ASSERT_EQUAL(dal_run_fd(run, STAGE), DAL_ERR_INVALID);
    CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_NOFILE, &usual), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = usual.rlim_max};
    CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_NOFILE, &none), 0);
    CU_ASSERT_EQUAL(dal_run_fd(run, OUT), DAL_ERR_SYSTEM);
    CU_ASSERT_EQUAL(setrlimit(RLIMIT_NOFILE, &usual), 0);
    CU_ASSERT_TRUE(dal_run_fd(run, OUT) >= 0);
    CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);
}

/* ---- the clock ------------------------------------------------------------------------------- */

struct warned {
    char message[200]; /* of one thread, before the run is closed */
};

static void keep_warning(void *of, const char *level, const char *message)
{
    struct warned *warned = of;
    if (strcmp(level, "warning") == 0)
        snprintf(warned->message, sizeof(warned->message), "%s", message);
}

/* Of the last release it may not be known yet how late it was. */
static void expect_releases(const struct dal_run *run, int releases)
{
    static const char latency[] =
        "\"latencies\":[{\"from\":\"Stage\",\"to\":\"Stage\",\"allowed_ns\":60000000000,"
        "\"percentile\":99.9000, \"iterations\": ",
                      periodic[] = "\"periodic\":[{\"name\":\"Stage\", \"releases\": ";
    int iterations = 0, found = 0, misses = 0;
    char text[8192], *promised, *released;
    CU_ASSERT_TRUE(dal_run_stats(run, text, sizeof(text)) < (int64_t)sizeof(text));
    promised = strstr(text, latency);
    released = strstr(text, periodic);
    CU_ASSERT_FATAL(promised && released);
    CU_ASSERT_EQUAL(sscanf(promised + strlen(latency), "%d, \"percentile_ns\": ", &iterations), 1);
    CU_ASSERT_TRUE(iterations == releases || iterations == releases - 1);
    CU_ASSERT_EQUAL(sscanf(released + strlen(periodic), "%d, \"misses\": %d", &found, &misses), 2);
    CU_ASSERT_EQUAL(found, releases);
    CU_ASSERT_TRUE(misses == releases || misses == releases - 1);
}

/* Two runs at once: so many releases take all the time between them. The log has what they missed.
 */
static void released_by_the_clock(void)
{
    enum { RUNS = 2, RELEASES = 20 };
    static const struct dal_period_desc period = {
        .period_ns = 5 * DAL_MS, .deadline_ns = 1, .repetitions = 1};
    static const struct dal_latency_desc promise = {
        .from = STAGE, .to = STAGE, .max_ns = 60000 * DAL_MS, .late_ppm = 1000};
    struct dal_process_desc processes[] = {OPEN("numbers", in_ports),
                                           ADDING(DAL_PROCESS_C, &stage, 1, &period),
                                           OPEN("sums", out_ports)};
    struct dal_net net = NET(processes, channels);
    struct warned warned[RUNS] = {{{0}}};
    uint64_t numbers[RATE] = {0};
    int64_t begin_ns = dal_now_ns();
    struct dal_run *runs[RUNS];
    processes[STAGE].repetitions = 1;
    net.latencies = &promise;
    net.latency_count = 1;
    for (int i = 0; i < RUNS; i++) {
        const struct dal_run_options options = {.log = keep_warning, .log_of = &warned[i]};
        CU_ASSERT_EQUAL_FATAL(dal_run_open(&runs[i], &net, &options), DAL_OK);
    }
    for (int i = 0; i < RELEASES * RUNS; i++) {
        CU_ASSERT_EQUAL(dal_run_write(runs[i % RUNS], IN, numbers, RATE, DAL_FOREVER), RATE);
        CU_ASSERT_EQUAL(dal_run_read(runs[i % RUNS], OUT, numbers, RATE, DAL_FOREVER), RATE);
    }
    CU_ASSERT_TRUE(dal_now_ns() - begin_ns >= 18 * period.period_ns);
    for (int i = 0; i < RUNS; i++) {
        expect_releases(runs[i], RELEASES);
        CU_ASSERT_EQUAL(dal_run_close(runs[i]), DAL_OK);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(warned[i].message, " 20 of 20 releases missed their deadline"));
    }
}

/* ---- counters -------------------------------------------------------------------------------- */

/* Returns the sum of all counters of a name; -1 if there are none. */
static long long sum_counters(const struct dal_run *run, const char *name)
{
    char text[8192], mark[50];
    long long sum = -1;
    CU_ASSERT_TRUE(dal_run_stats(run, text, sizeof(text)) < (int64_t)sizeof(text));
    snprintf(mark, sizeof(mark), "\"%s\": ", name);
    for (const char *at = text; (at = strstr(at, mark));) {
        at += strlen(mark);
        sum = (sum < 0 ? 0 : sum) + atoll(at);
    }
    return sum;
}

#ifdef DAL_SCHEDULES
enum { LEAST = 0 }; /* under the scheduler nobody need wait */
#else
enum { LEAST = 1 };
#endif

/* What is not measured is left out, and not 0. */
static void measured_or_left_out(void)
{
    static const char *const names[] = {"firing_ns", "busy_ns", "starved_ns", "token_waits",
                                        "token_wait_ns"},
                             *const others[] = {"device_ns", "blocked_ns", "space_waits",
                                                "space_wait_ns"};
    static uint64_t numbers[MOST];
    struct dal_run *run;
    for (int i = 0; i < 2 * NETS; i++) {
        int measured = i % 2;
        if (measured)
            setenv("DAL_STATS", "1", 1);
        CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[i / 2], NULL), DAL_OK);
        unsetenv("DAL_STATS");
        CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, RATE, 20 * DAL_MS), 0);
        CU_ASSERT_EQUAL(dal_run_write(run, IN, numbers, RATE, DAL_FOREVER), RATE);
        CU_ASSERT_EQUAL(dal_run_end(run, IN), DAL_OK);
        CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, MOST, DAL_FOREVER), RATE);
        CU_ASSERT_EQUAL(dal_run_wait(run, DAL_FOREVER), 1);
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
            CU_ASSERT_TRUE(measured ? sum_counters(run, names[k]) >= LEAST
                                    : sum_counters(run, names[k]) == -1);
        for (size_t k = 0; k < sizeof(others) / sizeof(others[0]); k++)
            CU_ASSERT_EQUAL(sum_counters(run, others[k]), measured ? 0 : -1);
        CU_ASSERT_TRUE(sum_counters(run, "tokens") == 2 * RATE && sum_counters(run, "firings") > 0);
        CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);
    }
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void expect_message(const struct dal_run *run, int code, const char *message)
{
    CU_ASSERT_EQUAL(code, DAL_ERR_INVALID);
    CU_ASSERT_STRING_EQUAL(dal_run_message(run), message);
}

static void misuse(void)
{
    uint64_t number = 0, *at;
    struct dal_run_port_info info;
    struct dal_run *run;
    CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[0], NULL), DAL_OK);
    CU_ASSERT_EQUAL(dal_run_port(run, "numbers"), IN);
    CU_ASSERT_EQUAL(dal_run_port(run, "sums"), OUT);
    CU_ASSERT_STRING_EQUAL(dal_run_message(run), "");
    expect_message(run, dal_run_port(run, "Stage"), "network adding has no port Stage");
    expect_message(run, (int)dal_run_read(run, IN, &number, 1, 0),
                   "port numbers is an input: it is written");
    expect_message(run, (int)dal_run_write(run, OUT, &number, 1, 0),
                   "port sums is an output: it is read");
    expect_message(run, (int)dal_run_write(run, STAGE, &number, 1, 0),
                   "network adding has no port of number 1");
    expect_message(run, (int)dal_run_write(run, -1, &number, 1, 0),
                   "network adding has no port of number -1");
    expect_message(run, dal_run_is_over(run, 3), "network adding has no port of number 3");
    expect_message(run, dal_run_end(run, 4), "network adding has no port of number 4");
    CU_ASSERT_EQUAL(dal_run_window(run, IN, (void **)&at, 0), 32);
    expect_message(run, dal_run_advance(run, IN, 33), "port numbers: its window has fewer tokens");
    for (size_t i = 0; i < 3; i++)
        expect_message(run, dal_run_set(run, (const char *const[]){NULL, "", "Stage"}[i]),
                       "PROCESS.PARAMETER=VALUE of a live parameter is wanted");
    CU_ASSERT_EQUAL(dal_run_set(run, "Stage.fail=3"), DAL_ERR_INVALID);
    CU_ASSERT_PTR_NOT_NULL(strstr(dal_run_message(run), "Stage.fail"));
    CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);
    CU_ASSERT_STRING_EQUAL(dal_run_message(NULL), "");
    CU_ASSERT_EQUAL(dal_run_describe(&nets[0], 1, &info), DAL_OK);
    CU_ASSERT_TRUE(strcmp(info.name, "sums") == 0 && info.port == OUT && info.is_output);
    CU_ASSERT_TRUE(info.token_bytes == 8 && info.kind == 'u' && info.count == 1);
    CU_ASSERT_EQUAL(dal_run_describe(&nets[0], 2, &info), DAL_ERR_INVALID);
}

/* What a call was refused for is not what the network fails of, and hides nothing of that. */
static void refused_and_failed(void)
{
    const struct dal_run_options failing = {.parameters = "Stage.fail=1"};
    uint64_t numbers[RATE] = {1};
    const char *failure;
    struct dal_run *run;
    CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[0], &failing), DAL_OK);
    CU_ASSERT_EQUAL(dal_run_set(run, "Nobody.x=1"), DAL_ERR_INVALID);
    CU_ASSERT_PTR_NOT_NULL(strstr(dal_run_message(run), "Nobody.x"));
    CU_ASSERT_EQUAL(dal_run_set(run, "Somebody.y=1"), DAL_ERR_INVALID);
    CU_ASSERT_PTR_NOT_NULL(strstr(dal_run_message(run), "Somebody.y"));
    CU_ASSERT_EQUAL(dal_run_write(run, IN, numbers, RATE, DAL_FOREVER), RATE);
    CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, RATE, DAL_FOREVER), DAL_ERR_PROCESS);
    failure = dal_run_message(run);
    CU_ASSERT_PTR_NOT_NULL(strstr(failure, "as it was told to"));
    CU_ASSERT_EQUAL(dal_run_set(run, "Nobody.x=2"), DAL_ERR_INVALID);
    CU_ASSERT_PTR_EQUAL(dal_run_message(run), failure);
    CU_ASSERT_EQUAL(dal_run_close(run), DAL_ERR_PROCESS);
    CU_ASSERT_PTR_NOT_NULL(strstr(dal_run_message(NULL), "as it was told to"));
}

static void not_opened(void)
{
    const struct dal_run_options options = {.parameters = "Stage.fail=0\nNobody.x=1"};
    struct dal_net net = nets[0];
    struct dal_run *run;
    CU_ASSERT_EQUAL(dal_run_open(&run, &net, &options), DAL_ERR_INVALID);
    CU_ASSERT_PTR_NULL(run);
    CU_ASSERT_PTR_NOT_NULL(strstr(dal_run_message(NULL), "Nobody"));
    net.version--;
    CU_ASSERT_EQUAL(dal_run_open(&run, &net, NULL), DAL_ERR_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(dal_run_message(NULL), "version"));
    net = nets[0];
    net.node_count = 2;
    CU_ASSERT_EQUAL(dal_run_open(&run, &net, NULL), DAL_ERR_UNSUPPORTED);
}

struct heard {
    _Atomic int errors;
};

static void hear(void *of, const char *level, const char *message)
{
    struct heard *heard = of;
    if (strcmp(level, "error") == 0 && strstr(message, "as it was told to"))
        atomic_fetch_add(&heard->errors, 1);
}

/* Changes a parameter again when it hears of the first change, and notes the firings of both. */
struct changer {
    struct dal_run *run;
    long from[2];
    _Atomic int heard;
};

static void change_again(void *of, const char *level, const char *message)
{
    struct changer *changer = of;
    const char *from = strstr(message, " from firing ");
    int number = atomic_load(&changer->heard);
    (void)level;
    if (!strstr(message, "process Stage: fail=") || !from)
        return;
    if (number < 2)
        changer->from[number] = strtol(from + strlen(" from firing "), NULL, 10);
    if (atomic_fetch_add(&changer->heard, 1) == 0)
        CU_ASSERT_EQUAL(dal_run_set(changer->run, "Stage.fail=2000"), DAL_OK);
}

/* Who hears of a change may ask for the next one of the same process. It comes with the next
 * iteration, though there is enough for eight. */
static void changed_by_a_listener(void)
{
    static const struct dal_parameter_desc live[] = {{.name = "fail", .value = "0", .live = 1}};
    struct dal_process_desc processes[3];
    enum { MANY = 8 * RATE };
    uint64_t numbers[MANY] = {0};
    for (int i = 0; i < NETS; i += 2) { /* those of one core */
        struct changer changer = {0};
        const struct dal_run_options options = {.log = change_again, .log_of = &changer};
        struct dal_net net = nets[i];
        memcpy(processes, net.processes, sizeof(processes));
        processes[STAGE].parameters = live;
        net.processes = processes;
        CU_ASSERT_EQUAL_FATAL(dal_run_open(&changer.run, &net, &options), DAL_OK);
        for (int k = 0; k < 20; k++) { /* at first an activation has one firing */
            if (k == 10)
                CU_ASSERT_EQUAL(dal_run_set(changer.run, "Stage.fail=1000"), DAL_OK);
            CU_ASSERT_EQUAL(dal_run_write(changer.run, IN, numbers, MANY, DAL_FOREVER), MANY);
            CU_ASSERT_EQUAL(dal_run_read(changer.run, OUT, numbers, MANY, DAL_FOREVER), MANY);
        }
        CU_ASSERT_EQUAL(atomic_load(&changer.heard), 2);
        CU_ASSERT_EQUAL(changer.from[1], changer.from[0] + 1);
        CU_ASSERT_EQUAL(dal_run_close(changer.run), DAL_OK);
    }
}

/* Several networks in one program, one of which fails: the others do not notice. */
static void one_fails(void)
{
    struct heard heard = {0};
    const struct dal_run_options failing = {
        .parameters = "Stage.fail=100", .log = hear, .log_of = &heard};
    struct feed feeds[NETS] = {{0}};
    uint64_t whole = (uint64_t)tokens_wanted / RATE * RATE;
    for (int i = 0; i < NETS; i++) {
        CU_ASSERT_EQUAL_FATAL(dal_run_open(&feeds[i].run, &nets[i], i == 1 ? &failing : NULL),
                              DAL_OK);
        CU_ASSERT_EQUAL_FATAL(pthread_create(&feeds[i].thread, NULL, feed_all, &feeds[i]), 0);
    }
    CU_ASSERT_TRUE(read_all(feeds[1].run, 0) <= 100);
    CU_ASSERT_PTR_NOT_NULL(strstr(dal_run_message(feeds[1].run), "as it was told to"));
    for (int i = 0; i < NETS; i++) {
        CU_ASSERT_EQUAL(read_all(feeds[i].run, i == 2), i == 1 ? 0 : whole);
        pthread_join(feeds[i].thread, NULL);
        CU_ASSERT_EQUAL(dal_run_close(feeds[i].run), i == 1 ? DAL_ERR_PROCESS : DAL_OK);
        CU_ASSERT_EQUAL(*dal_run_message(NULL) != 0, i == 1);
    }
    CU_ASSERT_EQUAL(atomic_load(&heard.errors), 1);
}

/* Nothing of all that was written to standard error. */
static void says_nothing(void)
{
    struct capture said;
    CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
    one_fails();
    not_opened();
    misuse();
    CU_ASSERT_STRING_EQUAL(capture_end(&said), "");
    capture_finish(&said);
}

/* ---- what is left behind --------------------------------------------------------------------- */

static void nothing_is_left(void)
{
    long opens = suite_number("DAL_TEST_OPENS", 300);
    int files = count_entries("/proc/self/fd"), threads = count_threads();
    uint64_t number = 1;
    struct dal_run *run;
    for (long i = 0; i < opens; i++) {
        CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[i % NETS], NULL), DAL_OK);
        if (i % 2)
            dal_run_write(run, IN, &number, 1, 0);
        if (i % 4 > 1)
            CU_ASSERT_TRUE(dal_run_fd(run, i % 2 ? IN : OUT) >= 0);
        CU_ASSERT_EQUAL_FATAL(dal_run_close(run), DAL_OK);
    }
    CU_ASSERT_EQUAL(count_entries("/proc/self/fd"), files);
    CU_ASSERT_TRUE(has_threads(threads));
}

/* Opens, writes, reads and closes with the n-th allocation failing. Returns the first error. */
static int run_with_fault(const struct dal_net *net, unsigned long n)
{
    uint64_t numbers[RATE] = {1, 2, 3, 4}, sums[RATE] = {0};
    struct dal_run *run;
    int64_t count;
    int status, closed;
    dal_alloc_fail_at(n);
    status = dal_run_open(&run, net, NULL);
    if (status < 0) {
        dal_alloc_fail_at(0);
        CU_ASSERT_PTR_NULL(run);
        return status;
    }
    count = dal_run_write(run, IN, numbers, RATE, DAL_FOREVER);
    status = count < 0 ? (int)count : DAL_OK;
    count = status < 0 ? 0 : dal_run_read(run, OUT, sums, RATE, DAL_FOREVER);
    status = count < 0 ? (int)count : status;
    CU_ASSERT_TRUE(count != RATE || (sums[0] == 2 && sums[RATE - 1] == 5));
    closed = dal_run_close(run);
    dal_alloc_fail_at(0);
    return status < 0 ? status : closed;
}

static void allocations_fail(void)
{
    enum { UNTOUCHED = 20, MOST_PLACES = 2000 };
    unsigned long stride = suite_stride(), errors = 0, untouched, n;
    for (int i = 0; i < NETS; i++) {
        untouched = 0;
        for (n = suite_first(); untouched < UNTOUCHED && n < MOST_PLACES; n += stride) {
            int status = run_with_fault(&nets[i], n);
            errors += status < 0;
            untouched = status < 0 ? 0 : untouched + stride;
        }
        CU_ASSERT_TRUE(untouched >= UNTOUCHED);
        CU_ASSERT_EQUAL(run_with_fault(&nets[i], 0), DAL_OK);
    }
    CU_ASSERT_TRUE(errors > 5 / stride);
    printf("%lu places; ", errors);
}

int main(void)
{
    static const struct test tests[] = {
        {"all tokens arrive", all_arrive},
        {"waits that end, in one thread", waits_end},
        {"nothing goes in", nothing_goes_in},
        {"closed early", closed_early},
        {"broken while a call waits", broken},
        {"polled by one thread", polled},
        {"polled until it fails", polled_to_failure},
        {"polled until it is broken", polled_to_break},
        {"what descriptors say", shown_and_cleared},
        {"a ring grows while it is polled", polled_ring_grows},
        {"no descriptor is left", no_descriptor_left},
        {"released by the clock", released_by_the_clock},
        {"measured or left out", measured_or_left_out},
        {"misuse", misuse},
        {"refused and failed", refused_and_failed},
        {"not opened", not_opened},
        {"a listener changes a parameter", changed_by_a_listener},
        {"one of several fails", one_fails},
        {"says nothing", says_nothing},
        {"nothing is left", nothing_is_left},
        {"allocations fail", allocations_fail},
    };
    tokens_wanted = suite_number("DAL_TEST_TOKENS", tokens_wanted);
    return run_suite("dal_run", tests, sizeof(tests) / sizeof(tests[0]));
}

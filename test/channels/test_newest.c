/*
 * Channels that keep the newest token alone: what a reader gets on one thread, step by step; that
 * tokens are whole and grow with two threads; what is counted; and that a replay gives each read
 * the token of the record, whatever the writer does.
 */
#include "channels/newest.h"

#include "channels/grow.h"
#include "channels/port.h"
#include "test/suite.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

enum { WORDS = 8, TOKENS = 20000 };

static void notify(struct dal_listener *listener)
{
    (void)listener;
}

static struct dal_listener nobody = {.notify = notify};

struct pipe {
    struct dal_channel_desc desc;
    struct dal_channel *channel;
    struct dal_end *writer, *reader;
    uint64_t next;
    int wrong;
};

static void open_pipe(struct pipe *pipe, int repeat, int64_t age_ns)
{
    const struct dal_end_config config = {.listener = &nobody, .core = -1};
    const struct dal_channel_desc *desc = &pipe->desc;
    *pipe = (struct pipe){.desc = {.name = "newest",
                                   .kind = DAL_CHANNEL_NEWEST,
                                   .consumer = 1,
                                   .capacity = 1,
                                   .token_bytes = WORDS * sizeof(uint64_t),
                                   .rate_in = 1,
                                   .rate_out = 1,
                                   .repeat = repeat,
                                   .age_ns = age_ns}};
    CU_ASSERT_EQUAL_FATAL(dal_port_create(&pipe->channel, &desc, 1, &config, &config), DAL_OK);
    pipe->writer = pipe->channel->producer;
    pipe->reader = &pipe->channel->consumer;
}

/* Writes the next token if the writer need not wait. Returns whether it did. */
static int put(struct pipe *pipe)
{
    uint64_t *window;
    if (dal_end_ready(pipe->writer, 3) != 1)
        return 0;
    window = (uint64_t *)dal_end_acquire(pipe->writer, 1);
    for (int i = 0; i < WORDS; i++)
        window[i] = pipe->next;
    pipe->next++;
    dal_end_release(pipe->writer, (unsigned char *)window, 1);
    return 1;
}

static void put_many(struct pipe *pipe, int count)
{
    while (count-- > 0)
        CU_ASSERT(put(pipe));
}

/* Reads a token as a firing does. Returns its number; -1 without one. */
static int64_t get_number(struct pipe *pipe)
{
    uint64_t *window, number;
    if (!dal_end_ready(pipe->reader, 1) || !dal_newest_refresh(pipe->reader))
        return -1;
    dal_newest_begin(pipe->reader);
    window = (uint64_t *)dal_end_acquire(pipe->reader, 1);
    number = window[0];
    for (int i = 1; i < WORDS; i++)
        pipe->wrong |= window[i] != number;
    dal_end_release(pipe->reader, (unsigned char *)window, 1);
    return (int64_t)number;
}

static void close_pipe(struct pipe *pipe)
{
    CU_ASSERT_EQUAL(pipe->wrong, 0);
    dal_channel_destroy(pipe->channel);
}

static void step_by_step(void)
{
    struct pipe pipe;
    open_pipe(&pipe, 0, 0);
    CU_ASSERT_EQUAL(get_number(&pipe), -1);
    CU_ASSERT_EQUAL(dal_channel_fill(pipe.channel), 0);
    CU_ASSERT(!dal_channel_can_grow(pipe.channel));
    put_many(&pipe, 5);
    CU_ASSERT_EQUAL(dal_channel_fill(pipe.channel), 1);
    CU_ASSERT_EQUAL(get_number(&pipe), 4);
    CU_ASSERT_EQUAL(get_number(&pipe), -1);
    put_many(&pipe, 1);
    CU_ASSERT_EQUAL(dal_end_ready(pipe.reader, 1), 1);
    put_many(&pipe, 2); /* newer than what the last look took */
    CU_ASSERT_EQUAL(get_number(&pipe), 7);
    put_many(&pipe, 1);
    dal_end_close(pipe.writer);
    CU_ASSERT(!dal_end_finished(pipe.reader));
    CU_ASSERT_EQUAL(get_number(&pipe), 8);
    CU_ASSERT(dal_end_finished(pipe.reader));
    CU_ASSERT_EQUAL(dal_newest_lost(pipe.channel), 6);
    CU_ASSERT_EQUAL(dal_newest_repeated(pipe.channel), 0);
    close_pipe(&pipe);
}

static void a_window_that_is_open(void)
{
    struct pipe pipe;
    unsigned char *window;
    open_pipe(&pipe, 1, 0);
    put_many(&pipe, 1);
    CU_ASSERT_EQUAL(dal_end_ready(pipe.reader, 1), 1);
    window = dal_end_acquire(pipe.reader, 1);
    put_many(&pipe, 9);
    CU_ASSERT_EQUAL(dal_end_ready(pipe.reader, 1), 0);
    CU_ASSERT_EQUAL(*(uint64_t *)window, 0);
    dal_end_give_back(pipe.reader, 1);
    CU_ASSERT_EQUAL(get_number(&pipe), 9);
    close_pipe(&pipe);
}

static void again(void)
{
    struct pipe pipe;
    open_pipe(&pipe, 1, 0);
    CU_ASSERT_EQUAL(get_number(&pipe), -1);
    put_many(&pipe, 2);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(get_number(&pipe), 1);
    put_many(&pipe, 1);
    dal_end_close(pipe.writer);
    CU_ASSERT_EQUAL(get_number(&pipe), 2);
    CU_ASSERT_EQUAL(get_number(&pipe), -1); /* what is last is read once */
    CU_ASSERT(dal_end_finished(pipe.reader));
    CU_ASSERT_EQUAL(dal_newest_repeated(pipe.channel), 2);
    CU_ASSERT_EQUAL(dal_newest_lost(pipe.channel), 1);
    close_pipe(&pipe);
}

static void too_old(void)
{
    const struct timespec nap = {.tv_nsec = 2000000};
    struct pipe pipe;
    open_pipe(&pipe, 1, 1000000);
    put_many(&pipe, 1);
    nanosleep(&nap, NULL);
    CU_ASSERT_EQUAL(get_number(&pipe), -1);
    dal_end_close(pipe.writer);
    CU_ASSERT(dal_end_finished(pipe.reader));
    CU_ASSERT_EQUAL(dal_newest_lost(pipe.channel), 1);
    close_pipe(&pipe);
    open_pipe(&pipe, 0, INT64_MAX);
    put_many(&pipe, 1);
    nanosleep(&nap, NULL);
    CU_ASSERT_EQUAL(get_number(&pipe), 0);
    CU_ASSERT(pipe.channel->port->newest->counts.oldest_ns >= nap.tv_nsec);
    close_pipe(&pipe);
}

static void *write_all(void *argument)
{
    struct pipe *pipe = argument;
    while (pipe->next < TOKENS)
        if (!put(pipe))
            sched_yield();
    dal_end_close(pipe->writer);
    return NULL;
}

static void two_threads(void)
{
    for (int repeat = 0; repeat < 2; repeat++) {
        struct pipe pipe;
        pthread_t writer;
        int64_t last = -1, number;
        open_pipe(&pipe, repeat, 0);
        CU_ASSERT_EQUAL_FATAL(pthread_create(&writer, NULL, write_all, &pipe), 0);
        while (!dal_end_finished(pipe.reader)) {
            number = get_number(&pipe);
            if (number < 0)
                sched_yield();
            else
                pipe.wrong |= number < last + !repeat;
            last = number < 0 ? last : number;
        }
        pthread_join(writer, NULL);
        CU_ASSERT_EQUAL(last, TOKENS - 1);
        CU_ASSERT_EQUAL(dal_newest_lost(pipe.channel) + pipe.reader->taken -
                            dal_newest_repeated(pipe.channel),
                        TOKENS);
        close_pipe(&pipe);
    }
}

/* ---- replay ---------------------------------------------------------------------------------- */

static const struct dal_newest_read record[] = {{0, 2}, {3, 3}, {4, 900}, {5, 902}, {9, 19990}};

static void begin_replay(struct pipe *pipe)
{
    open_pipe(pipe, 1, 1);
    CU_ASSERT_EQUAL_FATAL(dal_newest_replay_init(pipe->channel), DAL_OK);
    for (size_t i = 0; i < sizeof(record) / sizeof(record[0]); i++)
        CU_ASSERT_EQUAL(dal_newest_replay(pipe->channel, record[i].first, &record[i].token),
                        DAL_OK);
    CU_ASSERT_EQUAL(dal_newest_replay(pipe->channel, 12, NULL), DAL_OK);
}

static void expect_reads(struct pipe *pipe, int yields)
{
    static const int64_t reads[] = {2, 2, 2, 3, 900, 902, 902, 902, 902, 19990, 19990, 19990};
    for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]);) {
        int64_t number = get_number(pipe);
        CU_ASSERT(number < 0 || number == reads[i]);
        i += number >= 0;
        if (number < 0 && yields)
            sched_yield();
        else if (number < 0)
            CU_ASSERT(put(pipe));
    }
    CU_ASSERT_EQUAL(get_number(pipe), -1);
    CU_ASSERT(dal_end_finished(pipe->reader));
    CU_ASSERT_EQUAL(dal_newest_left(pipe->channel), 0);
}

static void repeats_a_run(void)
{
    struct pipe pipe;
    pthread_t writer;
    begin_replay(&pipe);
    put_many(&pipe, 900);
    CU_ASSERT(!put(&pipe)); /* 2 and 3 wait, and 900 is next */
    CU_ASSERT_EQUAL(dal_newest_left(pipe.channel), 12);
    expect_reads(&pipe, 0);
    CU_ASSERT(put(&pipe)); /* nobody waits for anything that follows */
    close_pipe(&pipe);
    begin_replay(&pipe);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&writer, NULL, write_all, &pipe), 0);
    expect_reads(&pipe, 1);
    pthread_join(writer, NULL);
    close_pipe(&pipe);
}

/* A listener that looks at the channel whenever the reader tells it. */
static struct {
    struct dal_listener listener; /* first member */
    const struct dal_channel *channel;
    int looks, empty;
} watcher;

static void note_fill(struct dal_listener *listener)
{
    (void)listener;
    watcher.looks++;
    watcher.empty += dal_channel_fill(watcher.channel) == 0;
}

/* While a reader takes a token, it does not seem to wait for one. */
static void a_token_under_way(void)
{
    struct pipe pipe;
    begin_replay(&pipe);
    watcher.listener.notify = note_fill;
    watcher.channel = pipe.channel;
    pipe.reader->listener = &watcher.listener;
    CU_ASSERT_EQUAL(get_number(&pipe), -1);
    put_many(&pipe, 3);
    CU_ASSERT_EQUAL(get_number(&pipe), 2);
    CU_ASSERT(watcher.looks > 0);
    CU_ASSERT_EQUAL(watcher.empty, 0);
    close_pipe(&pipe);
}

/* In a replay the reader may end before the record does: nobody reads what it writes. */
static void a_reader_ends_early(void)
{
    struct pipe pipe;
    begin_replay(&pipe);
    put_many(&pipe, 900);
    CU_ASSERT(!put(&pipe));
    dal_end_close(pipe.reader);
    put_many(&pipe, 900);
    close_pipe(&pipe);
}

/* The last firing of all may have read nothing, but it was one. */
static void a_firing_reads_nothing(void)
{
    char line[16] = "";
    struct pipe pipe;
    FILE *record = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(record);
    open_pipe(&pipe, 0, 0);
    pipe.channel->port->newest->record = record;
    put_many(&pipe, 1);
    CU_ASSERT(dal_newest_refresh(pipe.reader));
    dal_newest_begin(pipe.reader);
    dal_newest_record_end(pipe.channel);
    rewind(record);
    CU_ASSERT_STRING_EQUAL(fgets(line, sizeof(line), record), "0 newest 0\n");
    CU_ASSERT_STRING_EQUAL(fgets(line, sizeof(line), record), "1 newest end\n");
    fclose(record);
    close_pipe(&pipe);
}

/* A line of a record, and whether it follows. */
static int follows(struct pipe *pipe, uint64_t first, int64_t token)
{
    uint64_t number = (uint64_t)token;
    return dal_newest_replay(pipe->channel, first, token < 0 ? NULL : &number) == DAL_OK;
}

static void wrong_records(void)
{
    struct pipe pipe;
    open_pipe(&pipe, 0, 0);
    CU_ASSERT_EQUAL_FATAL(dal_newest_replay_init(pipe.channel), DAL_OK);
    CU_ASSERT(!follows(&pipe, 1, 0));
    CU_ASSERT(follows(&pipe, 0, 7));
    CU_ASSERT(!follows(&pipe, 1, 7));
    CU_ASSERT(!follows(&pipe, 2, 8)); /* nothing is read twice */
    CU_ASSERT(!follows(&pipe, 0, 8));
    CU_ASSERT(!follows(&pipe, 2, -1));
    CU_ASSERT(follows(&pipe, 1, 8));
    CU_ASSERT(follows(&pipe, 2, -1));
    CU_ASSERT(!follows(&pipe, 2, 9));
    CU_ASSERT(!follows(&pipe, 2, -1));
    put_many(&pipe, 5);
    dal_end_close(pipe.writer); /* before it has written token 7 */
    CU_ASSERT_EQUAL(get_number(&pipe), -1);
    CU_ASSERT(dal_end_finished(pipe.reader));
    CU_ASSERT_EQUAL(dal_newest_left(pipe.channel), 2);
    close_pipe(&pipe);
    open_pipe(&pipe, 0, 0);
    CU_ASSERT_EQUAL_FATAL(dal_newest_replay_init(pipe.channel), DAL_OK);
    put_many(&pipe, 1000);
    CU_ASSERT(dal_end_finished(pipe.reader)); /* it has read nothing */
    close_pipe(&pipe);
}

int main(void)
{
    static const struct test tests[] = {
        {"the newest is read, step by step", step_by_step},
        {"a window that is open stays", a_window_that_is_open},
        {"a token is read again", again},
        {"a token is too old", too_old},
        {"two threads", two_threads},
        {"a replay reads what the record says", repeats_a_run},
        {"a token under way", a_token_under_way},
        {"a reader ends before its record", a_reader_ends_early},
        {"a firing reads nothing", a_firing_reads_nothing},
        {"records that cannot be", wrong_records},
    };
    return run_suite("channels of the newest token", tests, sizeof(tests) / sizeof(tests[0]));
}

/* Channels of the newest token: two threads that sleep where they have nothing. */
#include "channels/newest.h"

#include "channels/port.h"
#include "test/schedules/protocols.h"

#define expect protocol_expect

/* A reader that may always read again is never done before a writer that never gets its turn. */
enum { MOST_READS = 3 * TOKENS };

static void read_one(struct side *side, uint64_t least)
{
    unsigned char *window;
    dal_newest_refresh(side->end);
    dal_newest_begin(side->end);
    window = dal_end_acquire(side->end, 1);
    expect(*(uint64_t *)window >= least, "a token that is older than the last");
    side->next = *(uint64_t *)window;
    dal_end_release(side->end, window, 1);
}

static void *read_newest(void *argument)
{
    struct side *side = argument;
    uint64_t least = 0;
    for (int reads = 0; reads < MOST_READS && protocol_wait(side); reads++) {
        read_one(side, least);
        least = side->next + !side->end->channel->desc->repeat;
    }
    dal_end_close(side->end);
    return NULL;
}

static void run_pipe(struct pipe *pipe, uint64_t least)
{
    pthread_t reader = protocol_start(read_newest, &pipe->readers[0]);
    pthread_t writer = protocol_start(protocol_write, &pipe->writer);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    expect(pipe->readers[0].next >= least, "the last token was not read");
    protocol_destroy_pipe(pipe);
}

void newest_is_read(void)
{
    static struct pipe pipe;
    protocol_make_pipe(&pipe, 1, 0, 1);
    run_pipe(&pipe, TOKENS - 1);
}

void newest_is_repeated(void)
{
    static struct pipe pipe;
    protocol_make_pipe(&pipe, 1, 0, 1);
    pipe.descs[0].repeat = 1;
    run_pipe(&pipe, 0);
}

/* Four tokens in a row, more than may wait, and one later; each is read twice. */
void newest_is_replayed(void)
{
    static const uint64_t tokens[] = {1, 2, 3, 4, 9};
    static struct pipe pipe;
    protocol_make_pipe(&pipe, 1, 0, 1);
    pipe.descs[0].repeat = 1;
    expect(dal_newest_replay_init(pipe.channels[0]) == DAL_OK, "no memory");
    for (uint64_t i = 0; i < 5; i++)
        expect(dal_newest_replay(pipe.channels[0], 2 * i, &tokens[i]) == DAL_OK, "a wrong record");
    expect(dal_newest_replay(pipe.channels[0], 10, NULL) == DAL_OK, "a wrong record");
    run_pipe(&pipe, 9);
}

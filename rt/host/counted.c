/* Counted ports at run time (include/counted.h): reports wrong packets and counts tokens. */
#include "rt/host/firing.h"
#include "rt/host/process.h"

#include <string.h>

static void refuse_count(const struct dal_process *finder, const struct dal_process *wrong,
                         int port, unsigned count)
{
    const struct dal_port_desc *desc = &wrong->desc->ports[port];
    if (count == DAL_PACKET_UNSET)
        dal_process_refuse(wrong,
                           "a firing has not set the count of port %s; process %s has found it",
                           desc->name, finder->desc->name);
    else
        dal_process_refuse(
            wrong,
            "a count of %u at port %s, which has at most %zu tokens; process %s has found it",
            count, desc->name, desc->counted.most, finder->desc->name);
}

/* The process and the port of it that write to a reader's port. */
struct writer {
    const struct dal_process *process;
    int port;
};

static struct writer find_writer(const struct dal_process *reader, int port)
{
    const struct dal_channel *channel = reader->ends[port]->channel;
    const struct dal_channel_desc *desc = channel->desc;
    struct writer writer = {reader - desc->consumer + desc->producer, 0};
    while (writer.port + 1 < writer.process->desc->port_count &&
           writer.process->ends[writer.port] != channel->producer)
        writer.port++;
    return writer;
}

/* Follows the inputs that the count came by, backwards. The process is NULL where they are not
 * known. */
static struct writer follow(struct writer writer, unsigned way)
{
    for (; way; way >>= DAL_PACKET_STEP) {
        int input = (int)(way % (1u << DAL_PACKET_STEP)) - 1;
        if (input < 0 || input >= writer.process->desc->port_count ||
            writer.process->ends[input]->output)
            return (struct writer){NULL, 0};
        writer = find_writer(writer.process, input);
    }
    return writer;
}

void dal_refuse_packet(int port, const unsigned char *packet, struct dal_process *process)
{
    const struct dal_process_desc *desc = process->desc;
    struct writer writer = find_writer(process, port);
    unsigned words[DAL_PACKET_WAY + 1];
    memcpy(words, packet, sizeof(words));
    if (words[DAL_PACKET_COUNT] <= desc->ports[port].counted.most) {
        words[DAL_PACKET_COUNT] = words[DAL_PACKET_WRONG];
        writer = words[DAL_PACKET_WAY] ? follow(writer, words[DAL_PACKET_WAY])
                                       : (struct writer){NULL, 0};
    }
    if (writer.process)
        refuse_count(process, writer.process, writer.port, words[DAL_PACKET_COUNT]);
    else if (words[DAL_PACKET_COUNT] == DAL_PACKET_UNSET)
        dal_process_refuse(process,
                           "what it reads at port %s comes from a kernel that has not set its "
                           "count",
                           desc->ports[port].name);
    else
        dal_process_refuse(process,
                           "what it reads at port %s comes from a count of %u, which is above its "
                           "bound",
                           desc->ports[port].name, words[DAL_PACKET_COUNT]);
}

void dal_refuse_pieces(int port, size_t bytes, struct dal_process *process)
{
    const struct dal_port_desc *desc = &process->desc->ports[port];
    dal_process_refuse(process,
                       "a firing has written %zu bytes at port %s, which are no whole tokens of "
                       "%zu bytes",
                       bytes, desc->name, (size_t)desc->counted.token_bytes);
}

void dal_refuse_begun(int port, struct dal_process *process)
{
    dal_process_refuse(process, "a firing has begun a window of port %s, and not ended it",
                       process->desc->ports[port].name);
}

void dal_count_tokens(int port, size_t tokens, struct dal_process *process)
{
    struct dal_end *end = process->ends[port];
    if (!process->time.is_kept)
        return;
    atomic_fetch_add_explicit(&end->channel->packet_tokens[end->output], tokens,
                              memory_order_relaxed);
    dal_here()->tokens += tokens;
    dal_here()->made += end->output ? tokens : 0;
}

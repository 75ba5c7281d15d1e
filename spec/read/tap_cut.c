/* Replaces processes by their recordings, or all others by theirs. What only feeds those that are
 * replaced goes with them. */
#include "spec/read/tap_edges.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/read/recording.h"

#include <inttypes.h>
#include <string.h>

/* What is known of a process. */
enum {
    FEEDS = 1, /* it is replayed, or its tokens lead there */
    READS = 2, /* it is replayed, or gets tokens from there */
    STAYS = 4
};

/* What is taken out. */
struct cut {
    struct dal__taps *taps;
    int is_only;
    const struct dal_spec_define **wishes; /* by process: the one that names it, or NULL */
    unsigned char *marks;                  /* of processes */
    unsigned char *channels;               /* marks of those that go */
    struct dal_names ports;                /* output ports that are replaced, by the name of it */
    char **names;                          /* these, by channel */
};

static const char *option_of(const struct dal_spec_define *wish)
{
    return wish->kind == DAL_DEFINE_ONLY ? "only" : "replay";
}

static int stays(const struct cut *cut, size_t process)
{
    return cut->marks[process] & STAYS;
}

/* ---- recordings ------------------------------------------------------------------------------ */

static int refuse_recording(const struct dal__taps *taps, const struct dal_spec_define *wish,
                            const char *port, const char *why)
{
    return dal_error(taps->diags, taps->network->place, "tap", "--%s=%s=%s: the recording of %s %s",
                     option_of(wish), wish->name, wish->text, port, why);
}

/* Checks that the folder has a recording of a port whose tokens are those of a channel. Without a
 * folder, the program finds out. */
static int check_recording(const struct dal__taps *taps, const struct dal_spec_define *wish,
                           const char *port, size_t channel)
{
    const struct dal_spec_channel *c = &taps->network->channels[channel];
    struct dal_recording *found;
    char why[160];
    int status;
    if (!wish->text || taps->raw->unchecked || taps->raw->network.channels[channel].broken)
        return DAL_OK;
    status = dal_recording_read(taps->diags, wish->text, port, &found);
    if (status == DAL_ERR_IO || status == DAL_ERR_LIMIT)
        status = refuse_recording(taps, wish, port, "is not there");
    else if (!status && strcmp(found->end, "limit") == 0)
        status = refuse_recording(taps, wish, port, "stops at a limit (DAL_TAP_BYTES)");
    else if (!status && (found->most != c->counted.most ||
                         (!found->most && found->token_bytes != c->token_bytes))) {
        snprintf(why, sizeof(why), "has tokens of %" PRIu64 " bytes, and the channel of %" PRIu64,
                 found->token_bytes, c->token_bytes);
        status = refuse_recording(taps, wish, port,
                                  found->most || c->counted.most ? "has other packets" : why);
    }
    dal_recording_free(found);
    return status;
}

/* ---- the ends of channels -------------------------------------------------------------------- */

/* Puts a port at an end of a channel. It is called after the port of the process that is named,
 * from which the channel leads (`leads`), or to which. */
static int put(const struct cut *cut, size_t channel, int leads, enum dal_tap kind)
{
    const struct dal__edge *edge = &cut->taps->edges[channel];
    const struct dal_spec_define *wish = cut->wishes[leads ? edge->from : edge->to];
    char *name = dal__edge_name(cut->taps, channel, leads);
    char *of = dal__edge_name(cut->taps, channel, 1);
    int status =
        of && kind != DAL_TAP_DROP ? check_recording(cut->taps, wish, of, channel) : DAL_OK;
    if (!status)
        return dal__taps_add(cut->taps, name, of, channel, kind == DAL_TAP_REPLAY,
                             (struct dal_spec_tap){
                                 .kind = kind, .folder = kind == DAL_TAP_DROP ? NULL : wish->text});
    dal_free_all(name, of);
    return status;
}

/* Of the channels of an output port, the first that leads to another process gets the port that
 * stands there. */
static int replace_output(struct cut *cut, size_t channel)
{
    char *name = cut->names[channel] = dal__edge_name(cut->taps, channel, 1);
    int status = name ? dal_names_add(&cut->ports, name, channel) : DAL_ERR_NOMEM;
    if (status == DAL_ERR_NOMEM)
        return dal__lost(cut->taps->diags);
    return status ? dal__taps_lead(cut->taps, name, channel, 1)
                  : put(cut, channel, 1, DAL_TAP_REPLAY);
}

static int replace_end(struct cut *cut, size_t channel)
{
    const struct dal__edge *edge = &cut->taps->edges[channel];
    int from = stays(cut, edge->from), to = stays(cut, edge->to);
    cut->channels[channel] = !from && !to;
    if (from == to)
        return DAL_OK;
    return from ? put(cut, channel, 0, DAL_TAP_DROP) : replace_output(cut, channel);
}

/* One more reader compares what a process gives. */
static int compare_output(const struct cut *cut, size_t channel)
{
    const struct dal_spec_define *wish = cut->wishes[cut->taps->edges[channel].from];
    char *name = dal__edge_name(cut->taps, channel, 1);
    int status =
        name ? check_recording(cut->taps, wish, name, channel) : dal__lost(cut->taps->diags);
    if (!status)
        status =
            dal__taps_listen(cut->taps, name, channel,
                             (struct dal_spec_tap){.kind = DAL_TAP_COMPARE, .folder = wish->text});
    dal_free(name);
    return status;
}

static int leave_alone(const struct cut *cut, size_t channel)
{
    const struct dal__edge edge = cut->taps->edges[channel];
    int status = DAL_OK;
    if (cut->wishes[edge.from] && edge.is_first)
        status = compare_output(cut, channel);
    if (status || (edge.from == edge.to && cut->wishes[edge.to]))
        return status;
    cut->channels[channel] = !cut->wishes[edge.to];
    return cut->wishes[edge.to] ? put(cut, channel, 0, DAL_TAP_REPLAY) : DAL_OK;
}

/* ---- taking out ------------------------------------------------------------------------------ */

static int note_gone(struct dal__raw *raw, const char *name)
{
    char *copy = dal_strdup(name);
    if (!copy || dal_extend(&raw->gone, raw->gone_count, sizeof(*raw->gone))) {
        dal_free(copy);
        return DAL_ERR_NOMEM;
    }
    raw->gone[raw->gone_count++] = copy;
    return DAL_OK;
}

static int remove_processes(const struct cut *cut, size_t before)
{
    struct dal_spec_network *network = cut->taps->network;
    size_t kept = 0;
    int status = DAL_OK;
    for (size_t i = 0; i < network->process_count; i++) {
        if (i < before && !stays(cut, i)) {
            if (!status)
                status = note_gone(cut->taps->raw, network->processes[i].name);
            dal_spec_finish_process(&network->processes[i]);
            continue;
        }
        network->processes[kept] = network->processes[i];
        network->processes[kept].number = kept;
        kept++;
    }
    network->process_count = kept;
    return status;
}

static void remove_connections(const struct cut *cut)
{
    struct dal__raw_network *raw = &cut->taps->raw->network;
    size_t kept = 0;
    for (size_t i = 0; i < cut->taps->network->channel_count; i++)
        if (cut->channels[i]) {
            dal__raw_finish_connection(&raw->connections[cut->taps->edges[i].origin]);
            dal__raw_finish_connection(&raw->connections[cut->taps->edges[i].target]);
            raw->connections[cut->taps->edges[i].origin].name = NULL;
            raw->connections[cut->taps->edges[i].target].name = NULL;
        }
    for (size_t i = 0; i < raw->connection_count; i++)
        if (raw->connections[i].name)
            raw->connections[kept++] = raw->connections[i];
    raw->connection_count = kept;
}

static int remove_channels(const struct cut *cut)
{
    struct dal_spec_network *network = cut->taps->network;
    struct dal__raw_network *raw = &cut->taps->raw->network;
    size_t kept = 0;
    int status = DAL_OK;
    remove_connections(cut);
    for (size_t i = 0; i < network->channel_count; i++) {
        if (cut->channels[i]) {
            if (!status)
                status = note_gone(cut->taps->raw, network->channels[i].name);
            dal_spec_finish_channel(&network->channels[i]);
            dal__raw_finish_channel(&raw->channels[i]);
            continue;
        }
        network->channels[kept] = network->channels[i];
        network->channels[kept].number = kept;
        raw->channels[kept++] = raw->channels[i];
    }
    network->channel_count = raw->channel_count = kept;
    return status;
}

/* Nobody promises a latency from or to a process that is not there. */
static void remove_latencies(const struct dal__raw *raw, struct dal__raw_network *network)
{
    size_t kept = 0;
    for (size_t i = 0; i < network->latency_count; i++) {
        struct dal__raw_latency *latency = &network->latencies[i];
        int is_gone = 0;
        for (size_t k = 0; k < raw->gone_count; k++)
            is_gone |=
                strcmp(latency->from, raw->gone[k]) == 0 || strcmp(latency->to, raw->gone[k]) == 0;
        if (is_gone)
            dal_free_all(latency->from, latency->to);
        else
            network->latencies[kept++] = *latency;
    }
    network->latency_count = kept;
}

/* ---- what stays ------------------------------------------------------------------------------ */

/* Spreads a mark along the channels, or against them, to all that are not replayed. */
static void spread_mark(const struct cut *cut, unsigned char mark, int along)
{
    size_t count = cut->taps->network->channel_count;
    int spreads = 1;
    while (spreads) {
        spreads = 0;
        for (size_t i = 0; i < count; i++) {
            const struct dal__edge *edge = &cut->taps->edges[along ? i : count - 1 - i];
            size_t has = along ? edge->from : edge->to, gets = along ? edge->to : edge->from;
            if (gets == DAL__NO_EDGE || cut->wishes[gets] || !(cut->marks[has] & mark) ||
                cut->marks[gets] & mark)
                continue;
            cut->marks[gets] |= mark;
            spreads = 1;
        }
    }
}

/* What a recording reaches stays, and so does what leads to no process that is replayed, and all
 * that these need. What is left only feeds those that are replayed. */
static void mark_processes(const struct cut *cut)
{
    size_t count = cut->taps->network->process_count;
    for (size_t i = 0; i < count; i++)
        cut->marks[i] = !cut->wishes[i] ? 0 : cut->is_only ? STAYS : FEEDS | READS;
    if (cut->is_only)
        return;
    spread_mark(cut, FEEDS, 0);
    spread_mark(cut, READS, 1);
    for (size_t i = 0; i < count; i++)
        if (!cut->wishes[i] && cut->marks[i] != FEEDS)
            cut->marks[i] |= STAYS;
    spread_mark(cut, STAYS, 0);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Whether a channel leads from the process to another. */
static int gives_tokens(const struct cut *cut, size_t process)
{
    for (size_t i = 0; i < cut->taps->network->channel_count; i++)
        if (cut->taps->edges[i].from == process && cut->taps->edges[i].to != process)
            return 1;
    return 0;
}

static int find_process(const struct cut *cut, const struct dal_spec_define *wish)
{
    const struct dal__taps *taps = cut->taps;
    const struct dal_spec_network *network = taps->network;
    struct dal__hint hint;
    size_t process = dal_names_find(&taps->processes, wish->name);
    if (process == DAL_NAMES_NONE)
        return dal_error(taps->diags, network->place, "tap", "--%s=%s: there is no process '%s'%s",
                         option_of(wish), wish->name, wish->name,
                         dal__did_you_mean(&hint, &taps->processes, wish->name));
    if (network->processes[process].source_count &&
        network->processes[process].sources->type == DAL_SOURCE_OPEN)
        return dal_error(taps->diags, network->place, "tap",
                         "--%s=%s: it is a port of the network, and no process", option_of(wish),
                         wish->name);
    if (wish->kind != DAL_DEFINE_ONLY && !gives_tokens(cut, process))
        return dal_error(taps->diags, network->place, "tap",
                         "--%s=%s: the process gives no tokens, so there is nothing to replay",
                         option_of(wish), wish->name);
    cut->wishes[process] = wish;
    return DAL_OK;
}

static int cut_all(struct cut *cut)
{
    size_t processes = cut->taps->network->process_count;
    size_t channels = cut->taps->network->channel_count;
    int status = DAL_OK;
    mark_processes(cut);
    for (size_t i = 0; i < channels && !status; i++)
        if (cut->taps->edges[i].from != DAL__NO_EDGE)
            status = cut->is_only ? leave_alone(cut, i) : replace_end(cut, i);
    if (!status && (remove_processes(cut, processes) || remove_channels(cut)))
        status = dal__lost(cut->taps->diags);
    if (!status)
        remove_latencies(cut->taps->raw, &cut->taps->raw->network);
    return status;
}

int dal__taps_cut(struct dal__taps *taps, const struct dal_spec_define *defines, size_t count,
                  enum dal_spec_define_kind kind)
{
    size_t channels = taps->network->channel_count;
    struct cut cut = {.taps = taps,
                      .is_only = kind == DAL_DEFINE_ONLY,
                      .wishes = dal_calloc(taps->network->process_count + 1, sizeof(*cut.wishes)),
                      .marks = dal_calloc(taps->network->process_count + 1, 1),
                      .channels = dal_calloc(2 * channels + 1, 1),
                      .names = dal_calloc(channels + 1, sizeof(*cut.names))};
    int status =
        cut.wishes && cut.marks && cut.channels && cut.names ? DAL_OK : dal__lost(taps->diags);
    for (size_t i = 0; i < count && !status; i++)
        if (defines[i].kind == kind)
            status = find_process(&cut, &defines[i]);
    if (!status)
        status = cut_all(&cut);
    for (size_t i = 0; cut.names && i < channels; i++)
        dal_free(cut.names[i]);
    dal_free_all(cut.wishes, cut.marks, cut.channels, cut.names);
    dal_names_finish(&cut.ports);
    return status;
}

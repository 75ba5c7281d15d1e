/* Replaces a process by its recording, or all others by theirs. */
#include "spec/read/tap_edges.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/read/recording.h"

#include <inttypes.h>
#include <string.h>

/* What is taken out. */
struct cut {
    struct dal__taps *taps;
    const struct dal_spec_define *wish;
    size_t process;           /* the one that is named */
    unsigned char *processes; /* marks of those that go */
    unsigned char *channels;
    struct dal_names ports; /* output ports that have theirs, by the name of it */
    char **names;           /* these, by channel */
};

static const char *option_of(const struct cut *cut)
{
    return cut->wish->kind == DAL_DEFINE_ONLY ? "only" : "replay";
}

/* ---- recordings ------------------------------------------------------------------------------ */

static int refuse_recording(const struct cut *cut, const char *port, const char *why)
{
    return dal_error(cut->taps->diags, cut->taps->network->place, "tap",
                     "--%s=%s=%s: the recording of %s %s", option_of(cut), cut->wish->name,
                     cut->wish->text, port, why);
}

/* Checks that the folder has a recording of a port whose tokens are those of a channel. Without a
 * folder, the program finds out. */
static int check_recording(const struct cut *cut, const char *port, size_t channel)
{
    const struct dal_spec_channel *c = &cut->taps->network->channels[channel];
    struct dal_recording *found;
    char why[160];
    int status;
    if (!cut->wish->text || cut->taps->raw->unchecked ||
        cut->taps->raw->network.channels[channel].broken)
        return DAL_OK;
    found = dal_calloc(1, sizeof(*found));
    if (!found)
        return dal__lost(cut->taps->diags);
    status = dal_recording_read(cut->taps->diags, cut->wish->text, port, found);
    if (status == DAL_ERR_IO || status == DAL_ERR_LIMIT)
        status = refuse_recording(cut, port, "is not there");
    else if (!status && strcmp(found->end, "limit") == 0)
        status = refuse_recording(cut, port, "stops at a limit (DAL_TAP_BYTES)");
    else if (!status && (found->most != c->counted.most ||
                         (!found->most && found->token_bytes != c->token_bytes))) {
        snprintf(why, sizeof(why), "has tokens of %" PRIu64 " bytes, and the channel of %" PRIu64,
                 found->token_bytes, c->token_bytes);
        status =
            refuse_recording(cut, port, found->most || c->counted.most ? "has other packets" : why);
    }
    dal_free(found);
    return status;
}

/* ---- the ends of channels -------------------------------------------------------------------- */

static int put(struct cut *cut, size_t channel, int output, enum dal_tap kind)
{
    char *name = dal__edge_name(cut->taps, channel, cut->taps->edges[channel].from == cut->process);
    char *of = dal__edge_name(cut->taps, channel, 1);
    int status = of && kind != DAL_TAP_DROP ? check_recording(cut, of, channel) : DAL_OK;
    if (!status)
        return dal__taps_add(cut->taps, name, of, channel, output,
                             (struct dal_spec_tap){.kind = kind, .folder = cut->wish->text});
    dal_free_all(name, of);
    return status;
}

/* Of the channels of an output port, the first that leads to another process gets the port that
 * stands there. */
static int put_output(struct cut *cut, size_t channel)
{
    int is_only = cut->wish->kind == DAL_DEFINE_ONLY;
    char *name = cut->names[channel] = dal__edge_name(cut->taps, channel, 1);
    int status = name ? dal_names_add(&cut->ports, name, channel) : DAL_ERR_NOMEM;
    if (status == DAL_ERR_NOMEM)
        return dal__lost(cut->taps->diags);
    if (!status)
        return put(cut, channel, !is_only, is_only ? DAL_TAP_COMPARE : DAL_TAP_REPLAY);
    if (!is_only)
        return dal__taps_lead(cut->taps, name, channel, 1);
    cut->channels[channel] = 1;
    return DAL_OK;
}

static int put_end(struct cut *cut, size_t channel)
{
    const struct dal__edge *edge = &cut->taps->edges[channel];
    int is_only = cut->wish->kind == DAL_DEFINE_ONLY;
    int from = edge->from == cut->process, to = edge->to == cut->process;
    if (edge->from == DAL__NO_EDGE)
        return DAL_OK;
    if (from != to)
        return from ? put_output(cut, channel)
                    : put(cut, channel, is_only, is_only ? DAL_TAP_REPLAY : DAL_TAP_DROP);
    cut->channels[channel] = is_only ? !from : from;
    return DAL_OK;
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
        if (i < before && cut->processes[i]) {
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

/* ---- all of it ------------------------------------------------------------------------------- */

static int find_process(struct cut *cut)
{
    const struct dal__taps *taps = cut->taps;
    struct dal__hint hint;
    cut->process = dal_names_find(&taps->processes, cut->wish->name);
    if (cut->process == DAL_NAMES_NONE)
        return dal_error(taps->diags, taps->network->place, "tap",
                         "--%s=%s: there is no process '%s'%s", option_of(cut), cut->wish->name,
                         cut->wish->name,
                         dal__did_you_mean(&hint, &taps->processes, cut->wish->name));
    if (taps->network->processes[cut->process].source_count &&
        taps->network->processes[cut->process].sources->type == DAL_SOURCE_OPEN)
        return dal_error(taps->diags, taps->network->place, "tap",
                         "--%s=%s: it is a port of the network, and no process", option_of(cut),
                         cut->wish->name);
    return DAL_OK;
}

static int cut_all(struct cut *cut)
{
    size_t processes = cut->taps->network->process_count;
    int is_only = cut->wish->kind == DAL_DEFINE_ONLY, status = DAL_OK;
    for (size_t i = 0; i < processes; i++)
        cut->processes[i] = (i == cut->process) != is_only;
    for (size_t i = 0; i < cut->taps->network->channel_count && !status; i++)
        status = put_end(cut, i);
    if (!status && (remove_processes(cut, processes) || remove_channels(cut)))
        status = dal__lost(cut->taps->diags);
    if (!status)
        remove_latencies(cut->taps->raw, &cut->taps->raw->network);
    return status;
}

int dal__taps_cut(struct dal__taps *taps, const struct dal_spec_define *wish)
{
    struct cut cut = {.taps = taps, .wish = wish};
    size_t channels = taps->network->channel_count;
    int status = find_process(&cut);
    if (status)
        return status;
    cut.processes = dal_calloc(taps->network->process_count + 1, 1);
    cut.channels = dal_calloc(channels + 1, 1);
    cut.names = dal_calloc(channels + 1, sizeof(*cut.names));
    status = cut.processes && cut.channels && cut.names ? cut_all(&cut) : dal__lost(taps->diags);
    for (size_t i = 0; cut.names && i < channels; i++)
        dal_free(cut.names[i]);
    dal_free_all(cut.processes, cut.channels, cut.names);
    dal_names_finish(&cut.ports);
    return status;
}

#include "spec/read/tap_edges.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/read/open.h"

char *dal__edge_name(const struct dal__taps *taps, size_t channel, int output)
{
    const struct dal__edge *edge = &taps->edges[channel];
    size_t process = output ? edge->from : edge->to;
    return dal_format("%s.%s", taps->network->processes[process].name,
                      dal__edge_port(taps, channel, output));
}

static int list_processes(struct dal__taps *taps)
{
    int status = DAL_OK;
    for (size_t i = 0; i < taps->network->process_count && status != DAL_ERR_NOMEM; i++)
        status = dal_names_add(&taps->processes, taps->network->processes[i].name, i);
    return status == DAL_ERR_NOMEM ? status : DAL_OK;
}

static void note_connection(struct dal__taps *taps, const struct dal_names *channels, size_t i)
{
    const struct dal__raw_connection *c = &taps->raw->network.connections[i];
    size_t into = dal_names_find(channels, c->target.name);
    size_t out = dal_names_find(channels, c->origin.name);
    if (into != DAL_NAMES_NONE && c->origin.port) {
        taps->edges[into].from = dal_names_find(&taps->processes, c->origin.name);
        taps->edges[into].origin = i;
    }
    if (out != DAL_NAMES_NONE && c->target.port) {
        taps->edges[out].to = dal_names_find(&taps->processes, c->target.name);
        taps->edges[out].target = i;
    }
}

static int list_edges(struct dal__taps *taps)
{
    struct dal_names channels = {0};
    int status = DAL_OK;
    for (size_t i = 0; i < taps->network->channel_count && status != DAL_ERR_NOMEM; i++) {
        taps->edges[i] =
            (struct dal__edge){DAL__NO_EDGE, DAL__NO_EDGE, DAL__NO_EDGE, DAL__NO_EDGE, 0};
        status = dal_names_add(&channels, taps->network->channels[i].name, i);
    }
    for (size_t i = 0; i < taps->raw->network.connection_count && status != DAL_ERR_NOMEM; i++)
        note_connection(taps, &channels, i);
    dal_names_finish(&channels);
    return status == DAL_ERR_NOMEM ? status : DAL_OK;
}

/* Forgets channels without both ends, and marks the first one of each port. */
static int mark_first(struct dal__taps *taps)
{
    struct dal_names ports = {0};
    size_t count = taps->network->channel_count;
    char **names = dal_calloc(count + 1, sizeof(*names));
    int status = names ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; i < count && status != DAL_ERR_NOMEM; i++) {
        struct dal__edge *edge = &taps->edges[i];
        if (edge->from == DAL__NO_EDGE || edge->to == DAL__NO_EDGE) {
            edge->from = edge->to = DAL__NO_EDGE;
            continue;
        }
        names[i] = dal__edge_name(taps, i, 1);
        status = names[i] ? dal_names_add(&ports, names[i], i) : DAL_ERR_NOMEM;
        edge->is_first = status == DAL_OK;
    }
    for (size_t i = 0; names && i < count; i++)
        dal_free(names[i]);
    dal_free(names);
    dal_names_finish(&ports);
    return status == DAL_ERR_NOMEM ? status : DAL_OK;
}

int dal__taps_begin(struct dal__taps *taps, struct dal_diags *diags,
                    struct dal_spec_network *network, struct dal__raw *raw)
{
    int status;
    *taps = (struct dal__taps){.diags = diags, .network = network, .raw = raw};
    taps->edges = dal_calloc(2 * network->channel_count + 1, sizeof(*taps->edges));
    status = taps->edges ? list_processes(taps) : DAL_ERR_NOMEM;
    if (!status)
        status = list_edges(taps);
    if (!status)
        status = mark_first(taps);
    return status ? dal__lost(diags) : DAL_OK;
}

void dal__taps_finish(struct dal__taps *taps)
{
    dal_free(taps->edges);
    dal_names_finish(&taps->processes);
}

static int rename_end(struct dal__raw_end *end, const char *process, const char *port)
{
    char *name = dal_strdup(process), *inside = dal_strdup(port);
    dal_free_all(end->name, end->port);
    *end = (struct dal__raw_end){.name = name, .port = inside};
    return name && inside ? DAL_OK : DAL_ERR_NOMEM;
}

int dal__taps_lead(struct dal__taps *taps, const char *name, size_t channel, int output)
{
    struct dal_spec_channel *c = &taps->network->channels[channel];
    const struct dal__edge *edge = &taps->edges[channel];
    struct dal__raw_connection *all = taps->raw->network.connections;
    if (output) {
        c->dynamic_in = 1;
        c->unsaid_in = 0;
        dal_free(taps->raw->network.channels[channel].in.of);
        taps->raw->network.channels[channel].in = (struct dal_spec_phases){0};
        c->rate_in = 1;
    } else {
        c->dynamic_out = 1;
        c->unsaid_out = 0;
        dal_free(taps->raw->network.channels[channel].out.of);
        taps->raw->network.channels[channel].out = (struct dal_spec_phases){0};
        c->rate_out = 1;
    }
    if (rename_end(output ? &all[edge->origin].origin : &all[edge->target].target, name,
                   output ? "out" : "in"))
        return dal__lost(taps->diags);
    return DAL_OK;
}

int dal__taps_add(struct dal__taps *taps, char *name, char *of, size_t channel, int output,
                  struct dal_spec_tap tap)
{
    struct dal_spec_place place = taps->network->channels[channel].place;
    int status = name && of ? dal__add_open(taps->diags, taps->network, name, output, place)
                            : dal__lost(taps->diags);
    if (status) {
        dal_free_all(name, of);
        return status;
    }
    tap.of = of;
    taps->network->processes[taps->network->process_count - 1].tap = tap;
    status = dal__taps_lead(taps, name, channel, output);
    dal_free(name);
    return status;
}

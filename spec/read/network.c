/* Reads a network file: variables, connections, and what is in it. */
#include "spec/read/network.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/names.h"
#include "spec/dialects/short/short.h"
#include "spec/read/join.h"
#include "spec/read/libraries.h"
#include "spec/read/open.h"
#include "spec/read/part.h"
#include "spec/read/sizes.h"
#include "spec/read/tap.h"
#include "spec/read/variable.h"

#include <stdlib.h>
#include <string.h>

/* Variables */

static const struct dal_spec_define *find_define(const struct dal__network_state *state,
                                                 const char *name)
{
    const struct dal_spec_define *found = NULL;
    for (size_t i = 0; i < state->define_count; i++)
        if (!state->defines[i].kind && strcmp(state->defines[i].name, name) == 0)
            found = &state->defines[i];
    return found;
}

static const struct dal__raw_value *find_value(const struct dal__raw *raw, const char *name)
{
    return DAL_NAMED(raw->mapping.values, raw->mapping.value_count, name, name);
}

/* Chooses the value of a variable that the network leaves open. */
static void choose_value(struct dal__reader *reader, const struct dal__raw *raw,
                         struct dal_spec_variable *variable)
{
    const struct dal__raw_value *value = find_value(raw, variable->name);
    variable->value = value ? value->value : 1;
    variable->is_open = !value;
    if (!value && !raw->open)
        dal_error(reader->diags, variable->place, "open-variable",
                  "variable '%s' is left open: a mapping that dalmap has written has its value, or "
                  "-D %s=NUMBER",
                  variable->name, variable->name);
}

/* Reads "auto", and the limits of the choice then. */
static void read_auto(struct dal__reader *reader, const xmlNode *element,
                      struct dal_spec_variable *variable)
{
    static const struct dal__number rule = {
        .attribute = "most", .least = 1, .most = DAL_MAX_OPEN, .absent = 0};
    variable->is_auto =
        variable->type == DAL_VARIABLE_INTEGER && dal__xml_has(element, "value", "auto");
    dal__xml_number(reader, element, &rule, &variable->most);
    if (variable->most && !variable->is_auto)
        dal_error(reader->diags, variable->place, "open-variable",
                  "variable '%s' has a value, so there is nothing to choose up to %d",
                  variable->name, (int)variable->most);
}

static int read_variable(struct dal__reader *reader, struct dal__network_state *state,
                         const xmlNode *element)
{
    struct dal_spec_network *network = state->network;
    const struct dal_spec_define *define;
    struct dal__given given = {.reader = reader, .element = element};
    int status;
    struct dal_spec_variable *variable =
        dal__add_variable(reader, element, &network->variables, &network->variable_count, &status);
    if (!variable)
        return status;
    read_auto(reader, element, variable);
    define = find_define(state, variable->name);
    given.define = define ? define->text : NULL;
    given.attribute = dal__xml_get(element, "value") ? "value" : NULL;
    if (define && !define->text)
        variable->value = define->value;
    else if (!define && variable->is_auto)
        choose_value(reader, state->raw, variable);
    else
        status = dal__give_value(reader, element, &given, variable);
    return status ? status : dal__show_variable(reader, variable);
}

static void check_defines(struct dal__reader *reader, const struct dal__network_state *state)
{
    struct dal_names names = {0};
    struct dal__hint hint;
    for (size_t i = 0; i < state->network->variable_count; i++)
        if (dal_names_add(&names, state->network->variables[i].name, i) == DAL_ERR_NOMEM)
            dal__lost(reader->diags);
    for (size_t i = 0; i < state->define_count; i++)
        if (!state->defines[i].kind &&
            dal_names_find(&names, state->defines[i].name) == DAL_NAMES_NONE)
            dal_error(reader->diags, state->network->place, "unknown-variable",
                      "-D %s: the network has no such variable%s", state->defines[i].name,
                      dal__did_you_mean(&hint, &names, state->defines[i].name));
    dal_names_finish(&names);
}

/* Connections */

/* Returns the name of the network or part that is being read. */
static char *own_name(const struct dal__network_state *state)
{
    size_t length = strlen(state->prefix);
    return dal_format("%.*s", length ? (int)length - 1 : 0, state->prefix);
}

static int name_end(struct dal__reader *reader, const struct dal__network_state *state,
                    xmlNode *element, struct dal__raw_end *end)
{
    end->is_own = dal__xml_has(element, "name", DAL__SHORT_OWN);
    if (end->is_own) {
        end->name = own_name(state);
        return end->name ? DAL_OK : dal__lost(reader->diags);
    }
    if (dal__fatal(dal__xml_name(reader, element, &end->name)))
        return DAL_ERR_NOMEM;
    return dal__fatal(dal__qualify(reader, state, element, &end->name));
}

static int read_end(struct dal__reader *reader, const struct dal__network_state *state,
                    xmlNode *element, struct dal__raw_end *end)
{
    int status = name_end(reader, state, element, end);
    DAL__XML_EACH(child, element)
    {
        if (!status && dal__xml_is(child, "port"))
            status = dal__fatal(dal__xml_name(reader, child, &end->port));
    }
    return status;
}

static int read_connection(struct dal__reader *reader, struct dal__network_state *state,
                           xmlNode *element)
{
    struct dal__raw *raw = state->raw;
    int status;
    struct dal__raw_connection *connection = DAL__ADD(
        reader, element, NULL, raw->network.connections, raw->network.connection_count, &status);
    if (!connection)
        return status;
    connection->place = dal__xml_place(element);
    status = dal__fatal(dal__xml_name(reader, element, &connection->name));
    if (!status)
        status = dal__fatal(dal__qualify(reader, state, element, &connection->name));
    DAL__XML_EACH(child, element)
    {
        if (!status && dal__xml_is(child, "origin"))
            status = read_end(reader, state, child, &connection->origin);
        else if (!status && dal__xml_is(child, "target"))
            status = read_end(reader, state, child, &connection->target);
    }
    return status;
}

/* The file */

static int read_item(struct dal__reader *reader, xmlNode *element, void *state)
{
    static const struct {
        const char *name;
        int (*read)(struct dal__reader *reader, struct dal__network_state *state, xmlNode *element);
    } items[] = {
        {.name = "process", .read = dal__read_process},
        {.name = "sw_channel", .read = dal__read_channel},
        {.name = "connection", .read = read_connection},
        {.name = "latency", .read = dal__read_latency},
        {.name = "port", .read = dal__read_network_port},
        {.name = "network", .read = dal__read_part},
    };
    for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++)
        if (dal__xml_is(element, items[i].name))
            return items[i].read(reader, state, element);
    return DAL_OK;
}

static void read_throughput(struct dal__reader *reader, const xmlNode *root,
                            struct dal_spec_network *network)
{
    const char *text = dal__xml_get(root, "throughput");
    if (text && !dal__parse_positive(text, &network->throughput))
        dal_error(
            reader->diags, network->place, "bad-number",
            "processnetwork '%s': throughput: '%.40s' is not a number above 0 and below 1e300",
            network->name, text);
}

static int read_variables(struct dal__reader *reader, struct dal__network_state *state,
                          const xmlNode *root)
{
    int status = DAL_OK;
    DAL__XML_EACH(child, root)
    {
        if (!status && dal__xml_is(child, "variable"))
            status = read_variable(reader, state, child);
    }
    check_defines(reader, state);
    return status;
}

/* Says neither end a rate, except that it is dynamic? A tap makes an end so, and an open port. */
static int lacks_rates(const struct dal_spec_channel *channel)
{
    return (channel->unsaid_in || channel->unsaid_out) &&
           (channel->unsaid_in || channel->dynamic_in) &&
           (channel->unsaid_out || channel->dynamic_out);
}

/* Makes both ends block and move any number of bytes; so a token is a byte. Sizes that are too
 * large to be counted so stay as they are, and are refused. */
static void make_blocking(struct dal_spec_channel *channel)
{
    uint64_t bytes = channel->token_bytes, capacity, initial;
    channel->dynamic_in = channel->dynamic_out = 1;
    channel->unsaid_in = channel->unsaid_out = channel->unsaid_bytes = 0;
    if (__builtin_mul_overflow(channel->capacity, bytes, &capacity) ||
        __builtin_mul_overflow(channel->initial_tokens, bytes, &initial))
        return;
    channel->capacity = capacity;
    channel->initial_tokens = initial;
    channel->token_bytes = 1;
}

/* Makes the channels of a network for DOL block that have no rate, and so their processes. One
 * without ports has a thread of its own as well. */
static void read_as_dol(struct dal_spec_network *network)
{
    for (size_t i = 0; network->is_dol && i < network->channel_count; i++)
        if (lacks_rates(&network->channels[i]))
            make_blocking(&network->channels[i]);
    for (size_t i = 0; network->is_dol && i < network->process_count; i++)
        network->processes[i].kpn |= network->processes[i].port_count == 0;
}

/* Makes the initial tokens of channels whose size another channel has said. */
static int fill_waiting(struct dal__reader *reader, struct dal__network_state *state)
{
    int status = DAL_OK;
    for (size_t i = 0; i < state->network->channel_count && !status; i++)
        if (state->raw->network.channels[i].waits && !state->raw->network.channels[i].broken)
            status = dal__fill_initial(reader, state, &state->network->channels[i]);
    return status;
}

/* Puts the digests of the parts' files into the network's. */
static void add_digests(struct dal_spec_network *network)
{
    struct dal_sha256 sha;
    if (!network->part_count)
        return;
    dal_sha256_begin(&sha);
    dal_sha256_add(&sha, network->digest, sizeof(network->digest));
    for (size_t i = 0; i < network->part_count; i++)
        dal_sha256_add(&sha, network->parts[i]->digest, sizeof(network->parts[i]->digest));
    dal_sha256_end(&sha, network->digest);
}

/* Makes a whole of what has been read. With gaps, nobody knows what it would be. */
static int join_elements(struct dal__reader *reader, struct dal__network_state *state)
{
    struct dal_diags *diags = reader->diags;
    struct dal_spec_network *network = state->network;
    struct dal__raw *raw = state->raw;
    int status = raw->has_gaps ? DAL_OK : dal__find_sizes(reader, state);
    int is_known = !reader->unclear && !raw->has_gaps;
    if (!status && is_known)
        status = dal__open_ports(diags, network, raw);
    if (!status && is_known)
        status = dal__join_parts(diags, network, raw);
    if (!status && !raw->has_gaps)
        status = fill_waiting(reader, state);
    if (!status && is_known)
        status = dal__add_taps(diags, network, raw, state->defines, state->define_count);
    if (!status)
        read_as_dol(network);
    raw->has_network = !status && is_known;
    raw->has_gaps &= !status && !reader->unclear;
    return status;
}

int dal__read_network(struct dal_diags *diags, const char *file,
                      const struct dal_spec_define *defines, size_t define_count,
                      struct dal_spec_network *network, struct dal__raw *raw)
{
    struct dal__parts parts = {0};
    char *real;
    struct dal__network_state state = {.network = network,
                                       .raw = raw,
                                       .prefix = "",
                                       .parts = &parts,
                                       .read_item = read_item,
                                       .defines = defines,
                                       .define_count = define_count};
    struct dal__reader reader = {.diags = diags, .scope = &raw->scope};
    xmlNode *root = dal__xml_open(&reader, file, "processnetwork", &network->place, &network->name);
    int status = DAL_ERR_INVALID;
    network->file = state.file = network->place.file;
    state.real = real = realpath(file, NULL);
    memcpy(network->digest, reader.digest, sizeof(reader.digest));
    network->is_dol = reader.is_dol;
    if (root)
        status = dal__xml_lengthen(&reader, root, &raw->has_gaps);
    if (!status)
        status = dal__xml_text(&reader, root, "mapping", &raw->network.mapping);
    if (!status)
        read_throughput(&reader, root, network);
    if (!status)
        status = read_variables(&reader, &state, root);
    if (!status)
        status = dal__read_needs(&reader, &state, root);
    if (!status)
        status = dal__xml_walk(&reader, root, read_item, &state);
    if (!status)
        status = join_elements(&reader, &state);
    else
        raw->has_gaps = 0;
    add_digests(network);
    dal__packages_finish(&state.packages);
    dal__parts_finish(&parts);
    free(real);
    dal__xml_close(root);
    return status;
}

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/raw.h"
#include "spec/xml_read.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_RATE          ((int64_t)1 << 31)
#define MAX_TOKEN_BYTES   ((int64_t)1 << 31)
#define MAX_CHANNEL_BYTES ((int64_t)1 << 40)
#define MAX_DATA_BYTES    ((uint64_t)1 << 30)
#define MAX_TIME          ((int64_t)1 << 40)
#define MAX_COPIES        65536
#define MAX_PRIORITY      1000000
#define MAX_PROCESSES     1000000
#define MAX_CHANNELS      4000000
#define MAX_VARIABLES     4096
#define MAX_PORTS         4096
#define MAX_SOURCES       64

struct state {
    struct dal_network *network;
    struct dal__raw *raw;
    const struct dal_define *defines;
    size_t define_count;
};

static const struct dal__schema schema = {
    .root = "processnetwork",
    .text = dal__processnetwork_xsd,
    .bytes = &dal__processnetwork_xsd_bytes,
};

/* An error that has been reported does not end the reading; exhausted memory and limits do. */
static int fatal(int status)
{
    return status == DAL_ERR_INVALID ? DAL_OK : status;
}

/* Variables */

static const struct dal_define *find_define(const struct state *state, const char *name)
{
    const struct dal_define *found = NULL;
    for (size_t i = 0; i < state->define_count; i++)
        if (strcmp(state->defines[i].name, name) == 0)
            found = &state->defines[i];
    return found;
}

static int read_variable(struct dal__reader *reader, struct state *state, const xmlNode *element)
{
    static const struct dal__number rule = {
        .attribute = "value", .least = INT64_MIN, .most = INT64_MAX};
    struct dal_network *network = state->network;
    struct dal_variable variable = {.place = dal__xml_place(element)};
    const struct dal_define *define;
    if (network->variable_count == MAX_VARIABLES) {
        dal_error(reader->diags, variable.place, "network-size", "more than %d variables",
                  MAX_VARIABLES);
        return DAL_ERR_LIMIT;
    }
    if (dal__xml_text(reader, element, "name", &variable.name))
        return DAL_ERR_NOMEM;
    if (dal_expr_find(reader->scope, variable.name))
        dal_error(reader->diags, variable.place, "duplicate-name",
                  "variable '%s': there is one of this name already", variable.name);
    define = find_define(state, variable.name);
    if (define)
        variable.value = define->value;
    else
        dal__xml_number(reader, element, &rule, &variable.value);
    if (dal__extend(&network->variables, network->variable_count, sizeof(variable))) {
        dal_free(variable.name);
        return dal__lost(reader->diags);
    }
    network->variables[network->variable_count++] = variable;
    if (dal_expr_push(reader->scope, variable.name, variable.value))
        return dal__lost(reader->diags);
    return DAL_OK;
}

static void check_defines(struct dal__reader *reader, const struct state *state)
{
    struct dal_names names = {0};
    struct dal__hint hint;
    for (size_t i = 0; i < state->network->variable_count; i++)
        if (dal_names_add(&names, state->network->variables[i].name, i) == DAL_ERR_NOMEM)
            dal__lost(reader->diags);
    for (size_t i = 0; i < state->define_count; i++)
        if (dal_names_find(&names, state->defines[i].name) == DAL_NAMES_NONE)
            dal_error(reader->diags, state->network->place, "unknown-variable",
                      "-D %s: the network has no such variable%s", state->defines[i].name,
                      dal__did_you_mean(&hint, &names, state->defines[i].name));
    dal_names_finish(&names);
}

/* Texts with ${EXPRESSION}, and files beside the network's */

static int expand(struct dal__reader *reader, const xmlNode *element, const char *attribute,
                  char **result)
{
    struct dal_expr_fault fault;
    char *text;
    int status = dal__xml_text(reader, element, attribute, &text);
    *result = NULL;
    if (status || !text)
        return status;
    status = dal_expr_expand(reader->scope, text, result, &fault);
    if (status == DAL_ERR_NOMEM) {
        dal__lost(reader->diags);
    } else if (status) {
        dal__xml_fault(reader, element, attribute, &fault);
        *result = text;
        return DAL_ERR_INVALID;
    }
    dal_free(text);
    return status;
}

/* `location` as seen from the folder of `file`. */
static char *beside(const char *file, const char *location)
{
    const char *slash = strrchr(file, '/');
    if (location[0] == '/' || !slash)
        return dal_strdup(location);
    return dal_format("%.*s/%s", (int)(slash - file), file, location);
}

/* Processes */

static int read_process_port(struct dal__reader *reader, xmlNode *element, void *context)
{
    struct dal_process *process = context;
    static const struct dal__number blocks_rule = {
        .attribute = "blocks", .least = 1, .most = MAX_RATE, .absent = 1};
    struct dal__label label;
    int64_t blocks;
    xmlChar *type;
    int status;
    if (!dal__xml_is(element, "port"))
        return DAL_OK;
    if (process->port_count == MAX_PORTS) {
        dal_error(reader->diags, dal__xml_place(element), "network-size",
                  "process '%s' has more than %d ports", process->name, MAX_PORTS);
        return DAL_ERR_LIMIT;
    }
    status = dal__xml_label(reader, element, &label);
    if (fatal(status) ||
        dal__extend(&process->ports, process->port_count, sizeof(*process->ports))) {
        dal__label_finish(&label);
        return fatal(status) ? status : dal__lost(reader->diags);
    }
    dal__xml_number(reader, element, &blocks_rule, &blocks);
    type = xmlGetNoNsProp(element, (const xmlChar *)"type");
    process->ports[process->port_count++] = (struct dal_port){
        .name = label.name,
        .output = type && strcmp((const char *)type, "output") == 0,
        .rate = 1,
        .blocks = (uint64_t)blocks,
        .place = dal__xml_place(element),
    };
    xmlFree(type);
    label.name = NULL;
    dal__label_finish(&label);
    return DAL_OK;
}

static void check_source(struct dal__reader *reader, const struct dal__raw *raw,
                         const struct dal_process *process, const struct dal_source *source)
{
    struct stat about;
    if (raw->unchecked)
        return;
    if (stat(source->path, &about) != 0)
        dal_error(reader->diags, source->place, "missing-source-file",
                  "source of process '%s': '%s': %s", process->base, source->path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        dal_error(reader->diags, source->place, "missing-source-file",
                  "source of process '%s': '%s' is not a file", process->base, source->path);
}

static void read_time(struct dal__reader *reader, const xmlNode *element,
                      struct dal_execution_time *time)
{
    static const struct dal__number rule = {
        .attribute = "executiontime", .most = MAX_TIME, .absent = -1};
    int64_t value;
    dal__xml_number(reader, element, &rule, &value);
    time->is_given = value >= 0;
    time->units = value >= 0 ? (uint64_t)value : 0;
}

static int read_source(struct dal__reader *reader, struct state *state, const xmlNode *element,
                       struct dal_process *process)
{
    const struct dal__number id_rule = {
        .attribute = "id", .most = INT_MAX, .absent = (int64_t)process->source_count};
    static const struct dal__number items_rule = {
        .attribute = "dataparallelism", .least = 1, .most = MAX_COPIES, .absent = 1};
    struct dal_source *source;
    int64_t id, items;
    char *type;
    if (process->source_count == MAX_SOURCES) {
        dal_error(reader->diags, dal__xml_place(element), "network-size",
                  "process '%s' has more than %d sources", process->name, MAX_SOURCES);
        return DAL_ERR_LIMIT;
    }
    if (dal__extend(&process->sources, process->source_count, sizeof(*source)))
        return dal__lost(reader->diags);
    source = &process->sources[process->source_count++];
    *source = (struct dal_source){.place = dal__xml_place(element)};
    dal__xml_number(reader, element, &id_rule, &id);
    dal__xml_number(reader, element, &items_rule, &items);
    source->id = (int)id;
    source->work_items = (uint32_t)items;
    read_time(reader, element, &source->execution_time);
    if (dal__xml_text(reader, element, "location", &source->location) ||
        dal__xml_text(reader, element, "cflags", &source->cflags) ||
        dal__xml_text(reader, element, "libs", &source->libs) ||
        dal__xml_text(reader, element, "type", &type))
        return DAL_ERR_NOMEM;
    source->type = strcmp(type, "opencl") == 0     ? DAL_SOURCE_OPENCL
                   : strcmp(type, "portable") == 0 ? DAL_SOURCE_PORTABLE
                                                   : DAL_SOURCE_C;
    dal_free(type);
    source->path = beside(state->network->file, source->location);
    if (!source->path)
        return dal__lost(reader->diags);
    check_source(reader, state->raw, process, source);
    return DAL_OK;
}

static int read_parameter(struct dal__reader *reader, const xmlNode *element,
                          struct dal_process *process)
{
    struct dal_parameter *parameter;
    if (dal__extend(&process->parameters, process->parameter_count, sizeof(*parameter)))
        return dal__lost(reader->diags);
    parameter = &process->parameters[process->parameter_count++];
    *parameter = (struct dal_parameter){.place = dal__xml_place(element)};
    if (dal__xml_text(reader, element, "name", &parameter->name))
        return DAL_ERR_NOMEM;
    return fatal(expand(reader, element, "value", &parameter->value));
}

static int read_process_numbers(struct dal__reader *reader, const xmlNode *element,
                                struct dal_process *process)
{
    static const struct dal__number copies_rule = {
        .attribute = "shadowcopies", .least = 1, .most = MAX_COPIES, .absent = 1};
    static const struct dal__number priority_rule = {
        .attribute = "priority", .least = -MAX_PRIORITY, .most = MAX_PRIORITY};
    int64_t copies, priority;
    char *type = NULL, *stateless = NULL;
    int status;
    dal__xml_number(reader, element, &copies_rule, &copies);
    dal__xml_number(reader, element, &priority_rule, &priority);
    process->shadow_copies = (uint32_t)copies;
    process->priority = (int)priority;
    read_time(reader, element, &process->execution_time);
    status = dal__xml_text(reader, element, "type", &type);
    if (status == DAL_OK)
        status = dal__xml_text(reader, element, "stateless", &stateless);
    process->io = type && strcmp(type, "io") == 0;
    process->stateless =
        stateless && (strcmp(stateless, "true") == 0 || strcmp(stateless, "1") == 0);
    dal_free(type);
    dal_free(stateless);
    return status;
}

static int read_process(struct dal__reader *reader, struct state *state, xmlNode *element)
{
    struct dal_network *network = state->network;
    struct dal_process *process;
    struct dal__label label;
    int status;
    if (network->process_count == MAX_PROCESSES) {
        dal_error(reader->diags, dal__xml_place(element), "network-size", "more than %d processes",
                  MAX_PROCESSES);
        return DAL_ERR_LIMIT;
    }
    if (dal__extend(&network->processes, network->process_count, sizeof(*process)))
        return dal__lost(reader->diags);
    process = &network->processes[network->process_count];
    *process =
        (struct dal_process){.number = network->process_count, .place = dal__xml_place(element)};
    network->process_count++;
    status = fatal(dal__xml_label(reader, element, &label));
    process->name = label.name;
    process->base = label.base;
    process->index = label.index;
    process->index_count = label.index_count;
    if (!status)
        status = read_process_numbers(reader, element, process);
    if (!status)
        status = dal__xml_walk(reader, element, read_process_port, process);
    DAL__XML_EACH(child, element)
    {
        if (!status && dal__xml_is(child, "source"))
            status = read_source(reader, state, child, process);
        else if (!status && dal__xml_is(child, "parameter"))
            status = read_parameter(reader, child, process);
    }
    return status;
}

/* Channels */

static int read_rate(struct dal__reader *reader, const xmlNode *element, const char *attribute,
                     const struct dal_channel *channel, uint64_t *rate)
{
    const struct dal__number rule = {.attribute = attribute,
                                     .least = 1,
                                     .most = MAX_RATE,
                                     .absent = 1,
                                     .low_code = "rate-zero",
                                     .high_code = "size-too-large"};
    int64_t value = 1;
    char *text;
    int status = dal__xml_text(reader, element, attribute, &text);
    if (!status && text && strcmp(text, "dynamic") == 0)
        dal_error(reader->diags, channel->place, "kpn-unsupported",
                  "sw_channel '%s': %s is dynamic; only fixed rates can be scheduled yet",
                  channel->name, attribute);
    else if (!status)
        status = dal__xml_number(reader, element, &rule, &value);
    dal_free(text);
    *rate = (uint64_t)value;
    return status;
}

static int read_channel_numbers(struct dal__reader *reader, const xmlNode *element,
                                struct dal_channel *channel)
{
    static const struct dal__number token_rule = {.attribute = "tokensize",
                                                  .least = 1,
                                                  .most = MAX_TOKEN_BYTES,
                                                  .absent = 1,
                                                  .low_code = "token-size-zero",
                                                  .high_code = "size-too-large"};
    static const struct dal__number size_rule = {.attribute = "size",
                                                 .least = 1,
                                                 .most = MAX_CHANNEL_BYTES,
                                                 .low_code = "size-zero",
                                                 .high_code = "size-too-large"};
    static const struct dal__number initial_rule = {
        .attribute = "initialtokens", .most = MAX_CHANNEL_BYTES, .high_code = "size-too-large"};
    int64_t token, size, initial;
    int status = 0;
    status |= dal__xml_number(reader, element, &token_rule, &token);
    status |= dal__xml_number(reader, element, &size_rule, &size);
    status |= dal__xml_number(reader, element, &initial_rule, &initial);
    status |= read_rate(reader, element, "tokenratein", channel, &channel->rate_in);
    status |= read_rate(reader, element, "tokenrateout", channel, &channel->rate_out);
    channel->token_bytes = (uint64_t)token;
    channel->capacity = (uint64_t)size;
    channel->initial_tokens = (uint64_t)initial;
    return status ? DAL_ERR_INVALID : DAL_OK;
}

static int read_channel_port(struct dal__reader *reader, xmlNode *element,
                             const struct dal_channel *channel, struct dal__raw_channel *ports)
{
    struct dal__label label;
    int status = dal__xml_label(reader, element, &label);
    xmlChar *type = xmlGetNoNsProp(element, (const xmlChar *)"type");
    int output = type && strcmp((const char *)type, "output") == 0;
    char **name = output ? &ports->output : &ports->input;
    xmlFree(type);
    if (*name) {
        dal_error(reader->diags, dal__xml_place(element), "channel-ports",
                  "sw_channel '%s': a second %s port '%s'", channel->name,
                  output ? "output" : "input", label.name);
    } else {
        *name = label.name;
        label.name = NULL;
    }
    dal__label_finish(&label);
    return fatal(status);
}

static int hex_digit(char c)
{
    return c <= '9' ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* The bytes of `text` in *bytes, as many as *count says. Returns DAL_ERR_INVALID for what is not
 * pairs of hexadecimal digits. */
static int parse_hex(const char *text, unsigned char **bytes, size_t *count)
{
    *count = 0;
    *bytes = dal_alloc(strlen(text) / 2 + 1);
    if (!*bytes)
        return DAL_ERR_NOMEM;
    while (*(text += strspn(text, " \t\r\n"))) {
        if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]))
            return DAL_ERR_INVALID;
        (*bytes)[(*count)++] = (unsigned char)(hex_digit(text[0]) << 4 | hex_digit(text[1]));
        text += 2;
    }
    return DAL_OK;
}

static void data_error(struct dal__reader *reader, const struct dal_channel *channel,
                       const char *reason)
{
    dal_error(reader->diags, channel->place, "initial-data", "sw_channel '%s': %s", channel->name,
              reason);
}

/* The value attribute: all initial tokens, or one that is repeated. */
static int read_hex(struct dal__reader *reader, const char *text, struct dal_channel *channel)
{
    size_t total = channel->initial_tokens * channel->token_bytes, count;
    unsigned char *bytes;
    int status = parse_hex(text, &bytes, &count);
    if (status == DAL_ERR_NOMEM)
        return dal__lost(reader->diags);
    if (status) {
        data_error(reader, channel, "value must be bytes in hexadecimal, two digits each");
    } else if (count != total && count != channel->token_bytes) {
        dal_error(reader->diags, channel->place, "initial-data",
                  "sw_channel '%s': value has %zu bytes, must have %zu (all initial tokens) or %zu "
                  "(one of them)",
                  channel->name, count, total, (size_t)channel->token_bytes);
    } else {
        channel->initial_data = dal_alloc(total);
        if (!channel->initial_data)
            status = dal__lost(reader->diags);
        for (size_t at = 0; !status && at < total; at += count)
            memcpy(channel->initial_data + at, bytes, count);
    }
    dal_free(bytes);
    return fatal(status);
}

static int read_data_from(struct dal__reader *reader, FILE *in, const char *path,
                          struct dal_channel *channel)
{
    size_t total = channel->initial_tokens * channel->token_bytes, count;
    channel->initial_data = dal_alloc(total);
    if (!channel->initial_data)
        return dal__lost(reader->diags);
    count = fread(channel->initial_data, 1, total, in);
    if (ferror(in))
        dal_error(reader->diags, channel->place, "initial-data", "sw_channel '%s': '%s': %s",
                  channel->name, path, strerror(errno));
    else if (count != total || fgetc(in) != EOF)
        dal_error(reader->diags, channel->place, "initial-data",
                  "sw_channel '%s': '%s' must have %zu bytes, has %s", channel->name, path, total,
                  count < total ? "fewer" : "more");
    return DAL_OK;
}

static int read_data(struct dal__reader *reader, const struct state *state, const char *location,
                     struct dal_channel *channel)
{
    char *path = beside(state->network->file, location);
    FILE *in;
    int status = DAL_OK;
    if (!path)
        return dal__lost(reader->diags);
    in = fopen(path, "rb");
    if (!in) {
        dal_error(reader->diags, channel->place, "initial-data", "sw_channel '%s': '%s': %s",
                  channel->name, path, strerror(errno));
    } else {
        status = read_data_from(reader, in, path, channel);
        fclose(in);
    }
    dal_free(path);
    return status;
}

static int read_initial(struct dal__reader *reader, const struct state *state,
                        const xmlNode *element, struct dal_channel *channel)
{
    char *value = NULL, *data = NULL;
    uint64_t bytes;
    int status = dal__xml_text(reader, element, "value", &value);
    if (!status)
        status = fatal(expand(reader, element, "data", &data));
    if (status || (!value && !data))
        goto end;
    if (value && data)
        data_error(reader, channel, "value and data exclude each other");
    else if (channel->initial_tokens == 0)
        data_error(reader, channel, "value or data without initialtokens");
    else if (__builtin_mul_overflow(channel->initial_tokens, channel->token_bytes, &bytes) ||
             bytes > MAX_DATA_BYTES)
        data_error(reader, channel, "more than 2^30 bytes of initial tokens");
    else if (value)
        status = read_hex(reader, value, channel);
    else
        status = read_data(reader, state, data, channel);
end:
    dal_free(value);
    dal_free(data);
    return status;
}

/* Adds an empty channel to the model and to raw. */
static int add_channel(struct dal__reader *reader, struct state *state, const xmlNode *element)
{
    struct dal_network *network = state->network;
    struct dal__raw *raw = state->raw;
    if (network->channel_count == MAX_CHANNELS) {
        dal_error(reader->diags, dal__xml_place(element), "network-size", "more than %d channels",
                  MAX_CHANNELS);
        return DAL_ERR_LIMIT;
    }
    if (dal__extend(&network->channels, network->channel_count, sizeof(*network->channels)) ||
        dal_grow(&raw->channels, raw->channel_count, &raw->channel_room, sizeof(*raw->channels)))
        return dal__lost(reader->diags);
    network->channels[network->channel_count] =
        (struct dal_channel){.number = network->channel_count, .place = dal__xml_place(element)};
    network->channel_count++;
    raw->channels[raw->channel_count++] = (struct dal__raw_channel){0};
    return DAL_OK;
}

static int read_channel(struct dal__reader *reader, struct state *state, xmlNode *element)
{
    struct dal__raw_channel *ports;
    struct dal_channel *channel;
    struct dal__label label;
    int status = add_channel(reader, state, element);
    if (status)
        return status;
    channel = &state->network->channels[state->network->channel_count - 1];
    ports = &state->raw->channels[state->raw->channel_count - 1];
    status = fatal(dal__xml_label(reader, element, &label));
    channel->name = label.name;
    label.name = NULL;
    dal__label_finish(&label);
    if (status)
        return status;
    ports->broken = read_channel_numbers(reader, element, channel) != DAL_OK;
    if (!ports->broken)
        status = read_initial(reader, state, element, channel);
    DAL__XML_EACH(child, element)
    {
        if (!status && dal__xml_is(child, "port"))
            status = read_channel_port(reader, child, channel, ports);
    }
    return status;
}

/* Connections */

static int read_end(struct dal__reader *reader, xmlNode *element, struct dal__raw_end *end)
{
    struct dal__label label;
    int status = fatal(dal__xml_label(reader, element, &label));
    end->name = label.name;
    label.name = NULL;
    dal__label_finish(&label);
    DAL__XML_EACH(child, element)
    {
        if (status || !dal__xml_is(child, "port"))
            continue;
        status = fatal(dal__xml_label(reader, child, &label));
        end->port = label.name;
        label.name = NULL;
        dal__label_finish(&label);
    }
    return status;
}

static int read_connection(struct dal__reader *reader, struct state *state, xmlNode *element)
{
    struct dal__raw *raw = state->raw;
    struct dal__raw_connection *connection;
    struct dal__label label;
    int status;
    if (dal_grow(&raw->connections, raw->connection_count, &raw->connection_room,
                 sizeof(*connection)))
        return dal__lost(reader->diags);
    connection = &raw->connections[raw->connection_count++];
    *connection = (struct dal__raw_connection){.place = dal__xml_place(element)};
    status = fatal(dal__xml_label(reader, element, &label));
    connection->name = label.name;
    label.name = NULL;
    dal__label_finish(&label);
    DAL__XML_EACH(child, element)
    {
        if (!status && dal__xml_is(child, "origin"))
            status = read_end(reader, child, &connection->origin);
        else if (!status && dal__xml_is(child, "target"))
            status = read_end(reader, child, &connection->target);
    }
    return status;
}

/* The file */

static int read_item(struct dal__reader *reader, xmlNode *element, void *context)
{
    static const struct {
        const char *name;
        int (*read)(struct dal__reader *reader, struct state *state, xmlNode *element);
    } items[] = {
        {.name = "process", .read = read_process},
        {.name = "sw_channel", .read = read_channel},
        {.name = "connection", .read = read_connection},
    };
    for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++)
        if (dal__xml_is(element, items[i].name))
            return items[i].read(reader, context, element);
    return DAL_OK;
}

static int read_variables(struct dal__reader *reader, struct state *state, const xmlNode *root)
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

int dal__read_network(struct dal_diags *diags, const char *file, const struct dal_define *defines,
                      size_t define_count, struct dal_network *network, struct dal__raw *raw)
{
    struct state state = {
        .network = network, .raw = raw, .defines = defines, .define_count = define_count};
    struct dal__reader reader = {.diags = diags, .scope = &raw->scope};
    xmlDoc *document = dal__xml_read(diags, file, &schema);
    xmlNode *root;
    int status;
    if (!document)
        return DAL_ERR_INVALID;
    root = xmlDocGetRootElement(document);
    network->place = dal__xml_place(root);
    network->file = network->place.file;
    status = dal__xml_text(&reader, root, "name", &network->name);
    if (!status)
        status = read_variables(&reader, &state, root);
    if (!status)
        status = dal__xml_walk(&reader, root, read_item, &state);
    xmlFreeDoc(document);
    raw->has_network = !status && !reader.unclear;
    return status;
}

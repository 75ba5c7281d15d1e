#include "spec/sdf3.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/limits.h"
#include "spec/read/names.h"
#include "spec/read/raw.h"
#include "spec/read/xml.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define MAX_NAME 90

struct reader {
    struct dal_diags *diags;
    struct dal_spec_network *network;
    struct dal_names actors, channels;
    int lost;
};

/* Attributes */

/* A name of ours made of an attribute; NULL after an error. The caller frees it. */
static char *read_name(struct reader *reader, const xmlNode *element, const char *attribute)
{
    xmlChar *text = xmlGetNoNsProp(element, (const xmlChar *)attribute);
    char *name = NULL;
    if (!text || !*text || strlen((const char *)text) > MAX_NAME) {
        dal_error(reader->diags, dal__xml_place(element), "sdf3",
                  "element '%s' must have a %s of 1 to %d characters", (const char *)element->name,
                  attribute, MAX_NAME);
        xmlFree(text);
        return NULL;
    }
    name = dal_format("%s%s", isdigit(*text) ? "_" : "", (const char *)text);
    reader->lost |= !name;
    for (char *at = name; at && *at; at++)
        if (!isalnum((unsigned char)*at) || (unsigned char)*at > 127)
            *at = '_';
    xmlFree(text);
    return name;
}

/* A decimal number, `absent` when the attribute is not there. */
static uint64_t read_number(struct reader *reader, const xmlNode *element, const char *attribute,
                            uint64_t least, uint64_t most, uint64_t absent)
{
    xmlChar *text = xmlGetNoNsProp(element, (const xmlChar *)attribute);
    const xmlChar *at = text;
    uint64_t value = 0;
    if (!text)
        return absent;
    for (; isdigit(*at) && value <= most; at++)
        value = 10 * value + (uint64_t)(*at - '0');
    if (at == text || *at || value < least || value > most) {
        dal_error(reader->diags, dal__xml_place(element), "sdf3",
                  "element '%s': %s=\"%.40s\" is not an integer from %" PRIu64 " to %" PRIu64,
                  (const char *)element->name, attribute, (const char *)text, least, most);
        value = least;
    }
    xmlFree(text);
    return value;
}

static xmlNode *child_of(const xmlNode *parent, const char *name)
{
    DAL__XML_EACH(child, parent)
    {
        if (dal__xml_is(child, name))
            return child;
    }
    return NULL;
}

static xmlNode *need_child(struct reader *reader, const xmlNode *parent, const char *name)
{
    xmlNode *child = child_of(parent, name);
    if (!child)
        dal_error(reader->diags, dal__xml_place(parent), "sdf3", "element '%s' has no '%s' in it",
                  (const char *)parent->name, name);
    return child;
}

static void out_of_memory(struct reader *reader)
{
    reader->lost = 1;
}

static int enter_name(struct reader *reader, struct dal_names *names, const xmlNode *element,
                      const char *name, size_t number)
{
    int status = dal_names_add(names, name, number);
    if (status == DAL_ERR_NOMEM)
        out_of_memory(reader);
    else if (status)
        dal_error(reader->diags, dal__xml_place(element), "duplicate-name",
                  "%s '%s': this name is taken", (const char *)element->name, name);
    return status != DAL_OK;
}

/* Actors */

static void read_port(struct reader *reader, const xmlNode *element,
                      struct dal_spec_process *process)
{
    char *name = read_name(reader, element, "name");
    xmlChar *type = xmlGetNoNsProp(element, (const xmlChar *)"type");
    int output = type && strcmp((const char *)type, "out") == 0;
    if (!type || (!output && strcmp((const char *)type, "in") != 0))
        dal_error(reader->diags, dal__xml_place(element), "sdf3",
                  "a port's type must be \"in\" or \"out\"");
    xmlFree(type);
    if (!name)
        return;
    if (dal_spec_find_port(process, name) >= 0 || process->port_count == DAL_MAX_PORTS) {
        dal_error(reader->diags, dal__xml_place(element), "duplicate-name",
                  "port '%s' of actor '%s': this name is taken, or there are too many", name,
                  process->name);
        dal_free(name);
        return;
    }
    if (dal__extend(&process->ports, process->port_count, sizeof(*process->ports))) {
        dal_free(name);
        out_of_memory(reader);
        return;
    }
    process->ports[process->port_count++] = (struct dal_spec_port){
        .name = name,
        .output = output,
        .rate = read_number(reader, element, "rate", 1, DAL_MAX_RATE, 1),
        .place = dal__xml_place(element),
    };
}

static void read_actor(struct reader *reader, const xmlNode *element)
{
    struct dal_spec_network *network = reader->network;
    struct dal_spec_process *process;
    char *name = read_name(reader, element, "name");
    if (!name)
        return;
    if (network->process_count == DAL_MAX_PROCESSES ||
        dal__extend(&network->processes, network->process_count, sizeof(*process))) {
        dal_free(name);
        out_of_memory(reader);
        return;
    }
    process = &network->processes[network->process_count];
    *process = (struct dal_spec_process){.name = name,
                                         .base = dal_strdup(name),
                                         .shadow_copies = 1,
                                         .number = network->process_count,
                                         .place = dal__xml_place(element)};
    reader->lost |= !process->base;
    enter_name(reader, &reader->actors, element, name, network->process_count++);
    DAL__XML_EACH(child, element)
    {
        if (dal__xml_is(child, "port"))
            read_port(reader, child, process);
    }
}

/* Channels */

static struct dal_spec_port *read_end(struct reader *reader, const xmlNode *element,
                                      const char *actor, const char *port, int output,
                                      struct dal_spec_process **process)
{
    char *name = read_name(reader, element, actor), *port_name = read_name(reader, element, port);
    size_t number = name ? dal_names_find(&reader->actors, name) : DAL_NAMES_NONE;
    struct dal_spec_port *found = NULL;
    int i = -1;
    if (number != DAL_NAMES_NONE && port_name) {
        *process = &reader->network->processes[number];
        i = dal_spec_find_port(*process, port_name);
    }
    if (i >= 0)
        found = &(*process)->ports[i];
    if (name && port_name && (!found || found->output != output || found->channel)) {
        dal_error(reader->diags, dal__xml_place(element), "sdf3",
                  "there is no %s port '%s' of an actor '%s' that is free",
                  output ? "output" : "input", port_name, name);
        found = NULL;
    }
    dal_free(name);
    dal_free(port_name);
    return found;
}

/* Channels and processes share their names; here they need not. */
static char *channel_name(struct reader *reader, const xmlNode *element)
{
    char *name = read_name(reader, element, "name"), *other;
    if (!name || dal_names_find(&reader->actors, name) == DAL_NAMES_NONE)
        return name;
    other = dal_format("%s_channel", name);
    reader->lost |= !other;
    dal_free(name);
    return other;
}

static void connect_channel(struct reader *reader, const xmlNode *element,
                            struct dal_spec_channel *channel)
{
    channel->producer_port =
        read_end(reader, element, "srcActor", "srcPort", 1, &channel->producer);
    channel->consumer_port =
        read_end(reader, element, "dstActor", "dstPort", 0, &channel->consumer);
    if (!channel->producer_port || !channel->consumer_port)
        return;
    dal__feed(channel->producer_port, channel);
    channel->consumer_port->channel = channel;
    channel->rate_in = channel->producer_port->rate;
    channel->rate_out = channel->consumer_port->rate;
}

static void read_channel(struct reader *reader, const xmlNode *element)
{
    struct dal_spec_network *network = reader->network;
    struct dal_spec_channel *channel = &network->channels[network->channel_count];
    char *name = channel_name(reader, element);
    if (!name)
        return;
    *channel = (struct dal_spec_channel){
        .name = name,
        .token_bytes = 1,
        .initial_tokens =
            read_number(reader, element, "initialTokens", 0, DAL_MAX_CHANNEL_BYTES, 0),
        .number = network->channel_count,
        .place = dal__xml_place(element),
    };
    enter_name(reader, &reader->channels, element, name, network->channel_count++);
    connect_channel(reader, element, channel);
}

static size_t count_channels(const xmlNode *parent)
{
    size_t count = 0;
    DAL__XML_EACH(child, parent)
    {
        count += (size_t)dal__xml_is(child, "channel");
    }
    return count;
}

/* Pointers to channels are taken, so there is one allocation for all of them. */
static void read_channels(struct reader *reader, const xmlNode *parent)
{
    size_t count = count_channels(parent);
    reader->network->channels = dal_calloc(count + 1, sizeof(*reader->network->channels));
    if (!reader->network->channels || count > DAL_MAX_CHANNELS) {
        out_of_memory(reader);
        return;
    }
    DAL__XML_EACH(child, parent)
    {
        if (dal__xml_is(child, "channel"))
            read_channel(reader, child);
    }
}

static void check_ports(struct reader *reader)
{
    const struct dal_spec_network *network = reader->network;
    for (size_t i = 0; i < network->process_count; i++)
        for (size_t k = 0; k < network->processes[i].port_count; k++) {
            const struct dal_spec_port *port = &network->processes[i].ports[k];
            if (!port->channel)
                dal_error(reader->diags, port->place, "port-unconnected",
                          "port '%s' of actor '%s' is not connected", port->name,
                          network->processes[i].name);
        }
}

/* Properties */

static xmlNode *find_processor(const xmlNode *properties)
{
    DAL__XML_EACH(child, properties)
    {
        xmlChar *is_default;
        int chosen;
        if (!dal__xml_is(child, "processor"))
            continue;
        is_default = xmlGetNoNsProp(child, (const xmlChar *)"default");
        chosen = is_default && strcmp((const char *)is_default, "true") == 0;
        xmlFree(is_default);
        if (chosen)
            return child;
    }
    return child_of(properties, "processor");
}

static size_t find_named(struct reader *reader, const struct dal_names *names,
                         const xmlNode *element, const char *attribute)
{
    char *name = read_name(reader, element, attribute);
    size_t number = name ? dal_names_find(names, name) : DAL_NAMES_NONE;
    if (name && number == DAL_NAMES_NONE)
        dal_error(reader->diags, dal__xml_place(element), "sdf3", "there is no %s '%s'", attribute,
                  name);
    dal_free(name);
    return number;
}

static void read_actor_properties(struct reader *reader, const xmlNode *element)
{
    size_t number = find_named(reader, &reader->actors, element, "actor");
    xmlNode *processor = find_processor(element);
    xmlNode *time = processor ? child_of(processor, "executionTime") : NULL;
    if (number == DAL_NAMES_NONE || !time)
        return;
    reader->network->processes[number].execution_time = (struct dal_spec_execution_time){
        .is_given = 1, .units = read_number(reader, time, "time", 0, DAL_MAX_TIME, 0)};
}

static void read_channel_properties(struct reader *reader, const xmlNode *element)
{
    xmlNode *size = child_of(element, "tokenSize");
    xmlChar *text = xmlGetNoNsProp(element, (const xmlChar *)"channel");
    size_t number;
    /* A channel that was renamed is not looked for under its old name. */
    if (text && dal_names_find(&reader->actors, (const char *)text) != DAL_NAMES_NONE) {
        char *renamed = dal_format("%s_channel", (const char *)text);
        number = renamed ? dal_names_find(&reader->channels, renamed) : DAL_NAMES_NONE;
        reader->lost |= !renamed;
        dal_free(renamed);
    } else {
        number = find_named(reader, &reader->channels, element, "channel");
    }
    xmlFree(text);
    if (number != DAL_NAMES_NONE && size)
        reader->network->channels[number].token_bytes =
            (read_number(reader, size, "sz", 1, 8 * DAL_MAX_TOKEN_BYTES, 8) + 7) / 8;
}

static void read_properties(struct reader *reader, const xmlNode *properties)
{
    DAL__XML_EACH(child, properties)
    {
        if (dal__xml_is(child, "actorProperties"))
            read_actor_properties(reader, child);
        else if (dal__xml_is(child, "channelProperties"))
            read_channel_properties(reader, child);
    }
}

/* The file */

static void read_graph(struct reader *reader, const xmlNode *root)
{
    struct dal_spec_network *network = reader->network;
    xmlNode *application = need_child(reader, root, "applicationGraph");
    xmlNode *sdf = application ? need_child(reader, application, "sdf") : NULL;
    xmlNode *properties = application ? child_of(application, "sdfProperties") : NULL;
    network->place = dal__xml_place(root);
    network->file = network->place.file;
    if (!sdf)
        return;
    network->name = read_name(reader, application, "name");
    DAL__XML_EACH(child, sdf)
    {
        if (dal__xml_is(child, "actor"))
            read_actor(reader, child);
    }
    if (network->process_count == 0)
        dal_error(reader->diags, dal__xml_place(sdf), "missing-process", "the graph has no actor");
    if (!reader->lost)
        read_channels(reader, sdf);
    if (reader->lost)
        return;
    check_ports(reader);
    if (properties)
        read_properties(reader, properties);
}

struct dal_spec *dal_sdf3_read(struct dal_diags *diags, const char *file)
{
    struct dal_spec *spec = dal_calloc(1, sizeof(*spec));
    struct reader reader = {.diags = diags, .network = spec ? &spec->network : NULL};
    size_t errors = diags->errors;
    int is_dol;
    xmlDoc *document = spec ? dal__xml_read(diags, file, "sdf3", &is_dol) : NULL;
    if (!spec)
        dal__lost(diags);
    if (document)
        read_graph(&reader, xmlDocGetRootElement(document));
    xmlFreeDoc(document);
    dal_names_finish(&reader.actors);
    dal_names_finish(&reader.channels);
    if (reader.lost)
        dal__lost(diags);
    if (document && diags->errors == errors && !diags->lost)
        return spec;
    dal_spec_destroy(spec);
    return NULL;
}

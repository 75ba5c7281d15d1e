#include "spec/dialects/sdf3/sdf3.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/limits.h"
#include "spec/dialects/sdf3/sdf3_reader.h"
#include "spec/model/complete.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* Bytes in which a file's root element is looked for. */
#define MAX_HEAD_BYTES 65536

/* Attributes */

uint64_t dal__sdf3_number(struct dal__sdf3 *reader, const xmlNode *element, const char *attribute,
                          uint64_t least, uint64_t most, uint64_t absent)
{
    const char *text = dal__xml_get(element, attribute);
    const char *at = text;
    uint64_t value = 0;
    if (!text)
        return absent;
    for (; isdigit((unsigned char)*at) && value <= most; at++)
        value = 10 * value + (uint64_t)(*at - '0');
    if (at == text || *at || value < least || value > most) {
        dal_error(reader->diags, dal__xml_place(element), "sdf3",
                  "element '%s': %s=\"%.40s\" is not an integer from %" PRIu64 " to %" PRIu64,
                  (const char *)element->name, attribute, text, least, most);
        value = least;
    }
    return value;
}

/* Parses one entry, "2" or "3*2", of at most `room` phases more. Returns where the text goes on,
 * behind a comma or at the end; NULL when that is no entry. */
static const char *parse_entry(const char *text, uint64_t most, size_t room, uint64_t *value,
                               size_t *count)
{
    uint64_t number[2] = {1, 0};
    int last = 0;
    for (;; last++) {
        const char *from = text += strspn(text, " \t\r\n");
        for (number[last] = 0; isdigit((unsigned char)*text) && number[last] <= most; text++)
            number[last] = 10 * number[last] + (uint64_t)(*text - '0');
        if (text == from || number[last] > most)
            return NULL;
        text += strspn(text, " \t\r\n");
        if (*text != '*' || last)
            break;
        text++;
    }
    *value = number[last];
    if (last && (number[0] == 0 || number[0] > room))
        return NULL;
    *count = last ? (size_t)number[0] : 1;
    if (*count > room || (*text && *text != ',') || (*text == ',' && !text[1]))
        return NULL;
    return *text ? text + 1 : text;
}

/* Parses a sequence into `list`, with room for DAL_MAX_PHASES. Returns how many entries it has, 0
 * if it is no sequence. */
static size_t parse_sequence(const char *text, uint64_t most, uint64_t *list, uint64_t *sum)
{
    size_t used = 0, count;
    uint64_t value;
    *sum = 0;
    do {
        text = parse_entry(text, most, DAL_MAX_PHASES - used, &value, &count);
        for (size_t i = 0; text && i < count; i++) {
            list[used++] = value;
            *sum += value;
        }
    } while (text && *text);
    return text ? used : 0;
}

/* Keeps a copy of the list, without spare room. */
static int keep_phases(struct dal_spec_phases *phases, const uint64_t *list, size_t count)
{
    phases->of = dal_calloc(count, sizeof(*list));
    if (!phases->of)
        return DAL_ERR_NOMEM;
    memcpy(phases->of, list, count * sizeof(*list));
    phases->count = count;
    return DAL_OK;
}

/* Reads the initial phases of "3;1,2". Returns what stands behind the ';', all of a text without
 * any, or NULL if they are no sequence. */
static const char *read_initial(struct dal__sdf3 *reader, const char *text, uint64_t most,
                                struct dal_spec_phases *initial)
{
    const char *end = strchr(text, ';');
    char *part = end ? dal_format("%.*s", (int)(end - text), text) : NULL;
    uint64_t sum, list[DAL_MAX_PHASES];
    size_t count = part ? parse_sequence(part, most, list, &sum) : 0;
    reader->lost |= (end && !part) || (count && keep_phases(initial, list, count));
    dal_free(part);
    return end ? count ? end + 1 : NULL : text;
}

uint64_t dal__sdf3_sequence(struct dal__sdf3 *reader, const xmlNode *element, const char *attribute,
                            uint64_t least, uint64_t most, struct dal__sdf3_sequence *read)
{
    const char *text = dal__xml_get(element, attribute), *cycle;
    uint64_t sum = least, list[DAL_MAX_PHASES];
    size_t count = 0;
    *read = (struct dal__sdf3_sequence){0};
    if (!text || !strpbrk(text, ",*;"))
        return dal__sdf3_number(reader, element, attribute, least, most, least);
    cycle = read_initial(reader, text, most, &read->initial);
    if (cycle)
        count = parse_sequence(cycle, most, list, &sum);
    if (count == 0 || sum < least || sum > most) {
        dal_error(reader->diags, dal__xml_place(element), "sdf3",
                  "element '%s': %s=\"%.40s\" is no sequence of 1 to %d integers, as \"1,0,2\" or "
                  "\"3*1,2\", with a sum from %" PRIu64 " to %" PRIu64
                  ", perhaps behind initial ones, as \"3;1,2\"",
                  (const char *)element->name, attribute, text, DAL_MAX_PHASES, least, most);
        sum = least;
    } else if (keep_phases(&read->cycle, list, count)) {
        reader->lost = 1;
    }
    return sum;
}

static xmlNode *need_child(struct dal__sdf3 *reader, const xmlNode *parent, const char *name)
{
    xmlNode *child = dal__xml_child(parent, name);
    if (!child)
        dal_error(reader->diags, dal__xml_place(parent), "sdf3", "element '%s' has no '%s' in it",
                  (const char *)parent->name, name);
    return child;
}

static void out_of_memory(struct dal__sdf3 *reader)
{
    reader->lost = 1;
}

static int enter_name(struct dal__sdf3 *reader, struct dal_names *names, const xmlNode *element,
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

static void read_port(struct dal__sdf3 *reader, const xmlNode *element,
                      struct dal_spec_process *process)
{
    struct dal__sdf3_initial *initial = &reader->initial[process->number];
    struct dal__sdf3_sequence read;
    uint64_t rate;
    const char *text = dal__sdf3_text(reader, element, "name");
    const char *type = dal__xml_get(element, "type");
    char *name;
    int output = type && strcmp(type, "out") == 0;
    if (!type || (!output && strcmp(type, "in") != 0))
        dal_error(reader->diags, dal__xml_place(element), "sdf3",
                  "a port's type must be \"in\" or \"out\"");
    if (!text)
        return;
    if (dal_spec_find_port(process, text) >= 0 || process->port_count == DAL_MAX_PORTS) {
        dal_error(reader->diags, dal__xml_place(element), "duplicate-name",
                  "port '%s' of actor '%s': this name is taken, or there are too many", text,
                  process->name);
        return;
    }
    name = dal_strdup(text);
    if (!name || dal_extend(&process->ports, process->port_count, sizeof(*process->ports)) ||
        dal_extend(&initial->ports, process->port_count, sizeof(*initial->ports))) {
        dal_free(name);
        out_of_memory(reader);
        return;
    }
    rate = dal__sdf3_sequence(reader, element, "rate", 1, DAL_MAX_RATE, &read);
    initial->ports[process->port_count] = read.initial;
    process->ports[process->port_count++] = (struct dal_spec_port){
        .name = name,
        .output = output,
        .rate = rate,
        .phases = read.cycle,
        .place = dal__xml_place(element),
    };
}

static void read_actor(struct dal__sdf3 *reader, const xmlNode *element)
{
    struct dal_spec_network *network = reader->network;
    struct dal_spec_process *process;
    const char *text = dal__sdf3_text(reader, element, "name");
    char *name = text ? dal_strdup(text) : NULL;
    if (!text)
        return;
    if (!name || network->process_count == DAL_MAX_PROCESSES ||
        dal_extend(&network->processes, network->process_count, sizeof(*process)) ||
        dal_extend(&reader->initial, network->process_count, sizeof(*reader->initial))) {
        dal_free(name);
        out_of_memory(reader);
        return;
    }
    process = &network->processes[network->process_count];
    reader->initial[network->process_count] = (struct dal__sdf3_initial){0};
    *process = (struct dal_spec_process){.name = name,
                                         .base = dal_strdup(text),
                                         .shadow_copies = 1,
                                         .phases = 1,
                                         .number = network->process_count,
                                         .place = dal__xml_place(element)};
    reader->lost |= !process->base;
    enter_name(reader, &reader->actors, element, text, network->process_count++);
    DAL__XML_EACH(child, element)
    {
        if (dal__xml_is(child, "port"))
            read_port(reader, child, process);
    }
}

/* Channels */

static struct dal_spec_port *read_end(struct dal__sdf3 *reader, const xmlNode *element,
                                      const char *actor, const char *port, int output,
                                      struct dal_spec_process **process)
{
    const char *name = dal__sdf3_text(reader, element, actor);
    const char *port_name = dal__sdf3_text(reader, element, port);
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
    return found;
}

static void connect_channel(struct dal__sdf3 *reader, const xmlNode *element,
                            struct dal_spec_channel *channel)
{
    channel->producer_port =
        read_end(reader, element, "srcActor", "srcPort", 1, &channel->producer);
    channel->consumer_port =
        read_end(reader, element, "dstActor", "dstPort", 0, &channel->consumer);
    if (!channel->producer_port || !channel->consumer_port)
        return;
    channel->producer_port->channel = channel;
    channel->consumer_port->channel = channel;
    channel->rate_in = channel->producer_port->rate;
    channel->rate_out = channel->consumer_port->rate;
}

static void read_channel(struct dal__sdf3 *reader, const xmlNode *element)
{
    struct dal_spec_network *network = reader->network;
    struct dal_spec_channel *channel = &network->channels[network->channel_count];
    const char *text = dal__sdf3_text(reader, element, "name");
    if (!text)
        return;
    *channel = (struct dal_spec_channel){
        .name = dal_strdup(text),
        .token_bytes = 1,
        .initial_tokens =
            dal__sdf3_number(reader, element, "initialTokens", 0, DAL_MAX_CHANNEL_BYTES, 0),
        .number = network->channel_count,
        .place = dal__xml_place(element),
    };
    reader->lost |= !channel->name;
    enter_name(reader, &reader->channels, element, text, network->channel_count++);
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

/* Makes one allocation for all channels, since pointers to them are taken. */
static void read_channels(struct dal__sdf3 *reader, const xmlNode *parent)
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

static void check_ports(struct dal__sdf3 *reader)
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

/* The file */

/* Refuses scenario-aware graphs, which have a type of their own. */
static int check_type(struct dal__sdf3 *reader, const xmlNode *root)
{
    const char *text = dal__xml_get(root, "type");
    const char *type = text ? text : "sdf";
    int known = strcmp(type, "sdf") == 0 || strcmp(type, "csdf") == 0;
    if (!known)
        dal_error(reader->diags, dal__xml_place(root), "sdf3",
                  "the graph is of type '%.40s'%s: only sdf and csdf can be read", type,
                  strstr(type, "sadf") ? ", scenario-aware" : "");
    return known;
}

/* Returns the name of the application graph, else that of the graph in it, else "graph". */
static char *graph_name(struct dal__sdf3 *reader, const xmlNode *application, const xmlNode *sdf)
{
    const xmlNode *const named[] = {application, sdf};
    const char *text = "";
    char *name;
    for (size_t i = 0; i < 2 && text && !*text; i++) {
        const char *there = dal__xml_get(named[i], "name");
        if (there && *there)
            text = dal__sdf3_text(reader, named[i], "name");
    }
    if (!text)
        return NULL;
    name = dal__sdf3_plain(*text ? text : "graph", DAL__SDF3_MOST_NAME);
    reader->lost |= !name;
    return name;
}

/* Makes ports, times and channels those of cycles, if there are sequences. */
static void make_cycles(struct dal__sdf3 *reader)
{
    struct dal_spec_network *network = reader->network;
    for (size_t i = 0; i < network->process_count; i++)
        if (dal__make_cycle(reader->diags, &network->processes[i]) == DAL_ERR_NOMEM)
            reader->lost = 1;
    for (size_t i = 0; i < network->channel_count; i++) {
        struct dal_spec_channel *channel = &network->channels[i];
        channel->rate_in = channel->producer_port->rate;
        channel->rate_out = channel->consumer_port->rate;
    }
}

static void read_graph(struct dal__sdf3 *reader, const xmlNode *root)
{
    struct dal_spec_network *network = reader->network;
    xmlNode *application =
        check_type(reader, root) ? need_child(reader, root, "applicationGraph") : NULL;
    xmlNode *csdf = application ? dal__xml_child(application, "csdf") : NULL;
    xmlNode *sdf = application && !csdf ? need_child(reader, application, "sdf") : csdf;
    xmlNode *properties =
        sdf ? dal__xml_child(application, csdf ? "csdfProperties" : "sdfProperties") : NULL;
    size_t errors = reader->diags->errors;
    network->place = dal__xml_place(root);
    network->file = network->place.file;
    if (!sdf)
        return;
    network->name = graph_name(reader, application, sdf);
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
        dal__sdf3_properties(reader, properties);
    else if (reader->processor)
        dal_error(reader->diags, network->place, "sdf3",
                  "no actor has a processor '%s': the graph has no properties", reader->processor);
    if (reader->diags->errors == errors && !reader->lost)
        reader->begun = dal__sdf3_begin(reader);
    if (reader->diags->errors == errors && !reader->lost)
        make_cycles(reader);
    if (reader->diags->errors == errors && !reader->lost)
        dal__sdf3_identify(reader);
}

/* Skips what may stand before a root element: white space, comments, <? ... ?> and <! ... >. */
static const char *skip_prolog(const char *text)
{
    static const struct {
        const char *begin, *end;
    } parts[] = {{"<!--", "-->"}, {"<?", "?>"}, {"<!", ">"}, {"\xef\xbb\xbf", ""}};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && text;) {
        text += strspn(text, " \t\r\n");
        if (strncmp(text, parts[i].begin, strlen(parts[i].begin)) != 0) {
            i++;
            continue;
        }
        text = strstr(text + strlen(parts[i].begin), parts[i].end);
        text = text ? text + strlen(parts[i].end) : NULL;
        i = 0;
    }
    return text;
}

int dal_sdf3_is(const char *file)
{
    char head[MAX_HEAD_BYTES];
    FILE *in = dal_file_fault(file) ? NULL : fopen(file, "rb");
    size_t length = in ? fread(head, 1, sizeof(head) - 1, in) : 0;
    const char *root;
    if (in)
        fclose(in);
    head[length] = '\0';
    root = skip_prolog(head);
    return root && strncmp(root, "<sdf3", 5) == 0 && strchr(" \t\r\n/>", root[5]);
}

struct dal_spec *dal_sdf3_read(struct dal_diags *diags, const char *file, const char *processor)
{
    struct dal_spec *spec = dal_calloc(1, sizeof(*spec));
    struct dal__sdf3 reader = {
        .diags = diags, .network = spec ? &spec->network : NULL, .processor = processor};
    size_t errors = diags->errors;
    int is_dol;
    unsigned char digest[DAL_SHA256_BYTES];
    xmlDoc *document = spec ? dal__xml_read(diags, file, "sdf3", &is_dol, digest) : NULL;
    if (!spec)
        dal__lost(diags);
    if (document)
        read_graph(&reader, xmlDocGetRootElement(document));
    if (spec)
        spec->has_begun = reader.begun;
    xmlFreeDoc(document);
    dal__sdf3_initial_finish(&reader);
    dal_names_finish(&reader.actors);
    dal_names_finish(&reader.channels);
    if (reader.lost)
        dal__lost(diags);
    if (document && diags->errors == errors && !diags->lost)
        return spec;
    dal_spec_destroy(spec);
    return NULL;
}

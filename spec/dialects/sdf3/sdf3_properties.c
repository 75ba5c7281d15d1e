/* Reads the properties of SDF3's graphs. */
#include "rt/base/alloc.h"
#include "spec/base/limits.h"
#include "spec/dialects/sdf3/sdf3_reader.h"

#include <inttypes.h>

/* Returns the wanted processor, else the default one, else the first. Of several default ones, SDF3
 * takes the last. */
static xmlNode *find_processor(struct dal__sdf3 *reader, const xmlNode *properties)
{
    xmlNode *chosen = NULL;
    DAL__XML_EACH(child, properties)
    {
        if (!dal__xml_is(child, "processor"))
            continue;
        if (reader->processor && dal__xml_has(child, "type", reader->processor))
            return child;
        if (dal__xml_has(child, "default", "true"))
            chosen = child;
    }
    reader->without += reader->processor != NULL;
    return chosen ? chosen : dal__xml_child(properties, "processor");
}

/* Finds an actor or a channel. */
static size_t find_named(struct dal__sdf3 *reader, const struct dal_names *names,
                         const xmlNode *element, const char *attribute)
{
    const char *text = dal__sdf3_text(reader, element, attribute);
    size_t number = text ? dal_names_find(names, text) : DAL_NAMES_NONE;
    if (text && number == DAL_NAMES_NONE)
        dal_error(reader->diags, dal__xml_place(element), "sdf3", "there is no %s '%s'", attribute,
                  text);
    return number;
}

/* Reads the bits of state that the chosen processor's memory gives; a negative size counts as 0. */
static uint64_t read_state(struct dal__sdf3 *reader, const xmlNode *processor)
{
    xmlNode *memory = dal__xml_child(processor, "memory");
    xmlNode *state = memory ? dal__xml_child(memory, "stateSize") : NULL;
    const char *text = state ? dal__xml_get(state, "max") : NULL;
    return !text || *text == '-' ? 0
                                 : dal__sdf3_number(reader, state, "max", 0, DAL_MAX_STATE_BITS, 0);
}

static void read_actor_properties(struct dal__sdf3 *reader, const xmlNode *element)
{
    size_t number = find_named(reader, &reader->actors, element, "actor");
    xmlNode *processor = find_processor(reader, element);
    struct dal_spec_process *process;
    struct dal__sdf3_sequence read;
    uint64_t units;
    xmlNode *time = processor ? dal__xml_child(processor, "executionTime") : NULL;
    if (number == DAL_NAMES_NONE || !processor)
        return;
    process = &reader->network->processes[number];
    process->state_bits = read_state(reader, processor);
    if (!time)
        return;
    dal_free_all(process->times.of, reader->initial[number].times.of);
    units = dal__sdf3_sequence(reader, time, "time", 0, DAL_MAX_TIME, &read);
    process->times = read.cycle;
    reader->initial[number].times = read.initial;
    process->execution_time = (struct dal_spec_execution_time){.is_given = 1, .units = units};
}

/* Reads a capacity; -1 is none. */
static void read_buffer(struct dal__sdf3 *reader, const xmlNode *element,
                        struct dal_spec_channel *channel)
{
    if (dal__xml_has(element, "sz", "-1"))
        return;
    channel->capacity = dal__sdf3_number(reader, element, "sz", 1, DAL_MAX_CHANNEL_BYTES, 0);
    if (channel->capacity && channel->capacity < channel->initial_tokens)
        dal_error(reader->diags, dal__xml_place(element), "capacity-too-small",
                  "channel '%s': a bufferSize of %" PRIu64 " has no room for its %" PRIu64
                  " initial tokens",
                  channel->name, channel->capacity, channel->initial_tokens);
}

static void read_channel_properties(struct dal__sdf3 *reader, const xmlNode *element)
{
    xmlNode *size = dal__xml_child(element, "tokenSize");
    xmlNode *buffer = dal__xml_child(element, "bufferSize");
    size_t number = find_named(reader, &reader->channels, element, "channel");
    if (number != DAL_NAMES_NONE && buffer)
        read_buffer(reader, buffer, &reader->network->channels[number]);
    if (number != DAL_NAMES_NONE && size)
        reader->network->channels[number].token_bytes =
            (dal__sdf3_number(reader, size, "sz", 1, 8 * DAL_MAX_TOKEN_BYTES, 8) + 7) / 8;
}

/* Reads iterations a time unit. Other constraints, of memory or bandwidth, have no meaning here. */
static void read_throughput(struct dal__sdf3 *reader, const xmlNode *properties)
{
    xmlNode *constraints = dal__xml_child(properties, "timeConstraints");
    xmlNode *element = constraints ? dal__xml_child(constraints, "throughput") : NULL;
    xmlChar *text = element ? xmlNodeGetContent(element) : NULL;
    if (!text)
        return;
    if (!dal__parse_positive((const char *)text, &reader->network->throughput))
        dal_error(reader->diags, dal__xml_place(element), "sdf3",
                  "element 'throughput': '%.40s' is not a number above 0", (const char *)text);
    xmlFree(text);
}

void dal__sdf3_properties(struct dal__sdf3 *reader, const xmlNode *properties)
{
    DAL__XML_EACH(child, properties)
    {
        if (dal__xml_is(child, "actorProperties"))
            read_actor_properties(reader, child);
        else if (dal__xml_is(child, "channelProperties"))
            read_channel_properties(reader, child);
        else if (dal__xml_is(child, "graphProperties"))
            read_throughput(reader, child);
    }
    if (reader->processor && reader->without == reader->network->process_count)
        dal_error(reader->diags, dal__xml_place(properties), "sdf3",
                  "no actor has a processor '%s'", reader->processor);
    else if (reader->without > 0)
        dal_warning(reader->diags, dal__xml_place(properties), "sdf3",
                    "%zu actors have no processor '%s': they keep the times of their default ones",
                    reader->without, reader->processor);
}

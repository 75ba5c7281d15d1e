/* Makes identifiers of the names of SDF3's graphs, which are any text. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/dialects/sdf3/sdf3.h"
#include "spec/dialects/sdf3/sdf3_reader.h"

#include <ctype.h>
#include <string.h>

const char *dal__sdf3_text(struct dal__sdf3 *reader, const xmlNode *element, const char *attribute)
{
    const char *text = dal__xml_get(element, attribute);
    if (text && *text && strlen(text) <= DAL__SDF3_MOST_NAME)
        return text;
    dal_error(reader->diags, dal__xml_place(element), "sdf3",
              "element '%s' must have a %s of 1 to %d characters", (const char *)element->name,
              attribute, DAL__SDF3_MOST_NAME);
    return NULL;
}

char *dal__sdf3_plain(const char *text, int most)
{
    char *name = dal_format("%s%.*s", *text >= '0' && *text <= '9' ? "_" : "", most, text);
    for (char *at = name; at && *at; at++)
        if (!isalnum((unsigned char)*at) || (unsigned char)*at > 127)
            *at = '_';
    return name;
}

/* Identifiers, numbered as they were taken, and how often each was wanted again. */
struct identifiers {
    struct dal_names taken;
    size_t count, *again;
};

static int take_name(struct identifiers *ids, const char *name)
{
    int status = dal_names_add(&ids->taken, name, ids->count);
    ids->count += status == DAL_OK;
    return status;
}

/* Replaces a name by an identifier. A channel gets one of its own where an actor has it: the first
 * `actors` are those of actors. */
static int replace_name(struct identifiers *ids, char **name, size_t actors)
{
    char *stem = dal__sdf3_plain(*name, DAL__SDF3_MOST_NAME), *made;
    size_t holder = stem ? dal_names_find(&ids->taken, stem) : DAL_NAMES_NONE;
    int status;
    made = stem ? dal_format("%s%s", stem, holder < actors ? "_channel" : "") : NULL;
    dal_free(stem);
    stem = made ? dal_strdup(made) : NULL;
    status = stem ? take_name(ids, made) : DAL_ERR_NOMEM;
    while (status == DAL_ERR_INVALID) {
        size_t number = ++ids->again[dal_names_find(&ids->taken, stem)] + 1;
        dal_free(made);
        made = dal_format("%s_%zu", stem, number);
        status = made ? take_name(ids, made) : DAL_ERR_NOMEM;
    }
    dal_free_all(stem, *name);
    *name = made;
    return status;
}

/* Is a name an identifier already, and free? Then it is taken as it is. */
static int keep_name(struct identifiers *ids, const char *name, int *kept)
{
    char *plain = dal__sdf3_plain(name, DAL__SDF3_MOST_NAME);
    int status = plain ? DAL_OK : DAL_ERR_NOMEM;
    *kept = 0;
    if (plain && strcmp(plain, name) == 0) {
        status = take_name(ids, name);
        *kept = status == DAL_OK;
    }
    dal_free(plain);
    return status == DAL_ERR_INVALID ? DAL_OK : status;
}

/* Names all of one kind; those that need no other name come first. */
static int make_names(struct identifiers *ids, char ***names, size_t count)
{
    size_t actors = ids->count;
    int status = DAL_OK, kept;
    for (size_t i = 0; i < count && !status; i++) {
        status = keep_name(ids, *names[i], &kept);
        names[i] = kept ? NULL : names[i];
    }
    for (size_t i = 0; i < count && !status; i++)
        if (names[i])
            status = replace_name(ids, names[i], actors);
    return status;
}

static int name_ports(struct dal_spec_process *process, char ***names)
{
    struct identifiers ids = {.again = dal_calloc(process->port_count + 1, sizeof(*ids.again))};
    int status;
    for (size_t i = 0; i < process->port_count; i++)
        names[i] = &process->ports[i].name;
    status = ids.again ? make_names(&ids, names, process->port_count) : DAL_ERR_NOMEM;
    dal_names_finish(&ids.taken);
    dal_free(ids.again);
    return status;
}

static int name_base(struct dal_spec_process *process)
{
    dal_free(process->base);
    process->base = dal_strdup(process->name);
    return process->base ? DAL_OK : DAL_ERR_NOMEM;
}

void dal__sdf3_identify(struct dal__sdf3 *reader)
{
    struct dal_spec_network *network = reader->network;
    size_t processes = network->process_count, channels = network->channel_count;
    size_t room = processes + channels + DAL_MAX_PORTS;
    struct identifiers ids = {.again = dal_calloc(room, sizeof(*ids.again))};
    char ***names = dal_calloc(room, sizeof(*names));
    int status = ids.again && names ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; i < processes && !status; i++)
        names[i] = &network->processes[i].name;
    if (!status)
        status = make_names(&ids, names, processes);
    for (size_t i = 0; i < channels && !status; i++)
        names[i] = &network->channels[i].name;
    if (!status)
        status = make_names(&ids, names, channels);
    for (size_t i = 0; i < processes && !status; i++)
        status = name_base(&network->processes[i]);
    for (size_t i = 0; i < processes && !status; i++)
        status = name_ports(&network->processes[i], names);
    reader->lost |= status != DAL_OK;
    dal_names_finish(&ids.taken);
    dal_free_all(ids.again, names);
}

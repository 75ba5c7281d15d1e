/* Makes channels of the short form long. */
#include "spec/dialects/short/short_parts.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/names.h"
#include "spec/base/text.h"
#include "spec/xml/node.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAME = 100 };

/* Finds the same name with another number of indices first, then a similar one. */
static size_t find_similar(const struct dal__expansion *e, const struct dal__indexed *name,
                           const char *key)
{
    size_t number = DAL_NAMES_NONE;
    const char *nearest;
    for (int count = 0; count < 4 && number == DAL_NAMES_NONE; count++) {
        char *other = dal__short_key(name->base, count);
        number = other ? dal_names_find(&e->names, other) : DAL_NAMES_NONE;
        dal_free(other);
    }
    nearest = number == DAL_NAMES_NONE ? dal_names_nearest(&e->names, key) : NULL;
    return nearest ? dal_names_find(&e->names, nearest) : number;
}

/* Proposes a name as it is written where it stands. */
static const char *hint_of(const struct dal__expansion *e, const struct dal__indexed *name,
                           const char *key, struct dal__hint *hint)
{
    size_t number = find_similar(e, name, key);
    int indices = 0;
    char *written =
        number == DAL_NAMES_NONE ? NULL : dal__short_written_name(e->processes[number], &indices);
    hint->text[0] = '\0';
    if (written)
        snprintf(hint->text, sizeof(hint->text), "; did you mean '%.100s'?", written);
    dal_free(written);
    return hint->text;
}

static void report_missing(struct dal__expansion *e, const xmlNode *channel, const char *attribute,
                           const char *text, const struct dal__indexed *name, const char *key)
{
    struct dal__hint hint;
    if (!e->lacks_names)
        dal__short_refuse(e, channel, "unknown-process",
                          "channel: %s=\"%.200s\": there is no process '%.*s'%s", attribute, text,
                          (int)strcspn(text, "."), text, hint_of(e, name, key, &hint));
}

/* The process that is called as written, or else the first one with as many indices. DAL_OK or
 * DAL_ERR_NOMEM. */
static int find_process(const struct dal__expansion *e, struct dal__piece written, const char *key,
                        size_t *number)
{
    char *exact = dal_format("%.*s", written.length, written.at);
    if (!exact || !key) {
        dal_free(exact);
        return DAL_ERR_NOMEM;
    }
    *number = dal_names_find(&e->names, exact);
    if (*number == DAL_NAMES_NONE)
        *number = dal_names_find(&e->names, key);
    dal_free(exact);
    return DAL_OK;
}

/* Returns whether a port of the network itself is called so, with as many indices. With `names`, it
 * lists those of all. */
static int list_own(xmlNode *parent, const struct dal__indexed *wanted, int depth,
                    struct dal_names *names)
{
    int found = 0;
    DAL__XML_EACH(child, parent)
    {
        const char *name = dal__xml_get(child, "name");
        int indices = 0;
        if (dal__xml_is(child, "iterator") && depth < DAL__MOST_NESTED)
            found |= list_own(child, wanted, depth + 1, names);
        if (!dal__xml_is(child, "port") || !name)
            continue;
        DAL__XML_EACH(append, child)
        {
            indices += dal__xml_is(append, "append");
        }
        if (names)
            dal_names_add(names, name, 0);
        found |= indices == wanted->count && strlen(name) == (size_t)wanted->base.length &&
                 strncmp(name, wanted->base.at, strlen(name)) == 0;
    }
    return found;
}

/* Finds a port of the network itself. */
static void find_own(struct dal__expansion *e, xmlNode *channel, const char *attribute,
                     const char *text, struct dal__short_end *end)
{
    xmlNode *root = xmlDocGetRootElement(channel->doc);
    struct dal_names names = {0};
    struct dal__hint hint;
    end->process = (struct dal__indexed){.base = {.at = DAL__SHORT_OWN, .length = 1}};
    if (list_own(root, &end->port, 0, NULL))
        end->element = root;
    if (end->element || e->lacks_names)
        return;
    list_own(root, &end->port, 0, &names);
    dal__short_refuse(e, channel, "unknown-port",
                      "channel: %s=\"%.200s\": the network has no port of this name%s; of a "
                      "process, it is PROCESS.PORT",
                      attribute, text, dal__did_you_mean(&hint, &names, text));
    dal_names_finish(&names);
}

static int find_end(struct dal__expansion *e, xmlNode *channel, const char *attribute,
                    const char *text, struct dal__short_end *end)
{
    const char *point = dal__short_part_name(text, '.', &end->process);
    char *key;
    size_t number;
    int status;
    if (!point && dal__short_part_name(text, '\0', &end->port) && !strchr(text, '.')) {
        find_own(e, channel, attribute, text, end);
        return DAL_OK;
    }
    if (!point || !dal__short_part_name(point + 1, '\0', &end->port) ||
        memchr(end->port.base.at, '.', (size_t)end->port.base.length)) {
        dal__short_refuse(
            e, channel, "bad-connection",
            "channel: %s=\"%.200s\" must be a process and its port, as A.out or A[i].out[j], or a "
            "port of the network",
            attribute, text);
        *end = (struct dal__short_end){0};
        return DAL_OK;
    }
    key = dal__short_key(end->process.base, end->process.count);
    status = find_process(e, (struct dal__piece){text, (int)(point - text)}, key, &number);
    if (!status && number == DAL_NAMES_NONE) {
        report_missing(e, channel, attribute, text, &end->process, key);
    } else if (!status) {
        end->element = e->processes[number];
        end->number = number;
    }
    dal_free(key);
    return status;
}

/* Returns the name of the process, or nothing for a port of the network itself. */
static struct dal__piece name_in_front(const struct dal__short_end *end)
{
    return dal__short_is_own(end) ? (struct dal__piece){.at = ""} : end->process.base;
}

/* Returns both ends of a channel without their indices, and how many iterators are around it:
 * "S.out A.in 0". Channels that are alike in it would have one name. */
static char *make_ends(xmlNode *channel)
{
    static const char *const sides[] = {"from", "to"};
    xmlNode *iterators[DAL__MOST_NESTED];
    struct dal_text text = {0};
    for (int i = 0; i < 2; i++) {
        const char *at = dal__xml_get(channel, sides[i]);
        while (at && *at) {
            size_t length = strcspn(at, "[");
            dal_text_printf(&text, "%.*s", (int)length, at);
            at += length;
            at += strcspn(at, "]") + (strchr(at, ']') != NULL);
        }
        dal_text_add(&text, " ");
    }
    dal_text_printf(&text, "%d", dal__short_iterators(channel, iterators));
    return dal_text_take(&text);
}

int dal__short_list_channel(struct dal__expansion *e, xmlNode *channel)
{
    int status = DAL_OK;
    if (dal__xml_get(channel, "name"))
        return DAL_OK;
    status = dal__short_enter(e, &e->ends, make_ends(channel), 0);
    if (status == DAL_ERR_INVALID)
        status = dal_names_add(&e->shared, e->keys[e->key_count - 1], 0);
    return status == DAL_ERR_INVALID ? DAL_OK : status;
}

/* Adds the indices of a name that are numbers, as "_0_1". */
static void add_numbers(struct dal_text *text, const struct dal__indexed *name)
{
    for (int i = 0; i < name->count; i++) {
        const struct dal__piece *index = &name->index[i];
        if (strspn(index->at, "0123456789") >= (size_t)index->length)
            dal_text_printf(text, "_%.*s", index->length, index->at);
    }
}

static void add_end(struct dal_text *text, const struct dal__short_end *end, int with_numbers)
{
    struct dal__piece of = name_in_front(end);
    dal_text_printf(text, "%.*s", of.length, of.at);
    if (with_numbers && of.length)
        add_numbers(text, &end->process);
    dal_text_printf(text, "%s%.*s", of.length ? "." : "", end->port.base.length, end->port.base.at);
    if (with_numbers)
        add_numbers(text, &end->port);
}

/* Makes the name of a channel that has none: its ends, and all variables around it. Where another
 * channel has these ends, the numbers of their indices are in it. */
static char *make_name(const struct dal__expansion *e, const struct dal__short_end ends[2],
                       xmlNode *channel, struct dal__indexed *name)
{
    xmlNode *iterators[DAL__MOST_NESTED];
    int count = dal__short_iterators(channel, iterators), is_shared;
    char *key = make_ends(channel), *base;
    struct dal_text text = {0};
    is_shared = key && dal_names_find(&e->shared, key) != DAL_NAMES_NONE;
    dal_free(key);
    add_end(&text, &ends[0], is_shared);
    dal_text_add(&text, "-");
    add_end(&text, &ends[1], is_shared);
    base = key ? dal_text_take(&text) : NULL;
    dal_text_finish(&text);
    *name = (struct dal__indexed){.base = {.at = base, .length = base ? (int)strlen(base) : 0}};
    for (int i = count - 1; i >= 0; i--) {
        const char *variable = dal__xml_get(iterators[i], "variable");
        const char *text = variable ? variable : "";
        name->index[name->count++] = (struct dal__piece){.at = text, .length = (int)strlen(text)};
    }
    return base;
}

/* Returns one of two words of an attribute, or `otherwise` without it. */
static struct dal__piece word_of(const char *text, int number, struct dal__piece otherwise)
{
    const char *second;
    if (!text)
        return otherwise;
    text += strspn(text, " ");
    second = text + strcspn(text, " ");
    if (number == 0)
        return (struct dal__piece){.at = text, .length = (int)(second - text)};
    second += strspn(second, " ");
    return (struct dal__piece){.at = second, .length = (int)strcspn(second, " ")};
}

/* Elements that a short channel becomes. */
struct parts {
    struct dal__indexed name;
    struct dal__piece ports[2], connections[2];
    xmlNode *channel, *made[3]; /* the sw_channel, and the connections at its two ends */
    int is_joined;              /* there are connections: neither end is refused */
};

static int copy_attributes(const struct parts *parts, xmlNode *made)
{
    static const char *const own[] = {"from", "to", "name", "blocks", "ports", "connections"};
    int status = dal__short_set(made, "type", "fifo");
    if (!status)
        status = dal__short_set_piece(made, "name", parts->name.base);
    for (const xmlAttr *a = parts->channel->properties; a && !status; a = a->next) {
        const char *name = (const char *)a->name;
        const char *value;
        int is_own = 0;
        for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
            is_own |= strcmp(own[i], name) == 0;
        if (is_own)
            continue;
        value = dal__xml_get(parts->channel, (const char *)a->name);
        status = value ? dal__short_set(made, strcmp(name, "type") == 0 ? "tokentype" : name, value)
                       : DAL_ERR_NOMEM;
    }
    return status;
}

static int make_sw_channel(const struct parts *parts)
{
    xmlNode *made = parts->made[0];
    int status = copy_attributes(parts, made);
    dal__short_move_remarks(parts->channel, made);
    for (int i = 0; i < 2 && !status; i++) {
        xmlNode *port = dal__short_element(made, "port");
        if (!port)
            return DAL_ERR_NOMEM;
        xmlAddChild(made, port);
        status = dal__short_set(port, "type", i ? "output" : "input");
        if (!status)
            status = dal__short_set_piece(port, "name", parts->ports[i]);
    }
    return status ? status : dal__short_add_appends(made, &parts->name);
}

static int add_side(xmlNode *connection, const char *kind, const struct dal__indexed *thing,
                    const struct dal__indexed *port)
{
    xmlNode *side = dal__short_add_named(connection, kind, thing->base);
    xmlNode *at = side ? dal__short_add_named(side, "port", port->base) : NULL;
    if (!at || dal__short_add_appends(at, port))
        return DAL_ERR_NOMEM;
    return dal__short_add_appends(side, thing);
}

static int make_connection(const struct parts *parts, const struct dal__short_end *end, int number)
{
    xmlNode *made = parts->made[1 + number];
    const struct dal__indexed port = {.base = parts->ports[number]};
    int status = dal__short_set_piece(made, "name", parts->connections[number]);
    if (!status && number == 0)
        status = add_side(made, "origin", &end->process, &end->port);
    if (!status)
        status = add_side(made, number ? "origin" : "target", &parts->name, &port);
    if (!status && number == 1)
        status = add_side(made, "target", &end->process, &end->port);
    return status ? status : dal__short_add_appends(made, &parts->name);
}

/* Puts what was made in the place of the channel. */
static int replace_channel(struct parts *parts, const struct dal__short_end ends[2])
{
    static const char *const kinds[] = {"sw_channel", "connection", "connection"};
    xmlNode *behind = parts->channel;
    int status = DAL_OK;
    for (int i = 0; i < (parts->is_joined ? 3 : 1); i++) {
        parts->made[i] = dal__short_element(parts->channel, kinds[i]);
        if (!parts->made[i])
            return DAL_ERR_NOMEM;
        xmlAddNextSibling(behind, parts->made[i]);
        behind = parts->made[i];
    }
    parts->made[0]->_private = parts->channel->_private; /* tidy.c notes its mark there, too */
    status = make_sw_channel(parts);
    for (int i = 0; i < 2 && !status && parts->is_joined; i++)
        status = make_connection(parts, &ends[i], i);
    return status;
}

static int place_channel(struct dal__expansion *e, struct parts *parts,
                         const struct dal__short_end ends[2])
{
    const char *ports = dal__xml_get(parts->channel, "ports");
    const char *connections = dal__xml_get(parts->channel, "connections");
    static const char *const usual[] = {"in", "out"};
    struct dal__piece of[2];
    char *made[2];
    int status;
    for (int i = 0; i < 2; i++)
        of[i] = dal__short_is_own(&ends[i]) ? ends[i].port.base : ends[i].process.base;
    made[0] = dal_format("%.*s_%.*s", of[0].length, of[0].at, parts->name.base.length,
                         parts->name.base.at);
    made[1] = dal_format("%.*s_%.*s", parts->name.base.length, parts->name.base.at, of[1].length,
                         of[1].at);
    status = made[0] && made[1] ? DAL_OK : DAL_ERR_NOMEM;
    for (int i = 0; i < 2 && !status; i++) {
        struct dal__piece name = {.at = made[i], .length = (int)strlen(made[i])};
        struct dal__piece port = {.at = usual[i], .length = (int)strlen(usual[i])};
        parts->ports[i] = word_of(ports, i, port);
        parts->connections[i] = word_of(connections, i, name);
    }
    if (!status && parts->name.base.length > MOST_NAME)
        dal__short_refuse(
            e, parts->channel, "bad-name",
            "channel: without a name, it would have one of %d characters; give it one of at most "
            "%d",
            parts->name.base.length, MOST_NAME);
    else if (!status)
        status = replace_channel(parts, ends);
    dal_free_all(made[0], made[1]);
    return status;
}

/* Of a channel whose end is refused, all but its connections is made. */
static int expand_ends(struct dal__expansion *e, xmlNode *channel,
                       const struct dal__short_end ends[2])
{
    struct parts parts = {.channel = channel, .is_joined = ends[0].element && ends[1].element};
    unsigned before = e->refused;
    const char *name = dal__xml_get(channel, "name");
    const char *blocks = dal__xml_get(channel, "blocks");
    char *made = NULL;
    int status = DAL_OK;
    for (int i = 0; i < 2 && !status; i++)
        if (ends[i].element)
            status = dal__short_give_port(e, channel, &ends[i], !i, i ? NULL : blocks);
    parts.is_joined &= e->refused == before;
    if (name && !dal__short_part_name(name, '\0', &parts.name)) {
        dal__short_refuse(e, channel, "bad-name", "'%.200s' is no name with indices, as packets[i]",
                          name);
        return status;
    }
    if (!name && !status) {
        made = make_name(e, ends, channel, &parts.name);
        status = made ? DAL_OK : DAL_ERR_NOMEM;
    }
    if (!status)
        status = place_channel(e, &parts, ends);
    dal_free(made);
    return status;
}

int dal__short_expand_channel(struct dal__expansion *e, xmlNode *channel)
{
    struct dal__short_end ends[2] = {0};
    const char *from = dal__xml_get(channel, "from");
    const char *to = dal__xml_get(channel, "to");
    int status = from && to ? DAL_OK : DAL_ERR_NOMEM;
    if (!status)
        status = find_end(e, channel, "from", from, &ends[0]);
    if (!status)
        status = find_end(e, channel, "to", to, &ends[1]);
    if (!status && ends[0].port.base.length && ends[1].port.base.length)
        status = expand_ends(e, channel, ends);
    if (!status)
        dal__xml_remove(channel);
    return status;
}

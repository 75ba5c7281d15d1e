#include "spec/write/edits.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/dialects/short/short.h"
#include "spec/dialects/short/short_parts.h"
#include "spec/dialects/short/tidy.h"

#include <string.h>

/* Edits that are to be made, in the order of the document, kind by kind. */
struct edits {
    const unsigned char *wanted;
    size_t count;
    int lost;
};

static int is_wanted(struct edits *edits)
{
    return edits->wanted[edits->count++];
}

static void set_attribute(struct edits *edits, xmlNode *element, const char *name,
                          const char *value)
{
    edits->lost |= !value || !xmlSetProp(element, (const xmlChar *)name, (const xmlChar *)value);
}

/* Makes a name with its indices in brackets; NULL without memory. */
static char *name_with_indices(const xmlNode *element)
{
    int indices = 0;
    return dal__short_written_name(element, &indices);
}

static xmlNode *second_port(const xmlNode *channel)
{
    const xmlNode *port = dal__xml_child(channel, "port");
    return port ? dal__xml_find(port->next, "port") : NULL;
}

/* Is a side a port of the network itself, which has no process in front? */
static int is_own(const xmlNode *side)
{
    return dal__xml_has(side, "name", DAL__SHORT_OWN);
}

/* Makes "A[i].out[j]" of a connection's side. */
static char *end_of(const xmlNode *side)
{
    const xmlNode *port = dal__xml_child(side, "port");
    char *process = name_with_indices(side), *name = port ? name_with_indices(port) : NULL;
    char *end = !process || !name ? NULL
                : is_own(side)    ? dal_strdup(name)
                                  : dal_format("%s.%s", process, name);
    dal_free_all(process, name);
    return end;
}

/* Sets an attribute to two words. */
static void set_two(struct edits *edits, xmlNode *element, const char *attribute, const xmlNode *a,
                    const xmlNode *b)
{
    const char *x = dal__xml_get(a, "name");
    const char *y = dal__xml_get(b, "name");
    char *both = x && y ? dal_format("%s %s", x, y) : NULL;
    set_attribute(edits, element, attribute, both);
    dal_free(both);
}

/* Drops attributes that have their default value. */
static void drop_usual(xmlNode *channel, const xmlNode *old, const char *processes[2])
{
    const char *name = dal__xml_get(old, "name");
    const char *ports = dal__xml_get(channel, "ports");
    const char *both = dal__xml_get(channel, "connections");
    char *usual = dal_format("%s_%s %s_%s", processes[0], name, name, processes[1]);
    if (ports && strcmp(ports, "in out") == 0)
        xmlUnsetProp(channel, (const xmlChar *)"ports");
    if (usual && both && strcmp(both, usual) == 0)
        xmlUnsetProp(channel, (const xmlChar *)"connections");
    dal_free(usual);
}

/* Returns what a connection is usually called by at a side: the process, or the network's port. */
static const char *called_by(const xmlNode *side)
{
    const xmlNode *port = is_own(side) ? dal__xml_child(side, "port") : NULL;
    return dal__xml_get(port ? port : side, "name");
}

/* Makes the name of a side without indices, "A.out". */
static char *plain_end(const xmlNode *side)
{
    const xmlNode *port = dal__xml_child(side, "port");
    const char *process = dal__xml_get(side, "name");
    const char *name = port ? dal__xml_get(port, "name") : NULL;
    if (!process || !name)
        return NULL;
    return is_own(side) ? dal_strdup(name) : dal_format("%s.%s", process, name);
}

/* Adds "[j][i]", of the iterators around, to a text that it owns. */
static char *add_variables(char *text, const xmlNode *channel)
{
    const xmlNode *up = channel->parent;
    const char *variable;
    char *longer;
    if (!text || !up || up->type != XML_ELEMENT_NODE)
        return text;
    text = add_variables(text, up);
    if (!text || !dal__xml_is(up, "iterator"))
        return text;
    variable = dal__xml_get(up, "variable");
    longer = dal_format("%s[%s]", text, variable ? variable : "");
    dal_free(text);
    return longer;
}

/* Drops the name of a channel if it is the default one (short.c). */
static void drop_name(struct edits *edits, xmlNode *channel, const xmlNode *old,
                      const xmlNode *origin, const xmlNode *target)
{
    char *from = plain_end(origin), *to = plain_end(target), *name = name_with_indices(old);
    char *usual = from && to ? add_variables(dal_format("%s-%s", from, to), old) : NULL;
    edits->lost |= !usual || !name;
    if (usual && name && strcmp(usual, name) == 0)
        xmlUnsetProp(channel, (const xmlChar *)"name");
    dal_free_all(usual, name, from, to);
}

static void copy_rest(struct edits *edits, xmlNode *channel, const xmlNode *old)
{
    for (const xmlAttr *a = old->properties; a; a = a->next) {
        const char *name = (const char *)a->name;
        const char *value;
        if (strcmp(name, "type") == 0 || strcmp(name, "name") == 0)
            continue;
        value = dal__xml_get(old, (const char *)a->name);
        set_attribute(edits, channel, strcmp(name, "tokentype") == 0 ? "type" : name, value);
    }
}

static xmlNode *make_short(struct edits *edits, const xmlNode *old, const xmlNode *origin,
                           const xmlNode *target, const xmlNode *const connections[2])
{
    xmlNode *made = xmlNewDocNode(old->doc, old->ns, (const xmlChar *)"channel", NULL);
    char *from = end_of(origin), *to = end_of(target), *name = name_with_indices(old);
    const char *processes[2] = {called_by(origin), called_by(target)};
    if (made && from && to && name && processes[0] && processes[1]) {
        made->_private = old->_private;
        set_attribute(edits, made, "name", name);
        set_attribute(edits, made, "from", from);
        set_attribute(edits, made, "to", to);
        copy_rest(edits, made, old);
        set_two(edits, made, "ports", dal__xml_child(old, "port"), second_port(old));
        set_two(edits, made, "connections", connections[0], connections[1]);
        drop_name(edits, made, old, origin, target);
        drop_usual(made, old, processes);
    } else {
        edits->lost = 1;
    }
    dal_free_all(from, to, name);
    return made;
}

/* Makes one channel of an sw_channel and the two connections behind it. Returns what stands
 * behind. */
static xmlNode *shorten_channel(struct edits *edits, xmlNode *old)
{
    xmlNode *const connections[2] = {dal__tidy_connection(old, 0), dal__tidy_connection(old, 1)};
    const xmlNode *origin, *target;
    xmlNode *made;
    int wanted = is_wanted(edits);
    if (!wanted || !connections[0] || !connections[1] || !second_port(old))
        return old->next;
    origin = dal__xml_child(connections[0], "origin");
    target = dal__xml_child(connections[1], "target");
    made = origin && target ? make_short(edits, old, origin, target,
                                         (const xmlNode *const[]){connections[0], connections[1]})
                            : NULL;
    if (!made)
        return old->next;
    dal__short_move_remarks(old, made);
    xmlReplaceNode(old, made);
    xmlFreeNode(old);
    for (int i = 0; i < 2; i++)
        dal__xml_remove(connections[i]);
    return made->next;
}

static void shorten_channels(struct edits *edits, xmlNode *parent)
{
    xmlNode *next;
    for (xmlNode *child = parent->children; child; child = next) {
        next = child->next;
        if (child->type != XML_ELEMENT_NODE)
            continue;
        if (dal__xml_is(child, "iterator"))
            shorten_channels(edits, child);
        else if (dal__xml_is(child, "sw_channel"))
            next = shorten_channel(edits, child);
    }
}

static void remove_children(xmlNode *element, const char *kind)
{
    xmlNode *next;
    for (xmlNode *child = element->children; child; child = next) {
        next = child->next;
        if (child->type == XML_ELEMENT_NODE && dal__xml_is(child, kind)) {
            dal__xml_remove(child);
        }
    }
}

/* Adds one word for a source: "a.c portable:b.c". Owns `words`. */
static char *add_word(char *words, const xmlNode *source)
{
    const char *location = dal__xml_get(source, "location");
    const char *type = dal__xml_get(source, "type");
    char *more = NULL;
    if (location && type) {
        int number = dal__short_type_of(location);
        int is_plain =
            number >= 0 && strcmp(dal__short_type(number), type) == 0 && !strchr(location, ':');
        more = dal_format("%s%s%s%s%s", words ? words : "", words ? " " : "", is_plain ? "" : type,
                          is_plain ? "" : ":", location);
    }
    dal_free(words);
    return more;
}

/* Makes words of the locations of a source's <file> elements; NULL without any. */
static char *words_of_files(struct edits *edits, const xmlNode *source)
{
    char *words = NULL;
    DAL__XML_EACH(child, source)
    {
        const char *location = dal__xml_get(child, "location");
        char *more =
            dal_format("%s%s%s", words ? words : "", words ? " " : "", location ? location : "");
        edits->lost |= !more;
        dal_free(words);
        words = more;
    }
    return words;
}

static char *value_of(struct edits *edits, const xmlNode *source, int attribute)
{
    const char *value;
    char *copy;
    if (attribute == DAL__SOURCE_FILES)
        return words_of_files(edits, source);
    value = dal__xml_get(source, dal__short_attribute(attribute));
    copy = value ? dal_strdup(value) : NULL;
    edits->lost |= value && !copy;
    return copy;
}

/* Finds the first source of each type; NULL without one. */
static void find_types(const xmlNode *process, xmlNode *first[DAL__SOURCE_TYPES])
{
    DAL__XML_EACH(child, process)
    {
        const char *type = dal__xml_is(child, "source") ? dal__xml_get(child, "type") : NULL;
        int number = type ? dal__short_find_type(type, strlen(type)) : -1;
        if (number >= 0 && !first[number])
            first[number] = child;
    }
}

static int same_value(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Values of an attribute of sources, by type, and which types have sources. */
struct by_type {
    char *value[DAL__SOURCE_TYPES];
    int is_there[DAL__SOURCE_TYPES];
};

/* Counts the types that have another value than this one. */
static int count_others(const struct by_type *all, const char *value)
{
    int count = 0;
    for (int i = 0; i < DAL__SOURCE_TYPES; i++)
        count += all->is_there[i] && !same_value(all->value[i], value);
    return count;
}

/* Returns the value that stands for all types, NULL for none. It is the one that needs the fewest
 * attributes. */
static const char *choose_general(const struct by_type *all)
{
    const char *best = NULL;
    int fewest = count_others(all, NULL);
    for (int i = DAL__SOURCE_TYPES - 1; i >= 0; i--)
        if (all->value[i] && 1 + count_others(all, all->value[i]) <= fewest) {
            best = all->value[i];
            fewest = 1 + count_others(all, best);
        }
    return best;
}

static void shorten_attribute(struct edits *edits, xmlNode *process,
                              xmlNode *const first[DAL__SOURCE_TYPES], int attribute)
{
    struct by_type all = {.is_there = {0}};
    const char *general;
    char name[64];
    for (int i = 0; i < DAL__SOURCE_TYPES; i++) {
        all.is_there[i] = first[i] && dal__short_fits(attribute, i);
        all.value[i] = all.is_there[i] ? value_of(edits, first[i], attribute) : NULL;
    }
    general = choose_general(&all);
    if (general)
        set_attribute(edits, process, dal__short_attribute(attribute), general);
    for (int i = 0; i < DAL__SOURCE_TYPES; i++)
        if (all.is_there[i] && !same_value(all.value[i], general))
            set_attribute(edits, process, dal__short_of_type(attribute, i, name),
                          all.value[i] ? all.value[i] : "");
    for (int i = 0; i < DAL__SOURCE_TYPES; i++)
        dal_free(all.value[i]);
}

/* Makes the sources words, and their other attributes those of the process. */
static void shorten_sources(struct edits *edits, xmlNode *process)
{
    xmlNode *first[DAL__SOURCE_TYPES] = {0};
    char *words = NULL;
    if (!is_wanted(edits) || !dal__xml_child(process, "source"))
        return;
    find_types(process, first);
    DAL__XML_EACH(child, process)
    {
        if (!dal__xml_is(child, "source"))
            continue;
        words = add_word(words, child);
        edits->lost |= !words;
    }
    for (int i = 0; i < DAL__SOURCE_ATTRIBUTES; i++)
        shorten_attribute(edits, process, first, i);
    remove_children(process, "source");
    set_attribute(edits, process, "source", words);
    dal_free(words);
}

static void shorten_name(struct edits *edits, xmlNode *process)
{
    char *name;
    if (!is_wanted(edits) || !dal__xml_child(process, "append"))
        return;
    name = name_with_indices(process);
    set_attribute(edits, process, "name", name);
    remove_children(process, "append");
    dal_free(name);
}

/* Returns the first channel from a port. */
static xmlNode *channel_from(const xmlNode *parent, const char *from)
{
    DAL__XML_EACH(child, parent)
    {
        xmlNode *found = dal__xml_is(child, "iterator") ? channel_from(child, from) : NULL;
        const char *text = dal__xml_is(child, "channel") ? dal__xml_get(child, "from") : NULL;
        if (text && strcmp(text, from) == 0)
            found = child;
        if (found)
            return found;
    }
    return NULL;
}

/* Moves the blocks of a port to its channel. */
static void move_blocks(struct edits *edits, const xmlNode *process, const xmlNode *port)
{
    const char *blocks = dal__xml_get(port, "blocks");
    char *name = name_with_indices(process), *own = name_with_indices(port);
    char *from = name && own ? dal_format("%s.%s", name, own) : NULL;
    xmlNode *channel =
        from && blocks ? channel_from(xmlDocGetRootElement(process->doc), from) : NULL;
    edits->lost |= !from;
    if (channel)
        set_attribute(edits, channel, "blocks", blocks);
    dal_free_all(from, own, name);
}

static void drop_ports(struct edits *edits, xmlNode *process)
{
    xmlNode *next;
    for (xmlNode *child = process->children; child; child = next) {
        next = child->next;
        if (child->type != XML_ELEMENT_NODE ||
            !(dal__xml_is(child, "port") || dal__xml_is(child, "iterator")) || !is_wanted(edits))
            continue;
        if (dal__xml_is(child, "port"))
            move_blocks(edits, process, child);
        dal__xml_remove(child);
    }
}

/* Makes a network's parameter an attribute, unless it says more than a value. */
static void shorten_parameters(struct edits *edits, xmlNode *network)
{
    xmlNode *next;
    for (xmlNode *child = network->children; child; child = next) {
        const char *name;
        next = child->next;
        if (child->type != XML_ELEMENT_NODE || !dal__xml_is(child, "parameter") || child->children)
            continue;
        name = dal__xml_get(child, "name");
        if (!name || !strchr(name, '.') || !is_wanted(edits))
            continue;
        set_attribute(edits, network, name, dal__xml_get(child, "value"));
        dal__xml_remove(child);
    }
}

static void each_named(struct edits *edits, xmlNode *parent, const char *kind,
                       void (*visit)(struct edits *, xmlNode *))
{
    DAL__XML_EACH(child, parent)
    {
        if (dal__xml_is(child, "iterator"))
            each_named(edits, child, kind, visit);
        else if (dal__xml_is(child, kind))
            visit(edits, child);
    }
}

int dal__edits_make(xmlNode *root, const unsigned char *wanted, size_t *count)
{
    struct edits edits = {.wanted = wanted};
    shorten_channels(&edits, root);
    each_named(&edits, root, "process", shorten_sources);
    each_named(&edits, root, "process", drop_ports);
    each_named(&edits, root, "process", shorten_name);
    each_named(&edits, root, "network", shorten_parameters);
    each_named(&edits, root, "network", shorten_name);
    *count = edits.count;
    return edits.lost ? DAL_ERR_NOMEM : DAL_OK;
}

#include "spec/read/short.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/limits.h"
#include "spec/read/names.h"
#include "spec/read/raw.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_INDICES = 16, MOST_NESTED = 8, MOST_NAME = 100 };

/* A part of a text. */
struct piece {
    const char *at;
    int length;
};

/* A name with indices in brackets, as written. */
struct indexed {
    struct piece base, index[MOST_INDICES];
    int count;
};

/* One end of a short channel. */
struct short_end {
    struct indexed process, port;
    xmlNode *element; /* the process */
};

struct expansion {
    struct dal_diags *diags;
    xmlNode **processes; /* in the order of the file */
    char **keys;         /* "Dec[]": names with as many brackets as they have indices */
    size_t count, room, key_room;
    struct dal_names names; /* from keys to processes */
    int failed;
};

/* ---- small things of trees ------------------------------------------------------------------- */

static const xmlChar *as_xml(const char *text)
{
    return (const xmlChar *)text;
}

/* A new element that counts as standing where `of` does. NULL without memory. */
static xmlNode *make_element(const xmlNode *of, const char *name)
{
    xmlNode *made = xmlNewDocNode(of->doc, of->ns, as_xml(name), NULL);
    if (!made)
        return NULL;
    made->_private = (void *)(intptr_t)(int)(intptr_t)of->_private; /* the line alone */
    made->extra = DAL__SHORT_MADE;
    return made;
}

static int set_text(xmlNode *element, const char *attribute, const char *text)
{
    return xmlNewProp(element, as_xml(attribute), as_xml(text)) ? DAL_OK : DAL_ERR_NOMEM;
}

static int set_piece(xmlNode *element, const char *attribute, struct piece piece)
{
    char *text = dal_format("%.*s", piece.length, piece.at);
    int status = text ? set_text(element, attribute, text) : DAL_ERR_NOMEM;
    dal_free(text);
    return status;
}

/* An element with a name, as the last of another one; NULL without memory. */
static xmlNode *add_named(xmlNode *parent, const char *kind, struct piece name)
{
    xmlNode *made = make_element(parent, kind);
    if (!made)
        return NULL;
    xmlAddChild(parent, made);
    return set_piece(made, "name", name) ? NULL : made;
}

/* "append" elements in front of all that is in an element. */
static int add_appends(xmlNode *element, const struct indexed *name)
{
    xmlNode *behind = NULL;
    for (int i = 0; i < name->count; i++) {
        xmlNode *append = make_element(element, "append");
        if (!append)
            return DAL_ERR_NOMEM;
        if (behind)
            xmlAddNextSibling(behind, append);
        else if (element->children)
            xmlAddPrevSibling(element->children, append);
        else
            xmlAddChild(element, append);
        if (set_piece(append, "function", name->index[i]))
            return DAL_ERR_NOMEM;
        behind = append;
    }
    return DAL_OK;
}

/* Puts an element behind the ports and appends of a process. */
static void put_behind_ports(xmlNode *process, xmlNode *element)
{
    xmlNode *last = NULL;
    DAL__XML_EACH(child, process)
    {
        if (dal__xml_is(child, "port") || dal__xml_is(child, "iterator") ||
            dal__xml_is(child, "append"))
            last = child;
    }
    if (last)
        xmlAddNextSibling(last, element);
    else if (process->children)
        xmlAddPrevSibling(process->children, element);
    else
        xmlAddChild(process, element);
}

/* ---- names ----------------------------------------------------------------------------------- */

static struct piece trim(const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    while (end > at && end[-1] == ' ')
        end--;
    return (struct piece){.at = at, .length = (int)(end - at)};
}

/* NAME[EXPRESSION][...] in front of `stop` or of the end: what is behind it, NULL where the text is
 * none of that. */
static const char *part_name(const char *text, char stop, struct indexed *name)
{
    size_t length = strcspn(text, "[].");
    *name = (struct indexed){.base = {.at = text, .length = (int)length}};
    if (stop != '.') { /* of channels, with points in it */
        length = strcspn(text, "[]");
        name->base.length = (int)length;
    }
    text += length;
    while (*text == '[') {
        const char *end = strchr(text, ']');
        if (!end || name->count == MOST_INDICES)
            return NULL;
        name->index[name->count++] = trim(text + 1, end);
        text = end + 1;
    }
    return length && *text == stop ? text : NULL;
}

static int same_piece(struct piece a, const char *text)
{
    return strlen(text) == (size_t)a.length && strncmp(text, a.at, (size_t)a.length) == 0;
}

static int is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Is a variable in an expression? */
static int mentions(struct piece expression, const char *variable)
{
    size_t length = strlen(variable);
    for (int at = 0; at < expression.length;) {
        int word = 0;
        while (at + word < expression.length && is_letter(expression.at[at + word]))
            word++;
        if (word && (size_t)word == length && strncmp(expression.at + at, variable, length) == 0)
            return 1;
        at += word ? word : 1;
    }
    return 0;
}

static int any_mentions(const struct indexed *name, const char *variable)
{
    for (int i = 0; i < name->count; i++)
        if (mentions(name->index[i], variable))
            return 1;
    return 0;
}

static void refuse_short(struct expansion *e, const xmlNode *element, const char *code,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

static void refuse_short(struct expansion *e, const xmlNode *element, const char *code,
                         const char *format, ...)
{
    char words[512];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof(words), format, list);
    va_end(list);
    dal_error(e->diags, dal__xml_place(element), code, "%s", words);
    e->failed = 1;
}

/* ---- processes ------------------------------------------------------------------------------- */

const char *dal__short_source_type(const char *location)
{
    static const char *const types[][2] = {{".c", "c"},    {".cl", "opencl"}, {".cpp", "c++"},
                                           {".cc", "c++"}, {".cxx", "c++"},   {".C", "c++"}};
    const char *dot = strrchr(location, '.');
    for (size_t i = 0; dot && i < sizeof(types) / sizeof(types[0]); i++)
        if (strcmp(types[i][0], dot) == 0)
            return types[i][1];
    return NULL;
}

static const char *const of_sources[] = {"dataparallelism", "cflags", "libs",
                                         "include",         "pkgs",   "contraction"};

int dal__short_is_of_source(const char *attribute)
{
    for (size_t i = 0; i < sizeof(of_sources) / sizeof(of_sources[0]); i++)
        if (strcmp(of_sources[i], attribute) == 0)
            return 1;
    return 0;
}

/* Attributes of sources that a kernel has no use for. */
static int is_for(const char *type, const char *attribute)
{
    if (strcmp(attribute, "libs") == 0 || strcmp(attribute, "pkgs") == 0)
        return strcmp(type, "opencl") != 0;
    return strcmp(attribute, "dataparallelism") != 0 || strcmp(type, "opencl") == 0;
}

static int give_attributes(const xmlNode *process, xmlNode *source, const char *type)
{
    int status = DAL_OK;
    for (size_t i = 0; i < sizeof(of_sources) / sizeof(of_sources[0]) && !status; i++) {
        xmlChar *value = xmlGetNoNsProp(process, as_xml(of_sources[i]));
        if (value && is_for(type, of_sources[i]))
            status = set_text(source, of_sources[i], (const char *)value);
        xmlFree(value);
    }
    return status;
}

/* The number of the next source: as many as there are in the file. */
static int add_source(struct expansion *e, xmlNode *process, const char *location, int number,
                      xmlNode **behind)
{
    const char *type = dal__short_source_type(location);
    xmlNode *source;
    char id[16];
    int status;
    if (!type) {
        refuse_short(
            e, process, "source-file",
            "source '%.200s': the name must end in .c, .cl, or for C++ in .cc, .cpp, .cxx or .C; "
            "others want a <source> that says the type",
            location);
        return DAL_OK;
    }
    source = make_element(process, "source");
    if (!source)
        return DAL_ERR_NOMEM;
    if (*behind)
        xmlAddNextSibling(*behind, source);
    else
        put_behind_ports(process, source);
    *behind = source;
    snprintf(id, sizeof(id), "%d", number);
    status = set_text(source, "id", id);
    if (!status)
        status = set_text(source, "type", type);
    if (!status)
        status = set_text(source, "location", location);
    return status ? status : give_attributes(process, source, type);
}

static int expand_sources(struct expansion *e, xmlNode *process)
{
    xmlChar *text = xmlGetNoNsProp(process, as_xml("source"));
    xmlNode *behind = NULL;
    char *rest = (char *)text;
    int number = 0, status = DAL_OK;
    for (char *word = text ? strtok_r((char *)text, " ", &rest) : NULL; word && !status;
         word = strtok_r(NULL, " ", &rest))
        status = add_source(e, process, word, number++, &behind);
    for (size_t i = 0; i < sizeof(of_sources) / sizeof(of_sources[0]); i++) {
        if (!text && xmlHasProp(process, as_xml(of_sources[i])))
            refuse_short(e, process, "no-effect",
                         "process: %s is of sources, and there is no attribute "
                         "source here",
                         of_sources[i]);
        xmlUnsetProp(process, as_xml(of_sources[i]));
    }
    xmlUnsetProp(process, as_xml("source"));
    xmlFree(text);
    return status;
}

/* NAME[i] of a process becomes NAME with an append. */
static int expand_name(struct expansion *e, xmlNode *element)
{
    xmlChar *text = xmlGetNoNsProp(element, as_xml("name"));
    struct indexed name;
    int status = DAL_OK;
    if (text && strchr((const char *)text, '[')) {
        if (part_name((const char *)text, '\0', &name)) {
            status = add_appends(element, &name);
            xmlUnsetProp(element, as_xml("name"));
            if (!status)
                status = set_piece(element, "name", name.base);
        } else {
            refuse_short(e, element, "bad-name", "'%.200s' is no name with indices, as Dec[i]",
                         (const char *)text);
        }
    }
    xmlFree(text);
    return status;
}

static char *key_of(struct piece base, int indices)
{
    char brackets[2 * MOST_INDICES + 1] = "";
    for (int i = 0; i < indices && i < MOST_INDICES; i++)
        memcpy(brackets + 2 * i, "[]", 3);
    return dal_format("%.*s%s", base.length, base.at, brackets);
}

static int list_process(struct expansion *e, xmlNode *process)
{
    xmlChar *name = xmlGetNoNsProp(process, as_xml("name"));
    const char *text = name ? (const char *)name : "";
    int indices = 0, status;
    char *key;
    DAL__XML_EACH(child, process)
    {
        indices += dal__xml_is(child, "append");
    }
    key = key_of((struct piece){.at = text, .length = (int)strlen(text)}, indices);
    xmlFree(name);
    if (!key || dal_grow(&e->processes, e->count, &e->room, sizeof(*e->processes)) ||
        dal_grow(&e->keys, e->count, &e->key_room, sizeof(*e->keys))) {
        dal_free(key);
        return DAL_ERR_NOMEM;
    }
    e->processes[e->count] = process;
    e->keys[e->count] = key;
    status = dal_names_add(&e->names, key, e->count++);
    return status == DAL_ERR_NOMEM ? status : DAL_OK;
}

static int expand_process(struct expansion *e, xmlNode *process)
{
    int status = expand_name(e, process);
    if (!status)
        status = expand_sources(e, process);
    return status ? status : list_process(e, process);
}

/* ---- ports ----------------------------------------------------------------------------------- */

/* The iterators around a channel, from the innermost out. */
static int list_iterators(xmlNode *element, xmlNode *iterators[MOST_NESTED])
{
    int count = 0;
    for (xmlNode *up = element->parent; up && up->type == XML_ELEMENT_NODE; up = up->parent)
        if (dal__xml_is(up, "iterator") && count < MOST_NESTED)
            iterators[count++] = up;
    return count;
}

static int has_appends(xmlNode *port, const struct indexed *name, int same)
{
    int count = 0;
    DAL__XML_EACH(child, port)
    {
        xmlChar *function;
        if (!dal__xml_is(child, "append"))
            continue;
        function = xmlGetNoNsProp(child, as_xml("function"));
        if (same && (count >= name->count || !function ||
                     !same_piece(name->index[count], (const char *)function)))
            count = MOST_INDICES;
        count++;
        xmlFree(function);
    }
    return count == name->count;
}

/* A port of this name in a process or an iterator of it. One that is made here must have the same
 * indices; of one of the user's, it is the user who knows what they stand for. */
static xmlNode *find_port(xmlNode *within, const struct indexed *name, int depth)
{
    DAL__XML_EACH(child, within)
    {
        xmlNode *found = NULL;
        if (dal__xml_is(child, "iterator") && depth < MOST_NESTED) {
            found = find_port(child, name, depth + 1);
        } else if (dal__xml_is(child, "port")) {
            xmlChar *text = xmlGetNoNsProp(child, as_xml("name"));
            if (text && same_piece(name->base, (const char *)text) &&
                has_appends(child, name, child->extra == DAL__SHORT_MADE))
                found = child;
            xmlFree(text);
        }
        if (found)
            return found;
    }
    return NULL;
}

/* Which iterators are wanted around the port: those whose variables its indices have. Returns how
 * many, or -1 after an error. */
static int choose_wraps(struct expansion *e, const xmlNode *channel, const struct short_end *end,
                        xmlNode *const *iterators, int count, xmlNode *wraps[MOST_NESTED])
{
    int chosen = 0;
    for (int i = 0; i < count; i++) {
        xmlChar *variable = xmlGetNoNsProp(iterators[i], as_xml("variable"));
        int wanted = variable && any_mentions(&end->port, (const char *)variable);
        if (wanted && any_mentions(&end->process, (const char *)variable)) {
            refuse_short(
                e, channel, "unknown-port",
                "channel: '%s' is an index of process '%.*s' and of its port '%.*s': the process "
                "has to declare this port itself",
                (const char *)variable, end->process.base.length, end->process.base.at,
                end->port.base.length, end->port.base.at);
            chosen = -1;
        }
        xmlFree(variable);
        if (chosen < 0)
            return -1;
        if (wanted)
            wraps[chosen++] = iterators[i];
    }
    return chosen;
}

static xmlNode *wrap(xmlNode *inner, const xmlNode *channel, const xmlNode *iterator)
{
    xmlNode *made = make_element(channel, "iterator");
    static const char *const names[] = {"variable", "range"};
    int status = made ? DAL_OK : DAL_ERR_NOMEM;
    for (int i = 0; i < 2 && !status; i++) {
        xmlChar *value = xmlGetNoNsProp(iterator, as_xml(names[i]));
        status = set_text(made, names[i], value ? (const char *)value : "");
        xmlFree(value);
    }
    if (made)
        xmlAddChild(made, inner);
    if (!status)
        return made;
    xmlFreeNode(made ? made : inner);
    return NULL;
}

static int declare_port(struct expansion *e, const xmlNode *channel, const struct short_end *end,
                        int output, const char *blocks)
{
    xmlNode *iterators[MOST_NESTED], *wraps[MOST_NESTED], *made = make_element(channel, "port");
    int count = list_iterators((xmlNode *)channel, iterators);
    int chosen = choose_wraps(e, channel, end, iterators, count, wraps), status;
    if (!made || chosen < 0) {
        xmlFreeNode(made);
        return made ? DAL_OK : DAL_ERR_NOMEM;
    }
    status = set_text(made, "type", output ? "output" : "input");
    if (!status)
        status = set_piece(made, "name", end->port.base);
    if (!status && blocks)
        status = set_text(made, "blocks", blocks);
    if (!status)
        status = add_appends(made, &end->port);
    if (status)
        xmlFreeNode(made);
    for (int i = 0; i < chosen && !status; i++) {
        made = wrap(made, channel, wraps[i]);
        status = made ? DAL_OK : DAL_ERR_NOMEM;
    }
    if (!status)
        put_behind_ports(end->element, made);
    return status;
}

static int give_port(struct expansion *e, const xmlNode *channel, const struct short_end *end,
                     int output, const char *blocks)
{
    xmlNode *port = find_port(end->element, &end->port, 0);
    xmlChar *type = port ? xmlGetNoNsProp(port, as_xml("type")) : NULL;
    int is_output = type && strcmp((const char *)type, "output") == 0;
    int status = DAL_OK;
    if (!port)
        status = declare_port(e, channel, end, output, blocks);
    else if (is_output != output)
        refuse_short(e, channel, "port-direction",
                     "channel: port '%.*s' of process '%.*s' is an %s port, an %s port is needed",
                     end->port.base.length, end->port.base.at, end->process.base.length,
                     end->process.base.at, is_output ? "output" : "input",
                     output ? "output" : "input");
    else if (blocks)
        refuse_short(
            e, channel, "no-effect",
            "channel: blocks are of a port that is declared by this channel; '%.*s' of process "
            "'%.*s' is there already",
            end->port.base.length, end->port.base.at, end->process.base.length,
            end->process.base.at);
    xmlFree(type);
    return status;
}

/* ---- channels -------------------------------------------------------------------------------- */

/* The same name with another number of indices is meant before any other. */
static const char *hint_of(const struct expansion *e, const struct indexed *name, const char *key,
                           struct dal__hint *hint)
{
    for (int count = 0; count < 4; count++) {
        char *other = key_of(name->base, count);
        int found = other && dal_names_find(&e->names, other) != DAL_NAMES_NONE;
        if (found)
            snprintf(hint->text, sizeof(hint->text), "; did you mean '%.100s'?", other);
        dal_free(other);
        if (found)
            return hint->text;
    }
    return dal__did_you_mean(hint, &e->names, key);
}

static int find_end(struct expansion *e, const xmlNode *channel, const char *attribute,
                    const char *text, struct short_end *end)
{
    const char *point = part_name(text, '.', &end->process);
    struct dal__hint hint;
    char *key;
    size_t number;
    if (!point || !part_name(point + 1, '\0', &end->port) ||
        memchr(end->port.base.at, '.', (size_t)end->port.base.length)) {
        refuse_short(
            e, channel, "bad-connection",
            "channel: %s=\"%.200s\" must be a process and its port, as A.out or A[i].out[j]",
            attribute, text);
        return DAL_OK;
    }
    key = key_of(end->process.base, end->process.count);
    if (!key)
        return DAL_ERR_NOMEM;
    number = dal_names_find(&e->names, key);
    if (number == DAL_NAMES_NONE)
        refuse_short(e, channel, "unknown-process",
                     "channel: %s=\"%.200s\": there is no process '%.200s'%s", attribute, text, key,
                     hint_of(e, &end->process, key, &hint));
    else
        end->element = e->processes[number];
    dal_free(key);
    return DAL_OK;
}

/* The name of a channel that has none: its ends, and all variables around it. */
static char *make_name(const struct short_end ends[2], xmlNode *channel, struct indexed *name,
                       xmlChar *variables[MOST_NESTED])
{
    xmlNode *iterators[MOST_NESTED];
    int count = list_iterators(channel, iterators);
    char *base =
        dal_format("%.*s.%.*s-%.*s.%.*s", ends[0].process.base.length, ends[0].process.base.at,
                   ends[0].port.base.length, ends[0].port.base.at, ends[1].process.base.length,
                   ends[1].process.base.at, ends[1].port.base.length, ends[1].port.base.at);
    *name = (struct indexed){.base = {.at = base, .length = base ? (int)strlen(base) : 0}};
    for (int i = count - 1; i >= 0; i--) {
        xmlChar *variable = xmlGetNoNsProp(iterators[i], as_xml("variable"));
        const char *text = variable ? (const char *)variable : "";
        variables[name->count] = variable;
        name->index[name->count++] = (struct piece){.at = text, .length = (int)strlen(text)};
    }
    return base;
}

/* One of two words of an attribute, or what it is without it. */
static struct piece word_of(const char *text, int number, struct piece otherwise)
{
    const char *second;
    if (!text)
        return otherwise;
    text += strspn(text, " ");
    second = text + strcspn(text, " ");
    if (number == 0)
        return (struct piece){.at = text, .length = (int)(second - text)};
    second += strspn(second, " ");
    return (struct piece){.at = second, .length = (int)strcspn(second, " ")};
}

/* What a short channel becomes. */
struct parts {
    struct indexed name;
    struct piece ports[2], connections[2];
    xmlNode *channel, *made[3]; /* the sw_channel, and the connections at its two ends */
};

static int copy_attributes(const struct parts *parts, xmlNode *made)
{
    static const char *const own[] = {"from", "to", "name", "blocks", "ports", "connections"};
    int status = set_text(made, "type", "fifo");
    if (!status)
        status = set_piece(made, "name", parts->name.base);
    for (const xmlAttr *a = parts->channel->properties; a && !status; a = a->next) {
        const char *name = (const char *)a->name;
        xmlChar *value;
        int is_own = 0;
        for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
            is_own |= strcmp(own[i], name) == 0;
        if (is_own)
            continue;
        value = xmlGetNoNsProp(parts->channel, a->name);
        status = value ? set_text(made, strcmp(name, "type") == 0 ? "tokentype" : name,
                                  (const char *)value)
                       : DAL_ERR_NOMEM;
        xmlFree(value);
    }
    return status;
}

static int make_sw_channel(const struct parts *parts)
{
    xmlNode *made = parts->made[0];
    int status = copy_attributes(parts, made);
    for (int i = 0; i < 2 && !status; i++) {
        xmlNode *port = make_element(made, "port");
        if (!port)
            return DAL_ERR_NOMEM;
        xmlAddChild(made, port);
        status = set_text(port, "type", i ? "output" : "input");
        if (!status)
            status = set_piece(port, "name", parts->ports[i]);
    }
    return status ? status : add_appends(made, &parts->name);
}

static int add_side(xmlNode *connection, const char *kind, const struct indexed *thing,
                    const struct indexed *port)
{
    xmlNode *side = add_named(connection, kind, thing->base);
    xmlNode *at = side ? add_named(side, "port", port->base) : NULL;
    if (!at || add_appends(at, port))
        return DAL_ERR_NOMEM;
    return add_appends(side, thing);
}

static int make_connection(const struct parts *parts, const struct short_end *end, int number)
{
    xmlNode *made = parts->made[1 + number];
    const struct indexed port = {.base = parts->ports[number]};
    int status = set_piece(made, "name", parts->connections[number]);
    if (!status && number == 0)
        status = add_side(made, "origin", &end->process, &end->port);
    if (!status)
        status = add_side(made, number ? "origin" : "target", &parts->name, &port);
    if (!status && number == 1)
        status = add_side(made, "target", &end->process, &end->port);
    return status ? status : add_appends(made, &parts->name);
}

/* Puts what was made in the place of the channel. */
static int replace_channel(struct parts *parts, const struct short_end ends[2])
{
    static const char *const kinds[] = {"sw_channel", "connection", "connection"};
    xmlNode *behind = parts->channel;
    int status = DAL_OK;
    for (int i = 0; i < 3; i++) {
        parts->made[i] = make_element(parts->channel, kinds[i]);
        if (!parts->made[i])
            return DAL_ERR_NOMEM;
        xmlAddNextSibling(behind, parts->made[i]);
        behind = parts->made[i];
    }
    parts->made[0]->_private = parts->channel->_private; /* what tidy.c notes there, too */
    status = make_sw_channel(parts);
    for (int i = 0; i < 2 && !status; i++)
        status = make_connection(parts, &ends[i], i);
    return status;
}

static int place_channel(struct expansion *e, struct parts *parts, const struct short_end ends[2])
{
    xmlChar *ports = xmlGetNoNsProp(parts->channel, as_xml("ports"));
    xmlChar *connections = xmlGetNoNsProp(parts->channel, as_xml("connections"));
    static const char *const usual[] = {"in", "out"};
    char *made[2] = {dal_format("%.*s_%.*s", ends[0].process.base.length, ends[0].process.base.at,
                                parts->name.base.length, parts->name.base.at),
                     dal_format("%.*s_%.*s", parts->name.base.length, parts->name.base.at,
                                ends[1].process.base.length, ends[1].process.base.at)};
    int status = made[0] && made[1] ? DAL_OK : DAL_ERR_NOMEM;
    for (int i = 0; i < 2 && !status; i++) {
        struct piece name = {.at = made[i], .length = (int)strlen(made[i])};
        struct piece port = {.at = usual[i], .length = (int)strlen(usual[i])};
        parts->ports[i] = word_of((const char *)ports, i, port);
        parts->connections[i] = word_of((const char *)connections, i, name);
    }
    if (!status && parts->name.base.length > MOST_NAME)
        refuse_short(
            e, parts->channel, "bad-name",
            "channel: without a name, it would have one of %d characters; give it one of at most "
            "%d",
            parts->name.base.length, MOST_NAME);
    else if (!status)
        status = replace_channel(parts, ends);
    dal_free(made[0]);
    dal_free(made[1]);
    xmlFree(ports);
    xmlFree(connections);
    return status;
}

static int expand_ends(struct expansion *e, xmlNode *channel, const struct short_end ends[2])
{
    struct parts parts = {.channel = channel};
    xmlChar *variables[MOST_NESTED] = {0}, *name = xmlGetNoNsProp(channel, as_xml("name"));
    xmlChar *blocks = xmlGetNoNsProp(channel, as_xml("blocks"));
    char *made = NULL;
    int status = give_port(e, channel, &ends[0], 1, (const char *)blocks);
    if (!status)
        status = give_port(e, channel, &ends[1], 0, NULL);
    if (name && !part_name((const char *)name, '\0', &parts.name))
        refuse_short(e, channel, "bad-name", "'%.200s' is no name with indices, as packets[i]",
                     (const char *)name);
    if (!name && !status) {
        made = make_name(ends, channel, &parts.name, variables);
        status = made ? DAL_OK : DAL_ERR_NOMEM;
    }
    if (!status && !e->failed)
        status = place_channel(e, &parts, ends);
    for (int i = 0; i < MOST_NESTED; i++)
        xmlFree(variables[i]);
    dal_free(made);
    xmlFree(blocks);
    xmlFree(name);
    return status;
}

static int expand_channel(struct expansion *e, xmlNode *channel)
{
    struct short_end ends[2] = {0};
    xmlChar *from = xmlGetNoNsProp(channel, as_xml("from"));
    xmlChar *to = xmlGetNoNsProp(channel, as_xml("to"));
    int status = from && to ? DAL_OK : DAL_ERR_NOMEM;
    if (!status)
        status = find_end(e, channel, "from", (const char *)from, &ends[0]);
    if (!status)
        status = find_end(e, channel, "to", (const char *)to, &ends[1]);
    if (!status && ends[0].element && ends[1].element)
        status = expand_ends(e, channel, ends);
    xmlFree(from);
    xmlFree(to);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Does something with each element of a kind, outside of processes; what it puts behind the element
 * is passed over, and a channel goes then. */
static int each_element(struct expansion *e, xmlNode *parent, const char *kind, int depth,
                        int (*visit)(struct expansion *, xmlNode *))
{
    xmlNode *next;
    int status = DAL_OK;
    for (xmlNode *child = dal__xml_element(parent->children); child && !status; child = next) {
        next = dal__xml_element(child->next);
        if (dal__xml_is(child, "iterator") && depth < MOST_NESTED) {
            status = each_element(e, child, kind, depth + 1, visit);
        } else if (dal__xml_is(child, kind)) {
            status = visit(e, child);
            if (dal__xml_is(child, "channel") && !status) {
                xmlUnlinkNode(child);
                xmlFreeNode(child);
            }
        }
    }
    return status;
}

int dal__short_expand(struct dal_diags *diags, xmlNode *root)
{
    struct expansion e = {.diags = diags};
    int status = each_element(&e, root, "process", 0, expand_process);
    if (!status)
        status = each_element(&e, root, "channel", 0, expand_channel);
    dal_names_finish(&e.names);
    for (size_t i = 0; i < e.count; i++)
        dal_free(e.keys[i]);
    dal_free(e.keys);
    dal_free(e.processes);
    if (status == DAL_ERR_NOMEM)
        dal__lost(diags);
    return status ? status : e.failed ? DAL_ERR_INVALID : DAL_OK;
}

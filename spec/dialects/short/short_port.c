/* Declares the ports of channels in the short form. */
#include "spec/dialects/short/short_parts.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

/* ---- which ports there are ------------------------------------------------------------------- */

static int count_appends(const xmlNode *port)
{
    int count = 0;
    DAL__XML_EACH(child, port)
    {
        count += dal__xml_is(child, "append");
    }
    return count;
}

/* A key of a declared port: the number of indices alone counts, since only the user knows what they
 * stand for. */
static char *key_of_user(size_t process, struct dal__piece base, int indices)
{
    return dal_format("%zu.%d.%.*s", process, indices, base.length, base.at);
}

/* A key of a port that is made here: the indices must be the same as well. */
static char *key_of_made(size_t process, const struct dal__indexed *name)
{
    char *key = dal_format("%zu %.*s", process, name->base.length, name->base.at);
    for (int i = 0; i < name->count && key; i++) {
        char *longer = dal_format("%s[%.*s", key, name->index[i].length, name->index[i].at);
        dal_free(key);
        key = longer;
    }
    return key;
}

/* Takes the key over. The first port of a key is the one that is found. */
static int list_port(struct dal__short_ports *ports, char *key, xmlNode *port)
{
    int status;
    if (!key || dal_grow(&ports->list, ports->count, &ports->room, sizeof(*ports->list)) ||
        dal_grow(&ports->keys, ports->count, &ports->key_room, sizeof(*ports->keys))) {
        dal_free(key);
        return DAL_ERR_NOMEM;
    }
    ports->list[ports->count] = port;
    ports->keys[ports->count] = key;
    status = dal_names_add(&ports->names, key, ports->count++);
    return status == DAL_ERR_NOMEM ? status : DAL_OK;
}

/* Lists the ports that stand in a process or in an iterator of it. */
static int list_ports(struct dal__short_ports *ports, size_t process, xmlNode *within, int depth)
{
    int status = DAL_OK;
    DAL__XML_EACH(child, within)
    {
        const char *name = NULL;
        if (!status && dal__xml_is(child, "iterator") && depth < DAL__MOST_NESTED)
            status = list_ports(ports, process, child, depth + 1);
        else if (!status && dal__xml_is(child, "port"))
            name = dal__xml_get(child, "name");
        if (name) {
            struct dal__piece base = {.at = name, .length = (int)strlen(name)};
            status = list_port(ports, key_of_user(process, base, count_appends(child)), child);
        }
    }
    return status;
}

/* Lists the ports of a process, when a channel first asks for them. */
static int list_ports_of(struct dal__expansion *e, const struct dal__short_end *end)
{
    struct dal__short_ports *ports = &e->ports;
    int status = DAL_OK;
    if (!ports->last)
        ports->last = dal_calloc(e->count + 1, sizeof(*ports->last));
    if (!ports->last)
        return DAL_ERR_NOMEM;
    if (ports->last[end->number])
        return DAL_OK;
    status = list_ports(ports, end->number, end->element, 0);
    ports->last[end->number] = dal__short_last_port(end->element);
    return status;
}

static int find_key(struct dal__short_ports *ports, char *key, xmlNode **port)
{
    size_t found = key ? dal_names_find(&ports->names, key) : DAL_NAMES_NONE;
    if (found != DAL_NAMES_NONE)
        *port = ports->list[found];
    return key ? DAL_OK : DAL_ERR_NOMEM;
}

/* Finds a port of this name; *port is NULL without one. */
static int find_port(struct dal__expansion *e, const struct dal__short_end *end, xmlNode **port)
{
    char *of_user = key_of_user(end->number, end->port.base, end->port.count),
         *made = key_of_made(end->number, &end->port);
    int status = list_ports_of(e, end);
    *port = NULL;
    if (!status)
        status = find_key(&e->ports, of_user, port);
    if (!status && !*port)
        status = find_key(&e->ports, made, port);
    dal_free_all(of_user, made);
    return status;
}

void dal__short_ports_finish(struct dal__short_ports *ports)
{
    dal_names_finish(&ports->names);
    for (size_t i = 0; i < ports->count; i++)
        dal_free(ports->keys[i]);
    dal_free_all(ports->keys, ports->list, ports->last);
}

/* ---- making one ------------------------------------------------------------------------------ */

/* A port is declared in an iterator of its own. If an iterator around its process has the same
 * variable, nobody could tell which is meant. Returns whether that was refused. */
static int refuse_same_variable(struct dal__expansion *e, const xmlNode *channel,
                                const struct dal__short_end *end, const char *variable)
{
    xmlNode *around[DAL__MOST_NESTED];
    int count = dal__short_iterators(end->element, around), same = 0;
    for (int i = 0; i < count && !same; i++) {
        const char *other = dal__xml_get(around[i], "variable");
        same = other && strcmp(other, variable) == 0;
        if (!same)
            continue;
        dal__short_refuse(e, channel, "duplicate-name",
                          "channel: the iterator around it and the one around process '%.*s' both "
                          "have the variable '%s', and port '%.*s' needs both: rename one",
                          end->process.base.length, end->process.base.at, variable,
                          end->port.base.length, end->port.base.at);
        dal_note(e->diags, dal__xml_place(around[i]), "the iterator around process '%.*s' is here",
                 end->process.base.length, end->process.base.at);
    }
    return same;
}

/* Chooses the iterators that the port needs around it: those whose variables its indices use.
 * Returns how many, or -1 after an error. */
static int choose_wraps(struct dal__expansion *e, const xmlNode *channel,
                        const struct dal__short_end *end, xmlNode *const *iterators, int count,
                        xmlNode *wraps[DAL__MOST_NESTED])
{
    int chosen = 0;
    for (int i = 0; i < count; i++) {
        const char *variable = dal__xml_get(iterators[i], "variable");
        int wanted = variable && dal__short_mentions(&end->port, variable);
        if (wanted && dal__short_mentions(&end->process, variable)) {
            dal__short_refuse(
                e, channel, "unknown-port",
                "channel: '%s' is an index of process '%.*s' and of its port '%.*s': the process "
                "has to declare this port itself",
                variable, end->process.base.length, end->process.base.at, end->port.base.length,
                end->port.base.at);
            chosen = -1;
        } else if (wanted && refuse_same_variable(e, channel, end, variable)) {
            chosen = -1;
        }
        if (chosen < 0)
            return -1;
        if (wanted)
            wraps[chosen++] = iterators[i];
    }
    return chosen;
}

static xmlNode *wrap(xmlNode *inner, const xmlNode *channel, const xmlNode *iterator)
{
    xmlNode *made = dal__short_element(channel, "iterator");
    static const char *const names[] = {"variable", "range"};
    int status = made ? DAL_OK : DAL_ERR_NOMEM;
    for (int i = 0; i < 2 && !status; i++) {
        const char *value = dal__xml_get(iterator, names[i]);
        status = dal__short_set(made, names[i], value ? value : "");
    }
    if (made)
        xmlAddChild(made, inner);
    if (!status)
        return made;
    xmlFreeNode(made ? made : inner);
    return NULL;
}

static int declare_port(struct dal__expansion *e, const xmlNode *channel,
                        const struct dal__short_end *end, int output, const char *blocks)
{
    xmlNode *iterators[DAL__MOST_NESTED], *wraps[DAL__MOST_NESTED],
        *made = dal__short_element(channel, "port");
    int count = dal__short_iterators((xmlNode *)channel, iterators);
    int chosen = choose_wraps(e, channel, end, iterators, count, wraps), status;
    if (!made || chosen < 0) {
        xmlFreeNode(made);
        return made ? DAL_OK : DAL_ERR_NOMEM;
    }
    status = dal__short_set(made, "type", output ? "output" : "input");
    if (!status)
        status = dal__short_set_piece(made, "name", end->port.base);
    if (!status && blocks)
        status = dal__short_set(made, "blocks", blocks);
    if (!status)
        status = dal__short_add_appends(made, &end->port);
    if (!status)
        status = list_port(&e->ports, key_of_made(end->number, &end->port), made);
    if (status)
        xmlFreeNode(made);
    for (int i = 0; i < chosen && !status; i++) {
        made = wrap(made, channel, wraps[i]);
        status = made ? DAL_OK : DAL_ERR_NOMEM;
    }
    if (!status) {
        dal__xml_put_behind(end->element, e->ports.last[end->number], made);
        e->ports.last[end->number] = made;
    }
    return status;
}

int dal__short_give_port(struct dal__expansion *e, const xmlNode *channel,
                         const struct dal__short_end *end, int output, const char *blocks)
{
    xmlNode *port = NULL;
    int is_part = !dal__xml_is(end->element, "process"); /* whose ports are declared elsewhere */
    int status = is_part ? DAL_OK : find_port(e, end, &port);
    const char *type = port ? dal__xml_get(port, "type") : NULL;
    int is_output = type && strcmp(type, "output") == 0;
    if (status || (is_part && !blocks))
        ; /* memory is short, or there is nothing to do */
    else if (is_part)
        dal__short_refuse(e, channel, "no-effect",
                          "channel: blocks are of a port of a process; '%.*s' is one of a network",
                          end->port.base.length, end->port.base.at);
    else if (!port)
        status = declare_port(e, channel, end, output, blocks);
    else if (is_output != output)
        dal__short_refuse(
            e, channel, "port-direction",
            "channel: port '%.*s' of process '%.*s' is an %s port, an %s port is needed",
            end->port.base.length, end->port.base.at, end->process.base.length,
            end->process.base.at, is_output ? "output" : "input", output ? "output" : "input");
    else if (blocks)
        dal__short_refuse(
            e, channel, "no-effect",
            "channel: blocks are of a port that is declared by this channel; '%.*s' of process "
            "'%.*s' is there already",
            end->port.base.length, end->port.base.at, end->process.base.length,
            end->process.base.at);
    return status;
}

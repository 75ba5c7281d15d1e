/* Ports that channels in the short form declare. */
#include "spec/read/short_parts.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/read/short.h"

#include <string.h>

static int has_appends(xmlNode *port, const struct dal__indexed *name, int same)
{
    int count = 0;
    DAL__XML_EACH(child, port)
    {
        xmlChar *function;
        if (!dal__xml_is(child, "append"))
            continue;
        function = xmlGetNoNsProp(child, as_xml("function"));
        if (same && (count >= name->count || !function ||
                     !dal__short_same_piece(name->index[count], (const char *)function)))
            count = DAL__MOST_INDICES;
        count++;
        xmlFree(function);
    }
    return count == name->count;
}

/* A port of this name in a process or an iterator of it. One that is made here must have the same
 * indices; of one of the user's, it is the user who knows what they stand for. */
static xmlNode *find_port(xmlNode *within, const struct dal__indexed *name, int depth)
{
    DAL__XML_EACH(child, within)
    {
        xmlNode *found = NULL;
        if (dal__xml_is(child, "iterator") && depth < DAL__MOST_NESTED) {
            found = find_port(child, name, depth + 1);
        } else if (dal__xml_is(child, "port")) {
            xmlChar *text = xmlGetNoNsProp(child, as_xml("name"));
            if (text && dal__short_same_piece(name->base, (const char *)text) &&
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
static int choose_wraps(struct dal__expansion *e, const xmlNode *channel,
                        const struct dal__short_end *end, xmlNode *const *iterators, int count,
                        xmlNode *wraps[DAL__MOST_NESTED])
{
    int chosen = 0;
    for (int i = 0; i < count; i++) {
        xmlChar *variable = xmlGetNoNsProp(iterators[i], as_xml("variable"));
        int wanted = variable && dal__short_mentions(&end->port, (const char *)variable);
        if (wanted && dal__short_mentions(&end->process, (const char *)variable)) {
            dal__short_refuse(
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
    xmlNode *made = dal__short_element(channel, "iterator");
    static const char *const names[] = {"variable", "range"};
    int status = made ? DAL_OK : DAL_ERR_NOMEM;
    for (int i = 0; i < 2 && !status; i++) {
        xmlChar *value = xmlGetNoNsProp(iterator, as_xml(names[i]));
        status = dal__short_set(made, names[i], value ? (const char *)value : "");
        xmlFree(value);
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
    if (status)
        xmlFreeNode(made);
    for (int i = 0; i < chosen && !status; i++) {
        made = wrap(made, channel, wraps[i]);
        status = made ? DAL_OK : DAL_ERR_NOMEM;
    }
    if (!status)
        dal__short_put_behind_ports(end->element, made);
    return status;
}

int dal__short_give_port(struct dal__expansion *e, const xmlNode *channel,
                         const struct dal__short_end *end, int output, const char *blocks)
{
    xmlNode *port = find_port(end->element, &end->port, 0);
    xmlChar *type = port ? xmlGetNoNsProp(port, as_xml("type")) : NULL;
    int is_output = type && strcmp((const char *)type, "output") == 0;
    int status = DAL_OK;
    if (!port)
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
    xmlFree(type);
    return status;
}

/* Makes processes and parts of the short form long: their names, and the list of all. */
#include "spec/dialects/short/short_parts.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

/* Turns NAME[i] of a process into NAME with an append. DAL_ERR_INVALID: the name is refused, and
 * the element is gone. */
static int expand_name(struct dal__expansion *e, xmlNode *element)
{
    const char *text = dal__xml_get(element, "name");
    struct dal__indexed name;
    char *base;
    int status;
    if (!text || !strchr(text, '['))
        return DAL_OK;
    if (!dal__short_part_name(text, '\0', &name)) {
        dal__short_refuse(e, element, "bad-name", "'%.200s' is no name with indices, as Dec[i]",
                          text);
        e->lacks_names = 1;
        dal__xml_remove(element);
        return DAL_ERR_INVALID;
    }
    base = dal_format("%.*s", name.base.length, name.base.at);
    status = base ? dal__short_add_appends(element, &name) : DAL_ERR_NOMEM;
    if (!status && !xmlSetProp(element, as_xml("name"), as_xml(base)))
        status = DAL_ERR_NOMEM;
    dal_free(base);
    return status;
}

/* The first process of a key is the one that is found. */
static int enter_process(struct dal__expansion *e, char *key, size_t number)
{
    int status = dal__short_enter(e, &e->names, key, number);
    return status == DAL_ERR_NOMEM ? status : DAL_OK;
}

static int list_process(struct dal__expansion *e, xmlNode *process)
{
    const char *name = dal__xml_get(process, "name");
    const char *text = name ? name : "";
    struct dal__piece base = {.at = text, .length = (int)strlen(text)};
    int indices = 0;
    char *written = dal__short_written_name(process, &indices);
    int status = dal_grow(&e->processes, e->count, &e->room, sizeof(*e->processes));
    if (!status) {
        e->processes[e->count] = process;
        status = enter_process(e, dal__short_key(base, indices), e->count);
    }
    if (status) {
        dal_free(written);
        return status;
    }
    return enter_process(e, written, e->count++);
}

/* Turns Band_0.gain="2" into a <parameter> in front of all that is in the element: variables have
 * no dot in their names. */
static int expand_parameters(xmlNode *network)
{
    xmlNode *behind = NULL;
    xmlAttr *next;
    for (xmlAttr *attribute = network->properties; attribute; attribute = next) {
        const char *name = (const char *)attribute->name;
        xmlNode *made;
        next = attribute->next;
        if (attribute->ns || !strchr(name, '.'))
            continue;
        made = dal__short_element(network, "parameter");
        if (!made)
            return DAL_ERR_NOMEM;
        dal__xml_put_behind(network, behind, made);
        if (dal__short_set(made, "name", name) ||
            dal__short_set(made, "value", dal__xml_get(network, name)))
            return DAL_ERR_NOMEM;
        xmlRemoveProp(attribute);
        behind = made;
    }
    return DAL_OK;
}

int dal__short_expand_network(struct dal__expansion *e, xmlNode *network)
{
    int status = expand_parameters(network);
    if (!status)
        status = expand_name(e, network);
    if (!status)
        status = list_process(e, network);
    return status == DAL_ERR_INVALID ? DAL_OK : status;
}

int dal__short_expand_port(struct dal__expansion *e, xmlNode *port)
{
    int status = expand_name(e, port);
    return status == DAL_ERR_INVALID ? DAL_OK : status;
}

int dal__short_expand_process(struct dal__expansion *e, xmlNode *process)
{
    int status = expand_name(e, process);
    if (!status)
        status = dal__short_expand_sources(e, process);
    if (!status)
        status = list_process(e, process);
    return status == DAL_ERR_INVALID ? DAL_OK : status;
}

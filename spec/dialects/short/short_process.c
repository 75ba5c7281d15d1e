/* Makes processes of the short form long: their names, and the list of all. */
#include "spec/dialects/short/short_parts.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <stdio.h>
#include <string.h>

/* Turns NAME[i] of a process into NAME with an append. */
static int expand_name(struct dal__expansion *e, xmlNode *element)
{
    xmlChar *text = xmlGetNoNsProp(element, as_xml("name"));
    struct dal__indexed name;
    int status = DAL_OK;
    if (text && strchr((const char *)text, '[')) {
        if (dal__short_part_name((const char *)text, '\0', &name)) {
            status = dal__short_add_appends(element, &name);
            xmlUnsetProp(element, as_xml("name"));
            if (!status)
                status = dal__short_set_piece(element, "name", name.base);
        } else {
            dal__short_refuse(e, element, "bad-name", "'%.200s' is no name with indices, as Dec[i]",
                              (const char *)text);
        }
    }
    xmlFree(text);
    return status;
}

static int list_process(struct dal__expansion *e, xmlNode *process)
{
    xmlChar *name = xmlGetNoNsProp(process, as_xml("name"));
    const char *text = name ? (const char *)name : "";
    int indices = 0, status;
    char *key;
    DAL__XML_EACH(child, process)
    {
        indices += dal__xml_is(child, "append");
    }
    key = dal__short_key((struct dal__piece){.at = text, .length = (int)strlen(text)}, indices);
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

int dal__short_expand_process(struct dal__expansion *e, xmlNode *process)
{
    int status = expand_name(e, process);
    if (!status)
        status = dal__short_expand_sources(e, process);
    return status ? status : list_process(e, process);
}

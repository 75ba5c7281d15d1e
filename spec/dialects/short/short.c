#include "spec/dialects/short/short.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/names.h"
#include "spec/dialects/short/short_parts.h"
#include "spec/xml/node.h"

/* Does something with each element of a kind, outside of processes; what it puts behind the element
 * is passed over. */
static int each_element(struct dal__expansion *e, xmlNode *parent, const char *kind, int depth,
                        int (*visit)(struct dal__expansion *, xmlNode *))
{
    xmlNode *next;
    int status = DAL_OK;
    for (xmlNode *child = dal__xml_element(parent->children); child && !status; child = next) {
        next = dal__xml_element(child->next);
        if (dal__xml_is(child, "iterator") && depth < DAL__MOST_NESTED)
            status = each_element(e, child, kind, depth + 1, visit);
        else if (dal__xml_is(child, kind))
            status = visit(e, child);
    }
    return status;
}

int dal__short_expand(struct dal_diags *diags, xmlNode *root)
{
    struct dal__expansion e = {.diags = diags};
    int status = each_element(&e, root, "process", 0, dal__short_expand_process);
    if (!status)
        status = each_element(&e, root, "network", 0, dal__short_expand_network);
    if (!status)
        status = each_element(&e, root, "port", 0, dal__short_expand_port);
    if (!status)
        status = each_element(&e, root, "channel", 0, dal__short_list_channel);
    if (!status)
        status = each_element(&e, root, "channel", 0, dal__short_expand_channel);
    dal_names_finish(&e.names);
    dal_names_finish(&e.ends);
    dal_names_finish(&e.shared);
    dal__short_ports_finish(&e.ports);
    for (size_t i = 0; i < e.key_count; i++)
        dal_free(e.keys[i]);
    dal_free_all(e.keys, e.processes);
    if (status == DAL_ERR_NOMEM)
        dal__lost(diags);
    return status ? status : e.refused ? DAL_ERR_INVALID : DAL_OK;
}

#include "spec/xml/node.h"

#include <stdint.h>
#include <string.h>

struct dal_spec_place dal__xml_place(const xmlNode *element)
{
    return (struct dal_spec_place){
        .file = element->doc->_private,
        .line = (int)(intptr_t)element->_private,
    };
}

int dal__xml_is_true(const char *text)
{
    static const char space[] = " \t\r\n";
    const char *start = text ? text + strspn(text, space) : "";
    size_t length = strcspn(start, space);
    return (length == 4 && memcmp(start, "true", 4) == 0) || (length == 1 && *start == '1');
}

int dal__xml_is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

xmlNode *dal__xml_element(xmlNode *node)
{
    while (node && node->type != XML_ELEMENT_NODE)
        node = node->next;
    return node;
}

xmlNode *dal__xml_next(const xmlNode *root, xmlNode *node)
{
    if (node->children && node->type == XML_ELEMENT_NODE)
        return node->children;
    while (node != root && !node->next)
        node = node->parent;
    return node == root ? NULL : node->next;
}

int dal__xml_is_of(const xmlNode *node, const xmlNode *root)
{
    const xmlNode *around = node->parent;
    while (around != root && dal__xml_is(around, "iterator"))
        around = around->parent;
    return around == root;
}

xmlNode *dal__xml_find(xmlNode *node, const char *kind)
{
    while ((node = dal__xml_element(node)) && !dal__xml_is(node, kind))
        node = node->next;
    return node;
}

xmlNode *dal__xml_child(const xmlNode *parent, const char *kind)
{
    return dal__xml_find(parent->children, kind);
}

void dal__xml_put_behind(xmlNode *parent, xmlNode *behind, xmlNode *node)
{
    if (behind)
        xmlAddNextSibling(behind, node);
    else if (parent->children)
        xmlAddPrevSibling(parent->children, node);
    else
        xmlAddChild(parent, node);
}

void dal__xml_remove(xmlNode *node)
{
    xmlUnlinkNode(node);
    xmlFreeNode(node);
}

const char *dal__xml_get(const xmlNode *element, const char *attribute)
{
    const xmlAttr *found = element->properties;
    while (found && (found->ns || strcmp((const char *)found->name, attribute) != 0))
        found = found->next;
    if (!found)
        return NULL;
    return found->children && found->children->content ? (const char *)found->children->content
                                                       : "";
}

int dal__xml_has(const xmlNode *element, const char *attribute, const char *value)
{
    const char *text = dal__xml_get(element, attribute);
    return text && strcmp(text, value) == 0;
}

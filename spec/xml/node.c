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
    return strcmp((const char *)node->name, name) == 0;
}

xmlNode *dal__xml_element(xmlNode *node)
{
    while (node && node->type != XML_ELEMENT_NODE)
        node = node->next;
    return node;
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

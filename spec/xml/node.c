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
    return text && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
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

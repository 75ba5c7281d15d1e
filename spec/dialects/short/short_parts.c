#include "spec/dialects/short/short_parts.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

/* ---- elements -------------------------------------------------------------------------------- */

/* Makes a new element that counts as standing where `of` does. NULL without memory. */
xmlNode *dal__short_element(const xmlNode *of, const char *name)
{
    xmlNode *made = xmlNewDocNode(of->doc, of->ns, as_xml(name), NULL);
    if (!made)
        return NULL;
    made->_private = (void *)(intptr_t)(int)(intptr_t)of->_private; /* the line alone */
    return made;
}

void dal__short_move_remarks(xmlNode *from, xmlNode *to)
{
    xmlNode *next;
    for (xmlNode *child = from->children; child; child = next) {
        next = child->next;
        if (child->type != XML_COMMENT_NODE && child->type != XML_PI_NODE)
            continue;
        xmlUnlinkNode(child);
        xmlAddChild(to, child);
    }
}

int dal__short_set(xmlNode *element, const char *attribute, const char *text)
{
    return xmlNewProp(element, as_xml(attribute), as_xml(text)) ? DAL_OK : DAL_ERR_NOMEM;
}

int dal__short_set_piece(xmlNode *element, const char *attribute, struct dal__piece piece)
{
    char *text = dal_format("%.*s", piece.length, piece.at);
    int status = text ? dal__short_set(element, attribute, text) : DAL_ERR_NOMEM;
    dal_free(text);
    return status;
}

/* Adds an element with a name at the end of another one; NULL without memory. */
xmlNode *dal__short_add_named(xmlNode *parent, const char *kind, struct dal__piece name)
{
    xmlNode *made = dal__short_element(parent, kind);
    if (!made)
        return NULL;
    xmlAddChild(parent, made);
    return dal__short_set_piece(made, "name", name) ? NULL : made;
}

/* Puts <append> elements in front of all that is in an element. */
int dal__short_add_appends(xmlNode *element, const struct dal__indexed *name)
{
    xmlNode *behind = NULL;
    for (int i = 0; i < name->count; i++) {
        xmlNode *append = dal__short_element(element, "append");
        if (!append)
            return DAL_ERR_NOMEM;
        dal__xml_put_behind(element, behind, append);
        if (dal__short_set_piece(append, "function", name->index[i]))
            return DAL_ERR_NOMEM;
        behind = append;
    }
    return DAL_OK;
}

xmlNode *dal__short_last_port(const xmlNode *process)
{
    xmlNode *last = NULL;
    DAL__XML_EACH(child, process)
    {
        if (dal__xml_is(child, "port") || dal__xml_is(child, "iterator") ||
            dal__xml_is(child, "append"))
            last = child;
    }
    return last;
}

/* Lists the iterators around a channel, from the innermost out. */
int dal__short_iterators(xmlNode *element, xmlNode *iterators[DAL__MOST_NESTED])
{
    int count = 0;
    for (xmlNode *up = element->parent; up && up->type == XML_ELEMENT_NODE; up = up->parent)
        if (dal__xml_is(up, "iterator") && count < DAL__MOST_NESTED)
            iterators[count++] = up;
    return count;
}

char *dal__short_written_name(const xmlNode *element, int *indices)
{
    const char *name = dal__xml_get(element, "name");
    char *written = dal_strdup(name ? name : "");
    DAL__XML_EACH(child, element)
    {
        const char *index;
        char *shorter = written;
        if (!dal__xml_is(child, "append") || !written)
            continue;
        index = dal__xml_get(child, "function");
        written = dal_format("%s[%s]", shorter, index ? index : "");
        dal_free(shorter);
        ++*indices;
    }
    return written;
}

/* ---- names ----------------------------------------------------------------------------------- */

static struct dal__piece trim(const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    while (end > at && end[-1] == ' ')
        end--;
    return (struct dal__piece){.at = at, .length = (int)(end - at)};
}

/* Parses NAME[EXPRESSION][...] in front of `stop` or of the end. Returns the text behind it; NULL
 * if it has another form. */
const char *dal__short_part_name(const char *text, char stop, struct dal__indexed *name)
{
    size_t length = strcspn(text, "[].");
    *name = (struct dal__indexed){.base = {.at = text, .length = (int)length}};
    if (stop != '.') { /* of channels, with points in it */
        length = strcspn(text, "[]");
        name->base.length = (int)length;
    }
    text += length;
    while (*text == '[') {
        const char *end = strchr(text, ']');
        if (!end || name->count == DAL__MOST_INDICES)
            return NULL;
        name->index[name->count++] = trim(text + 1, end);
        text = end + 1;
    }
    return length && *text == stop ? text : NULL;
}

static int is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Is a variable in an expression? */
static int mentions(struct dal__piece expression, const char *variable)
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

int dal__short_mentions(const struct dal__indexed *name, const char *variable)
{
    for (int i = 0; i < name->count; i++)
        if (mentions(name->index[i], variable))
            return 1;
    return 0;
}

void dal__short_refuse(struct dal__expansion *e, const xmlNode *element, const char *code,
                       const char *format, ...)
{
    va_list list;
    va_start(list, format);
    dal_error_list(e->diags, dal__xml_place(element), code, format, list);
    va_end(list);
    e->refused++;
}

int dal__short_enter(struct dal__expansion *e, struct dal_names *names, char *key, size_t number)
{
    if (!key || dal_grow(&e->keys, e->key_count, &e->key_room, sizeof(*e->keys))) {
        dal_free(key);
        return DAL_ERR_NOMEM;
    }
    e->keys[e->key_count++] = key;
    return dal_names_add(names, key, number);
}

char *dal__short_key(struct dal__piece base, int indices)
{
    char brackets[2 * DAL__MOST_INDICES + 1] = "";
    for (int i = 0; i < indices && i < DAL__MOST_INDICES; i++)
        memcpy(brackets + 2 * i, "[]", 3);
    return dal_format("%.*s%s", base.length, base.at, brackets);
}

/* Checks values against the types of a schema. */
#include "spec/xml/node.h"
#include "spec/xml/schema_tree.h"

#include <libxml/xmlregexp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How values are looked at. */
struct values {
    struct dal__schema *schema;
    int any_names;
};

static int fits_pattern(const struct values *values, xmlNode *pattern, const char *value)
{
    if (!pattern->_private)
        pattern->_private = xmlRegexpCompile((const xmlChar *)dal__schema_get(pattern, "value"));
    if (!pattern->_private)
        values->schema->lost = 1;
    return !pattern->_private || xmlRegexpExec(pattern->_private, (const xmlChar *)value) == 1;
}

static int fits_length(const xmlNode *facet, const char *value, struct dal__fault *fault)
{
    static const struct {
        const char *facet, *words;
        int less, more; /* whether it may be */
    } lengths[] = {
        {"length", "differs from the allowed length of", 0, 0},
        {"minLength", "underruns the allowed minimum length of", 0, 1},
        {"maxLength", "exceeds the allowed maximum length of", 1, 0},
    };
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        int limit, length;
        if (!dal__xml_is(facet, lengths[i].facet))
            continue;
        limit = atoi(dal__schema_get(facet, "value"));
        length = xmlUTF8Strlen((const xmlChar *)value);
        if (length == limit || (length < limit ? lengths[i].less : lengths[i].more))
            continue;
        snprintf(fault->text, sizeof(fault->text),
                 "The value '%.300s' has a length of '%d'; this %s '%d'", value, length,
                 lengths[i].words, limit);
        return 0;
    }
    return 1;
}

static int fits_enumeration(const xmlNode *restriction, const char *value, struct dal__fault *fault)
{
    char set[300] = "";
    DAL__XML_EACH(facet, restriction)
    {
        size_t used = strlen(set);
        if (!dal__xml_is(facet, "enumeration"))
            continue;
        if (strcmp(dal__schema_get(facet, "value"), value) == 0)
            return 1;
        snprintf(set + used, sizeof(set) - used, "%s'%s'", used ? ", " : "",
                 dal__schema_get(facet, "value"));
    }
    if (!set[0])
        return 1;
    snprintf(fault->text, sizeof(fault->text),
             "The value '%.250s' is not an element of the set {%s}", value, set);
    return 0;
}

static int fits_type(const struct values *values, const xmlNode *type, const char *value,
                     struct dal__fault *fault);

static int fits_union(const struct values *values, const xmlNode *type, const xmlNode *members,
                      const char *value, struct dal__fault *fault)
{
    const char *name = dal__schema_get(members, "memberTypes");
    for (size_t length; *name; name += length + strspn(name + length, " ")) {
        length = strcspn(name, " ");
        if (fits_type(values, dal__schema_find(values->schema, "simpleType", name, length), value,
                      fault))
            return 1;
    }
    snprintf(fault->text, sizeof(fault->text),
             "'%.300s' is not a valid value of the union type '%s'", value,
             dal__schema_get(type, "name"));
    return 0;
}

/* Does a value fit a type? Otherwise the fault tells why not. */
static int fits_type(const struct values *values, const xmlNode *type, const char *value,
                     struct dal__fault *fault)
{
    const xmlNode *members = dal__xml_child(type, "union"), *restriction;
    const char *dol = values->any_names ? dal__schema_get(type, "dol") : NULL;
    xmlNode *pattern;
    if (members)
        return fits_union(values, type, members, value, fault);
    restriction = dal__xml_child(type, "restriction");
    DAL__XML_EACH(facet, restriction)
    {
        if (!fits_length(facet, value, fault))
            return 0;
    }
    if (!fits_enumeration(restriction, value, fault))
        return 0;
    if (dol)
        type = dal__schema_find(values->schema, "simpleType", dol, strlen(dol));
    pattern = dal__xml_child(dal__xml_child(type, "restriction"), "pattern");
    if (!pattern || fits_pattern(values, pattern, value))
        return 1;
    snprintf(fault->text, sizeof(fault->text), "this must be %s", dal__schema_get(type, "words"));
    return 0;
}

static int fits_boolean(const char *value, struct dal__fault *fault)
{
    static const char *const values[] = {"true", "false", "1", "0"};
    static const char space[] = " \t\r\n";
    const char *start = value + strspn(value, space);
    size_t length = strcspn(start, space);
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        if (strlen(values[i]) == length && memcmp(values[i], start, length) == 0 &&
            !start[length + strspn(start + length, space)])
            return 1;
    snprintf(fault->text, sizeof(fault->text),
             "'%.300s' is not a valid value of the atomic type 'xs:boolean'", value);
    return 0;
}

int dal__schema_fits(struct dal__schema *schema, xmlNode *declaration, int any_names,
                     const char *value, struct dal__fault *fault)
{
    const struct values values = {.schema = schema, .any_names = any_names};
    const xmlNode *type = dal__schema_type(schema, declaration, "simpleType");
    if (type)
        return fits_type(&values, type, value, fault);
    return strcmp(dal__schema_get(declaration, "type"), "xs:boolean") != 0 ||
           fits_boolean(value, fault);
}

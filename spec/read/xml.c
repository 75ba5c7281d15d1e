#include "spec/read/xml.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/dialects/dol/dialect.h"
#include "spec/dialects/short/short.h"
#include "spec/xml/document.h"
#include "spec/xml/schema.h"

#include <string.h>

/* Namespaces with these prefixes mean the same as none: DOL's and DAL's schemas, SDF3's graphs. */
static const char *const our_namespaces[] = {"http://www.tik.ee.ethz.ch/~", "uri:sdf", "uri:csdf",
                                             "uri:sadf"};

static int is_ours(const xmlNs *ns)
{
    for (size_t i = 0; ns && ns->href && i < sizeof(our_namespaces) / sizeof(our_namespaces[0]);
         i++)
        if (strncmp((const char *)ns->href, our_namespaces[i], strlen(our_namespaces[i])) == 0)
            return 1;
    return 0;
}

static int is_instance(const xmlNs *ns)
{
    return ns && ns->href &&
           strcmp((const char *)ns->href, "http://www.w3.org/2001/XMLSchema-instance") == 0;
}

static void strip_element(xmlNode *element)
{
    xmlAttr *next;
    if (is_ours(element->ns))
        element->ns = NULL;
    for (xmlAttr *attribute = element->properties; attribute; attribute = next) {
        next = attribute->next;
        if (is_instance(attribute->ns))
            xmlRemoveProp(attribute);
        else if (is_ours(attribute->ns))
            attribute->ns = NULL;
    }
}

static void strip_namespaces(xmlNode *root)
{
    for (xmlNode *node = root; node; node = dal__xml_next(root, node))
        if (node->type == XML_ELEMENT_NODE)
            strip_element(node);
}

/* `schema` is NULL for files without one. */
static int check_document(struct dal_diags *diags, struct dal__schema *schema, xmlDoc *document,
                          const char *expected, int *is_dol)
{
    xmlNode *root = xmlDocGetRootElement(document);
    int any_names = dal__dialect_any_names(root), is_fsm;
    *is_dol = dal__dialect_is_dol(diags, root, document->_private);
    if (diags->lost)
        return DAL_ERR_NOMEM;
    dal__dialect_prune(diags, root);
    strip_namespaces(root);
    is_fsm = dal__xml_is(root, "fsm") && strcmp(expected, "processnetwork") == 0;
    if (!dal__xml_is(root, expected) || root->ns)
        return dal_error(diags, dal__xml_place(root), "xml-root",
                         "the root element is '%s', but '%s' is expected%s",
                         (const char *)root->name, expected,
                         root->ns ? " without a foreign namespace"
                         : is_fsm ? "; this is a state machine: give it with --fsm"
                                  : "");
    return schema ? dal__schema_check(schema, diags, root, *is_dol || any_names) : DAL_OK;
}

int dal__xml_check(struct dal_diags *diags, struct dal__schema *schema, xmlDoc *document,
                   const char *root)
{
    int is_dol;
    return check_document(diags, schema, document, root, &is_dol);
}

static int check_read(struct dal_diags *diags, xmlDoc *document, const char *root, int *is_dol)
{
    int has_schema = dal__schema_is_for(root);
    struct dal__schema *schema = has_schema ? dal__schema_open(root) : NULL;
    int status = has_schema && !schema ? dal__lost(diags)
                                       : check_document(diags, schema, document, root, is_dol);
    dal__schema_close(schema);
    return status;
}

static void make_digest(const char *text, size_t bytes, unsigned char digest[DAL_SHA256_BYTES])
{
    struct dal_sha256 sha;
    dal_sha256_begin(&sha);
    dal_sha256_add(&sha, text, bytes);
    dal_sha256_end(&sha, digest);
}

xmlDoc *dal__xml_read(struct dal_diags *diags, const char *file, const char *root, int *is_dol,
                      unsigned char digest[DAL_SHA256_BYTES])
{
    struct dal_spec_place place = {.file = dal_diag_file(diags, file)};
    xmlDoc *document = NULL;
    char *text = NULL;
    size_t bytes;
    if (place.file && dal__xml_plain(diags, place, "the name of this file", file) &&
        dal__xml_load(diags, place.file, &text, &bytes) == DAL_OK) {
        make_digest(text, bytes, digest);
        document = dal__xml_parse(diags, file, text, bytes);
    }
    dal_free(text);
    if (document && check_read(diags, document, root, is_dol)) {
        xmlFreeDoc(document);
        document = NULL;
    }
    return document;
}

xmlNode *dal__xml_open(struct dal__reader *reader, const char *file, const char *root,
                       struct dal_spec_place *place, char **name)
{
    xmlDoc *document = dal__xml_read(reader->diags, file, root, &reader->is_dol, reader->digest);
    xmlNode *element = document ? xmlDocGetRootElement(document) : NULL;
    if (!element)
        return NULL;
    *place = dal__xml_place(element);
    if (dal__xml_text(reader, element, "name", name) == DAL_OK)
        return element;
    xmlFreeDoc(document);
    return NULL;
}

int dal__xml_lengthen(struct dal__reader *reader, xmlNode *root, int *has_gaps)
{
    int status = dal__short_expand(reader->diags, root);
    *has_gaps |= status == DAL_ERR_INVALID;
    return dal__fatal(status);
}

void dal__xml_close(xmlNode *root)
{
    if (root)
        xmlFreeDoc(root->doc);
}

#include "spec/read/xml.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/dialects/dol/dialect.h"
#include "spec/read/meant.h"
#include "spec/read/raw.h"
#include "spec/read/tags.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlschemas.h>
#include <string.h>

#define MAX_FILE_BYTES ((size_t)64 << 20)
/* Most elements and attributes together: bounds the memory that a document takes. */
#define MAX_NODES 8000000
/* Attributes of one element: libxml compares each with all before it. */
#define MAX_ATTRIBUTES 256
/* Namespaces that are declared around an element, two entries each: a prefix is looked for among
 * all of them. */
#define MAX_NAMESPACES 256
/* After so many unexpected elements, validation of a file is given up. */
#define MAX_ROUNDS 32

/* Namespaces with these prefixes mean the same as none: DOL's and DAL's schemas, SDF3's graphs. */
static const char *const our_namespaces[] = {"http://www.tik.ee.ethz.ch/~", "uri:sdf", "uri:csdf",
                                             "uri:sadf"};

#if LIBXML_VERSION >= 21200
typedef const xmlError *message_ptr;
#else
typedef xmlErrorPtr message_ptr;
#endif

/* The schemas as they lie in spec/, built into the library. */
#define SCHEMAS(X) X(processnetwork) X(architecture) X(mapping) X(fsm)
#define DECLARE(name)                                                                              \
    extern const unsigned char dal__##name##_xsd[];                                                \
    extern const size_t dal__##name##_xsd_bytes;
SCHEMAS(DECLARE)

static const struct schema {
    const char *root;
    const unsigned char *text;
    const size_t *bytes;
} schemas[] = {
#define ROW(name) {.root = #name, .text = dal__##name##_xsd, .bytes = &dal__##name##_xsd_bytes},
    SCHEMAS(ROW)};

struct parse {
    struct dal_diags *diags;
    const char *file;
    int skipped_lines; /* white space before the XML declaration */
    size_t nodes;
    int failed;
};

static struct dal_spec_place place_at(const struct parse *parse, int line)
{
    return (struct dal_spec_place){.file = parse->file, .line = line + parse->skipped_lines};
}

static int read_file(struct dal_diags *diags, const char *file, char **text, size_t *bytes)
{
    struct dal_spec_place place = {.file = file};
    const char *why;
    int status = dal_file_read(file, MAX_FILE_BYTES, text, bytes, &why);
    if (status == DAL_ERR_IO)
        dal_error(diags, place, "file", "cannot read this file: %s", why);
    else if (status == DAL_ERR_LIMIT)
        dal_error(diags, place, "file", "the file is larger than %zu bytes", MAX_FILE_BYTES);
    else if (status)
        dal__lost(diags);
    return status;
}

/* Reports only the first message: those behind a syntax error come of it. */
static void on_message(void *data, message_ptr message)
{
    struct parse *parse = ((xmlParserCtxt *)data)->_private;
    size_t length = message->message ? strcspn(message->message, "\r\n") : 0;
    if (parse->failed || message->level < XML_ERR_ERROR)
        return;
    parse->failed = 1;
    dal_error(parse->diags, place_at(parse, message->line), "xml-syntax", "not well-formed: %.*s",
              (int)length, length ? message->message : "");
}

static void refuse_file(xmlParserCtxt *context, const char *code, const char *reason)
{
    struct parse *parse = context->_private;
    if (!parse->failed)
        dal_error(parse->diags, place_at(parse, context->input->line), code, "%s", reason);
    parse->failed = 1;
    xmlStopParser(context);
}

static void on_document_type(void *data, const xmlChar *name, const xmlChar *external,
                             const xmlChar *system)
{
    (void)name, (void)external, (void)system;
    refuse_file(data, "entity",
                "a document type with its entities is refused; remove <!DOCTYPE ...>");
}

/* libxml counts the lines up to the end of a start tag; users look for its beginning. */
static int line_of_tag(const xmlParserCtxt *context)
{
    const xmlParserInput *input = context->input;
    int line = input->line;
    for (const xmlChar *at = input->cur; at > input->base && *at != '<'; at--)
        line -= at < input->cur && *at == '\n';
    return line;
}

static void on_element(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                       int namespace_count, const xmlChar **namespaces, int attribute_count,
                       int defaulted_count, const xmlChar **attributes)
{
    xmlParserCtxt *context = data;
    struct parse *parse = context->_private;
    xmlSAX2StartElementNs(context, name, prefix, uri, namespace_count, namespaces, attribute_count,
                          defaulted_count, attributes);
    parse->nodes += 1 + (size_t)attribute_count + (size_t)namespace_count;
    if (parse->nodes > MAX_NODES)
        refuse_file(context, "file", "the file has too many elements");
    else if (context->nsNr > 2 * MAX_NAMESPACES)
        refuse_file(context, "file", "too many namespaces are declared around this element");
    else if (context->node)
        context->node->_private = (void *)(intptr_t)(line_of_tag(context) + parse->skipped_lines);
}

static xmlDoc *parse_text(struct parse *parse, const char *text, size_t bytes)
{
    xmlParserCtxt *context = xmlCreateMemoryParserCtxt(text, (int)bytes);
    xmlDoc *document;
    if (!context) {
        dal__lost(parse->diags);
        return NULL;
    }
    xmlCtxtUseOptions(context, XML_PARSE_NONET | XML_PARSE_BIG_LINES);
    context->_private = parse;
    context->sax->serror = on_message;
    context->sax->internalSubset = on_document_type;
    context->sax->startElementNs = on_element;
    xmlParseDocument(context);
    document = context->myDoc;
    context->myDoc = NULL;
    if (!context->wellFormed && !parse->failed) {
        dal_error(parse->diags, place_at(parse, 0), "xml-syntax", "not well-formed");
        parse->failed = 1;
    }
    xmlFreeParserCtxt(context);
    if (parse->failed) {
        xmlFreeDoc(document);
        document = NULL;
    }
    return document;
}

/* Skips white space, which listings in print have before the XML declaration. */
static xmlDoc *parse_buffer(struct parse *parse, const char *at, size_t bytes)
{
    const char *end = at + bytes;
    int crowded;
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        parse->skipped_lines += *at++ == '\n';
    if (at == end) {
        dal_error(parse->diags, place_at(parse, 0), "xml-syntax", "the file is empty");
        return NULL;
    }
    crowded = dal__tags_crowded(at, (size_t)(end - at), MAX_ATTRIBUTES);
    if (crowded) {
        dal_error(parse->diags, place_at(parse, crowded), "file",
                  "an element has more than %d attributes", MAX_ATTRIBUTES);
        return NULL;
    }
    return parse_text(parse, at, (size_t)(end - at));
}

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

static xmlNode *next_node(const xmlNode *root, xmlNode *node)
{
    if (node->children && node->type == XML_ELEMENT_NODE)
        return node->children;
    while (node != root && !node->next)
        node = node->parent;
    return node == root ? NULL : node->next;
}

static void strip_namespaces(xmlNode *root)
{
    for (xmlNode *node = root; node; node = next_node(root, node))
        if (node->type == XML_ELEMENT_NODE)
            strip_element(node);
}

/* Patterns of the schemas, in words. */
static const struct {
    const char *pattern, *words;
} pattern_words[] = {
    {"[A-Za-z_][A-Za-z0-9_]*", "a name of letters, digits and _, not starting with a digit"},
    {"[A-Za-z_][A-Za-z0-9_.\\-]*", "a name of letters, digits, _, . and -, starting with a letter"},
    {"[A-Za-z0-9_+\\-*/%(),\\s]+", "an integer expression"},
    {"[A-Za-z0-9_+\\-*/%()\\s,]+", "an integer expression, or several with commas between them"},
    {"[0-9]{1,9}(\\.[0-9]{1,9})? ?(ns|us|ms|s)", "a time with its unit, as 20us or 1.5ms"},
    {"[0-9]{1,15}(\\.[0-9]{1,9})? ?[kMGT]?(bit|B)/s",
     "a rate with its unit, as 1Gbit/s or 12.5MB/s"},
    {"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z",
     "a moment of UTC, as 2026-03-01T12:00:00Z"},
    {"[A-Za-z0-9_][A-Za-z0-9_.+\\-]*( +[A-Za-z0-9_][A-Za-z0-9_.+\\-]*)*",
     "names of packages, parted by spaces"},
    {"[A-Za-z_][A-Za-z0-9_]*(\\[[A-Za-z0-9_+\\-*/%()\\s]+\\])*\\.[A-Za-z_][A-Za-z0-9_]*"
     "(\\[[A-Za-z0-9_+\\-*/%()\\s]+\\])*",
     "a process and its port, as A.out or A[i].out[j]"},
    {"[A-Za-z_][A-Za-z0-9_]*(\\[[A-Za-z0-9_+\\-*/%()\\s]+\\])*",
     "a name of letters, digits and _, not starting with a digit, perhaps with indices, as Dec[i]"},
    {"[A-Za-z_][A-Za-z0-9_.\\-]*(\\[[A-Za-z0-9_+\\-*/%()\\s]+\\])*",
     "a name of letters, digits, _, . and -, starting with a letter, perhaps with indices, as "
     "c[i]"},
    {"[A-Za-z_][A-Za-z0-9_]*( [A-Za-z_][A-Za-z0-9_]*)*( ?\\[[A-Za-z0-9_+\\-*/%()\\s]+\\])?",
     "a type of C, as float, float[64] or struct frame"},
    {"[A-Za-z0-9_.\\-]+ [A-Za-z0-9_.\\-]+", "two names, parted by a space"},
    {"[0-9a-f]{32}", "a digest of 32 hexadecimal digits"},
    {"[A-Za-z0-9_.\\-]+", "a name of letters, digits, _, . and -"},
    {"\\P{Cc}+", "a name without control characters"},
};

/* One validation of a document. */
struct validation {
    struct dal_diags *diags;
    const struct schema *schema;
    const xmlNode *root;
    xmlNode *unexpected; /* the first element that the schema does not foresee */
    int failed;
};

static int is_reported(const struct dal_diags *diags, struct dal_spec_place place)
{
    for (size_t i = 0; i < diags->count; i++)
        if (diags->list[i].place.file == place.file && diags->list[i].place.line == place.line)
            return 1;
    return 0;
}

static const char *words_of_pattern(const char *message)
{
    const char *start = strstr(message, "by the pattern '");
    if (!start)
        return NULL;
    start += strlen("by the pattern '");
    for (size_t i = 0; i < sizeof(pattern_words) / sizeof(pattern_words[0]); i++) {
        size_t length = strlen(pattern_words[i].pattern);
        if (strncmp(start, pattern_words[i].pattern, length) == 0 && start[length] == '\'')
            return pattern_words[i].words;
    }
    return NULL;
}

/* Finds the name that an attribute or element was meant to have, if it is an unknown one. `line` is
 * libxml's text, which alone names the attribute; it is left as it was. */
static void find_meant(struct validation *validation, message_ptr message, char *line,
                       struct dal__hint *hint)
{
    const struct schema *schema = validation->schema;
    char *attribute = strstr(line, ", attribute '"), *end = NULL;
    const xmlNode *node = message->node;
    hint->text[0] = '\0';
    if (attribute) {
        attribute += strlen(", attribute '");
        end = strchr(attribute, '\'');
    }
    if (!node ||
        message->code != (end ? XML_SCHEMAV_CVC_COMPLEX_TYPE_3_2_1 : XML_SCHEMAV_ELEMENT_CONTENT))
        return;
    if (end)
        *end = '\0';
    if (dal__xml_meant(hint, (const char *)schema->text, *schema->bytes, (const char *)node->name,
                       end ? attribute : NULL))
        dal__lost(validation->diags);
    if (end)
        *end = '\'';
}

/* Reports in our own form what libxml says as "Element 'x', attribute 'y': [facet ...] text." */
static void report_violation(struct validation *validation, struct dal_spec_place place,
                             const char *code, message_ptr message)
{
    const char *words, *said = message->message ? message->message : "";
    char line[1000], *facet, *text;
    struct dal__hint meant;
    snprintf(line, sizeof(line), "%.*s", (int)strcspn(said, "\r\n"), said);
    if (line[0] && line[strlen(line) - 1] == '.')
        line[strlen(line) - 1] = '\0';
    words = words_of_pattern(line);
    find_meant(validation, message, line, &meant);
    facet = strstr(line, "[facet '");
    text = facet ? strstr(facet, "] ") : NULL;
    if (text)
        *facet = '\0';
    line[0] = line[0] == 'E' ? 'e' : line[0];
    if (text && words)
        dal_error(validation->diags, place, code, "%sthis must be %s", line, words);
    else
        dal_error(validation->diags, place, code, "%s%s%s", line, text ? text + 2 : "", meant.text);
}

static void on_violation(void *data, message_ptr message)
{
    struct validation *validation = data;
    const xmlNode *node = message->node;
    struct dal_spec_place place;
    validation->failed = 1;
    if (dal_diags_are_full(validation->diags)) {
        validation->diags->errors++;
        return;
    }
    if (node && node->type == XML_ATTRIBUTE_NODE)
        node = node->parent;
    if (!node || node->type != XML_ELEMENT_NODE)
        node = validation->root;
    place = dal__xml_place(node);
    if (message->code == XML_SCHEMAV_ELEMENT_CONTENT && node != validation->root &&
        !validation->unexpected && message->message && strstr(message->message, "not expected"))
        validation->unexpected = (xmlNode *)node;
    if (!is_reported(validation->diags, place))
        report_violation(validation, place,
                         message->code == XML_SCHEMAV_CVC_COMPLEX_TYPE_4 ? "missing-attribute"
                                                                         : "xml-schema",
                         message);
}

/* libxml ends at an unexpected element, so that one is taken out and the rest validated again. */
static int validate_rounds(struct validation *validation, xmlSchema *schema, xmlDoc *document)
{
    int failed = 0;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        xmlSchemaValidCtxt *context = xmlSchemaNewValidCtxt(schema);
        if (!context)
            return dal__lost(validation->diags);
        validation->failed = 0;
        validation->unexpected = NULL;
        xmlSchemaSetValidStructuredErrors(context, on_violation, validation);
        if (xmlSchemaValidateDoc(context, document) < 0)
            validation->failed = 1;
        xmlSchemaFreeValidCtxt(context);
        failed |= validation->failed;
        if (!validation->unexpected)
            break;
        xmlUnlinkNode(validation->unexpected);
        xmlFreeNode(validation->unexpected);
    }
    return failed ? DAL_ERR_INVALID : DAL_OK;
}

/* Patterns that are not for names in DOL's dialect, nor in DAL's namespace. */
static const char any_name[] = "\\P{Cc}+\"/>";
static const char *const relaxed[] = {
    "[A-Za-z_][A-Za-z0-9_]*(\\[[A-Za-z0-9_+\\-*/%()\\s]+\\])*\"/>",
    "[A-Za-z_][A-Za-z0-9_.\\-]*(\\[[A-Za-z0-9_+\\-*/%()\\s]+\\])*\"/>",
    "[A-Za-z_][A-Za-z0-9_]*\"/>",
    "[A-Za-z_][A-Za-z0-9_.\\-]*\"/>",
    "[A-Za-z0-9_.\\-]+\"/>",
    "[A-Za-z0-9_+\\-*/%(),\\s]+\"/>",
    "([A-Za-z_][A-Za-z0-9_.\\-]*/)?[A-Za-z_][A-Za-z0-9_.\\-]*\"/>",
};

/* Makes the schema's text for any names; it keeps its length. NULL without memory. */
static char *relax_schema(const struct schema *schema)
{
    static const char before[] = "<xs:pattern value=\"";
    char *text = dal_format("%.*s", (int)*schema->bytes, (const char *)schema->text), *at = text;
    while (at && (at = strstr(at, before))) {
        at += sizeof(before) - 1;
        for (size_t i = 0; i < sizeof(relaxed) / sizeof(relaxed[0]); i++) {
            size_t length = strlen(relaxed[i]);
            if (strncmp(at, relaxed[i], length) != 0)
                continue;
            memset(at, ' ', length);
            memcpy(at, any_name, sizeof(any_name) - 1);
            break;
        }
    }
    return text;
}

static xmlSchema *parse_schema(const struct schema *schema, int any_names)
{
    char *text = any_names ? relax_schema(schema) : NULL;
    xmlSchemaParserCtxt *context =
        any_names && !text ? NULL
                           : xmlSchemaNewMemParserCtxt(text ? text : (const char *)schema->text,
                                                       (int)*schema->bytes);
    xmlSchema *parsed = context ? xmlSchemaParse(context) : NULL;
    xmlSchemaFreeParserCtxt(context);
    dal_free(text);
    return parsed;
}

static int validate_document(struct dal_diags *diags, xmlDoc *document, const struct schema *schema,
                             int any_names)
{
    struct validation validation = {
        .diags = diags, .schema = schema, .root = xmlDocGetRootElement(document)};
    xmlSchema *parsed = parse_schema(schema, any_names);
    size_t errors = diags->errors;
    int status;
    if (!parsed)
        return dal__lost(diags);
    status = validate_rounds(&validation, parsed, document);
    xmlSchemaFree(parsed);
    if (status == DAL_ERR_INVALID && diags->errors == errors)
        dal_error(diags, dal__xml_place(validation.root), "xml-schema",
                  "element '%s': the file does not fit its schema", schema->root);
    return status;
}

static int check_document(struct dal_diags *diags, xmlDoc *document, const char *expected,
                          int *is_dol)
{
    xmlNode *root = xmlDocGetRootElement(document);
    int any_names = dal__dialect_any_names(root);
    *is_dol = dal__dialect_is_dol(diags, root, document->_private);
    if (diags->lost)
        return DAL_ERR_NOMEM;
    dal__dialect_prune(diags, root);
    strip_namespaces(root);
    if (!dal__xml_is(root, expected) || root->ns) {
        dal_error(diags, dal__xml_place(root), "xml-root",
                  "the root element is '%s', but '%s' is expected%s", (const char *)root->name,
                  expected, root->ns ? " without a foreign namespace" : "");
        return DAL_ERR_INVALID;
    }
    for (size_t i = 0; i < sizeof(schemas) / sizeof(schemas[0]); i++)
        if (strcmp(schemas[i].root, expected) == 0)
            return validate_document(diags, document, &schemas[i], *is_dol || any_names);
    return DAL_OK;
}

int dal__xml_load(struct dal_diags *diags, const char *file, char **text, size_t *bytes)
{
    return read_file(diags, file, text, bytes);
}

xmlDoc *dal__xml_parse(struct dal_diags *diags, const char *file, const char *text, size_t bytes)
{
    struct parse parse = {.diags = diags, .file = dal_diag_file(diags, file)};
    xmlDoc *document = parse.file ? parse_buffer(&parse, text, bytes) : NULL;
    if (document)
        document->_private = (void *)parse.file; /* as below */
    return document;
}

int dal__xml_check(struct dal_diags *diags, xmlDoc *document, const char *root)
{
    int is_dol;
    return check_document(diags, document, root, &is_dol);
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
    struct parse parse = {.diags = diags, .file = dal_diag_file(diags, file)};
    xmlDoc *document = NULL;
    struct dal_spec_place place = {.file = parse.file};
    char *text = NULL;
    size_t bytes;
    if (parse.file && dal__xml_plain(diags, place, "the name of this file", file) &&
        read_file(diags, parse.file, &text, &bytes) == DAL_OK) {
        make_digest(text, bytes, digest);
        document = parse_buffer(&parse, text, bytes);
    }
    dal_free(text);
    if (!document)
        return NULL;
    document->_private = (void *)parse.file; /* read back as const by dal__xml_place() */
    if (check_document(diags, document, root, is_dol)) {
        xmlFreeDoc(document);
        return NULL;
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

void dal__xml_close(xmlNode *root)
{
    if (root)
        xmlFreeDoc(root->doc);
}

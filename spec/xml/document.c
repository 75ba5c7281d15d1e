#include "spec/xml/document.h"

#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/xml/tags.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdint.h>
#include <string.h>

#define MAX_FILE_BYTES ((size_t)64 << 20)
/* Most elements and attributes together: bounds the memory that a document takes. */
#define MAX_NODES 8000000
/* Attributes of one element: libxml compares each with all before it. */
#define MAX_ATTRIBUTES 256
/* Namespaces that are declared around an element, two entries each: a prefix is looked for among
 * all of them. */
#define MAX_NAMESPACES 256

#if LIBXML_VERSION >= 21200
typedef const xmlError *message_ptr;
#else
typedef xmlErrorPtr message_ptr;
#endif

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

int dal__xml_load(struct dal_diags *diags, const char *file, char **text, size_t *bytes)
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

/* Notes the line of a text's first character that is no white space. */
static void note_line(const xmlParserCtxt *context, const xmlChar *text, int length)
{
    const struct parse *parse = context->_private;
    xmlNode *node = context->node ? context->node->last : NULL;
    int line = context->input->line + parse->skipped_lines, at = 0;
    while (at < length && strchr(" \t\r\n", text[at]))
        at++;
    if (!node || node->_private || at == length)
        return;
    for (; at < length; at++)
        line -= text[at] == '\n';
    node->_private = (void *)(intptr_t)line;
}

static void on_text(void *data, const xmlChar *text, int length)
{
    xmlSAX2Characters(data, text, length);
    note_line(data, text, length);
}

static void on_cdata(void *data, const xmlChar *text, int length)
{
    xmlSAX2CDataBlock(data, text, length);
    note_line(data, text, length);
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
    context->sax->characters = on_text;
    context->sax->cdataBlock = on_cdata;
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

xmlDoc *dal__xml_parse(struct dal_diags *diags, const char *file, const char *text, size_t bytes)
{
    struct parse parse = {.diags = diags, .file = dal_diag_file(diags, file)};
    xmlDoc *document = parse.file ? parse_buffer(&parse, text, bytes) : NULL;
    if (document)
        document->_private = (void *)parse.file; /* read back as const by dal__xml_place() */
    return document;
}

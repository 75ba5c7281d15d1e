/*
 * Networks as text, and how a long one becomes short. Makes edits one by one, and keeps each after
 * which the network's long form is the same as before. So nothing that a conversion forgets can be
 * lost.
 */
#include "spec/write/short.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/dialects/short/short.h"
#include "spec/dialects/short/tidy.h"
#include "spec/read/xml.h"
#include "spec/write/edits.h"
#include "spec/xml/document.h"

#include <string.h>

/* With more edits than these, all of them are kept, or none. */
enum { MOST_TRIED = 400, MOST_BYTES = 1 << 26 };

/* ---- long ------------------------------------------------------------------------------------ */

static xmlDoc *parse_tidy(struct dal_diags *diags, const char *file, const char *text, size_t bytes)
{
    xmlDoc *document = dal__xml_parse(diags, file, text, bytes);
    if (document)
        dal__tidy_space(document);
    return document;
}

/* Makes the long form of a text of this file. */
static int make_long(struct dal_diags *diags, const struct dal__schema *schema, const char *file,
                     const char *text, size_t bytes, char **result)
{
    xmlDoc *document = parse_tidy(diags, file, text, bytes);
    xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    int status = root ? dal__short_expand(diags, root) : DAL_ERR_INVALID;
    if (!status)
        status = dal__tidy_network(root);
    *result = status ? NULL : dal__tidy_text(schema, document);
    if (document)
        xmlFreeDoc(document);
    return status ? status : *result ? DAL_OK : dal__lost(diags);
}

/* Checks the form of the network, and reads its text. */
static int read_text(struct dal_diags *diags, const char *file, char **text, size_t *bytes)
{
    int is_dol;
    unsigned char digest[DAL_SHA256_BYTES];
    xmlDoc *document = dal__xml_read(diags, file, "processnetwork", &is_dol, digest);
    *text = NULL;
    if (!document)
        return diags->lost ? DAL_ERR_NOMEM : DAL_ERR_INVALID;
    xmlFreeDoc(document);
    return dal__xml_load(diags, file, text, bytes);
}

static int expand(struct dal_diags *diags, const struct dal__schema *schema, const char *file,
                  char **text)
{
    char *written;
    size_t bytes;
    int status = read_text(diags, file, &written, &bytes);
    *text = NULL;
    if (!status)
        status = make_long(diags, schema, file, written, bytes, text);
    dal_free(written);
    return status;
}

int dal_network_expand(struct dal_diags *diags, const char *file, char **text)
{
    struct dal__schema *schema = dal__schema_open("processnetwork");
    int status;
    *text = NULL;
    status = schema ? expand(diags, schema, file, text) : dal__lost(diags);
    dal__schema_close(schema);
    return status;
}

/* ---- which edits ----------------------------------------------------------------------------- */

struct shortening {
    struct dal_diags *diags;
    struct dal__schema *schema; /* of networks, open as long as trials are made */
    const char *file, *long_text;
    unsigned char *wanted;
    size_t count;
};

/* Makes the text with the edits that are wanted; counts all edits. */
static int apply_edits(struct shortening *s, char **text)
{
    xmlDoc *document = parse_tidy(s->diags, s->file, s->long_text, strlen(s->long_text));
    xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    *text = NULL;
    if (!root)
        return DAL_ERR_INVALID;
    if (!dal__edits_make(root, s->wanted, &s->count))
        *text = dal__tidy_text(s->schema, document);
    xmlFreeDoc(document);
    return *text ? DAL_OK : dal__lost(s->diags);
}

/* Checks that the text can be read: a short channel, for example, cannot have the names that DOL
 * allows. */
static int check_form(struct dal_diags *diags, struct dal__schema *schema, const char *file,
                      const char *text)
{
    xmlDoc *document = dal__xml_parse(diags, file, text, strlen(text));
    int status = document      ? dal__xml_check(diags, schema, document, "processnetwork")
                 : diags->lost ? DAL_ERR_NOMEM
                               : DAL_ERR_INVALID;
    if (document)
        xmlFreeDoc(document);
    return status;
}

/* Returns 1 when the short text means the same, 0 when not, and a negative code without memory. */
static int is_lossless(struct shortening *s, char **text)
{
    struct dal_diags unsaid;
    char *again = NULL;
    int status = apply_edits(s, text), same;
    dal_diags_init(&unsaid);
    if (!status)
        status = make_long(&unsaid, s->schema, s->file, *text, strlen(*text), &again);
    if (!status)
        status = check_form(&unsaid, s->schema, s->file, *text);
    same = !status && strcmp(again, s->long_text) == 0;
    dal_diags_finish(&unsaid);
    dal_free(again);
    if (!same) {
        dal_free(*text);
        *text = NULL;
    }
    return status == DAL_ERR_NOMEM ? status : same;
}

/* Keeps one more edit, if that is lossless. Negative without memory. */
static int try_edit(struct shortening *s, size_t number)
{
    char *text;
    int good;
    if (s->wanted[number])
        return 1;
    s->wanted[number] = 1;
    good = is_lossless(s, &text);
    s->wanted[number] = good > 0;
    dal_free(text);
    return good;
}

/* Makes all edits if that is lossless; else each that is, one after the other. It goes forwards,
 * since ports can go when channels are short, and backwards, since the last port has to go
 * first. */
static int choose_edits(struct shortening *s, size_t most, char **text)
{
    int good;
    memset(s->wanted, 1, most);
    good = is_lossless(s, text);
    if (good)
        return good < 0 ? good : DAL_OK;
    memset(s->wanted, 0, most);
    if (s->count > MOST_TRIED || s->count * most > MOST_BYTES)
        return apply_edits(s, text);
    for (size_t i = 0; i < s->count && good >= 0; i++)
        good = try_edit(s, i);
    for (size_t i = s->count; i > 0 && good >= 0; i--)
        good = try_edit(s, i - 1);
    return good < 0 ? good : apply_edits(s, text);
}

int dal_network_shorten(struct dal_diags *diags, const char *file, char **text)
{
    struct shortening s = {
        .diags = diags, .file = file, .schema = dal__schema_open("processnetwork")};
    char *long_text = NULL;
    int status = s.schema ? expand(diags, s.schema, file, &long_text) : dal__lost(diags);
    *text = NULL;
    if (!status) {
        size_t most = strlen(long_text); /* more than there are elements */
        s.long_text = long_text;
        s.wanted = dal_alloc(most + 1);
        status = s.wanted ? choose_edits(&s, most, text) : dal__lost(diags);
    }
    dal_free_all(s.wanted, long_text);
    dal__schema_close(s.schema);
    return status;
}

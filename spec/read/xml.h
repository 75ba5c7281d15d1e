/*
 * XML for the readers: one document at a time, in memory, every element with its line. Internal to
 * spec/read, whose files alone see libxml. One thread.
 */
#pragma once

#include "rt/base/sha256.h"
#include "spec/base/diag.h"
#include "spec/base/limits.h"
#include "spec/read/expr.h"

#include "spec/xml/node.h"
#include "spec/xml/schema.h"

#include <libxml/tree.h>
#include <stdint.h>

/*
 * Reads `file` and checks that it is well-formed, has no document type and has this root element.
 * It must fit the schema spec/schemas/ROOT.xsd; if there is none, the reader checks by itself.
 * *is_dol says whether it is of DOL's dialect (dialect.h), in which names are any text. `digest` is
 * that of the file's bytes. Returns the document, for xmlFreeDoc(), or NULL with the reasons in
 * diags.
 */
xmlDoc *dal__xml_read(struct dal_diags *diags, const char *file, const char *root, int *is_dol,
                      unsigned char digest[DAL_SHA256_BYTES]);

/* Does a document have this root element, and fit its schema? Changes its namespaces. DAL_OK, or
 * the reason in diags. */
int dal__xml_check(struct dal_diags *diags, struct dal__schema *schema, xmlDoc *document,
                   const char *root);

/* State that the attribute functions need. */
struct dal__reader {
    struct dal_diags *diags;
    struct dal_expr_scope *scope;
    size_t visited;    /* elements that iterators have been through */
    size_t text_bytes; /* of attributes that were looked at */
    int unclear;       /* an iterator, a name or a variable failed: the elements are not known */
    int is_dol;        /* the file is of DOL's dialect */
    size_t foreign; /* the first variables of the scope are of another file: these may be hidden */
    unsigned char digest[DAL_SHA256_BYTES]; /* of the file */
};

/* A limit on a number of things, with its words: "more than 64 sources", or "process 'x' has more
 * than 64 sources". */
struct dal__limit {
    size_t most;
    const char *things;
    const char *of, *name; /* "process" or "", and its name; or NULL */
    const char *code;      /* NULL: "network-size" */
};

/* Adds an element of so many bytes, all zero, to an array as dal_extend() does, and counts it.
 * `limit` may be NULL. Returns the element; or NULL, with *status DAL_ERR_LIMIT or DAL_ERR_NOMEM
 * after an error in diags, at `place`. */
void *dal__add(struct dal__reader *reader, const xmlNode *place, const struct dal__limit *limit,
               void *array, size_t *count, size_t bytes, int *status);
#define DAL__ADD(reader, place, limit, things, count, status)                                      \
    dal__add(reader, place, limit, &(things), &(count), sizeof(*(things)), status)

/* Does this status end the reading? A reported error does not; exhausted memory and limits do. */
int dal__fatal(int status);

/* Calls dal__xml_read(), and reads how all our files begin: the place and the name of the whole.
 * Returns the root element, for dal__xml_close(), or NULL with the reasons in diags. */
xmlNode *dal__xml_open(struct dal__reader *reader, const char *file, const char *root,
                       struct dal_spec_place *place, char **name);
void dal__xml_close(xmlNode *root);

/* Makes the short form of a file long. What is refused of it is left out, and is a gap. Returns
 * DAL_OK or DAL_ERR_NOMEM. */
int dal__xml_lengthen(struct dal__reader *reader, xmlNode *root, int *has_gaps);

/* Copies an attribute; the caller owns it. *value is NULL when it is absent. Returns DAL_OK,
 * DAL_ERR_NOMEM, or DAL_ERR_LIMIT after an error in diags. */
int dal__xml_text(struct dal__reader *reader, const xmlNode *element, const char *attribute,
                  char **value);

/* Rules for a number. An absent attribute has the value `absent`. */
struct dal__number {
    const char *attribute;
    int64_t least, most, absent;
    const char *low_code, *high_code; /* NULL: "bad-number" */
};

/* Gives an attribute's text with ${EXPRESSION} replaced. The caller owns *result; it is NULL
 * without the attribute. After DAL_ERR_INVALID, which is reported, it is the text as written. */
int dal__xml_expand(struct dal__reader *reader, const xmlNode *element, const char *attribute,
                    char **result);

/* Returns whether a text has no control character, since a generated file can have none in a path
 * or an option. Otherwise reports an error, which names the text by `what`. */
int dal__xml_plain(struct dal_diags *diags, struct dal_spec_place place, const char *what,
                   const char *text);

/* Parses a decimal number above 0 and below 1e300, with white space around it. Returns whether it
 * is one; otherwise *value stays. */
int dal__parse_positive(const char *text, double *value);

/* Evaluates an attribute. Returns DAL_OK, or DAL_ERR_INVALID after an error in diags, with *value
 * the nearest value that is allowed, so that reading may go on. */
int dal__xml_number(struct dal__reader *reader, const xmlNode *element,
                    const struct dal__number *rule, int64_t *value);

/* Evaluates an attribute that may be a sequence of at most DAL_MAX_PHASES entries, such as "1,0,2".
 * The rule applies to each entry. With low_code, the sum must not be 0 either. Without a comma it
 * does the same as dal__xml_number(). `*sum` is the sum of all entries. `*list`, owned by the
 * caller, is NULL without a comma, or after an error. Returns what dal__xml_number() does, or
 * DAL_ERR_NOMEM. */
int dal__xml_sequence(struct dal__reader *reader, const xmlNode *element,
                      const struct dal__number *rule, int64_t *sum, uint64_t **list, size_t *count);

/* Returns the value that dal__xml_number() finds, also after an error in diags. */
int64_t dal__xml_value(struct dal__reader *reader, const xmlNode *element,
                       const struct dal__number *rule);

/* As dal__xml_number(), but for "auto" *value is DAL_SPEC_AUTO. */
int dal__xml_number_or_auto(struct dal__reader *reader, const xmlNode *element,
                            const struct dal__number *rule, int64_t *value);

/* A unit, in units of the smallest one. */
struct dal__unit {
    const char *name;
    double factor;
};

/* Units of time, in nanoseconds. */
extern const struct dal__unit dal__xml_times[];

/* Rules for a number with a unit; all values are in the smallest unit. */
struct dal__quantity {
    const char *attribute;
    const struct dal__unit *units; /* the last one has no name */
    uint64_t least, most;
    const char *range; /* in words */
};

/* Reads an attribute whose form the schema has checked; ${EXPRESSION} in it is replaced. Returns
 * whether it is there; *value is a value that is allowed, after an error in diags as well. */
int dal__xml_quantity(struct dal__reader *reader, const xmlNode *element,
                      const struct dal__quantity *rule, uint64_t *value);

/* Evaluates an attribute of work-items: an expression, "auto", or two or three expressions with x
 * between ("16x16"). Fills in how many there are and, of several dimensions, how many in each;
 * leaves both alone without the attribute. An x between two operands parts them, so a variable may
 * be called x. */
void dal__xml_work_items(struct dal__reader *reader, const xmlNode *element, const char *attribute,
                         uint32_t *items, uint32_t shape[DAL_DIMENSIONS]);

/* Adds an expression's fault in `element` to diags. */
void dal__xml_fault(struct dal__reader *reader, const xmlNode *element, const char *attribute,
                    const struct dal_expr_fault *fault);

/* A name with its indices. */
struct dal__label {
    char *base; /* as written */
    char *name; /* base_1_2 */
    int *index;
    size_t index_count;
};

/* Reads the name attribute of an element and its <append> children. Returns DAL_OK, DAL_ERR_INVALID
 * after an error in diags, with the label still made, or DAL_ERR_NOMEM. The caller owns what is in
 * it. */
int dal__xml_label(struct dal__reader *reader, xmlNode *element, struct dal__label *label);
/* As dal__xml_label(), but only for the name. */
int dal__xml_name(struct dal__reader *reader, xmlNode *element, char **name);

/* Called for each element that is not an <iterator>; negative ends the walk. */
typedef int dal__xml_visit(struct dal__reader *reader, xmlNode *element, void *context);

/* Visits the children of `parent` in order, those of an <iterator> as often as it says with its
 * variable in the scope. Returns DAL_OK or the first negative result. */
int dal__xml_walk(struct dal__reader *reader, xmlNode *parent, dal__xml_visit *visit,
                  void *context);

/* Variables of an architecture, or of a mapping for DOL, for the expressions of that file alone.
 * They hide those of other files. Starts zeroed; finish takes them out of the scope again. */
struct dal__own_variables {
    char **names;
    size_t count;
    size_t before; /* variables in the scope before them */
    int is_open;
};

/* Returns DAL_OK, or an error; wrong values are in diags. */
int dal__own_variables_read(struct dal__reader *reader, const xmlNode *root,
                            struct dal__own_variables *own);
void dal__own_variables_finish(struct dal__reader *reader, struct dal__own_variables *own);

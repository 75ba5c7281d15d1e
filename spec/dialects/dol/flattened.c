/*
 * Folds files that DOL's tools have flattened: each element is written out, and its basename and
 * range say from what it was made. A process gets its first name back, with an <append> for each
 * index. Of all other elements the name alone counts.
 *
 *     <process name="square_0_1" basename="square" range="2;3">
 */
#include "rt/base/error.h"
#include "spec/dialects/dol/dialect.h"
#include "spec/xml/node.h"

#include <stdlib.h>
#include <string.h>

/* Takes the number at *at, and moves behind it; -1 unless it has one to nine digits. */
static long take_number(const char **at)
{
    size_t digits = strspn(*at, "0123456789");
    long number = digits > 0 && digits < 10 ? atol(*at) : -1;
    *at += digits;
    return number;
}

/* Is the rest of a name one index for each range? _0_1 of 2;3. Without ranges it is empty. */
static int is_indexed(const char *rest, const char *ranges)
{
    while (*rest == '_' && *ranges) {
        long index, range;
        rest++;
        index = take_number(&rest);
        range = take_number(&ranges);
        if (index < 0 || index >= range || (*ranges && *ranges++ != ';'))
            return 0;
    }
    return !*rest && !*ranges;
}

/* Adds an <append> in front of everything else in the process. */
static int add_append(xmlNode *process, xmlNode **last, const char *digits, size_t length)
{
    xmlNode *append = xmlNewDocNode(process->doc, NULL, (const xmlChar *)"append", NULL);
    char function[16];
    if (!append)
        return DAL_ERR_NOMEM;
    append->_private = process->_private;
    snprintf(function, sizeof(function), "%.*s", (int)length, digits);
    xmlSetProp(append, (const xmlChar *)"function", (const xmlChar *)function);
    dal__xml_put_behind(process, *last, append);
    *last = append;
    return DAL_OK;
}

static int fold_name(xmlNode *process, const char *base, const char *rest)
{
    xmlNode *last = NULL;
    int status = DAL_OK;
    while (!status && *rest == '_') {
        size_t length = strspn(++rest, "0123456789");
        status = add_append(process, &last, rest, length);
        rest += length;
    }
    xmlSetProp(process, (const xmlChar *)"name", (const xmlChar *)base);
    return status;
}

static int fold_process(struct dal_diags *diags, xmlNode *process, const char *base)
{
    const char *name = dal__xml_get(process, "name"), *range = dal__xml_get(process, "range");
    const char *rest = name ? name + strlen(base) : "";
    int status = DAL_OK;
    if (!name || strncmp(name, base, strlen(base)) != 0 || !is_indexed(rest, range ? range : ""))
        dal_error(
            diags, dal__xml_place(process), "bad-name",
            "process '%.100s': the name is not its basename '%.100s' with an index below each "
            "of its range '%.100s'",
            name ? name : "", base, range ? range : "");
    else if (*rest)
        status = fold_name(process, base, rest);
    return status;
}

void dal__flattened_fold(struct dal_diags *diags, xmlNode *element)
{
    const char *base = dal__xml_get(element, "basename");
    if (!base)
        return;
    if (dal__xml_is(element, "process") && fold_process(diags, element, base))
        dal__lost(diags);
    xmlUnsetProp(element, (const xmlChar *)"basename");
    if (!dal__xml_is(element, "iterator"))
        xmlUnsetProp(element, (const xmlChar *)"range");
}

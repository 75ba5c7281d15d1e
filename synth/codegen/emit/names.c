/* Names generated files, writes the lines at their top, and finds where their sources lie. */
#include "synth/codegen/emit/emit.h"
#include "synth/codegen/emit/parts.h"

#include "rt/base/alloc.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Does a name belong to a target of the Makefile, or to a file that is written or that make would
 * read? */
static int is_taken_name(const char *name)
{
    size_t length = strlen(name);
    return !length || *name == '.' || *name == '-' || strcmp(name, "all") == 0 ||
           strcmp(name, "clean") == 0 || strcmp(name, "always") == 0 ||
           !strcasecmp(name, "Makefile") || !strcasecmp(name, "GNUmakefile") || strchr(name, '.');
}

char *dal_emit_program(const char *given)
{
    char *name = dal_strdup(given), *longer;
    if (!name)
        return NULL;
    for (char *c = name; *c; c++)
        if (!isascii((unsigned char)*c) || !(isalnum((unsigned char)*c) || strchr("_.+-", *c)))
            *c = '_';
    if (!is_taken_name(name))
        return name;
    longer = dal_format("network_%s", name);
    dal_free(name);
    for (char *c = longer; c && *c; c++)
        if (*c == '.')
            *c = '_';
    return longer;
}

void dal__emit_banner(const struct dal_plan *plan, struct dal_text *text, const char *format, ...)
{
    char what[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof(what), format, list);
    va_end(list);
    dal_text_add_comment(text, 0, "%s Made by dalsynth from %s, %s and %s.", what,
                         dal_path_base(plan->spec->network.file),
                         dal_path_base(plan->spec->architecture.file),
                         dal_path_base(plan->spec->mapping.file));
}

const char *dal__emit_below(const struct dal_emit *emit, const char *folder)
{
    size_t length = strlen(emit->source_dir);
    if (strcmp(emit->source_dir, "/") == 0)
        return folder + 1;
    if (strncmp(folder, emit->source_dir, length) || (folder[length] && folder[length] != '/'))
        return NULL;
    return folder + length + (folder[length] == '/');
}

const struct dal_plan *dal__emit_plan(const struct dal_emit *emit, const struct dal_plan_unit *unit)
{
    const struct dal_plan *plan;
    for (size_t i = 0; (plan = dal_plan_peer(emit->plan, i)); i++)
        if (unit >= plan->units && unit < plan->units + plan->unit_count)
            return plan;
    return emit->plan;
}

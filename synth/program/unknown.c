/* What a user is told of a build that failed, beside the compiler's messages or instead of them. */
#include "rt/base/alloc.h"
#include "spec/base/text.h"
#include "synth/program/messages.h"

#include <stdio.h>
#include <string.h>

/* Has make told that a file of a unit is not made? */
static int is_not_made(const struct dal_plan_unit *unit, const char *file, const char *output)
{
    char *end = dal_format(" %.*s.o] Error ", (int)strcspn(file, "."), file);
    int found = unit->type == DAL_SOURCE_C && end && strstr(output, end);
    dal_free(end);
    return found;
}

void dal_messages_unknown(struct dal_diags *diags, const struct dal_emit *emit, const char *output)
{
    struct dal_spec_place place = {.file = dal_diag_file(diags, emit->first_file)};
    const struct dal_plan_unit *unit;
    size_t before = diags->errors;
    fputs(output, stderr);
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
        if (unit->file && is_not_made(unit, unit->file, output))
            dal_error(diags, unit->source->place, "source-build",
                      "source '%s' does not compile, perhaps because of its options; the "
                      "compiler's words stand above",
                      dal_path_base(unit->source->path));
    if (diags->errors == before)
        dal_error(diags, place, "source-build",
                  "the program that was made from this network does not build; make's output "
                  "stands above");
}

static int is_port(const struct dal_spec_port *port, const char *name, size_t length,
                   unsigned long long bytes)
{
    return strlen(port->name) == length && strncmp(port->name, name, length) == 0 &&
           port->channel && (!bytes || dal_spec_token_bytes(port->channel) == bytes);
}

const struct dal_spec_port *dal_messages_port(const struct dal_emit *emit, const char *source,
                                              const char *name, size_t length,
                                              unsigned long long bytes)
{
    const struct dal_plan_unit *unit;
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
        for (size_t j = 0; j < unit->process->port_count; j++)
            if (strcmp(unit->source->path, source) == 0 &&
                is_port(&unit->process->ports[j], name, length, bytes))
                return &unit->process->ports[j];
    return NULL;
}

void dal_messages_blocks(struct dal_diags *diags, const struct dal_emit *emit,
                         struct dal_spec_place place, const char *text, int length)
{
    static const char before[] = "'BLOCK_", behind[] = "_SIZE'";
    const char *at = strstr(text, before), *end = at ? strstr(at, behind) : NULL;
    const struct dal_spec_port *port = NULL;
    if (end && end < text + length) {
        at += strlen(before);
        port = dal_messages_port(emit, place.file, at, (size_t)(end - at), 0);
    }
    if (port)
        dal_note(diags, port->channel->place,
                 port->dynamic ? "port '%s' has no rate, and so no size of a block"
                               : "the blocks of port '%s' do not divide its rate: no block has a "
                                 "size",
                 port->name);
}

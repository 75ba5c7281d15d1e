/*
 * Adds to a process's header what the calls of dal.h ask about its ports: the index of each, and
 * errors of the compiler for calls that cannot be right. No header is included, lest a feature
 * macro at the top of the user's source come too late.
 */
#include "synth/codegen/emit/parts.h"

#include "rt/base/alloc.h"

#include <inttypes.h>
#include <stdarg.h>

static void add_function(struct dal_text *text, const char *head)
{
    dal_text_printf(text, "static __inline __attribute__((always_inline)) %s\n{\n", head);
}

/* Adds the look-up of a port's index. All comparisons fold when the name is a literal, so that
 * DAL_read(PORT_x, ...) costs no look-up. A name made at run time goes to the library. */
static void add_index(struct dal_text *text, const struct dal_spec_process *process)
{
    dal_text_add(text, "/* Index of an input (output 0) or an output (1), -1 without one. */\n");
    add_function(text, "int dal__unit_port(const char *name, int output)");
    for (size_t i = 0; i < process->port_count; i++) {
        dal_text_printf(text, "    if (output == %d && !__builtin_strcmp(name, ",
                        process->ports[i].output);
        dal_text_add_literal(text, process->ports[i].name);
        dal_text_printf(text, "))\n        return %zu;\n", i);
    }
    dal_text_add(text, "    (void)name;\n    (void)output;\n    return -1;\n}\n\n");
}

/* A function that must not be called: the compiler ends with this text where a call is left. */
static void add_error(struct dal_text *text, struct dal_spec_place place, const char *function,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

static void add_error(struct dal_text *text, struct dal_spec_place place, const char *function,
                      const char *format, ...)
{
    char words[512];
    char *message;
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof(words), format, list);
    va_end(list);
    message = dal_format("%s (%s:%d)", words, dal_path_base(place.file), place.line);
    dal_text_printf(text, "void %s(void) __attribute__((error(", function);
    dal_text_add_literal(text, message ? message : "");
    dal_text_add(text, ")));\n");
    text->lost |= !message;
    dal_free(message);
}

static void add_errors(struct dal_text *text, const struct dal_spec_process *process)
{
    char function[64];
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        snprintf(function, sizeof(function), "dal__port_%zu", i);
        add_error(text, port->place, function, "process %s: port %s is an %s port", process->base,
                  port->name, port->output ? "output" : "input");
        snprintf(function, sizeof(function), "dal__token_%zu", i);
        add_error(text, port->place, function,
                  "process %s: a token of port %s has %" PRIu64
                  " bytes; the size given here is no multiple and no part of that",
                  process->base, port->name, dal_spec_token_bytes(port->channel));
    }
    add_error(text, process->place, "dal__no_port", "process %s has no port of this name",
              process->base);
}

static void add_port_check(struct dal_text *text, const struct dal_spec_process *process)
{
    add_function(text, "void dal__unit_check_port(const char *name, int out)");
    dal_text_add(text, "    if (dal__unit_port(name, out) >= 0)\n        return;\n");
    for (size_t i = 0; i < process->port_count; i++) {
        dal_text_add(text, "    if (!__builtin_strcmp(name, ");
        dal_text_add_literal(text, process->ports[i].name);
        dal_text_printf(text, ")) {\n        dal__port_%zu();\n        return;\n    }\n", i);
    }
    dal_text_add(text, "    dal__no_port();\n}\n\n");
}

static void add_token_check(struct dal_text *text, const struct dal_spec_process *process)
{
    add_function(text, "void dal__unit_token(int index, __SIZE_TYPE__ bytes)");
    for (size_t i = 0; i < process->port_count; i++) {
        uint64_t size = dal_spec_token_bytes(process->ports[i].channel);
        dal_text_printf(text,
                        "    if (index == %zu && bytes %% %" PRIu64 " && %" PRIu64
                        " %% bytes)\n        dal__token_%zu();\n",
                        i, size, size, i);
    }
    dal_text_add(text, "    (void)index;\n    (void)bytes;\n}\n\n");
}

void dal__emit_ports(struct dal_text *text, const struct dal_spec_process *process)
{
    dal_text_add(text, "struct _process;\n\n");
    add_index(text, process);
    dal_text_add(text, "/* What the compiler says of a call that cannot be right. */\n"
                       "/* clang-format off */\n");
    add_errors(text, process);
    dal_text_add(text, "/* clang-format on */\n\n");
    add_port_check(text, process);
    add_token_check(text, process);
}

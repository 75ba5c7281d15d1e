/* Runs a kernel's source through the preprocessor of the program's compiler. */
#include "synth/codegen/kernel/variants.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"
#include "synth/codegen/c/unit.h"
#include "synth/codegen/clang/reader.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct preprocessing {
    struct dal_diags *diags;
    const struct dal_spec_source *source;
    const char *constants;
    struct dal_text *text, *files;
    struct dal_text macros; /* of the source, without arguments: " NAME VALUE" a line */
    char *path;             /* of the file that the line at hand is of; NULL of none */
    int line;
    int is_open, goes_on; /* its newline is to come; the next one is of the same line */
    int errors;
};

/* ---- the command ----------------------------------------------------------------------------- */

static void add_option(struct dal_text *command, const char *option)
{
    dal_text_add(command, " ");
    dal_text_add_shell(command, option);
}

/* Adds those of a source's options that the preprocessor knows. */
static void add_options(struct dal_text *command, const char *options)
{
    struct dal_text option = {0};
    while (dal_text_next_define(&options, &option) > 0)
        add_option(command, dal_text_get(&option));
    command->lost |= option.lost;
    dal_text_finish(&option);
}

/* Adds constants, one "#define NAME VALUE" a line. */
static void add_constants(struct dal_text *command, const char *at)
{
    static const char define[] = "#define ";
    for (; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *name = at + sizeof(define) - 1, *value;
        char *option;
        if (strncmp(at, define, sizeof(define) - 1) != 0)
            continue;
        value = name + strcspn(name, " \n");
        value += strspn(value, " ");
        option = dal_format("-D%.*s=%.*s", (int)strcspn(name, " \n"), name,
                            (int)strcspn(value, "\n"), value);
        if (option)
            add_option(command, option);
        command->lost |= !option;
        dal_free(option);
    }
}

/* Makes the shell's command. $CC may be several words. */
static int make_command(struct dal_text *command, const struct dal_reading *reading)
{
    const char *cc = getenv("CC");
    char real[PATH_MAX];
    if (!realpath(reading->path, real))
        return DAL_ERR_SYSTEM;
    dal_text_add(command, cc && *cc ? cc : "cc");
    dal_text_add(command, " -E -dD -undef -nostdinc -x c -std=gnu99 -w");
    add_option(command, "-D" DAL__GROUP_ITEMS "=" DAL__GROUP_ITEMS);
    add_option(command, "-DDAL__DEVICE_IN_FRONT=");
    add_option(command, "-DDAL_POINTER=DAL_POINTER");
    add_option(command, "-DDAL_POINTER_TO=DAL_POINTER_TO");
    if (reading->is_cuda)
        dal_text_add(command, " -D__cplusplus=201703L -D__CUDACC__=1 -D__CUDACC_RTC__=1");
    if (reading->headers) {
        add_option(command, "-idirafter");
        add_option(command, reading->headers);
    }
    add_constants(command, reading->prologue);
    if (reading->defines)
        add_options(command, dal_text_get(reading->defines));
    add_options(command, reading->options);
    add_option(command, real);
    return command->lost ? DAL_ERR_NOMEM : DAL_OK;
}

/* ---- its output ------------------------------------------------------------------------------ */

/* Returns a string from the form that the preprocessor writes. */
static char *unquote(const char *at, const char *end)
{
    char *name = dal_strdup(at), *to = name;
    for (; name && at < end && *at != '"'; at++) {
        if (*at == '\\' && at[1] >= '0' && at[1] <= '7') {
            *to++ = (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + at[3] - '0');
            at += 3;
            continue;
        }
        if (*at == '\\')
            at++;
        *to++ = *at;
    }
    if (name)
        *to = '\0';
    return name;
}

static void end_line(struct preprocessing *pp)
{
    if (pp->is_open)
        dal_text_add(pp->text, "\n");
    pp->is_open = 0;
}

/* Enters a line of a file. Within a line there are markers around what a macro came to, which are
 * no news. Among the arguments of another macro a directive is not defined, so the line goes on
 * (C99, 6.10.3, 11). */
static void enter_line(struct preprocessing *pp, const char *name, const char *path, int line)
{
    int last = pp->line + pp->goes_on; /* which is open */
    pp->goes_on = pp->is_open && line == last && pp->path && strcmp(pp->path, path) == 0;
    pp->line = line - 1;
    dal_text_list_join(pp->files, path, strlen(path));
    if (pp->goes_on)
        return;
    end_line(pp);
    dal_text_printf(pp->text, "#line %d ", line);
    dal_text_add_literal(pp->text, dal_path_base(name));
    dal_text_add(pp->text, "\n");
}

/* Takes a marker: '# 12 "file" ...'. gcc's first marker says line 0, in front of all text. */
static void take_marker(struct preprocessing *pp, const char *at, const char *end)
{
    char *behind, *name, *path = NULL;
    long line = strtol(at + 2, &behind, 10);
    name = *behind == ' ' && behind[1] == '"' ? unquote(behind + 2, end) : NULL;
    if (name && !dal__is_no_file(name) && (line > 0 || pp->text->length)) {
        path = dal__user_path(pp->source, name);
        pp->text->lost |= !path;
        if (path)
            enter_line(pp, name, path, line > 0 ? (int)line : 1);
    }
    dal_free(pp->path);
    pp->path = path;
    dal_free(name);
}

/* Checks "NAME VALUE" of the source: for one of our constants, the value must be the same. */
static void check_constant(struct preprocessing *pp, const char *name, const char *value,
                           const char *end)
{
    struct dal_spec_place place = {.file = dal_diag_file(pp->diags, pp->path), .line = pp->line};
    size_t length = strcspn(name, " (\n");
    char *line = dal_format("#define %.*s ", (int)length, name);
    const char *ours = line ? strstr(pp->constants, line) : NULL;
    pp->text->lost |= !line;
    if (ours) {
        ours += strlen(line);
        ours += strspn(ours, " ");
    }
    if (ours && (strcspn(ours, "\n") != (size_t)(end - value) ||
                 strncmp(ours, value, (size_t)(end - value)) != 0)) {
        dal_error(pp->diags, place, "kernel-build", "'%.*s' is a constant of the network: %.*s",
                  (int)length, name, (int)strcspn(ours, "\n"), ours);
        pp->errors++;
    }
    dal_free(line);
}

static void take_define(struct preprocessing *pp, const char *name, const char *end)
{
    const char *value = name + strcspn(name, " (\n");
    if (*value == ' ')
        dal_text_printf(&pp->macros, " %.*s\n", (int)(end - name), name);
    check_constant(pp, name, value + strspn(value, " "), end);
}

/* Returns the value that a macro was given last; NULL without one. */
static const char *find_macro(const struct preprocessing *pp, const char *name, size_t length)
{
    char *line = dal_format("\n %.*s ", (int)length, name);
    const char *at = dal_text_get(&pp->macros), *value = NULL;
    while (line && (at = strstr(at, line))) {
        at += strlen(line);
        value = at;
    }
    dal_free(line);
    return value;
}

/* Adds a pragma. Compilers for devices replace macros in it, which the preprocessor leaves as they
 * are. */
static void add_pragma(struct preprocessing *pp, const char *at, const char *end)
{
    dal_text_add(pp->text, "#pragma ");
    for (at += 8; at < end;) {
        size_t length = strspn(at, DAL_IDENTIFIER);
        const char *value = length ? find_macro(pp, at, length) : NULL;
        if (value)
            dal_text_add_bytes(pp->text, value, strcspn(value, "\n"));
        else
            dal_text_add_bytes(pp->text, at, length ? length : 1);
        at += length ? length : 1;
    }
}

static void take_line(struct preprocessing *pp, const char *at, const char *end)
{
    if (at[0] == '#' && at[1] == ' ') {
        take_marker(pp, at, end);
        return;
    }
    if (!pp->path)
        return;
    if (pp->goes_on && *at != '#')
        at += strspn(at, " ");
    else
        end_line(pp);
    pp->goes_on = 0;
    pp->line++;
    if (strncmp(at, "#define ", 8) == 0)
        take_define(pp, at + 8, end);
    else if (strncmp(at, "#pragma ", 8) == 0 && strncmp(at + 8, "OPENCL ", 7) != 0)
        add_pragma(pp, at, end);
    else if (strncmp(at, "#undef ", 7) != 0)
        dal_text_add_bytes(pp->text, at, (size_t)(end - at));
    if (*at == '#')
        dal_text_add(pp->text, "\n");
    else
        pp->is_open = 1;
}

static int take_output(struct preprocessing *pp, const char *output)
{
    struct dal_spec_place place = {.file = dal_diag_file(pp->diags, pp->source->path), .line = 1};
    if (strlen(output) == DAL_UNIT_MAX_BYTES)
        return dal_error(pp->diags, place, "kernel-build",
                         "this source is too large behind the preprocessor");
    while (*output) {
        const char *end = output + strcspn(output, "\n");
        take_line(pp, output, end);
        output = end + (*end == '\n');
    }
    end_line(pp);
    if (pp->text->lost || pp->files->lost || pp->macros.lost)
        return DAL_ERR_NOMEM;
    return pp->errors ? DAL_ERR_INVALID : DAL_OK;
}

/* Takes the first line of an error as the text. The source's files may still ask for more. */
static int take_refusal(struct preprocessing *pp, int status, const char *output)
{
    const char *words = strstr(output, "error: ");
    int error = take_output(pp, output);
    while (words && words > output && words[-1] != '\n')
        words--;
    words = words ? words : output;
    dal_text_finish(pp->text);
    dal_text_add_bytes(pp->text, words, strcspn(words, "\n"));
    return error ? error : status;
}

int dal__preprocess(struct dal_diags *diags, const struct dal_spec_source *source,
                    const struct dal_reading *reading, struct dal_text *text,
                    struct dal_text *files)
{
    struct preprocessing pp = {.diags = diags,
                               .source = source,
                               .constants = reading->prologue,
                               .text = text,
                               .files = files};
    struct dal_text command = {0};
    int status = make_command(&command, reading);
    const char *const argv[] = {"sh", "-c", dal_text_get(&command), NULL};
    struct dal_child child = {.argv = argv,
                              .folder = reading->folder,
                              .limit_ns = DAL_READER_SECONDS * INT64_C(1000000000),
                              .most = DAL_UNIT_MAX_BYTES};
    char *output = NULL;
    dal_text_add(&pp.macros, "\n");
    if (!status)
        status = dal_child_run(&child, &output);
    if (status > 0)
        status = take_refusal(&pp, status, output);
    else if (status == 0)
        status = take_output(&pp, output);
    else if (status == DAL_ERR_LIMIT || status == DAL_ERR_SYSTEM)
        status = dal__unit_unread(diags, source);
    dal_free_all(output, pp.path);
    dal_text_finish(&pp.macros);
    dal_text_finish(&command);
    return status;
}

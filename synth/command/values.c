/* Takes values of options. */
#include "synth/command/options.h"

#include "rt/base/alloc.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void *target_of(struct dal_request *request, const struct dal_option *option)
{
    return (char *)request + option->target;
}

int dal_take_flag(struct dal_request *request, const struct dal_option *option, char *text)
{
    (void)text;
    *(int *)target_of(request, option) = 1;
    return 0;
}

int dal_take_text(struct dal_request *request, const struct dal_option *option, char *text)
{
    *(const char **)target_of(request, option) = text;
    return 0;
}

int dal_take_name(struct dal_request *request, const struct dal_option *option, char *text)
{
    if (!*text)
        return dal_request_refuse(request, "--%s wants %s", option->name, option->argument);
    return dal_take_text(request, option, text);
}

int dal_take_texts(struct dal_request *request, const struct dal_option *option, char *text)
{
    struct dal_texts *texts = target_of(request, option);
    if (option->most && texts->count >= option->most)
        return dal_request_refuse(request, "--%s is of one run%s", option->name,
                                  option->most > 1 ? ", or of two" : "");
    if (dal_grow(&texts->list, texts->count, &texts->room, sizeof(*texts->list)))
        return dal_request_lost();
    texts->list[texts->count++] = text;
    return 0;
}

int dal_take_seconds(struct dal_request *request, const struct dal_option *option, char *text)
{
    double *seconds = target_of(request, option);
    char *end;
    *seconds = strtod(text, &end);
    if (end > text && !*end && *seconds > 0 && *seconds <= 1e6)
        return 0;
    return dal_request_refuse(request, "--%s wants seconds, not '%s'", option->name, text);
}

int dal_take_count(struct dal_request *request, const struct dal_option *option, char *text)
{
    uint64_t *count = target_of(request, option);
    char *end;
    errno = 0;
    *count = strtoull(text, &end, 10);
    if (!errno && end > text && !*end && *text != '-' && *count >= option->least &&
        *count <= option->most)
        return 0;
    return dal_request_refuse(request,
                              "--%s wants a number from %" PRIu64 " to %" PRIu64 ", not '%s'",
                              option->name, option->least, option->most, text);
}

static int add_define(struct dal_request *request, struct dal_spec_define define)
{
    struct dal_defines *defines = &request->defines;
    if (dal_grow(&defines->list, defines->count, &defines->room, sizeof(*defines->list)))
        return dal_request_lost();
    defines->list[defines->count++] = define;
    return 0;
}

int dal_take_define(struct dal_request *request, const struct dal_option *option, char *text)
{
    char *equals = strchr(text, '=');
    (void)option;
    if (!equals || equals == text)
        return dal_request_refuse(request, "-D wants NAME=VALUE, not '%s'", text);
    *equals = '\0';
    return add_define(request, (struct dal_spec_define){.name = text, .text = equals + 1});
}

int dal_take_tap(struct dal_request *request, const struct dal_option *option, char *text)
{
    if (!*text)
        return dal_request_refuse(request, "--%s wants %s", option->name, option->argument);
    return add_define(request, (struct dal_spec_define){.name = text, .kind = DAL_DEFINE_TAP});
}

static int has_define(const struct dal_defines *defines, enum dal_spec_define_kind kind,
                      const char *name)
{
    for (size_t i = 0; i < defines->count; i++)
        if (defines->list[i].kind == kind && strcmp(defines->list[i].name, name) == 0)
            return 1;
    return 0;
}

/* Without a folder, DAL_RECORDING says it when the program runs. */
int dal_take_recording(struct dal_request *request, const struct dal_option *option, char *text)
{
    enum dal_spec_define_kind kind = (enum dal_spec_define_kind)option->least;
    char *equals = strchr(text, '=');
    if (!*text || equals == text || (equals && !equals[1]))
        return dal_request_refuse(request, "--%s wants %s, not '%s'", option->name,
                                  option->argument, text);
    if (equals)
        *equals = '\0';
    if (has_define(&request->defines, kind, text))
        return dal_request_refuse(request, "--%s names process '%s' twice", option->name, text);
    return add_define(request, (struct dal_spec_define){
                                   .name = text, .text = equals ? equals + 1 : NULL, .kind = kind});
}

/* The name is of files, and of functions in C. */
int dal_take_library(struct dal_request *request, const struct dal_option *option, char *text)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-0123456789";
    if (text && (!*text || text[strspn(text, letters)] || strchr("-0123456789", *text)))
        return dal_request_refuse(request,
                                  "--library is a name of letters, digits, _ and -, starting with "
                                  "a letter, not '%s'",
                                  text);
    return dal_take_text(request, option, text ? text : "");
}

int dal_take_parameter(struct dal_request *request, const struct dal_option *option, char *text)
{
    const char *dot = strchr(text, '.'), *equals = strchr(text, '=');
    if (!dot || dot == text || !equals || equals < dot + 2)
        return dal_request_refuse(request, "-p wants PROCESS.NAME=VALUE, not '%s'", text);
    return dal_take_texts(request, option, text);
}

int dal_take_verb(struct dal_request *request, const struct dal_option *option, char *text)
{
    const struct dal_verb *verb = &request->table->verbs[option->least];
    (void)text;
    if (request->verb != request->table->verbs && request->verb != verb)
        return dal_request_refuse(request, "%s and %s exclude each other", request->verb->classic,
                                  verb->classic);
    request->verb = verb;
    return 0;
}

int dal_take_explain(struct dal_request *request, const struct dal_option *option, char *text)
{
    (void)option;
    request->build.explain = 1;
    request->explain.json = text && strcmp(text, "json") == 0;
    if (text && !request->explain.json)
        return dal_request_refuse(
            request, "--explain is tables, or json with --explain=json, not '%s'", text);
    return 0;
}

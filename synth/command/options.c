#include "synth/command/options.h"

#include "rt/base/alloc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int dal_option_define(const char *program, char *text, struct dal_spec_define **defines,
                      size_t *count, size_t *room)
{
    char *equals = strchr(text, '='), *end = NULL;
    long long value = 0;

    errno = 0;
    if (equals && equals > text)
        value = strtoll(equals + 1, &end, 10);
    if (!end || errno || end == equals + 1 || *end) {
        fprintf(stderr, "%s: -D wants NAME=INTEGER, not '%s'\n", program, text);
        return DAL_EXIT_USAGE;
    }
    if (dal_grow(defines, *count, room, sizeof(**defines)))
        return DAL_EXIT_BAD_INPUT;
    *equals = '\0';
    (*defines)[(*count)++] = (struct dal_spec_define){.name = text, .value = value};
    return 0;
}

int dal_option_parameter(const char *program, const char *text, struct dal_parameters *parameters)
{
    const char *dot = strchr(text, '.'), *equals = strchr(text, '=');

    if (!dot || dot == text || !equals || equals < dot + 2) {
        fprintf(stderr, "%s: -p wants PROCESS.NAME=VALUE, not '%s'\n", program, text);
        return DAL_EXIT_USAGE;
    }
    if (dal_grow(&parameters->list, parameters->count, &parameters->room,
                 sizeof(*parameters->list)))
        return DAL_EXIT_BAD_INPUT;
    parameters->list[parameters->count++] = text;
    return 0;
}

int dal_option_seconds(const char *program, const char *option, const char *text, double *seconds)
{
    char *end;

    *seconds = strtod(text, &end);
    if (end > text && !*end && *seconds > 0 && *seconds <= 1e6)
        return 0;
    fprintf(stderr, "%s: %s wants seconds, not '%s'\n", program, option, text);
    return DAL_EXIT_USAGE;
}

#include "synth/command/commands.h"

#include "rt/base/alloc.h"
#include "spec/write/describe.h"
#include "spec/write/short.h"

#include <stdio.h>

static int print_text(char *text, int status)
{
    if (!status)
        fputs(text, stdout);
    dal_free(text);
    return status;
}

int dal_form_expand(struct dal_diags *diags, const struct dal_request *request)
{
    char *text = NULL;
    int status = dal_network_flatten(diags, request->files.network, request->defines.list,
                                     request->defines.count, &text);
    if (!status && !text)
        status = dal_network_expand(diags, request->files.network, &text);
    return print_text(text, status);
}

int dal_form_parts(struct dal_diags *diags, const struct dal_request *request)
{
    const char *name = request->files.network;
    return name ? dal_part_describe(diags, name, stdout) : dal_parts_list(diags, stdout);
}

int dal_form_shorten(struct dal_diags *diags, const struct dal_request *request)
{
    char *text = NULL;
    int status = dal_network_shorten(diags, request->files.network, &text);
    return print_text(text, status);
}

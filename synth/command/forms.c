#include "synth/command/forms.h"

#include "rt/base/alloc.h"
#include "spec/write/short.h"
#include "synth/command/list.h"
#include "synth/command/options.h"
#include "synth/command/sdf3.h"

#include <stdio.h>

static int print_form(struct dal_request *request,
                      int (*print)(struct dal_diags *diags, const struct dal_request *request))
{
    struct dal_diags diags;

    dal_diags_init(&diags);
    return dal_request_end(&diags, request->verb->name, print(&diags, request));
}

int dal_verb_import(struct dal_request *request)
{
    return print_form(request, dal_sdf3_import);
}

int dal_verb_export(struct dal_request *request)
{
    return print_form(request, dal_sdf3_export);
}

int dal_verb_list(struct dal_request *request)
{
    return print_form(request, dal_list);
}

static int print_text(char *text, int error)
{
    if (!error)
        fputs(text, stdout);
    dal_free(text);
    return error;
}

static int expand(struct dal_diags *diags, const struct dal_request *request)
{
    char *text = NULL;
    int error = dal_network_expand(diags, request->files.network, &text);

    return print_text(text, error);
}

static int shorten(struct dal_diags *diags, const struct dal_request *request)
{
    char *text = NULL;
    int error = dal_network_shorten(diags, request->files.network, &text);

    return print_text(text, error);
}

int dal_verb_expand(struct dal_request *request)
{
    return print_form(request, expand);
}

int dal_verb_shorten(struct dal_request *request)
{
    return print_form(request, shorten);
}

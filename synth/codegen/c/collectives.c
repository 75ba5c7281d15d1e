/*
 * dal_collectives.h for kernels. The preprocessor finds it in a folder that is there as long as it
 * runs; dalsynth has the text, so no installation is needed. The questions of the header to a
 * device are in a file of their own. That stands in front of a kernel as it is, so the header has
 * one variant.
 */
#include "spec/base/temporary.h"
#include "synth/codegen/c/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char dal__collectives[] = __extension__
#include "synth/codegen/clang/dal_collectives_h.inc"
    ;

static const char device[] = __extension__
#include "synth/codegen/clang/dal_collectives_device_h.inc"
    ;

void dal__add_device(struct dal_text *text)
{
    dal_text_add(text, "#line 1 \"dal_collectives_device.h\"\n");
    dal_text_add(text, device);
}

static int has_word(const struct dal_variants *variants, const char *word)
{
    for (size_t i = 0; i < variants->count; i++)
        if (strstr(dal_text_get(&variants->list[i].text), word))
            return 1;
    return 0;
}

void dal__add_group_items(struct dal_text *text, const struct dal_plan_unit *unit,
                          const struct dal_variants *variants)
{
    if (has_word(variants, DAL__GROUP_ITEMS))
        dal_text_printf(text,
                        "#undef " DAL__GROUP_ITEMS "\n#define " DAL__GROUP_ITEMS " %" PRIu32 "\n",
                        unit->work_items);
    if (has_word(variants, "DAL__LEADER"))
        dal__add_device(text);
}

static char *path_in(const char *folder)
{
    return dal_format("%s/dal_collectives.h", folder);
}

static int write_header(const char *folder)
{
    char *path = path_in(folder);
    FILE *file = path ? fopen(path, "w") : NULL;
    int status = path ? DAL_OK : DAL_ERR_NOMEM;
    if (path && (!file || fputs(dal__collectives, file) < 0))
        status = DAL_ERR_SYSTEM;
    if (file && fclose(file))
        status = DAL_ERR_SYSTEM;
    dal_free(path);
    return status;
}

int dal__collectives_open(struct dal_diags *diags, const struct dal_spec_source *source,
                          char **folder)
{
    int status = dal_temporary_folder(folder);
    if (status == DAL_OK)
        status = write_header(*folder);
    if (status == DAL_OK || status == DAL_ERR_NOMEM)
        return status;
    return dal_error(diags, source->place, "unread-source", "source '%s': cannot write into %s: %s",
                     source->location, *folder, strerror(errno));
}

void dal__collectives_close(char *folder)
{
    char *path = folder ? path_in(folder) : NULL;
    if (path)
        unlink(path);
    if (folder)
        rmdir(folder);
    dal_free_all(path, folder);
}

#include "synth/codegen/c/type.h"

#include "rt/base/error.h"
#include "synth/codegen/clang/reader.h"

#include <stdio.h>

int dal__read_type(const struct dal_spec_type *type, struct dal_facts *facts)
{
    struct dal_text none = {0};
    struct dal_reading reading = {.path = type->header,
                                  .is_cxx = type->cxx,
                                  .folder = type->folder,
                                  .options = type->options,
                                  .prologue = "",
                                  .undefined = &none,
                                  .type = type->type};
    return dal_read_source(&reading, facts);
}

/* Reports the first of the header's errors, with its place. */
static void tell_error(const struct dal_fact *error, struct dal_spec_type_size *size)
{
    size->is_unread = 1;
    snprintf(size->why, sizeof(size->why),
             "is not known, since its header has errors: %.100s:%d: %.200s",
             dal_path_base(error->file), error->line, error->name);
}

int dal_source_type_size(const struct dal_spec_type *type, struct dal_spec_type_size *size)
{
    const struct dal_fact *layout, *unusable, *wrong;
    struct dal_facts facts = {0};
    int status = dal__read_type(type, &facts);
    *size = (struct dal_spec_type_size){0};
    layout = dal_fact_next(&facts, DAL_FACT_LAYOUT, NULL);
    unusable = dal_fact_next(&facts, DAL_FACT_UNUSABLE, NULL);
    wrong = dal_fact_next(&facts, DAL_FACT_ERROR, NULL);
    if (wrong) {
        tell_error(wrong, size);
    } else if (!status && layout) {
        size->bytes = layout->layout.bytes;
    } else {
        size->is_unread = !unusable;
        snprintf(size->why, sizeof(size->why), "%s",
                 unusable ? unusable->name : "could not be read from its header");
    }
    dal_facts_finish(&facts);
    return status == DAL_ERR_SYSTEM ? DAL_OK : status;
}

#include "synth/codegen/emit/fields.h"

#include <inttypes.h>

void dal__field_string(struct dal_text *text, int indent, const char *field, const char *value)
{
    dal_text_printf(text, "%*s.%s = ", indent, "", field);
    dal_text_add_literal(text, value);
    dal_text_add(text, ",\n");
}

void dal__field_number(struct dal_text *text, int indent, const char *field, uint64_t value)
{
    dal_text_printf(text, "%*s.%s = %" PRIu64 "%s,\n", indent, "", field, value,
                    value > INT64_MAX ? "u" : "");
}

void dal__field_given(struct dal_text *text, int indent, const char *field, uint64_t value)
{
    if (value)
        dal__field_number(text, indent, field, value);
}

void dal__field_shape(struct dal_text *text, int indent, const uint32_t *shape)
{
    if (shape[0])
        dal_text_printf(text, "%*s.work_shape = {%" PRIu32 ", %" PRIu32 ", %" PRIu32 "},\n", indent,
                        "", shape[0], shape[1], shape[2]);
}

void dal__field_symbol(struct dal_text *text, int indent, const char *field, const char *prefix,
                       const char *symbol)
{
    dal_text_printf(text, "%*s.%s = %s%s,\n", indent, "", field, prefix, symbol);
}

void dal__field_origin(struct dal_text *text, int indent, struct dal_spec_place place,
                       const char *beside)
{
    dal_text_printf(text, "%*s.origin = {.file = ", indent, "");
    dal_text_add_literal(text, dal_path_below(place.file, beside));
    dal_text_printf(text, ", .line = %d},\n", place.line);
}

void dal__entry_open(struct dal_text *text, const char *prefix, const char *symbol)
{
    dal_text_printf(text, "    [%s%s] =\n        {\n", prefix, symbol);
}

void dal__entry_close(struct dal_text *text)
{
    dal_text_add(text, "        },\n");
}

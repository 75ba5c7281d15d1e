#include "rt/base/json.h"

void dal_json_print_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fprintf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
}

void dal_json_print(FILE *out, const char *text)
{
    putc('"', out);
    dal_json_print_text(out, text);
    putc('"', out);
}

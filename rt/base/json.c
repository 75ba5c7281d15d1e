/* Prints strings and numbers of JSON. */
#include "rt/base/json.h"

#include <stdarg.h>
#include <string.h>

/* Returns the bytes of the UTF-8 character at `at`, 0 when there is none: RFC 3629. */
static size_t utf8_length(const unsigned char *at)
{
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    if (at[0] > 0xf4 || (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
        (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

size_t dal_json_escape(const char **text, char to[DAL_JSON_MOST])
{
    const char *from = *text;
    unsigned char c = (unsigned char)*from;
    size_t length = utf8_length((const unsigned char *)from);
    *text += length ? length : 1;
    if (!length)
        return (size_t)snprintf(to, DAL_JSON_MOST, "\\ufffd");
    if (c == '"' || c == '\\')
        return (size_t)snprintf(to, DAL_JSON_MOST, "\\%c", c);
    if (c < 0x20 || c == 0x7f)
        return (size_t)snprintf(to, DAL_JSON_MOST, "\\u%04x", c);
    memcpy(to, from, length);
    return length;
}

void dal_json_print_text(FILE *out, const char *text)
{
    char escaped[DAL_JSON_MOST];
    while (*text)
        fwrite(escaped, 1, dal_json_escape(&text, escaped), out);
}

void dal_json_print(FILE *out, const char *text)
{
    putc('"', out);
    dal_json_print_text(out, text ? text : "");
    putc('"', out);
}

/* Takes the argument of a number: `of` points at the last letter of what says how long it is. */
#define TAKE(list, of, large, small)                                                               \
    (*(of) == 'z'      ? (large long)va_arg(*(list), size_t)                                       \
     : *(of) != 'l'    ? (large long)va_arg(*(list), small)                                        \
     : (of)[-1] == 'l' ? va_arg(*(list), large long)                                               \
                       : (large long)va_arg(*(list), large))

/* Prints the argument of the conversion at `at`, `inside` a string or not. Returns what is behind
 * it. */
static const char *print_next(FILE *out, int inside, const char *at, va_list *list)
{
    const char *end = at + 1 + strspn(at + 1, "-.0123456789lz");
    switch (*end) {
    case 's':
        if (inside)
            dal_json_print_text(out, va_arg(*list, const char *));
        else if (at[1] == '-')
            fputs(va_arg(*list, const char *), out);
        else
            dal_json_print(out, va_arg(*list, const char *));
        break;
    case 'f':
        fprintf(out, "%.*f", end[-1] - '0', va_arg(*list, double));
        break;
    case 'd':
        fprintf(out, "%lld", TAKE(list, end - 1, long, int));
        break;
    default:
        fprintf(out, "%llu", TAKE(list, end - 1, unsigned long, unsigned));
    }
    return end + 1;
}

static void print_all(FILE *out, int inside, const char *format, va_list *list)
{
    char escaped[DAL_JSON_MOST];
    while (*format)
        if (*format == '%')
            format = print_next(out, inside, format, list);
        else if (inside)
            fwrite(escaped, 1, dal_json_escape(&format, escaped), out);
        else
            putc(*format++, out);
}

void dal_json_format(FILE *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_all(out, 0, format, &list);
    va_end(list);
}

void dal_json_pair(struct dal_json_pairs *pairs, const char *name, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    dal_json_format(pairs->out, pairs->count++ ? ",[%s,\"" : "[%s,\"", name);
    print_all(pairs->out, 1, format, &list);
    fputs("\"]", pairs->out);
    va_end(list);
}

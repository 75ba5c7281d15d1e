#include "spec/read/json.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64, MOST_DIGITS = 63, MOST_MESSAGE = 300 };

void dal_json_refuse(struct dal_json *json, const char *format, ...)
{
    char text[MOST_MESSAGE];
    va_list list;
    if (json->wrong)
        return;
    json->wrong = 1;
    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    dal_error(json->diags, json->place, json->code ? json->code : "bad-times", "%s", text);
}

void dal_json_skip_space(struct dal_json *json)
{
    while (json->at < json->end && *json->at && strchr(" \t\r\n", *json->at)) {
        json->place.line += *json->at == '\n';
        json->at++;
    }
}

int dal_json_take(struct dal_json *json, char c)
{
    dal_json_skip_space(json);
    if (json->wrong || json->at == json->end || *json->at != c)
        return 0;
    json->at++;
    return 1;
}

void dal_json_begin(struct dal_json *json, char bracket, const char *what)
{
    if (!dal_json_take(json, bracket))
        dal_json_refuse(json, "%s must be an %s", what, bracket == '{' ? "object" : "array");
}

int dal_json_next(struct dal_json *json, char bracket, int *count)
{
    char end = bracket == '{' ? '}' : ']';
    if (json->wrong || dal_json_take(json, end))
        return 0;
    if (*count && !dal_json_take(json, ',')) {
        dal_json_refuse(json, "a comma or a closing bracket must stand here");
        return 0;
    }
    *count = 1;
    return 1;
}

/* ---- strings -------------------------------------------------------------------------------- */

struct text {
    char *bytes;
    size_t length, room; /* longer than the room: it was cut */
};

static void add_byte(struct text *text, unsigned byte)
{
    if (text->length + 1 < text->room)
        text->bytes[text->length] = (char)byte;
    text->length++;
}

static unsigned read_hex(struct dal_json *json)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        int c = json->at < json->end ? (unsigned char)*json->at : 0;
        if (!isxdigit(c)) {
            dal_json_refuse(json, "four hexadecimal digits must follow \\u");
            return 0;
        }
        value = 16 * value + (unsigned)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
        json->at++;
    }
    return value;
}

/* Reads what stands behind \u, and the second half of a pair behind the first. */
static unsigned read_unicode(struct dal_json *json)
{
    unsigned first = read_hex(json), second;
    const char *at = json->at;
    if (first < 0xd800 || first >= 0xdc00 || json->end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return first;
    json->at += 2;
    second = read_hex(json);
    if (second >= 0xdc00 && second < 0xe000)
        return 0x10000 + ((first & 0x3ff) << 10 | (second & 0x3ff));
    json->at = at;
    return first;
}

/* Adds UTF-8. Half of a pair without the other one is a character of its own. */
static void add_unicode(struct dal_json *json, struct text *text)
{
    unsigned c = read_unicode(json);
    int shift = c < 0x80 ? 0 : c < 0x800 ? 6 : c < 0x10000 ? 12 : 18;
    static const unsigned first[] = {0, 0xc0, 0xe0, 0xf0};
    if (c == 0)
        dal_json_refuse(json, "a string has a zero byte");
    add_byte(text, first[shift / 6] | c >> shift);
    for (shift -= 6; shift >= 0; shift -= 6)
        add_byte(text, 0x80 | (c >> shift & 0x3f));
}

static void add_escape(struct dal_json *json, struct text *text)
{
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *which;
    char c = '\0';
    if (json->at < json->end)
        c = *json->at++;
    which = c ? strchr(names, c) : NULL;
    if (c == 'u')
        add_unicode(json, text);
    else if (which)
        add_byte(text, (unsigned char)meant[which - names]);
    else
        dal_json_refuse(json, "a string has an unknown escape");
}

static void read_text(struct dal_json *json, struct text *text, const char *what)
{
    if (!dal_json_take(json, '"')) {
        dal_json_refuse(json, "%s in quotation marks must stand here", what);
        return;
    }
    while (!json->wrong && json->at < json->end && *json->at != '"') {
        unsigned char c = (unsigned char)*json->at++;
        if (c == '\\')
            add_escape(json, text);
        else if (c < 0x20)
            dal_json_refuse(json, "a string has a control character");
        else
            add_byte(text, c);
    }
    if (json->at == json->end)
        dal_json_refuse(json, "a string does not end");
    json->at += !json->wrong;
    if (text->room)
        text->bytes[text->length < text->room ? text->length : text->room - 1] = '\0';
}

void dal_json_string(struct dal_json *json, char *bytes, size_t room, const char *what)
{
    struct text text = {.bytes = bytes, .room = room};
    read_text(json, &text, what);
    if (text.length >= room)
        dal_json_refuse(json, "%s has more than %zu bytes", what, room - 1);
}

void dal_json_name(struct dal_json *json, char *bytes, size_t room)
{
    struct text text = {.bytes = bytes, .room = room};
    read_text(json, &text, "a name");
    if (!json->wrong && !dal_json_take(json, ':'))
        dal_json_refuse(json, "a colon must stand here");
}

/* ---- numbers -------------------------------------------------------------------------------- */

static size_t count_digits(struct dal_json *json)
{
    const char *first = json->at;
    while (json->at < json->end && isdigit((unsigned char)*json->at))
        json->at++;
    return (size_t)(json->at - first);
}

static int take_sign(struct dal_json *json, const char *signs)
{
    int taken = json->at < json->end && *json->at && strchr(signs, *json->at) != NULL;
    json->at += taken;
    return taken;
}

/* Goes past a number; returns whether there is one. */
static int pass_number(struct dal_json *json)
{
    size_t digits;
    int zero;
    take_sign(json, "-");
    zero = json->at < json->end && *json->at == '0';
    digits = count_digits(json);
    if (digits == 0 || (zero && digits > 1))
        return 0;
    if (take_sign(json, ".") && count_digits(json) == 0)
        return 0;
    if (take_sign(json, "eE")) {
        take_sign(json, "+-");
        return count_digits(json) > 0;
    }
    return 1;
}

double dal_json_number(struct dal_json *json, double least, double most, const char *what)
{
    char digits[MOST_DIGITS + 1];
    const char *first;
    size_t length;
    double value;
    dal_json_skip_space(json);
    first = json->at;
    if (json->wrong)
        return least;
    if (!pass_number(json) || (length = (size_t)(json->at - first)) > MOST_DIGITS) {
        dal_json_refuse(json, "%s must be a number", what);
        return least;
    }
    memcpy(digits, first, length);
    digits[length] = '\0';
    value = strtod(digits, NULL); /* in the locale "C", which no program of this tree leaves */
    if (value >= least && value <= most)
        return value;
    dal_json_refuse(json, "%s is %s, and must be a number from %.15g to %.15g", what, digits, least,
                    most);
    return least;
}

size_t dal_json_numbers(struct dal_json *json, double *list, size_t room, double most,
                        const char *what)
{
    size_t read = 0;
    int count = 0;
    dal_json_begin(json, '[', what);
    while (dal_json_next(json, '[', &count)) {
        double number = dal_json_number(json, 0, most, what);
        if (read == room)
            dal_json_refuse(json, "%s has more than %zu numbers", what, room);
        else if (list)
            list[read] = number;
        read += read < room;
    }
    return json->wrong ? 0 : read;
}

/* ---- anything ------------------------------------------------------------------------------- */

static void skip_word(struct dal_json *json)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(json->end - json->at) >= length && memcmp(json->at, words[i], length) == 0) {
            json->at += length;
            return;
        }
    }
    if (!pass_number(json))
        dal_json_refuse(json, "a value must stand here");
}

static void skip_value(struct dal_json *json, int depth);

static void skip_members(struct dal_json *json, char bracket, int depth)
{
    struct text nothing = {0};
    int count = 0;
    if (depth == MOST_DEPTH)
        dal_json_refuse(json, "values are nested more than %d deep", MOST_DEPTH);
    while (dal_json_next(json, bracket, &count)) {
        if (bracket == '{') {
            read_text(json, &nothing, "a name");
            if (!json->wrong && !dal_json_take(json, ':'))
                dal_json_refuse(json, "a colon must stand here");
        }
        skip_value(json, depth + 1);
    }
}

static void skip_value(struct dal_json *json, int depth)
{
    struct text nothing = {0};
    dal_json_skip_space(json);
    if (json->wrong)
        return;
    if (dal_json_take(json, '{'))
        skip_members(json, '{', depth);
    else if (dal_json_take(json, '['))
        skip_members(json, '[', depth);
    else if (json->at < json->end && *json->at == '"')
        read_text(json, &nothing, "a string");
    else
        skip_word(json);
}

void dal_json_skip(struct dal_json *json)
{
    skip_value(json, 0);
}

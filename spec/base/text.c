#include "spec/base/text.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/json.h"
#include "rt/base/output.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100 };

void dal_text_finish(struct dal_text *text)
{
    dal_free(text->data);
    *text = (struct dal_text){0};
}

const char *dal_text_get(const struct dal_text *text)
{
    return text->data ? text->data : "";
}

static int reserve(struct dal_text *text, size_t more)
{
    size_t room = text->room ? text->room : 256;
    char *data;
    if (text->lost || more >= SIZE_MAX / 4 || text->length >= SIZE_MAX / 4) {
        text->lost = 1;
        return 0;
    }
    while (room < text->length + more + 1)
        room *= 2;
    if (room == text->room)
        return 1;
    data = dal_realloc(text->data, room, 1);
    if (!data) {
        text->lost = 1;
        return 0;
    }
    text->data = data;
    text->room = room;
    return 1;
}

void dal_text_add_bytes(struct dal_text *text, const char *bytes, size_t count)
{
    if (!reserve(text, count))
        return;
    if (count)
        memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void dal_text_add(struct dal_text *text, const char *string)
{
    dal_text_add_bytes(text, string, strlen(string));
}

static void add_formatted(struct dal_text *text, const char *format, va_list list)
{
    va_list again;
    int count;
    va_copy(again, list);
    count = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (count < 0 || !reserve(text, (size_t)count)) {
        text->lost = 1;
        return;
    }
    vsnprintf(text->data + text->length, (size_t)count + 1, format, list);
    text->length += (size_t)count;
}

void dal_text_printf(struct dal_text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_formatted(text, format, list);
    va_end(list);
}

/* Always writes three octal digits, so that a digit behind does not belong to the escape. */
static void add_escaped(struct dal_text *text, unsigned char c, unsigned char before)
{
    static const char plain[] = "\n\t\"\\";
    static const char letter[] = "nt\"\\";
    const char *found = c ? strchr(plain, c) : NULL;
    if (found)
        dal_text_printf(text, "\\%c", letter[found - plain]);
    else if (c < 0x20 || c >= 0x7f)
        dal_text_printf(text, "\\%03o", c);
    else if (c == '?' && before == '?')
        dal_text_add(text, "\\?");
    else
        dal_text_add_bytes(text, (const char *)&c, 1);
}

void dal_text_add_literal_bytes(struct dal_text *text, const char *bytes, size_t count)
{
    dal_text_add(text, "\"");
    for (size_t i = 0; i < count; i++)
        add_escaped(text, (unsigned char)bytes[i], i ? (unsigned char)bytes[i - 1] : 0);
    dal_text_add(text, "\"");
}

void dal_text_add_literal(struct dal_text *text, const char *string)
{
    dal_text_add_literal_bytes(text, string, strlen(string));
}

void dal_text_list_add(struct dal_text *list, const char *line, size_t length)
{
    dal_text_add_bytes(list, line, length);
    dal_text_add(list, "\n");
}

static int has_line(const struct dal_text *list, const char *line, size_t length)
{
    const char *at = dal_text_get(list);
    for (; *at; at += strcspn(at, "\n") + 1)
        if (strcspn(at, "\n") == length && !memcmp(at, line, length))
            return 1;
    return 0;
}

int dal_text_list_has(const struct dal_text *list, const char *line)
{
    return has_line(list, line, strlen(line));
}

int dal_text_list_join(struct dal_text *list, const char *line, size_t length)
{
    if (has_line(list, line, length))
        return 0;
    dal_text_list_add(list, line, length);
    return 1;
}

void dal_text_add_each(struct dal_text *text, const struct dal_text *list, const char *format)
{
    const char *at = list ? dal_text_get(list) : "";
    for (; *at; at += strcspn(at, "\n") + 1)
        dal_text_printf(text, format, (int)strcspn(at, "\n"), at);
}

int dal_text_same(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Backslashes are themselves but in front of a '#', and at the end. $() is nothing: it keeps a
 * blank from being dropped, and a backslash from the line's end. */
void dal_text_add_make(struct dal_text *text, const char *string)
{
    const char *at;
    dal_text_add(text, *string == ' ' ? "$()" : "");
    for (at = string; *at; at++) {
        size_t slashes = strspn(at, "\\");
        if (slashes && at[slashes] == '#')
            for (; slashes; slashes--, at++)
                dal_text_add(text, "\\\\");
        if (*at == '$')
            dal_text_add(text, "$$");
        else if (*at == '#')
            dal_text_add(text, "\\#");
        else
            dal_text_add_bytes(text, at, 1);
    }
    if (at > string && at[-1] == '\\')
        dal_text_add(text, "$()");
}

void dal_text_add_shell(struct dal_text *text, const char *word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    size_t length = strlen(word), bare = 0;
    while (bare < length && (strchr(letters, word[bare]) || strchr("-_./+,:=@%", word[bare])))
        bare++;
    if (length && bare == length) {
        dal_text_add(text, word);
        return;
    }
    dal_text_add(text, "'");
    for (size_t i = 0; i < length; i++)
        if (word[i] == '\'')
            dal_text_add(text, "'\\''");
        else
            dal_text_add_bytes(text, word + i, 1);
    dal_text_add(text, "'");
}

void dal_text_add_json(struct dal_text *text, const char *string)
{
    char escaped[DAL_JSON_MOST];
    dal_text_add(text, "\"");
    while (*string)
        dal_text_add_bytes(text, escaped, dal_json_escape(&string, escaped));
    dal_text_add(text, "\"");
}

int dal_text_is_plain(const char *string)
{
    for (; *string; string++)
        if ((unsigned char)*string < 0x20 || *string == 0x7f)
            return 0;
    return 1;
}

/* Takes one character of a word, or a quote that opens or closes; *quote is the open one or 0.
 * Returns how many bytes it has, 0 when a character is missing behind a backslash. */
static size_t take_character(const char *at, char *quote, struct dal_text *word)
{
    int escapes = *at == '\\' && *quote != '\'' && (!*quote || (at[1] && strchr("\"\\$`", at[1])));
    if (escapes) {
        dal_text_add_bytes(word, at + 1, at[1] != '\0');
        return at[1] ? 2 : 0;
    }
    if (*quote ? *at == *quote : *at == '"' || *at == '\'')
        *quote = *quote ? 0 : *at;
    else
        dal_text_add_bytes(word, at, 1);
    return 1;
}

int dal_text_next_word(const char **at, struct dal_text *word)
{
    static const char blanks[] = " \t\n";
    char quote = 0;
    dal_text_finish(word);
    *at += strspn(*at, blanks);
    if (!**at)
        return 0;
    while (**at && (quote || !strchr(blanks, **at))) {
        size_t count = take_character(*at, &quote, word);
        if (!count)
            return DAL_ERR_INVALID;
        *at += count;
    }
    return quote ? DAL_ERR_INVALID : 1;
}

int dal_text_find_path(const char *word, int files, int *behind)
{
    static const char *const options[] = {"-I",       "-L",      "-include",  "-imacros",
                                          "-isystem", "-iquote", "-idirafter"};
    int is_path = *behind;
    *behind = 0;
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        *behind |= strcmp(word, options[i]) == 0;
    if (is_path)
        return 0;
    if (*word == '@')
        return 1;
    if (*word != '-')
        return files ? 0 : -1;
    return word[1] && strchr("IL", word[1]) && word[2] ? 2 : -1;
}

int dal_text_is_define(const char *option)
{
    return option[0] == '-' && option[1] && strchr("DUI", option[1]) != NULL;
}

int dal_text_is_wrapped_define(const char *option)
{
    static const char front[] = "-Wp,", one[] = "--define-macro=", none[] = "--undefine-macro=";
    if (strncmp(option, one, strlen(one)) == 0 || strncmp(option, none, strlen(none)) == 0)
        return 1;
    if (strncmp(option, front, strlen(front)) != 0)
        return 0;
    for (option += strlen(front) - 1; *option; option += strcspn(option, ",")) {
        option++;
        if (option[0] != '-' || !option[1] || !strchr("DU", option[1]) || strcspn(option, ",") < 3)
            return 0;
    }
    return 1;
}

int dal_text_next_define(const char **at, struct dal_text *option)
{
    struct dal_text argument = {0};
    int found = 0;
    while (*at && (found = dal_text_next_word(at, option)) > 0)
        if (dal_text_is_define(dal_text_get(option)))
            break;
    if (found > 0 && option->length == 2 && dal_text_next_word(at, &argument) > 0)
        dal_text_add(option, dal_text_get(&argument));
    dal_text_finish(&argument);
    return found;
}

/* A name from a specification must not end the comment it is mentioned in, nor open one. */
static void add_word(struct dal_text *text, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        int edge = i > 0 && ((word[i] == '/' && word[i - 1] == '*') ||
                             (word[i] == '*' && word[i - 1] == '/'));
        dal_text_add_bytes(text, edge ? "_" : word + i, 1);
    }
}

static void add_wrapped(struct dal_text *text, int indent, const char *words)
{
    size_t column = (size_t)indent + 2;
    dal_text_printf(text, "%*s/*", indent, "");
    for (;;) {
        size_t length;
        words += strspn(words, " \t\r\n");
        length = strcspn(words, " \t\r\n");
        if (!length)
            break;
        if (column + 1 + length + 3 > COLUMNS && column > (size_t)indent + 2) {
            dal_text_printf(text, "\n%*s *", indent, "");
            column = (size_t)indent + 2;
        }
        dal_text_add(text, " ");
        add_word(text, words, length);
        column += 1 + length;
        words += length;
    }
    dal_text_add(text, " */\n");
}

void dal_text_add_comment(struct dal_text *text, int indent, const char *format, ...)
{
    struct dal_text words = {0};
    va_list list;
    va_start(list, format);
    add_formatted(&words, format, list);
    va_end(list);
    add_wrapped(text, indent, dal_text_get(&words));
    text->lost |= words.lost;
    dal_text_finish(&words);
}

char *dal_text_take(struct dal_text *text)
{
    char *data = NULL;
    if (!text->lost)
        data = text->data ? text->data : dal_strdup("");
    else
        dal_free(text->data);
    *text = (struct dal_text){0};
    return data;
}

int dal_text_write(const char *text, const char *what, const char *name)
{
    struct dal_output output;
    int error = dal_output_open(&output, what, name);
    if (error)
        return error;
    fputs(text, output.file);
    return dal_output_close(&output);
}

char *dal_text_identifier(const char *name)
{
    char *copy = dal_strdup(name);
    for (char *c = copy; c && *c; c++)
        if (!isascii((unsigned char)*c) || !(isalnum((unsigned char)*c)))
            *c = '_';
    return copy;
}

const char *dal_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *dal_path_below(const char *path, const char *file)
{
    size_t length = (size_t)(dal_path_base(file) - file);
    int is_below =
        strncmp(path, file, length) == 0 && path[length] != '/' && !strstr(path + length, "../");
    return is_below ? path + length : dal_path_base(path);
}

char *dal_path_folder(const char *file)
{
    const char *base = dal_path_base(file);
    char *folder = base == file ? dal_strdup(".") : dal_format("%.*s", (int)(base - file), file);
    char real[PATH_MAX];
    char *found = folder && realpath(folder, real) ? dal_strdup(real) : NULL;
    dal_free(folder);
    return found;
}

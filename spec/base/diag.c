#include "spec/base/diag.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/codes.h"
#include "spec/base/names.h"
#include "spec/base/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Entries kept; errors beyond them are only counted. */
#define MAX_ENTRIES 1000
#define MAX_MESSAGE 2000

static const char *const codes[] = {
#define CODE(code, meaning) code,
    DAL_CODE_LIST(CODE)
#undef CODE
};

static inline int code_known(const char *code)
{
    return DAL_IS_ONE_OF(codes, code);
}

const char *dal_diag_level_name(enum dal_diag_level level)
{
    static const char *const names[] = {
        [DAL_DIAG_ERROR] = "error",
        [DAL_DIAG_WARNING] = "warning",
        [DAL_DIAG_NOTE] = "note",
    };
    return names[level];
}

void dal_diags_init(struct dal_diags *diags)
{
    *diags = (struct dal_diags){0};
}

void dal_diags_finish(struct dal_diags *diags)
{
    for (size_t i = 0; i < diags->count; i++)
        dal_free(diags->list[i].message);
    for (size_t i = 0; i < diags->file_count; i++) {
        dal_free_all(diags->files[i], diags->ways[i]);
    }
    dal_free_all(diags->list, diags->files, diags->ways);
    dal_diags_init(diags);
}

/* Takes both texts over. */
static const char *add_file(struct dal_diags *diags, char *copy, char *way)
{
    if (!copy || dal_grow(&diags->files, diags->file_count, &diags->file_room, sizeof(char *)) ||
        dal_grow(&diags->ways, diags->file_count, &diags->way_room, sizeof(char *))) {
        dal_free_all(copy, way);
        diags->lost = 1;
        return NULL;
    }
    diags->files[diags->file_count] = copy;
    diags->ways[diags->file_count++] = way;
    return copy;
}

const char *dal_diag_file(struct dal_diags *diags, const char *file)
{
    for (size_t i = 0; i < diags->file_count; i++)
        if (!diags->ways[i] && strcmp(diags->files[i], file) == 0)
            return diags->files[i];
    return add_file(diags, dal_strdup(file), NULL);
}

const char *dal_diag_part(struct dal_diags *diags, const char *file, const char *way)
{
    char *copy = dal_strdup(way);
    if (copy)
        return add_file(diags, dal_strdup(file), copy);
    diags->lost = 1;
    return NULL;
}

static const char *way_to(const struct dal_diags *diags, const char *file)
{
    for (size_t i = 0; file && i < diags->file_count; i++)
        if (diags->files[i] == file)
            return diags->ways[i];
    return NULL;
}

int dal_diags_are_full(const struct dal_diags *diags)
{
    return diags->count >= MAX_ENTRIES;
}

int dal_diags_tell(const struct dal_diags *diags, struct dal_spec_place place)
{
    for (size_t i = diags->count; i-- > 0;) { /* the newest is the likeliest */
        const struct dal_spec_place *other = &diags->list[i].place;
        if (diags->list[i].level == DAL_DIAG_ERROR && other->line == place.line &&
            dal_text_same(other->file, place.file))
            return 1;
    }
    return 0;
}

static int is_same(const struct dal_diag *a, const struct dal_diag *b)
{
    return a->level == b->level && a->place.line == b->place.line &&
           a->place.file == b->place.file && strcmp(a->message, b->message) == 0;
}

/* Returns whether an entry repeats the last error or one of its notes, as iterated elements do. */
static int is_repeated(const struct dal_diags *diags, const struct dal_diag *entry)
{
    for (size_t i = diags->count; i-- > 0;) {
        if (is_same(&diags->list[i], entry))
            return 1;
        if (diags->list[i].level != DAL_DIAG_NOTE)
            break;
    }
    return 0;
}

static void add_entry(struct dal_diags *diags, struct dal_diag entry, const char *format,
                      va_list args)
{
    char text[MAX_MESSAGE];
    assert(!entry.code || code_known(entry.code));
    vsnprintf(text, sizeof(text), format, args);
    entry.message = text;
    if (is_repeated(diags, &entry))
        return;
    if (entry.level == DAL_DIAG_ERROR)
        diags->errors++;
    if (dal_diags_are_full(diags))
        return;
    entry.message = dal_strdup(text);
    if (!entry.message || dal_grow(&diags->list, diags->count, &diags->room, sizeof(entry))) {
        dal_free(entry.message);
        diags->lost = 1;
        return;
    }
    diags->list[diags->count++] = entry;
}

int dal_error_list(struct dal_diags *diags, struct dal_spec_place place, const char *code,
                   const char *format, va_list list)
{
    add_entry(diags, (struct dal_diag){.level = DAL_DIAG_ERROR, .place = place, .code = code},
              format, list);
    return DAL_ERR_INVALID;
}

int dal_error(struct dal_diags *diags, struct dal_spec_place place, const char *code,
              const char *format, ...)
{
    va_list list;
    va_start(list, format);
    dal_error_list(diags, place, code, format, list);
    va_end(list);
    return DAL_ERR_INVALID;
}

void dal_warning(struct dal_diags *diags, struct dal_spec_place place, const char *code,
                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_entry(diags, (struct dal_diag){.level = DAL_DIAG_WARNING, .place = place, .code = code},
              format, args);
    va_end(args);
}

void dal_note(struct dal_diags *diags, struct dal_spec_place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_entry(diags, (struct dal_diag){.level = DAL_DIAG_NOTE, .place = place}, format, args);
    va_end(args);
}

void dal_remark(struct dal_diags *diags, struct dal_spec_place place, const char *code,
                const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_entry(diags, (struct dal_diag){.level = DAL_DIAG_NOTE, .place = place, .code = code},
              format, args);
    va_end(args);
}

/* Does an entry explain the one before it? */
static int is_part(const struct dal_diags *diags, size_t entry)
{
    return entry > 0 && entry < diags->count && diags->list[entry].level == DAL_DIAG_NOTE &&
           !diags->list[entry].code;
}

/* Prints a file's name without control characters, so that it stays on its line. */
static void print_file(const char *file, FILE *out)
{
    for (; *file; file++)
        putc((unsigned char)*file < 0x20 || *file == 0x7f ? '?' : *file, out);
}

static void print_entry(const struct dal_diag *entry, const char *way, void *to)
{
    FILE *out = to;
    if (entry->place.file)
        print_file(entry->place.file, out);
    if (entry->place.file && entry->place.line && entry->place.column)
        fprintf(out, ":%d:%d: ", entry->place.line, entry->place.column);
    else if (entry->place.file && entry->place.line)
        fprintf(out, ":%d: ", entry->place.line);
    else if (entry->place.file)
        fprintf(out, ": ");
    fprintf(out, "%s: ", dal_diag_level_name(entry->level));
    if (entry->code)
        fprintf(out, "[%s] ", entry->code);
    fprintf(out, "%s%s%s\n", entry->message, way ? ", " : "", way ? way : "");
}

struct position {
    size_t file;
    int line;
    size_t entry;
};

static struct position position_of(const struct dal_diags *diags, size_t entry)
{
    const struct dal_spec_place *place = &diags->list[entry].place;
    struct position at = {.line = place->line, .entry = entry};
    while (at.file < diags->file_count && diags->files[at.file] != place->file)
        at.file++;
    return at;
}

static int compare_positions(const void *left, const void *right)
{
    const struct position *a = left, *b = right;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->entry < b->entry ? -1 : a->entry > b->entry;
}

/* Returns whether two entries are the same, with their notes. */
static int is_same_group(const struct dal_diags *diags, size_t a, size_t b)
{
    do
        if (!is_same(&diags->list[a], &diags->list[b]) ||
            diags->list[a++].place.column != diags->list[b++].place.column)
            return 0;
    while (is_part(diags, a) && is_part(diags, b));
    return is_part(diags, a) == is_part(diags, b);
}

/* Does an entry repeat one in front of it? */
static int is_again(const struct dal_diags *diags, const struct position *order, size_t i)
{
    for (size_t k = i; k-- > 0 && order[k].file == order[i].file && order[k].line == order[i].line;)
        if (is_same_group(diags, order[k].entry, order[i].entry))
            return 1;
    return 0;
}

struct visitor {
    void (*see)(const struct dal_diag *entry, const char *way, void *to);
    void *to;
};

static void see_group(const struct dal_diags *diags, size_t entry, const struct visitor *visitor)
{
    do
        visitor->see(&diags->list[entry], way_to(diags, diags->list[entry].place.file),
                     visitor->to);
    while (is_part(diags, ++entry));
}

void dal_diags_each(const struct dal_diags *diags,
                    void (*see)(const struct dal_diag *entry, const char *way, void *to), void *to)
{
    struct position *order = dal_calloc(diags->count + 1, sizeof(*order));
    struct visitor visitor = {see, to};
    size_t groups = 0;
    for (size_t i = 0; i < diags->count; i++) {
        if (is_part(diags, i))
            continue;
        if (order)
            order[groups++] = position_of(diags, i);
        else
            see_group(diags, i, &visitor);
    }
    if (order)
        qsort(order, groups, sizeof(*order), compare_positions);
    for (size_t i = 0; i < groups; i++)
        if (!is_again(diags, order, i))
            see_group(diags, order[i].entry, &visitor);
    dal_free(order);
}

size_t dal_diags_left_out(const struct dal_diags *diags)
{
    size_t kept = 0;
    for (size_t i = 0; i < diags->count; i++)
        kept += diags->list[i].level == DAL_DIAG_ERROR;
    return diags->errors - kept;
}

size_t dal_diags_print(const struct dal_diags *diags, FILE *out)
{
    dal_diags_each(diags, print_entry, out);
    if (dal_diags_left_out(diags))
        fprintf(out, "%zu more errors are left out\n", dal_diags_left_out(diags));
    if (diags->lost)
        fprintf(out, "error: %s\n", dal_strerror(DAL_ERR_NOMEM));
    return diags->errors + (diags->lost != 0);
}

int dal__lost(struct dal_diags *diags)
{
    diags->lost = 1;
    return DAL_ERR_NOMEM;
}

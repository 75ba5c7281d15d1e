/* What is changed in the files of a portable source, in front of a device's compiler. */
#include "synth/codegen/clang/tree_portable.h"

#include "rt/base/alloc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void dal__ast_add_edit(struct dal_edits *edits, CXSourceLocation at, unsigned length,
                       const char *text)
{
    struct dal_edit new = {.length = length, .text = text};
    clang_getExpansionLocation(at, &new.file, NULL, NULL, &new.offset);
    if (dal_grow(&edits->list, edits->count, &edits->room, sizeof(new)) == 0)
        edits->list[edits->count++] = new;
    else
        edits->tree->facts->lost = 1;
}

/* ---- long long ------------------------------------------------------------------------------- */

/* May this stand between the two words of "long long"? */
static int is_between(const struct dal_tokens *tokens, unsigned i)
{
    static const char words[] = " signed unsigned int const volatile static extern register inline "
                                "typedef restrict ";
    const char *word = dal__ast_word(tokens, i), *at = strstr(words, word);
    return clang_getTokenKind(tokens->list[i]) == CXToken_Comment ||
           (*word && at && at[-1] == ' ' && at[strlen(word)] == ' ');
}

/* Does the line end behind a token? A directive would, too. */
static int ends_line(const struct dal_edits *edits, const struct dal_tokens *tokens, unsigned i)
{
    CXFile file;
    unsigned end, next;
    const char *text;
    if (i + 1 >= tokens->count)
        return 1;
    clang_getExpansionLocation(
        clang_getRangeEnd(clang_getTokenExtent(tokens->parsed, tokens->list[i])), &file, NULL, NULL,
        &end);
    clang_getExpansionLocation(clang_getTokenLocation(tokens->parsed, tokens->list[i + 1]), NULL,
                               NULL, NULL, &next);
    text = clang_getFileContents(edits->tree->parsed, file, NULL);
    for (; end < next; end++) {
        if (text[end] == '\\')
            end += 1 + (text[end + 1] == '\r' && text[end + 2] == '\n');
        else if (text[end] == '\n' || text[end] == '\r')
            return 1;
    }
    return 0;
}

/* Takes the second word away. */
static void take_second(struct dal_edits *edits, const struct dal_tokens *tokens, unsigned first)
{
    unsigned i = first;
    do {
        if (ends_line(edits, tokens, i))
            return;
        i++;
    } while (is_between(tokens, i));
    if (!dal__ast_is_word(tokens, i, "long"))
        return;
    dal__ast_add_edit(edits, clang_getTokenLocation(tokens->parsed, tokens->list[i]),
                      (unsigned)strlen("long"), "");
    edits->has_longs = 1;
}

/* Is it a number, or the end of one, which a macro joins to it? */
static int is_number_end(const struct dal_tokens *tokens, unsigned i, const char *word)
{
    if (clang_getTokenKind(tokens->list[i]) == CXToken_Literal)
        return isdigit((unsigned char)*word);
    return i > 0 && !word[strspn(word, "uUlL")] && dal__ast_is_word(tokens, i - 1, "##");
}

static void take_suffix(struct dal_edits *edits, const struct dal_tokens *tokens, unsigned i)
{
    const char *word = dal__ast_word(tokens, i);
    const char *suffix = strstr(word, "ll") ? strstr(word, "ll") : strstr(word, "LL");
    CXFile file;
    unsigned at;
    if (!suffix || !is_number_end(tokens, i, word))
        return;
    clang_getExpansionLocation(clang_getTokenLocation(tokens->parsed, tokens->list[i]), &file, NULL,
                               NULL, &at);
    at += (unsigned)(suffix - word);
    dal__ast_add_edit(edits, clang_getLocationForOffset(tokens->parsed, file, at), 1, "");
    edits->has_longs = 1;
}

static void visit_file(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct dal_edits *edits = data;
    struct dal_tokens tokens;
    (void)stack;
    (void)depth;
    for (size_t i = 0; i < edits->file_count; i++)
        if (clang_File_isEqual(edits->files[i], file))
            return;
    if (!dal__ast_source_tokens(edits->tree, file, &tokens))
        return;
    if (dal_grow(&edits->files, edits->file_count, &edits->file_room, sizeof(file)) == 0)
        edits->files[edits->file_count++] = file;
    else
        edits->tree->facts->lost = 1;
    for (unsigned i = 0; i < tokens.count; i++) {
        if (dal__ast_is_word(&tokens, i, "long"))
            take_second(edits, &tokens, i);
        else if (dal__ast_is_word(&tokens, i, "_Generic"))
            edits->selection = clang_getTokenLocation(tokens.parsed, tokens.list[i]);
        else
            take_suffix(edits, &tokens, i);
    }
}

void dal__ast_take_longs(struct dal_edits *edits)
{
    edits->selection = clang_getNullLocation();
    clang_getInclusions(edits->tree->parsed, visit_file, edits);
    if (edits->has_longs && !clang_equalLocations(edits->selection, clang_getNullLocation()))
        dal__ast_add_named(edits->tree, DAL_FACT_REFUSED,
                           "'long long' is 'long' on a device, and _Generic would tell them apart",
                           edits->selection);
}

/* ---- files ----------------------------------------------------------------------------------- */

static int by_place(const void *left, const void *right)
{
    const struct dal_edit *a = left, *b = right;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

/* Changes a file. What is to be done twice at one place is done once. */
static void change_file(struct dal_edits *edits, CXFile file)
{
    struct dal_ast *tree = edits->tree;
    struct dal_text text = {0};
    const struct dal_edit *last = NULL;
    size_t length, at = 0;
    const char *old = clang_getFileContents(tree->parsed, file, &length);
    for (size_t i = 0; i < edits->count; i++) {
        const struct dal_edit *edit = &edits->list[i];
        if (!clang_File_isEqual(edit->file, file) || edit->offset + edit->length > length ||
            (last && last->offset + last->length > edit->offset) ||
            (last && last->offset == edit->offset))
            continue;
        dal_text_add_bytes(&text, old + at, edit->offset - at);
        dal_text_add(&text, edit->text);
        at = edit->offset + edit->length;
        last = edit;
    }
    dal_text_add_bytes(&text, old + at, length - at);
    tree->facts->lost |= text.lost;
    dal__ast_add_file(tree, dal__ast_string(clang_getFileName(file)), dal_text_get(&text),
                      text.length);
}

void dal__ast_change_files(struct dal_edits *edits)
{
    size_t k;
    if (edits->count)
        qsort(edits->list, edits->count, sizeof(*edits->list), by_place);
    for (size_t i = 0; i < edits->count; i++) {
        for (k = 0; k < i; k++)
            if (clang_File_isEqual(edits->list[k].file, edits->list[i].file))
                break;
        if (k == i)
            change_file(edits, edits->list[i].file);
    }
}

/* Says what a portable source cannot do, in the words of its author. */
#include "synth/codegen/clang/tree_blocks.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void dal__refuse(const struct dal_blocks *b, CXSourceLocation at, const char *format, ...)
{
    char why[400];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof(why), format, args);
    va_end(args);
    dal__ast_add_named(b->tree, DAL_FACT_REFUSED, why, at);
}

const char *dal__written_name(CXCursor cursor)
{
    const char *name = dal__ast_name(cursor);
    size_t length = strlen(DAL_AST_RENAMED);
    return strncmp(name, DAL_AST_RENAMED, length) == 0 ? name + length : name;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const struct {
    const char *words, *why;
} refused[] = {
    {" DAL_read DAL_write DAL_READ_TOKEN DAL_WRITE_TOKEN ",
     "copies; use DAL_read_begin or DAL_write_begin and work in the window"},
    {" DAL_printf printf fprintf puts putchar putc fputc sprintf snprintf vprintf DAL_fail perror ",
     "writes text, which a device cannot"},
    {" DAL_getParameter DAL_getParameterDouble DAL_getParameterInt DAL_getIndex GETINDEX ",
     "asks for what is known on a core only; use a variable of the network (VAR_name)"},
    {" DAL_send_event DAL_port_index CREATEPORT CREATEPORTVAR createPort DAL_at_end DAL_read_some "
     "DAL_read_line DAL_rtest "
     "DAL_wtest DAL_has_failed DAL_is_stopping ",
     "is there on a core only"},
    {" malloc calloc realloc free alloca aligned_alloc strdup ",
     "takes memory, of which a device has none to give"},
    {" memcpy memmove memset memcmp strlen strcpy strcmp strncpy strncmp strcat ",
     "is not there on a device; write the loop"},
    {" FILE stdin stdout stderr fopen fclose fread fwrite fputs fgets fflush fscanf scanf getchar ",
     "uses files, which a device cannot"},
};

const char *dal__reason_of(const char *word)
{
    char padded[80];
    snprintf(padded, sizeof(padded), " %s ", word);
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        if (strstr(refused[i].words, padded))
            return refused[i].why;
    return NULL;
}

/* Takes the text in the first quotes. */
static void take_quoted(const char *words, char *name, size_t room)
{
    const char *open = strchr(words, '\'');
    const char *close = open ? strchr(open + 1, '\'') : NULL;
    *name = '\0';
    if (close && (size_t)(close - open) < room) {
        memcpy(name, open + 1, (size_t)(close - open - 1));
        name[close - open - 1] = '\0';
    }
}

static void tell_memory(struct dal_blocks *b, CXSourceLocation at, const char *words)
{
    CXCursor cursor = clang_getCursor(b->tree->parsed, at);
    b->mixes = 1;
    if (clang_getCursorKind(cursor) == CXCursor_VarDecl &&
        dal__is_window(clang_getCanonicalType(clang_getCursorType(cursor))))
        dal__refuse(b, at,
                    "'%s' would be part of a window, as its type is: write the type without typeof",
                    dal__ast_name(cursor));
    else if (!strstr(words, "__global") && !strstr(words, "__constant"))
        dal__refuse(b, at,
                    "a device has no pointers to a literal without a name: make it a variable");
    else if (!strstr(words, "__global"))
        dal__refuse(
            b, at,
            "a device has another memory for texts and for constants outside of functions: no "
            "other pointer can lead there");
    else if (clang_getCursorKind(cursor) == CXCursor_VarDecl)
        dal__refuse(b, at, "'%s' points to a window: write DAL_WINDOW in front of its type",
                    dal__ast_name(cursor));
    else
        dal__refuse(
            b, at,
            "this leads to a window: DAL_WINDOW stands in front of the type of what is pointed "
            "to");
}

/* Reports an error as a device's compiler would. */
static void tell_error(struct dal_blocks *b, CXDiagnostic diagnostic)
{
    CXSourceLocation at = clang_getDiagnosticLocation(diagnostic);
    const char *words = dal__ast_string(clang_getDiagnosticSpelling(diagnostic));
    CXFile file;
    char name[60];
    clang_getExpansionLocation(at, &file, NULL, NULL, NULL);
    if (!file || clang_Location_isInSystemHeader(at) ||
        strcmp(dal__ast_string(clang_getFileName(file)), b->tree->unit) == 0)
        at = clang_getLocation(b->tree->parsed, clang_getFile(b->tree->parsed, b->tree->source), 1,
                               1); /* options have changed what stands in front */
    take_quoted(words, name, sizeof(name));
    if (strstr(words, "file not found"))
        dal__refuse(b, at, "#include of '%s', which a device does not have", name);
    else if (dal__reason_of(name))
        dal__refuse(b, at, "'%s' %s", name, dal__reason_of(name));
    else if (strstr(words, "address space"))
        tell_memory(b, at, words);
    else if (strstr(words, "declared static"))
        dal__refuse(
            b, at,
            "a static variable in a function; constants stand outside, and state in a channel "
            "to itself");
    else if (strstr(words, "undeclared") || strstr(words, "implicit declaration"))
        dal__refuse(b, at, "'%s' is not there on a device", name);
    else
        dal__refuse(b, at, "%s", words);
}

void dal__refuse_errors(struct dal_blocks *b)
{
    CXDiagnostic diagnostic;
    unsigned i = 0;
    while ((diagnostic = dal__ast_next_error(b->tree, &i)))
        tell_error(b, diagnostic);
}
